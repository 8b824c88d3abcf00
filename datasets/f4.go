package datasets

import "math"

// f4 is a formula of Sahoo, Lampert and Martius (2018); it needs three hidden layers.
func f4() Problem {
	return Problem{
		Name:     "F-4",
		Title:    "formula with a sine inside a cosine, of three layers",
		Inputs:   numbered("x", 4),
		Targets:  []string{"y"},
		Formulas: []string{"y = (sin(pi*x1) + cos(2*x2*sin(pi*x1)) + x2*x3*x4)/2"},
		Rows:     10000,
		Noise:    0.01,
		sets: boxes(1, 10000, 5000, func(x, y []float64) {
			s := math.Sin(math.Pi * x[0])
			y[0] = (s + math.Cos(2*x[1]*s) + x[1]*x[2]*x[3]) / 2
		}),
	}
}
