package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

// elementary writes the unary units. z and d hold n vectors; f(z) goes to z and f′(z) to d.
func (v vector) elementary() {
	v.circular("sin", "rewrites z with its sine and d with its cosine.", false)
	v.circular("cos", "rewrites z with its cosine and d with minus its sine.", true)
	v.sigmoid()
	v.tanh()
}

// polynomial evaluates the polynomial with the named coefficients, and then further constant
// terms, at x by Horner's rule.
func (v vector) polynomial(name string, n int, x Op, further ...Op) Op {
	p := v.reg()
	v.load(v.constant(coefficient(name, n-1)), p)
	for i := n - 2; i >= 0; i-- {
		v.mulAdd(v.constant(coefficient(name, i)), x, p)
	}
	for _, c := range further {
		v.mulAdd(c, x, p)
	}
	return p
}

// circular writes sine and cosine. One reduction serves both: x = n·π + r with |r| ≤ π/2, then
// sin x = (−1)ⁿ sin r and cos x = (−1)ⁿ cos r. It stops before a vector that has an element
// beyond the limit or NaN, and returns how many vectors are done.
func (v vector) circular(name, doc string, cosine bool) {
	v.text(name, "(z, d pointer, n int) (done int)", doc+" It stops before a vector that is out of range.")
	z, d, n, done := arg("z"), arg("d"), arg("n"), asm.GP64()
	one, limit, magnitude, round, inverse := v.held("one"), v.held("circle_limit"), v.held("magnitude"), v.held("round"), v.held("1/pi")
	pi, piLow := v.held("pi"), v.held("pi_low")
	terms, cterms, _ := v.polynomials()
	asm.XORQ(done, done)
	asm.Label("next")
	asm.CMPQ(done, n)
	asm.JGE(LabelRef("end"))

	x, size := v.reg(), v.reg()
	v.load(Mem{Base: z}, x)
	v.and(x, magnitude, size)
	v.jumpIfAny(notLess, limit, size, size, "end")
	t, k := v.reg(), v.reg()
	v.move(round, t)
	v.addTo(inverse, x, t)
	v.sub(round, t, k)
	v.subFrom(pi, k, x)
	v.subFrom(piLow, k, x)
	v.shiftLeft(U8(8*v.size-1), t, t) // odd n: the sign
	u := k
	v.mul(x, x, u)
	s := v.polynomial("s", len(terms), u, one)
	c := v.polynomial("c", len(cterms), u, one)
	v.xor(t, c, c)
	if cosine {
		v.xor(v.constant("sign"), t, t)
	}
	v.mul(s, x, s)
	v.xor(t, s, s)
	if cosine {
		s, c = c, s
	}
	v.store(s, Mem{Base: z})
	v.store(c, Mem{Base: d})

	asm.ADDQ(U8(v.bytes), z)
	asm.ADDQ(U8(v.bytes), d)
	asm.INCQ(done)
	asm.JMP(LabelRef("next"))
	asm.Label("end")
	asm.Store(done, asm.Return("done"))
	end()
}

// expLessOne computes p = eʳ − 1 and the scale 2ⁿ with x = n·ln 2 + r, |r| ≤ ln 2/2. It uses x up.
func (v vector) expLessOne(x Op) (p, scale Op) {
	_, _, terms := v.polynomials()
	t, n := v.reg(), v.reg()
	v.load(v.constant("round"), t)
	v.addTo(v.constant("1/ln2"), x, t)
	v.sub(v.constant("round"), t, n)
	v.subFrom(v.constant("ln2"), n, x)
	v.subFrom(v.constant("ln2_low"), n, x)
	exponent := U8(23)
	if v.size == 8 {
		exponent = 52
	}
	v.shiftLeft(exponent, t, t)
	v.addInt(v.constant("one"), t, t)
	p = v.polynomial("e", len(terms), x)
	v.mul(x, x, n)
	v.mulAdd(x, n, p)
	return p, t
}

// unary begins a routine over z and d and calls f for each vector.
func (v vector) unary(f func(z, d Mem)) {
	z, d, n := arg("z"), arg("d"), arg("n")
	asm.Label("next")
	asm.DECQ(n)
	asm.JL(LabelRef("end"))
	f(Mem{Base: z}, Mem{Base: d})
	asm.ADDQ(U8(v.bytes), z)
	asm.ADDQ(U8(v.bytes), d)
	asm.JMP(LabelRef("next"))
	asm.Label("end")
	end()
}

// sigmoid writes s = 1/(1+e⁻ˣ). Below minus the limit it is zero, which spares denormal numbers.
func (v vector) sigmoid() {
	v.text("sigmoid", "(z, d pointer, n int)", "rewrites z with s = 1/(1+exp(-z)) and d with s*(1-s).")
	one, low, high, sign := v.held("one"), v.held("-exp_limit"), v.held("exp_limit"), v.held("sign")
	v.unary(func(z, d Mem) {
		x, none := v.reg(), v.reg()
		v.load(z, x)
		v.compare(less, low, x, none)
		v.xor(sign, x, x)
		v.max(x, low, x)
		v.min(x, high, x)
		p, scale := v.expLessOne(x)
		v.mulAdd(scale, scale, p)
		v.add(one, p, p)
		s, rest := v.reg(), v.reg()
		v.div(p, one, s)
		v.andNot(s, none, s)
		v.sub(s, one, rest)
		v.mul(s, rest, rest)
		v.store(s, z)
		v.store(rest, d)
	})
}

// tanh writes tanh|x| = m/(m+2) with m = e²ˣ − 1, which keeps the digits of small x, and the sign.
func (v vector) tanh() {
	v.text("tanh", "(z, d pointer, n int)", "rewrites z with t = tanh(z) and d with 1-t*t.")
	one, two, limit, sign, magnitude := v.held("one"), v.held("two"), v.held("tanh_limit"), v.held("sign"), v.held("magnitude")
	v.unary(func(z, d Mem) {
		x, signs := v.reg(), v.reg()
		v.load(z, x)
		v.and(x, sign, signs)
		v.and(x, magnitude, x)
		v.min(x, limit, x)
		v.add(x, x, x)
		p, scale := v.expLessOne(x)
		rest := v.reg()
		v.sub(one, scale, rest)
		v.mulAdd(rest, scale, p)
		v.add(two, p, rest)
		v.div(rest, p, p)
		v.or(signs, p, p)
		v.store(p, z)
		v.move(one, rest)
		v.subFrom(p, p, rest)
		v.store(rest, d)
	})
}
