package search

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// linkKind is a function that is put over the target before the search: t = link(y).
type linkKind int

// The links, places in the table links.
const (
	linkNone linkKind = iota
	linkSin
	linkTan
	linkCos
	linkLog
	linkExp
	linkInverse
	linkSquare
	linkInverseSquare
	linkRoot
)

// linkRow is a row of the table of links.
type linkRow struct {
	name  string
	needs []formula.Func // for the inverse; Sqrt for powers that are not whole
	// value returns link(y) and its slope there, given the largest |y| of all rows; false where
	// the law cannot be of this form. Values and slopes stay finite near poles and zeros.
	value   func(y, top float64) (t, slope float64, ok bool)
	inverse func(e *expr, t int) int
	clip    bool // slopes that vanish would give some rows most of the weight
}

// Where links stop, as shares of the largest |y| or as angles.
const (
	nearPole      = 0.003
	nearRoot      = 0.001
	flatSquare    = 0.02
	belowZero     = 0.1  // of a target that is to be positive: noise
	flatArc       = 0.03 // the least slope of sine and cosine
	beyondArcsin  = 1.8  // an arcsine with noise is below this
	beyondArctan  = 1.55
	largestExp    = 30
	arcCosBelow   = -0.3
	arcCosAbove   = 3.45
	hopelessSlope = 1e3 // of rows that are beyond the pole: they weigh nothing
)

var links = [...]linkRow{
	linkNone: {name: "y", value: func(y, _ float64) (float64, float64, bool) { return y, 1, true },
		inverse: func(_ *expr, t int) int { return t }},
	linkSin: {name: "sin y", needs: []formula.Func{formula.Asin}, clip: true,
		value: func(y, _ float64) (float64, float64, bool) {
			return math.Sin(y), max(flatArc, math.Abs(math.Cos(y))), math.Abs(y) <= beyondArcsin
		},
		inverse: func(e *expr, t int) int { return e.call(formula.Asin, t) }},
	linkTan: {name: "tan y", needs: []formula.Func{formula.Atan},
		value: func(y, _ float64) (float64, float64, bool) {
			t := math.Tan(y)
			return t, 1 + t*t, math.Abs(y) <= beyondArctan
		},
		inverse: func(e *expr, t int) int { return e.call(formula.Atan, t) }},
	linkCos: {name: "cos y", needs: []formula.Func{formula.Acos}, clip: true,
		value: func(y, _ float64) (float64, float64, bool) {
			return math.Cos(y), max(flatArc, math.Abs(math.Sin(y))), y >= arcCosBelow && y <= arcCosAbove
		},
		inverse: func(e *expr, t int) int { return e.call(formula.Acos, t) }},
	linkLog: {name: "log y", needs: []formula.Func{formula.Exp}, value: logLink,
		inverse: func(e *expr, t int) int { return e.call(formula.Exp, t) }},
	linkExp: {name: "exp y", needs: []formula.Func{formula.Log},
		value: func(y, _ float64) (float64, float64, bool) {
			t := math.Exp(y)
			return t, t, math.Abs(y) <= largestExp
		},
		inverse: func(e *expr, t int) int { return e.call(formula.Log, t) }},
	linkInverse: {name: "1/y",
		value: func(y, top float64) (float64, float64, bool) {
			q := offPole(y, top)
			return 1 / q, 1 / (q * q), true
		},
		inverse: func(e *expr, t int) int { return e.pow(t, -1, true) }},
	linkSquare: {name: "y²", needs: []formula.Func{formula.Sqrt}, clip: true,
		value: func(y, top float64) (float64, float64, bool) {
			return y * y, max(2*math.Abs(y), flatSquare*top), true
		},
		inverse: func(e *expr, t int) int { return e.pow(t, 0.5, true) }},
	linkInverseSquare: {name: "1/y²", needs: []formula.Func{formula.Sqrt},
		value: func(y, top float64) (float64, float64, bool) {
			q := offPole(y, top)
			return 1 / (q * q), 2 / math.Abs(q*q*q), true
		},
		inverse: func(e *expr, t int) int { return e.pow(t, -0.5, true) }},
	linkRoot: {name: "√y",
		value: func(y, top float64) (float64, float64, bool) {
			return math.Sqrt(max(y, 0)), 0.5 / math.Sqrt(max(y, nearRoot*top)), y >= -belowZero*top
		},
		inverse: func(e *expr, t int) int { return e.pow(t, 2, true) }},
}

func logLink(y, top float64) (t, slope float64, ok bool) {
	if y > nearPole*top {
		return math.Log(y), 1 / y, true
	}
	return math.Log(nearPole * top), hopelessSlope, y >= -belowZero*top
}

// offPole keeps y off zero, with its sign.
func offPole(y, top float64) float64 {
	if math.Abs(y) >= nearPole*top {
		return y
	}
	return math.Copysign(nearPole*top, y)
}

// link is what the search looks for in place of the target: the kind's function of y minus a
// constant, or minus a term that is known.
type link struct {
	kind   linkKind
	shift  float64
	term   expr      // not nil: taken off the target
	values []float64 // of the term on the screening rows
}

func (l link) row() *linkRow { return &links[l.kind] }

func (l link) name() string {
	switch name := l.row().name; {
	case l.term != nil && l.kind == linkNone:
		return "y − term"
	case l.term != nil:
		return name + " − term"
	case l.shift != 0:
		return "y − constant"
	default:
		return name
	}
}

// apply returns the linked target t and its standard deviations, from those of y. It reports
// whether the law can have this form.
func (l link) apply(y, sigma []float64) (t, s []float64, ok bool) {
	t, s = make([]float64, len(y)), make([]float64, len(y))
	top := 0.0
	for r, v := range y {
		v -= l.shift
		if l.term != nil {
			v -= l.values[r]
		}
		t[r] = v
		top = max(top, math.Abs(v))
	}
	if top == 0 {
		return nil, nil, false
	}
	for r, v := range t {
		u, slope, ok := l.row().value(v, top)
		if !ok || !finite(u) || !finite(slope) {
			return nil, nil, false
		}
		t[r], s[r] = u, sigma[r]*slope
	}
	return t, s, true
}

// undo appends what makes the target from node t.
func (l link) undo(e *expr, t int) int {
	t = l.row().inverse(e, t)
	if l.term != nil {
		return e.add(t, e.insert(l.term))
	}
	if l.shift != 0 {
		return e.add(e.par(l.shift), t)
	}
	return t
}

// median returns the upper median of the absolute values.
func median(v []float64) float64 {
	a := make([]float64, len(v))
	for i, x := range v {
		a[i] = math.Abs(x)
	}
	slices.Sort(a)
	return a[len(a)/2]
}
