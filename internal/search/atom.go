package search

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/kernel"
)

// shapeKind is a function g of c·m, a place in the table shapes.
type shapeKind int

const (
	shapeOnePlus shapeKind = iota
	shapeExpMinus
	shapeExpPlus
	shapeCosh
	shapeTanh
	shapeSin
	shapeCos
	shapeLog
	shapeLogOnePlus
	shapeExp
	shapeMono // m itself, in sums
	shapeInverse
	shapeRoot
	shapePair // m itself, in products: a feature that changes sign
	shapeAtan
	shapeTan
	shapeSinh
	shapeOneMinusCos
	shapeOnePlusCos
	shapeAbs
	shapeAbove
	shapeBelow
	shapeFloor
	shapeCount
)

// shape is a row of the table of functions. Products look for g in the logarithm, with the inner
// constants of grid; sums have g itself, with those of terms. A nil list: not there.
type shape struct {
	name  string
	needs []formula.Func // Sqrt for powers that are not whole
	value func(z float64) float64
	// column, where there is one, is value for a column in place; it leaves slopes.
	column kernel.UnaryFunc[float64]
	build  func(e *expr, z int) int
	grid   func(m monoStats) []float64
	terms  func(m monoStats) []float64
	kink   bool // for the stage of kinks alone
	wave   bool // sine or cosine: powers are whole, and c is looked for in narrow steps
	bare   bool // has no inner constant to refine
	// mirrored shapes look alike for both signs of the constant and the power: (exp z − 1)⁻¹ and (1 − exp(−z))^½.
	mirrored bool
}

var shapes = [shapeCount]shape{
	shapeOnePlus: {name: "1+z", value: func(z float64) float64 { return 1 + z },
		build: func(e *expr, z int) int { return e.add(e.fixed(1), z) }, grid: gridOnePlus},
	shapeExpMinus: {name: "exp z − 1", needs: need(formula.Exp), value: math.Expm1, mirrored: true,
		build: func(e *expr, z int) int { return e.add(e.fixed(-1), e.call(formula.Exp, z)) }, grid: gridExpMinus},
	shapeExpPlus: {name: "exp z + 1", needs: need(formula.Exp), value: func(z float64) float64 { return 1 + math.Exp(z) },
		build: func(e *expr, z int) int { return e.add(e.fixed(1), e.call(formula.Exp, z)) }, grid: gridExp},
	shapeCosh: {name: "cosh", needs: need(formula.Cosh), value: cosh,
		build: func(e *expr, z int) int { return e.call(formula.Cosh, z) }, grid: gridExp, terms: termsStep},
	shapeTanh: {name: "tanh", needs: need(formula.Tanh), value: math.Tanh, column: kernel.Tanh[float64],
		build: func(e *expr, z int) int { return e.call(formula.Tanh, z) }, grid: gridExp, terms: termsStep},
	shapeSin: {name: "sin", needs: need(formula.Sin), value: math.Sin, wave: true, column: kernel.Sin[float64],
		build: func(e *expr, z int) int { return e.call(formula.Sin, z) }, grid: gridWave, terms: termsWave},
	shapeCos: {name: "cos", needs: need(formula.Cos), value: math.Cos, wave: true, column: kernel.Cos[float64],
		build: func(e *expr, z int) int { return e.call(formula.Cos, z) }, grid: gridWave, terms: termsWave},
	shapeLog: {name: "log", needs: need(formula.Log), value: math.Log, bare: true,
		build: func(e *expr, z int) int { return e.call(formula.Log, z) }, grid: gridLog, terms: termsLog},
	shapeLogOnePlus: {name: "log(1+z)", needs: need(formula.Log), value: math.Log1p,
		build: func(e *expr, z int) int { return e.call(formula.Log, e.add(e.fixed(1), z)) },
		grid:  func(m monoStats) []float64 { return decades(m.median) }, terms: termsOnePlus},
	shapeExp: {name: "exp", needs: need(formula.Exp), value: math.Exp, bare: true,
		build: func(e *expr, z int) int { return e.call(formula.Exp, z) },
		grid:  func(monoStats) []float64 { return []float64{1} }, terms: termsExp},
	shapeMono: {name: "m", value: func(z float64) float64 { return z }, bare: true},
	shapeInverse: {name: "1/(1+z)", value: func(z float64) float64 { return 1 / (1 + z) }, terms: termsBothSigns,
		build: func(e *expr, z int) int { return e.pow(e.add(e.fixed(1), z), -1, true) }},
	shapeRoot: {name: "√(1+z)", needs: need(formula.Sqrt), value: func(z float64) float64 { return math.Sqrt(1 + z) },
		terms: termsBothSigns,
		build: func(e *expr, z int) int { return e.pow(e.add(e.fixed(1), z), 0.5, true) }},
	shapePair: {name: "difference", value: func(z float64) float64 { return z }, bare: true, grid: gridPair},
	shapeAtan: {name: "arctan", needs: need(formula.Atan), value: math.Atan,
		build: func(e *expr, z int) int { return e.call(formula.Atan, z) }, grid: gridExp, terms: termsStep},
	shapeTan: {name: "tan", needs: need(formula.Tan), value: math.Tan,
		build: func(e *expr, z int) int { return e.call(formula.Tan, z) }, grid: gridTan, terms: gridTan},
	shapeSinh: {name: "sinh", needs: need(formula.Sinh), value: math.Sinh,
		build: func(e *expr, z int) int { return e.call(formula.Sinh, z) }, grid: gridExp, terms: termsStep},
	shapeOneMinusCos: {name: "1 − cos", needs: need(formula.Cos),
		value: func(z float64) float64 { return 1 - math.Cos(z) },
		build: func(e *expr, z int) int { return e.add(e.fixed(1), e.mul(e.fixed(-1), e.call(formula.Cos, z))) },
		terms: termsAngle},
	shapeOnePlusCos: {name: "1 + cos", needs: need(formula.Cos), value: func(z float64) float64 { return 1 + math.Cos(z) },
		build: func(e *expr, z int) int { return e.add(e.fixed(1), e.call(formula.Cos, z)) }, terms: termsAngle},
	shapeAbs: {name: "|z|", needs: need(formula.Abs), value: math.Abs, kink: true, bare: true,
		build: func(e *expr, z int) int { return e.call(formula.Abs, z) }, terms: termsMixed},
	shapeAbove: {name: "max(z − 1, 0)", needs: need(formula.Max), value: func(z float64) float64 { return max(z-1, 0) },
		kink: true, terms: termsKink,
		build: func(e *expr, z int) int { return e.max(e.add(e.fixed(-1), z), e.fixed(0)) }},
	shapeBelow: {name: "max(1 − z, 0)", needs: need(formula.Max), value: func(z float64) float64 { return max(1-z, 0) },
		kink: true, terms: termsKink,
		build: func(e *expr, z int) int { return e.max(e.add(e.fixed(1), e.mul(e.fixed(-1), z)), e.fixed(0)) }},
	shapeFloor: {name: "max(z, 1)", needs: need(formula.Max), value: func(z float64) float64 { return max(z, 1) },
		kink: true, grid: termsKink,
		build: func(e *expr, z int) int { return e.max(z, e.fixed(1)) }},
}

func need(f formula.Func) []formula.Func { return []formula.Func{f} }

func cosh(z float64) float64 {
	x := math.Exp(z)
	return 0.5 * (x + 1/x)
}

// atom is a function of c times a power product, and in products a power p of it.
type atom struct {
	g      shapeKind
	m      mono
	c      float64
	p      float64
	chosen bool // p is given; otherwise it is fitted
	held   bool // c is 1 or −1 and not fitted
}

func (a atom) shape() *shape { return &shapes[a.g] }

// values writes g(c·m) on the screening rows into o.
func (s *searcher) values(a atom, o, scratch []float64) {
	s.monoValues(a.m, o)
	a.apply(o, scratch)
}

// apply turns values of m into those of g.
func (a atom) apply(o, scratch []float64) {
	g := a.shape()
	if g.build == nil {
		return
	}
	for r := range o {
		o[r] *= a.c
	}
	if g.column != nil {
		g.column(o, scratch[:len(o)])
		return
	}
	for r, z := range o {
		o[r] = g.value(z)
	}
}

// buildAtom writes an atom without its power. Its constant is one of the formula; held, one that is 1 or −1 is none.
func (s *searcher) buildAtom(e *expr, a atom, held bool) int {
	m := s.buildMono(e, a.m)
	g := a.shape()
	if g.build == nil {
		return m
	}
	if a.g == shapeLog && a.c == 1 {
		return g.build(e, m)
	}
	if (held || a.held) && math.Abs(a.c) == 1 {
		return g.build(e, e.mul(e.fixed(a.c), m))
	}
	return g.build(e, e.mul(e.par(a.c), m))
}

// monoStats is what the grids of c depend on.
type monoStats struct {
	lo, hi       float64 // least and largest value
	least        float64 // of |m|
	median, mean float64 // of |m|
	top, nearTop float64 // of |m|: the largest, and the 98th percentile
	factors      int
	power        float64   // of the direction
	pair         bool      // one feature, a difference or sum
	crossing     bool      // the target has both signs
	inverse      bool      // has a negative exponent
	reciprocal   bool      // all exponents are negative
	deep         bool      // many factors: only waves and exponentials
	inside       []float64 // values of m between which kinks may be
}

// stats describes values of m; ok is false when they are constant or not finite.
func stats(v []float64, m mono) (st monoStats, ok bool) {
	abs := make([]float64, len(v))
	st = monoStats{lo: math.Inf(1), hi: math.Inf(-1), factors: len(m), power: 1, reciprocal: true}
	for r, x := range v {
		if !finite(x) {
			return st, false
		}
		st.lo, st.hi = min(st.lo, x), max(st.hi, x)
		abs[r] = math.Abs(x)
		st.mean += abs[r] / float64(len(v))
	}
	slices.Sort(abs)
	n := len(abs)
	sorted := slices.Sorted(slices.Values(v))
	for _, q := range kinksAt {
		st.inside = append(st.inside, sorted[int(q*float64(n-1))])
	}
	st.least, st.median, st.top, st.nearTop = abs[0], abs[n/2], abs[n-1], abs[n*98/100]
	for _, f := range m {
		st.inverse = st.inverse || f.p < 0
		st.reciprocal = st.reciprocal && f.p < 0
	}
	return st, st.median > 0 && st.hi-st.lo >= 1e-9*st.top
}
