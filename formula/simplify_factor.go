package formula

import (
	"math"
	"slices"
)

// factored takes common factors out of a sum, the most rewarding first, as long as that makes
// it shorter: a*c + b*c becomes c*(a + b).
func factored(e Expr) Expr {
	const (
		rounds   = 30
		maxTerms = 400 // in longer sums the search would take too long
	)
	for range rounds {
		s, ok := e.(*sum)
		if !ok || len(s.terms) > maxTerms {
			break
		}
		next := takeOut(s)
		if next == nil || next.size() >= e.size() {
			break
		}
		e = next
	}
	return e
}

// shared is a factor that several terms of a sum have: a power of base with the exponent n
// nearest to zero among them, or a coefficient of magnitude coef (base is nil).
type shared struct {
	base  Expr
	n     int
	coef  float64
	terms []int // positions in the sum
}

// saving estimates by how many nodes the sum gets shorter.
func (f shared) saving() int {
	if f.base == nil {
		return 2 * (len(f.terms) - 1)
	}
	return (f.base.size() + 1) * (len(f.terms) - 1)
}

// takeOut takes the most rewarding common factor out of a sum; it returns nil if there is
// none.
func takeOut(s *sum) Expr {
	var best shared
	for _, f := range sharedFactors(s) {
		if len(f.terms) > 1 && f.saving() > best.saving() {
			best = f
		}
	}
	if len(best.terms) == 0 {
		return nil
	}
	var inner, outer []Expr
	for i, t := range s.terms {
		if slices.Contains(best.terms, i) {
			inner = append(inner, best.divide(t))
		} else {
			outer = append(outer, t)
		}
	}
	quotient := normalSum(inner)
	if quotient.size() >= s.size() {
		return nil // numbers that do not cancel, such as 1/0
	}
	fs := []Expr{factored(quotient)}
	if best.base != nil {
		fs = append(fs, Pow(best.base, number(best.n)))
	} else {
		fs = append(fs, number(best.coef))
	}
	return normalSum(append(outer, normalProduct(fs)))
}

// sharedFactors lists the factors of the terms of s in the order of their appearance.
func sharedFactors(s *sum) []shared {
	var list []shared
	bases, coefs := map[uint64][]int{}, map[float64]int{}
	for i, t := range s.terms {
		c, fs := coefficient(t)
		if c = math.Abs(c); c != 1 && len(fs) > 0 {
			k, ok := coefs[c]
			if !ok {
				k = len(list)
				coefs[c] = k
				list = append(list, shared{coef: c})
			}
			list[k].terms = append(list[k].terms, i)
		}
		for _, f := range fs {
			list = addShared(list, bases, f, i)
		}
	}
	return list
}

func addShared(list []shared, bases map[uint64][]int, f Expr, term int) []shared {
	base, n := basePower(f)
	h := base.hash()
	if n < 0 {
		h = ^h
	}
	for _, k := range bases[h] {
		g := &list[k]
		if (n < 0) == (g.n < 0) && Equal(g.base, base) {
			g.terms = append(g.terms, term)
			if n < 0 {
				g.n = max(g.n, n)
			} else {
				g.n = min(g.n, n)
			}
			return list
		}
	}
	bases[h] = append(bases[h], len(list))
	return append(list, shared{base: base, n: n, terms: []int{term}})
}

// divide returns t without the shared factor.
func (f shared) divide(t Expr) Expr {
	c, fs := coefficient(t)
	if f.base == nil {
		return normalProduct(append([]Expr{number(math.Copysign(1, c))}, fs...))
	}
	return normalProduct([]Expr{t, Pow(f.base, number(-f.n))})
}

// reduced divides the sums of a product by what all terms of one have in common, where that cancels with another
// factor: x/(x^2 + x) is 1/(x + 1).
func reduced(e Expr) Expr {
	p, ok := e.(*product)
	if !ok {
		return e
	}
	best := e
	for i, f := range p.factors {
		base, n := basePower(f)
		s, ok := base.(*sum)
		if !ok {
			continue
		}
		for _, c := range sharedFactors(s) {
			if c.base == nil || len(c.terms) < len(s.terms) {
				continue
			}
			inner := make([]Expr, len(s.terms))
			for k, t := range s.terms {
				inner[k] = c.divide(t)
			}
			fs := slices.Concat(p.factors[:i], []Expr{Pow(normalSum(inner), number(n)), Pow(c.base, number(c.n*n))},
				p.factors[i+1:])
			best = shorter(best, normalProduct(fs))
		}
	}
	return best
}
