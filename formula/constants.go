package formula

import "fmt"

// Round returns e with its constants rounded to the given number of significant digits; 0
// keeps all of them.
func Round(e Expr, digits int) Expr {
	if digits <= 0 {
		return e
	}
	return mapConstants(e, func(v float64) float64 { return roundNumber(v, digits) })
}

// Constants returns the constants of e in the order of the text form, for fitting them anew.
// Whole exponents (the 2 of x^2), the minus of -x and the 1 of 1/x are structure, not
// constants.
func Constants(e Expr) []float64 {
	var cs []float64
	mapConstants(e, func(v float64) float64 {
		cs = append(cs, v)
		return v
	})
	return cs
}

// WithConstants returns e with its constants, in the order of [Constants], replaced by cs. Where
// that makes a factor of 1 or an exponent of 1 it is left out, so fit with one e as the
// template throughout. WithConstants panics when cs has not as many numbers as e has.
func WithConstants(e Expr, cs []float64) Expr {
	i := 0
	r := mapConstants(e, func(v float64) float64 {
		if i < len(cs) {
			v = cs[i]
		}
		i++
		return v
	})
	if i != len(cs) {
		panic(fmt.Sprintf("formula: %d constants for an expression with %d", len(cs), i))
	}
	return r
}

// mapConstants replaces the constants of e one after the other.
func mapConstants(e Expr, f func(float64) float64) Expr {
	switch e := e.(type) {
	case number:
		return Const(f(float64(e)))
	case *product:
		if signOnly(e.factors) || e.factors[0] == number(-1) && inDenominator(e.factors[1]) {
			return Neg(mapConstants(Mul(e.factors[1:]...), f))
		}
	case *power:
		if _, whole := wholeNumber(e.exp); whole {
			return Pow(mapConstants(e.base, f), e.exp)
		}
	}
	return rebuild(e, func(x Expr) Expr { return mapConstants(x, f) })
}
