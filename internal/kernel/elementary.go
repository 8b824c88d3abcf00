package kernel

import "math"

// The elementary functions of the portable kernels. They work in float64 whatever the network
// is trained in, agree with package math to 2 units in the last place of numbers of size one, and
// hand over to it outside their fast range: huge arguments, infinities, NaN.

const (
	// Adding and subtracting 1.5·2⁵² rounds to the nearest integer; the integer then stands
	// in the low bits of the sum.
	roundMagic = 6755399441055744.0

	twoOverPi = 2 / math.Pi
	// π/2 = pio2a + pio2b + pio2c; the first two have 33 significant bits, so that their
	// products with a quadrant below 2²⁰ are exact (Cody and Waite).
	pio2a = 1.57079632673412561417e+00
	pio2b = 6.07710050630396597660e-11
	pio2c = 2.02226624879595063154e-21

	sincosFast   = 1e5     // beyond this the quadrant may exceed 2²⁰: use package math
	sincosFast32 = 1 << 13 // the same for assembly that works in float32

	log2e = 1 / math.Ln2
	ln2a  = 6.93147180369123816490e-01 // ln 2 = ln2a + ln2b, the first with 33 bits
	ln2b  = 1.90821492927058770002e-10

	expFast = 700 // beyond this 2ⁿ may leave the normal numbers: use package math
)

// sincos returns sin x and cos x. One reduction serves both: x = q·π/2 + r, |r| ≤ π/4, then
// the minimax polynomials of fdlibm, and the quadrant q swaps and signs them.
func sincos(x float64) (sin, cos float64) {
	if !(x > -sincosFast && x < sincosFast) { // negated: NaN too
		return math.Sincos(x)
	}
	t := x*twoOverPi + roundMagic
	q := math.Float64bits(t)
	n := t - roundMagic
	r := ((x - n*pio2a) - n*pio2b) - n*pio2c
	r2 := r * r
	s := r * (1 + r2*(-1.66666666666666324348e-01+r2*(8.33333333332248946124e-03+r2*(-1.98412698298579493134e-04+
		// a product keeps the sign of zero
		r2*(2.75573137070700676789e-06+r2*(-2.50507602534068634195e-08+r2*1.58969099521155010221e-10))))))
	c := 1 - 0.5*r2 + r2*r2*(4.16666666666666019037e-02+r2*(-1.38888888888741095749e-03+r2*(2.48015872894767294178e-05+
		r2*(-2.75573143513906633035e-07+r2*(2.08757232129817482790e-09+r2*-1.13596475577881948265e-11)))))
	// Quadrant without branches, which random signs would make expensive.
	sb, cb := math.Float64bits(s), math.Float64bits(c)
	swap := -(q & 1) & (sb ^ cb)
	sin = math.Float64frombits((sb ^ swap) ^ (q&2)<<62)
	cos = math.Float64frombits((cb ^ swap) ^ ((q+1)&2)<<62)
	return sin, cos
}

// exp returns eˣ: x = n·ln 2 + r, |r| ≤ ln 2/2, eʳ by a minimax polynomial, times 2ⁿ.
func exp(x float64) float64 {
	if !(x > -expFast && x < expFast) {
		return math.Exp(x)
	}
	t := x*log2e + roundMagic
	n := t - roundMagic
	r := (x - n*ln2a) - n*ln2b
	r2 := r * r
	// Two halves, which the processor computes side by side.
	low := 5.00000000000001285e-01 +
		r*(1.66666666666666995e-01+r*(4.16666666665143506e-02+r*(8.33333333330690267e-03+r*1.38888889473248679e-03)))
	high := 1.98412699180192213e-04 +
		r*(2.48014895963670804e-05+r*(2.75572157510766466e-06+r*(2.76314119587411624e-07+r*2.51180296699685486e-08)))
	y := 1 + (r + r2*(low+r2*r2*r*high))
	return math.Float64frombits(math.Float64bits(y) + math.Float64bits(t)<<52)
}

// tanh returns tanh x = 1 − 2/(e²ˣ+1); near zero, where that cancels, package math.
func tanh(x float64) float64 {
	if !(x > 0.5 || x < -0.5) || x > 300 || x < -300 {
		return math.Tanh(x)
	}
	return 1 - 2/(exp(2*x)+1)
}
