package ptx

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// sincos returns sine and cosine of one x beyond the range of the polynomials, computed in float64.
func (w *Writer) sincos(x string) (sine, cosine string) {
	if w.Size == 8 {
		return rare{w}.sincos(x)
	}
	d := w.Double()
	w.Emit("cvt.f64.f32 %s, %s", d, x)
	s, c := rare{w}.sincos(d)
	sine, cosine = w.Number(), w.Number()
	w.Emit("cvt.rn.f32.f64 %s, %s", sine, s)
	w.Emit("cvt.rn.f32.f64 %s, %s", cosine, c)
	return sine, cosine
}

// Tables returns the text of what the kernel reads besides its parameters.
func (w *Writer) Tables() string {
	if !w.circular {
		return ""
	}
	return "// The binary digits of 4/pi.\n.const .align 8 .b64 digits[20] = {" +
		strings.Join(fourOverPi(20), ", ") + "};\n\n"
}

// fourOverPi returns the binary digits of 4/π in words of 64 bits, of which the first is its integer part.
func fourOverPi(words int) []string {
	const precision = 64*24 + 8
	x := new(big.Float).SetPrec(precision).Quo(big.NewFloat(4).SetPrec(precision), pi(precision))
	digits := make([]string, words)
	for i := range digits {
		word, _ := x.Uint64()
		digits[i] = fmt.Sprintf("0x%016X", word)
		x.Sub(x, new(big.Float).SetUint64(word))
		x.SetMantExp(x, 64)
	}
	return digits
}

// pi returns π by Machin's formula, 16·atan(1/5) − 4·atan(1/239).
func pi(precision uint) *big.Float {
	atan := func(n int64) *big.Float { // of 1/n
		sum, power := new(big.Float).SetPrec(precision), new(big.Float).SetPrec(precision).SetInt64(1)
		square := new(big.Float).SetInt64(n * n)
		power.Quo(power, new(big.Float).SetInt64(n))
		for k := int64(1); power.Sign() != 0 && power.MantExp(nil) > -int(precision)-8; k += 2 {
			term := new(big.Float).SetPrec(precision).Quo(power, new(big.Float).SetInt64(k))
			if k%4 == 3 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power.Quo(power, square)
		}
		return sum
	}
	a, b := atan(5), atan(239)
	a.Mul(a, big.NewFloat(16))
	return a.Sub(a, b.Mul(b, big.NewFloat(4)))
}

// rare writes sine and cosine in float64, without fused operations: up to 1e5 as kernel's portable code, whose
// reduction is in three parts of π/2, and beyond as package math, whose bits they must have: three parts of π/4, and
// from 2²⁹ on the digits of 4/π (Payne and Hanek).
type rare struct{ *Writer }

// do computes on float64 into a register.
func (w rare) do(name, d string, args ...string) {
	w.Emit("%s.f64 %s, %s", name, d, strings.Join(args, ", "))
}

// op computes on float64 into a new register.
func (w rare) op(name string, args ...string) string {
	d := w.Double()
	w.do(name, d, args...)
	return d
}

// long computes into a new register of 64 bits.
func (w rare) long(name string, args ...string) string {
	d := w.Long()
	w.Emit("%s %s, %s", name, d, strings.Join(args, ", "))
	return d
}

func (w rare) bits(x string) string { return w.long("mov.b64", x) }

func (w rare) sincos(x string) (sine, cosine string) {
	sine, cosine = w.Double(), w.Double()
	far, done, near := w.Name("FAR"), w.Name("DONE"), w.Flag()
	size := w.op("abs", x)
	w.do("setp.lt", near, size, double(1e5))
	w.Emit("@!%s bra %s", near, far)
	w.near(x, sine, cosine)
	w.Emit("bra %s", done)
	w.Label(far)
	w.far(x, size, sine, cosine, done)
	w.Label(done)
	return sine, cosine
}

// poly is c[0] + u·(c[1] + u·(c[2] + …)).
func (w rare) poly(u string, c ...float64) string {
	p := double(c[len(c)-1])
	for k := len(c) - 2; k >= 0; k-- {
		p = w.op("add.rn", double(c[k]), w.op("mul.rn", u, p))
	}
	return p
}

// reduce is ((x − n·c₀) − n·c₁) − n·c₂.
func (w rare) reduce(x, n string, c ...float64) string {
	for _, part := range c {
		x = w.op("sub.rn", x, w.op("mul.rn", n, double(part)))
	}
	return x
}

// aboutZero is 1 − u/2 + u²·p, the cosine.
func (w rare) aboutZero(u, p string) string {
	half := w.op("sub.rn", double(1), w.op("mul.rn", double(0.5), u))
	return w.op("add.rn", half, w.op("mul.rn", w.op("mul.rn", u, u), p))
}

func (w rare) near(x, sine, cosine string) {
	const magic = 3 << 51
	t := w.op("add.rn", w.op("mul.rn", x, double(2/math.Pi)), double(magic))
	quadrant := w.bits(t)
	r := w.reduce(x, w.op("sub.rn", t, double(magic)), 1.57079632673412561417e+00, 6.07710050630396597660e-11,
		2.02226624879595063154e-21)
	u := w.op("mul.rn", r, r)
	s := w.op("mul.rn", r,
		w.poly(u, 1, -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
			2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10))
	c := w.aboutZero(u, w.poly(u, 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
		-2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11))
	sb, cb := w.bits(s), w.bits(c)
	odd := w.long("sub.u64", "0", w.long("and.b64", quadrant, "1"))
	swap := w.long("and.b64", odd, w.long("xor.b64", sb, cb))
	w.quadrant(sine, w.long("xor.b64", sb, swap), quadrant)
	w.quadrant(cosine, w.long("xor.b64", cb, swap), w.long("add.u64", quadrant, "1"))
}

// quadrant is the number of bits with the sign changed where the quadrant has its second bit.
func (w rare) quadrant(d, bits, quadrant string) {
	sign := w.long("shl.b64", w.long("and.b64", quadrant, "2"), "62")
	w.Emit("mov.b64 %s, %s", d, w.long("xor.b64", bits, sign))
}

// far takes |x| of at least 1e5, or NaN and infinities.
func (w rare) far(x, size, sine, cosine, done string) {
	finite, nan := w.Flag(), w.op("sub.rn", size, size)
	w.do("setp.eq", finite, nan, double(0))
	w.do("mov", sine, nan)
	w.do("mov", cosine, nan)
	w.Emit("@!%s bra %s", finite, done)

	octant, z, big := w.Long(), w.Double(), w.Flag()
	digits, reduced := w.Name("DIGITS"), w.Name("REDUCED")
	w.do("setp.ge", big, size, double(1<<29))
	w.Emit("@%s bra %s", big, digits)
	w.octant(size, octant, z)
	w.Emit("bra %s", reduced)
	w.Label(digits)
	w.payneHanek(size, octant, z)
	w.Label(reduced)
	w.eighths(x, octant, z, sine, cosine)
}

// octant reduces |x| = j·π/4 + z for even j.
func (w rare) octant(size, j, z string) {
	odd, y := w.Flag(), w.Double()
	w.Emit("cvt.rzi.u64.f64 %s, %s", j, w.op("mul.rn", size, double(4/math.Pi)))
	w.Emit("cvt.rn.f64.u64 %s, %s", y, j)
	w.Emit("setp.ne.u64 %s, %s, 0", odd, w.long("and.b64", j, "1"))
	w.Emit("@%s add.u64 %s, %s, 1", odd, j, j)
	w.Emit("@%s add.rn.f64 %s, %s, %s", odd, y, y, double(1))
	w.Emit("and.b64 %s, %s, 7", j, j)
	r := w.reduce(size, y, 7.85398125648498535156e-1, 3.77489470793079817668e-8, 2.69515142907905952645e-15)
	w.do("mov", z, r)
}

// payneHanek does the same with as many digits of 4/π as the exponent asks for.
func (w rare) payneHanek(size, j, z string) {
	bits := w.bits(size)
	exponent := w.long("sub.u64", w.long("shr.u64", bits, "52"), "1014")
	mantissa := w.long("or.b64", w.long("and.b64", bits, "0xFFFFFFFFFFFFF"), "0x10000000000000")
	place := w.long("shl.b64", w.long("shr.u64", exponent, "6"), "3")
	at := w.long("add.u64", w.long("mov.u64", "digits"), place)
	left, right := w.Int(), w.Int()
	w.Emit("cvt.u32.u64 %s, %s", left, w.long("and.b64", exponent, "63"))
	w.Emit("sub.u32 %s, 64, %s", right, left)
	word := make([]string, 4)
	for i := range word {
		word[i] = w.long("ld.const.u64", fmt.Sprintf("[%s+%d]", at, 8*i))
	}
	z0 := w.join(word[0], word[1], left, right)
	z1 := w.join(word[1], word[2], left, right)
	z2 := w.join(word[2], word[3], left, right)
	lo := w.long("add.cc.u64", w.long("mul.lo.u64", z1, mantissa), w.long("mul.hi.u64", z2, mantissa))
	hi := w.long("addc.u64", w.long("mul.lo.u64", z0, mantissa), w.long("mul.hi.u64", z1, mantissa))
	w.Emit("shr.u64 %s, %s, 61", j, hi)
	hi = w.long("or.b64", w.long("shl.b64", hi, "3"), w.long("shr.u64", lo, "61"))
	w.fraction(hi, lo, z)
	odd := w.Flag()
	w.Emit("setp.ne.u64 %s, %s, 0", odd, w.long("and.b64", j, "1"))
	w.Emit("@%s add.u64 %s, %s, 1", odd, j, j)
	w.Emit("and.b64 %s, %s, 7", j, j)
	w.Emit("@%s sub.rn.f64 %s, %s, %s", odd, z, z, double(1))
	w.do("mul.rn", z, z, double(math.Pi/4))
}

// join is a shifted left, filled up from the top of b.
func (w rare) join(a, b, left, right string) string {
	return w.long("or.b64", w.long("shl.b64", a, left), w.long("shr.u64", b, right))
}

// fraction makes a float64 of the binary fraction in hi, which lo continues.
func (w rare) fraction(hi, lo, z string) {
	left, right, exponent := w.Int(), w.Int(), w.Long()
	w.Emit("clz.b64 %s, %s", left, hi)
	w.Emit("add.u32 %s, %s, 1", left, left)
	w.Emit("sub.u32 %s, 64, %s", right, left)
	w.Emit("cvt.u64.u32 %s, %s", exponent, left)
	w.Emit("sub.u64 %s, 1023, %s", exponent, exponent)
	mantissa := w.long("shr.u64", w.join(hi, lo, left, right), "12")
	w.Emit("mov.b64 %s, %s", z, w.long("or.b64", mantissa, w.long("shl.b64", exponent, "52")))
}

// eighths is sine and cosine from the octant and the rest.
func (w rare) eighths(x, octant, z, sine, cosine string) {
	u := w.op("mul.rn", z, z)
	c := w.aboutZero(u, w.poly(u, 4.16666666666665929218e-2, -1.38888888888730564116e-3, 2.48015872888517045348e-5,
		-2.75573141792967388112e-7, 2.08757008419747316778e-9, -1.13585365212876817300e-11))
	p := w.poly(u, -1.66666666666666307295e-1, 8.33333333332211858878e-3, -1.98412698295895385996e-4,
		2.75573136213857245213e-6, -2.50507477628578072866e-8, 1.58962301576546568060e-10)
	s := w.op("add.rn", z, w.op("mul.rn", w.op("mul.rn", z, u), p))
	negative, upper, beyond, minus := w.Flag(), w.Flag(), w.Flag(), w.Flag()
	w.do("setp.lt", negative, x, double(0))
	w.Emit("setp.gt.u64 %s, %s, 3", upper, octant)
	w.Emit("@%s sub.u64 %s, %s, 4", upper, octant, octant)
	w.Emit("setp.gt.u64 %s, %s, 1", beyond, octant)
	w.Emit("xor.pred %s, %s, %s", negative, negative, upper)
	w.Emit("xor.pred %s, %s, %s", minus, upper, beyond)
	one, two := w.Flag(), w.Flag()
	w.Emit("setp.eq.u64 %s, %s, 1", one, octant)
	w.Emit("setp.eq.u64 %s, %s, 2", two, octant)
	w.Emit("or.pred %s, %s, %s", one, one, two)
	w.do("selp", sine, c, s, one)
	w.do("selp", cosine, s, c, one)
	w.Emit("@%s neg.f64 %s, %s", minus, cosine, cosine)
	w.Emit("@%s neg.f64 %s, %s", negative, sine, sine)
}
