package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// rewrite says the same in other words, where after a fit and a pruning the criterion is lower,
// until nothing helps. Each time the best of all ways is taken:
//
//   - a function becomes a polynomial of its argument, or goes altogether;
//   - A·sin(z + a) + B·sin(z′ + b) with nearly the same argument becomes one sine;
//   - exp(w·log z + …) with w near a whole number n becomes zⁿ·exp(…);
//   - m/Q, with a monomial m of which Q has a factor, becomes a monomial and a remainder over Q;
//   - sin a·sin b = (cos(a−b) − cos(a+b))/2 and its like, in both directions;
//   - a − b·x² becomes a·cos ωx, a·x − b·x³ becomes A·sin ωx, and more of the kind, in arguments also x
//     alone (waves.go).
//
// Pruning finds none of these, because no single constant is small.
func (g *grower) rewrite(at state) state { return g.rewriteShort(at, math.MaxInt) }

// rewriteShort is rewrite as long as the law has at most some constants.
func (g *grower) rewriteShort(at state, most int) state {
	for range maxGrowth {
		f, ok := at.law.expand()
		if !ok || at.law.Params() > most {
			break
		}
		best := g.bestOf(at, g.rewritings(f), func(next, best state) bool { return next.value < best.value })
		if best.law == at.law {
			break
		}
		at = best
	}
	return at
}

// bestOf tries what may take the place of a law, as far as there is work left, and returns the best of all.
func (g *grower) bestOf(at state, forms []*form, better func(next, best state) bool) state {
	var laws []*Law
	least := 0.0 // that they take
	for _, other := range forms {
		if g.budget.left() <= least || g.data.Ended() {
			break
		}
		l, _ := other.law()
		if !g.dictionary.allows(l, at.law) {
			continue
		}
		least += g.work(l, firstSteps)
		laws = append(laws, l)
	}
	type attempt struct {
		state
		ok bool
	}
	best := at
	for _, next := range finished(g, len(laws), func(i int, s search) attempt {
		next, ok := s.try(laws[i], at.value)
		return attempt{next, ok}
	}) {
		if next.ok && better(next.state, best) {
			best = next.state
		}
	}
	return best
}

// How many inputs a term may multiply after a function has become a polynomial, and a line. A short
// piece of a wave that stands for a line hides the degree of what it is multiplied with.
const (
	maxDegree     = 4
	maxLineDegree = 6
)

// rewritings returns the forms that may be nearly the same function.
func (g *grower) rewritings(f *form) []*form {
	var list []*form
	for i := range f.functions {
		list = append(list, g.polynomials(f, i)...)
		for j := range f.functions {
			if m, ok := f.merged(i, j); ok && i < j {
				list = append(list, m)
			}
		}
	}
	list = append(list, f.productsAsSums()...)
	list = append(list, f.sumsAsProducts()...)
	list = append(list, f.divided()...)
	if g.dictionary.has(model.Product) && g.dictionary.has(model.Reciprocal) {
		list = append(list, f.wholePowers()...)
	}
	if g.dictionary.has(model.Sin) && g.dictionary.has(model.Cos) {
		list = append(list, f.asOtherWaves()...)
		list = append(list, g.linesAsWaves(f)...)
	}
	return list
}

// polynomials returns the form with function i replaced by its least squares polynomials of
// degree 0 to 4, in u = (argument − mean)/spread. A wave that goes through more than about a
// period is none; an exponential or a logarithm of several terms is a line at most.
func (g *grower) polynomials(f *form, i int) []*form {
	z := g.dictionary.values(f, f.functions[i].arg)
	middle, spread := fit.Mean(z), fit.StandardDeviation(z)
	if !(spread > 0) || math.IsInf(spread, 0) {
		return nil
	}
	value := make([]float64, len(z))
	for r := range z {
		value[r] = f.functions[i].kind.Value(z[r], 0)
		z[r] = (z[r] - middle) / spread
	}
	u := f.functions[i].arg.plus(number(middle), -1).scaled(1 / spread)
	const longest = 2
	highest := maxDegree
	if spread > longest && f.periodic(i) {
		highest = 0
	}
	if kind := f.functions[i].kind; (kind == model.Exp || kind == model.Log) && len(f.functions[i].arg.rest()) > 1 {
		highest = min(highest, 1) // of many terms, the powers are far too many
	}
	var list []*form
	for degree := 0; degree <= highest; degree++ {
		poly, ok := polynomial(leastSquaresPolynomial(z, value, degree), u)
		if !ok {
			break
		}
		other, ok := f.substituted(i, poly)
		limit := max(maxDegree, g.dictionary.degree)
		if degree <= 1 {
			limit = maxLineDegree
		}
		if !ok || other.degree() > max(limit, f.degree()) {
			break
		}
		list = append(list, other)
	}
	return list
}

// leastSquaresPolynomial returns the coefficients of Σ c_k·u^k that is nearest to v.
func leastSquaresPolynomial(u, v []float64, degree int) []float64 {
	a := mat.NewDense(len(u), degree+1, nil)
	for r, x := range u {
		power := 1.0
		for k := range degree + 1 {
			a.Set(r, k, power)
			power *= x
		}
	}
	var c mat.VecDense
	if c.SolveVec(a, mat.NewVecDense(len(v), v)) != nil {
		return nil
	}
	return c.RawVector().Data
}

// polynomial returns Σ c_k·u^k. It reports false when that has too many terms.
func polynomial(c []float64, u sum) (sum, bool) {
	var total sum
	power, ok := number(1), len(c) > 0
	for k := range c {
		if k > 0 && ok {
			power, ok = power.times(u)
		}
		if !ok {
			return nil, false
		}
		total = total.plus(power, c[k])
	}
	return total, true
}

// divided returns, for each term w·m·m_k/Q of a sum and each monomial of Q = Σ q_l·m_l that is in it, the
// form in which one step of a division is done:
//
//	w·m·m_k/Q = w/q_k·m − Σ_{l≠k} w·q_l/q_k·m·m_l/Q
func (f *form) divided() []*form {
	var list []*form
	for k, s := range f.sums() {
		for _, t := range s {
			for _, factor := range t.factors {
				if i := factor - f.inputs; i >= 0 && f.functions[i].kind == model.Reciprocal {
					list = append(list, f.dividedTerm(k, t, factor)...)
				}
			}
		}
	}
	return list
}

// dividedTerm is divided for a term of sum k with 1/Q as a factor.
func (f *form) dividedTerm(k int, t product, factor int) (list []*form) {
	denominator := f.functions[factor-f.inputs].arg
	above, _ := without(t.factors, factor)
	for _, q := range denominator.rest() {
		m, ok := withoutAll(above, q.factors)
		if !ok {
			continue
		}
		rest, ok := denominator.plus(sum{q}, -1).times(termOf(-t.w/q.w, append(slices.Clone(m), factor)...))
		if ok {
			g := f.clone()
			g.set(k, g.sums()[k].plus(sum{t}, -1).plus(termOf(t.w/q.w, m...), 1).plus(rest, 1))
			list = append(list, g)
		}
	}
	return list
}
