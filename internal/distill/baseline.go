package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

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

// GroupsByChance returns the probability that the residuals of the least squares line differ between groups as much as
// they do, or more, by chance alone: the F test of one mean against one in each group. level is the group of each row,
// counted from 0.
func GroupsByChance(d fit.Data, level []int) float64 {
	if len(level) == 0 {
		return 1
	}
	line := Linear(d)
	sums, counts := make([]float64, slices.Max(level)+1), make([]float64, slices.Max(level)+1)
	total := 0.0
	for i, predicted := range line.Predict(d.X, d.Rows()) {
		residual := d.Y[i] - predicted
		sums[level[i]] += residual
		counts[level[i]]++
		total += residual * residual
	}
	between, groups := 0.0, -1.0
	for g, sum := range sums {
		if counts[g] > 0 {
			between += sum * sum / counts[g]
			groups++
		}
	}
	free := float64(d.Rows()-line.Params()) - groups
	if !(groups > 0 && free > 0 && between > 0) {
		return 1
	}
	f := between / groups / (math.Max(total-between, 0) / free)
	return distuv.F{D1: groups, D2: free}.Survival(f)
}
