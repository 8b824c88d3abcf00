package distill

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// state is a fitted law with what a search needs to know about it.
type state struct {
	law   *Law
	eq    fit.Normal
	value float64 // the criterion
}

// search fits and prunes on a set of rows under one criterion.
type search struct {
	data      fit.Data
	all       fit.Data // the rows that data was taken from, on which laws must be usable too; none: data
	criterion fit.Criterion
	steps     int     // of each refit
	tol       float64 // of each refit
	budget    *meter  // that the work is charged to; nil: none
}

// fit returns the state of a law after fitting it.
func (s search) fit(l *Law) state {
	l, eq := l.fit(s.data, s.steps, s.tol)
	s.budget.charge(s.work(l, s.steps))
	if !s.usable(l) {
		eq.SSE = math.Inf(1)
	}
	return state{l, eq, s.criterion.Value(eq.SSE/float64(s.data.Rows()), l.Params())}
}

// usable reports whether a law, which fits see on some rows, is one on all of them. Without ends and overflow it is.
func (s search) usable(l *Law) bool {
	breaks := func(u unit) bool {
		return ends[u.kind] != nil || u.kind == model.Exp || u.kind == model.Sinh || u.kind == model.Cosh
	}
	if s.all.Rows() <= s.data.Rows() || !slices.ContainsFunc(l.units, breaks) {
		return true
	}
	s.budget.charge(unitCost * float64(len(l.units)*s.all.Rows()))
	return !math.IsInf(l.SSE(s.all), 1)
}

// over reports whether the budget is spent, or fits are to end.
func (s search) over() bool { return s.budget.over() || s.data.Ended() }

// work returns about how many multiplications some steps of a fit take.
func (s search) work(l *Law, steps int) float64 {
	p := float64(l.Params())
	return float64(steps*s.data.Rows()) * (p*p/2 + p + unitCost*float64(len(l.units)))
}

// unitCost is what a unit's value and slope cost, in multiplications.
const unitCost = 10

// prune removes constants while the criterion falls: many at a time at first, and half as many
// whenever that fails, down to the cheapest few one by one.
func (s search) prune(at state) state {
	bulk := at.law.Params()
	for {
		order := s.removals(at)
		bulk = min(bulk, len(order))
		if bulk == 0 || s.over() {
			return at
		}
		if next, ok := s.remove(at, order[:bulk]); ok {
			at = next
			continue
		}
		if bulk > 1 {
			bulk = (bulk + 1) / 2
			continue
		}
		if next, ok := s.removeOne(at, order); ok {
			at = next
			continue
		}
		return at
	}
}

// tries is how many single removals are tried before pruning ends.
const tries = 4

func (s search) removeOne(at state, order []removal) (state, bool) {
	for i := 1; i < min(tries, len(order)); i++ {
		if next, ok := s.remove(at, order[i:i+1]); ok {
			return next, true
		}
	}
	return at, false
}

// A removal that will pay is near its optimum after a few steps of the refit; one that is still
// far from paying is given up then.
const (
	firstSteps = 2
	promising  = 3 // prices of a constant, for each constant removed
)

// remove takes constants out, refits, and reports whether the criterion fell.
func (s search) remove(at state, out []removal) (state, bool) {
	l := at.law.clone()
	ps := l.params()
	for _, r := range out {
		*ps[r.param] = 0
	}
	first := s
	first.steps = min(s.steps, firstSteps)
	next := first.fit(l)
	if next.value >= at.value+promising*float64(len(out))*s.criterion.Price() {
		return next, false
	}
	if next.value >= at.value || len(out) == 1 {
		next = s.fit(next.law)
	}
	return next, next.value < at.value
}

// removal is a constant and what its removal is predicted to do to the criterion.
type removal struct {
	param  int
	change float64
}

// removals returns the constants whose removal may lower the criterion, the best first.
func (s search) removals(at state) []removal {
	order := s.order(at)
	// The prediction is of second order: what seems to cost a little may still pay.
	const slack = 2
	n := 0
	for n < len(order) && order[n].change < slack*s.criterion.Price() {
		n++
	}
	return order[:n]
}

// order returns all constants by the predicted change of the criterion, lowest first.
//
// Optimal brain surgeon: when the others may adjust, removing w_q raises the SSE by
// w_q²/[(JᵀJ)⁻¹]_qq to second order. What it saves is the price of every constant that goes
// with it, since a unit without readers or without inputs goes too.
func (s search) order(at state) []removal {
	// A little damping keeps flat directions finite; see canonical for why there are few.
	chol, ok := at.eq.Factorize(1e-9)
	if !ok {
		return nil
	}
	var inverse mat.SymDense
	if fit.Fails(chol.InverseTo(&inverse)) {
		return nil
	}
	var order []removal
	ps := at.law.params()
	mse := at.eq.SSE / float64(s.data.Rows())
	for q, p := range ps {
		rise := *p * *p / inverse.At(q, q) / float64(s.data.Rows())
		trial := at.law.clone()
		*trial.params()[q] = 0
		change := s.criterion.Value(mse+rise, trial.rebuilt(nil).Params()) - at.value
		order = append(order, removal{q, change})
	}
	slices.SortStableFunc(order, func(a, b removal) int { return cmp.Compare(a.change, b.change) })
	return order
}
