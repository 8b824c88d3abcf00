package formula

import "math"

// evaluated returns e with its constant parts replaced by their values, for printing programs: languages compute
// constants by rules of their own. Python has complex powers and errors where others have infinities, and Go
// refuses to compile a division by zero or a number that is too large.
func evaluated(e Expr) Expr {
	if _, ok := e.(number); ok {
		return e
	}
	if len(Vars(e)) == 0 {
		return Const(eval(e, nil))
	}
	switch e := e.(type) {
	case *sum:
		return evaluatedSum(e)
	case *product:
		return evaluatedProduct(e)
	}
	return rebuild(e, evaluated)
}

// evaluatedSum adds up the constants that a sum begins with.
func evaluatedSum(e *sum) Expr {
	terms := mapAll(e.terms, evaluated)
	n := 0
	for n < len(terms) && len(Vars(terms[n])) == 0 {
		n++
	}
	if n > 1 {
		terms = append([]Expr{Const(eval(Add(terms[:n]...), nil))}, terms[n:]...)
	}
	return Add(terms...)
}

// evaluatedProduct multiplies the constants of the numerator, and those of the denominator, which stay there: x/3.
func evaluatedProduct(e *product) Expr {
	num, den := fraction(e)
	constant := func(fs []Expr) (float64, []Expr) {
		c := 1.0
		var rest []Expr
		for _, f := range fs {
			if len(Vars(f)) == 0 {
				c *= eval(f, nil)
			} else {
				rest = append(rest, evaluated(f))
			}
		}
		return c, rest
	}
	c, num := constant(num)
	d, den := constant(den)
	below := Expr(number(d))
	if math.IsNaN(d) || math.IsInf(d, 0) {
		below = Const(d)
	}
	return Div(Mul(append([]Expr{Const(c)}, num...)...), Mul(append([]Expr{below}, den...)...))
}
