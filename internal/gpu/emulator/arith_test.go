package emulator

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exactFma is a·b + c from big numbers, and whether the sum is not 0: the sign of 0 is another matter.
func exactFma(a, b, c float32) (float32, bool) {
	number := func(v float32) *big.Float { return new(big.Float).SetPrec(1200).SetFloat64(float64(v)) }
	s := number(a)
	s.Mul(s, number(b)).Add(s, number(c))
	v, _ := s.Float32()
	return v, s.Sign() != 0
}

// near returns a number with the exponent e, whose last bits are often all 0 or all 1.
func near(r *rand.Rand, e int) float32 {
	m := uint32(r.Uint64()) >> r.IntN(20) & (1<<23 - 1)
	m ^= uint32(r.IntN(2)) * (1<<23 - 1)
	return math.Float32frombits(uint32(r.IntN(2))<<31 | uint32(max(0, min(254, e)))<<23 | m)
}

// numbers returns factors and a summand of one of five sorts.
func numbers(r *rand.Rand, sort int) (a, b, c float32) {
	sign := float32(1 - 2*r.IntN(2))
	switch sort {
	case 0: // anything
		return near(r, r.IntN(255)), near(r, r.IntN(255)), near(r, r.IntN(255))
	case 1: // a product near the largest or the smallest number, a summand of the same size
		e := r.IntN(255)
		a, b = near(r, e), near(r, 127-e+250*r.IntN(2))
		_, p := math.Frexp(float64(a) * float64(b))
		return a, b, near(r, p+126+r.IntN(60)-30)
	case 2: // a subnormal sum, half way between two numbers but for a little
		u := float32(1+r.IntN(8)) * 0x1p-23
		return sign * 0x1p-75 * (1 + u), 0x1p-75 * (1 - u), near(r, r.IntN(3))
	case 3: // a product of 25 bits, half way between two numbers, and a little more or less
		a, b = float32(1<<12+1+2*r.IntN(1<<11)), float32(1<<12+1+2*r.IntN(1<<11))
		return a, b, sign * near(r, 127-r.IntN(80))
	}
	// a product a little more or less than half of the summand's last bit
	u := float32(1+r.IntN(8)) * 0x1p-23
	c = near(r, 60+r.IntN(140))
	_, e := math.Frexp(float64(c))
	return sign * float32(math.Ldexp(1, e-25)) * (1 + u), 1 - u, c
}

func TestFmaF32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	double := 0
	for i := range 500000 {
		a, b, c := numbers(r, i%5)
		want, ok := exactFma(a, b, c)
		if got := fma32(a, b, c); got != want && ok {
			t.Fatalf("fma(%x, %x, %x) = %x, want %x", a, b, c, got, want)
		}
		if want != float32(float64(a)*float64(b)+float64(c)) {
			double++
		}
	}
	if double < 100 {
		t.Errorf("only %d cases would go wrong if rounded twice", double)
	}
}

func TestFmaF32Special(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, c := range []struct{ a, b, c, want float32 }{
		{inf, 1, 1, inf},
		{1, 1, -inf, -inf},
		{math.MaxFloat32, 2, -math.MaxFloat32, math.MaxFloat32},
		{math.MaxFloat32, 2, 0, inf},
		{tiny32, 0.5, tiny32, 2 * tiny32}, // 1.5 times the smallest: to even
		{tiny32, tiny32, tiny32, tiny32},
		{tiny32, 0.5, 0, 0},
		{tiny32, 0.75, 0, tiny32},
	} {
		if got := fma32(c.a, c.b, c.c); got != c.want {
			t.Errorf("fma(%g, %g, %g) = %g, want %g", c.a, c.b, c.c, got, c.want)
		}
	}
	for _, c := range [][3]float32{{inf, 0, 1}, {inf, 1, -inf}, {float32(math.NaN()), 1, 1}} {
		if got := fma32(c[0], c[1], c[2]); got == got {
			t.Errorf("fma%v = %g, want NaN", c, got)
		}
	}
	minus := float32(math.Copysign(0, -1))
	for _, c := range [][4]float32{{1, 1, -1, 0}, {1, minus, minus, minus}, {1, 0, minus, 0}} {
		if got := fma32(c[0], c[1], c[2]); math.Float32bits(got) != math.Float32bits(c[3]) {
			t.Errorf("fma%v = %g, want %g", c[:3], got, c[3])
		}
	}
}
