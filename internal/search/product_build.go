package search

import (
	"math"

	"github.com/eqlearner/eql/formula"
)

// Exponents this near to a multiple of ½ are rounded in one of the two formulas of a state.
const (
	roundInput    = 0.15
	roundFunction = 0.2
)

// guess is a formula with starting values, and how it was found.
type guess struct {
	e      expr
	how    string
	charge float64 // what it costs beside its form: many were compared
}

// build makes formulas of a state: with exponents rounded where they are near halves, and with
// all exponents free where that differs.
func (p *product) build(v fitted, how string) []guess {
	var out []guess
	for _, rounding := range []bool{true, false} {
		bent := true
		for signed := false; bent; signed = true { // the few rows of the other sign may be none of chance
			f := formulaOf{p: p, rounding: rounding, given: v.rounded, signed: signed, product: -1}
			f.inputs(v.b)
			f.functions(v.atoms, v.b)
			bent = f.bent
			if !rounding && !f.free || f.product < 0 {
				continue
			}
			if e, ok := f.scale(); ok {
				out = append(out, guess{e: e, how: how})
			}
		}
	}
	return out
}

// formulaOf is a formula in the making.
type formulaOf struct {
	p        *product
	e        expr
	product  int // node of the product so far, or −1
	rounding bool
	given    bool
	signed   bool // no factor is a magnitude
	free     bool // some exponent is fitted
	bent     bool // some factor is a magnitude
}

func (f *formulaOf) times(k int) {
	if f.product >= 0 {
		k = f.e.mul(f.product, k)
	}
	f.product = k
}

func (f *formulaOf) inputs(b []float64) {
	s := f.p.s
	for j := range s.d {
		a := b[1+j]
		if a == 0 {
			continue
		}
		fixed := true
		x := f.e.variable(j)
		bent := s.signs[j] == mixed && f.magnitude(a)
		if bent {
			x = f.e.call(formula.Abs, x)
		}
		if (s.signs[j] == positive || bent) && s.units.root {
			h := half(a)
			if fixed = f.rounding && (f.given || math.Abs(a-h) < roundInput); fixed {
				a = h
			} else {
				f.free = true
			}
		} else {
			a = math.Round(a)
		}
		if a != 0 {
			f.times(f.e.pow(x, a, fixed))
		}
	}
}

// magnitude reports whether a factor of both signs with exponent a must be a magnitude: where the target has one sign,
// and the exponent is odd or broken.
func (f *formulaOf) magnitude(a float64) bool {
	n := math.Round(a)
	odd := math.Mod(n, 2) != 0
	if f.signed || f.p.crossing || f.p.s.units.without[formula.Abs] || !odd && math.Abs(a-n) <= roundInput {
		return false
	}
	f.bent = true
	return true
}

func (f *formulaOf) functions(atoms []atom, b []float64) {
	s := f.p.s
	sc := s.scratch()
	for k, a := range atoms {
		pw := b[1+s.d+k]
		if a.g == shapeExp {
			a.c = pw
			f.times(s.buildAtom(&f.e, a, f.given))
			continue
		}
		if a.g == shapePair && f.given && pw == 0 {
			continue
		}
		s.values(a, sc.o, sc.t)
		sg := signOf(sc.o)
		g := s.buildAtom(&f.e, a, f.given)
		if sg == mixed && f.magnitude(pw) {
			g, sg = f.e.call(formula.Abs, g), positive
		}
		if sg == negative {
			g = f.e.mul(f.e.fixed(-1), g)
		}
		if sg != mixed && s.units.root {
			h := half(pw)
			fixed := f.rounding && math.Abs(pw-h) < roundFunction && h != 0
			if fixed {
				pw = h
			} else {
				f.free = true
			}
			f.times(f.e.pow(g, pw, fixed))
			continue
		}
		if math.Round(pw) == 0 && a.g == shapePair {
			continue
		}
		f.times(f.e.pow(g, roundedAway(pw), true))
	}
}

// roundedAway returns the nearest whole number but 0.
func roundedAway(p float64) float64 {
	if h := math.Round(p); h != 0 {
		return h
	}
	return math.Copysign(1, p)
}

// scale multiplies by the constant that fits best, and undoes the link.
func (f *formulaOf) scale() (expr, bool) {
	p := f.p
	ev := p.s.evaluator()
	defer p.s.release(ev)
	e := f.e.compact(f.product)
	if !ev.forward(e, p.s.xs, p.s.ns) {
		return nil, false
	}
	num, den := 0.0, 1e-300
	for r, v := range ev.value(e) {
		if p.w[r] > 0 {
			w := 1 / (p.sigma[r] * p.sigma[r])
			num += w * v * p.t[r]
			den += w * v * v
		}
	}
	c := num / den
	if !finite(c) || c == 0 {
		return nil, false
	}
	product := e.root()
	root := p.l.undo(&e, e.mul(e.par(c), product))
	return e.compact(root), true
}
