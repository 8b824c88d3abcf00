package formula

// maxExpanded bounds the terms of a sum that a product is expanded to.
const maxExpanded = 200

// expand multiplies out the products of sums in e, a sum, product or power. It reports false
// when there is nothing to expand, or when it would be more than maxExpanded terms.
func expand(e Expr) (Expr, bool) {
	s, ok := e.(*sum)
	if !ok {
		return expandTerm(e)
	}
	var terms []Expr
	changed := false
	for _, t := range s.terms {
		x, ok := expandTerm(t)
		if !ok {
			terms = append(terms, t)
			continue
		}
		changed = true
		terms = append(terms, x)
	}
	if !changed {
		return nil, false
	}
	return normalSum(terms), true
}

// expandTerm multiplies out one product or power.
func expandTerm(t Expr) (Expr, bool) {
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
				return nil, false
			}
			sums = append(sums, s)
		}
	}
	if len(sums) == 0 || len(plain) == 1 && c == 1 && len(sums) == 1 {
		return nil, false
	}
	e := normalProduct(plain)
	for _, s := range sums {
		e = multiplyOut(e, s)
	}
	return e, true
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
