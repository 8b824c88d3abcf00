package datasets

import "math"

// pendulum is the motion of a pendulum with angle x1 and angular velocity x2; the first
// output is divided by g = 9.81 to have both on one scale.
func pendulum() Problem {
	return Problem{
		Name:     "pendulum",
		Title:    "motion of a pendulum from its angle and angular velocity",
		Inputs:   numbered("x", 2),
		Targets:  numbered("y", 2),
		Formulas: []string{"y1 = x2/9.81", "y2 = -sin(x1)"},
		Rows:     1000,
		Noise:    0.01,
		sets: boxes(2, 1000, 1000, func(x, y []float64) {
			y[0] = x[1] / 9.81
			y[1] = -math.Sin(x[0])
		}),
	}
}
