package formula

import (
	"math"
	"slices"
)

// normalProduct multiplies factors in normal form: numbers are folded, whole powers of the
// same base and exponentials are collected, signs are taken out of sums, and factors are
// ordered.
func normalProduct(factors []Expr) Expr {
	p := powers{coef: 1}
	for _, f := range factors {
		p.multiply(f, 1)
	}
	return p.product()
}

// powers collects the exponents of like bases.
type powers struct {
	coef  float64
	odd   []Expr // numbers that cannot be multiplied into coef
	items []basePowers
	exps  []Expr // arguments of exponentials
}

type basePowers struct {
	base Expr
	n    int
}

// multiply multiplies by f^n.
func (p *powers) multiply(f Expr, n int) {
	switch f := f.(type) {
	case number:
		p.number(f, n)
		return
	case *product:
		for _, x := range f.factors {
			p.multiply(x, n)
		}
		return
	case *power:
		if base, m := basePower(f); base != Expr(f) {
			p.multiply(base, n*m)
			return
		}
	case *call:
		if f.f == Exp {
			p.exps = append(p.exps, scale(float64(n), f.args[0]))
			return
		}
	case *sum:
		if leadingSign(f) < 0 {
			if n%2 != 0 {
				p.coef = -p.coef
			}
			p.collect(negate(f), n)
			return
		}
	}
	p.collect(f, n)
}

func (p *powers) number(v number, n int) {
	c := math.Pow(float64(v), float64(n))
	if n == -1 {
		c = 1 / float64(v)
	}
	f, ok := timesNumber(p.coef, c)
	switch {
	case ok && !math.IsInf(c, 0) && (c != 0 || v == 0):
		p.coef = f
	default:
		p.odd = append(p.odd, Pow(v, number(n)))
	}
}

func (p *powers) collect(base Expr, n int) {
	for i := range p.items {
		if Equal(p.items[i].base, base) {
			p.items[i].n += n
			return
		}
	}
	p.items = append(p.items, basePowers{base, n})
}

func (p *powers) product() Expr {
	if p.coef == 0 && len(p.odd) == 0 {
		return number(0)
	}
	p.squareMagnitudes()
	fs := joinedPowers(p.items)
	switch len(p.exps) {
	case 0:
	case 1:
		fs = append(fs, normalUnary(Exp, p.exps[0]))
	default:
		fs = append(fs, normalUnary(Exp, normalSum(p.exps)))
	}
	slices.SortStableFunc(fs, compareFactors)
	p.takeMinus(fs)
	if s, ok := p.spread(fs); ok {
		return s
	}
	fs = append(fs, p.odd...)
	if p.coef != 1 {
		fs = append([]Expr{number(p.coef)}, fs...)
	}
	return Mul(fs...)
}

// squareMagnitudes applies |x|^2 = x^2.
func (p *powers) squareMagnitudes() {
	items := p.items
	p.items = nil
	for _, it := range items {
		if c, ok := it.base.(*call); ok && c.f == Abs && it.n%2 == 0 {
			p.multiply(c.args[0], it.n)
		} else {
			p.collect(it.base, it.n)
		}
	}
}

// joinedPowers returns the factors, with x^n*x^e, (x^e)^n and the same of sqrt(x) as one power where its exponent is no
// whole number; where it is, that would have a value for x < 0, which the product has not.
func joinedPowers(items []basePowers) []Expr {
	type joined struct {
		base     Expr
		exponent float64
		count    int
		last     Expr
	}
	var list []joined
	for _, it := range items {
		if it.n == 0 {
			continue
		}
		base, e := brokenPower(it.base)
		e *= float64(it.n)
		k := slices.IndexFunc(list, func(j joined) bool { return Equal(j.base, base) })
		if total := e; k >= 0 {
			if total += list[k].exponent; total != math.Trunc(total) {
				list[k].exponent, list[k].count = total, list[k].count+1
				continue
			}
		}
		parts := 1
		if base != it.base && it.n != 1 && it.n != -1 && e != math.Trunc(e) {
			parts = 2
		}
		list = append(list, joined{base, e, parts, Pow(it.base, number(it.n))})
	}
	var fs []Expr
	for _, j := range list {
		if j.count > 1 {
			fs = append(fs, normalPower(j.base, number(j.exponent)))
		} else {
			fs = append(fs, j.last)
		}
	}
	return fs
}

// brokenPower splits a power or a root, or 1 over a root, into base and exponent, whole or not.
func brokenPower(f Expr) (base Expr, exponent float64) {
	switch f := f.(type) {
	case *power:
		if e, ok := f.exp.(number); ok {
			if c, ok := f.base.(*call); ok && c.f == Sqrt && e == -1 {
				return c.args[0], -0.5
			}
			return f.base, float64(e)
		}
	case *call:
		if f.f == Sqrt {
			return f.args[0], 0.5
		}
	}
	return f, 1
}

// takeMinus turns -z*(x - y) into z*(y - x), which is shorter.
func (p *powers) takeMinus(fs []Expr) {
	if p.coef != -1 {
		return
	}
	for i, f := range fs {
		base, n := basePower(f)
		s, ok := base.(*sum)
		if ok && n%2 != 0 && slices.ContainsFunc(s.terms, isNegative) {
			p.coef = 1
			fs[i] = negateFactor(f)
			return
		}
	}
}

// spread multiplies a number into a sum when that is no longer: 3*(x + 2) is 3*x + 6, but
// 3*(x + y) stays. So formulas that differ in nothing else come out equal.
func (p *powers) spread(fs []Expr) (Expr, bool) {
	if len(fs) != 1 || p.coef == 1 || len(p.odd) > 0 {
		return nil, false
	}
	s, ok := fs[0].(*sum)
	if !ok {
		return nil, false
	}
	terms := normalSum(mapAll(s.terms, func(t Expr) Expr { return scale(p.coef, t) }))
	return terms, terms.size() <= Mul(number(p.coef), s).size()
}

// normalPower is base^exp of parts in normal form.
func normalPower(base, exp Expr) Expr {
	if n, ok := wholeNumber(exp); ok {
		if n == 0 {
			return number(1)
		}
		return normalProduct([]Expr{Pow(base, number(n))})
	}
	if base == number(1) {
		return base
	}
	e, ok := exp.(number)
	if !ok {
		return Pow(base, exp)
	}
	if b, ok := base.(number); ok {
		if v := math.Pow(float64(b), float64(e)); usable(v) {
			return number(v)
		}
	}
	if b, n := basePower(base); n%2 != 0 && n != 1 { // (x^n)^e = x^(n*e): for odd n both have values for x > 0 only
		return normalPower(b, number(float64(n))*e)
	}
	if b, p := brokenPower(base); p != math.Trunc(p) { // so have these, if the product is broken, too
		if p *= float64(e); p != math.Trunc(p) {
			return normalPower(b, number(p))
		}
	}
	if c, rest := splitTerm(base); c > 0 && c != 1 { // (c*x)^e = c^e*x^e
		if v := math.Pow(c, float64(e)); usable(v) && v != 0 {
			return scale(v, normalPower(rest, e))
		}
	}
	switch e {
	case 0.5:
		return normalUnary(Sqrt, base)
	case -0.5:
		return normalPower(normalUnary(Sqrt, base), number(-1))
	}
	return Pow(base, exp)
}

// usable reports whether v can replace the constant expression it was computed from.
func usable(v float64) bool {
	return v == 0 || !math.IsNaN(v) && !math.IsInf(v, 0) && math.Abs(v) >= 0x1p-1022
}

// rescale moves the most frequent coefficient of each sum in a product, or of a power or a root of a sum, into the
// coefficient of the product where that is shorter: 3*(2*x + 2*y) is 6*(x + y), (2*x + 1)*(0.5*y + 1) is
// (x + 0.5)*(y + 2), and 3*sqrt(4*x + 1) is 6*sqrt(x + 0.25).
func rescale(e Expr) Expr {
	p, ok := e.(*product)
	if !ok {
		return e
	}
	outer := 1.0
	fs := slices.Clone(p.factors)
	for i, f := range fs {
		base, exponent := brokenPower(f)
		s, ok := base.(*sum)
		if !ok {
			continue
		}
		c := frequentCoefficient(s)
		scaled, ok := divideTerms(s, c)
		next := outer * math.Pow(c, exponent)
		if ok && scaled.size() < s.size() && usable(next) && next != 0 {
			fs[i], outer = powerOf(scaled, exponent), next
		}
	}
	return shorter(e, normalProduct(append(fs, number(outer))))
}

// powerOf is base^e, a half and its inverse as a root.
func powerOf(base Expr, e float64) Expr {
	switch e {
	case 0.5:
		return Call(Sqrt, base)
	case -0.5:
		return Pow(Call(Sqrt, base), number(-1))
	}
	return Pow(base, number(e))
}

// SplitCoefficient writes e as c*rest with c > 0, in normal form. In a product rest has the factors without their
// number, in a sum the coefficient of the first term becomes 1 or -1, unless another leaves the range of numbers then.
func SplitCoefficient(e Expr) (c float64, rest Expr) {
	s := simplifier{normals: map[Expr]Expr{}}
	e = s.settle(e)
	if whole, ok := e.(*sum); ok {
		c, _ = coefficient(whole.terms[0])
		if rest, ok := divideTerms(whole, math.Abs(c)); ok {
			return math.Abs(c), rest
		}
		return 1, whole
	}
	c, rest = splitTerm(e)
	if c < 0 {
		return -c, negate(rest)
	}
	return c, rest
}

// divideTerms returns s/c, dividing each coefficient; ok is false where one of them overflows or underflows.
func divideTerms(s *sum, c float64) (e Expr, ok bool) {
	ok = true
	e = normalSum(mapAll(s.terms, func(t Expr) Expr {
		k, rest := splitTerm(t)
		if k /= c; k == 0 || !usable(k) {
			ok = false
			return t
		}
		if rest == number(1) {
			return number(k)
		}
		return scale(k, rest)
	}))
	return e, ok
}

// frequentCoefficient returns the magnitude, other than 1, that most terms have as their
// coefficient; the first of equals, 1 if there is none.
func frequentCoefficient(s *sum) float64 {
	count := map[float64]int{}
	best := 1.0
	for _, t := range s.terms {
		c, fs := coefficient(t)
		c = math.Abs(c)
		if len(fs) == 0 || c == 1 || c == 0 {
			continue
		}
		count[c]++
		if count[c] > count[best] {
			best = c
		}
	}
	return best
}
