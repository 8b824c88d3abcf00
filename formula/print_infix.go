package formula

import (
	"strconv"
	"strings"
)

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

// infix prints in one language, with the given names of the variables.
type infix struct {
	*language
	names map[string]string
	guard bool // call the guards
}

// print returns e in the language.
func (l *language) print(e Expr, names map[string]string, guard bool) string {
	if l.program {
		e = evaluated(e)
	}
	return infix{l, names, guard}.print(e).s
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
		top = w.numerator(num) + w.multiply() + inf
	}
	if len(den) == 0 {
		return printed{top, precProduct}
	}
	return printed{top + w.divide() + w.print(Mul(den...)).in(precPower), precProduct}
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
		b.WriteString(w.multiply() + w.print(f).in(precPower))
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
	base, exp, op := w.print(e.base), w.print(e.exp), w.power.op
	n, whole := wholeNumber(e.exp)
	if c, ok := e.base.(number); ok {
		whole = whole || c >= 0
		if w.power.base != nil {
			base.s = w.power.base(float64(c))
		}
	}
	if w.guard && !whole && w.guarded(op) != op {
		return printed{w.guarded(op) + "(" + base.s + ", " + exp.s + ")", precAtom}
	}
	if _, ok := e.base.(variable); ok && e.exp == number(2) && w.power.call {
		return printed{base.s + w.multiply() + base.s, precProduct}
	}
	if w.power.call {
		return printed{op + "(" + base.s + ", " + exp.s + ")", precAtom}
	}
	if _, ok := wholeNumber(e.exp); ok && w.power.whole {
		exp.s = strconv.Itoa(n)
	}
	if w.power.atoms {
		return printed{base.in(precAtom) + op + exp.in(precAtom), precPower}
	}
	return printed{base.in(precAtom) + op + exp.in(precPower), precPower}
}

func (w infix) call(e *call) printed {
	name := w.calls[e.f]
	if name == "" {
		return w.print(e.f.info().written(e.args[0]))
	}
	if w.guard {
		name = w.guarded(name)
	}
	args := make([]string, len(e.args))
	for i, x := range e.args {
		args[i] = w.print(x).s
	}
	return printed{callOf(name, strings.Join(args, ", ")), precAtom}
}
