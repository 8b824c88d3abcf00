package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// Sizes of the search for waves under an envelope.
const (
	envelopeWaves   = 6   // of one frequency and its multiples, where that is a likely one
	envelopeStep    = 2   // of the exponent at the ends of the range, from one envelope to the next
	envelopeSteps   = 8   // on both sides of zero
	envelopePhase   = 0.7 // of a frequency that is looked for, at the ends of the range, from one to the next
	envelopePhases  = 120 // frequencies
	envelopeRounds  = 3   // of refining exponent and frequency in turn
	envelopesKept   = 6   // of which terms are left out
	envelopesFitted = 3   // and formulas made
	envelopeTerms   = 6   // at most: a product of few waves has few multiples, and what has many imitates anything
	envelopeFull    = 3
)

// Powers and frequencies of waves under an envelope.
var (
	envelopePowers      = [...]float64{0, 1, 2, 3, -1}
	envelopeFrequencies = [...]float64{0.5, 1, 2, math.Pi / 2, math.Pi, 2 * math.Pi}
)

// envelope is x^a·exp(b·x) times a sum of sines and cosines of frequencies c, each perhaps none, by their places: the
// constant, then sine and cosine of each frequency.
type envelope struct {
	a, b  float64
	c     []float64
	fixed bool // the frequencies are likely ones
	use   []int
	f     []float64 // factors of those in use
	crit  float64
}

// envelopes looks for waves of the only input under an envelope, a power times an exponential: of one frequency, or of
// the multiples of a likely one, as products of sines and cosines come to.
func (s *searcher) envelopes() {
	if s.d != 1 || s.units.without[formula.Exp] || s.units.without[formula.Sin] || s.units.without[formula.Cos] {
		return
	}
	r := rangeOf(s.x[0])
	var tasks []envelope
	for _, a := range envelopePowers {
		if a < 0 && s.signs[0] != positive {
			continue
		}
		for _, w := range envelopeFrequencies {
			e := envelope{a: a, fixed: true}
			for k := range envelopeWaves {
				e.c = append(e.c, float64(k+1)*w)
			}
			tasks = append(tasks, e)
		}
		for k := range envelopePhases {
			tasks = append(tasks, envelope{a: a, c: []float64{float64(k+1) * envelopePhase / r.half}})
		}
	}
	found := make([][]envelope, len(tasks))
	s.spread(len(tasks), func(i int) {
		for k := -envelopeSteps; k <= envelopeSteps; k++ {
			e := tasks[i]
			e.b = float64(k) * envelopeStep / r.half
			found[i] = append(found[i], e.fit(s, nil))
		}
		terms := len(found[i][0].f)
		s.meter.add(int64((2*envelopeSteps + 1) * len(s.yq) * terms * (terms + 2*weightCall) / 2))
	})
	best := bestOfEach(slices.Concat(found...))
	s.spread(len(best), func(i int) { best[i] = best[i].refined(s, r.half).shortened(s) })
	var out []guess
	for _, e := range best {
		if len(e.use) > envelopeTerms {
			continue
		}
		out = append(out,
			guess{e: e.written(), how: "waves under an envelope", charge: 2 * math.Log(float64(len(tasks)*envelopeSteps))})
	}
	s.batch(out, envelopeFull)
}

// bestOfEach returns the best of each power, with likely and with other frequencies.
func bestOfEach(all []envelope) []envelope {
	slices.SortStableFunc(all, func(a, b envelope) int { return cmp.Compare(a.crit, b.crit) })
	var out []envelope
	for _, e := range all {
		if !slices.ContainsFunc(out, func(o envelope) bool { return o.a == e.a && o.fixed == e.fixed }) {
			out = append(out, e)
		}
	}
	return out
}

// fit fits the factors of the terms in use, nil being all, on the quick rows.
func (e envelope) fit(s *searcher, use []int) envelope {
	if use == nil {
		for k := range 2*len(e.c) + 1 {
			use = append(use, k)
		}
	}
	e.use = use
	x := s.xq[0]
	n := float64(len(x))
	cols := make([][]float64, len(use))
	for i, k := range use {
		cols[i] = make([]float64, len(x))
		for r, v := range x {
			z := power(v, e.a) * math.Exp(e.b*v)
			switch {
			case k == 0:
			case k%2 == 1:
				z *= math.Sin(e.c[k/2] * v)
			default:
				z *= math.Cos(e.c[k/2-1] * v)
			}
			cols[i][r] = z
		}
	}
	w := s.wq
	if w == nil {
		w = slices.Repeat([]float64{1}, len(x))
	}
	e.f = leastSquares(cols, s.yq, w)
	left := squares(s.yq, combined(e.f, cols), w) / n
	if e.crit = n*math.Log(max(left, s.floor)) + 2*math.Log(n)*float64(len(use)); !finite(left) {
		e.crit = math.Inf(1)
	}
	return e
}

// refined improves the exponent, and a frequency that is no likely one.
func (e envelope) refined(s *searcher, half float64) envelope {
	for k := range envelopeRounds {
		span := math.Pow(0.3, float64(k)) / half
		b, c := e.b, e.c
		moved := func(db, dc float64) envelope {
			m := e
			if m.b = b + db; !m.fixed {
				m.c = []float64{c[0] + dc}
			}
			return m.fit(s, nil)
		}
		off, _ := minimise(func(d float64) float64 { return moved(d, 0).crit }, envelopeStep*span)
		e = moved(off, 0)
		if b = e.b; !e.fixed {
			off, _ = minimise(func(d float64) float64 { return moved(0, d).crit }, envelopePhase*span)
			e = moved(0, off)
		}
	}
	return e
}

// shortened leaves out the terms that the criterion lets go, the smallest first.
func (e envelope) shortened(s *searcher) envelope {
	for len(e.use) > 1 {
		best := e
		for i := range e.use {
			if q := e.fit(s, slices.Delete(slices.Clone(e.use), i, i+1)); q.crit < best.crit {
				best = q
			}
		}
		if len(best.use) == len(e.use) {
			break
		}
		e = best
	}
	return e
}

// written returns the expression.
func (e envelope) written() expr {
	var q expr
	x := q.variable(0)
	sum := -1
	for i, k := range e.use {
		t := q.par(e.f[i])
		if k > 0 {
			c, f := e.c[(k-1)/2], formula.Sin
			if k%2 == 0 {
				f = formula.Cos
			}
			t = q.mul(t, q.call(f, q.mul(q.put(node{op: opPar, c: c, fixed: e.fixed}), x)))
		}
		if sum >= 0 {
			t = q.add(sum, t)
		}
		sum = t
	}
	root := q.mul(q.pow(x, e.a, true), q.call(formula.Exp, q.mul(q.par(e.b), x)))
	return q.compact(q.mul(root, sum))
}
