package distill

import (
	"math"
	"slices"
)

// Linear returns the least squares line through all inputs: the baseline of every run.
func Linear(d Data) *Law {
	l := &Law{inputs: len(d.X), out: affine{bias: mean(d.Y)}}
	if l.out.bias == 0 {
		l.out.bias = math.SmallestNonzeroFloat64 // zero would mean that there is none to fit
	}
	for j := range d.X {
		l.out.terms = append(l.out.terms, term{j, 1})
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

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// CrossValidate returns the error of each row, times its root weight, as predicted by the law with its constants
// refitted to the rows of the other folds. The structure stays as it is.
func (l *Law) CrossValidate(d Data, folds [][]int) []float64 {
	return crossValidate(d, folds, func(rest, held Data) []float64 { return Fit(l, rest).Predict(held.X, held.Rows()) })
}

// Errors returns how much larger predictions are than the targets, times root weights.
func (d Data) Errors(by interface {
	Predict(x [][]float64, rows int) []float64
}) []float64 {
	errors := by.Predict(d.X, d.Rows())
	for i, y := range d.Y {
		errors[i] -= y
	}
	d.weigh(errors, 0)
	return errors
}

// crossValidate returns the error of each row when predict learns from the rows of the other folds.
func crossValidate(d Data, folds [][]int, predict func(rest, held Data) []float64) []float64 {
	errors := make([]float64, d.Rows())
	for i, held := range folds {
		var rest []int
		for k, fold := range folds {
			if k != i {
				rest = append(rest, fold...)
			}
		}
		slices.Sort(rest)
		out := d.Take(held)
		for k, y := range predict(d.Take(rest), out) {
			errors[held[k]] = y - out.Y[k]
			if out.W != nil {
				errors[held[k]] *= out.W[k]
			}
		}
	}
	return errors
}
