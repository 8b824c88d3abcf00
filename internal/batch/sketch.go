package batch

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

// Sketch is a small plot of a formula and the rows it was learned from, in a box of [SketchWidth] by [SketchHeight].
// Of a formula of one column it is the target against that column; otherwise the target against what the formula says.
type Sketch struct {
	X      string  `json:"x,omitempty"` // the column; "" where it is the value of the formula
	Points []int16 `json:"points"`      // x, y, x, y, … from the upper left
	Curve  []int16 `json:"curve"`       // the same of the formula; −1, −1 is a gap
}

// The size of a sketch, and how much of a table is in it.
const (
	SketchWidth  = 160
	SketchHeight = 60
	sketchPoints = 80
	sketchSteps  = 64
)

// sketch draws a formula of t.
func sketch(e formula.Expr, target string, t *datasets.Table, predicted []float64) Sketch {
	y, _ := t.Col(target)
	s := Sketch{}
	x, curveX, curveY := predicted, []float64(nil), []float64(nil)
	if vars := formula.Vars(e); len(vars) == 1 {
		s.X = vars[0]
		x, _ = t.Col(s.X)
		curveX = between(slices.Min(x), slices.Max(x))
		curveY = alone(e, s.X, curveX)
	} else {
		curveX = between(slices.Min(y), slices.Max(y))
		curveY = curveX
	}
	across, down := axis(curveX, SketchWidth), axis(y, SketchHeight)
	place := func(to []int16, x, y float64) []int16 {
		if px, py := across(x), down(y); px >= 0 && py >= 0 {
			return append(to, int16(px), int16(SketchHeight-py))
		}
		return append(to, -1, -1)
	}
	for i := range min(len(y), sketchPoints) {
		row := i * len(y) / min(len(y), sketchPoints)
		if at := place(nil, x[row], y[row]); at[0] >= 0 {
			s.Points = append(s.Points, at...)
		}
	}
	for i := range curveX {
		s.Curve = place(s.Curve, curveX[i], curveY[i])
	}
	return s
}

// between returns evenly spaced numbers.
func between(low, high float64) []float64 {
	xs := make([]float64, sketchSteps+1)
	for i := range xs {
		xs[i] = low + (high-low)*float64(i)/sketchSteps
	}
	return xs
}

// alone evaluates a formula of one variable.
func alone(e formula.Expr, name string, x []float64) []float64 {
	y := make([]float64, len(x))
	p, err := formula.Compile(e, []string{name})
	if err != nil { // it has no other variable
		return y
	}
	p.EvalColumns(y, [][]float64{x})
	return y
}

// axis returns the map from the range of values to 0 … size, −1 for what lies outside or is no number.
func axis(values []float64, size int) func(float64) int {
	low, high := slices.Min(values), slices.Max(values)
	return func(v float64) int {
		part := (v - low) / (high - low)
		switch {
		case low == high && v == low:
			return size / 2
		case !(part >= 0 && part <= 1): // NaN too
			return -1
		}
		return int(math.Round(part * float64(size)))
	}
}
