package baseline

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/eqlearner/eql/trainer"
)

// paperGrid is the grid of Martius and Lampert 2016, §4.
func paperGrid() []SVR {
	var grid []SVR
	for _, gamma := range []float64{0.05, 0.1, 0.2, 0.5, 1} {
		for _, c := range []float64{-3, -2, -1, 0, 1, 2, 3, 3.5} {
			for _, eps := range []float64{-3, -2, -1, 0} {
				grid = append(grid, SVR{C: math.Pow(10, c), Gamma: gamma, Epsilon: math.Pow(10, eps)})
			}
		}
	}
	return grid
}

// split cuts the last rows off as validation.
func split(d trainer.Data, rows int) (train, validation trainer.Data) {
	for _, col := range d.X {
		train.X, validation.X = append(train.X, col[:rows]), append(validation.X, col[rows:])
	}
	for _, col := range d.Y {
		train.Y, validation.Y = append(train.Y, col[:rows]), append(validation.Y, col[rows:])
	}
	return train, validation
}

// BenchmarkFit fits the pendulum's sine on 1,000 rows.
func BenchmarkFit(b *testing.B) {
	d := pendulumData(1, 1000)
	for _, s := range []SVR{
		{C: 1, Gamma: 0.2, Epsilon: 0.1},
		{C: 1, Gamma: 0.2, Epsilon: 0.01},
		{C: 1000, Gamma: 0.2, Epsilon: 0.01},
		{C: 1000, Gamma: 0.05, Epsilon: 0.001}, // nearly the hardest of the paper's grid
	} {
		b.Run(fmt.Sprintf("c=%g/gamma=%g/epsilon=%g", s.C, s.Gamma, s.Epsilon), func(b *testing.B) {
			var m *SVRModel
			for b.Loop() {
				var err error
				if m, err = s.Fit(context.Background(), d.X, d.Y[1]); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(m.Iterations()), "iterations")
			b.ReportMetric(float64(m.Support()), "support-vectors")
		})
	}
}

// BenchmarkGrid scores the paper's grid of 160 settings on its pendulum, 900 rows and 2 outputs, one after the other.
func BenchmarkGrid(b *testing.B) {
	train, validation := split(pendulumData(1, 1000), 900)
	best, stopped := math.Inf(1), 0
	for b.Loop() {
		best, stopped = math.Inf(1), 0
		for _, s := range paperGrid() {
			score, err := s.Score(context.Background(), train, validation)
			if err != nil {
				b.Fatal(err)
			}
			best = min(best, score.RMS)
			if !score.Converged {
				stopped++
			}
		}
	}
	b.ReportMetric(best, "validation-rms")
	b.ReportMetric(float64(stopped), "not-converged")
}
