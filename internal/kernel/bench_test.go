package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"
)

// BenchmarkStep runs the kernels of a training step in the order of the graph: layers of ten
// identity, sine, cosine and sigmoid units each and ten products, batches of 20.
func BenchmarkStep(b *testing.B) {
	for _, s := range []set{portable, avx2, avx512} {
		for _, net := range []struct {
			name   string
			hidden int
		}{{"F1", 1}, {"Deep3", 3}} {
			b.Run(fmt.Sprintf("kernel=%s/net=%s/dtype=float32", s, net.name),
				func(b *testing.B) { benchmarkStep[float32](b, s, net.hidden) })
			b.Run(fmt.Sprintf("kernel=%s/net=%s/dtype=float64", s, net.name),
				func(b *testing.B) { benchmarkStep[float64](b, s, net.hidden) })
		}
	}
}

func benchmarkStep[T Float](b *testing.B, s set, hidden int) {
	use(b, s)
	net := newStep[T](rand.New(rand.NewPCG(1, 1)), hidden, Lanes[T]())
	best := time.Duration(math.MaxInt64)
	for b.Loop() {
		start := time.Now()
		net.step()
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(net.lanes), "ns/net-step")
	b.ReportMetric(float64(best.Nanoseconds())/float64(net.lanes), "best-ns/net-step") // on a busy machine
}

// step is a network of the benchmark with all its arrays.
type step[T Float] struct {
	lanes, t     int
	x, y         []T // minibatch
	layers       []stepLayer[T]
	loss, weight []T
	lambda       []T
}

type stepLayer[T Float] struct {
	Shape
	w, dw, m, v, z, dz, d []T
}

const (
	unaryRows = 40
	products  = 10
)

func newStep[T Float](rng *rand.Rand, hidden, lanes int) *step[T] {
	const batch, inputs = 20, 4
	n := &step[T]{lanes: lanes, x: random[T](rng, inputs*batch), y: random[T](rng, batch), loss: make([]T, lanes),
		weight: make([]T, lanes), lambda: make([]T, lanes)}
	for e := range n.weight {
		n.weight[e], n.lambda[e] = 1, 1e-4
	}
	in := inputs
	for l := range hidden + 1 {
		rows, all := unaryRows+2*products, unaryRows+3*products
		if l == hidden {
			rows, all = 1, 1
		}
		s := Shape{Rows: rows, In: in, Batch: batch, Lanes: lanes}
		w := random[T](rng, s.Weights())
		for i := range w {
			w[i] *= T(math.Sqrt(1 / float64(in)))
		}
		zeros := func(rows int) []T { return make([]T, rows*batch*lanes) }
		n.layers = append(n.layers, stepLayer[T]{s, w, make([]T, len(w)), make([]T, len(w)), make([]T, len(w)), zeros(all),
			zeros(all), zeros(unaryRows)})
		in = unaryRows + products
	}
	return n
}

func (n *step[T]) step() {
	last := len(n.layers) - 1
	row := 20 * n.lanes
	units := func(s []T, from, to int) []T { return s[from*row : to*row] }
	for i := range n.layers {
		l := &n.layers[i]
		if i == 0 {
			AffineForwardShared(l.z, l.w, n.x, l.Shape)
		} else {
			AffineForward(l.z, l.w, n.layers[i-1].z[2*products*row:], l.Shape)
		}
		if i == last {
			break
		}
		Sin(units(l.z, 30, 40), units(l.d, 10, 20))
		Cos(units(l.z, 40, 50), units(l.d, 20, 30))
		Sigmoid(units(l.z, 50, 60), units(l.d, 30, 40))
		Products(units(l.z, 60, 70), l.z, row)
	}
	out := &n.layers[last]
	SquaredError(n.loss, out.z, n.y, n.lanes)
	SquaredErrorBackward(out.dz, out.z, n.y, n.weight, n.lanes)
	for i := last; i >= 0; i-- {
		l := &n.layers[i]
		if i == 0 {
			AffineWeightsShared(l.dw, l.dz, n.x, l.Shape)
			break
		}
		before := &n.layers[i-1]
		AffineInput(before.dz[2*products*row:], l.w, l.dz, l.Shape)
		AffineWeights(l.dw, l.dz, before.z[2*products*row:], l.Shape)
		ProductsBackward(before.dz, before.z, units(before.dz, 60, 70), row)
		Scale(units(before.dz, 30, 40), units(before.d, 10, 20))
		Scale(units(before.dz, 40, 50), units(before.d, 20, 30))
		Scale(units(before.dz, 50, 60), units(before.d, 30, 40))
	}
	n.t++
	root := math.Sqrt(1 - math.Pow(0.999, float64(n.t)))
	a := AdamStep[T]{Rate: T(1e-3 * root / (1 - math.Pow(0.9, float64(n.t)))), Epsilon: T(1e-8 * root),
		OneLessB1: T(1 - 0.9), OneLessB2: T(1 - 0.999)}
	for i := range n.layers {
		l := &n.layers[i]
		Adam(l.w, l.dw, l.m, l.v, n.lambda, a, l.Shape)
	}
}

// BenchmarkPeak multiplies the same few numbers over and over: the rate that no kernel exceeds.
func BenchmarkPeak(b *testing.B) {
	for _, s := range assembled {
		b.Run(fmt.Sprintf("kernel=%s/dtype=float32", s), func(b *testing.B) { benchmarkPeak[float32](b, s) })
		b.Run(fmt.Sprintf("kernel=%s/dtype=float64", s), func(b *testing.B) { benchmarkPeak[float64](b, s) })
	}
}

func benchmarkPeak[T Float](b *testing.B, s set) {
	use(b, s)
	const depth = 10000
	var c, a, y [16]T
	v, lanes := widest[T](Lanes[T]())
	rows, cols := 3, 4
	if s == avx512 {
		rows, cols = 5, 5
	}
	for b.Loop() {
		v.product(unsafe.Pointer(&c), unsafe.Pointer(&a), unsafe.Pointer(&y), 0, 0, 0, 0, 0, 0, 0, rows, cols, depth)
	}
	multiplyAdds(b, rows*cols*depth*lanes)
}

// multiplyAdds reports the rate when an iteration does n.
func multiplyAdds(b *testing.B, n int) {
	b.ReportMetric(float64(n)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "madds/ns")
}

// BenchmarkAffine has the maps of the benchmark's networks: first, hidden and read-out layer.
func BenchmarkAffine(b *testing.B) {
	for _, s := range []set{portable, avx2, avx512} {
		for _, shape := range []Shape{{Rows: 15, In: 4, Batch: 20}, {Rows: 60, In: 4, Batch: 20},
			{Rows: 60, In: 50, Batch: 20}, {Rows: 1, In: 50, Batch: 20}} {
			benchmarkAffine[float32](b, s, shape)
			benchmarkAffine[float64](b, s, shape)
		}
	}
}

func benchmarkAffine[T Float](b *testing.B, s set, shape Shape) {
	for _, c := range affineCases[T]() {
		var zero T
		b.Run(fmt.Sprintf("kernel=%s/dtype=%T/rows=%d/in=%d/f=%s", s, zero, shape.Rows, shape.In, c.name),
			func(b *testing.B) {
				use(b, s)
				shape.Lanes = Lanes[T]()
				o := newOperands[T](rand.New(rand.NewPCG(1, 1)), shape)
				out := make([]T, c.out(shape))
				for b.Loop() {
					c.f(out, o)
				}
				multiplyAdds(b, shape.Rows*shape.In*shape.Batch*shape.Lanes)
			})
	}
}

// BenchmarkUnits runs what is done number by number on ten rows of a batch of 20.
func BenchmarkUnits(b *testing.B) {
	for _, s := range []set{portable, avx2, avx512} {
		benchmarkUnits[float32](b, s)
		benchmarkUnits[float64](b, s)
	}
}

func benchmarkUnits[T Float](b *testing.B, s set) {
	before := active
	active = s
	n := 200 * Lanes[T]()
	active = before
	rng := rand.New(rand.NewPCG(1, 1))
	z, d, p := random[T](rng, 2*n), make([]T, 2*n), random[T](rng, n)
	x := append([]T(nil), z...)
	shape := Shape{Rows: 10, In: 19, Lanes: n / 200}
	a := AdamStep[T]{Rate: 1e-9, Epsilon: 1e-8, OneLessB1: 0.1, OneLessB2: 1e-3}
	masked := a
	masked.Mask = 1e-9
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"Sin", func() { copy(z[:n], x); Sin(z[:n], d) }},
		{"Cos", func() { copy(z[:n], x); Cos(z[:n], d) }},
		{"Sigmoid", func() { copy(z[:n], x); Sigmoid(z[:n], d) }},
		{"Tanh", func() { copy(z[:n], x); Tanh(z[:n], d) }},
		{"Scale", func() { copy(z[:n], x); Scale(z[:n], p) }},
		{"Products", func() { Products(p, x, n) }},
		{"ProductsBackward", func() { ProductsBackward(d, x, p, n) }},
		{"Adam", func() { Adam(z[:n], p, d[:n], d[n:], x, a, shape) }},
		{"AdamMasked", func() { Adam(z[:n], p, d[:n], d[n:], x, masked, shape) }},
	} {
		var zero T
		b.Run(fmt.Sprintf("kernel=%s/dtype=%T/f=%s", s, zero, c.name), func(b *testing.B) {
			use(b, s)
			clear(d)
			for b.Loop() {
				c.f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/number")
		})
	}
}
