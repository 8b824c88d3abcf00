package sweep

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
)

// Growing laws ([distill.Growth]) may take a stated part of the work of training. For an update of a
// constant by a row training does three multiplications, and about ten of them in the time in which
// growth does one.
const (
	greedyWork  = 0.4 // multiplications for each update in the training of the grid, over all targets
	improveWork = 0.4 // the same for what was trained since the last time
	leastWork   = 5e7 // of one law, however short training was; about 0.05 s
)

const (
	// polishCandidates is how many different laws of each target are fitted to all rows, and
	// improveCandidates how many of them are improved, the best by the criterion.
	polishCandidates  = 8
	improveCandidates = 4
	// revised is how many short laws are improved where none holds.
	revised = 3
)

// growth returns what one of several laws that share the work may spend. trained is the work of
// training in the unit of [cost].
func (r *runner) growth(share, trained float64, laws int) distill.Growth {
	work := share * trained * float64(r.problem.train.Rows()) / float64(laws)
	return distill.Growth{Units: r.settings.Units, Work: math.Max(work, leastWork), Each: r.spread}
}

// greedyModel returns the model of the laws that are grown without a network, and the tasks that
// grow them, one a target, and find out on the way what the errors of its rows are like. When ctx is done laws grow no
// further.
func (r *runner) greedyModel(ctx context.Context) (m *Model, tasks []func()) {
	m = r.problem.formModel("")
	m.Greedy = true
	growth := r.growth(greedyWork, r.work, len(m.Targets))
	for o := range m.Targets {
		tasks = append(tasks, func() {
			var found, settling []*distill.Law
			law, rivals := r.assess(o, func(d fit.Data) (*distill.Law, []*distill.Law) {
				if r.searchesFirst(o) {
					found = r.briefSearch(ctx, d, o)
					if len(found) > 0 && r.settles(found[0], d, o) {
						settling = append(settling, found[0])
						return found[0], found[1:]
					}
				}
				return r.grow(growth, d)
			})
			for _, rival := range rivals {
				var t TargetModel
				r.problem.setLaw(&t, rival, o)
				r.replaced[o] = append(r.replaced[o], t)
			}
			m.Targets[o].Units = law.Units()
			r.problem.setLaw(&m.Targets[o], law, o)
			r.atOnce[o] = slices.Contains(settling, law)
			if r.atOnce[o] || r.takeFound(&m.Targets[o], found, o) {
				r.foundBy[o] = r.briefSearch
			}
		})
	}
	return m, tasks
}

// A law that settles has at most so many constants, of which one may be any number, and leaves no more than so much of
// the variance; fewer rows are looked at in all ways.
const (
	settledConstants = 3
	settledError     = 1e-3
	settledRows      = 100
)

// settles reports whether a law is so short, and its residuals so small and free of structure, that another form can
// hardly be as good: what takes longer is not looked for then.
func (r *runner) settles(l *distill.Law, d fit.Data, o int) bool {
	spread := d.SpreadOf(d.Y)
	if l.Params() > settledConstants || !(l.SSE(d) <= settledError*spread*spread*float64(d.Rows())) {
		return false
	}
	var t TargetModel
	if r.problem.setLaw(&t, l, o); t.Formula == nil {
		return false
	}
	return odd(t.Formula) <= 1 && highestPower(t.Formula) <= largestHalf && !r.problem.contradicted(l, d, o)
}

// odd counts the constants of a formula that are not near a multiple of ½.
func odd(e formula.Expr) (n int) {
	for _, c := range formula.Constants(e) {
		half := math.Round(2*c) / 2
		if size := math.Abs(half); size == 0 || size > largestHalf || math.Abs(c-half) > nearHalf*min(size, 2) {
			n++
		}
	}
	return n
}

// highestPower returns the largest magnitude of an exponent that is a number.
func highestPower(e formula.Expr) float64 {
	type part struct{ number, highest float64 }
	largest := func(parts []part) (p part) {
		for _, q := range parts {
			p.highest = max(p.highest, q.highest)
		}
		return p
	}
	return formula.Fold(e, formula.Algebra[part]{
		Number:   func(v float64) part { return part{number: math.Abs(v)} },
		Variable: func(string) part { return part{} },
		Sum:      largest,
		Product:  largest,
		Power: func(base, exponent part) part {
			return part{highest: max(base.highest, exponent.highest, exponent.number)}
		},
		Call: func(_ formula.Func, args []part) part { return largest(args) },
	}).highest
}

// A constant counts as a multiple of ½ up to a size if it is as near to it, as a share of it or of 2: any larger number
// is as near.
const (
	nearHalf    = 0.02
	largestHalf = 12
)

// searchesFirst reports whether the general search is asked briefly before laws are grown: it finds most short laws,
// and where one settles, growth has nothing to add.
func (r *runner) searchesFirst(o int) bool {
	p := r.problem
	return r.settings.Extend > 0 && p.indicators == nil && p.measured == nil && p.known == nil &&
		p.target(o).Rows() >= settledRows
}

// grow searches for a law without a network, in the rows together and, where there are groups, by [runner.groupLaws].
func (r *runner) grow(growth distill.Growth, d fit.Data) (law *distill.Law, rivals []*distill.Law) {
	law, rivals = growth.Search(d)
	if r.problem.indicators == nil {
		return law, rivals
	}
	for _, other := range r.groupLaws(growth, d) {
		if other.Score(d) < law.Score(d) {
			law, other = other, law
		}
		rivals = append(rivals, other)
	}
	return law, rivals
}

// finish fits the most promising laws of each target to all rows and makes the best of them better,
// each law once. Networks that arrived at the same law share the finished one.
func (r *runner) finish(models []*Model) {
	trained := 0.0
	for _, m := range models {
		trained += cost([]Job{m.Job})
	}
	growth := r.growth(improveWork, trained-r.improved, len(r.problem.targets)*improveCandidates)
	r.improved = trained
	for o := range r.problem.targets {
		groups := sameLaws(models, o)
		before := make([]*TargetModel, len(groups))
		r.all(len(groups), func(i int) {
			if r.late() {
				return
			}
			first := groups[i][0]
			r.polish(groups[i], o)
			before[i] = r.improveOnce(first, growth, o, i < improveCandidates && !r.brief)
			for _, t := range groups[i][1:] {
				t.takeLaw(first)
			}
		})
		for _, t := range before {
			if t != nil {
				r.replaced[o] = append(r.replaced[o], *t)
			}
		}
	}
}

// takeLaw takes over what another network's law became; the units, and what the own network led to, stay.
func (t *TargetModel) takeLaw(from *TargetModel) {
	units, raw, own := t.Units, t.raw, t.own
	*t = *from
	t.Units, t.raw, t.own, t.grown = units, raw, own, false
}

// polish fits one law of several equal ones to all rows. All that were not fitted before led to what it becomes.
func (r *runner) polish(group []*TargetModel, o int) {
	first := group[0]
	if first.polished {
		return
	}
	r.problem.setLaw(first, distill.Polish(first.law, r.problem.target(o)), o)
	for _, t := range group {
		if !t.polished {
			t.polished, t.own = true, first.law
		}
	}
}

// improveOnce improves a law unless that was done, or the search without networks found the same or one that settles,
// and returns what it was before, or nil.
func (r *runner) improveOnce(t *TargetModel, growth distill.Growth, o int, improve bool) (before *TargetModel) {
	if !improve || t.improved || r.atOnce[o] {
		return nil
	}
	if r.greedy != nil && r.greedy.Targets[o].Formula != nil && sameLaw(t.Formula, r.greedy.Targets[o].Formula) {
		return nil
	}
	t.improved = true
	return r.improve(t, growth, o)
}

// improve grows a law on from its own parts, and returns what it was before, or nil.
func (r *runner) improve(t *TargetModel, growth distill.Growth, o int) (before *TargetModel) {
	law := growth.Improve(t.law, r.problem.target(o))
	if law == t.law {
		return nil
	}
	old := *t
	r.problem.setLaw(t, law, o)
	t.grown = true
	return &old
}

// revise improves what was chosen, unless that was done, and, where it does not hold, the best of the
// short laws too, each once: whatever they came from, their own parts may make a better law, and the
// parts of a short one are rather those of the truth. It reports whether they did.
func (r *runner) revise(res *Result) bool {
	type task struct {
		t *TargetModel
		o int
	}
	var tasks []task
	for _, c := range res.Chosen {
		o := slices.Index(r.problem.targets, c.Target)
		if c.Evidence == nil {
			continue
		}
		holds := c.Evidence.Level == Holds
		if holds && r.atOnce[o] {
			continue
		}
		for _, m := range revisable(res.Models, c.Model, o) {
			t := &m.Targets[o]
			if holds && (m != c.Model || t.improved) {
				continue
			}
			if !t.revised {
				t.revised = true
				tasks = append(tasks, task{t, o})
			}
		}
	}
	growth := r.growth(improveWork, r.work, len(r.problem.targets)*improveCandidates)
	before := make([]*TargetModel, len(tasks))
	r.all(len(tasks), func(i int) { before[i] = r.improve(tasks[i].t, growth, tasks[i].o) })
	changed := false
	for i, old := range before {
		if old != nil {
			o := tasks[i].o
			r.replaced[o] = append(r.replaced[o], *old)
			changed = true
			for _, m := range res.Models { // that arrived at the same law
				if t := &m.Targets[o]; t.law == old.law {
					t.takeLaw(tasks[i].t)
				}
			}
		}
	}
	return changed
}

// revisable returns the chosen model and those with the best different laws of target o that a
// person reads gladly. Standard forms stay what they are.
func revisable(models []*Model, chosen *Model, o int) []*Model {
	var short []*Model
	for _, m := range models {
		if t := m.Targets[o]; t.Formula != nil && t.Complexity <= comfortable && !m.Baseline && m.Form == "" && m != chosen {
			short = append(short, m)
		}
	}
	slices.SortStableFunc(short,
		func(a, b *Model) int { return cmp.Compare(a.Targets[o].Criterion, b.Targets[o].Criterion) })
	var list []*Model
	if !chosen.Baseline && chosen.Form == "" {
		list = append(list, chosen)
	}
	for _, m := range short {
		same := func(k *Model) bool { return sameLaw(k.Targets[o].Formula, m.Targets[o].Formula) }
		if len(list) <= revised && !slices.ContainsFunc(list, same) {
			list = append(list, m)
		}
	}
	return list
}

// sameLaws returns the laws of target o that networks lead to, in groups of equal ones, the best by
// the criterion first.
func sameLaws(models []*Model, o int) [][]*TargetModel {
	var laws []*TargetModel
	for _, m := range models {
		if t := &m.Targets[o]; t.Formula != nil && m.trained() {
			laws = append(laws, t)
		}
	}
	slices.SortStableFunc(laws, func(a, b *TargetModel) int { return cmp.Compare(a.Criterion, b.Criterion) })
	var groups [][]*TargetModel
	for _, t := range laws {
		i := slices.IndexFunc(groups, func(g []*TargetModel) bool { return sameLaw(g[0].Formula, t.Formula) })
		switch {
		case i >= 0:
			groups[i] = append(groups[i], t)
		case len(groups) < polishCandidates:
			groups = append(groups, []*TargetModel{t})
		}
	}
	return groups
}
