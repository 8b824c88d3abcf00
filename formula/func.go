package formula

import (
	"fmt"
	"math"
)

// Func is a function of one variable that expressions can call.
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
)

// funcInfo is everything that there is to know about a function, but for its names in the printed languages, which
// are in their rows; where a language has no such function, written is what to print instead.
type funcInfo struct {
	name       string // text form
	value      func(float64) float64
	derivative func(x Expr) Expr          // f'(x), without the inner derivative
	slope      func(x, y float64) float64 // f'(x) where f(x) = y
	latex      string
	written    func(x Expr) Expr
}

// funcs is the table of the functions. It calls newCall instead of [Call], which looks into
// the table.
var funcs = [...]funcInfo{
	Sin: {
		name: "sin", value: math.Sin, latex: `\sin`,
		slope:      func(x, _ float64) float64 { return math.Cos(x) },
		derivative: func(x Expr) Expr { return newCall(Cos, x) },
	},
	Cos: {
		name: "cos", value: math.Cos, latex: `\cos`,
		slope:      func(x, _ float64) float64 { return -math.Sin(x) },
		derivative: func(x Expr) Expr { return Neg(newCall(Sin, x)) },
	},
	Tan: {
		name: "tan", value: math.Tan, latex: `\tan`,
		slope:      func(_, y float64) float64 { return 1 + y*y },
		derivative: func(x Expr) Expr { return Add(number(1), Pow(newCall(Tan, x), number(2))) },
	},
	Exp: {
		name: "exp", value: math.Exp, latex: `\exp`,
		slope:      func(_, y float64) float64 { return y },
		derivative: func(x Expr) Expr { return newCall(Exp, x) },
	},
	Log: {
		name: "log", value: math.Log, latex: `\ln`,
		slope:      func(x, _ float64) float64 { return 1 / x },
		derivative: inverse,
	},
	Sqrt: {
		name: "sqrt", value: math.Sqrt, latex: `\sqrt`,
		slope:      func(_, y float64) float64 { return 1 / (2 * y) },
		derivative: func(x Expr) Expr { return Div(number(1), Mul(number(2), newCall(Sqrt, x))) },
	},
	Sigmoid: {
		name: "sigmoid", value: sigmoid, latex: `\operatorname{sigmoid}`,
		slope:      func(_, y float64) float64 { return y * (1 - y) },
		derivative: func(x Expr) Expr { return Mul(newCall(Sigmoid, x), Sub(number(1), newCall(Sigmoid, x))) },
		written:    func(x Expr) Expr { return Div(number(1), Add(number(1), newCall(Exp, Neg(x)))) },
	},
	Tanh: {
		name: "tanh", value: math.Tanh, latex: `\tanh`,
		slope:      func(_, y float64) float64 { return 1 - y*y },
		derivative: func(x Expr) Expr { return Sub(number(1), Pow(newCall(Tanh, x), number(2))) },
	},
}

// Funcs returns all functions, in the order of their constants.
func Funcs() []Func {
	fs := make([]Func, len(funcs))
	for i := range fs {
		fs[i] = Func(i)
	}
	return fs
}

// String returns the name of f in the text form.
func (f Func) String() string {
	if int(f) >= len(funcs) {
		return fmt.Sprintf("Func(%d)", uint8(f))
	}
	return funcs[f].name
}

// Value returns f(x).
func (f Func) Value(x float64) float64 { return f.info().value(x) }

func (f Func) info() *funcInfo {
	if int(f) >= len(funcs) {
		panic(fmt.Sprintf("formula: %v is no function", f))
	}
	return &funcs[f]
}

// funcByName returns the function that the text form calls name.
func funcByName(name string) (Func, bool) {
	for f, info := range funcs {
		if info.name == name {
			return Func(f), true
		}
	}
	return 0, false
}

// sigmoid is 1/(1 + exp(-x)); exp overflows to +Inf far left, where 1/Inf is the right 0.
func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
