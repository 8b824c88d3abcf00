package datasets

import "math"

// f3 is the third formula of the paper; it needs two hidden layers, and learners tend to
// end in a local minimum.
func f3() Problem {
	return Problem{
		Name:     "F-3",
		Title:    "formula with a product of three variables, of two layers",
		Inputs:   numbered("x", 4),
		Targets:  []string{"y"},
		Formulas: []string{"y = ((1 + x2)*sin(pi*x1) + x2*x3*x4)/3"},
		Rows:     10000,
		Noise:    0.01,
		sets: boxes(1, 10000, 5000, func(x, y []float64) {
			y[0] = ((1+x[1])*math.Sin(math.Pi*x[0]) + x[1]*x[2]*x[3]) / 3
		}),
	}
}
