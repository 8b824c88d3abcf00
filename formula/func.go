package formula

import (
	"fmt"
	"math"
	"strings"
)

// funcInfo is a row of the table of the functions (functions.go): all that there is to know about one, but for its
// names in the printed languages, which are in their rows; where a language has no such function, written is what to
// print instead.
type funcInfo struct {
	name       string // text form
	value      func(x float64) float64
	derivative func(x Expr) Expr          // f'(x), without the inner derivative
	slope      func(x, y float64) float64 // f'(x) where f(x) = y

	// What the function does to intervals: its values and its slopes there.
	values func(x span) span
	slopes func(x, y span) span

	latex   string // a command, or a whole call with %s for the argument
	mathml  string // a name, or a whole call with %s for the argument; name unless given
	written func(x Expr) Expr

	edge     func(x Expr) condition // what x must keep for f(x) to have a value; nil when nothing
	undoes   func(g Func) bool      // f(g(x)) = x wherever g(x) has a value
	parity   parity
	positive bool // all values are, so that f(x) is not zero

	// pick is not zero for a function of two variables: 1 for the larger one, -1 for the smaller. Nothing but the
	// printed names is then needed.
	pick float64
}

// parity says what the sign of the argument does.
type parity int8

const (
	asymmetric parity = iota
	odd               // f(-x) = -f(x)
	even              // f(-x) = f(x)
)

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

// Arity returns the number of variables of f, 1 or 2.
func (f Func) Arity() int {
	if f.info().pick != 0 {
		return 2
	}
	return 1
}

// Value returns f(x), or f(x, y) for a function of two variables. It panics when there are fewer.
func (f Func) Value(x ...float64) float64 {
	info := f.info()
	if info.pick != 0 {
		return picked(info.pick, x[0], x[1])
	}
	return info.value(x[0])
}

func (f Func) info() *funcInfo {
	if int(f) >= len(funcs) {
		panic(fmt.Sprintf("formula: %v is not a function", f))
	}
	return &funcs[f]
}

// Unary returns the value of a function of one variable, and its slope where the value at x is y; both are nil for one
// of two variables. Many calls of these are faster than those of [Func.Value].
func (f Func) Unary() (value func(x float64) float64, slope func(x, y float64) float64) {
	return f.info().value, f.info().slope
}

// spelled reports whether mathematics writes a name before the argument, as in sin(x), and not signs around it.
func (f Func) spelled() bool { return !strings.Contains(f.info().latex, "%s") }

// funcByName returns the function that the text form calls name.
func funcByName(name string) (Func, bool) {
	for f, info := range funcs {
		if info.name == name {
			return Func(f), true
		}
	}
	return 0, false
}

// picked returns the larger or the smaller of two numbers, NaN when one of them is NaN.
func picked(pick, a, b float64) float64 {
	if pick > 0 {
		return max(a, b)
	}
	return min(a, b)
}

// share is the derivative of the larger or smaller of a and b with respect to a: 1 where it is a, 0 where it is b.
func share(pick, a, b float64) float64 {
	switch d := pick * (a - b); {
	case d > 0:
		return 1
	case d < 0:
		return 0
	}
	return 0.5
}

// shareOf is share as an expression: (1 ± (a - b)/|a - b|)/2.
func shareOf(pick float64, a, b Expr) Expr {
	d := Sub(a, b)
	return Div(Add(number(1), Mul(number(pick), Div(d, newCall(Abs, d)))), number(2))
}

// sigmoid is 1/(1 + exp(-x)); exp overflows to +Inf far left, where 1/Inf is the right 0.
func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
