package sweep

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// Score returns the RMS of formulas on a table in the user's units, over rows and targets.
func Score(formulas map[string]formula.Expr, t *datasets.Table, inputs, targets []string) (float64, error) {
	x, err := t.Select(inputs...)
	if err != nil {
		return 0, err
	}
	var errors []float64
	for _, target := range targets {
		y, ok := t.Col(target)
		if !ok {
			_, err := t.Select(target) // says which columns there are
			return 0, err
		}
		predicted, err := evaluate(formulas[target], inputs, x.Cols, len(y))
		if err != nil {
			return 0, err
		}
		for i := range y {
			errors = append(errors, predicted[i]-y[i])
		}
	}
	return fit.RMS(errors), nil
}

// evaluate returns the values of a formula for columns of inputs.
func evaluate(e formula.Expr, inputs []string, x [][]float64, rows int) ([]float64, error) {
	p, err := formula.Compile(e, inputs)
	if err != nil {
		return nil, err
	}
	y := make([]float64, rows)
	p.EvalColumns(y, x)
	return y, nil
}

// Errors are what is usually told of predictions of one target.
type Errors struct {
	RMS, MAE float64 // root of the mean square, and mean size, in the units of the target
	R2       float64 // share of the variance that is explained; NaN for a target that does not vary
}

// ErrorsOf compares predictions with targets.
func ErrorsOf(predicted, y []float64) Errors {
	errors := slices.Clone(predicted)
	e := Errors{R2: math.NaN()}
	for i, v := range y {
		errors[i] -= v
		e.MAE += math.Abs(errors[i]) / float64(len(y))
	}
	e.RMS = fit.RMS(errors)
	if len(y) > 0 && slices.Min(y) < slices.Max(y) { // the mean of equal numbers is not exactly theirs
		ratio := e.RMS / spread(y)
		e.R2 = 1 - ratio*ratio
	}
	return e
}

// spread returns the RMS of y about its mean.
func spread(y []float64) float64 {
	m := mean(y)
	about := make([]float64, len(y))
	for i, v := range y {
		about[i] = v - m
	}
	return fit.RMS(about)
}

// Digits returns how many significant digits the constants of a formula for a target need in print: six, or
// as many more as it takes for the rounded formula to be, on the rows of a table, within a twentieth of
// the formula's own error, or of a millionth of what the target varies by. The rounded formula has a value in every
// row in which the formula has one; rows in which it has none do not count.
func Digits(e formula.Expr, t *datasets.Table, inputs []string, target string) int {
	const (
		least, most = 6, 17 // 17 digits are every bit
		ofError     = 0.05
		ofTarget    = 1e-6
	)
	t, err := t.Select(append(slices.Clone(inputs), target)...)
	if err != nil {
		return least
	}
	n := len(inputs)
	full, err := evaluate(e, inputs, t.Cols[:n], t.Rows())
	if err != nil {
		return least
	}
	var defined []int
	for i, v := range full {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			defined = append(defined, i)
		}
	}
	if len(defined) == 0 {
		return least
	}
	t = t.Take(defined)
	full = (&datasets.Table{Names: []string{target}, Cols: [][]float64{full}}).Take(defined).Cols[0]
	x, y := t.Cols[:n], t.Cols[n]
	allowed := math.Max(ofError*ErrorsOf(full, y).RMS, ofTarget*spread(y))
	for digits := least; digits < most; digits++ {
		rounded, err := evaluate(formula.Round(e, digits), inputs, x, len(y))
		if err != nil || ErrorsOf(rounded, full).RMS <= allowed { // false for NaN
			return digits
		}
	}
	return most
}
