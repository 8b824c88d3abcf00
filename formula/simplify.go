package formula

// Simplify returns a short expression with the value of e, up to rounding, wherever e has a
// finite value. Equal formulas tend to come out equal, in one order of terms and factors,
// and simplifying again changes nothing.
//
// It folds constants, collects like terms and powers, gives the arguments of functions a
// positive leading coefficient and sines and cosines a phase in (-π/2, π/2], joins sines of
// the same argument, and expands products of sums, writes products of sines as sums, or factors
// sums where [Complexity] says that this is shorter. Phases within 1e-12 of a multiple of π/2 are taken for it, and
// what is left of coefficients that cancel to the last digits is dropped. Where terms cancel, a place where e had no
// value can get one (x/x is 1); rules that need more than that, such as exp(log(x)) = x, are not applied.
func Simplify(e Expr) Expr {
	s := simplifier{normals: map[Expr]Expr{}, shorts: map[Expr]Expr{}, expansions: map[Expr]Expr{}}
	best := s.settle(e)
	for {
		next := s.settle(s.shorten(best))
		if next.size() >= best.size() {
			return best
		}
		best = next
	}
}

// simplifier remembers what became of the parts of an expression: parts that did not change
// are not worked on again in the next pass, nor parts that occur twice.
type simplifier struct {
	normals, shorts, expansions map[Expr]Expr
}

// settle applies the normal form until nothing changes. One pass nearly always does; the
// second confirms it.
func (s *simplifier) settle(e Expr) Expr {
	const passes = 10 // a bound against rules that would undo each other
	for range passes {
		next := s.normal(e)
		if next == e {
			break
		}
		e = next
	}
	return e
}

// normal brings the parts of e, then e itself, into normal form; it returns e itself when it
// is in normal form already. Its rules never ask what is shorter; shorten does.
func (s *simplifier) normal(e Expr) Expr {
	return remember(s.normals, e, func() Expr {
		switch e := e.(type) {
		case *sum:
			return normalSum(mapAll(e.terms, s.normal))
		case *product:
			return normalProduct(mapAll(e.factors, s.normal))
		case *power:
			return normalPower(s.normal(e.base), s.normal(e.exp))
		case *call:
			return normalCall(e.f, mapAll(e.args, s.normal))
		}
		return e
	})
}

// shorten replaces the parts of e, then e itself, by the shortest of the ways to write them.
func (s *simplifier) shorten(e Expr) Expr {
	return remember(s.shorts, e, func() Expr {
		switch e := e.(type) {
		case *sum:
			return s.shortenSum(mapAll(e.terms, s.shorten))
		case *product:
			return s.shortenProduct(mapAll(e.factors, s.shorten))
		case *power:
			return s.shortenProduct([]Expr{Pow(s.shorten(e.base), s.shorten(e.exp))})
		case *call:
			return normalCall(e.f, mapAll(e.args, s.shorten))
		}
		return e
	})
}

// remember returns what f makes of e, from memory if it can, and e itself if that is equal.
func remember(memory map[Expr]Expr, e Expr, f func() Expr) Expr {
	if known, ok := memory[e]; ok {
		return known
	}
	made := f()
	if Equal(made, e) {
		made = e
	}
	memory[e] = made
	return made
}

// shortenSum picks among the sum as it is and the sum with its products expanded, each with
// its sines joined and its common factors taken out, the second also with squares of sums.
func (s *simplifier) shortenSum(terms []Expr) Expr {
	best := normalSum(terms)
	if _, ok := best.(*sum); !ok {
		return best
	}
	roots := withRoots(best)
	best = shorter(best, factored(joined(best)))
	whole := s.expand(best)
	best = shorter(best, refactored(whole, best.size()))
	best = shorter(best, squared(whole))
	best = shorter(best, pickedWhole(whole))
	if roots != nil { // as short as sums in sums, and what people write
		best = shorter(roots, best)
	}
	return s.expandOne(best)
}

// shortenProduct picks among the product as it is, rescaled, expanded, and with two of its sines
// turned into a sum.
func (s *simplifier) shortenProduct(factors []Expr) Expr {
	best := rescale(reduced(normalProduct(factors)))
	if sum := turned(best); sum != best {
		best = shorter(best, factored(joined(s.settle(sum))))
	}
	return shorter(best, refactored(s.expand(best), best.size()))
}

// refactored joins and factors an expanded sum, unless it is so much longer than the given
// size that there is no hope.
func refactored(e Expr, size int) Expr {
	if e = joined(e); e.size() > 2*size {
		return e
	}
	return factored(e)
}

// expandOne expands single terms of a sum where that makes the sum shorter.
func (s *simplifier) expandOne(e Expr) Expr {
	const maxTerms = 40 // each try takes as long as the sum
	best := e
	whole, ok := e.(*sum)
	if !ok || len(whole.terms) > maxTerms {
		return e
	}
	for i, t := range whole.terms {
		if x := s.expand(t); x != t && x.size() < 2*e.size() {
			rest := append([]Expr{x}, whole.terms[:i]...)
			best = shorter(best, joined(normalSum(append(rest, whole.terms[i+1:]...))))
		}
	}
	return best
}

// expand is expanded, remembered.
func (s *simplifier) expand(e Expr) Expr {
	return remember(s.expansions, e, func() Expr {
		whole, ok := e.(*sum)
		if !ok {
			return expanded(e)
		}
		return normalSum(mapAll(whole.terms, s.expand))
	})
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
