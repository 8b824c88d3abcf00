package distill

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/internal/fit"
)

// Linear returns the least squares line through all inputs, of many such lines the shortest: the baseline of every run.
func Linear(d fit.Data) *Law {
	l := &Law{inputs: len(d.X), out: affine{bias: fit.Mean(d.Y)}}
	wide := len(d.X) >= d.Rows()
	coefficients := slices.Repeat([]float64{1}, len(d.X))
	if wide {
		coefficients, l.out.bias = fit.Shortest(d)
	}
	if l.out.bias == 0 {
		l.out.bias = math.SmallestNonzeroFloat64 // zero would mean that there is none to fit
	}
	for j, w := range coefficients {
		if w != 0 {
			l.out.terms = append(l.out.terms, term{j, w})
		}
	}
	if wide {
		return l
	}
	return Fit(l, d)
}

// Coefficients returns the weight of each input and then the bias, of a law without units.
func (l *Law) Coefficients() []float64 {
	row := make([]float64, l.inputs+1)
	for _, t := range l.out.terms {
		row[t.from] = t.w
	}
	row[l.inputs] = l.out.bias
	return row
}

// CrossValidate returns the error of each row, times its root weight, as predicted by the law with its constants
// refitted to the rows of the other folds. The structure stays as it is.
func (l *Law) CrossValidate(d fit.Data, folds [][]int) []float64 {
	return fit.CrossValidate(d, folds, func(rest, held fit.Data) []float64 {
		return Fit(l, rest).Predict(held.X, held.Rows())
	})
}
