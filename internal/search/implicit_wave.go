package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// Sizes of the search for sparse quotients with waves.
const (
	mostWithWaves  = 6   // inputs
	turningDegree  = 2   // in the inputs beside the wave
	turningColumns = 170 // above and below together
	turningTerms   = 9
	turningBeam    = 12   // sets of each number of terms while the frequency is scanned
	leastTurned    = 0.6  // radians from the middle of the range to its ends: less is a polynomial
	mostTurned     = 6.5  // more is too many waves for the steps
	turnedStep     = 0.25 // of the frequencies scanned
	wavesPursued   = 3    // frequencies of each input that are refined
	wavesTried     = 2    // quotients of each number of terms
	sameFrequency  = 0.02 // as a share
	waveRounds     = 2    // of finding the terms and refining the frequency …
	refinements    = 14   // … by so many sections
)

// turning is an input that turns, with its frequency, and the terms of a quotient with the sine and cosine of it.
type turning struct {
	j     int
	omega float64
	terms [][]int // that a quotient may have
	set   []int   // that the best one has
	crit  float64
}

// near tells whether two frequencies of one input are the same.
func (t turning) near(o turning) bool {
	return t.j == o.j && math.Abs(t.omega-o.omega) < sameFrequency*t.omega
}

// implicitWaves looks for sparse quotients as [searcher.implicit] does, of monomials times the sine and cosine of one
// input and
// their products: accelerations, for instance, of which equations of motion were solved. The frequency is scanned.
func (s *searcher) implicitWaves() {
	if s.d < 2 || s.d > mostWithWaves || s.units.without[formula.Sin] || s.units.without[formula.Cos] {
		return
	}
	var all []turning
	for j := range s.d {
		if s.over() {
			return
		}
		all = append(all, s.scanTurning(j)...)
	}
	slices.SortStableFunc(all, func(a, b turning) int { return cmp.Compare(a.crit, b.crit) })
	var out []guess
	var pursued []turning
	for _, t := range all[:min(wavesPursued, len(all))] {
		if t.set == nil || s.over() {
			break
		}
		t.omega = s.refined(t)
		if slices.ContainsFunc(pursued, t.near) {
			continue
		}
		pursued = append(pursued, t)
		out = append(out, s.pursue(t, len(all))...)
	}
	s.batch(out, turningTerms)
}

// waveMonomials returns exponents of the inputs, the sine and the cosine of input j: monomials of the inputs, and those
// of the others times sine, cosine and their products, but for the square of the cosine, which is 1 less that of the
// sine.
func (s *searcher) waveMonomials(j int) [][]int {
	for degree := turningDegree; degree > 0; degree-- {
		var all [][]int
		for _, e := range monomials(s.d, degree) {
			all = append(all, append(e, 0, 0))
			if e[j] == 0 {
				for _, w := range [][2]int{{1, 0}, {0, 1}, {2, 0}, {1, 1}} {
					all = append(all, append(slices.Clone(e), w[0], w[1]))
				}
			}
		}
		if 2*len(all) <= turningColumns {
			return all
		}
	}
	return nil
}

// turned returns the regression with waves of a frequency, on rows of inputs x.
func (s *searcher) turned(t turning, x [][]float64, y, w []float64) *sparseQuotient {
	sin, cos := make([]float64, len(y)), make([]float64, len(y))
	for r, v := range x[t.j] {
		sin[r], cos[r] = math.Sincos(t.omega * v)
	}
	q := newSparseQuotient(s, t.terms, append(slices.Clip(x), sin, cos), y, w)
	q.lead = len(t.terms)
	return q
}

// scanTurning returns frequencies of an input, each with the best set of few terms on the quick rows.
func (s *searcher) scanTurning(j int) []turning {
	terms := s.waveMonomials(j)
	if terms == nil {
		return nil
	}
	var all []turning
	half := s.rangeOf(j).half
	for z := leastTurned; z <= mostTurned; z += turnedStep {
		all = append(all, turning{j: j, omega: z / half, terms: terms})
	}
	s.spread(len(all), func(i int) {
		t := &all[i]
		q := s.turned(*t, s.xq, s.yq, s.wq)
		t.choose(q, q.sets(turningTerms, turningBeam, 1), len(s.yq))
	})
	return all
}

// choose keeps the best of some sets by the criterion on n rows.
func (t *turning) choose(q *sparseQuotient, sets [][]int, n int) {
	t.set, t.crit = nil, math.Inf(1)
	for _, set := range sets {
		left, _ := q.solve(set)
		if crit := float64(n)*math.Log(left) + 2*math.Log(float64(n))*float64(len(set)); crit < t.crit {
			t.set, t.crit = set, crit
		}
	}
}

// pursue finds the terms again on all rows of the search, and returns quotients with each number of terms.
func (s *searcher) pursue(t turning, tried int) (out []guess) {
	for range waveRounds {
		q := s.turned(t, s.x, s.y, s.w)
		sets := q.sets(turningTerms, implicitBeam, wavesTried)
		for _, set := range sets {
			if e := q.written(set); e != nil {
				out = append(out, guess{e: s.withWaves(e, t), how: "sparse quotient of waves",
					charge: 2 * math.Log(float64(tried))})
			}
		}
		if t.choose(q, sets, s.n); t.set == nil {
			break
		}
		t.omega = s.refined(t)
	}
	return out
}

// refined returns the frequency near that of t with which its terms leave least, by golden sections.
func (s *searcher) refined(t turning) float64 {
	few, set := [][]int{t.terms[0]}, make([]int, len(t.set))
	for i, k := range t.set {
		set[i] = len(few)
		few = append(few, t.terms[k%len(t.terms)])
	}
	for i, k := range t.set {
		if k >= len(t.terms) {
			set[i] += len(few)
		}
	}
	t.terms = few
	left := func(omega float64) float64 {
		t.omega = omega
		left, _ := s.turned(t, s.x, s.y, s.w).solve(set)
		return left
	}
	step := turnedStep / s.rangeOf(t.j).half
	lo, hi := t.omega-step, t.omega+step
	const section = 0.618
	p, q := hi-section*(hi-lo), lo+section*(hi-lo)
	atP, atQ := left(p), left(q)
	for range refinements {
		if atP < atQ {
			hi, q, atQ = q, p, atP
			p = hi - section*(hi-lo)
			atP = left(p)
		} else {
			lo, p, atP = p, q, atQ
			q = lo + section*(hi-lo)
			atQ = left(q)
		}
	}
	return (lo + hi) / 2
}

// withWaves puts the sine and the cosine of an input in their places.
func (s *searcher) withWaves(e expr, t turning) expr {
	var r expr
	at := make([]int, s.d, s.d+2)
	for j := range at {
		at[j] = r.variable(j)
	}
	z := r.mul(r.par(t.omega), at[t.j])
	return e.onto(r, append(at, r.call(formula.Sin, z), r.call(formula.Cos, z)))
}
