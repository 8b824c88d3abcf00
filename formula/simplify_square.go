package formula

import (
	"math"
	"slices"
)

// squareTolerance is how far, relative to its size, the middle of a square may be from what the two others make it:
// each of the three is rounded, and may come from a product of two that are.
const squareTolerance = 0x1p-50

// squared writes c*a^2 + d*a*b + f*b^2 with d^2 = 4*c*f, where b may be 1, as c*(a + d/(2*c)*b)^2, as often as it is in
// a sum.
func squared(e Expr) Expr {
	for {
		s, ok := e.(*sum)
		if !ok {
			return e
		}
		next := s.oneSquare()
		if next == nil {
			return e
		}
		e = next
	}
}

// oneSquare returns the sum with one square in place of three terms, nil if there is none.
func (x *sum) oneSquare() Expr {
	const maxTerms = 40
	if len(x.terms) > maxTerms {
		return nil
	}
	for i, t := range x.terms {
		c, a, ok := rootOf(t)
		if !ok || a == number(1) {
			continue
		}
		for j, u := range x.terms {
			f, b, ok := rootOf(u)
			if i == j || !ok || c > 0 != (f > 0) || j < i && b != number(1) {
				continue
			}
			cross := normalProduct([]Expr{a, b})
			for k, v := range x.terms {
				d, rest := splitTerm(v)
				if k == i || k == j || !Equal(rest, cross) {
					continue
				}
				ratio, ok := squareRatio(c, d, f)
				if !ok {
					continue
				}
				square := scale(c, normalProduct([]Expr{Pow(normalSum([]Expr{a, scale(ratio, b)}), number(2))}))
				var left []Expr
				for l, w := range x.terms {
					if l != i && l != j && l != k {
						left = append(left, w)
					}
				}
				return normalSum(slices.Insert(left, 0, square))
			}
		}
	}
	return nil
}

// squareRatio returns r = d/(2c) where c*a^2 + d*a*b + f*b^2 is c*(a + r*b)^2, and ok = false where it is not a square,
// or where r^2 leaves the range of numbers although the coefficients do not. c and f have one sign.
func squareRatio(c, d, f float64) (r float64, ok bool) {
	half, root := d/2, math.Sqrt(math.Abs(c))*math.Sqrt(math.Abs(f)) // neither overflows or underflows
	r = half / c
	return r, math.Abs(math.Abs(half)-root) <= squareTolerance*root && r != 0 && usable(r) && r*r != 0 && usable(r*r)
}

// rootOf splits a term c*a^2, or a number c, whose a is 1.
func rootOf(t Expr) (c float64, a Expr, ok bool) {
	c, fs := coefficient(t)
	switch len(fs) {
	case 0:
		return c, number(1), true
	case 1:
		if base, n := basePower(fs[0]); n == 2 {
			return c, base, true
		}
	}
	return 0, nil, false
}
