package baseline_test

import (
	"context"
	"fmt"
	"math"

	"github.com/eqlearner/eql/internal/baseline"
	"github.com/eqlearner/eql/trainer"
)

// wave is y = sin x on rows evenly spread over a range.
func wave(from, to float64, rows int) trainer.Data {
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = from + (to-from)*float64(i)/float64(rows-1)
		y[i] = math.Sin(x[i])
	}
	return trainer.Data{X: [][]float64{x}, Y: [][]float64{y}}
}

// A sine is fitted well inside the range of the data and forgotten outside it.
func ExampleSVR_Fit() {
	data := wave(-3, 3, 61)
	m, err := baseline.SVR{C: 100, Gamma: 0.5, Epsilon: 0.01}.Fit(context.Background(), data.X, data.Y[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []float64{1.5, 8}
	for i, f := range m.Predict([][]float64{x}) {
		fmt.Printf("f(%g) = %.1f, sine %.1f\n", x[i], f, math.Sin(x[i]))
	}
	// Output:
	// f(1.5) = 1.0, sine 1.0
	// f(8) = 0.0, sine 1.0
}

// The setting with the least error on validation rows.
func ExampleSVR_Score() {
	grid := []baseline.SVR{
		{C: 0.001, Gamma: 0.5, Epsilon: 0.01}, // too stiff
		{C: 100, Gamma: 0.5, Epsilon: 0.01},
		{C: 100, Gamma: 0.5, Epsilon: 1}, // all of the sine is within the tube
	}
	best, least := 0, math.Inf(1)
	for i, s := range grid {
		score, err := s.Score(context.Background(), wave(-3, 3, 61), wave(-2.9, 2.9, 20))
		if err != nil {
			fmt.Println(err)
			return
		}
		if score.RMS < least {
			best, least = i, score.RMS
		}
	}
	fmt.Printf("C=%g epsilon=%g\n", grid[best].C, grid[best].Epsilon)
	// Output: C=100 epsilon=0.01
}
