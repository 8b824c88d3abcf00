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
		if !s.units.link[kind] || s.over() {
			continue
		}
		q, ok := s.newTarget(sumOptions{kind: kind, scaled: true})
		if !ok {
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
	// A constant may stand beside two powers, and no third: three are the first terms of the series of any function.
	for n := 2; n <= 2+btoi(alone); n++ {
		var best []powerSum
		for _, of := range pairs(exponents, n > 2) {
			h, c := make([]float64, n*n), make([]float64, n)
			for a, k := range of {
				c[a] = right[k]
				for b := range a + 1 {
					h[a*n+b] = gram[k*m+of[b]]
				}
				h[a*n+a] += powersRidge
			}
			if !cholesky(h, n) {
				continue
			}
			solve(h, n, c)
			sum := powerSum{c: c, sse: total}
			for a, k := range of {
				sum.sse -= c[a] * right[k]
				sum.c[a] /= size[k]
				sum.exponents = append(sum.exponents, exponents[k])
			}
			best = append(best, sum)
		}
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

// pairs returns the places of all pairs of exponents in ascending order, or of all but zero with that beside them.
func pairs(exponents []float64, beside bool) (list [][]int) {
	zero := slices.Index(exponents, 0)
	for i := range exponents {
		for k := i + 1; k < len(exponents); k++ {
			of := []int{i, k}
			if beside {
				if i == zero || k == zero {
					continue
				}
				of = append(of, zero)
				slices.Sort(of)
			}
			list = append(list, of)
		}
	}
	return list
}

// buildPowers returns formulas of a sum of powers of input j: with exponents as they are where it is the only active
// one, and with those of all active inputs to be fitted.
func (q *sumSearch) buildPowers(j int, active []int, p powerSum) []expr {
	var out []expr
	for _, fixed := range []bool{true, false}[btoi(len(active) > 1):] {
		var e expr
		sum := -1
		for k, c := range p.c {
			t := e.par(c)
			for _, i := range active {
				switch {
				case i == j && p.exponents[k] != 0:
					t = e.mul(t, e.pow(e.variable(i), p.exponents[k], fixed))
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

// unscaled returns a link with the powers of the separable inputs divided out, if there are any.
func (s *searcher) unscaled(l link) link {
	powers := make([]float64, s.d)
	for j, sep := range s.sep {
		if sep {
			powers[j] = s.exponent[j]
		}
	}
	if l.factor = powerProduct(powers); l.factor != nil {
		l.values = s.powerLaw()
	}
	return l
}

// exponents looks for powers whose exponents have inputs: under the logarithm (1 + r)^t is a product, here of so many
// functions.
func (s *searcher) exponents(functions int) {
	s.linkedProducts(s.unscaled(link{kind: linkLog}), s.inactive(), functions, exponentStates, exponentStates)
}

// shares looks for such powers in the odds, as in 1/(1 + (k/x)^n).
func (s *searcher) shares() {
	s.linkedProducts(s.unscaled(link{kind: linkOdds, inner: linkLog}), s.inactive(), 1, exponentStates, exponentStates)
}

// oddsPairs looks for products in the odds, with the sum or the difference of two inputs too.
func (s *searcher) oddsPairs() {
	s.linkedProducts(link{kind: linkOdds}, s.none, 1, 6, 4)
	if !s.done {
		s.pairProducts(link{kind: linkOdds}, 6, 4)
	}
}
