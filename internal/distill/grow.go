package distill

import (
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// Growth is how laws are grown term by term.
type Growth struct {
	// Units are the kinds of units that laws may have.
	Units []model.Unit
	// Work is the unit of what calls may spend, in multiplications: [Growth.Greedy] at most 3.25 times this, of which 1.25
	// for sums, 0.5 for quotients, 1.25 for exponentials, logarithms and roots and 0.25 for what
	// all rows show; [Growth.Improve] 1.25 and 0.25; [Growth.Short] 1.25. Every candidate that is scored, every fit and
	// every pruning counts, about. What was begun is finished, and the last fit to all rows is made in any case. Budgets
	// count work and not time, so that results do not depend on the machine. A processor does about 2e9 a second. Calls
	// end early where [fit.Data.Done] says so.
	Work float64
	// Each runs f(0) … f(n−1), some of them at the same time; nil: one after the other. The result does
	// not depend on it. f may call Each.
	Each func(n int, f func(i int))
}

// What the parts of a call may spend, as [Growth.Work] says. Of 42 planted laws the pruning took up to 0.42 of Work.
const (
	sumsShare     = 1.25
	quotientShare = 0.5
	curvesShare   = 1.25
	finishShare   = 0.25
	greedyShare   = sumsShare + quotientShare + curvesShare + finishShare
	improveShare  = sumsShare + finishShare
)

// each is [Growth.Each], or nil.
type each func(n int, f func(i int))

// collect returns f(0) … f(n−1).
func collect[T any](run each, n int, f func(i int) T) []T {
	list := make([]T, n)
	one := func(i int) { list[i] = f(i) }
	if run != nil && n > 1 {
		run(n, one)
		return list
	}
	for i := range n {
		one(i)
	}
	return list
}

// Greedy returns the law that grows from nothing, without a network: the constant, and then, one
// after the other, the term of the dictionary that lowers the criterion most, with all constants
// fitted again after each. It is the baseline that networks have to beat, and a candidate.
//
// Terms are monomials, sines of one input or of a sum, a difference or a product of two, times
// another input, sines of one input with up to two thousand periods, sigmoids, all of these inside the
// arguments of those there are, and products of functions; and quotients of polynomials, where the units have a
// reciprocal; and laws with exponentials, logarithms, roots and powers of any exponent, where they have those too. The
// search is on at most 2000 rows spread over all, the last terms and the last fit are on all.
func (g Growth) Greedy(d fit.Data) *Law {
	law, _ := g.Search(d)
	return law
}

// Search is [Growth.Greedy], and returns besides the best laws of the kinds that lost, fitted to all rows: the sum of
// terms, the quotient, and what was best before exponentials, logarithms, roots and powers. They show how far the form
// is determined.
func (g Growth) Search(d fit.Data) (best *Law, rivals []*Law) {
	return g.greedy(d, &meter{limit: g.Work * greedyShare})
}

func (g Growth) greedy(d fit.Data, whole *meter) (law *Law, rivals []*Law) {
	gr := g.on(d, true)
	gr.budget = whole.part(g.Work * sumsShare)
	gr.dictionary.lookForFast(d)
	l := &Law{inputs: len(d.X), out: affine{bias: fit.Mean(d.Y)}}
	if math.IsInf(l.SSE(d), 0) {
		return l, nil
	}
	divided := *gr
	divided.budget = whole.part(g.Work * quotientShare) // apart, so that sums are searched as they would be without
	quotient, choice, ok := divided.quotient(&form{inputs: len(d.X)})
	best := gr.begin(gr.fit(l))
	sum := best.law
	if ok && quotient.value+choice < best.value {
		best = quotient
	}
	curved := gr.transcendental(best, whole.part(g.Work*curvesShare))
	law = g.finish(gr.rewrite(gr.revisit(curved)).law, d, gr.budget)
	for _, rival := range []*Law{sum, best.law, quotient.law} {
		if rival != nil && rival != curved.law && !slices.Contains(rivals, rival) {
			rivals = append(rivals, rival)
		}
	}
	for i, rival := range rivals {
		rivals[i] = polish(rival, d, gr.budget)
	}
	return law, rivals
}

// Short returns the laws that a person might prefer where no law is to be had, as [Shorten] does from
// the other end: those on the way of the greedy search as long as they have at most the given number of nodes,
// written as simplified formulas of the scaled inputs, fitted to all rows.
func (g Growth) Short(d fit.Data, nodes int) []*Law {
	return g.short(d, nodes, &meter{limit: g.Work * sumsShare})
}

func (g Growth) short(d fit.Data, nodes int, whole *meter) []*Law {
	gr := g.on(d, true)
	gr.budget = whole
	gr.dictionary.lookForFast(d)
	gr.nodes = nodes
	l := &Law{inputs: len(d.X), out: affine{bias: fit.Mean(d.Y)}}
	if math.IsInf(l.SSE(d), 0) {
		return nil
	}
	var laws []*Law
	toAll := search{data: d, criterion: fit.NewCriterion(d), steps: fit.FitSteps, tol: fit.FitTol, budget: whole}
	gr.seen = func(at state) {
		if at.law.complexity() > nodes {
			return
		}
		if fitted := toAll.fit(at.law); !math.IsInf(fitted.eq.SSE, 1) {
			laws = append(laws, fitted.law)
		}
	}
	gr.seen(gr.rewrite(gr.revisit(gr.begin(gr.fit(l)))))
	return laws
}

// complexity returns the number of nodes of the law as a simplified formula of the scaled inputs.
func (l *Law) complexity() int {
	names := make([]string, l.inputs)
	for j := range names {
		names[j] = fmt.Sprint("x", j)
	}
	return formula.Complexity(l.Expr(names, nil, model.Scale{}, formula.Simplify))
}

// Improve returns the best law that can be made of what a law found: the law itself; the law that
// grows from nothing when the arguments of its sines and cosines and its other functions are in
// the dictionary, which takes what the network built out of the wrong parts apart; and what either
// becomes when it grows on and is rewritten. A law that has more than 150 terms when it is
// written out is returned as it is.
func (g Growth) Improve(l *Law, d fit.Data) *Law {
	return g.improve(l, d, &meter{limit: g.Work * improveShare})
}

func (g Growth) improve(l *Law, d fit.Data, whole *meter) *Law {
	f, ok := l.expand()
	if !ok || d.Ended() || math.IsInf(l.SSE(d), 0) {
		return l
	}
	gr := g.on(d, true)
	gr.budget = whole.part(g.Work * sumsShare)
	at := gr.fit(l)
	if l.Params() <= fewConstants {
		at = gr.rewrite(at) // first, while there is work left
	}
	if rebuilt := gr.rebuild(f); rebuilt.value < at.value {
		at = rebuilt
	}
	at = gr.rewrite(gr.revisit(gr.grow(at)))
	grown := g.finish(at.law, d, gr.budget)
	if grown.preferred(l, d) {
		return grown
	}
	return l
}

// fewConstants is up to how many constants a law is rewritten before it grows. In longer ones there is
// too much to rewrite, and less of the truth.
const fewConstants = 20

// better reports whether a law is better than another by more than the last digits of a fit, or as good and
// clearly shorter: a sine is than a cubic, but not a cosine than a square. The values are those of the criterion.
func better(l *Law, value float64, than *Law, before float64) bool {
	const (
		digits  = 1
		shorter = 2 // nodes
	)
	return value < before-digits || value < before+equalValue && l.complexity() <= than.complexity()-shorter
}

// equalValue is by how much the criterion of a law may be larger for it to be as good: chance makes a difference of 3.8
// in one case of twenty.
const equalValue = 4

// preferred reports whether a law is better than another on the data, or as good with fewer terms below the noise.
func (l *Law) preferred(than *Law, d fit.Data) bool {
	value, before := l.Score(d), than.Score(d)
	return better(l, value, than, before) || value < before+equalValue && l.Faint(d) < than.Faint(d)
}

// finish fits a law to all rows, prunes it, adds the terms that only all rows show, and lets all rows
// decide between waves that hardly differ.
func (g Growth) finish(l *Law, d fit.Data, m *meter) *Law {
	l = polish(l, d, m)
	if d.Rows() <= fit.SearchRows || d.Ended() {
		return l
	}
	gr := g.on(d, false)
	gr.budget = m.whole.part(math.Max(m.left(), 0) + g.Work*finishShare) // for what the search left no work
	grown := polish(gr.withoutFaint(gr.grow(gr.otherWaves(gr.fit(l)))).law, d, gr.budget)
	if grown.preferred(l, d) {
		return grown
	}
	return l
}

// severalFaint is how many terms below the noise rather mend a form than belong to it.
const severalFaint = 2

// withoutFaint takes the terms below the noise out, where there are several, and lets the law grow again with its own
// waves at hand: the last terms of a series, such as x·y − x·y·sin² in place of x·y·cos, are taken out together or not
// at all.
func (g *grower) withoutFaint(at state) state {
	f, ok := at.law.expand()
	if !ok || g.over() {
		return at
	}
	faint := f.faint(g.data, math.Sqrt(at.eq.SSE/float64(g.data.Rows())))
	if len(faint) < severalFaint {
		return at
	}
	base := f.clone()
	base.out = slices.DeleteFunc(base.out, func(t product) bool {
		return slices.ContainsFunc(faint, func(k product) bool { return slices.Equal(k.factors, t.factors) })
	})
	l, _ := base.law()
	g.dictionary.offer(f)
	if again := g.grow(g.settle(g.fit(l))); again.law.preferred(at.law, g.data) {
		return again
	}
	return at
}

// otherWaves takes the best of what terms may be that begin like another wave.
func (g *grower) otherWaves(at state) state {
	f, ok := at.law.expand()
	if !ok || !g.dictionary.has(model.Sin) || !g.dictionary.has(model.Cos) {
		return at
	}
	return g.bestOf(at, f.asOtherWaves(), func(next, best state) bool {
		return better(next.law, next.value, best.law, best.value)
	})
}
