package distill

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// grower grows laws on some rows.
type grower struct {
	search
	units      []model.Unit
	score      fit.Data // the rows that candidates are scored on
	dictionary *dictionary
	most       int         // constants that a law may have
	nodes      int         // that a law may have; 0: any number
	divides    bool        // what is taken out of a law may become a quotient
	seen       func(state) // is told of every law on the way; may be nil
}

const (
	scoreRows    = 1000 // that candidates are scored on
	growRows     = 20_000
	maxGrowth    = 24 // terms added to a law
	rowsOfGrowth = 4  // rows for each constant of a grown law
	tried        = 6  // candidates that are fitted in each step
	triedOfClass = 2
	starts       = 3 // first terms that a law is grown from
)

// on returns a grower on at most 2000 rows, or on 20,000 for the last terms, which are too weak
// to be seen on fewer and need no scan.
func (g Growth) on(d fit.Data, scan bool) *grower {
	limit, score := fit.SearchRows, scoreRows
	if !scan {
		limit, score = growRows, growRows
	}
	all := d
	d = d.AtMost(limit)
	gr := &grower{search: search{data: d, all: all, criterion: fit.NewCriterion(d), steps: 8, tol: 1e-3,
		budget: &meter{limit: g.Work}}, units: g.Units, score: d.AtMost(score), divides: scan}
	gr.most = max(1, d.Rows()/rowsOfGrowth)
	gr.dictionary = newDictionary(gr.score, gr.criterion, g.Units, scan, g.Each)
	return gr
}

// begin grows laws from the most promising first terms and returns the best of them.
func (g *grower) begin(at state) state {
	best := at
	for i, next := range g.additions(at) {
		if i == starts || i > 0 && g.over() {
			break
		}
		if grown := g.grow(g.settle(next)); grown.value < best.value {
			best = grown
		}
	}
	return best
}

// grow adds terms while the criterion falls.
func (g *grower) grow(at state) state {
	for range maxGrowth {
		if g.over() {
			break
		}
		next := g.additions(at)
		if len(next) == 0 {
			break
		}
		settled := g.settle(next[0])
		if !(settled.value < at.value) {
			break
		}
		at = settled
	}
	return at
}

// additions returns what a law becomes with one more term, best first, as far as the criterion falls
// by more than the choice of the term is worth. The most promising candidates are all fitted, because
// a frequency between the points of a grid, or a term that replaces another, gains more than can be
// predicted.
func (g *grower) additions(at state) []state {
	f, ok := at.law.expand()
	if !ok {
		return nil
	}
	t := newTangentSpace(f, g.score)
	candidates := g.dictionary.candidates(t)
	g.budget.charge(g.dictionary.cost(t))
	var laws []*Law
	var choices []float64
	count := map[int]int{}
	for _, k := range candidates {
		if len(laws) == tried {
			break
		}
		if count[k.class] == triedOfClass {
			continue
		}
		l, _ := f.with(k).law()
		if g.nodes > 0 && l.complexity() > g.nodes {
			continue
		}
		count[k.class]++
		laws, choices = append(laws, l), append(choices, k.choice)
	}
	type step struct {
		state
		net float64
	}
	steps := finished(g, len(laws), func(i int, s search) step {
		next := s.fit(laws[i])
		return step{next, next.value + choices[i]}
	})
	steps = slices.DeleteFunc(steps, func(s step) bool { return !(s.net < at.value) || s.law.Params() > g.most })
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.net, b.net) })
	states := make([]state, len(steps))
	for i, s := range steps {
		states[i] = s.state
	}
	return states
}

// settle fits a grown law well and prunes it where that is predicted to pay.
func (g *grower) settle(at state) state {
	at = finished(g, 1, func(_ int, s search) state {
		well := s
		well.steps, well.tol = 20, 1e-6
		at := well.fit(at.law)
		if order := s.removals(at); len(order) > 0 && order[0].change < 0 {
			at = s.prune(at)
		}
		return at
	})[0]
	if g.seen != nil {
		g.seen(at)
	}
	return at
}

// rebuild grows a law from nothing out of the functions of a form.
func (g *grower) rebuild(f *form) state {
	rebuilder := *g
	rebuilder.dictionary = newDictionary(g.score, g.criterion, g.units, false, g.dictionary.each)
	rebuilder.dictionary.offer(f)
	return rebuilder.grow(g.fit(&Law{inputs: f.inputs, out: affine{bias: fit.Mean(g.data.Y)}}))
}

// revisit takes the terms of one set of inputs out, wherever there are several, and lets the law
// grow again, or have a quotient there, as long as that lowers the criterion. What grew early, beside
// terms that were still missing, may have been a part of something else.
func (g *grower) revisit(at state) state {
	f, ok := at.law.expand()
	if !ok {
		return at
	}
	for _, support := range f.supports() {
		if g.over() {
			break
		}
		base := f.clone()
		base.out = slices.DeleteFunc(base.out, func(t product) bool { return slices.Equal(f.support(t.factors), support) })
		l, _ := base.law()
		without := g.settle(g.fit(l))
		again := g.grow(without)
		if base, ok := without.law.expand(); ok && g.divides {
			quotient, choice, ok := g.quotient(base)
			allowed := ok && (g.nodes == 0 || quotient.law.complexity() <= g.nodes)
			if allowed && quotient.value+choice < again.value {
				again = g.grow(g.settle(quotient))
			}
		}
		if again.value < at.value {
			return g.revisit(again)
		}
	}
	return at
}

// finished returns f(0) … f(n−1), with searches that finish what they begin, and charges what they took.
func finished[T any](g *grower, n int, f func(i int, s search) T) []T {
	took := make([]meter, n)
	list := collect(g.dictionary.each, n, func(i int) T {
		took[i].limit = math.Inf(1)
		s := g.search
		s.budget = &took[i]
		return f(i, s)
	})
	for _, m := range took {
		g.budget.charge(m.spent)
	}
	return list
}

// pruned fits and prunes a law.
func (g *grower) pruned(l *Law) state {
	return finished(g, 1, func(_ int, s search) state { return s.prune(s.fit(l)) })[0]
}
