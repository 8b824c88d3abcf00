package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/trainer"
)

// nets are the networks that steps are measured on: the paper's width 10 with 4 inputs, and one
// hidden layer (351 parameters) or three (6471).
var nets = []struct {
	name string
	arch model.Arch
}{
	{"F1", model.Uniform(4, 1, 2, 10, 10, paperUnits)},
	{"Deep3", model.Uniform(4, 1, 4, 10, 10, paperUnits)},
}

var paperUnits = []model.Unit{model.Identity, model.Sin, model.Cos, model.Sigmoid, model.Product}

const (
	rows  = 9000
	batch = 20
)

// BenchmarkStep measures one update of one network: minibatch, forward, backward, Adam with L1.
// by=graph is trainer.Fit, with the rows shuffled and the minibatches drawn from them; by=loop calls
// the same kernels in the same order by hand. device=cuda is trainer.Fit on a GPU, the start included. An operation is
// a step of one lane.
func BenchmarkStep(b *testing.B) {
	for _, n := range nets {
		b.Run(fmt.Sprintf("net=%s/dtype=float32/by=graph", n.name), func(b *testing.B) {
			stepByGraph(b, n.arch, trainer.Float32, trainer.CPU, trainer.Lanes(trainer.Float32, trainer.CPU, n.arch))
		})
		b.Run(fmt.Sprintf("net=%s/dtype=float32/by=loop", n.name), func(b *testing.B) { stepByLoop[float32](b, n.arch) })
		b.Run(fmt.Sprintf("net=%s/dtype=float64/by=graph", n.name), func(b *testing.B) {
			stepByGraph(b, n.arch, trainer.Float64, trainer.CPU, trainer.Lanes(trainer.Float64, trainer.CPU, n.arch))
		})
		b.Run(fmt.Sprintf("net=%s/dtype=float64/by=loop", n.name), func(b *testing.B) { stepByLoop[float64](b, n.arch) })
		for _, lanes := range []int{256, 1024, 16384} {
			for _, d := range []trainer.DType{trainer.Float32, trainer.Float64} {
				b.Run(fmt.Sprintf("net=%s/dtype=%s/device=cuda/networks=%d", n.name, d, lanes), func(b *testing.B) {
					if _, err := trainer.Card(); err != nil {
						b.Skip(err)
					}
					stepByGraph(b, n.arch, d, trainer.CUDA, lanes)
				})
			}
		}
	}
}

// randomData is 4 inputs and a target that training can follow for a while.
func randomData() trainer.Data {
	rng := rand.New(rand.NewPCG(1, 1))
	d := trainer.Data{Y: [][]float64{make([]float64, rows)}}
	for range 4 {
		col := make([]float64, rows)
		for i := range col {
			col[i] = 2*rng.Float64() - 1
			d.Y[0][i] += col[i] / 3
		}
		d.X = append(d.X, col)
	}
	return d
}

func starts(a model.Arch, n int) []*model.Network {
	nets := make([]*model.Network, n)
	for i := range nets {
		nets[i] = model.New(a)
		nets[i].Init(rand.New(rand.NewPCG(2, uint64(i))))
	}
	return nets
}

const lambda = 1e-4

func stepByGraph(b *testing.B, a model.Arch, dtype trainer.DType, device trainer.Device, networks int) {
	c := trainer.PaperConfig()
	c.DType, c.Batch = dtype, batch
	steps := rows / batch
	lanes := make([]trainer.Lane, networks)
	for i, n := range starts(a, len(lanes)) {
		lanes[i] = trainer.Lane{Start: n, Lambda: lambda}
	}
	c.Epochs = (b.N + len(lanes)*steps - 1) / (len(lanes) * steps)
	data := randomData()
	b.ResetTimer()
	if _, err := trainer.Fit(context.Background(), lanes, data, c, trainer.Options{Device: device}); err != nil {
		b.Fatal(err)
	}
	done := float64(c.Epochs * steps * len(lanes))
	reportSteps(b, done)
}

// reportSteps reports the time of one step of one network, and its inverse.
func reportSteps(b *testing.B, done float64) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/done, "ns/net-step")
	b.ReportMetric(done/b.Elapsed().Seconds(), "net-steps/s")
}

// loop is a network's training step written out by hand over the kernels, with the memory laid
// out as package graph does it.
type loop[T kernel.Float] struct {
	arch                model.Arch
	sizes               []kernel.Shape
	w, dw, m, v         [][]T
	value, grad, slopes [][]T // of each hidden layer: 2v factors, u unary rows, v products
	x, y, out, dout     []T
	loss, alive, lambda []T
	batch, lanes        int
}

func newLoop[T kernel.Float](a model.Arch, lanes int) *loop[T] {
	l := &loop[T]{arch: a, batch: batch, lanes: lanes}
	row := batch * lanes
	ones := func(n int, v T) []T {
		s := make([]T, n)
		for i := range s {
			s[i] = v
		}
		return s
	}
	for i := range a.Layers() {
		s := kernel.Shape{Rows: a.Rows(i), In: a.In(i), Batch: batch, Lanes: lanes}
		l.sizes = append(l.sizes, s)
		for _, p := range []*[][]T{&l.w, &l.dw, &l.m, &l.v} {
			*p = append(*p, make([]T, s.Weights()))
		}
		if i < len(a.Hidden) {
			h := a.Hidden[i]
			l.value = append(l.value, make([]T, (h.Rows()+h.Products)*row))
			l.grad = append(l.grad, make([]T, (h.Rows()+h.Products)*row))
			l.slopes = append(l.slopes, make([]T, len(h.Unary)*row))
		}
	}
	l.x, l.y = make([]T, a.Inputs*batch), make([]T, a.Outputs*batch)
	l.out, l.dout = make([]T, a.Outputs*row), make([]T, a.Outputs*row)
	l.loss, l.alive, l.lambda = make([]T, lanes), ones(lanes, 1), ones(lanes, lambda)
	for lane, n := range starts(a, lanes) {
		for i := range l.w {
			for k, w := range n.Weights[i].W {
				l.w[i][k*lanes+lane] = T(w)
			}
		}
	}
	return l
}

// forward has the kernels of a quarter of a layer's unary rows each: the paper's units in order.
func (*loop[T]) forward(z, slopes []T) {
	q := len(slopes) / 4
	kernel.Sin(z[q:2*q], slopes[q:2*q])
	kernel.Cos(z[2*q:3*q], slopes[2*q:3*q])
	kernel.Sigmoid(z[3*q:4*q], slopes[3*q:])
}

func (l *loop[T]) step(a kernel.AdamStep[T]) {
	row, last := l.batch*l.lanes, len(l.arch.Hidden)
	in := l.x
	for i, h := range l.arch.Hidden {
		z := l.value[i]
		if i == 0 {
			kernel.AffineForwardShared(z, l.w[i], in, l.sizes[i])
		} else {
			kernel.AffineForward(z, l.w[i], in, l.sizes[i])
		}
		u := z[2*h.Products*row:]
		l.forward(u, l.slopes[i])
		kernel.Products(u[len(h.Unary)*row:], z, row)
		in = u
	}
	kernel.AffineForward(l.out, l.w[last], in, l.sizes[last])
	kernel.SquaredError(l.loss, l.out, l.y, l.lanes)
	kernel.SquaredErrorBackward(l.dout, l.out, l.y, l.alive, l.lanes)
	dz := l.dout
	for i := last; i >= 0; i-- {
		if i == 0 {
			kernel.AffineWeightsShared(l.dw[i], dz, l.x, l.sizes[i])
			break
		}
		h, z, g := l.arch.Hidden[i-1], l.value[i-1], l.grad[i-1]
		y, dy := z[2*h.Products*row:], g[2*h.Products*row:]
		kernel.AffineWeights(l.dw[i], dz, y, l.sizes[i])
		kernel.AffineInput(dy, l.w[i], dz, l.sizes[i])
		kernel.ProductsBackward(g, z, dy[len(h.Unary)*row:], row)
		q := len(h.Unary) / 4 * row
		kernel.Scale(dy[q:4*q], l.slopes[i-1][q:4*q])
		dz = g
	}
	for i := range l.w {
		kernel.Adam(l.w[i], l.dw[i], l.m[i], l.v[i], l.lambda, a, l.sizes[i])
	}
}

func stepByLoop[T kernel.Float](b *testing.B, a model.Arch) {
	lanes := kernel.Lanes[T]()
	l := newLoop[T](a, lanes)
	data := randomData()
	order := rand.New(rand.NewPCG(3, 3)).Perm(rows)
	step := kernel.AdamStep[T]{Rate: 1e-3, Epsilon: 1e-8, OneLessB1: 0.1, OneLessB2: 0.001}
	at, done := 0, 0
	b.ResetTimer()
	for done < b.N {
		for k, r := range order[at : at+batch] {
			for j, col := range data.X {
				l.x[j*batch+k] = T(col[r])
			}
			l.y[k] = T(data.Y[0][r])
		}
		if at += batch; at+batch > rows {
			at = 0
		}
		l.step(step)
		done += lanes
	}
	reportSteps(b, float64(done))
}
