package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

const (
	groupSources = 5  // parts of the rows in which forms are looked for: all together, and the largest groups
	groupForms   = 32 // different forms that are fitted to all groups, the shortest of each source first
	groupRows    = 2000
)

// grouped is the rows of one target in groups.
type grouped struct {
	fit.Groups
	whole fit.Data // all rows, with the columns of Groups.Inputs
}

// byGroup returns the rows in the groups that the indicators among the inputs make. Where there are many, some rows of
// each group, spread over all.
func (r *runner) byGroup(d fit.Data) grouped {
	var g grouped
	names := inputNames(len(d.X))
	for j, col := range d.X {
		if !slices.Contains(r.problem.indicators, j) {
			g.Inputs, g.whole.X = append(g.Inputs, names[j]), append(g.whole.X, col)
		}
	}
	g.whole.Y, g.whole.W, g.whole.Sigma = d.Y, d.W, d.Sigma
	for _, j := range r.problem.indicators {
		var rows []int
		for i, v := range d.X[j] {
			if v != 0 {
				rows = append(rows, i)
			}
		}
		if len(rows) == 0 {
			continue
		}
		part := g.whole.Take(rows).AtMost(groupRows / len(r.problem.indicators))
		g.Data, g.Indicators = append(g.Data, part), append(g.Indicators, names[j])
	}
	return g
}

// indicatorNames returns the names of the inputs that say which group a row is of.
func (p *problem) indicatorNames() []string {
	var names []string
	for _, j := range p.indicators {
		names = append(names, p.inputs[j])
	}
	return names
}

// groupWidths returns half the intervals of the constants that differ between groups, for rows with inputs counted from
// their origins.
func (p *problem) groupWidths(t *tested, d fit.Data) [][]float64 {
	if p.indicators == nil {
		return nil
	}
	d.X = p.columnsFromOrigins(d.X)
	return fit.GroupWidths(t.snapped, p.inputs, p.indicatorNames(), d, func(v float64) bool {
		return sizeAmong(SpecialValues(t.constants), v) || fit.Special(v, formula.Coefficient)
	})
}

// simplify simplifies a formula and regroups it.
func (p *problem) simplify(e formula.Expr) formula.Expr { return p.regrouped(formula.Simplify(e)) }

// regrouped writes a formula with the fewest constants that differ between groups, each with its value in each group.
// Formulas that are too long to be chosen stay as they are.
func (p *problem) regrouped(e formula.Expr) formula.Expr {
	if p.indicators == nil || p.complexity(e) > readable {
		return e
	}
	return formula.Regroup(e, p.indicatorNames())
}

// complexity returns the number of nodes of a formula. A constant that differs between groups counts as one.
func (p *problem) complexity(e formula.Expr) int {
	if g, ok := formula.ByGroup(e, p.indicatorNames()); ok {
		return formula.Complexity(g.Form)
	}
	return formula.Complexity(e)
}

// groupLaws returns laws of one form whose constants differ between the groups where the criterion wants them to, the
// best first. The forms are those that growth finds, and the standard forms that are best, in all rows together and in
// each of the largest groups.
func (r *runner) groupLaws(growth distill.Growth, d fit.Data) []*distill.Law {
	g := r.byGroup(d)
	type fitted struct {
		law   *distill.Law
		score float64
	}
	forms := r.formsOf(growth, g)
	laws := make([]fitted, len(forms))
	r.spread(len(forms), func(i int) {
		laws[i].score = math.Inf(1)
		e, score := g.Fit(forms[i])
		if math.IsInf(score, 1) {
			return
		}
		if law, err := distill.Compose(e, inputNames(len(d.X)), r.settings.Units); err == nil {
			law = distill.Fit(law, d)
			laws[i] = fitted{law, law.Score(d)}
		}
	})
	laws = slices.DeleteFunc(laws, func(f fitted) bool { return math.IsInf(f.score, 1) })
	slices.SortStableFunc(laws, func(a, b fitted) int { return cmp.Compare(a.score, b.score) })
	var list []*distill.Law
	for _, f := range laws[:min(len(laws), searchCandidates)] {
		list = append(list, f.law)
	}
	return list
}

// formsOf returns different forms of the inputs that are no indicators.
func (r *runner) formsOf(growth distill.Growth, g grouped) []formula.Expr {
	sources := slices.Clone(g.Data)
	slices.SortStableFunc(sources, func(a, b fit.Data) int { return b.Rows() - a.Rows() })
	sources = append([]fit.Data{g.whole}, sources[:min(len(sources), groupSources-1)]...)
	growth.Work /= float64(len(sources))
	found := make([][]formula.Expr, len(sources))
	r.spread(len(sources), func(i int) {
		law, rivals := growth.Search(sources[i])
		laws := slices.Concat([]*distill.Law{law, distill.Linear(sources[i])}, rivals, growth.Short(sources[i], comfortable))
		var written []formula.Expr
		for _, l := range laws {
			written = append(written, l.Expr(g.Inputs, nil, model.Scale{}, formula.Simplify))
		}
		standard := fitForms(tableOf(len(g.Inputs)), g.Inputs, sources[i], math.Inf(1))
		for _, f := range standard[:min(len(standard), listedForms)] {
			written = append(written, f.formula())
		}
		for _, e := range written {
			if len(formula.Vars(e)) > 0 && formula.Complexity(e) <= comfortable && finite(e) {
				found[i] = append(found[i], e)
			}
		}
		slices.SortStableFunc(found[i], func(a, b formula.Expr) int { return formula.Complexity(a) - formula.Complexity(b) })
	})
	var forms []formula.Expr
	for k := 0; ; k++ { // the first of each source, then the second of each, …
		more := false
		for _, of := range found {
			if k >= len(of) {
				continue
			}
			more = true
			if !slices.ContainsFunc(forms, func(e formula.Expr) bool { return sameForm(e, of[k]) }) && len(forms) < groupForms {
				forms = append(forms, of[k])
			}
		}
		if !more {
			return forms
		}
	}
}
