package formula

import (
	"math"
	"slices"
)

// normalSum adds terms in normal form: like terms are collected, terms are ordered, and one
// with a plus comes first if there is any.
func normalSum(terms []Expr) Expr {
	var c collector
	for _, t := range terms {
		c.add(1, t)
	}
	return c.sum()
}

// collector collects the coefficients of like terms.
type collector struct {
	items []likeTerms
	index map[uint64][]int // positions in items by hash of rest, once there are many
}

// likeTerms is Σcoefs·rest; rest is 1 for the constant.
type likeTerms struct {
	rest  Expr
	coefs []float64
}

// add adds c·t. Sums are taken apart when that changes no number, that is for c = ±1.
func (c *collector) add(coef float64, t Expr) {
	if s, ok := t.(*sum); ok && math.Abs(coef) == 1 {
		for _, x := range s.terms {
			c.add(coef, x)
		}
		return
	}
	v, rest := splitTerm(t)
	if s, ok := rest.(*sum); ok && math.Abs(v) == 1 {
		c.add(coef*v, s)
		return
	}
	p, ok := timesNumber(coef, v)
	if !ok {
		p, rest = coef, t
	}
	c.collect(p, rest)
}

func (c *collector) collect(coef float64, rest Expr) {
	if it := c.find(rest); it != nil {
		it.coefs = append(it.coefs, coef)
		return
	}
	if c.index != nil {
		h := rest.hash()
		c.index[h] = append(c.index[h], len(c.items))
	}
	c.items = append(c.items, likeTerms{rest, []float64{coef}})
}

// find returns the item with the given rest, or nil.
func (c *collector) find(rest Expr) *likeTerms {
	const few = 32 // up to here looking at each is faster than a map
	if len(c.items) <= few {
		for i := range c.items {
			if Equal(c.items[i].rest, rest) {
				return &c.items[i]
			}
		}
		return nil
	}
	if c.index == nil {
		c.index = map[uint64][]int{}
		for i, it := range c.items {
			h := it.rest.hash()
			c.index[h] = append(c.index[h], i)
		}
	}
	for _, i := range c.index[rest.hash()] {
		if Equal(c.items[i].rest, rest) {
			return &c.items[i]
		}
	}
	return nil
}

// sum returns the sum, with one term for the coefficients of each rest, or with all of them where they overflow.
func (c *collector) sum() Expr {
	terms := make([]Expr, 0, len(c.items))
	for _, it := range c.items {
		coefs := it.coefs
		if len(coefs) > 1 {
			if sum, ok := total(coefs); ok {
				coefs = []float64{sum}
			} else {
				coefs = withoutOpposites(coefs)
			}
		}
		for _, coef := range coefs {
			switch {
			case coef == 0:
			case it.rest == number(1):
				terms = append(terms, number(coef))
			default:
				terms = append(terms, scale(coef, it.rest))
			}
		}
	}
	return orderedSum(terms)
}

// orderedSum adds terms that have nothing in common.
func orderedSum(terms []Expr) Expr {
	slices.SortStableFunc(terms, compareTerms)
	if len(terms) > 1 && isNegative(terms[0]) {
		if i := slices.IndexFunc(terms, func(t Expr) bool { return !isNegative(t) }); i > 0 {
			first := terms[i]
			copy(terms[1:i+1], terms[:i])
			terms[0] = first
		}
	}
	return Add(terms...)
}

// splitTerm splits a term in normal form into its coefficient and the rest, the sums in the
// rest with a positive leading coefficient so that like terms look alike.
func splitTerm(t Expr) (float64, Expr) {
	if v, ok := t.(number); ok {
		return float64(v), number(1)
	}
	c, fs := coefficient(t)
	sign := 1.0
	var flipped []Expr
	for i, f := range fs {
		if _, n := basePower(f); n%2 != 0 && sumSign(f) < 0 {
			if flipped == nil {
				flipped = slices.Clone(fs)
			}
			flipped[i] = negateFactor(f)
			sign = -sign
		}
	}
	if flipped != nil {
		fs = flipped
		slices.SortStableFunc(fs, compareFactors)
	}
	return c * sign, Mul(fs...)
}

// sumSign is the sign of the leading coefficient of the sum that f is a power of, and 1 for
// other factors.
func sumSign(f Expr) int {
	base, _ := basePower(f)
	if s, ok := base.(*sum); ok {
		return leadingSign(s)
	}
	return 1
}

// leadingSign is the sign that e is written with, if the terms of its sums stood in order:
// -1 for exactly one of e and its negative.
func leadingSign(e Expr) int {
	switch e := e.(type) {
	case number:
		if isNegative(e) {
			return -1
		}
	case *product:
		sign := 1
		if isNegative(e) {
			sign = -1
		}
		for _, f := range e.factors {
			if _, n := basePower(f); n%2 != 0 {
				sign *= sumSign(f)
			}
		}
		return sign
	case *power:
		if _, n := basePower(e); n%2 != 0 {
			return sumSign(e)
		}
	case *sum:
		return leadingSign(slices.MinFunc(e.terms, compareTerms))
	}
	return 1
}

// negateFactor returns -f for an odd power of a sum.
func negateFactor(f Expr) Expr {
	base, n := basePower(f)
	return Pow(negate(base), number(n))
}

// negate returns -e in normal form.
func negate(e Expr) Expr { return scale(-1, e) }

// scale returns c·e in normal form.
func scale(c float64, e Expr) Expr {
	if c == 1 {
		return e
	}
	if s, ok := e.(*sum); ok {
		if c == -1 {
			return orderedSum(mapAll(s.terms, negate))
		}
		return normalProduct([]Expr{number(c), e})
	}
	k, fs := coefficient(e)
	if p, ok := timesNumber(c, k); ok && p != 0 && math.Abs(p) != 1 {
		return Mul(number(p), Mul(fs...)) // in order already
	}
	return normalProduct([]Expr{number(c), e})
}
