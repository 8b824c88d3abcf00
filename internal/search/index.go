package search

import (
	"math"
	"slices"
)

// Sizes of the search for one product of powers on which the target depends beside a factor.
const (
	fewestOfIndex  = 3    // inputs in it
	indexDegree    = 5    // of the polynomial that stands for the function
	oneDirection   = 0.85 // share of the second derivatives that one direction must have
	indexTurns     = 12
	indexStep      = 1e-4
	indexShare     = 0.02 // of the variance that the function and the factor may leave
	indexRounded   = 0.12 // an exponent is rounded within this
	mostInIndex    = 4    // exponents are up to this
	roundedIsWorse = 12   // criterion by which the rounded exponents may be worse
)

// index looks for targets that are a product of powers times a function of another product of powers, of many inputs:
// log y = b·z + g(a·z) with z the logarithms of the inputs. The matrix of second derivatives of log y, which a
// surrogate tells, has the one direction a. With a known, the target is a function of one input.
func (s *searcher) index() {
	var active []int
	for j, sep := range s.sep {
		if !sep {
			active = append(active, j)
		}
		if !sep && !s.positive[j] {
			return
		}
	}
	if s.within != nil || len(active) < fewestOfIndex {
		return
	}
	q := s.newRidge(active)
	a, ok := q.start()
	if !ok {
		return
	}
	free := q.follow(a)
	share := variance(q.l, q.w)
	if !(free <= indexShare*share) {
		return
	}
	if rounded := q.rounded(a); rounded != nil {
		n := float64(q.rows)
		if sse, b := q.solve(rounded); n*math.Log(sse/free) < roundedIsWorse+chance(float64(len(a)), n, n/2) {
			s.searchReduced(q.reduced(rounded, b), func(s *searcher) {
				s.part = true
				s.searchPart()
			})
		}
	}
}

// ridge is log y = b·z + g(a·z), g a polynomial.
type ridge struct {
	s      *searcher
	active []int
	z      [][]float64 // logarithms of the active inputs
	linear [][]float64 // 1 and the logarithms of all inputs that are positive
	of     []int       // their inputs, from the second on
	l, w   []float64   // the logarithm of the target, and root weights
	rows   int
}

func (s *searcher) newRidge(active []int) *ridge {
	q := &ridge{s: s, active: active, linear: [][]float64{slices.Repeat([]float64{1}, s.n)}}
	q.l, q.w, q.rows = s.logarithm()
	for j, x := range s.x {
		if !s.positive[j] {
			continue
		}
		v := slices.Clone(x)
		for r := range v {
			v[r] = math.Log(v[r])
		}
		q.linear, q.of = append(q.linear, v), append(q.of, j)
		if slices.Contains(active, j) {
			q.z = append(q.z, v)
		}
	}
	return q
}

// start returns the direction of the second derivatives of a surrogate, in logarithms of the inputs.
func (q *ridge) start() (a []float64, ok bool) {
	s, d := q.s, len(q.active)
	degree := s.degreeOfLogarithm()
	if degree < 2 || q.rows < 2*choose(s.d, degree) {
		return nil, false
	}
	p := s.newSurrogate(q.l, q.w, degree)
	_, c := p.fit(p.all())
	h := make([]float64, d*d)
	for k, e := range p.terms {
		if total(e) != 2 {
			continue
		}
		for i, j := range q.active {
			for m, n := range q.active {
				switch {
				case i == m && e[j] == 2:
					h[i*d+m] = 2 * c[k] / (s.logSpread[j] * s.logSpread[j])
				case i != m && e[j] == 1 && e[n] == 1:
					h[i*d+m] = c[k] / (s.logSpread[j] * s.logSpread[n])
				}
			}
		}
	}
	a, share := mainDirection(h, d)
	return a, share >= oneDirection
}

// mainDirection returns the direction of a symmetric matrix with the largest eigenvalue by size, and the share of the
// squares of the matrix that it has.
func mainDirection(h []float64, d int) (a []float64, share float64) {
	const turns = 60
	a = make([]float64, d)
	for i := range a {
		a[i] = 1 + 0.1*float64(i)
	}
	times := func(v []float64) []float64 {
		u := make([]float64, d)
		for i := range u {
			u[i] = dot(h[i*d:(i+1)*d], v)
		}
		return u
	}
	size := 0.0
	for range turns {
		a = times(times(a)) // twice: eigenvalues may be negative
		size = math.Sqrt(dot(a, a))
		if !(size > 0) {
			return a, 0
		}
		for i := range a {
			a[i] /= size
		}
	}
	value := dot(a, times(a))
	return a, value * value / dot(h, h)
}

// solve fits the factor and the function along a direction, and returns the sum of squares and the exponents of the
// factor.
func (q *ridge) solve(a []float64) (sse float64, b []float64) {
	u := combined(a, q.z)
	mean, sd := moments(u)
	cols := slices.Clone(q.linear)
	for r := range u {
		u[r] = (u[r] - mean) / (sd + 1e-150)
	}
	last := u
	for range indexDegree - 1 {
		last = slices.Clone(last)
		multiply(last, u)
		cols = append(cols, last)
	}
	c := leastSquares(cols, q.l, q.w)
	q.s.meter.add(int64(len(u) * len(cols) * (len(cols) + 3) / 2))
	left := slices.Clone(q.l)
	subtract(left, combined(c, cols), 1)
	multiply(left, q.w)
	return dot(left, left), c[1:len(q.linear)]
}

// follow moves a direction to where the sum of squares is least, by coordinate search in its parts: the largest stays.
func (q *ridge) follow(a []float64) float64 {
	top := 0
	for i := range a {
		if math.Abs(a[i]) > math.Abs(a[top]) {
			top = i
		}
	}
	scale := a[top]
	for i := range a {
		a[i] /= scale
	}
	best, _ := q.solve(a)
	for turn := range indexTurns {
		before := best
		for i := range a {
			if i == top || q.s.over() {
				continue
			}
			at := a[i]
			u, least := minimise(func(u float64) float64 {
				a[i] = at + u
				sse, _ := q.solve(a)
				return sse
			}, 0.3*math.Pow(0.6, float64(turn)))
			if a[i] = at + u; least < best {
				best = least
			} else {
				a[i] = at
			}
		}
		if best > (1-indexStep)*before {
			break
		}
	}
	return best
}

// rounded returns whole exponents in proportion to a direction, or halves; nil where there are no such.
func (q *ridge) rounded(a []float64) []float64 {
	for _, most := range []float64{1, 2, 3, mostInIndex} {
		out := make([]float64, len(a))
		ok := true
		for i, v := range a {
			out[i] = math.Round(v * most)
			ok = ok && math.Abs(v*most-out[i]) <= indexRounded*most
		}
		if ok {
			return out
		}
	}
	return nil
}

// reduced returns the factor and the product: the product's own powers in the factor are chosen so that few inputs are
// left in it.
func (q *ridge) reduced(a, b []float64) reduced {
	s := q.s
	column := make([]float64, s.d)
	for i, j := range q.active {
		column[j] = a[i]
	}
	var best []float64
	least := math.Inf(1)
	for k := -1; k < len(q.of); k++ {
		shift := 0.0
		if k >= 0 {
			if column[q.of[k]] == 0 {
				continue
			}
			shift = b[k] / column[q.of[k]]
		}
		f := make([]float64, s.d)
		cost := 0.0
		for i, j := range q.of {
			v := b[i] - shift*column[j]
			f[j] = half(v)
			cost += 10*math.Abs(v-f[j]) + math.Abs(f[j]) + 1
			if f[j] == 0 {
				cost--
			}
		}
		if cost < least {
			best, least = f, cost
		}
	}
	return reduced{how: ofOneProduct, factor: powerProduct(best), columns: []expr{powerProduct(column)}}
}
