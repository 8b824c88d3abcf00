package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// unaryCases have the functions in float64 by package math.
var unaryCases = []struct {
	name     string
	value    func(x float64) float64
	f32      UnaryFunc[float32]
	f64      UnaryFunc[float64]
	slope    func(x, y float64) float64 // from the value
	interval float64                    // where the function varies
}{
	{"Sin", math.Sin, Sin[float32], Sin[float64], func(x, _ float64) float64 { return math.Cos(x) }, 1e6},
	{"Cos", math.Cos, Cos[float32], Cos[float64], func(x, _ float64) float64 { return -math.Sin(x) }, 1e6},
	{"Sigmoid", func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, Sigmoid[float32], Sigmoid[float64],
		func(_, y float64) float64 { return y * (1 - y) }, 40},
	{"Tanh", math.Tanh, Tanh[float32], Tanh[float64], func(_, y float64) float64 { return 1 - y*y }, 20},
}

// corners are numbers where a reduction or a comparison may go wrong.
func corners[T Float]() []T {
	limit := float64(math.MaxFloat32)
	tiny, normal := float64(math.SmallestNonzeroFloat32), 0x1p-126
	if epsilon[T]() < 1e-10 {
		limit, tiny, normal = math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022
	}
	var list []T
	for _, x := range []float64{
		0, tiny, 3 * tiny, normal / 2, normal, 1e-30, 1e-20, 1e-10, 1e-5, 1e-3, 0.25, 0.34, 0.5, 0.69, 1, 1.5, 2, 3, 6, 9, 10,
		18, 19, 20, 21, 36, 40, 86.9, 87, 87.1, 88, 88.8, 89, 103, 104, 350, 699.9, 700, 700.1, 709, 710, 744, 746, 1e3, 8191,
		8191.99, 8192, 8193, 99999, 1e5, 100001, 1e6, 1e9, 0x1p29, 0x1p31, 1e15, 1e22, 1e30, limit / 2, limit, math.Inf(1),
	} {
		list = append(list, T(x), T(-x))
	}
	for k := 1; k < 4000; k += 1 + k/9 { // about multiples of π/2, where the quadrant changes
		x := T(float64(k) * math.Pi / 2)
		list = append(list, x, -x, next(x, 1), next(x, -1), next(-x, 1))
	}
	return append(list, T(math.NaN()))
}

// next returns the number n places after x.
func next[T Float](x T, n int) T {
	for range max(n, -n) {
		if unsafe.Sizeof(x) == 4 {
			x = T(math.Nextafter32(float32(x), float32(math.Copysign(math.Inf(1), float64(n)))))
		} else {
			x = T(math.Nextafter(float64(x), math.Copysign(math.Inf(1), float64(n))))
		}
	}
	return x
}

// Every kernel promises 2 units in the last place of numbers of size one, ε, for values and slopes.
// The slope of sigmoid and tanh comes from the rounded value, whose error it takes over; 3 ε then.
func TestElementaryAccuracy(t *testing.T) {
	for _, s := range []set{portable, avx2, avx512} {
		for i, c := range unaryCases {
			t.Run(fmt.Sprintf("%s/%s/float32", s, c.name), func(t *testing.T) {
				use(t, s)
				testAccuracy(t, i, c.f32)
			})
			t.Run(fmt.Sprintf("%s/%s/float64", s, c.name), func(t *testing.T) {
				use(t, s)
				testAccuracy(t, i, c.f64)
			})
		}
	}
}

func testAccuracy[T Float](t *testing.T, which int, f UnaryFunc[T]) {
	c := unaryCases[which]
	rng := rand.New(rand.NewPCG(3, 4))
	x := corners[T]()
	for range 40000 {
		u := 2*rng.Float64() - 1
		x = append(x, T(u*c.interval), T(u*10), T(u*math.Exp2(40*(2*rng.Float64()-1))))
	}
	for len(x)%16 != 0 {
		x = append(x, 0)
	}
	z, d := append([]T(nil), x...), make([]T, len(x))
	f(z, d)
	var worst, worstSlope, atX, atSlope float64
	for i, x := range x {
		want := c.value(float64(x))
		if math.IsNaN(want) != math.IsNaN(float64(z[i])) || math.IsNaN(want) != math.IsNaN(float64(d[i])) {
			t.Errorf("%s(%g) = %g with slope %g, want %g", c.name, x, z[i], d[i], want)
			continue
		}
		if x == 0 && math.Signbit(want) != math.Signbit(float64(z[i])) {
			t.Errorf("%s(%g) = %g has the wrong sign", c.name, x, z[i])
		}
		if e := math.Abs(float64(z[i])-want) / epsilon[T](); e > worst {
			worst, atX = e, float64(x)
		}
		if e := math.Abs(float64(d[i])-c.slope(float64(x), want)) / epsilon[T](); e > worstSlope {
			worstSlope, atSlope = e, float64(x)
		}
	}
	t.Logf("worst error %.2f ε at %.9g, of the slope %.2f ε at %.9g", worst, atX, worstSlope, atSlope)
	if !(worst <= 2) || !(worstSlope <= 3) {
		t.Errorf("error %.2f ε at %g, want at most 2; of the slope %.2f ε at %g, want at most 3",
			worst, atX, worstSlope, atSlope)
	}
}
