package formula

import (
	"math"
	"slices"
)

// othersWithConstant are functions that another one is with a constant: f(x) + offset = scale·g(times·x).
var othersWithConstant = []struct {
	f             Func
	offset, scale float64
	g             Func
	times         float64
}{
	{Sigmoid, -0.5, 0.5, Tanh, 0.5},
	{Asin, -math.Pi / 2, -1, Acos, 1},
	{Asin, math.Pi / 2, 1, Acos, -1},
	{Acos, -math.Pi / 2, -1, Asin, 1},
}

// withConstant puts another function in the place of one and the constant of the sum: 2·sigmoid(x) − 1 = tanh(x/2).
func withConstant(s *sum) Expr {
	k := slices.IndexFunc(s.terms, func(t Expr) bool { _, ok := t.(number); return ok })
	if k < 0 {
		return s
	}
	constant := float64(s.terms[k].(number))
	for i, t := range s.terms {
		a, fs := coefficient(t)
		if len(fs) != 1 {
			continue
		}
		c, ok := fs[0].(*call)
		if !ok {
			continue
		}
		for _, o := range othersWithConstant {
			if c.f == o.f && equalRounded(constant, a*o.offset) {
				return s.instead(i, k, scale(a*o.scale, Call(o.g, scale(o.times, c.args[0]))))
			}
		}
	}
	return s
}

// exponentials applies eˣ + e⁻ˣ = 2·cosh(x) and eˣ − e⁻ˣ = 2·sinh(x), times whatever both terms have.
func exponentials(s *sum) Expr {
	for i, t := range s.terms {
		a, x, rest := exponentialOf(t)
		if x == nil {
			continue
		}
		for k := i + 1; k < len(s.terms); k++ {
			b, y, other := exponentialOf(s.terms[k])
			if y == nil || !equalRounded(math.Abs(a), math.Abs(b)) || !Equal(y, negate(x)) || !Equal(rest, other) {
				continue
			}
			f := Cosh
			if a*b < 0 {
				f = Sinh
			}
			return s.instead(i, k, scale(2*a, Mul(rest, Call(f, x))))
		}
	}
	return s
}

// exponentialOf splits a·rest·exp(x); x is nil for other terms.
func exponentialOf(t Expr) (a float64, x, rest Expr) {
	a, fs := coefficient(t)
	for i, f := range fs {
		if c, ok := f.(*call); ok && c.f == Exp {
			return a, c.args[0], Mul(append(slices.Clone(fs[:i]), fs[i+1:]...)...)
		}
	}
	return a, nil, nil
}

// instead returns the sum with a term in the place of those at i and k.
func (x *sum) instead(i, k int, t Expr) Expr {
	terms := []Expr{t}
	for j, other := range x.terms {
		if j != i && j != k {
			terms = append(terms, other)
		}
	}
	return normalSum(terms)
}

// equalRounded reports whether two numbers are the same but for rounding.
func equalRounded(a, b float64) bool { return math.Abs(a-b) <= 4*0x1p-52*math.Abs(b) }
