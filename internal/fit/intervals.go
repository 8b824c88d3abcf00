package fit

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

// Intervals is [Snap] without special values.
func Intervals(
	e formula.Expr, inputs []string, d Data, simplify Simplify,
) (fitted formula.Expr, constants []evidence.Constant) {
	e, x, p, eq := fitAll(e, inputs, d, simplify)
	if x == nil {
		return e, nil
	}
	return x.with(e, p), ofFormula(x, x.intervals(p, eq))
}

// intervals returns the constants with their intervals.
func (x *expression) intervals(p []float64, eq Normal) []evidence.Constant {
	half := x.quantile(1, len(p))
	var constants []evidence.Constant
	for i, se := range x.standardErrors(p, eq) {
		se = max(se, relativeError*math.Abs(p[i]))
		constants = append(constants, evidence.Constant{Value: p[i], Low: p[i] - half*se, High: p[i] + half*se,
			Snapped: p[i]})
	}
	return constants
}

// quantile returns half the width, in standard errors, of the confidence intervals of k constants in a fit with free
// ones. All k are within theirs in 95 % of fits or more.
func (x *expression) quantile(k, free int) float64 {
	if x.known {
		return distuv.UnitNormal.Quantile(1 - costly/2/float64(k))
	}
	dof := math.Max(1, float64(x.data.Rows()-free))
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: dof}.Quantile(1 - costly/2/float64(k))
}

// Undetermined returns the constants whose interval is wider than twice their size, which the data
// leaves open.
func Undetermined(constants []evidence.Constant) []evidence.Constant {
	var open []evidence.Constant
	for _, c := range constants {
		if !(c.High-c.Low < 2*math.Abs(c.Value)) && c.Snapped == c.Value {
			open = append(open, c)
		}
	}
	slices.SortFunc(open, func(a, b evidence.Constant) int { return cmp.Compare(a.Value, b.Value) })
	return open
}
