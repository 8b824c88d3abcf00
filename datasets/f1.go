package datasets

import "math"

// f1 is the first formula of the paper; one hidden layer represents it.
func f1() Problem {
	return Problem{
		Name:     "F-1",
		Title:    "formula with two frequencies and a product, of one layer",
		Inputs:   numbered("x", 4),
		Targets:  []string{"y"},
		Formulas: []string{"y = (sin(pi*x1) + sin(2*pi*x2 + pi/8) + x2 - x3*x4)/3"},
		Rows:     10000,
		Noise:    0.01,
		sets: boxes(1, 10000, 5000, func(x, y []float64) {
			y[0] = (math.Sin(math.Pi*x[0]) + math.Sin(2*math.Pi*x[1]+math.Pi/8) + x[1] - x[2]*x[3]) / 3
		}),
	}
}
