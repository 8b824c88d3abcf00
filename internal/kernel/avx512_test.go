package kernel

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// The assembly for AVX-512 must give the bits of that for AVX2. An emulator runs it, so that this
// holds on processors that have only the latter; on others all tests run on it, too.
func TestAVX512GivesTheBitsOfAVX2(t *testing.T) {
	use(t, avx2)
	t.Run("float32", func(t *testing.T) { testEmulated[float32](t, "Z32", 4) })
	t.Run("float64", func(t *testing.T) { testEmulated[float64](t, "Z64", 8) })
}

func testEmulated[T Float](t *testing.T, suffix string, size int) {
	m := newEmulator(t, "vector_amd64.s")
	m.size = size
	lanes := 64 / size
	rng := rand.New(rand.NewPCG(15, 16))
	for _, s := range []Shape{
		{Rows: 1, In: 1, Batch: 1}, {Rows: 5, In: 5, Batch: 5}, {Rows: 6, In: 15, Batch: 15}, {Rows: 9, In: 12, Batch: 8},
		{Rows: 12, In: 6, Batch: 16}, {Rows: 3, In: 13, Batch: 10},
	} {
		s.Lanes = lanes
		o := newOperands[T](rng, s)
		d := distancesOf[T](s)
		want := everything(o)
		same := func(name string, got []T) {
			if i := firstDifference(got, want[name]); i >= 0 {
				t.Errorf("%s %+v: element %d is %v, with AVX2 %v", name, s, i, got[i], want[name][i])
			}
		}
		m.memory = make([]byte, 64)
		w, z, y, x := store(m, o.w), store(m, o.z), store(m, o.y), store(m, o.x)
		out := store(m, make([]T, max(len(o.w), 2*len(o.z), len(o.y))))
		zero := func() { clear(m.memory[out:]) }

		m.call("forward"+suffix, out, w, y, d.row, d.lanes, d.weights, d.lanes, d.lanes, d.row,
			s.In*d.lanes, s.Rows, s.Batch, s.In)
		same("AffineForward", fetch[T](m, out, len(o.z)))
		zero()
		m.call("forwardShared"+suffix, out, w, x, d.row, d.lanes, d.weights, d.lanes, size, s.Batch*size,
			s.In*d.lanes, s.Rows, s.Batch, s.In)
		same("AffineForwardShared", fetch[T](m, out, len(o.z)))
		zero()
		m.call("product"+suffix, out, w, z, d.row, d.lanes, d.lanes, d.weights, d.lanes, d.row, 0, s.In, s.Batch, s.Rows)
		same("AffineInput", fetch[T](m, out, len(o.y)))
		zero()
		m.call("productShared"+suffix, out, z, x, d.weights, d.lanes, d.row, d.lanes, s.Batch*size, size,
			0, s.Rows, s.In, s.Batch)
		m.call("sums"+suffix, out+s.In*d.lanes, z, d.weights, d.row, d.lanes, s.Rows, s.Batch)
		same("AffineWeightsShared", fetch[T](m, out, len(o.w)))
		zero()
		m.call("product"+suffix, out, z, y, d.weights, d.lanes, d.row, d.lanes, d.row, d.lanes, 0, s.Rows, s.In, s.Batch)
		m.call("sums"+suffix, out+s.In*d.lanes, z, d.weights, d.row, d.lanes, s.Rows, s.Batch)
		same("AffineWeights", fetch[T](m, out, len(o.w)))

		n := s.Rows * s.Batch
		for name, routine := range map[string]string{"Sin": "sin", "Cos": "cos", "Sigmoid": "sigmoid",
			"Tanh": "tanh", "Scale": "scale"} {
			a, b := store(m, o.z), store(m, o.z)
			m.call(routine+suffix, a, b, n)
			same(name, fetch[T](m, a, len(o.z)))
			same(name+" slope", fetch[T](m, b, len(o.z)))
		}
		loss, dp := store(m, make([]T, lanes)), store(m, make([]T, len(o.y)))
		m.call("squaredError"+suffix, loss, y, x, len(o.x), d.lanes, float64(1/T(len(o.x))))
		same("SquaredError", fetch[T](m, loss, lanes))
		m.call("squaredErrorBackward"+suffix, dp, y, x, w, len(o.x), d.lanes, float64(2/T(len(o.x))))
		same("SquaredErrorBackward", fetch[T](m, dp, len(o.y)))

		dw, lambda := store(m, want["AffineWeights"]), store(m, repeat([]T{1e-3}, lanes))
		number := func(x T) float64 { return float64(x) }
		for name, routine := range map[string]string{"Adam": "adam", "AdamMasked": "adamMasked"} {
			w, mm, v := store(m, o.w), store(m, make([]T, len(o.w))), store(m, make([]T, len(o.w)))
			m.call(routine+suffix, w, dw, mm, v, lambda, number(1e-2), number(1e-8), number(0.1), number(1e-3),
				number(1e-2), s.Rows, s.In, d.lanes)
			same(name+" w", fetch[T](m, w, len(o.w)))
			same(name+" m", fetch[T](m, mm, len(o.w)))
			same(name+" v", fetch[T](m, v, len(o.w)))
		}
	}
	testEmulatedCorners[T](t, m, suffix, lanes)
	testEmulatedMultiply[T](t, m, rng, suffix, lanes)
	for name, l := range m.routines {
		for pc, in := range l.code {
			if strings.HasSuffix(name, suffix) && !l.ran[pc] {
				t.Errorf("%s: instruction %d, %v, was never run", name, pc, in)
				break
			}
		}
	}
}

// testEmulatedCorners goes through numbers that are denormal, huge, infinite or NaN.
func testEmulatedCorners[T Float](t *testing.T, m *emulator, suffix string, lanes int) {
	var x []T
	for _, c := range corners[T]() {
		x = append(x, repeat([]T{c}, lanes)...)
	}
	for name, f := range map[string]UnaryFunc[T]{"sin": Sin[T], "cos": Cos[T], "sigmoid": Sigmoid[T], "tanh": Tanh[T]} {
		want, wantSlope := append([]T(nil), x...), make([]T, len(x))
		f(want, wantSlope)
		m.memory = nil
		z, d := store(m, x), store(m, make([]T, len(x)))
		for i := 0; i < len(x); i += lanes {
			at := i * m.size
			done := m.call(name+suffix, z+at, d+at, 1)
			if circular := name == "sin" || name == "cos"; circular && (done == 1) != circularFast(x[i]) {
				t.Errorf("%s of %v: %d vectors done", name, x[i], done)
			} else if circular && done == 0 {
				continue
			}
			got := append(fetch[T](m, z+at, lanes), fetch[T](m, d+at, lanes)...)
			if j := firstDifference(got, append(repeat(want[i:i+1], lanes), repeat(wantSlope[i:i+1], lanes)...)); j >= 0 {
				t.Errorf("%s of %v is %v, with AVX2 %v with slope %v", name, x[i], got[j], want[i], wantSlope[i])
			}
		}
	}
}

func testEmulatedMultiply[T Float](t *testing.T, m *emulator, rng *rand.Rand, suffix string, lanes int) {
	n := 3 * lanes
	a, b, g := random[T](rng, n), random[T](rng, n), random[T](rng, n)
	b[0], b[1] = 0, T(math.Inf(1))
	m.memory = nil
	pa, pb, pg := store(m, a), store(m, b), store(m, g)
	p, da, db := store(m, a), store(m, a), store(m, a)
	m.call("multiply"+suffix, p, pa, pb, 3)
	m.call("multiplyBackward"+suffix, da, db, pg, pa, pb, 3)
	for i := range n {
		if x := fetch[T](m, p, n)[i]; x != a[i]*b[i] {
			t.Errorf("%v·%v = %v", a[i], b[i], x)
		}
		if x, y := fetch[T](m, da, n)[i], fetch[T](m, db, n)[i]; x != g[i]*b[i] || y != g[i]*a[i] {
			t.Errorf("gradients of %v·%v with %v are %v and %v", a[i], b[i], g[i], x, y)
		}
	}
}
