package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Sizes of the search for sums of powers.
const (
	wholePowers = 12  // exponents are whole numbers up to this, of either sign, …
	halfPowers  = 3.5 // … and halves up to this
	bestPowers  = 3   // sums of each number of terms that are built under a link
	powersFull  = 4   // of all that are fitted
	powersRidge = 1e-13
	mostPowered = 4    // active inputs
	firstPower  = 0.05 // exponent with which that of another input begins

	exponentStates = 16 // of products that are kept and fitted: many functions are alike to 1 + r
)

// powerSums looks for sums of two powers, and of two and a constant, of the only input that is not separable, under
// links. All are tried, since powers hide each other: 1/r^12 - 1/r^6 is nearly a power law times a logarithm. Of
// several inputs the exponents of one are begun with, and those of all are fitted.
func (s *searcher) powerSums() {
	var active []int
	for j, sep := range s.sep {
		if !sep {
			active = append(active, j)
		}
	}
	if len(active) > mostPowered {
		return
	}
	var list []guess
	for _, kind := range scaleLinks {
		q, ok := s.newTarget(sumOptions{kind: kind, scaled: true})
		if !ok || !s.units.link[kind] || s.over() {
			continue
		}
		for _, j := range active {
			for _, sum := range q.powers(j, len(active) == 1) {
				for _, e := range q.buildPowers(j, active, sum) {
					how := fmt.Sprintf("sum of %d powers%s", len(sum.exponents), q.suffix())
					list = append(list, guess{e: e, how: how, charge: sum.charge})
				}
			}
		}
	}
	s.batch(list, powersFull)
}

// A powerSum is Σ c·x^p. Its charge is the price of the choice among all that were compared.
type powerSum struct {
	exponents, c []float64
	sse, charge  float64
}

// powers returns the best sums of powers of an input on the screening rows, for each number of terms; alone says that
// the target depends on no other.
func (q *sumSearch) powers(j int, alone bool) []powerSum {
	exponents := q.s.exponentsOf(j)
	gram, right, size := q.powersGram(j, exponents)
	if gram == nil {
		return nil
	}
	m, total := len(exponents), 0.0
	for r, v := range q.t {
		total += q.w[r] * q.w[r] * v * v
	}
	var out []powerSum
	for n := 2; n <= 3; n++ {
		var best []powerSum
		subsets(m, n, func(of []int) {
			constant := slices.ContainsFunc(of, func(k int) bool { return exponents[k] == 0 })
			if n == 3 && (!alone || !constant) { // three powers are the first terms of the series of any function
				return
			}
			h, c := make([]float64, n*n), make([]float64, n)
			for a, k := range of {
				c[a] = right[k]
				for b := range a + 1 {
					h[a*n+b] = gram[k*m+of[b]]
				}
				h[a*n+a] += powersRidge
			}
			if !cholesky(h, n) {
				return
			}
			solve(h, n, c)
			sum := powerSum{c: c, sse: total}
			for a, k := range of {
				sum.sse -= c[a] * right[k]
				sum.c[a] /= size[k]
				sum.exponents = append(sum.exponents, exponents[k])
			}
			best = append(best, sum)
		})
		q.s.meter.add(int64(len(best) * n * n * n))
		slices.SortStableFunc(best, func(a, b powerSum) int { return cmp.Compare(a.sse, b.sse) })
		charge := 2 * math.Log(float64(max(1, len(best))))
		for _, sum := range best[:min(bestPowers, len(best))] {
			sum.charge = charge
			out = append(out, sum)
		}
	}
	return out
}

// powersGram returns the products of the weighted powers of an input, scaled to length 1, with each other and with the
// target, and their lengths; nil where some are too large.
func (q *sumSearch) powersGram(j int, exponents []float64) (gram, right, size []float64) {
	m := len(exponents)
	cols := make([][]float64, m)
	gram, right, size = make([]float64, m*m), make([]float64, m), make([]float64, m)
	wt := slices.Clone(q.t)
	multiply(wt, q.w)
	for k, p := range exponents {
		col := slices.Clone(q.w)
		for r := range col {
			col[r] *= math.Pow(q.s.xs[j][r], p)
		}
		size[k] = math.Sqrt(dot(col, col))
		for r := range col {
			col[r] /= size[k]
		}
		cols[k], right[k] = col, dot(col, wt)
		for i := range k + 1 {
			gram[k*m+i] = dot(col, cols[i])
			gram[i*m+k] = gram[k*m+i]
		}
		if !finite(right[k]) || !finite(gram[k*m+k]) {
			return nil, nil, nil
		}
	}
	q.s.meter.add(int64(q.s.ns * m * (m + 5) / 2))
	return gram, right, size
}

// exponentsOf returns the exponents that an input may have.
func (s *searcher) exponentsOf(j int) []float64 {
	var list []float64
	for p := -float64(wholePowers); p <= wholePowers; p += 0.5 {
		whole := p == math.Trunc(p)
		if (whole || s.units.root && math.Abs(p) <= halfPowers) && (s.positive[j] || whole && p >= 0) {
			list = append(list, p)
		}
	}
	return list
}

// subsets calls f with all sets of n of the numbers below m, in ascending order.
func subsets(m, n int, f func(of []int)) {
	of := make([]int, 0, n)
	var rec func(from int)
	rec = func(from int) {
		if len(of) == n {
			f(of)
			return
		}
		for k := from; k < m; k++ {
			of = append(of, k)
			rec(k + 1)
			of = of[:len(of)-1]
		}
	}
	rec(0)
}

// buildPowers returns formulas of a sum of powers of input j: with exponents as they are where it is the only active
// one, and with those of all active inputs to be fitted.
func (q *sumSearch) buildPowers(j int, active []int, p powerSum) []expr {
	var out []expr
	for _, whole := range []bool{true, false} {
		if whole && len(active) > 1 {
			continue
		}
		var e expr
		sum := -1
		for k, c := range p.c {
			t := e.par(c)
			for _, i := range active {
				switch {
				case i == j && p.exponents[k] != 0:
					t = e.mul(t, e.pow(e.variable(i), p.exponents[k], whole))
				case i != j && q.s.positive[i]:
					t = e.mul(t, e.pow(e.variable(i), firstPower, false))
				}
			}
			if sum >= 0 {
				t = e.add(sum, t)
			}
			sum = t
		}
		out = append(out, q.finish(&e, sum))
	}
	return out
}

// separablePart returns the powers of the separable inputs, nil where there are none.
func (s *searcher) separablePart() expr {
	powers := make([]float64, s.d)
	for j, sep := range s.sep {
		if sep {
			powers[j] = s.exponent[j]
		}
	}
	return powerProduct(powers)
}

// exponents looks for powers whose exponents have inputs: under the logarithm, the separable inputs divided out,
// (1 + r)^t is a product of so many functions.
func (s *searcher) exponents(functions int) {
	l := link{kind: linkLog, factor: s.separablePart()}
	if l.factor != nil {
		l.values = s.powerLaw()
	}
	s.linkedProducts(l, s.inactive(), functions, exponentStates, exponentStates)
}

// shares looks for the same in the odds, as in 1/(1 + (k/x)^n).
func (s *searcher) shares() {
	l := link{kind: linkOdds, inner: linkLog, factor: s.separablePart()}
	if l.factor != nil {
		l.values = s.powerLaw()
	}
	s.linkedProducts(l, s.inactive(), 1, exponentStates, exponentStates)
}

// oddsPairs looks for products in the odds, with the sum or the difference of two inputs too.
func (s *searcher) oddsPairs() {
	s.linkedProducts(link{kind: linkOdds}, s.none, 1, 6, 4)
	if !s.done {
		s.pairProducts(link{kind: linkOdds}, 6, 4)
	}
}
