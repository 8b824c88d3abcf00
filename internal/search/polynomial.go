package search

import (
	"fmt"
	"math"
)

// Sizes of polynomials of one input.
const (
	highestDegree   = 12
	rowsPerDegree   = 2     // at least
	offCentre       = 3     // a middle so many half-widths from zero is a centre of its own
	negligible      = 1e-8  // share of the target's spread that a power changes, below which it is left out
	degreesThatFail = 3     // degrees one after the other that do not help
	exactPolynomial = 1e-12 // share of the spread that is left of a polynomial without noise
)

// polynomials looks for a polynomial of the only input. It is fitted in powers of z = (x − middle)/half width made
// orthogonal on the rows, which keeps its digits up to the twelfth degree, and written in powers of x, or of x minus
// the middle where zero is far.
func (s *searcher) polynomials() {
	if s.d != 1 {
		return
	}
	r := rangeOf(s.x[0])
	c := s.orthogonal(r.middle, r.half)
	if len(c) < 3 { // lines are found by all else
		return
	}
	s.batch([]guess{{e: s.powerSeries(moved(c, r.middle-r.centre, r.half), r.centre, r.top),
		how: fmt.Sprint("polynomial of degree ", len(c)-1)}}, 1)
}

// inputRange is where an input has values. Powers are of the input less the centre, which is zero unless that is far;
// top is the largest of these, by its size.
type inputRange struct{ middle, half, centre, top float64 }

func rangeOf(col []float64) inputRange {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range col {
		lo, hi = min(lo, v), max(hi, v)
	}
	r := inputRange{middle: (lo + hi) / 2, half: (hi - lo) / 2}
	if math.Abs(r.middle) > offCentre*r.half {
		r.centre = r.middle
	}
	r.top = max(math.Abs(lo-r.centre), math.Abs(hi-r.centre))
	return r
}

// orthogonal returns the coefficients in powers of z of the polynomial that the criterion prefers.
func (s *searcher) orthogonal(middle, half float64) []float64 {
	most := min(highestDegree, s.n/rowsPerDegree-1)
	res := append([]float64(nil), s.y...)
	var q [][]float64      // orthonormal columns
	var powers [][]float64 // of each column, its coefficients in powers of z
	var best, sum []float64
	least, failed := math.Inf(1), 0
	column := make([]float64, s.n)
	for r := range column {
		column[r] = 1
	}
	for k := 0; k <= most; k++ {
		u, p := append([]float64(nil), column...), make([]float64, most+1)
		p[k] = 1
		for range 2 {
			for j := range q {
				d := dot(q[j], u)
				subtract(u, q[j], d)
				subtract(p, powers[j], d)
			}
		}
		scale := 1 / math.Sqrt(dot(u, u))
		if !finite(scale) {
			break
		}
		for r := range u {
			u[r] *= scale
		}
		for i := range p {
			p[i] *= scale
		}
		q, powers = append(q, u), append(powers, p)
		d := dot(u, res)
		subtract(res, u, d)
		sum = append([]float64(nil), append(sum, make([]float64, most+1-len(sum))...)...)
		subtract(sum, p, -d)
		crit := s.exactCriterion(dot(res, res)/float64(s.n), k+1)
		if failed++; crit < least {
			least, failed, best = crit, 0, append([]float64(nil), sum[:k+1]...)
		}
		if failed >= degreesThatFail && k > 2*degreesThatFail {
			break
		}
		for r, v := range s.x[0] {
			column[r] *= (v - middle) / half
		}
	}
	s.meter.add(int64(s.n * most * most))
	return best
}

// exactCriterion is BIC2 of a mean square error and a number of constants, down to the error of the arithmetic.
func (s *searcher) exactCriterion(mse float64, constants int) float64 {
	n := float64(s.n)
	return n*math.Log(max(mse, s.exactPolynomial())) + 2*math.Log(n)*float64(constants)
}

// exactPolynomial is the mean square error of a polynomial without noise.
func (s *searcher) exactPolynomial() float64 { return exactPolynomial * exactPolynomial * s.sd * s.sd }

// moved returns the coefficients in powers of t = shift + half·z of a polynomial with those of z.
func moved(c []float64, shift, half float64) []float64 {
	out := make([]float64, len(c))
	for k := len(c) - 1; k >= 0; k-- { // Horner: out = out·(t − shift)/half + c[k]
		next := make([]float64, len(c))
		for i, v := range out {
			if v == 0 {
				continue
			}
			if i+1 < len(c) {
				next[i+1] += v / half
			}
			next[i] -= v * shift / half
		}
		next[0] += c[k]
		out = next
	}
	return out
}

// powerSeries builds Σ c·(x − centre)^k without the powers that change nothing; top is the largest |x − centre|.
func (s *searcher) powerSeries(c []float64, centre, top float64) expr {
	var e expr
	return e.compact(e.series(e.from(centre), c, top, negligible*s.sd))
}

// from returns the node of x − centre, x being the first input.
func (e *expr) from(centre float64) int {
	x := e.variable(0)
	if centre != 0 {
		x = e.add(x, e.fixed(-centre))
	}
	return x
}

// series returns the node of Σ c·x^k without the terms that are less than least where |x| is top.
func (e *expr) series(x int, c []float64, top, least float64) int {
	sum := -1
	for k := len(c) - 1; k >= 0; k-- {
		if math.Abs(c[k])*math.Pow(top, float64(k)) < least {
			continue
		}
		t := e.par(c[k])
		if k > 0 {
			t = e.mul(t, e.pow(x, float64(k), true))
		}
		if sum >= 0 {
			t = e.add(sum, t)
		}
		sum = t
	}
	if sum < 0 {
		sum = e.par(0)
	}
	return sum
}
