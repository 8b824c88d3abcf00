package formula

import "slices"

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
