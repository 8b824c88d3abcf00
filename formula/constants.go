package formula

import (
	"fmt"
	"slices"
	"strconv"
)

// Round returns e with its constants rounded to the given number of significant digits; 0
// keeps all of them. A number that a variable is counted from, as in (t - 2459100), is kept if it
// has no more than nine digits: it was chosen, not fitted.
func Round(e Expr, digits int) Expr {
	if digits <= 0 {
		return e
	}
	round := func(v float64) Expr { return Const(roundNumber(v, digits)) }
	if digits >= originDigits { // which keeps them anyway
		return mapConstants(e, Coefficient, func(v float64, _ Role) Expr { return round(v) })
	}
	return mapFitted(e, round)
}

// originDigits is how many digits a number may have that a variable is counted from.
const originDigits = 9

// mapFitted replaces the constants of e but for those that variables are counted from: numbers of few digits beside
// a variable in a sum.
func mapFitted(e Expr, f func(float64) Expr) Expr {
	origins := map[string]Expr{}
	var hide func(Expr) Expr
	hide = func(x Expr) Expr {
		s, ok := x.(*sum)
		if !ok || !slices.ContainsFunc(s.terms, func(t Expr) bool { _, ok := t.(variable); return ok }) {
			return rebuild(x, hide)
		}
		return rebuild(x, func(t Expr) Expr {
			if v, ok := t.(number); !ok || roundNumber(float64(v), originDigits) != float64(v) {
				return hide(t)
			}
			name := Placeholder(strconv.Itoa(len(origins)))
			origins[name] = t
			return Var(name)
		})
	}
	return Substitute(mapConstants(hide(e), Coefficient, func(v float64, _ Role) Expr { return f(v) }), origins)
}

// Constants returns the constants of e in the order of the text form, for fitting them anew.
// Whole exponents (the 2 of x^2), the minus of -x and the 1 of 1/x are structure, not
// constants.
func Constants(e Expr) []float64 {
	var cs []float64
	mapConstants(e, Coefficient, func(v float64, _ Role) Expr {
		cs = append(cs, v)
		return Const(v)
	})
	return cs
}

// WithConstants returns e with its constants, in the order of [Constants], replaced by cs. Where
// that makes a factor of 1 or an exponent of 1 it is left out, so fit with one e as the
// template throughout. WithConstants panics when cs has not as many numbers as e has.
func WithConstants(e Expr, cs []float64) Expr {
	i := 0
	r := mapConstants(e, Coefficient, func(v float64, _ Role) Expr {
		if i < len(cs) {
			v = cs[i]
		}
		i++
		return Const(v)
	})
	if i != len(cs) {
		panic(fmt.Sprintf("formula: %d constants for an expression with %d", len(cs), i))
	}
	return r
}

// Role is the part that a constant plays, which decides what special values it may have.
type Role uint8

// The roles.
const (
	Coefficient Role = iota // a factor or a summand anywhere else
	Frequency               // a factor of a term inside a sine, cosine or tangent
	Phase                   // a summand inside a sine, cosine or tangent
	Exponent                // of a power, no whole number
)

// Roles returns the role of each constant, in the order of [Constants].
func Roles(e Expr) []Role {
	var roles []Role
	mapConstants(e, Coefficient, func(v float64, role Role) Expr {
		roles = append(roles, role)
		return Const(v)
	})
	return roles
}

// Parametrize returns e with its constants, in the order of [Constants], replaced by variables
// with the given names, so that it can be differentiated with respect to them.
func Parametrize(e Expr, names []string) Expr {
	i := 0
	return mapConstants(e, Coefficient, func(v float64, _ Role) Expr {
		if i >= len(names) {
			return Const(v)
		}
		i++
		return Var(names[i-1])
	})
}

// mapConstants replaces the constants of e one after the other. role is that of a constant that
// stands alone as e.
func mapConstants(e Expr, role Role, f func(float64, Role) Expr) Expr {
	switch e := e.(type) {
	case number:
		return f(float64(e), role)
	case *product:
		if signOnly(e.factors) || e.factors[0] == number(-1) && inDenominator(e.factors[1]) {
			return Neg(mapConstants(Mul(e.factors[1:]...), role, f))
		}
		if role == Phase {
			role = Frequency
		}
		return mapProduct(e, role, f)
	case *power:
		base := mapConstants(e.base, Coefficient, f)
		if _, whole := wholeNumber(e.exp); whole {
			return Pow(base, e.exp)
		}
		return Pow(base, mapConstants(e.exp, Exponent, f))
	case *sum:
		return rebuild(e, func(x Expr) Expr { return mapConstants(x, role, f) })
	case *call:
		if e.f == Sin || e.f == Cos || e.f == Tan {
			return rebuild(e, func(x Expr) Expr { return mapConstants(x, Phase, f) })
		}
	}
	return rebuild(e, func(x Expr) Expr { return mapConstants(x, Coefficient, f) })
}

// mapProduct replaces the constants of a product: its own number has the product's role, what
// stands deeper is a coefficient.
func mapProduct(e *product, role Role, f func(float64, Role) Expr) Expr {
	return rebuild(e, func(x Expr) Expr {
		if v, ok := x.(number); ok {
			return f(float64(v), role)
		}
		return mapConstants(x, Coefficient, f)
	})
}
