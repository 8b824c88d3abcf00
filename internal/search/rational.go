package search

import (
	"fmt"
	"math"
	"slices"
)

// Sizes of quotients of polynomials of one input.
const (
	highestRational = 8    // degree of the numerator and of the denominator
	spareRows       = 4    // beyond the constants, at least: what is exact there is no accident
	rationalRounds  = 3    // fits, each with the denominator of the one before as weights
	inverseSteps    = 4    // of the inverse iteration
	leastBelow      = 0.03 // size of a denominator that counts, as a share of its median
	polesLookedFor  = 16   // points between rows at which the denominator must keep its sign, as a multiple of its degree
)

// rationals looks for a quotient of polynomials of the only input: numerators and denominators P and Q for which the
// rows make P − y·Q least, weighted by 1/Q of the round before (Sanathanan and Koerner 1963). Degrees go up by their
// sum, until a quotient is exact, several sums did not help or no more rows are left. Of several inputs the separable
// ones are divided out first.
func (s *searcher) rationals() {
	if s.d != 1 {
		if r, ok := s.withoutPowers(); ok {
			if s.searchReduced(r, (*searcher).rationals); s.done {
				return
			}
		}
		s.rationalsOfMany()
		return
	}
	r := rangeOf(s.x[0])
	t := make([][]float64, highestRational+1) // T₀ to T₈ on the rows
	for k := range t {
		t[k] = make([]float64, s.n)
	}
	for i, x := range s.x[0] {
		for k, v := range chebyshev((x-r.middle)/r.half, highestRational) {
			t[k][i] = v
		}
	}
	most := min(2*highestRational, s.n-spareRows-1)
	var best quotient
	least, failed, exact := math.Inf(1), 0, false
	for total := 2; total <= most && failed <= 2*degreesThatFail && !exact; total++ {
		failed++
		for q := max(1, total-highestRational); q <= min(total, highestRational) && !s.over(); q++ {
			f, mse := s.quotientOf(t[:total-q+1], t[:q+1])
			if f.hasPole() {
				continue
			}
			if crit := s.exactCriterion(mse, total+1); crit < least {
				least, best, failed = crit, f, 0
			}
			exact = exact || mse <= s.exactPolynomial() // then no shorter one is left
		}
	}
	if best.q == nil {
		return
	}
	how := fmt.Sprintf("quotient of polynomials of degrees %d and %d", len(best.p)-1, len(best.q)-1)
	s.batch([]guess{{e: s.written(best, r), how: how}}, 1)
}

// quotient is P/Q by the coefficients of both in Chebyshev polynomials of z.
type quotient struct{ p, q []float64 }

// quotientOf fits a quotient of sums of columns, and returns its mean square error, infinite where it has none. Rows
// where the denominator is small weigh no more than others.
func (s *searcher) quotientOf(above, below [][]float64) (f quotient, mse float64) {
	p, m := len(above), len(above)+len(below)
	weight := s.rootWeights()
	for range rationalRounds {
		columns := make([][]float64, m)
		for k := range columns {
			if k < p {
				columns[k] = slices.Clone(above[k])
			} else {
				columns[k] = slices.Clone(below[k-p])
				for i, y := range s.y {
					columns[k][i] *= -y / s.sd
				}
			}
			multiply(columns[k], weight)
		}
		v := smallest(columns)
		f = quotient{v[:p], v[p:]}
		weight = s.rootWeights()
		for i, d := range f.below(below) {
			weight[i] /= d
		}
	}
	s.meter.add(int64(rationalRounds * s.n * m * m))
	for k := range f.p {
		f.p[k] *= s.sd
	}
	q := combined(f.q, below)
	for i, t := range combined(f.p, above) {
		e := weight[i] * (t - s.y[i]*q[i])
		mse += e * e / float64(s.n)
	}
	if !finite(mse) {
		return f, math.Inf(1)
	}
	return f, mse
}

// below returns the sizes of the denominator, which are not less than a share of their median.
func (f quotient) below(columns [][]float64) []float64 {
	d := combined(f.q, columns)
	least := leastBelow*median(d) + 1e-300
	for i := range d {
		d[i] = max(math.Abs(d[i]), least)
	}
	return d
}

// combined returns Σ c[k]·t[k].
func combined(c []float64, t [][]float64) []float64 {
	sum := make([]float64, len(t[0]))
	for k, v := range c {
		subtract(sum, t[k], -v)
	}
	return sum
}

// hasPole reports whether the denominator changes its sign in the range of the rows.
func (f quotient) hasPole() bool {
	points := polesLookedFor * (len(f.q) - 1)
	for i := range points + 1 {
		z := 2*float64(i)/float64(points) - 1
		if (dot(f.q, chebyshev(z, len(f.q)-1)) > 0) != (dot(f.q, chebyshev(-1, len(f.q)-1)) > 0) {
			return true
		}
	}
	return false
}

// written returns a quotient as an expression in powers of x, whose denominator's largest power has the factor 1.
func (s *searcher) written(f quotient, r inputRange) expr {
	p, q := moved(powersOf(f.p), r.middle-r.centre, r.half), moved(powersOf(f.q), r.middle-r.centre, r.half)
	most := 0.0
	for k, c := range q {
		most = max(most, math.Abs(c)*math.Pow(r.top, float64(k)))
	}
	for len(q) > 1 && math.Abs(q[len(q)-1])*math.Pow(r.top, float64(len(q)-1)) < negligible*most {
		q = q[:len(q)-1]
	}
	top := q[len(q)-1]
	for k := range p {
		p[k] /= top
	}
	for k := range q {
		q[k] /= top
	}
	var e expr
	x := e.from(r.centre)
	over := e.pow(x, float64(len(q)-1), true)
	if len(q) > 1 {
		over = e.add(over, e.series(x, q[:len(q)-1], r.top, negligible*most/math.Abs(top)))
	}
	above := e.series(x, p, r.top, negligible*s.sd*most/math.Abs(top))
	return e.compact(e.mul(above, e.pow(over, -1, true)))
}

// smallest returns the unit vector v for which Σ v[k]·columns[k] is least: the last right singular vector, by inverse
// iteration with the factor R of the columns. It overwrites them.
func smallest(columns [][]float64) []float64 {
	m := len(columns)
	r := make([][]float64, m) // r[j][k] of column k, j ≤ k
	for j := range r {
		r[j] = make([]float64, m)
	}
	for k, u := range columns {
		for range 2 {
			for j := range k {
				d := dot(columns[j], u)
				subtract(u, columns[j], d)
				r[j][k] += d
			}
		}
		size := math.Sqrt(dot(u, u))
		r[k][k] = max(size, 1e-300)
		for i := range u {
			u[i] /= r[k][k]
		}
	}
	v := make([]float64, m)
	v[m-1] = 1
	for range inverseSteps {
		for k := range m { // Rᵀ·w = v
			for j := range k {
				v[k] -= r[j][k] * v[j]
			}
			v[k] /= r[k][k]
		}
		normalise(v)
		for k := m - 1; k >= 0; k-- { // R·v = w
			for j := k + 1; j < m; j++ {
				v[k] -= r[k][j] * v[j]
			}
			v[k] /= r[k][k]
		}
		normalise(v)
	}
	return v
}

// normalise divides a vector by its length, the largest part first, which may be huge.
func normalise(v []float64) {
	most := largest(v)
	for k := range v {
		v[k] /= most
	}
	size := math.Sqrt(dot(v, v))
	for k := range v {
		v[k] /= size
	}
}

// chebyshev returns T₀(z) to Tₙ(z), n being 1 or more.
func chebyshev(z float64, n int) []float64 {
	t := make([]float64, n+1)
	t[0], t[1] = 1, z
	for k := 2; k <= n; k++ {
		t[k] = 2*z*t[k-1] - t[k-2]
	}
	return t
}

// powersOf returns the coefficients in powers of z of Σ c[k]·Tₖ(z).
func powersOf(c []float64) []float64 {
	n := len(c)
	out, before, now := make([]float64, n), make([]float64, n), make([]float64, n)
	before[0] = 1
	if n > 1 {
		now[1] = 1
	}
	for k := range n {
		t := before
		if k > 0 {
			t = now
		}
		for i, v := range t {
			out[i] += c[k] * v
		}
		if k > 0 {
			next := make([]float64, n)
			for i, v := range now {
				if i+1 < n {
					next[i+1] += 2 * v
				}
			}
			for i, v := range before {
				next[i] -= v
			}
			before, now = now, next
		}
	}
	return out
}
