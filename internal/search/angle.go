package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// Limits of the search for angles.
const (
	mostWithAngles = 8   // inputs
	leastTurn      = 0.7 // radians that an angle covers
	largestAngle   = 100
	angleGain      = 0.1 // of the logarithm of the mean square that a surrogate leaves
)

// angleLinks are the links under which surrogates are compared.
var angleLinks = []linkKind{linkNone, linkInverse, linkSquare, linkInverseSquare, linkCos}

// angleUnits are what one of the units of an angle is in radians: radians and degrees.
var angleUnits = []float64{1, math.Pi / 180}

// angle is an input, or the difference of two, whose cosine or sine takes its place among the inputs.
type angle struct {
	i, j   int // j is −1 for one input
	unit   float64
	f      formula.Func
	values []float64
	crit   float64
}

func (a angle) build() expr {
	var e expr
	z := e.variable(a.i)
	if a.j >= 0 {
		z = e.add(z, e.mul(e.fixed(-1), e.variable(a.j)))
	}
	if a.unit != 1 {
		z = e.mul(e.fixed(a.unit), z)
	}
	e.call(a.f, z)
	return e
}

// angles looks for laws with the cosine or sine of an input, or the cosine of a difference, as an input: within a root,
// a quotient or an arc, where no column of a sum shows it. The one is tried with which a surrogate does best.
func (s *searcher) angles() {
	if slices.Contains(s.within, ofAngle) || s.d > mostWithAngles ||
		s.units.without[formula.Cos] || s.units.without[formula.Sin] {
		return
	}
	targets := s.linkedTargets()
	before := s.surrogateCriterion(s.coords, targets)
	all := s.anglesOf()
	for i := range all {
		if s.over() {
			return
		}
		all[i].crit = s.surrogateCriterion(s.coordsWith(all[i]), targets)
	}
	slices.SortStableFunc(all, func(a, b angle) int { return cmp.Compare(a.crit, b.crit) })
	if len(all) == 0 || all[0].crit > before-angleGain*float64(s.n) {
		return
	}
	a := all[0]
	r := reduced{how: ofAngle, columns: []expr{a.build()}}
	for k := range s.d {
		if k != a.i && k != a.j {
			r.columns = append(r.columns, input(k))
		}
	}
	s.searchReduced(r, func(s *searcher) { // cosines have no unit, so what is left often has a scale
		if s.scaled(); !s.done {
			s.runStages()
		}
	})
}

// anglesOf returns what may be an angle, in radians or degrees: inputs that turn, and differences of two of these.
func (s *searcher) anglesOf() (all []angle) {
	least := leastTurn
	if s.d == 1 { // on half a turn any function of the input is one of its cosine
		least = math.Pi
	}
	add := func(a angle, z []float64) {
		lo, hi := slices.Min(z)*a.unit, slices.Max(z)*a.unit
		if hi-lo < least || max(hi, -lo) > largestAngle {
			return
		}
		a.values = slices.Clone(z)
		for r, v := range z {
			if a.values[r] = math.Cos(a.unit * v); a.f == formula.Sin {
				a.values[r] = math.Sin(a.unit * v)
			}
		}
		all = append(all, a)
	}
	for _, unit := range angleUnits {
		for i, x := range s.x {
			add(angle{i: i, j: -1, unit: unit, f: formula.Cos}, x)
			add(angle{i: i, j: -1, unit: unit, f: formula.Sin}, x)
			for j := i + 1; j < s.d; j++ {
				z := slices.Clone(x)
				subtract(z, s.x[j], 1)
				add(angle{i: i, j: j, unit: unit, f: formula.Cos}, z)
			}
		}
	}
	return all
}

// undoneArcs are arcs with the wave that they undo, and the least of the half turn on which they do.
var undoneArcs = []struct {
	arc, wave formula.Func
	from      float64
}{
	{formula.Acos, formula.Cos, 0},
	{formula.Asin, formula.Sin, -math.Pi / 2},
}

// unturned returns e without arcs of the waves that they undo on all rows: on half a turn acos(cos x) is x, which need
// not be an angle.
func (s *searcher) unturned(e expr) expr {
	ev := s.evaluator()
	defer s.release(ev)
	if !ev.forward(e, s.x, s.n) {
		return e
	}
	for i, n := range e {
		for _, undone := range undoneArcs {
			if n.op != opCall || n.f != undone.arc || e[n.a].op != opCall || e[n.a].f != undone.wave {
				continue
			}
			z := e[n.a].a
			if slices.Min(ev.v[z]) >= undone.from && slices.Max(ev.v[z]) <= undone.from+math.Pi {
				return s.unturned(e.replace(i, z))
			}
		}
	}
	return e
}

// coordsWith returns the coordinates of surrogates with an angle in the place of its inputs.
func (s *searcher) coordsWith(a angle) [][]float64 {
	z, _, _ := coordinates([][]float64{a.values})
	for k, c := range s.coords {
		if k != a.i && k != a.j {
			z = append(z, c)
		}
	}
	return z
}

// linkedTarget is the target under a link, and root weights with which its errors are those of the target itself.
type linkedTarget struct{ t, w []float64 }

// linkedTargets returns the target under the links that it can have.
func (s *searcher) linkedTargets() (all []linkedTarget) {
	for _, kind := range angleLinks {
		if t, w, ok := s.linked(link{kind: kind}); ok && s.units.link[kind] {
			all = append(all, linkedTarget{t, w})
		}
	}
	return all
}

// surrogateCriterion returns the least criterion of surrogates of the target under links, +Inf where the rows are too
// few for any.
func (s *searcher) surrogateCriterion(coords [][]float64, targets []linkedTarget) float64 {
	least := math.Inf(1)
	degree := s.degree(3)
	if degree < 2 {
		return least
	}
	for _, q := range targets {
		p := s.surrogateIn(coords, q.t, q.w, degree)
		sse, _ := p.fit(p.all())
		n, m := float64(s.n), float64(len(p.terms))
		least = min(least, n*math.Log(max(sse/max(1, n-m), s.floor))+math.Log(n)*m)
	}
	return least
}
