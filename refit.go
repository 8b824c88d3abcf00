package eql

import (
	"fmt"
	"math"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// Refitted is a formula whose constants were fitted to other rows. Its form is unchanged.
type Refitted struct {
	Before, Formula formula.Expr
	Rows            int
	// Constants are in the order of [formula.Constants] of Before.
	Constants []RefittedConstant
	// RMSBefore and RMS are the errors on the new rows of the formula as it was and as it is.
	RMSBefore, RMS float64
}

// RefittedConstant is a constant before and after. The ends of an interval are infinite if the data do not determine
// the constant, and NaN in Before if nothing is known of the first fit.
type RefittedConstant struct {
	Before, After evidence.Constant // with 95 % intervals
	Held          bool              // it was not fitted: a special value, or the number that an input is counted from
}

// intervalLevel is the probability of the intervals of constants.
const intervalLevel = 0.95

// Changed reports whether a constant differs by more than its two intervals allow together, the root of the sum of the
// squares of half their widths. known is false when one of them is unknown or infinite.
func (c RefittedConstant) Changed() (changed, known bool) {
	allowed := math.Hypot(c.Before.High-c.Before.Low, c.After.High-c.After.Low) / 2
	if math.IsNaN(allowed) || math.IsInf(allowed, 0) {
		return false, false
	}
	return math.Abs(c.After.Value-c.Before.Value) > allowed, true
}

// Refit fits the constants of a formula for a target to the rows of a table, except the held ones. before has the
// constants with their 95 % intervals on the rows of the first fit, nil if these are unknown. errors, at most one,
// names the column with the errors of rows, as in [FitForm].
func Refit(
	e formula.Expr, target string, t *datasets.Table, held []bool, before []evidence.Constant, errors ...run.ErrorColumn,
) (*Refitted, error) {
	inputs := formula.Vars(e)
	d, err := dataOf(t, inputs, target)
	if err != nil {
		return nil, err
	}
	if err := weigh(&d, t, errors); err != nil {
		return nil, err
	}
	p, after, err := fit.Refit(e, inputs, d, held)
	if err != nil {
		return nil, fmt.Errorf("fitting the constants of %q: %w", target, err)
	}
	return refitted(e, inputs, d, p, after, before)
}

// RefitRelative is [Refit] with errors in proportion to the prediction, or to a floor where that is larger: squares are
// weighted by one over the square of the larger, as it is fitted.
func RefitRelative(
	e formula.Expr, target string, t *datasets.Table, held []bool, before []evidence.Constant, floor float64,
) (*Refitted, error) {
	inputs := formula.Vars(e)
	d, err := dataOf(t, inputs, target)
	if err != nil {
		return nil, err
	}
	relative := evidence.Errors{Kind: evidence.ErrorsRelative, Size: 1, Floor: floor}
	p := formula.Constants(e)
	var after *fit.Confidence
	for range relativeRounds {
		last := p
		weighed, _, err := sweep.WithErrors(formula.WithConstants(e, p), inputs, d, t, relative)
		if err == nil {
			p, after, err = fit.Refit(e, inputs, weighed, held)
		}
		if err != nil {
			return nil, fmt.Errorf("fitting the constants of %q: %w", target, err)
		}
		if near(last, p) {
			break
		}
	}
	return refitted(e, inputs, d, p, after, before)
}

// refitted returns what is known of a formula and of its constants p, fitted to the data.
func refitted(
	e formula.Expr, inputs []string, d fit.Data, p []float64, after *fit.Confidence, before []evidence.Constant,
) (r *Refitted, err error) {
	r = &Refitted{Before: e, Formula: formula.WithConstants(e, p), Rows: d.Rows()}
	if before == nil {
		for _, v := range formula.Constants(e) {
			before = append(before, evidence.Constant{Value: v, Low: math.NaN(), High: math.NaN(), Snapped: v})
		}
	}
	now, held := after.Constants(intervalLevel)
	for i := range now {
		r.Constants = append(r.Constants, RefittedConstant{before[i], now[i], held[i]})
	}
	if r.RMSBefore, err = rmsOf(e, inputs, d); err != nil {
		return nil, err
	}
	r.RMS, err = rmsOf(r.Formula, inputs, d)
	return r, err
}

// rmsOf returns the RMS of a formula on the data.
func rmsOf(e formula.Expr, inputs []string, d fit.Data) (float64, error) {
	program, err := formula.Compile(e, inputs)
	if err != nil {
		return 0, err
	}
	y := make([]float64, d.Rows())
	program.EvalColumns(y, d.X)
	return rmsBetween(y, d.Y), nil
}

func rmsBetween(predicted, y []float64) float64 { return sweep.ErrorsOf(predicted, y).RMS }
