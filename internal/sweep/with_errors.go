package sweep

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// WithErrors returns rows without outliers and with root weights, as errors say of those that a formula was fitted to,
// and the standard deviation that a root weight of 1 stands for; 0 where there are no weights. The column that tells
// the errors, if one does, is one of the table with the rows.
func WithErrors(
	e formula.Expr, inputs []string, d fit.Data, table *datasets.Table, errors evidence.Errors,
) (_ fit.Data, common float64, err error) {
	if errors.Plain() {
		return d, 0, nil
	}
	predicted, err := evaluate(e, inputs, d.X, d.Rows())
	if err != nil {
		return d, 0, err
	}
	sigma := sigmasOf(predicted, table, errors)
	used := usedRows(d.Y, predicted, sigma, errors)
	if d = d.Take(used); errors.Kind == evidence.ErrorsEqual {
		return d, 0, nil
	}
	d.W, common = fit.RootWeights(taken(sigma, used))
	if errors.Kind == evidence.ErrorsGiven {
		d.Sigma = common
	}
	return d, common, nil
}

// sigmasOf returns the standard deviation of the error of each row on a common scale.
func sigmasOf(predicted []float64, fitted *datasets.Table, errors evidence.Errors) []float64 {
	sigma := slices.Repeat([]float64{1}, len(predicted))
	column, told := fitted.Col(errors.Column)
	switch {
	case errors.Kind == evidence.ErrorsRelative:
		for i, v := range predicted {
			sigma[i] = math.Max(math.Abs(v), errors.Floor)
		}
	case errors.Kind == evidence.ErrorsGiven && told:
		copy(sigma, column)
	case errors.Kind == evidence.ErrorsWeighted && told:
		for i, w := range column {
			sigma[i] = 1 / math.Sqrt(w)
		}
	}
	return sigma
}

// usedRows returns the rows that are nearer to the prediction than the nearest outlier.
func usedRows(y, predicted, sigma []float64, errors evidence.Errors) []int {
	used := make([]int, 0, len(y))
	const rounding = 1e-9
	for i, v := range y {
		size := math.Abs(v-predicted[i]) / (errors.Size * sigma[i])
		beyond := func(x evidence.Outlier) bool { return size >= x.Size*(1-rounding) }
		if !slices.ContainsFunc(errors.Outliers, beyond) {
			used = append(used, i)
		}
	}
	return used
}
