package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

const (
	segment  = 0.5   // length of a segment of an arm
	armStep  = 0.02  // seconds between rows
	armTest  = 777.3 // seconds at the start of the test trajectories
	armTests = 5000  // rows of a test set
)

// armSpeeds are the frequencies of the joints, in units of 0.5 Hz: incommensurable, so
// that a trajectory never repeats. The paper says no more than that they differ.
var armSpeeds = [...]float64{1, math.Sqrt2, 1.7320508075688772, 2.23606797749979, 2.6457513110645907}

// kin3End and kin4End are planar arms whose end is to be found from the joint angles.
func kin3End() Problem { return arm("kin-3-end", 3, 3000, false) }
func kin4End() Problem { return arm("kin-4-end", 4, 6000, false) }

// kin5All is a planar arm of which the ends of all segments are to be found.
func kin5All() Problem { return arm("kin-5-all", 5, 18000, true) }

// arm is the forward kinematics of a planar arm of segments of length 0.5, each with its
// angle relative to the one before. Targets are the coordinates x and y of the end or,
// with all, the x of the ends of all segments and then their y.
//
// The joints swing with the amplitude π/2, and in the far test set with π.
func arm(name string, joints, rows int, all bool) Problem {
	what, targets := "end", 2
	if all {
		what, targets = "segment ends", 2*joints
	}
	f := armLaw(joints, all)
	return Problem{
		Name:     name,
		Title:    fmt.Sprintf("%s of a planar robot arm from its %d joint angles", what, joints),
		Inputs:   numbered("x", joints),
		Targets:  numbered("y", targets),
		Formulas: armFormulas(joints, all),
		Rows:     rows,
		Noise:    0.01,
		sets: func() ([]set, error) {
			return []set{
				{name: "data", rows: rows, sample: swing(math.Pi/2, 0, f)},
				{name: "interpolation", rows: armTests, sample: swing(math.Pi/2, armTest, f)},
				{name: "far", rows: armTests, sample: swing(math.Pi, armTest, f)},
			}, nil
		},
	}
}

// swing samples the trajectory x_j(t) = A·sin(2π·0.5·w_j·t) from t = start on.
func swing(amplitude, start float64, f law) sampler {
	return func(row int, _ *rand.Rand, x, y []float64) {
		t := start + float64(armStep*float64(row))
		for j := range x {
			x[j] = amplitude * math.Sin(math.Pi*armSpeeds[j]*t)
		}
		f(x, y)
	}
}

// armLaw adds up the segments.
func armLaw(joints int, all bool) law {
	return func(x, y []float64) {
		var angle, endX, endY float64
		for j, relative := range x {
			angle += relative
			sin, cos := math.Sincos(angle)
			endX += segment * cos
			endY += segment * sin
			if all {
				y[j], y[joints+j] = endX, endY
			}
		}
		if !all {
			y[0], y[1] = endX, endY
		}
	}
}

// armFormulas writes out armLaw: "y1 = 0.5*cos(x1) + 0.5*cos(x1 + x2)".
func armFormulas(joints int, all bool) []string {
	var formulas []string
	for _, function := range []string{"cos", "sin"} {
		var terms []string
		for j := range joints {
			angle := strings.Join(numbered("x", j+1), " + ")
			terms = append(terms, fmt.Sprintf("%g*%s(%s)", segment, function, angle))
			if all || j == joints-1 {
				formulas = append(formulas, fmt.Sprintf("y%d = %s", len(formulas)+1, strings.Join(terms, " + ")))
			}
		}
	}
	return formulas
}
