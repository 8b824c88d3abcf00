package formula

// Diff returns the derivative of e with respect to the variable called name. It leaves out
// what is zero or one; [Simplify] makes the rest short.
func Diff(e Expr, name string) Expr {
	d := diff(e, name)
	if d == nil {
		return number(0)
	}
	return d
}

// diff returns nil for zero.
func diff(e Expr, name string) Expr {
	switch e := e.(type) {
	case variable:
		if string(e) == name {
			return number(1)
		}
	case *sum:
		return diffSum(e, name)
	case *product:
		return diffProduct(e, name)
	case *power:
		return diffPower(e, name)
	case *call:
		return diffCall(e, name)
	}
	return nil
}

// diffCall is f(u)' = f'(u)·u', and for the larger or smaller of two the derivative of the one that it is.
func diffCall(e *call, name string) Expr {
	f := e.f.info()
	if f.derivative != nil {
		inner := diff(e.args[0], name)
		if inner == nil {
			return nil
		}
		return Mul(inner, f.derivative(e.args[0]))
	}
	var terms []Expr
	for i, x := range e.args {
		if inner := diff(x, name); inner != nil {
			terms = append(terms, Mul(inner, shareOf(f.pick, x, e.args[1-i])))
		}
	}
	if len(terms) == 0 {
		return nil
	}
	return Add(terms...)
}

func diffSum(e *sum, name string) Expr {
	var terms []Expr
	for _, t := range e.terms {
		if d := diff(t, name); d != nil {
			terms = append(terms, d)
		}
	}
	if len(terms) == 0 {
		return nil
	}
	return Add(terms...)
}

// diffProduct is (u·v·w)' = u'·v·w + u·v'·w + u·v·w'.
func diffProduct(e *product, name string) Expr {
	var terms []Expr
	for i, f := range e.factors {
		d := diff(f, name)
		if d == nil {
			continue
		}
		fs := append([]Expr{}, e.factors...)
		fs[i] = d
		terms = append(terms, Mul(fs...))
	}
	if len(terms) == 0 {
		return nil
	}
	return Add(terms...)
}

// diffPower is (u^c)' = c·u^(c-1)·u' for a number c, and otherwise
// (u^v)' = u^v·(v'·log u + v·u'/u).
func diffPower(e *power, name string) Expr {
	du, dv := diff(e.base, name), diff(e.exp, name)
	switch {
	case du == nil && dv == nil:
		return nil
	case dv == nil:
		if c, ok := e.exp.(number); ok {
			if c == 0 {
				return nil
			}
			return Mul(c, Pow(e.base, c-1), du)
		}
		return Mul(e.exp, Pow(e.base, Sub(e.exp, number(1))), du)
	case du == nil:
		return Mul(e, Call(Log, e.base), dv)
	}
	return Mul(e, Add(Mul(dv, Call(Log, e.base)), Div(Mul(e.exp, du), e.base)))
}
