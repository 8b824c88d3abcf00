package formula

import (
	"fmt"
	"math"
)

// Const returns the number v. The infinities and NaN, which no text form can hold, become
// 1/0, -1/0 and 0/0.
func Const(v float64) Expr {
	switch {
	case math.IsNaN(v):
		return Div(number(0), number(0))
	case math.IsInf(v, 1):
		return Div(number(1), number(0))
	case math.IsInf(v, -1):
		return Div(number(-1), number(0))
	}
	return number(v)
}

// Var returns the variable called name. Any name will do: the text form puts names that are
// no identifiers between backticks.
func Var(name string) Expr { return variable(name) }

// Add returns the sum of xs, and 0 without any. Sums among xs are merged into it.
func Add(xs ...Expr) Expr {
	terms := make([]Expr, 0, len(xs))
	for _, x := range xs {
		if s, ok := x.(*sum); ok {
			terms = append(terms, s.terms...)
		} else {
			terms = append(terms, x)
		}
	}
	switch len(terms) {
	case 0:
		return number(0)
	case 1:
		return terms[0]
	}
	return &sum{terms: terms, h: hashAll(2, terms), n: sumSize(terms)}
}

// Sub returns a - b.
func Sub(a, b Expr) Expr { return Add(a, Neg(b)) }

// Neg returns -a; the minus goes into a leading number when there is one.
func Neg(a Expr) Expr {
	if v, ok := a.(number); ok {
		return -v
	}
	return Mul(number(-1), a)
}

// Mul returns the product of xs, and 1 without any. Products among xs are merged into it, its
// numbers are multiplied into one that comes first (1 is left out), and the denominator
// comes last. It does no other algebra: 0*x and x*x stay.
func Mul(xs ...Expr) Expr {
	var p productBuilder
	for _, x := range xs {
		if q, ok := x.(*product); ok {
			for _, f := range q.factors {
				p.add(f)
			}
		} else {
			p.add(x)
		}
	}
	return p.build()
}

// Div returns a/b.
func Div(a, b Expr) Expr { return Mul(a, inverse(b)) }

// Pow returns a^b. An exponent of 1 is left out, and a^-1 is 1/a.
func Pow(a, b Expr) Expr {
	if v, ok := b.(number); ok {
		switch v {
		case 1:
			return a
		case -1:
			return inverse(a)
		}
	}
	return newPower(a, b)
}

// Call returns f(x), or f(x, y) for a function of two variables. It panics when f is none of the functions of this
// package, or has another number of arguments.
func Call(f Func, args ...Expr) Expr {
	if n := f.Arity(); len(args) != n {
		panic(fmt.Sprintf("formula: %d arguments for %v, which takes %d", len(args), f, n))
	}
	return newCall(f, args...)
}

func newCall(f Func, args ...Expr) Expr {
	n := 1
	for _, x := range args {
		n += x.size()
	}
	return &call{f: f, args: args, h: hashAll(mix(5, uint64(f)), args), n: n}
}

func newPower(a, b Expr) Expr {
	return &power{base: a, exp: b, h: mix(mix(4, a.hash()), b.hash()), n: powerSize(a, b)}
}

// inverse returns 1/a: the inverse of each factor, and powers of numbers with the opposite
// exponent.
func inverse(a Expr) Expr {
	switch a := a.(type) {
	case number:
		if a == 1 {
			return a
		}
	case *product:
		inv := make([]Expr, len(a.factors))
		for i, f := range a.factors {
			inv[i] = inverse(f)
		}
		return Mul(inv...)
	case *power:
		if c, ok := a.exp.(number); ok {
			return Pow(a.base, -c)
		}
	}
	return newPower(a, number(-1))
}

// productBuilder puts factors into the order that product promises.
type productBuilder struct {
	num, den   []Expr   // without numbers
	cnum, cden []number // numbers that cannot be multiplied into one
}

func (p *productBuilder) add(f Expr) {
	switch f := f.(type) {
	case number:
		p.cnum = foldNumber(p.cnum, f)
		return
	case *power:
		if !inDenominator(f) {
			break
		}
		if c, ok := f.base.(number); ok && f.exp == number(-1) {
			p.cden = foldNumber(p.cden, c)
		} else {
			p.den = append(p.den, f)
		}
		return
	}
	p.num = append(p.num, f)
}

func (p *productBuilder) build() Expr {
	fs := make([]Expr, 0, len(p.cnum)+len(p.num)+len(p.cden)+len(p.den))
	for _, c := range p.cnum {
		if c != 1 {
			fs = append(fs, c)
		}
	}
	fs = append(fs, p.num...)
	for _, c := range p.cden {
		if c != 1 {
			fs = append(fs, newPower(c, number(-1)))
		}
	}
	fs = append(fs, p.den...)
	switch len(fs) {
	case 0:
		return number(1)
	case 1:
		return fs[0]
	}
	return &product{factors: fs, h: hashAll(3, fs), n: productSize(fs)}
}

// foldNumber multiplies v into the last of cs, and the product into the one before, until that
// would overflow or lose digits to underflow; what is left it appends.
func foldNumber(cs []number, v number) []number {
	for len(cs) > 0 {
		last := len(cs) - 1
		p, ok := timesNumber(float64(cs[last]), float64(v))
		if !ok {
			break
		}
		cs, v = cs[:last], number(p)
	}
	return append(cs, v)
}

// timesNumber returns a*b and whether it is a finite number with all its digits.
func timesNumber(a, b float64) (float64, bool) {
	p := a * b
	const smallestNormal = 0x1p-1022
	if a == 0 || b == 0 {
		return p, true
	}
	return p, !math.IsInf(p, 0) && math.Abs(p) >= smallestNormal
}

// inDenominator reports whether f is a power with a negative number as exponent.
func inDenominator(f Expr) bool {
	p, ok := f.(*power)
	if !ok {
		return false
	}
	c, ok := p.exp.(number)
	return ok && c < 0
}

// fraction splits e into numerator and denominator: e = Mul(num...) / Mul(den...).
func fraction(e Expr) (num, den []Expr) {
	factors := []Expr{e}
	if p, ok := e.(*product); ok {
		factors = p.factors
	}
	i := 0
	for i < len(factors) && !inDenominator(factors[i]) {
		i++
	}
	for _, f := range factors[i:] {
		den = append(den, inverse(f))
	}
	return factors[:i:i], den
}

// isNegative reports whether e is written with a leading minus.
func isNegative(e Expr) bool {
	if p, ok := e.(*product); ok {
		e = p.factors[0]
	}
	v, ok := e.(number)
	return ok && math.Signbit(float64(v))
}
