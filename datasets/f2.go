package datasets

import "math"

// f2 is the second formula of the paper; it needs two hidden layers.
func f2() Problem {
	return Problem{
		Name:     "F-2",
		Title:    "formula with a product of a variable and a cosine, of two layers",
		Inputs:   numbered("x", 4),
		Targets:  []string{"y"},
		Formulas: []string{"y = (sin(pi*x1) + x2*cos(2*pi*x1 + pi/4) + x3 - x4^2)/3"},
		Rows:     10000,
		Noise:    0.01,
		sets: boxes(1, 10000, 5000, func(x, y []float64) {
			y[0] = (math.Sin(math.Pi*x[0]) + x[1]*math.Cos(2*math.Pi*x[0]+math.Pi/4) + x[2] - x[3]*x[3]) / 3
		}),
	}
}
