package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A network must have the same bits whatever the number of lanes it is packed among, in whichever
// of them it is, and whatever its neighbours hold.
func TestLanesKeepTheirBits(t *testing.T) {
	for _, s := range []set{portable, avx2, avx512} {
		t.Run(s.String(), func(t *testing.T) {
			use(t, s)
			testLanes[float32](t)
			testLanes[float64](t)
		})
	}
}

func testLanes[T Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, shape := range shapes() {
		shape.Lanes = 1
		lane := newOperands[T](rng, shape)
		want := map[string][]T{}
		for _, lanes := range laneCounts() {
			for _, e := range []int{0, lanes / 2, lanes - 1} {
				shape.Lanes = lanes
				for name, got := range everything(lane.spread(rng, lanes, e)) {
					got = pick(got, e, lanes)
					if want[name] == nil {
						want[name] = got
					}
					if i := firstDifference(got, want[name]); i >= 0 {
						t.Fatalf("%s %T %+v: element %d in lane %d is %v, in lane 0 of %d %v",
							name, got[i], shape, i, e, got[i], laneCounts()[0], want[name][i])
					}
				}
			}
		}
	}
}

// The same sample must have the same bits wherever it stands in the batch, and the same row in
// whichever tile it falls.
func TestTilesKeepTheirBits(t *testing.T) {
	for _, s := range []set{portable, avx2, avx512} {
		t.Run(s.String(), func(t *testing.T) {
			use(t, s)
			testTiles[float32](t)
			testTiles[float64](t)
		})
	}
}

func testTiles[T Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	one := newOperands[T](rng, Shape{Rows: 1, In: 9, Batch: 1, Lanes: 16})
	for _, rows := range []int{1, 2, 3, 4, 5, 8, 16} {
		for _, batch := range []int{1, 2, 3, 4, 5, 7, 10, 19} {
			s := Shape{Rows: rows, In: one.In, Batch: batch, Lanes: one.Lanes}
			o := operands[T]{Shape: s, w: repeat(one.w, rows)}
			for k := range one.In { // the same sample all over the batch
				o.y = append(o.y, repeat(one.y[k*16:(k+1)*16], batch)...)
				o.x = append(o.x, repeat(one.x[k:k+1], batch)...)
			}
			for i, c := range affineCases[T]()[:2] {
				got, want := make([]T, c.out(s)), make([]T, 16)
				c.f(got, o)
				affineCases[T]()[i].f(want, one)
				if i := firstDifference(got, repeat(want, rows*batch)); i >= 0 {
					t.Fatalf("%s %T %+v: element %d is %v, alone it is %v", c.name, got[0], s, i, got[i], want[i%16])
				}
			}
		}
	}
	for _, in := range []int{1, 2, 3, 4, 5, 8, 23} { // all inputs alike: all columns of the gradient must be
		s := Shape{Rows: 7, In: in, Batch: 13, Lanes: 16}
		o := newOperands[T](rng, s)
		row := s.Batch * s.Lanes
		o.y, o.x = repeat(o.y[:row], in), repeat(o.x[:s.Batch], in)
		for r := range s.Rows {
			w := o.w[r*(in+1)*16:]
			copy(w, repeat(w[:16], in))
		}
		for i, c := range affineCases[T]()[2:] {
			got := make([]T, c.out(s))
			c.f(got, o)
			if i == 0 {
				if i := firstDifference(got, repeat(got[:row], in)); i >= 0 {
					t.Fatalf("%s %T %+v: element %d is %v, in the first row %v", c.name, got[0], s, i, got[i], got[i%row])
				}
				continue
			}
			for r := range s.Rows {
				dw := got[r*(in+1)*16:][:in*16]
				if i := firstDifference(dw, repeat(dw[:16], in)); i >= 0 {
					t.Fatalf("%s %T %+v: element %d of row %d is %v, in the first column %v", c.name, got[0], s, i, r, dw[i], dw[i%16])
				}
			}
		}
	}
}

// spread returns operands of so many lanes that hold o, which has one lane, in lane e and other
// numbers elsewhere, some of them beyond the range of the assembly.
func (o operands[T]) spread(rng *rand.Rand, lanes, e int) operands[T] {
	s := o.Shape
	s.Lanes = lanes
	into := func(s []T) []T {
		r := random[T](rng, len(s)*lanes)
		for i := range r {
			switch {
			case i%lanes == e:
				r[i] = s[i/lanes]
			case i%17 == 0:
				r[i] = 1e6
			case i%19 == 0:
				r[i] = T(math.NaN())
			}
		}
		return r
	}
	return operands[T]{s, into(o.w), into(o.z), into(o.y), o.x}
}

// everything returns what each kernel makes of the operands.
func everything[T Float](o operands[T]) map[string][]T {
	out := map[string][]T{}
	for _, c := range affineCases[T]() {
		r := make([]T, c.out(o.Shape))
		c.f(r, o)
		out[c.name] = r
	}
	for name, f := range map[string]UnaryFunc[T]{"Sin": Sin[T], "Cos": Cos[T], "Sigmoid": Sigmoid[T],
		"Tanh": Tanh[T], "Scale": Scale[T]} {
		z, d := append([]T(nil), o.z...), append([]T(nil), o.z...)
		f(z, d)
		out[name], out[name+" slope"] = z, d
	}
	row := o.Batch * o.Lanes
	p, dz := make([]T, len(o.z)), make([]T, 2*len(o.z))
	Products(p, append(o.z, o.z...), row)
	ProductsBackward(dz, append(o.z, o.z...), p, row)
	out["Products"], out["ProductsBackward"] = p, dz
	loss, dp := make([]T, o.Lanes), make([]T, row*o.In)
	SquaredError(loss, o.y, o.x, o.Lanes)
	SquaredErrorBackward(dp, o.y, o.x, o.w, o.Lanes)
	out["SquaredError"], out["SquaredErrorBackward"] = loss, dp
	lambda := make([]T, o.Lanes)
	for e := range lambda {
		lambda[e] = 1e-3
	}
	for name, mask := range map[string]T{"Adam": 0, "AdamMasked": 1e-2} {
		w, m, v := append([]T(nil), o.w...), make([]T, len(o.w)), make([]T, len(o.w))
		Adam(w, out["AffineWeights"], m, v, lambda,
			AdamStep[T]{Rate: 1e-2, Epsilon: 1e-8, OneLessB1: 0.1, OneLessB2: 1e-3, Mask: mask}, o.Shape)
		out[name+" w"], out[name+" m"], out[name+" v"] = w, m, v
	}
	return out
}

// pick returns what lane e holds.
func pick[T Float](s []T, e, lanes int) []T {
	var r []T
	for i := e; i < len(s); i += lanes {
		r = append(r, s[i])
	}
	return r
}

func repeat[T Float](s []T, n int) []T {
	r := make([]T, 0, n*len(s))
	for range n {
		r = append(r, s...)
	}
	return r
}

// firstDifference returns where bits differ, or -1. All NaN are alike.
func firstDifference[T Float](a, b []T) int {
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		if math.Float64bits(x) != math.Float64bits(y) && !(math.IsNaN(x) && math.IsNaN(y)) {
			return i
		}
	}
	return -1
}

// FuzzKernels compares every kernel with the portable one on shapes and numbers of the fuzzer's.
func FuzzKernels(f *testing.F) {
	f.Add(uint64(1), uint8(3), uint8(4), uint8(20), uint8(2), 1.0)
	f.Add(uint64(2), uint8(70), uint8(1), uint8(17), uint8(4), 1e-20)
	f.Add(uint64(3), uint8(1), uint8(50), uint8(1), uint8(1), 1e15)
	f.Fuzz(func(t *testing.T, seed uint64, rows, in, batch, blocks uint8, size float64) {
		s := Shape{Rows: int(rows)%80 + 1, In: int(in)%60 + 1, Batch: int(batch)%40 + 1, Lanes: Block * (int(blocks)%8 + 1)}
		if !(math.Abs(size) > 1e-12 && math.Abs(size) < 1e12) { // else products of three leave float32
			size = 1
		}
		fuzzKernels[float32](t, rand.New(rand.NewPCG(seed, 1)), s, size)
		fuzzKernels[float64](t, rand.New(rand.NewPCG(seed, 2)), s, size)
	})
}

// The bounds are those of TestAffine and TestUnits.
func fuzzKernels[T Float](t *testing.T, rng *rand.Rand, s Shape, size float64) {
	o := newOperands[T](rng, s)
	for _, a := range [][]T{o.z, o.y, o.x} {
		for i := range a {
			a[i] *= T(size)
		}
	}
	var want, bound map[string][]T
	with(portable, func() { want, bound = everything(o), everything(o.magnitudes()) })
	for _, k := range assembled {
		if !available(k) {
			continue
		}
		var got map[string][]T
		with(k, func() { got = everything(o) })
		check := func(name string, tol func(i int) float64) {
			for i, x := range got[name] {
				y := want[name][i]
				if d := math.Abs(float64(x) - float64(y)); d > tol(i) || math.IsNaN(float64(x)) != math.IsNaN(float64(y)) {
					t.Fatalf("%s %s: element %d of %+v is %v, portable %v", k, name, i, s, x, y)
				}
			}
		}
		for _, c := range affineCases[T]() {
			check(c.name, func(i int) float64 { return float64(c.terms(s)) * epsilon[T]() * float64(bound[c.name][i]) })
		}
		for _, name := range []string{"Sin", "Cos", "Sigmoid", "Tanh"} {
			check(name, func(int) float64 { return 4 * epsilon[T]() })
			check(name+" slope", func(int) float64 { return 6 * epsilon[T]() })
		}
		for _, name := range []string{"Products", "ProductsBackward", "Scale", "SquaredErrorBackward"} {
			check(name, func(int) float64 { return 0 })
		}
	}
}
