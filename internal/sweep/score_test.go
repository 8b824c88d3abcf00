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
		if math.Abs(e.RMS/unit-math.Sqrt(11./3)) > 1e-12 || math.Abs(e.MAE/unit-5./3) > 1e-12 ||
			math.Abs(e.R2-(1-11./2)) > 1e-12 {
			t.Errorf("in units of %g: got %+v, want an RMS of √(11/3), an MAE of 5/3 and R² of −4.5", unit, e)
		}
	}
	if e := ErrorsOf([]float64{1, 1}, []float64{1, 1}); e.RMS != 0 || !math.IsNaN(e.R2) {
		t.Errorf("a constant target: got %+v, want no error and no R²", e)
	}
	if e := ErrorsOf([]float64{math.NaN(), 1}, []float64{1, 2}); !math.IsNaN(e.RMS) ||
		!math.IsNaN(e.MAE) || !math.IsNaN(e.R2) {
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
	for _, c := range []struct{ name, text, target string }{{"not finite", "log(0 - x)", "near"},
		{"another column", "z", "near"}, {"no such target", "x", "y"}} {
		if got := Digits(formula.MustParse(c.text), data, []string{"x"}, c.target); got != 6 {
			t.Errorf("%s: got %d digits, want 6", c.name, got)
		}
	}
}

// TestDigitsKeepValues: rounding a constant never takes the value of the formula in a row away. In six digits the
// edge of each domain would be within the data, or on it.
func TestDigitsKeepValues(t *testing.T) {
	const rows = 2000 // and only the last one is near the edge
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range rows {
		x[i] = float64(i) / rows
	}
	for _, c := range []struct {
		name, text string
		edge       float64 // the last row
		want       int     // digits
	}{
		{"a root", "sqrt(1000.00231 - x)", 1000.0021, 8},
		{"a logarithm", "log(1000.00231 - x)", 1000.00229, 8},
		{"a pole on a row", "0.001/(1000.00231 - x)", 1000, 7},
		{"rows without a value do not count", "sqrt(1000.00231 - x) + 0*log(x)", 1000.0021, 8},
		{"small numbers", "sqrt(0.12345638 - x*1e-4)", 1234.5637, 7},
		{"the edge moves away", "sqrt(1000.00277 - x)", 1000.00276, 7},
		{"nothing near", "sqrt(2000.00231 - x)", 1000, 6},
	} {
		e := formula.MustParse(c.text)
		x[rows-1] = c.edge
		full, err := evaluate(e, []string{"x"}, [][]float64{x}, rows)
		if err != nil {
			t.Fatal(err)
		}
		for i := range y { // noise so large that six digits would do, and no NaN
			y[i] = 10 * math.Cos(float64(1000*i))
		}
		digits := Digits(e, &datasets.Table{Names: []string{"x", "y"}, Cols: [][]float64{x, y}}, []string{"x"}, "y")
		if digits != c.want {
			t.Errorf("%s: got %d digits, want %d", c.name, digits, c.want)
		}
		rounded, err := evaluate(formula.Round(e, digits), []string{"x"}, [][]float64{x}, rows)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range full {
			if isFinite := v-v == 0; isFinite && rounded[i]-rounded[i] != 0 {
				t.Fatalf("%s: in %d digits the formula is %v in row %d, %v in full", c.name, digits, rounded[i], i, v)
			}
		}
	}
}
