package search

import "math"

// Limits of the search for separable inputs.
const (
	poorSurrogate   = 0.15 // share of the variance of log|y| that a useful surrogate leaves at most
	nearHalf        = 0.06 // an exponent is rounded to a multiple of ½ within this, or 4 errors
	farFromHalf     = 0.15 // beyond this it belongs to no power law
	weakPerTerm     = 4    // gain per term of a dependence that may be the surrogate's misfit
	weakBesideOther = 0.15 // … and its size beside the next
	lostInErrors    = 3    // errors below which a target has no logarithm
)

// separable finds the inputs that multiply the target as a power: y/xᵃ no longer depends on x.
// These are the inputs that enter a polynomial surrogate of log|y| only with their linear term.
func (s *searcher) separable() (sep []bool, exponent []float64) {
	sep, exponent = make([]bool, s.d), make([]float64, s.d)
	degree := s.degreeOfLogarithm()
	if degree < 2 {
		return sep, exponent
	}
	l, w, rows := s.logarithm()
	p := s.newSurrogate(l, w, degree)
	full, _ := p.fit(p.all())
	q := separation{s: s, p: p, sep: sep, use: p.all(), full: full, n: float64(rows), m: float64(len(p.terms))}
	for more := true; more; {
		more = q.next() || q.weak()
	}
	poor := full > poorSurrogate*variance(l, w)
	_, c := p.fit(q.use)
	for k, t := range q.use {
		if e := p.terms[t]; total(e) == 1 {
			for j := range e {
				if e[j] == 1 && sep[j] {
					exponent[j], sep[j] = q.exponent(j, t, c[k], poor)
				}
			}
		}
	}
	return sep, exponent
}

func (s *searcher) degreeOfLogarithm() int {
	if s.d <= 2 {
		return s.degree(5)
	}
	return s.degree(3)
}

// logarithm returns log|y| with root weights in proportion to the size of y, as errors of one size ask for, and how
// many rows have a weight. Where the target is no larger than a few errors its logarithm is that of the errors; what it
// is there is told by its surrogate, since a choice by y itself would be one of errors. That the logarithm of a number
// with an error is less on average is made up for.
func (s *searcher) logarithm() (l, w []float64, rows int) {
	l, w = make([]float64, s.n), make([]float64, s.n)
	for r, y := range s.y {
		size, e := math.Abs(y), s.sigma
		if s.w != nil {
			e /= s.w[r]
		}
		if s.sizes != nil {
			size = s.sizes[r]
		}
		if a := math.Abs(y); a > max(e/lostInErrors, 1e-12*s.sd) && size > lostInErrors*e {
			l[r], w[r] = math.Log(a)+0.5*(e/size)*(e/size), size/s.sd
			rows++
		}
	}
	multiply(w, s.w)
	return l, w, rows
}

// estimateErrors estimates the standard deviation of the errors of y from what polynomials leave of y, and of log|y|:
// where the target has sizes of many orders, one of y itself leaves much more. The second tells the sizes of the
// target.
func (s *searcher) estimateErrors() {
	s.sigma = leastError * s.sd
	least := s.noise()
	if degree := s.degreeOfLogarithm(); degree >= 2 {
		l, w, rows := s.logarithm()
		p := s.newSurrogate(l, w, degree)
		sse, c := p.fit(p.all())
		if left := s.sd * math.Sqrt(sse/float64(max(1, rows-len(p.terms)))); left < least {
			least = left
			s.sizes = p.predict(c, s.coords)
			for r, v := range s.sizes {
				s.sizes[r] = math.Exp(v)
			}
		}
	}
	s.sigma = max(least, leastError*s.sd)
}

// variance is Σw²(l − mean)² about the weighted mean.
func variance(l, w []float64) float64 {
	mean, sw := 0.0, 1e-300
	for r := range l {
		mean += w[r] * w[r] * l[r]
		sw += w[r] * w[r]
	}
	mean /= sw
	v := 0.0
	for r := range l {
		v += w[r] * w[r] * (l[r] - mean) * (l[r] - mean)
	}
	return v
}

// separation is the state of the backward search.
type separation struct {
	s    *searcher
	p    *surrogate
	sep  []bool
	use  []int // terms that are left
	full float64
	n, m float64 // rows, and terms of the full surrogate
}

// trial is one input whose terms but the linear are taken out.
type trial struct {
	use   []int
	gain  float64 // n·log of how much the sum of squares grows
	terms float64 // taken out, of the full surrogate
}

// trials returns one for each input that may still be separable.
func (q *separation) trials() []trial {
	out := make([]trial, q.s.d)
	q.s.spread(q.s.d, func(j int) {
		if q.sep[j] || !q.s.positive[j] {
			return
		}
		use := q.p.without(q.use, j)
		sse, _ := q.p.fit(use)
		out[j] = trial{use, q.n * math.Log(sse/q.full), q.m - float64(len(use))}
	})
	m := int64(len(q.use))
	q.s.meter.add(int64(q.s.d) * m * m * m / 6)
	return out
}

// next separates the input whose terms explain least, if chance explains as much.
func (q *separation) next() bool {
	best, least := -1, 0.0
	all := q.trials()
	for j, t := range all {
		if t.use == nil || !(t.gain < chance(t.terms, q.n, q.m)) {
			continue
		}
		if best < 0 || t.gain-t.terms < least {
			best, least = j, t.gain-t.terms
		}
	}
	if best < 0 {
		return false
	}
	q.sep[best], q.use = true, all[best].use
	return true
}

// weak separates an input whose terms explain little, and much less than those of any other: the
// surrogate's own misfit.
func (q *separation) weak() bool {
	best, least, second := -1, math.Inf(1), math.Inf(1)
	all := q.trials()
	for j, t := range all {
		if t.use == nil || t.terms == 0 {
			continue
		}
		if per := t.gain / t.terms; per < least {
			best, least, second = j, per, least
		} else {
			second = min(second, per)
		}
	}
	if best < 0 || least >= weakPerTerm || math.IsInf(second, 1) || least >= weakBesideOther*second {
		return false
	}
	q.sep[best], q.use = true, all[best].use
	return true
}

// exponent returns the power of input j from the coefficient of its linear term, and whether it
// is separable after all.
func (q *separation) exponent(j, term int, c float64, poor bool) (float64, bool) {
	sd := q.s.logSpread[j]
	a := c / sd
	h := half(a)
	if !q.s.units.root {
		h = math.Round(a)
	}
	if poor && (h == 0 || math.Abs(a-h) > nearHalf) || math.Abs(a-h) > farFromHalf {
		return 0, false
	}
	sigma := math.Sqrt(q.full / max(1, q.n-q.m))
	err := sigma / (sd * math.Sqrt(max(1e-9, q.p.h[term*len(q.p.terms)+term])))
	if math.Abs(a-h) < max(nearHalf, surprise*err) {
		return h, true
	}
	return a, q.s.units.root
}
