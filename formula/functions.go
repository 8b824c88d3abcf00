package formula

import "math"

// Func is a function that expressions can call: of one variable, but for [Min] and [Max].
type Func uint8

// The functions.
const (
	Sin Func = iota
	Cos
	Tan
	Exp
	Log     // natural logarithm
	Sqrt    // square root
	Sigmoid // 1/(1 + exp(-x))
	Tanh
	Asin
	Acos
	Atan
	Sinh
	Cosh
	Abs // |x|
	Min // the smaller of two
	Max // the larger of two
)

// funcs is the table of the functions. It calls newCall instead of [Call], which looks into
// the table. The functions of package math are wrong by less than two units in the last place.
var funcs = [...]funcInfo{
	Sin: {
		name: "sin", value: math.Sin, latex: `\sin`, undoes: undoing(Asin),
		slope:      func(x, _ float64) float64 { return math.Cos(x) },
		derivative: func(x Expr) Expr { return newCall(Cos, x) },
		values:     func(x span) span { return periodic(x, math.Sin, math.Pi/2) },
		slopes:     func(x, _ span) span { return periodic(x, math.Cos, 0) },
	},
	Cos: {
		name: "cos", value: math.Cos, latex: `\cos`, undoes: undoing(Acos),
		slope:      func(x, _ float64) float64 { return -math.Sin(x) },
		derivative: func(x Expr) Expr { return Neg(newCall(Sin, x)) },
		values:     func(x span) span { return periodic(x, math.Cos, 0) },
		slopes:     func(x, _ span) span { return periodic(x, math.Sin, math.Pi/2).negative() },
	},
	Tan: {
		name: "tan", value: math.Tan, latex: `\tan`, undoes: undoing(Atan),
		slope:      func(_, y float64) float64 { return 1 + y*y },
		derivative: func(x Expr) Expr { return Add(number(1), Pow(newCall(Tan, x), number(2))) },
		values:     tangent,
		slopes:     func(_, y span) span { return exactly(1).add(y.square()) },
		edge:       func(x Expr) condition { return condition{kind: PoleEdge, critical: newCall(Cos, x), must: notZero} },
	},
	Exp: {
		name: "exp", value: math.Exp, latex: `\exp`, positive: true,
		slope:      func(_, y float64) float64 { return y },
		derivative: func(x Expr) Expr { return newCall(Exp, x) },
		values:     func(x span) span { return rising(x, exponential, 0, math.Inf(1)) },
		slopes:     func(_, y span) span { return y },
	},
	Log: {
		name: "log", value: math.Log, latex: `\ln`, mathml: "ln", undoes: undoing(Exp),
		slope:      func(x, _ float64) float64 { return 1 / x },
		derivative: inverse,
		values:     logarithm,
		slopes:     func(x, _ span) span { return exactly(1).div(x.clamp(0, math.Inf(1))) },
		edge:       func(x Expr) condition { return condition{kind: LogEdge, critical: x, must: positive} },
	},
	Sqrt: {
		name: "sqrt", value: math.Sqrt, latex: `\sqrt{%s}`, mathml: "<msqrt>%s</msqrt>",
		slope:      func(_, y float64) float64 { return 1 / (2 * y) },
		derivative: func(x Expr) Expr { return Div(number(1), Mul(number(2), newCall(Sqrt, x))) },
		values: func(x span) span {
			if x.lo < 0 {
				x.mark |= cut
			}
			return rising(x.clamp(0, x.hi), math.Sqrt, 0, math.Inf(1))
		},
		slopes: func(_, y span) span { return exactly(0.5).div(y) },
		edge:   func(x Expr) condition { return condition{kind: RootEdge, critical: x, must: notNegative} },
	},
	Sigmoid: {
		name: "sigmoid", value: sigmoid, latex: `\operatorname{sigmoid}`, positive: true,
		slope:      func(_, y float64) float64 { return y * (1 - y) },
		derivative: func(x Expr) Expr { return Mul(newCall(Sigmoid, x), Sub(number(1), newCall(Sigmoid, x))) },
		written:    func(x Expr) Expr { return Div(number(1), Add(number(1), newCall(Exp, Neg(x)))) },
		values:     func(x span) span { return rising(x, sigmoid, 0, 1) },
		slopes:     func(_, y span) span { return y.mul(exactly(1).sub(y)).clamp(0, 0.25) },
	},
	Tanh: {
		name: "tanh", value: math.Tanh, latex: `\tanh`, parity: odd,
		slope:      func(_, y float64) float64 { return 1 - y*y },
		derivative: func(x Expr) Expr { return Sub(number(1), Pow(newCall(Tanh, x), number(2))) },
		values:     func(x span) span { return rising(x, math.Tanh, -1, 1) },
		slopes:     func(_, y span) span { return exactly(1).sub(y.square()) },
	},
	Asin: {
		name: "asin", value: math.Asin, latex: `\arcsin`, mathml: "arcsin", parity: odd,
		slope:      func(x, _ float64) float64 { return 1 / math.Sqrt(1-x*x) },
		derivative: func(x Expr) Expr { return Div(number(1), newCall(Sqrt, oneMinusSquare(x))) },
		values:     func(x span) span { return rising(x.withinOne(), math.Asin, -quarterTurn, quarterTurn) },
		slopes:     func(x, _ span) span { return steepness(x) },
		edge:       arcEdge,
	},
	Acos: {
		name: "acos", value: math.Acos, latex: `\arccos`, mathml: "arccos",
		slope:      func(x, _ float64) float64 { return -1 / math.Sqrt(1-x*x) },
		derivative: func(x Expr) Expr { return Div(number(-1), newCall(Sqrt, oneMinusSquare(x))) },
		values:     func(x span) span { return rising(x.withinOne().negative(), acosOfMinus, 0, 2*quarterTurn) },
		slopes:     func(x, _ span) span { return steepness(x).negative() },
		edge:       arcEdge,
	},
	Atan: {
		name: "atan", value: math.Atan, latex: `\arctan`, mathml: "arctan", parity: odd,
		slope:      func(x, _ float64) float64 { return 1 / (1 + x*x) },
		derivative: func(x Expr) Expr { return Div(number(1), Add(number(1), Pow(x, number(2)))) },
		values:     func(x span) span { return rising(x, math.Atan, -quarterTurn, quarterTurn) },
		slopes:     func(x, _ span) span { return exactly(1).div(exactly(1).add(x.square())) },
	},
	Sinh: {
		name: "sinh", value: math.Sinh, latex: `\sinh`, parity: odd,
		slope:      func(x, _ float64) float64 { return math.Cosh(x) },
		derivative: func(x Expr) Expr { return newCall(Cosh, x) },
		values:     func(x span) span { return rising(x, hyperbolicSine, math.Inf(-1), math.Inf(1)) },
		slopes:     func(x, _ span) span { return hyperbolicCosine(x) },
	},
	Cosh: {
		name: "cosh", value: math.Cosh, latex: `\cosh`, parity: even, positive: true,
		slope:      func(x, _ float64) float64 { return math.Sinh(x) },
		derivative: func(x Expr) Expr { return newCall(Sinh, x) },
		values:     hyperbolicCosine,
		slopes:     func(x, _ span) span { return rising(x, hyperbolicSine, math.Inf(-1), math.Inf(1)) },
	},
	Abs: {
		name: "abs", value: math.Abs, latex: `\left|%s\right|`, mathml: "<mrow><mo>|</mo>%s<mo>|</mo></mrow>", parity: even,
		slope:      signOf,
		derivative: func(x Expr) Expr { return Div(x, newCall(Abs, x)) },
		values:     span.magnitudes,
		slopes: func(x, _ span) span {
			return span{signOf(x.lo, 0), signOf(x.hi, 0), x.mark}
		},
	},
	Min: {name: "min", latex: `\min`, pick: -1},
	Max: {name: "max", latex: `\max`, pick: 1},
}

func undoing(inner Func) func(Func) bool { return func(g Func) bool { return g == inner } }

func oneMinusSquare(x Expr) Expr { return Sub(number(1), Pow(x, number(2))) }

// arcEdge is where the sine or cosine of an angle would leave [-1, 1].
func arcEdge(x Expr) condition {
	return condition{kind: ArcEdge, critical: oneMinusSquare(x), must: notNegative}
}

// acosOfMinus rises.
func acosOfMinus(x float64) float64 { return math.Acos(-x) }

// signOf is the slope of |x|: its middle where it has a kink.
func signOf(x, _ float64) float64 {
	if x == 0 || math.IsNaN(x) {
		return x
	}
	return math.Copysign(1, x)
}
