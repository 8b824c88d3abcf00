package ptx_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/eqlearner/eql/internal/gpu"
	"github.com/eqlearner/eql/internal/gpu/emulator"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/internal/ptx"
)

// unitKernel returns a kernel that reads vectors of x and writes f(x) and f′(x).
func unitKernel[T kernel.Float](n int, f func(w *ptx.Writer, x []string) (y, d []string)) gpu.Kernel {
	w := ptx.New(32, int(unsafe.Sizeof(T(0))), kernel.Constants[T]())
	text := w.Capture(func() {
		w.Emit("ld.param.u64 %%array, [array]")
		w.Items(n/w.Vector, func(item string) {
			at := w.Long()
			w.Emit("mad.wide.u32 %s, %s, 16, %%array", at, item)
			x := w.Numbers(w.Vector)
			for i := range x {
				w.Emit("ld.global.%s %s, [%s+%d]", w.Type(), x[i], at, i*w.Size)
			}
			y, d := f(w, x)
			for i := range x {
				w.Emit("st.global.%s [%s+%d], %s", w.Type(), at, i*w.Size, y[i])
				w.Emit("st.global.%s [%s+%d], %s", w.Type(), at, (n+i)*w.Size, d[i])
			}
		})
		w.Emit("ret")
	})
	return gpu.Kernel{
		Entry: "unit", Threads: 32,
		Text: ".version 7.0\n.target sm_70\n.address_size 64\n" + w.Tables() +
			".visible .entry unit(.param .u64 array)\n{\n" +
			w.Registers() + "\t.reg .b64 %array;\n" + text + "}\n",
	}
}

// run returns what a unit's kernel makes of x.
func run[T kernel.Float](t *testing.T, x []T, f func(w *ptx.Writer, x []string) (y, d []string)) (y, d []T) {
	t.Helper()
	card := emulator.New(gpu.Info{})
	k := unitKernel[T](len(x), f)
	function, _, err := card.Compile(k)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := card.Stream()
	if err != nil {
		t.Fatal(err)
	}
	host := append(append([]T(nil), x...), make([]T, len(x))...)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&host[0])), len(host)*int(unsafe.Sizeof(x[0])))
	at, err := card.Alloc(len(bytes))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func() error{
		func() error { return stream.Upload(at, bytes) },
		func() error { return stream.Launch(function, k, 1, uint64(at)) },
		stream.Wait,
		func() error { return stream.Download(bytes, at) },
		stream.Close,
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	return host[:len(x)], host[len(x):]
}

// arguments returns numbers of all sizes and where functions change their way.
func arguments[T kernel.Float](n int) []T {
	rng := rand.New(rand.NewPCG(1, 2))
	x := []T{0, T(math.Copysign(0, -1)), 1, -1, 8191.5, 8192, -8192, 99999, 1e5, -1e5, 1 << 29, 1<<29 - 64,
		1e9, -3e9, 1e30, -3e38, T(math.Inf(1)), T(math.Inf(-1)), T(math.NaN()), 87, -87, 88, -88, 700, -700, 701, -701,
		20, -20, 21, 1e-20, -1e-38, 1e-42, 0.5}
	for len(x)%4 != 0 || len(x) < n {
		size := math.Exp(rng.Float64()*130 - 50)
		x = append(x, T(math.Copysign(size, rng.Float64()-0.5)))
	}
	return x
}

// Units must have the bits of the assembly.
func TestUnits(t *testing.T) {
	if kernel.Name() == "portable" {
		t.Skip("the portable kernels round otherwise")
	}
	t.Run("float32", testUnits[float32])
	t.Run("float64", testUnits[float64])
}

func testUnits[T kernel.Float](t *testing.T) {
	each := func(f func(w *ptx.Writer, x string) (y, d string)) func(w *ptx.Writer, x []string) (y, d []string) {
		return func(w *ptx.Writer, x []string) (y, d []string) {
			for _, r := range x {
				s, slope := f(w, r)
				y, d = append(y, s), append(d, slope)
			}
			return y, d
		}
	}
	for _, u := range []struct {
		name   string
		write  func(w *ptx.Writer, x []string) (y, d []string)
		kernel kernel.UnaryFunc[T]
	}{
		{"sine", (*ptx.Writer).Circular, kernel.Sin[T]},
		{"sigmoid", each((*ptx.Writer).Sigmoid), kernel.Sigmoid[T]},
		{"hyperbolic tangent", each((*ptx.Writer).Tanh), kernel.Tanh[T]},
	} {
		t.Run(u.name, func(t *testing.T) {
			x := arguments[T](4000)
			y, d := run(t, x, u.write)
			want, slope := append([]T(nil), x...), make([]T, len(x))
			u.kernel(want, slope)
			for i := range x {
				if different(y[i], want[i]) || different(d[i], slope[i]) {
					t.Errorf("of %g: %g and %g, the assembly has %g and %g", x[i], y[i], d[i], want[i], slope[i])
				}
			}
		})
	}
}

// different compares bits; all that is no number is equal.
func different[T kernel.Float](a, b T) bool {
	return math.Float64bits(float64(a)) != math.Float64bits(float64(b)) && (a == a || b == b)
}

// A barrier must stand where something is read that was written, or written that was read or written, and nowhere else.
func TestPhase(t *testing.T) {
	a, b := ptx.Span{From: 0, To: 16}, ptx.Span{From: 16, To: 32}
	part := ptx.Span{From: 12, To: 20}
	type phase struct{ reads, writes []ptx.Span }
	for _, c := range []struct {
		name          string
		first, second phase
		barriers      int
	}{
		{"two readers", phase{reads: []ptx.Span{a}}, phase{reads: []ptx.Span{a}}, 0},
		{"other places", phase{writes: []ptx.Span{a}}, phase{reads: []ptx.Span{b}, writes: []ptx.Span{b}}, 0},
		{"read after write", phase{writes: []ptx.Span{a}}, phase{reads: []ptx.Span{part}}, 1},
		{"write after read", phase{reads: []ptx.Span{part}}, phase{writes: []ptx.Span{b}}, 1},
		{"write after write", phase{writes: []ptx.Span{a}}, phase{writes: []ptx.Span{part}}, 1},
	} {
		w := ptx.New(32, 4, nil)
		w.Phase("first", c.first.reads, c.first.writes)
		w.Phase("second", c.second.reads, c.second.writes)
		if w.Barriers() != c.barriers {
			t.Errorf("%s: %d barriers, want %d", c.name, w.Barriers(), c.barriers)
		}
	}
}

// Equal calls must give equal texts, since cards keep what they compiled by its text.
func TestTextIsDeterministic(t *testing.T) {
	text := func() string { return unitKernel[float64](64, (*ptx.Writer).Circular).Text }
	if a, b := text(), text(); a != b {
		t.Error("two texts of one kernel differ")
	}
}

func ExampleWriter_Op() {
	w := ptx.New(64, 8, nil)
	fmt.Print(w.Capture(func() { w.Op("fma.rn", w.Number(), "%x", w.Literal(2), "%y") }))
	// Output: 	fma.rn.f64 %f1, %x, 0d4000000000000000, %y;
}
