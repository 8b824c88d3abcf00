package sweep

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// SpecialValues returns the special values that constants became, and those that were given with a form.
func SpecialValues(constants []evidence.Constant) []float64 {
	var special []float64
	for _, k := range constants {
		if k.Snapped != k.Value || k.Low == k.High {
			special = append(special, k.Snapped)
		}
	}
	return special
}

// Held reports for each constant of a formula, in the order of [formula.Constants], whether it was chosen and not
// fitted: it is one of the special values given, is exactly another special value, or is the number that an input is
// counted from, as in (t - 2000).
func Held(e formula.Expr, fitted *datasets.Table, special []float64) []bool {
	roles := formula.Roles(e)
	held := Origins(e, fitted)
	for i, v := range formula.Constants(e) {
		held[i] = held[i] || sizeAmong(special, v) || fit.Special(v, roles[i])
	}
	return held
}

// Origins reports for each constant of a formula whether it is the number that an input is counted from.
func Origins(e formula.Expr, fitted *datasets.Table) []bool {
	var origins []float64
	for _, name := range formula.Vars(e) {
		if col, ok := fitted.Col(name); ok {
			if origin := datasets.Origin(col); origin != 0 {
				origins = append(origins, origin)
			}
		}
	}
	counted := []bool{}
	for _, v := range formula.Constants(e) {
		counted = append(counted, sizeAmong(origins, v))
	}
	return counted
}

// sizeAmong reports whether a number, but for its sign, is in a list.
func sizeAmong(list []float64, v float64) bool {
	return slices.ContainsFunc(list, func(c float64) bool { return math.Abs(c) == math.Abs(v) })
}
