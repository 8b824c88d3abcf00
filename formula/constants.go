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

// Tied returns for each constant, in the order of [Constants], the place of the one that it is: its own, or that of the
// same constant in an equal subexpression before, if that has a variable. What a formula has twice is one quantity, as
// 2.1*x in sin(2.1*x)/(1 + cos(2.1*x)): its constants are fitted as one.
func Tied(e Expr) []int {
	var tied []int
	first := map[string]int{} // place of the first constant of a subexpression
	m := constantMapper{
		replace: func(v float64, _ Role) Expr {
			tied = append(tied, len(tied))
			return Const(v)
		},
		enter: func(x Expr) (leave func()) {
			from := len(tied)
			return func() {
				if from == len(tied) || len(Vars(x)) == 0 {
					return
				}
				text := x.String()
				at, before := first[text]
				if !before {
					first[text] = from
					return
				}
				for k := range tied[from:] {
					tied[from+k] = tied[at+k]
				}
			}
		},
	}
	m.apply(e, Coefficient)
	return tied
}

// mapConstants replaces the constants of e one after the other. role is that of a constant that
// stands alone as e.
func mapConstants(e Expr, role Role, f func(float64, Role) Expr) Expr {
	m := constantMapper{replace: f}
	return m.apply(e, role)
}

// constantMapper replaces constants, in the order of [Constants].
type constantMapper struct {
	replace func(float64, Role) Expr
	enter   func(Expr) (leave func()) // is told of each subexpression before and after its constants; may be nil
}

func (m *constantMapper) apply(e Expr, role Role) Expr {
	if m.enter != nil {
		defer m.enter(e)()
	}
	switch e := e.(type) {
	case number:
		return m.replace(float64(e), role)
	case *product:
		if signOnly(e.factors) || e.factors[0] == number(-1) && inDenominator(e.factors[1]) {
			return Neg(m.apply(Mul(e.factors[1:]...), role))
		}
		if role == Phase {
			role = Frequency
		}
		return m.product(e, role)
	case *power:
		base := m.apply(e.base, Coefficient)
		if _, whole := wholeNumber(e.exp); whole {
			return Pow(base, e.exp)
		}
		return Pow(base, m.apply(e.exp, Exponent))
	case *sum:
		return rebuild(e, func(x Expr) Expr { return m.apply(x, role) })
	case *call:
		if e.f == Sin || e.f == Cos || e.f == Tan {
			return rebuild(e, func(x Expr) Expr { return m.apply(x, Phase) })
		}
	}
	return rebuild(e, func(x Expr) Expr { return m.apply(x, Coefficient) })
}

// product replaces the constants of a product: its own number has the product's role, what stands deeper is a
// coefficient.
func (m *constantMapper) product(e *product, role Role) Expr {
	return rebuild(e, func(x Expr) Expr {
		if v, ok := x.(number); ok {
			return m.replace(float64(v), role)
		}
		return m.apply(x, Coefficient)
	})
}
