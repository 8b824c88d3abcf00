package formula

import "strings"

// dialect is what the infix forms differ in.
type dialect struct {
	number   func(v float64) string
	function func(f *funcInfo) string
	power    string // operator, or the function to call
	powCall  bool
	inf      string // what stands for 1/0 where that is an error
	program  bool   // computes with float64, not with symbols
}

var dialects = map[Form]dialect{
	Text:  {number: formatNumber, function: func(f *funcInfo) string { return f.name }, power: "^"},
	SymPy: {number: formatNumber, function: func(f *funcInfo) string { return f.sympy }, power: "**"},
	Python: {
		number: pythonLiteral, function: func(f *funcInfo) string { return f.numpy }, power: "**",
		inf: "np.inf", program: true,
	},
	Go: {
		number: goLiteral, function: func(f *funcInfo) string { return f.golang }, power: "math.Pow", powCall: true,
		inf: "math.Inf(1)", program: true,
	},
	C: {number: floatLiteral, function: func(f *funcInfo) string { return f.c }, power: "pow", powCall: true, program: true},
}

// Precedences of what is printed.
const (
	precSum = iota
	precProduct
	precPower
	precAtom
)

// printed is text with the precedence of its outermost operation.
type printed struct {
	s    string
	prec int
}

// in returns the text, in parentheses unless it binds at least as tightly as prec.
func (p printed) in(prec int) string {
	if p.prec >= prec {
		return p.s
	}
	return "(" + p.s + ")"
}

// infix prints in one dialect, with the given names of the variables.
type infix struct {
	dialect
	names map[string]string
}

func (w infix) print(e Expr) printed {
	switch e := e.(type) {
	case number:
		if isNegative(e) {
			return printed{w.number(float64(e)), precProduct}
		}
		return printed{w.number(float64(e)), precAtom}
	case variable:
		if name, ok := w.names[string(e)]; ok {
			return printed{name, precAtom}
		}
		return printed{quoteName(string(e)), precAtom}
	case *sum:
		return printed{w.sum(e.terms), precSum}
	case *product:
		return w.product(e)
	case *power:
		if inDenominator(e) {
			return w.product(e)
		}
		return w.powerOf(e)
	case *call:
		return w.call(e)
	}
	panic("formula: unknown kind of expression")
}

func (w infix) sum(terms []Expr) string {
	var b strings.Builder
	for i, t := range terms {
		switch {
		case i == 0:
			b.WriteString(w.print(t).s)
		case isNegative(t):
			b.WriteString(" - " + w.print(Neg(t)).in(precProduct))
		default:
			b.WriteString(" + " + w.print(t).s)
		}
	}
	return b.String()
}

// product prints a product, or a power with a negative exponent, as a fraction.
func (w infix) product(e Expr) printed {
	num, den := fraction(e)
	num, den, inf := w.infinite(num, den)
	top := inf
	switch {
	case inf == "":
		top = w.numerator(num)
	case len(num) > 0:
		top = w.numerator(num) + "*" + inf
	}
	if len(den) == 0 {
		return printed{top, precProduct}
	}
	return printed{top + "/" + w.print(Mul(den...)).in(precPower), precProduct}
}

// numerator prints factors that hold no denominator; none are 1.
func (w infix) numerator(num []Expr) string {
	if len(num) == 0 {
		return w.number(1)
	}
	var b strings.Builder
	if signOnly(num) {
		b.WriteString("-")
		num = num[1:]
	}
	for i, f := range num {
		if i == 0 {
			b.WriteString(w.print(f).in(precProduct))
			continue
		}
		b.WriteString("*" + w.print(f).in(precPower))
	}
	return b.String()
}

// infinite takes a zero out of the denominator where 1/0 is an error, and returns what to
// multiply by instead.
func (w infix) infinite(num, den []Expr) ([]Expr, []Expr, string) {
	if w.inf == "" || len(den) == 0 || den[0] != number(0) {
		return num, den, ""
	}
	if isNegative(den[0]) {
		num, _ = fraction(Neg(Mul(num...)))
	}
	return num, den[1:], w.inf
}

func (w infix) powerOf(e *power) printed {
	base, exp := w.print(e.base), w.print(e.exp)
	if !w.powCall {
		if c, ok := e.base.(number); ok && w.program {
			base.s = floatLiteral(float64(c)) // Python's powers of integers are integers
		}
		return printed{base.in(precAtom) + w.power + exp.in(precPower), precPower}
	}
	if _, ok := e.base.(variable); ok && e.exp == number(2) {
		return printed{base.s + "*" + base.s, precProduct}
	}
	return printed{w.power + "(" + base.s + ", " + exp.s + ")", precAtom}
}

func (w infix) call(e *call) printed {
	info := e.f.info()
	name := w.function(info)
	if name == "" {
		return w.print(info.written(e.arg))
	}
	return printed{name + "(" + w.print(e.arg).s + ")", precAtom}
}
