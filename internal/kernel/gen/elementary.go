package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// elementary writes the unary units. z and d hold n vectors; f(z) goes to z and f′(z) to d.
func (v vector) elementary() {
	v.circular("sin", "rewrites z with its sine and d with its cosine.", false)
	v.circular("cos", "rewrites z with its cosine and d with minus its sine.", true)
	v.sigmoid()
	v.tanh()
}

// circular writes sine and cosine. One reduction serves both: x = n·π + r with |r| ≤ π/2, then
// sin x = (−1)ⁿ sin r and cos x = (−1)ⁿ cos r. It stops before a vector that has an element
// beyond the limit or NaN, and returns how many vectors are done.
func (v vector) circular(name, doc string, cosine bool) {
	v.text(name, "(z, d pointer, n int) (done int)", doc+" It stops before a vector that is out of range.")
	c := circular{vector: v, cosine: cosine, z: arg("z"), d: arg("d"), one: v.held("one"),
		round: v.held("round"), inverse: v.held("1/pi"), pi: v.held("pi"), piLow: v.held("pi_low")}
	n, done, left := arg("n"), asm.GP64(), asm.GP64()
	asm.XORQ(done, done)
	asm.Label("two") // at a time hide each other's latency
	asm.MOVQ(n, left)
	asm.SUBQ(done, left)
	asm.CMPQ(left, U8(2))
	asm.JL(LabelRef("one"))
	c.vectors(2, "one")
	asm.ADDQ(U8(2), done)
	asm.JMP(LabelRef("two"))
	asm.Label("one")
	asm.CMPQ(done, n)
	asm.JGE(LabelRef("end"))
	c.vectors(1, "end")
	asm.INCQ(done)
	asm.JMP(LabelRef("two"))
	asm.Label("end")
	asm.Store(done, asm.Return("done"))
	end()
}

// circular holds the registers of sine and cosine.
type circular struct {
	vector
	cosine                         bool
	z, d                           reg.GPVirtual
	one, round, inverse, pi, piLow Op
}

// vectors computes the next n vectors, or jumps when one is out of range.
func (c circular) vectors(n int, outside string) {
	x, t, u := c.regs(n), c.regs(n), c.regs(n)
	each := func(f func(i int)) { eachOf(n, f) }
	each(func(i int) {
		c.load(Mem{Base: c.z, Disp: i * c.bytes}, x[i])
		c.and(c.constant("magnitude"), x[i], u[i])
		c.jumpIfAny(notLess, c.constant("circle_limit"), u[i], u[i], outside)
	})
	each(func(i int) { c.move(c.round, t[i]) })
	each(func(i int) { c.addTo(c.inverse, x[i], t[i]) })
	each(func(i int) { c.sub(c.round, t[i], u[i]) })
	each(func(i int) { c.subFrom(c.pi, u[i], x[i]) })
	each(func(i int) { c.subFrom(c.piLow, u[i], x[i]) })
	each(func(i int) { c.shiftLeft(U8(8*c.size-1), t[i], t[i]) }) // odd n: the sign
	each(func(i int) { c.mul(x[i], x[i], u[i]) })
	sine, cosine, _ := c.polynomials()
	p, q := c.regs(n), c.regs(n)
	for k := range max(len(sine), len(cosine)) + 1 {
		each(func(i int) { c.horner("s", len(sine), k, u[i], p[i]) })
		each(func(i int) { c.horner("c", len(cosine), k, u[i], q[i]) })
	}
	each(func(i int) {
		c.xor(t[i], q[i], q[i])
		if c.cosine {
			c.xor(c.constant("sign"), t[i], t[i])
		}
		c.mul(p[i], x[i], p[i])
		c.xor(t[i], p[i], p[i])
		f, slope := p[i], q[i]
		if c.cosine {
			f, slope = slope, f
		}
		c.store(f, Mem{Base: c.z, Disp: i * c.bytes})
		c.store(slope, Mem{Base: c.d, Disp: i * c.bytes})
	})
	asm.ADDQ(Imm(uint64(n*c.bytes)), c.z)
	asm.ADDQ(Imm(uint64(n*c.bytes)), c.d)
}

// horner does step k of 1 + u·(p₀ + p₁u + …) by Horner's rule, in p.
func (c circular) horner(name string, terms, k int, u, p Op) {
	switch {
	case k == 0:
		c.load(c.constant(coefficient(name, terms-1)), p)
	case k < terms:
		c.mulAdd(c.constant(coefficient(name, terms-1-k)), u, p)
	case k == terms:
		c.mulAdd(c.one, u, p)
	}
}

// expLessOne computes p = eʳ − 1 and the scale 2ⁿ with x = n·ln 2 + r, |r| ≤ ln 2/2. It uses x up.
func (v vector) expLessOne(x []Op) (p, scale []Op) {
	_, _, terms := v.polynomials()
	each := func(f func(i int)) { eachOf(len(x), f) }
	t, n, p := v.regs(len(x)), v.regs(len(x)), v.regs(len(x))
	each(func(i int) { v.load(v.constant("round"), t[i]) })
	each(func(i int) { v.addTo(v.constant("1/ln2"), x[i], t[i]) })
	each(func(i int) { v.sub(v.constant("round"), t[i], n[i]) })
	each(func(i int) { v.subFrom(v.constant("ln2"), n[i], x[i]) })
	each(func(i int) { v.subFrom(v.constant("ln2_low"), n[i], x[i]) })
	exponent := U8(23)
	if v.size == 8 {
		exponent = 52
	}
	each(func(i int) { v.shiftLeft(exponent, t[i], t[i]) })
	each(func(i int) { v.addInt(v.constant("one"), t[i], t[i]) })
	each(func(i int) { v.load(v.constant(coefficient("e", len(terms)-1)), p[i]) })
	for k := len(terms) - 2; k >= 0; k-- {
		each(func(i int) { v.mulAdd(v.constant(coefficient("e", k)), x[i], p[i]) })
	}
	each(func(i int) { v.mul(x[i], x[i], n[i]) })
	each(func(i int) { v.mulAdd(x[i], n[i], p[i]) })
	return p, t
}

// eachOf calls f for each of n vectors that a routine works on side by side.
func eachOf(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

// unary writes a routine over z and d. f does n vectors at a time, which hide each other's latency.
func (v vector) unary(f func(n int, z, d []Mem)) {
	z, d, left := arg("z"), arg("d"), arg("n")
	at := func(p reg.GPVirtual) []Mem { return []Mem{{Base: p}, {Base: p, Disp: v.bytes}} }
	asm.Label("two")
	asm.SUBQ(U8(2), left)
	asm.JL(LabelRef("one"))
	f(2, at(z), at(d))
	asm.ADDQ(U8(2*v.bytes), z)
	asm.ADDQ(U8(2*v.bytes), d)
	asm.JMP(LabelRef("two"))
	asm.Label("one")
	asm.INCQ(left)
	asm.JL(LabelRef("end"))
	f(1, at(z), at(d))
	asm.Label("end")
	end()
}

// sigmoid writes s = 1/(1+e⁻ˣ). Below minus the limit it is zero, which spares denormal numbers.
func (v vector) sigmoid() {
	v.text("sigmoid", "(z, d pointer, n int)", "rewrites z with s = 1/(1+exp(-z)) and d with s*(1-s).")
	one, low, high, sign := v.held("one"), v.held("-exp_limit"), v.held("exp_limit"), v.held("sign")
	v.unary(func(n int, z, d []Mem) {
		each := func(f func(i int)) { eachOf(n, f) }
		x, none := v.regs(n), v.regs(n)
		each(func(i int) { v.load(z[i], x[i]) })
		each(func(i int) { v.compare(less, low, x[i], none[i]) })
		each(func(i int) { v.xor(sign, x[i], x[i]) })
		each(func(i int) { v.max(x[i], low, x[i]) })
		each(func(i int) { v.min(x[i], high, x[i]) })
		p, scale := v.expLessOne(x)
		each(func(i int) { v.mulAdd(scale[i], scale[i], p[i]) })
		each(func(i int) { v.add(one, p[i], p[i]) })
		s, rest := x, scale
		each(func(i int) { v.div(p[i], one, s[i]) })
		each(func(i int) { v.andNot(s[i], none[i], s[i]) })
		each(func(i int) { v.sub(s[i], one, rest[i]) })
		each(func(i int) { v.mul(s[i], rest[i], rest[i]) })
		each(func(i int) { v.store(s[i], z[i]) })
		each(func(i int) { v.store(rest[i], d[i]) })
	})
}

// tanh writes tanh|x| = m/(m+2) with m = e²ˣ − 1, which keeps the digits of small x, and the sign.
func (v vector) tanh() {
	v.text("tanh", "(z, d pointer, n int)", "rewrites z with t = tanh(z) and d with 1-t*t.")
	one, limit, sign := v.held("one"), v.held("tanh_limit"), v.held("sign")
	v.unary(func(n int, z, d []Mem) {
		each := func(f func(i int)) { eachOf(n, f) }
		x, signs := v.regs(n), v.regs(n)
		each(func(i int) { v.load(z[i], x[i]) })
		each(func(i int) { v.and(x[i], sign, signs[i]) })
		each(func(i int) { v.andNot(x[i], sign, x[i]) })
		each(func(i int) { v.min(x[i], limit, x[i]) })
		each(func(i int) { v.add(x[i], x[i], x[i]) })
		p, scale := v.expLessOne(x)
		rest := x
		each(func(i int) { v.sub(one, scale[i], rest[i]) })
		each(func(i int) { v.mulAdd(rest[i], scale[i], p[i]) })
		each(func(i int) { v.add(v.constant("two"), p[i], rest[i]) })
		each(func(i int) { v.div(rest[i], p[i], p[i]) })
		each(func(i int) { v.or(signs[i], p[i], p[i]) })
		each(func(i int) { v.store(p[i], z[i]) })
		each(func(i int) { v.move(one, rest[i]) })
		each(func(i int) { v.subFrom(p[i], p[i], rest[i]) })
		each(func(i int) { v.store(rest[i], d[i]) })
	})
}
