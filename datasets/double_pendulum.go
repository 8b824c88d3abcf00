package datasets

import "math"

// doublePendulum is the position of the two tips of a double pendulum, in the order
// height, height, side, side, at angles that were recorded from a real one. The targets
// are computed from the angles x1 and x2, the second one relative to the first; they
// carry no noise.
//
// The far test set is a second recording, in which both arms spin; angles are wrapped to
// [−π, π). There is no other.
func doublePendulum() Problem {
	return Problem{
		Name:    "double-pendulum",
		Title:   "tips of a real double pendulum from its two angles, as recorded",
		Inputs:  numbered("x", 2),
		Targets: numbered("y", 4),
		Formulas: []string{
			"y1 = cos(x1)",
			"y2 = cos(x1) + cos(x1 + x2)",
			"y3 = sin(x1)",
			"y4 = sin(x1) + sin(x1 + x2)",
		},
		Rows: 819,
		sets: func() ([]set, error) {
			train, err := readData("double_pendulum_train.csv", "x1", "x2")
			if err != nil {
				return nil, err
			}
			test, err := readData("double_pendulum_test.csv", "x1", "x2")
			if err != nil {
				return nil, err
			}
			return []set{
				measured("data", train, doublePendulumLaw),
				measured("far", test, doublePendulumLaw),
			}, nil
		},
	}
}

func doublePendulumLaw(x, y []float64) {
	sin1, cos1 := math.Sincos(x[0])
	sin12, cos12 := math.Sincos(x[0] + x[1])
	y[0], y[1] = cos1, cos1+cos12
	y[2], y[3] = sin1, sin1+sin12
}
