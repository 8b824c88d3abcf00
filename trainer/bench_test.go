package trainer

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
)

func BenchmarkStep(b *testing.B) {
	for _, c := range []struct {
		name string
		arch model.Arch
	}{
		{"F1", model.Uniform(4, 1, 2, 10, 10, paperUnits)},
		{"Deep3", model.Uniform(4, 1, 4, 10, 10, paperUnits)},
	} {
		for _, lanes := range []int{4, 8, 16} {
			b.Run(fmt.Sprintf("net=%s/dtype=float32/lanes=%d", c.name, lanes),
				func(b *testing.B) { benchmarkStep[float32](b, c.arch, lanes) })
			b.Run(fmt.Sprintf("net=%s/dtype=float64/lanes=%d", c.name, lanes),
				func(b *testing.B) { benchmarkStep[float64](b, c.arch, lanes) })
		}
	}
}

var paperUnits = []model.Unit{model.Identity, model.Sin, model.Cos, model.Sigmoid, model.Product}

func benchmarkStep[T kernel.Float](b *testing.B, a model.Arch, lanes int) {
	rng := rand.New(rand.NewPCG(1, 1))
	var ls []Lane
	for range lanes {
		n := model.New(a)
		n.Init(rng)
		ls = append(ls, Lane{Start: n, Lambda: 1e-4})
	}
	data := Data{}
	for range 5 {
		col := make([]float64, 9000)
		for i := range col {
			col[i] = 2*rng.Float64() - 1
		}
		data.X = append(data.X, col)
	}
	data.X, data.Y = data.X[:4], data.X[4:]
	r, err := newRun[T](ls, data, PaperConfig(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	r.shuffle(r.order, 0)
	i := 0
	for b.Loop() {
		r.fill(r.order[i*20 : i*20+20])
		i = (i + 1) % r.steps
		if err := r.step(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(lanes), "ns/net-step")
}
