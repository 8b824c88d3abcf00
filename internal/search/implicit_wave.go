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
	waveRounds     = 2    // of finding the terms and refining the frequency
)

// turning is an input that turns, with its frequency, and a quotient with the sine and cosine of it.
type turning struct {
	of    *turningTarget
	j     int
	omega float64
	terms [][]int // that the quotient may have
	lead  int     // which of them is m
	set   []int   // that it has
	crit  float64
}

// turningTarget is the target under a link, with root weights.
type turningTarget struct {
	link
	linkedTarget
	most int // terms of a quotient
}

// near tells whether two quotients are the same but for a little of their frequency.
func (t turning) near(o turning) bool {
	return t.of == o.of && t.j == o.j && t.lead == o.lead && math.Abs(t.omega-o.omega) < sameFrequency*t.omega
}

// implicitWaves looks for sparse quotients as [searcher.implicit] does, of monomials times the sine and cosine of one
// input and their products: accelerations, for instance, of which equations of motion were solved. The frequency is
// scanned.
func (s *searcher) implicitWaves(kind linkKind) {
	if s.d < 2 || s.d > mostWithWaves || s.units.without[formula.Sin] || s.units.without[formula.Cos] {
		return
	}
	of := turningTarget{link: link{kind: kind}, most: termsUnder(kind, turningTerms)}
	var ok bool
	if of.t, of.w, ok = s.linked(of.link); !ok || !s.units.link[kind] {
		return
	}
	var all []turning
	for j := range s.d {
		if s.over() {
			return
		}
		all = append(all, s.scanTurning(&of, j)...)
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

// turned returns the regression with waves of a frequency, on some rows of the inputs, and of the target under the link
// with its root weights.
func (s *searcher) turned(t turning, x [][]float64, y, w []float64) *sparseQuotient {
	sin, cos := make([]float64, len(y)), make([]float64, len(y))
	for r, v := range x[t.j] {
		sin[r], cos[r] = math.Sincos(t.omega * v)
	}
	q := newSparseQuotient(s, t.terms, append(slices.Clip(x), sin, cos), y, w)
	q.lead = len(t.terms) + t.lead
	return q
}

// scanTurning returns frequencies of an input, each with the best set of few terms on about as many rows as are quick.
func (s *searcher) scanTurning(of *turningTarget, j int) []turning {
	terms := s.waveMonomials(j)
	if terms == nil {
		return nil
	}
	var all []turning
	half := s.rangeOf(j).half
	for z := leastTurned; z <= mostTurned; z += turnedStep {
		all = append(all, turning{of: of, j: j, omega: z / half, terms: terms, crit: math.Inf(1)})
	}
	var rows []int
	for r := 0; r < s.n; r += max(1, s.n/quickRows) {
		rows = append(rows, r)
	}
	x, y, w := take(s.x, of.t, of.w, rows)
	s.spread(len(all), func(i int) {
		t := &all[i]
		q := s.turned(*t, x, y, w)
		for lead, e := range terms {
			if total(e) > 1 || e[j]+e[s.d]+e[s.d+1] > 0 {
				continue
			}
			q.lead = len(terms) + lead
			next := *t
			if next.choose(q, q.sets(of.most, turningBeam, 1), len(rows)); next.crit < t.crit {
				*t = next
				t.lead = lead
			}
		}
	})
	return all
}

// choose keeps the best of some sets by the criterion on n rows.
func (t *turning) choose(q *sparseQuotient, sets [][]int, n int) {
	t.set, t.crit = nil, math.Inf(1)
	for _, set := range sets {
		if crit := float64(n)*math.Log(q.error(set)) + 2*math.Log(float64(n))*float64(len(set)); crit < t.crit {
			t.set, t.crit = set, crit
		}
	}
}

// pursue finds the terms again on all rows of the search, and returns quotients with each number of terms.
func (s *searcher) pursue(t turning, tried int) (out []guess) {
	for range waveRounds {
		q := s.turned(t, s.x, t.of.t, t.of.w)
		sets := q.sets(t.of.most, implicitBeam, wavesTried)
		for _, set := range sets {
			if e := q.written(set); e != nil {
				e = s.withWaves(e, t)
				t.of.undo(&e, e.root())
				out = append(out, guess{e: e, how: "sparse quotient of waves",
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
	few, set := [][]int{t.terms[t.lead]}, make([]int, len(t.set))
	for i, k := range t.set {
		set[i] = len(few)
		few = append(few, t.terms[k%len(t.terms)])
	}
	for i, k := range t.set {
		if k >= len(t.terms) {
			set[i] += len(few)
		}
	}
	t.terms, t.lead = few, 0
	middle := t.omega
	by, _ := minimise(func(by float64) float64 {
		t.omega = middle + by
		left, _ := s.turned(t, s.x, t.of.t, t.of.w).solve(set)
		return left
	}, turnedStep/s.rangeOf(t.j).half)
	return middle + by
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
