package bench

import (
	"context"
	"math"
	"runtime"
	"testing"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

// BenchmarkFormula measures the time from a table to formulas with the quick preset, and reports
// far-rms beside it: the error without noise on the box of twice the width. Faster but wrong must
// show. Each iteration is another seed of settings on the same data. heap-MB is what the heap took from
// the system by the end of the problem.
func BenchmarkFormula(b *testing.B) {
	for _, name := range []string{"pendulum", "double-pendulum", "F-1", "F-2", "F-3"} {
		b.Run("problem="+name, func(b *testing.B) {
			p, err := datasets.Lookup(name)
			if err != nil {
				b.Fatal(err)
			}
			suite, err := p.Generate(datasets.GenerateOptions{})
			if err != nil {
				b.Fatal(err)
			}
			far := suite.Tests[len(suite.Tests)-1].Clean
			worst, seed := 0.0, uint64(0)
			for b.Loop() {
				r, err := eql.Fit(context.Background(), suite.Data, eql.Targets(p.Targets...), eql.Seed(seed))
				if err != nil {
					b.Fatal(err)
				}
				worst = max(worst, farRMS(b, r, far, p))
				seed++
			}
			b.ReportMetric(worst, "far-rms")
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			b.ReportMetric(float64(memory.HeapSys)/1e6, "heap-MB")
		})
	}
}

func farRMS(b *testing.B, r *eql.Result, far *datasets.Table, p datasets.Problem) float64 {
	x, err := far.Select(p.Inputs...)
	if err != nil {
		b.Fatal(err)
	}
	sum, count := 0.0, 0
	predicted := make([]float64, far.Rows())
	for _, target := range p.Targets {
		law, err := formula.Compile(r.Formulas[target], p.Inputs)
		if err != nil {
			b.Fatal(err)
		}
		law.EvalColumns(predicted, x.Cols)
		y, _ := far.Col(target)
		for i := range y {
			sum += (predicted[i] - y[i]) * (predicted[i] - y[i])
		}
		count += len(y)
	}
	return math.Sqrt(sum / float64(count))
}
