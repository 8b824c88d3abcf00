package formula

// turned writes the first two sines or cosines among the factors of a product as a sum:
//
//	cos a·cos b = (cos(a−b) + cos(a+b))/2
//	sin a·sin b = (cos(a−b) − cos(a+b))/2
//	sin a·cos b = (sin(a−b) + sin(a+b))/2
//
// It is shorter where a−b or a+b is, as in 2·cos(y/2)·cos(x + y/2) = cos x + cos(x + y).
func turned(e Expr) Expr {
	whole, ok := e.(*product)
	if !ok {
		return e
	}
	var pair []*call
	var rest []Expr
	for _, f := range whole.factors {
		if c, ok := f.(*call); ok && (c.f == Sin || c.f == Cos) && len(pair) < 2 {
			pair = append(pair, c)
		} else {
			rest = append(rest, f)
		}
	}
	if len(pair) < 2 {
		return e
	}
	a, b := pair[0], pair[1]
	if a.f == Cos && b.f == Sin {
		a, b = b, a
	}
	f := Sin
	if a.f == b.f {
		f = Cos
	}
	less, more := Call(f, Sub(a.args[0], b.args[0])), Call(f, Add(a.args[0], b.args[0]))
	if a.f == Sin && b.f == Sin {
		more = Neg(more)
	}
	terms := make([]Expr, 2)
	for i, t := range []Expr{less, more} {
		terms[i] = Mul(append([]Expr{number(0.5), t}, rest...)...)
	}
	return Add(terms...)
}
