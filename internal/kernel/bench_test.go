package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// BenchmarkStep runs the kernels of a training step in the order of the graph: layers of ten
// identity, sine, cosine and sigmoid units each and ten products, batches of 20.
func BenchmarkStep(b *testing.B) {
	for _, s := range []set{portable, avx2, avx512} {
		for _, net := range []struct {
			name   string
			hidden int
		}{{"F1", 1}, {"Deep3", 3}} {
			b.Run(fmt.Sprintf("kernel=%s/net=%s/dtype=float32", s, net.name), func(b *testing.B) { benchmarkStep[float32](b, s, net.hidden) })
			b.Run(fmt.Sprintf("kernel=%s/net=%s/dtype=float64", s, net.name), func(b *testing.B) { benchmarkStep[float64](b, s, net.hidden) })
		}
	}
}

func benchmarkStep[T Float](b *testing.B, s set, hidden int) {
	use(b, s)
	net := newStep[T](rand.New(rand.NewPCG(1, 1)), hidden, Lanes[T]())
	for b.Loop() {
		net.step()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(net.lanes), "ns/net-step")
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
	n := &step[T]{lanes: lanes, x: random[T](rng, inputs*batch), y: random[T](rng, batch), loss: make([]T, lanes), weight: make([]T, lanes), lambda: make([]T, lanes)}
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
		n.layers = append(n.layers, stepLayer[T]{s, w, make([]T, len(w)), make([]T, len(w)), make([]T, len(w)), zeros(all), zeros(all), zeros(unaryRows)})
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
	a := AdamStep[T]{Rate: T(1e-3 * root / (1 - math.Pow(0.9, float64(n.t)))), Epsilon: T(1e-8 * root), OneLessB1: T(1 - 0.9), OneLessB2: T(1 - 0.999)}
	for i := range n.layers {
		l := &n.layers[i]
		Adam(l.w, l.dw, l.m, l.v, n.lambda, a, l.Shape)
	}
}
