package formula

// Simplify returns a short expression with the value of e, up to rounding, wherever e has a
// finite value. Equal formulas tend to come out equal, in one order of terms and factors,
// and simplifying again changes nothing.
//
// It folds constants, collects like terms and powers, gives the arguments of functions a
// positive leading coefficient and sines and cosines a phase in (-π/2, π/2], joins sines of
// the same argument, and expands products of sums or factors sums where [Complexity] says
// that this is shorter. Phases within 1e-12 of a multiple of π/2 are taken for it, and what
// is left of coefficients that cancel to the last digits is dropped. Where terms cancel, a
// place where e had no value can get one (x/x is 1); rules that need more than that, such as
// exp(log(x)) = x, are not applied.
func Simplify(e Expr) Expr {
	best := settle(e)
	for {
		next := settle(shorten(best))
		if next.size() >= best.size() {
			return best
		}
		best = next
	}
}

// settle applies the normal form until nothing changes. One pass nearly always does; the
// second confirms it.
func settle(e Expr) Expr {
	const passes = 10 // a bound against rules that would undo each other
	for range passes {
		next := normal(e)
		if Equal(next, e) {
			break
		}
		e = next
	}
	return e
}

// normal brings the parts of e, then e itself, into normal form. Its rules never ask what is
// shorter; shorten does.
func normal(e Expr) Expr {
	switch e := e.(type) {
	case *sum:
		return normalSum(mapAll(e.terms, normal))
	case *product:
		return normalProduct(mapAll(e.factors, normal))
	case *power:
		return normalPower(normal(e.base), normal(e.exp))
	case *call:
		return normalCall(e.f, normal(e.arg))
	}
	return e
}

// shorten replaces the parts of e, then e itself, by the shortest of the ways to write them.
func shorten(e Expr) Expr {
	switch e := e.(type) {
	case *sum:
		return shortenSum(mapAll(e.terms, shorten))
	case *product:
		return shortenProduct(mapAll(e.factors, shorten))
	case *power:
		return shortenProduct([]Expr{Pow(shorten(e.base), shorten(e.exp))})
	case *call:
		return normalCall(e.f, shorten(e.arg))
	}
	return e
}

// shortenSum picks among the sum as it is and the sum with its products expanded, each with
// its sines joined and its common factors taken out.
func shortenSum(terms []Expr) Expr {
	best := normalSum(terms)
	s, ok := best.(*sum)
	if !ok {
		return best
	}
	best = shorter(best, factored(joined(best)))
	if all, ok := expand(s); ok {
		best = shorter(best, factored(joined(all)))
	}
	return shorter(best, expandOne(best))
}

// shortenProduct picks among the product as it is, rescaled and expanded.
func shortenProduct(factors []Expr) Expr {
	best := rescale(normalProduct(factors))
	if all, ok := expand(best); ok {
		best = shorter(best, factored(joined(all)))
	}
	return best
}

// expandOne expands single terms of a sum where that makes the sum shorter.
func expandOne(e Expr) Expr {
	const tries = 40
	best := e
	s, ok := e.(*sum)
	if !ok {
		return e
	}
	for i, t := range s.terms[:min(tries, len(s.terms))] {
		if x, ok := expand(t); ok && !Equal(x, t) {
			rest := append([]Expr{x}, s.terms[:i]...)
			best = shorter(best, joined(normalSum(append(rest, s.terms[i+1:]...))))
		}
	}
	return best
}

// shorter returns the expression of lower complexity, a when they are equal.
func shorter(a, b Expr) Expr {
	if b.size() < a.size() {
		return b
	}
	return a
}

func mapAll(xs []Expr, f func(Expr) Expr) []Expr {
	ys := make([]Expr, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}
