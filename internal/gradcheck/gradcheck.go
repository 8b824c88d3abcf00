// Package gradcheck compares a derivative with finite differences, in tests.
//
// [Check] is used wherever a derivative is written by hand: operations of the graph, units, formulas, Jacobians.
// Check at points whose coordinates differ, on both sides of each kink of the function and never on it. Central
// differences are good to about ε^(2/3), 4e-11, times the size of the third derivative, so 1e-7 is a usual
// tolerance for functions whose values are near 1.
package gradcheck

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
)

// Check fails t unless |grad_i − fd_i| ≤ tol · max(1, |grad_i|, |fd_i|) for every i,
// where fd is the central difference of f at x. Numbers that are not finite fail.
// It leaves x as it was; f must not keep or change the slice it is given.
func Check(t testing.TB, f func(x []float64) float64, grad, x []float64, tol float64) {
	t.Helper()
	for _, err := range compare(f, grad, x, tol) {
		t.Error(err)
	}
}

// compare returns one error for each component that differs.
func compare(f func(x []float64) float64, grad, x []float64, tol float64) []error {
	if len(x) == 0 {
		return []error{fmt.Errorf("no point: x is empty, so nothing would be checked")}
	}
	if len(grad) != len(x) {
		return []error{fmt.Errorf("gradient has length %d, want %d", len(grad), len(x))}
	}
	var errs []error
	for i, want := range fd.Gradient(nil, f, x, &fd.Settings{Formula: fd.Central}) {
		scale := max(1, math.Abs(grad[i]), math.Abs(want))
		d := math.Abs(grad[i] - want)
		// Negated, so that NaN fails; the scale of an infinite component would allow any difference.
		if !(d <= tol*scale) || math.IsInf(scale, 0) {
			errs = append(errs, fmt.Errorf("x=%v: ∂f/∂x[%d] = %g, finite difference %g", x, i, grad[i], want))
		}
	}
	return errs
}
