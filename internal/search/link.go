package search

import (
	"math"
	"slices"
	"strings"

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
	linkAtanh
	linkAsinh
	linkAcosh
	linkAsin
	linkAcos
	linkAtan
	linkOdds
	linkCount
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
	beyondOne     = 0.1 // of sines, cosines and tangents, which stay within ±1: noise
	nearestOne    = 1e-12
)

var links = [linkCount]linkRow{
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
	linkAtanh: {name: "artanh y", needs: need(formula.Tanh), value: artanhLink,
		inverse: func(e *expr, t int) int { return e.call(formula.Tanh, t) }},
	linkAsinh: {name: "arsinh y", needs: need(formula.Sinh),
		value: func(y, _ float64) (float64, float64, bool) {
			return math.Asinh(y), 1 / math.Sqrt(1+y*y), true
		},
		inverse: func(e *expr, t int) int { return e.call(formula.Sinh, t) }},
	linkAcosh: {name: "arcosh y", needs: need(formula.Cosh), clip: true,
		value: func(y, _ float64) (float64, float64, bool) {
			q := max(y, 1)
			return math.Acosh(q), 1 / max(flatArc, math.Sqrt(q*q-1)), y >= 1-beyondOne
		},
		inverse: func(e *expr, t int) int { return e.call(formula.Cosh, t) }},
	linkAsin: {name: "arcsin y", needs: need(formula.Sin), value: arcLink(math.Asin),
		inverse: func(e *expr, t int) int { return e.call(formula.Sin, t) }},
	linkAcos: {name: "arccos y", needs: need(formula.Cos), value: arcLink(math.Acos),
		inverse: func(e *expr, t int) int { return e.call(formula.Cos, t) }},
	linkAtan: {name: "arctan y", needs: need(formula.Tan),
		value: func(y, _ float64) (float64, float64, bool) {
			return math.Atan(y), 1 / (1 + y*y), true
		},
		inverse: func(e *expr, t int) int { return e.call(formula.Tan, t) }},
	linkOdds: {name: "1/y − 1", value: oddsLink,
		inverse: func(e *expr, t int) int { return e.pow(e.add(e.fixed(1), t), -1, true) }},
}

// oddsLink is 1/y − 1, of a share between 0 and 1.
func oddsLink(y, top float64) (t, slope float64, ok bool) {
	q := max(y, nearPole*top)
	return 1/q - 1, 1 / (q * q), y >= -belowZero && y <= 1+beyondOne
}

// artanhLink is artanh y; rows that noise takes beyond ±1 weigh nothing.
func artanhLink(y, _ float64) (t, slope float64, ok bool) {
	q := min(max(y, nearestOne-1), 1-nearestOne)
	return math.Atanh(q), 1 / ((1 - q) * (1 + q)), math.Abs(y) <= 1+beyondOne
}

// arcLink is an arc of y; rows that noise takes beyond ±1 weigh nothing.
func arcLink(arc func(float64) float64) func(y, top float64) (t, slope float64, ok bool) {
	return func(y, _ float64) (t, slope float64, ok bool) {
		q := min(max(y, nearestOne-1), 1-nearestOne)
		return arc(q), 1 / math.Sqrt((1-q)*(1+q)), math.Abs(y) <= 1+beyondOne
	}
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
// constant, or minus a term or divided by a factor that is known, and the inner kind's function of that.
type link struct {
	kind   linkKind
	inner  linkKind
	shift  float64
	term   expr      // not nil: taken off the target
	factor expr      // not nil: the target is divided by it
	values []float64 // of the term or the factor on the screening rows
}

func (l link) row() *linkRow { return &links[l.kind] }

func (l link) name() string {
	name := l.row().name
	if l.inner != linkNone {
		name = strings.Replace(links[l.inner].name, "y", "("+name+")", 1)
	}
	switch {
	case l.term != nil && l.kind == linkNone:
		return "y − term"
	case l.term != nil:
		return name + " − term"
	case l.factor != nil:
		return strings.Replace(name, "y", "(y/wave)", 1)
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
	for r, v := range y {
		v -= l.shift
		t[r], s[r] = v, sigma[r]
		switch {
		case l.term != nil:
			t[r] -= l.values[r]
		case l.factor != nil:
			t[r] /= l.values[r]
			s[r] /= math.Abs(l.values[r])
		}
	}
	if !links[l.kind].put(t, s) || l.inner != linkNone && !links[l.inner].put(t, s) {
		return nil, nil, false
	}
	return t, s, true
}

// Limits of errors under a link.
const (
	errorsOff = 2   // standard deviations up to which …
	bent      = 3   // … the slope of a link changes by less than this factor
	noWeight  = 1e9 // times the standard deviation: of rows where it changes more
)

// distrust takes their weight from the rows where errors of y are so large that a link is no straight line within
// them, as the inverse of a hyperbolic tangent is not near ±1.
func (l link) distrust(y, sigma, s []float64) {
	var slopes [3][]float64
	for k := range slopes {
		z := slices.Clone(y)
		for r := range z {
			z[r] += errorsOff * float64(k-1) * sigma[r]
		}
		one := make([]float64, len(y))
		for r := range one {
			one[r] = 1
		}
		if _, sl, ok := l.apply(z, one); ok {
			slopes[k] = sl
		}
	}
	for r := range s {
		for _, k := range [2]int{0, 2} {
			if slopes[1] == nil || slopes[k] != nil && (slopes[k][r] > bent*slopes[1][r] || slopes[1][r] > bent*slopes[k][r]) {
				s[r] *= noWeight
				break
			}
		}
	}
}

// put replaces the values t by the link's and multiplies their standard deviations by its slope.
func (row *linkRow) put(t, s []float64) bool {
	top := largest(t)
	if top == 0 {
		return false
	}
	for r, v := range t {
		u, slope, ok := row.value(v, top)
		if !ok || !finite(u) || !finite(slope) {
			return false
		}
		t[r] = u
		s[r] *= slope
	}
	return true
}

// undo appends what makes the target from node t.
func (l link) undo(e *expr, t int) int {
	t = links[l.inner].inverse(e, t)
	t = l.row().inverse(e, t)
	if l.term != nil {
		return e.add(t, e.insert(l.term))
	}
	if l.factor != nil {
		return e.mul(t, e.insert(l.factor))
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
