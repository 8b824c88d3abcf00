package formula

// maxExpanded bounds the terms of a sum that a product is expanded to.
const maxExpanded = 200

// expanded multiplies out the sums in a product or power. It returns t itself when there is
// nothing to expand, or when it would be more than maxExpanded terms.
func expanded(t Expr) Expr {
	c, fs := coefficient(t)
	plain := []Expr{number(c)}
	var sums []*sum
	count := 1
	for _, f := range fs {
		base, n := basePower(f)
		s, ok := base.(*sum)
		if !ok || n < 0 {
			plain = append(plain, f)
			continue
		}
		for range min(n, maxExpanded) {
			if count *= len(s.terms); count > maxExpanded {
				return t
			}
			sums = append(sums, s)
		}
	}
	if len(sums) == 0 || len(plain) == 1 && c == 1 && len(sums) == 1 {
		return t
	}
	e := normalProduct(plain)
	for _, s := range sums {
		e = multiplyOut(e, s)
	}
	return e
}

// multiplyOut returns the terms of a times the terms of b.
func multiplyOut(a Expr, b *sum) Expr {
	as := []Expr{a}
	if s, ok := a.(*sum); ok {
		as = s.terms
	}
	terms := make([]Expr, 0, len(as)*len(b.terms))
	for _, x := range as {
		for _, y := range b.terms {
			terms = append(terms, normalProduct([]Expr{x, y}))
		}
	}
	return normalSum(terms)
}
