package sweep

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
)

// checkRequired refuses inputs that formulas must contain and that there are none of, or that do not vary.
func checkRequired(s Settings, given, varying []string) error {
	for _, name := range s.Limits.Require {
		switch {
		case !slices.Contains(given, name):
			return fmt.Errorf("formulas must contain %q, which is not an input", name)
		case !slices.Contains(varying, name):
			return fmt.Errorf("formulas must contain %q, which is the same in every row", name)
		}
	}
	return nil
}

// within reports whether a formula of inputs counted from their origins is within the limits of the settings, as it is
// printed.
func (p *problem) within(e formula.Expr) bool {
	if !p.limits.Any() || e == nil {
		return true
	}
	if e = p.forTable(e); p.known != nil {
		e = p.known.into(e)
	}
	nodes, form := p.complexity(e), e
	if g, ok := formula.ByGroup(e, p.indicatorNames()); ok {
		form = g.Form
	}
	if p.limits.MaxComplexity > 0 && nodes > p.limits.MaxComplexity ||
		p.limits.MaxConstants > 0 && len(formula.Constants(form)) > p.limits.MaxConstants {
		return false
	}
	vars := formula.Vars(e)
	return !slices.ContainsFunc(p.limits.Require, func(name string) bool { return !slices.Contains(vars, name) })
}

// limit adds a model, the last but one, with the best formulas within the limits, for targets of which a formula beyond
// them is better than all within. It takes the place of the one that was added before.
func (r *runner) limit(res *Result) {
	if !r.problem.limits.Any() {
		return
	}
	last := len(res.Models) - 1
	if i := slices.Index(res.Models, r.bounded); i >= 0 {
		res.Models = slices.Delete(res.Models, i, i+1)
		last--
		res.Models[last].ID--
	}
	m := &Model{Job: Job{ID: res.Models[last].ID, Layers: 1}, Short: true,
		Targets: make([]TargetModel, len(r.problem.targets))}
	added := false
	for o := range m.Targets {
		best := slices.MinFunc(res.Models, func(a, b *Model) int {
			return cmp.Compare(a.Targets[o].Criterion, b.Targets[o].Criterion)
		})
		m.Targets[o] = best.Targets[o]
		if best.Targets[o].beyond || best.Targets[o].Formula == nil {
			m.Targets[o], added = r.bestWithin(res.Models, o), true
		}
	}
	if added {
		r.bounded = m
		res.Models[last].ID++
		res.Models = slices.Insert(res.Models, last, m)
	}
}

// checkLimits refuses an answer beyond the limits, where nothing within them was found.
func (r *Result) checkLimits(s Settings) error {
	for _, c := range r.Chosen {
		if c.beyond {
			return fmt.Errorf("no formula for %q is within the limits: %s (loosen them)", c.Target, s.Limits)
		}
	}
	return nil
}

// withoutBeyond takes the formulas beyond the limits out of the models: what was asked for is not among them.
func (r *Result) withoutBeyond() {
	for _, m := range r.Models {
		for o := range m.Targets {
			if t := &m.Targets[o]; t.beyond {
				t.Formula = nil
			}
		}
	}
}

// bestWithin returns the best formula of a target within the limits: of those there are, what the best of the others
// are shortened to, what grows from nothing and is short, and the best of these with the inputs that are required. It
// is the line where none is.
func (r *runner) bestWithin(models []*Model, o int) TargetModel {
	p := r.problem
	d, nodes := p.target(o), cmp.Or(p.limits.MaxComplexity, comfortable)
	pool := r.short(models, o, nodes, func(t TargetModel) bool { return t.beyond })
	slices.SortStableFunc(pool, func(a, b TargetModel) int { return cmp.Compare(a.Criterion, b.Criterion) })
	pool = append(pool, r.snappedWithin(pool, o)...)
	slices.SortStableFunc(pool, func(a, b TargetModel) int { return cmp.Compare(a.Criterion, b.Criterion) })
	laws := []*distill.Law{distill.Number(d, 0), distill.Number(d, mean(d.Y))}
	for _, t := range pool {
		if t.Formula != nil && len(laws) < 2+shortened {
			laws = append(laws, t.law)
		}
	}
	for _, law := range laws {
		var t TargetModel
		p.setLaw(&t, distill.WithInputs(law, p.requiredInputs(), d), o)
		pool = append(pool, t)
	}
	best := baselineOf(models).Targets[o]
	for _, t := range pool {
		if t.Formula != nil && !t.beyond && (best.beyond || t.Criterion < best.Criterion) {
			best = t
		}
	}
	best.Units = best.law.Units()
	return best
}

// snappedWithin returns the best formulas beyond the limits that are within them once special values are put in.
func (r *runner) snappedWithin(pool []TargetModel, o int) []TargetModel {
	p := r.problem
	if r.settings.Snap != SnapAuto {
		return nil
	}
	beyond := slices.DeleteFunc(slices.Clone(pool), func(t TargetModel) bool { return t.Formula == nil || !t.beyond })
	var list []TargetModel
	for _, t := range beyond[:min(shortened, len(beyond))] {
		d := p.rowsFromOrigins(o)
		_, snapped, _ := fit.Snap(t.Formula, p.inputs, d, p.writing(o))
		if !p.within(snapped) {
			continue
		}
		if law, err := distill.Compose(p.inScaledUnits(snapped, o), p.inputs, r.settings.Units); err == nil {
			var s TargetModel
			p.setLaw(&s, law, o)
			list = append(list, s)
		}
	}
	return list
}

// requiredInputs returns the inputs that formulas must contain.
func (p *problem) requiredInputs() []int {
	var list []int
	for j, name := range p.inputs {
		if slices.Contains(p.limits.Require, name) {
			list = append(list, j)
		}
	}
	return list
}

// withinLimits returns the first of several ways of writing a formula that is within the limits, and the last when none
// is.
func (p *problem) withinLimits(ways ...formula.Expr) formula.Expr {
	for _, e := range ways {
		if p.within(e) {
			return e
		}
	}
	return ways[len(ways)-1]
}
