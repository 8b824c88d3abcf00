package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// Sizes of the search for sparse quotients with functions.
const (
	mostWithWaves  = 6    // inputs
	fewArguments   = 3    // inputs up to which products of two are arguments
	turningDegree  = 2    // in the inputs beside the functions
	turningColumns = 170  // above and below together
	turningBeam    = 12   // sets of each number of terms while the factor is scanned
	leastTurned    = 0.6  // of the argument from the middle of its range to its ends: less is a polynomial
	mostTurned     = 6.5  // more is too many waves for the steps, and too far between exponentials
	turnedStep     = 0.25 // of the factors scanned
	wavesPursued   = 3    // factors of each argument that are refined
	wavesTried     = 2    // quotients of each number of terms
	sameFactor     = 0.02 // as a share
	waveRounds     = 2    // of finding the terms and refining the factor
)

// basis are functions of one argument that quotients may have.
type basis struct {
	name  string
	funcs []formula.Func
	// powers are those of the functions in a monomial. The square of a cosine is 1 less that of the sine.
	powers [][]int
	terms  int
	beside bool // monomials have the inputs of the argument beside the functions, and arguments may be products
}

var (
	waveBasis = basis{name: "waves", funcs: []formula.Func{formula.Sin, formula.Cos},
		powers: [][]int{{1, 0}, {0, 1}, {2, 0}, {1, 1}}, terms: 9}
	exponentialBasis = basis{name: "exponentials", funcs: []formula.Func{formula.Exp},
		powers: [][]int{{1}}, terms: 5, beside: true}
)

// turning is an argument with its factor, and a quotient with functions of it.
type turning struct {
	of       *turningTarget
	argument expr
	factor   float64
	terms    [][]int // that the quotient may have
	lead     int     // which of them is m
	set      []int   // that it has
	crit     float64
}

// turningTarget is the target under a link, with root weights, and the functions that a quotient has.
type turningTarget struct {
	link
	linkedTarget
	basis
	most int // terms of a quotient
}

// near tells whether two quotients are the same but for a little of their factor.
func (t turning) near(o turning) bool {
	return slices.Equal(t.argument, o.argument) && t.lead == o.lead &&
		math.Abs(t.factor-o.factor) < sameFactor*math.Abs(t.factor)
}

// implicitWith looks for sparse quotients as [searcher.implicit] does, of monomials times functions of one argument: of
// waves accelerations, for instance, of which equations of motion were solved, and of exponentials rates and flows
// through membranes. The factor of the argument is scanned.
func (s *searcher) implicitWith(functions basis, kind linkKind) {
	if s.d < 2 && !functions.beside || s.d > mostWithWaves || !s.units.have(functions.funcs) {
		return
	}
	of := turningTarget{link: link{kind: kind}, basis: functions, most: termsUnder(kind, functions.terms)}
	var ok bool
	if of.t, of.w, ok = s.linked(of.link); !ok || !s.units.link[kind] {
		return
	}
	var all []turning
	for _, argument := range s.arguments(functions) {
		if s.over() {
			return
		}
		all = append(all, s.scanTurning(&of, argument)...)
	}
	slices.SortStableFunc(all, func(a, b turning) int { return cmp.Compare(a.crit, b.crit) })
	var out []guess
	var pursued []turning
	for _, t := range all[:min(wavesPursued, len(all))] {
		if t.set == nil || s.over() {
			break
		}
		t.factor = s.refined(t)
		if slices.ContainsFunc(pursued, t.near) {
			continue
		}
		pursued = append(pursued, t)
		out = append(out, s.pursue(t, len(all))...)
	}
	s.batch(out, functions.terms)
}

// arguments returns the inputs, and of few inputs with functions of products the products of two, their quotients, and
// those with 1 − x in the place of a share x.
func (s *searcher) arguments(functions basis) (all []expr) {
	for j := range s.d {
		all = append(all, input(j))
	}
	if !functions.beside || s.d > fewArguments {
		return all
	}
	for i := range s.d {
		for j := range s.d {
			if i == j {
				continue
			}
			var e expr
			if i < j {
				e.mul(e.variable(i), e.variable(j))
				all = append(all, e)
			}
			if s.positive[j] {
				e = nil
				e.mul(e.variable(i), e.pow(e.variable(j), -1, true))
				all = append(all, e)
			}
			if x := s.x[j]; slices.Min(x) >= 0 && slices.Max(x) <= 1 {
				e = nil
				e.mul(e.variable(i), e.add(e.fixed(1), e.mul(e.fixed(-1), e.variable(j))))
				all = append(all, e)
			}
		}
	}
	return all
}

// shares reports whether a monomial with these exponents and an expression have an input in common.
func shares(exponents []int, e expr) bool {
	return slices.ContainsFunc(e, func(n node) bool { return n.op == opVar && exponents[n.a] != 0 })
}

// functionMonomials returns exponents of the inputs and of functions of an argument: monomials of the inputs, and those
// times functions.
func (s *searcher) functionMonomials(functions basis, argument expr) [][]int {
	none := make([]int, len(functions.funcs))
	for degree := turningDegree; degree > 0; degree-- {
		var all [][]int
		for _, e := range monomials(s.d, degree) {
			all = append(all, slices.Concat(e, none))
			if !functions.beside && shares(e, argument) {
				continue
			}
			for _, powers := range functions.powers {
				all = append(all, slices.Concat(e, powers))
			}
		}
		if 2*len(all) <= turningColumns {
			return all
		}
	}
	return nil
}

// argumentOf returns the values of an argument, nil where some are not finite.
func (s *searcher) argumentOf(argument expr, x [][]float64, n int) []float64 {
	ev := s.evaluator()
	defer s.release(ev)
	if !ev.forward(argument, x, n) {
		return nil
	}
	return slices.Clone(ev.value(argument))
}

// turned returns the regression with functions of an argument and a factor, on some rows of the inputs, and of the
// target under the link with its root weights.
func (s *searcher) turned(t turning, x [][]float64, y, w []float64) *sparseQuotient {
	z := s.argumentOf(t.argument, x, len(y))
	columns := slices.Clip(x)
	for _, f := range t.of.funcs {
		c := make([]float64, len(y))
		value, _ := f.Unary()
		for r, v := range z {
			c[r] = value(t.factor * v)
		}
		columns = append(columns, c)
	}
	q := newSparseQuotient(s, t.terms, columns, y, w)
	q.lead = len(t.terms) + t.lead
	return q
}

// scanTurning returns factors of an argument, each with the best set of few terms on about as many rows as are quick.
func (s *searcher) scanTurning(of *turningTarget, argument expr) []turning {
	terms := s.functionMonomials(of.basis, argument)
	half := s.halfOf(argument)
	if terms == nil || half == 0 {
		return nil
	}
	var all []turning
	for z := leastTurned; z <= mostTurned; z += turnedStep {
		all = append(all, turning{of: of, argument: argument, factor: z / half, terms: terms, crit: math.Inf(1)})
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
			if total(e) > 1 || total(e[s.d:]) > 0 || !of.beside && shares(e, argument) {
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

// halfOf returns half the range of an argument, 0 where it has values that are not finite.
func (s *searcher) halfOf(argument expr) float64 {
	z := s.argumentOf(argument, s.x, s.n)
	if z == nil {
		return 0
	}
	return (slices.Max(z) - slices.Min(z)) / 2
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
				e = s.withFunctions(e, t)
				t.of.undo(&e, e.root())
				out = append(out, guess{e: e, how: "sparse quotient of " + t.of.basis.name,
					charge: 2 * math.Log(float64(tried))})
			}
		}
		if t.choose(q, sets, s.n); t.set == nil {
			break
		}
		t.factor = s.refined(t)
	}
	return out
}

// refined returns the factor near that of t with which its terms leave least, by golden sections.
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
	middle := t.factor
	by, _ := minimise(func(by float64) float64 {
		t.factor = middle + by
		left, _ := s.turned(t, s.x, t.of.t, t.of.w).solve(set)
		return left
	}, turnedStep/s.halfOf(t.argument))
	return middle + by
}

// withFunctions puts the functions of an argument in their places.
func (s *searcher) withFunctions(e expr, t turning) expr {
	var r expr
	at := make([]int, s.d, s.d+len(t.of.funcs))
	for j := range at {
		at[j] = r.variable(j)
	}
	z := r.mul(r.par(t.factor), r.insert(t.argument))
	for _, f := range t.of.funcs {
		at = append(at, r.call(f, z))
	}
	return e.onto(r, at)
}
