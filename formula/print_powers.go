package formula

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
			var rest []Expr
			for k, g := range p.factors {
				if k != i {
					rest = append(rest, g)
				}
			}
			if exponent := Mul(rest...); len(Vars(exponent)) > 0 {
				return Pow(l.args[0], exponent)
			}
		}
	}
	return e
}
