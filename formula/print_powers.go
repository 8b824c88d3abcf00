package formula

import "slices"

// belowOne writes x^(-2/3) as 1/x^(2/3), as x^-2 is written.
func belowOne(e Expr) Expr {
	e = rebuild(e, belowOne)
	if p, ok := e.(*power); ok && isNegative(p.exp) && len(Vars(p.exp)) == 0 {
		if _, whole := p.exp.(number); !whole {
			return inverse(Pow(p.base, Mul(number(-1), p.exp)))
		}
	}
	return e
}

// asPowers writes exp(a*log(b)) as b^a, as people do, where a is no constant. The two differ where b is below zero and
// a is whole: there the power has a value.
func asPowers(e Expr) Expr {
	e = rebuild(e, asPowers)
	c, ok := e.(*call)
	if !ok || c.f != Exp {
		return e
	}
	p, ok := c.args[0].(*product)
	if !ok {
		return e
	}
	for i, f := range p.factors {
		if l, ok := f.(*call); ok && l.f == Log {
			exponent := Mul(slices.Delete(slices.Clone(p.factors), i, i+1)...)
			if len(Vars(exponent)) > 0 {
				return Pow(l.args[0], exponent)
			}
		}
	}
	return e
}
