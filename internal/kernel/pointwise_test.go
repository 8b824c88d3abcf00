package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// sizes are numbers of elements that make whole and broken vectors.
var sizes = []int{1, 3, 4, 5, 7, 8, 11, 12, 16, 20, 28, 40, 67, 340}

// within tells whether two results differ by no more than n roundings of numbers of a size.
func within[T Float](got, want T, n, size float64) bool {
	return math.Abs(float64(got)-float64(want)) <= n*epsilon[T]()/2*max(size, math.Abs(float64(want)))
}

func TestUnits(t *testing.T) {
	eachKernel(t, func(t *testing.T, _ set) {
		testUnits[float32](t)
		testUnits[float64](t)
	})
}

// Values of both kernels are within 2 ε of the true ones, slopes within 3 ε: see
// TestElementaryAccuracy. Products are rounded once and so are equal.
func testUnits[T Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range sizes {
		for _, c := range []struct {
			name string
			f    UnaryFunc[T]
		}{{"Sin", Sin[T]}, {"Cos", Cos[T]}, {"Sigmoid", Sigmoid[T]}, {"Tanh", Tanh[T]}} {
			z := random[T](rng, n)
			for i := range z {
				z[i] *= 5
			}
			if n > 20 { // beyond the range of the assembly, in a vector with others
				z[3], z[9], z[10], z[20] = T(math.Inf(1)), 1e7, T(math.NaN()), -1e6
			}
			want, wantSlope := append([]T(nil), z...), make([]T, n)
			with(portable, func() { c.f(want, wantSlope) })
			slope := make([]T, n)
			x := append([]T(nil), z...)
			c.f(z, slope)
			for i := range z {
				if math.IsNaN(float64(want[i])) && math.IsNaN(float64(z[i])) && math.IsNaN(float64(slope[i])) {
					continue
				}
				if !within(z[i], want[i], 8, 1) || !within(slope[i], wantSlope[i], 12, 1) {
					t.Fatalf("%s %T of %d numbers: at %v %v with slope %v, portable %v with %v",
						c.name, z[i], n, x[i], z[i], slope[i], want[i], wantSlope[i])
				}
			}
		}
		testProducts[T](t, rng, n)
	}
}

func testProducts[T Float](t *testing.T, rng *rand.Rand, n int) {
	const units = 3
	z, dp := random[T](rng, 2*units*n), random[T](rng, units*n)
	var p, dz, scaled [2][]T
	for i, s := range []set{portable, active} {
		p[i], dz[i] = make([]T, units*n), make([]T, 2*units*n)
		scaled[i] = append([]T(nil), dp...)
		with(s, func() {
			Products(p[i], z, n)
			ProductsBackward(dz[i], z, dp, n)
			Scale(scaled[i], z)
		})
	}
	for name, r := range map[string][2][]T{"Products": p, "ProductsBackward": dz, "Scale": scaled} {
		for i := range r[0] {
			if r[0][i] != r[1][i] {
				t.Fatalf("%s %T of rows of %d: element %d is %v, portable %v", name, r[0][i], n, i, r[1][i], r[0][i])
			}
		}
	}
}

func TestSquaredError(t *testing.T) {
	eachKernel(t, func(t *testing.T, _ set) {
		testSquaredError[float32](t)
		testSquaredError[float64](t)
	})
}

// The mean of n positive terms is within n+3 roundings of the true one, in either kernel.
func testSquaredError[T Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, lanes := range laneCounts() {
		for _, n := range []int{1, 2, 17, 40} {
			p, y, weight := random[T](rng, n*lanes), random[T](rng, n), random[T](rng, lanes)
			var loss, dp [2][]T
			for i, s := range []set{portable, active} {
				loss[i], dp[i] = make([]T, lanes), make([]T, n*lanes)
				with(s, func() {
					SquaredError(loss[i], p, y, lanes)
					SquaredErrorBackward(dp[i], p, y, weight, lanes)
				})
			}
			for e := range lanes {
				if !within(loss[1][e], loss[0][e], 2*float64(n+3), 0) {
					t.Fatalf("%T n=%d lanes=%d: loss of lane %d is %v, portable %v", y[0], n, lanes, e, loss[1][e], loss[0][e])
				}
			}
			for i := range dp[0] {
				if dp[0][i] != dp[1][i] {
					t.Fatalf("%T n=%d lanes=%d: gradient %d is %v, portable %v", y[0], n, lanes, i, dp[1][i], dp[0][i])
				}
			}
		}
	}
}

func TestAdam(t *testing.T) {
	eachKernel(t, func(t *testing.T, _ set) {
		testAdam[float32](t)
		testAdam[float64](t)
	})
}

// adamCase returns weights with gradients and moments: zeros of both signs, dead weights with
// decayed moments, weights about the mask, an infinite gradient.
func adamCase[T Float](rng *rand.Rand, s Shape) (w, dw, m, v []T) {
	n := s.Weights()
	w, dw, m, v = random[T](rng, n), random[T](rng, n), random[T](rng, n), random[T](rng, n)
	for i := range v {
		v[i] *= v[i]
		switch i % 11 {
		case 2:
			w[i], m[i], v[i] = 0, 0, 0
		case 3:
			w[i], dw[i] = T(math.Copysign(0, -1)), 0
		case 5:
			w[i] = 1e-3 * (1 + w[i]/100)
		case 7:
			m[i], v[i], dw[i] = T(1e-25*float64(m[i])), 1e-37, 0
		case 9:
			w[i] *= 1e-4
		}
	}
	w[n/2], dw[n/3] = T(math.NaN()), T(math.Inf(1))
	return w, dw, m, v
}

// An update rounds a handful of times: 16 roundings, of the largest of the numbers that enter.
func testAdam[T Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, lanes := range laneCounts() {
		for _, s := range []Shape{{Rows: 1, In: 1}, {Rows: 3, In: 4}, {Rows: 7, In: 13}} {
			s.Lanes = lanes
			for _, mask := range []T{0, 1e-3} {
				a := AdamStep[T]{Rate: 1e-2, Epsilon: 1e-8, OneLessB1: 0.1, OneLessB2: 1e-3, Mask: mask}
				w, dw, m, v := adamCase[T](rng, s)
				lambda := random[T](rng, lanes)
				for e, l := range lambda {
					lambda[e] = max(l, -l)
				}
				var r [2][3][]T
				for i, k := range []set{portable, active} {
					r[i] = [3][]T{append([]T(nil), w...), append([]T(nil), m...), append([]T(nil), v...)}
					with(k, func() { Adam(r[i][0], dw, r[i][1], r[i][2], lambda, a, s) })
				}
				for j, name := range []string{"w", "m", "v"} {
					for i := range w {
						got, want := r[1][j][i], r[0][j][i]
						if got == want || math.IsNaN(float64(got)) && math.IsNaN(float64(want)) {
							continue
						}
						size := math.Abs(float64(m[i])) + float64(v[i]+dw[i]*dw[i])
						if w[i] == w[i] {
							size += math.Abs(float64(w[i]))
						}
						if nearMask := mask > 0 && (got == 0) != (want == 0); nearMask || !within(got, want, 16, size) {
							t.Fatalf("%T %+v mask=%g: %s[%d] is %v, portable %v (w=%v dw=%v m=%v v=%v)",
								got, s, mask, name, i, got, want, w[i], dw[i], m[i], v[i])
						}
					}
				}
			}
		}
	}
}

// A mask that catches nothing must change no bit: assembly has a routine with and one without.
func TestMaskThatCatchesNothing(t *testing.T) {
	for _, s := range []set{portable, avx2, avx512} {
		t.Run(s.String(), func(t *testing.T) {
			use(t, s)
			testIdleMask[float32](t)
			testIdleMask[float64](t)
		})
	}
}

func testIdleMask[T Float](t *testing.T) {
	s := Shape{Rows: 7, In: 13, Lanes: 28}
	o := newOperands[T](newRand(), Shape{Rows: s.Rows, In: s.In, Batch: 2, Lanes: s.Lanes})
	lambda, dw := repeat([]T{1e-3}, s.Lanes), random[T](newRand(), s.Weights())
	var r [2][]T
	for i, mask := range []T{0, 1e-30} {
		a := AdamStep[T]{Rate: 1e-2, Epsilon: 1e-8, OneLessB1: 0.1, OneLessB2: 1e-3, Mask: mask}
		w, m, v := append([]T(nil), o.w...), make([]T, len(o.w)), make([]T, len(o.w))
		for range 3 {
			Adam(w, dw, m, v, lambda, a, s)
		}
		r[i] = append(append(w, m...), v...)
	}
	if i := firstDifference(r[0], r[1]); i >= 0 {
		t.Errorf("%T: number %d is %v without a mask, %v with one", r[0][i], i, r[0][i], r[1][i])
	}
}
