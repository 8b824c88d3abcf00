package search

import "math"

// Sizes of surrogates.
const (
	mostTerms      = 300 // a Gram matrix of this size takes some milliseconds
	termsPerRow    = 3   // a surrogate needs this many rows per term
	exactSurrogate = 1e-12
)

// surrogate is a weighted least-squares fit of a polynomial in the standardised inputs. Its Gram
// matrix serves all models that have some of its terms.
type surrogate struct {
	terms [][]int // exponents
	h     []float64
	b     []float64
	yy    float64
}

// monomials returns all exponent vectors of d inputs up to a degree.
func monomials(d, degree int) [][]int {
	var out [][]int
	e := make([]int, d)
	var rec func(j, left int)
	rec = func(j, left int) {
		if j == d {
			out = append(out, append([]int(nil), e...))
			return
		}
		for k := range left + 1 {
			e[j] = k
			rec(j+1, left-k)
		}
		e[j] = 0
	}
	rec(0, degree)
	return out
}

// choose is the number of monomials of d inputs up to a degree.
func choose(d, degree int) int {
	c := 1
	for k := 1; k <= degree; k++ {
		c = c * (d + k) / k
	}
	return c
}

// degree returns the highest degree up to most that the rows and the limit of terms allow.
func (s *searcher) degree(most int) int { return s.degreeUpTo(most, mostTerms) }

// degreeUpTo is [searcher.degree] with a limit of terms.
func (s *searcher) degreeUpTo(most, terms int) int {
	for most > 0 && (choose(s.d, most) > terms || choose(s.d, most)*termsPerRow >= s.n) {
		most--
	}
	return most
}

// newSurrogate computes the Gram matrix of weights w for target t.
func (s *searcher) newSurrogate(t, w []float64, degree int) *surrogate {
	return s.surrogateIn(s.coords, t, w, degree)
}

// surrogateIn is newSurrogate in other coordinates.
func (s *searcher) surrogateIn(coords [][]float64, t, w []float64, degree int) *surrogate {
	p := &surrogate{terms: monomials(len(coords), degree)}
	n, m := len(t), len(p.terms)
	cols := make([][]float64, m)
	for q, e := range p.terms {
		c := append([]float64(nil), w...)
		for j, k := range e {
			for range k {
				for r := range c {
					c[r] *= coords[j][r]
				}
			}
		}
		cols[q] = c
	}
	wt := make([]float64, n)
	for r := range wt {
		wt[r] = w[r] * t[r]
	}
	p.yy = dot(wt, wt)
	p.h, p.b = make([]float64, m*m), make([]float64, m)
	s.spread(m, func(i int) {
		for j := range i + 1 {
			p.h[i*m+j] = dot(cols[i], cols[j])
		}
		p.b[i] = dot(cols[i], wt)
	})
	for i := range m {
		for j := range i {
			p.h[j*m+i] = p.h[i*m+j]
		}
	}
	s.meter.add(int64(n * m * (m + 3) / 2))
	return p
}

// all returns the places of all terms.
func (p *surrogate) all() []int {
	use := make([]int, len(p.terms))
	for i := range use {
		use[i] = i
	}
	return use
}

// fit returns the sum of squares of the model with some of the terms, and its coefficients.
func (p *surrogate) fit(use []int) (sse float64, c []float64) {
	m := len(use)
	a, c := make([]float64, m*m), make([]float64, m)
	for i, u := range use {
		for j, v := range use {
			a[i*m+j] = p.h[u*len(p.terms)+v]
		}
		a[i*m+i] *= 1 + 1e-9
		c[i] = p.b[u]
	}
	if !cholesky(a, m) {
		return p.yy, make([]float64, m)
	}
	solve(a, m, c)
	sse = p.yy
	for i, u := range use {
		sse -= c[i] * p.b[u]
	}
	return max(sse, exactSurrogate*p.yy), c
}

// predict returns the values of a model with all terms.
func (p *surrogate) predict(c []float64, coords [][]float64) []float64 {
	out := make([]float64, len(coords[0]))
	for q, e := range p.terms {
		for r := range out {
			v := c[q]
			for j, k := range e {
				for range k {
					v *= coords[j][r]
				}
			}
			out[r] += v
		}
	}
	return out
}

func total(e []int) int {
	t := 0
	for _, k := range e {
		t += k
	}
	return t
}

// without returns the terms of use in which input j is absent or alone and linear.
func (p *surrogate) without(use []int, j int) []int {
	var out []int
	for _, q := range use {
		if e := p.terms[q]; e[j] == 0 || e[j] == 1 && total(e) == 1 {
			out = append(out, q)
		}
	}
	return out
}

// coordinates are the inputs in which surrogates are polynomials: logarithms where an input is
// positive, standardised.
func coordinates(x [][]float64) (z [][]float64, spread []float64, positive []bool) {
	z, spread, positive = make([][]float64, len(x)), make([]float64, len(x)), make([]bool, len(x))
	for j := range x {
		u := append([]float64(nil), x[j]...)
		positive[j] = true
		for _, v := range u {
			positive[j] = positive[j] && v > 0
		}
		if positive[j] {
			for r := range u {
				u[r] = math.Log(u[r])
			}
		}
		mean, sd := moments(u)
		for r := range u {
			u[r] = (u[r] - mean) / (sd + 1e-150)
		}
		z[j], spread[j] = u, sd
	}
	return z, spread, positive
}

// moments returns mean and standard deviation.
func moments(v []float64) (mean, sd float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		sd += (x - mean) * (x - mean) / float64(len(v))
	}
	return mean, math.Sqrt(sd)
}

// weightedMoments returns mean and standard deviation, with root weights of the rows where there are some.
func weightedMoments(v, w []float64) (mean, sd float64) {
	if w == nil {
		return moments(v)
	}
	total := 0.0
	for r, x := range v {
		mean += w[r] * w[r] * x
		total += w[r] * w[r]
	}
	mean /= total
	for r, x := range v {
		sd += w[r] * w[r] * (x - mean) * (x - mean) / float64(len(v))
	}
	return mean, math.Sqrt(sd)
}

// rootWeights returns a copy of the root weights, or as many ones.
func (s *searcher) rootWeights() []float64 {
	w := make([]float64, s.n)
	for r := range w {
		w[r] = 1
	}
	multiply(w, s.w)
	return w
}

// noise estimates the standard deviation of the errors of y from what a polynomial leaves.
func (s *searcher) noise() float64 {
	most := 3
	switch {
	case s.d <= 2:
		most = 6
	case s.d == 3:
		most = 5
	}
	p := s.newSurrogate(s.y, s.rootWeights(), s.degree(most))
	sse, _ := p.fit(p.all())
	return math.Sqrt(sse / float64(max(1, s.n-len(p.terms))))
}

// surprise is how many standard deviations above its mean a gain must be to be none of chance.
const surprise = 4

// chance is the gain in n·log SSE that terms bring to noise, at most.
func chance(terms, n, model float64) float64 {
	return (terms + surprise*math.Sqrt(2*terms)) * n / (n - model)
}

// leastTelling is the least degree of a surrogate that tells whether there is anything in a residual.
const leastTelling = 3

// degreeTelling is the degree of the surrogate that tells whether there is anything in a residual; 0 where the rows are
// too few.
func (s *searcher) degreeTelling() int {
	most := 3
	if s.d <= 2 {
		most = 5
	}
	degree := s.degree(most)
	if degree < leastTelling && choose(s.d, leastTelling) <= mostTerms {
		return 0
	}
	return degree
}

// structured reports whether a polynomial surrogate finds anything in the residual (F-test), or too few rows can tell.
func (s *searcher) structured(residual []float64) bool {
	degree := s.degreeTelling()
	if degree == 0 {
		return true
	}
	p := s.newSurrogate(residual, s.rootWeights(), degree)
	sse, _ := p.fit(p.all())
	if sse <= 0 {
		return false
	}
	n, m := float64(s.n), float64(len(p.terms))
	return n*math.Log(p.yy/sse) > chance(m, n, m)
}
