package datasets

import "math"

// div is a formula with a division, of Sahoo, Lampert and Martius (2018).
func div() Problem {
	return Problem{
		Name:     "DIV",
		Title:    "formula with a division whose denominator is positive",
		Inputs:   numbered("x", 2),
		Targets:  []string{"y"},
		Formulas: []string{"y = sin(pi*x1)/(x2^2 + 1)"},
		Rows:     10000,
		Noise:    0.01,
		sets: boxes(1, 10000, 5000, func(x, y []float64) {
			y[0] = math.Sin(math.Pi*x[0]) / (x[1]*x[1] + 1)
		}),
	}
}
