package sweep

import (
	"math"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

// TestErrorsOf has errors of 1, −1 and 3 of targets about 2, and the same in units in which their squares
// are no float64s.
func TestErrorsOf(t *testing.T) {
	for _, unit := range []float64{1, 1e-200, 1e200} {
		y := []float64{1 * unit, 2 * unit, 3 * unit}
		e := ErrorsOf([]float64{2 * unit, 1 * unit, 6 * unit}, y)
		if math.Abs(e.RMS/unit-math.Sqrt(11./3)) > 1e-12 || math.Abs(e.MAE/unit-5./3) > 1e-12 || math.Abs(e.R2-(1-11./2)) > 1e-12 {
			t.Errorf("in units of %g: got %+v, want an RMS of √(11/3), an MAE of 5/3 and R² of −4.5", unit, e)
		}
	}
	if e := ErrorsOf([]float64{1, 1}, []float64{1, 1}); e.RMS != 0 || !math.IsNaN(e.R2) {
		t.Errorf("a constant target: got %+v, want no error and no R²", e)
	}
	if e := ErrorsOf([]float64{math.NaN(), 1}, []float64{1, 2}); !math.IsNaN(e.RMS) || !math.IsNaN(e.MAE) || !math.IsNaN(e.R2) {
		t.Errorf("no number predicted: got %+v", e)
	}
}

// TestDigits: a quadratic far from zero cancels six digits, one about zero does not.
func TestDigits(t *testing.T) {
	const rows = 50
	x, far, near := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range rows {
		x[i] = 200 + float64(i)/10
		noise := 0.01 * math.Cos(float64(1000*i))
		far[i] = 0.123456789*x[i]*x[i]*x[i] - 70*x[i]*x[i] + 1234.56789*x[i] + 100*noise
		near[i] = 1.23456789*(x[i]-200) + noise
	}
	data := &datasets.Table{Names: []string{"x", "far", "near"}, Cols: [][]float64{x, far, near}}
	e := formula.MustParse("0.123456789*x^3 - 70*x^2 + 1234.56789*x")
	got := Digits(e, data, []string{"x"}, "far")
	if got != 8 { // 1e-9·200³ is 0.008, 1e-8 ten times as much
		t.Errorf("got %d digits, want 8", got)
	}
	predicted, err := evaluate(formula.Round(e, got), []string{"x"}, data.Cols, rows)
	if err != nil {
		t.Fatal(err)
	}
	if rms := ErrorsOf(predicted, far).RMS; rms > 0.72 {
		t.Errorf("the formula in %d digits has an RMS of %g, the noise 0.71", got, rms)
	}
	if got := Digits(formula.MustParse("1.23456789*(x - 200)"), data, []string{"x"}, "near"); got != 6 {
		t.Errorf("got %d digits, want 6", got)
	}
	for _, c := range []struct{ name, text, target string }{{"not finite", "log(0 - x)", "near"}, {"another column", "z", "near"}, {"no such target", "x", "y"}} {
		if got := Digits(formula.MustParse(c.text), data, []string{"x"}, c.target); got != 6 {
			t.Errorf("%s: got %d digits, want 6", c.name, got)
		}
	}
}
