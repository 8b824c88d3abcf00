package eql_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/run"
)

// weighted is a decay with standard deviations, its constants by weighted least squares and half of the interval of a
// where the scale of the errors is not known. The numbers are those of SciPy 1.17.1 (optimize.curve_fit with sigma,
// then Gauss-Newton to the last digit; Student's t by stats.t.ppf).
var weighted = struct {
	columns       string
	t, y, s       []float64
	form          string
	constants     map[string]float64
	half, ofKnown float64
}{
	"t,y,s",
	[]float64{0, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12},
	[]float64{10.12, 8.31, 7.02, 5.87, 5.11, 3.92, 3.15, 2.58, 2.31, 1.84, 1.71, 1.62},
	[]float64{0.3, 0.25, 0.21, 0.18, 0.15, 0.12, 0.09, 0.08, 0.07, 0.06, 0.05, 0.05},
	"y = a*exp(-b*t) + c",
	map[string]float64{"a": 8.321101555199965, "b": 0.4217822206491343, "c": 1.5811747125526103},
	0.09678736 * 2.262157162798205, 0.18390587,
}

// TestFitFormWeighted fits by standard deviations, and by weights that say the same.
func TestFitFormWeighted(t *testing.T) {
	w := make([]float64, len(weighted.s))
	for i, s := range weighted.s {
		w[i] = 7 / (s * s)
	}
	rows := table(t, weighted.columns+",w", weighted.t, weighted.y, weighted.s, w)
	f, err := eql.ParseForm(weighted.form, rows.Names)
	if err != nil {
		t.Fatal(err)
	}
	for _, told := range []run.ErrorColumn{{Column: "s"}, {Column: "w", Weights: true}} {
		r, err := eql.FitForm(f, rows, told)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range r.Constants {
			if want := weighted.constants[k.Name]; !(math.Abs(k.Value-want) <= 1e-8*want) {
				t.Errorf("by %s: %s is %.12g, want %.12g", told.Column, k.Name, k.Value, want)
			}
			half := (k.High - k.Low) / 2
			if k.Name == "a" && told.Weights && math.Abs(half/weighted.half-1) > 1e-6 {
				t.Errorf("by weights a has an interval of ± %.9g, want %.9g", half, weighted.half)
			}
			if k.Name == "a" && !told.Weights && !(half > 1.9*weighted.ofKnown) {
				t.Errorf("by standard deviations a has an interval of ± %.9g, want at least %.9g", half, 1.9*weighted.ofKnown)
			}
		}
	}
	if _, err := eql.FitForm(f, rows, run.ErrorColumn{Column: "t"}); err == nil ||
		!strings.Contains(err.Error(), `column "t" gives errors, and is 0 in row 1`) {
		t.Errorf("a standard deviation of 0 gives the error %v", err)
	}
}

// TestRefitWeighted fits the constants of a formula by standard deviations.
func TestRefitWeighted(t *testing.T) {
	rows := table(t, weighted.columns, weighted.t, weighted.y, weighted.s)
	e := formula.MustParse("8*exp(-0.4*t) + 1.5")
	r, err := eql.Refit(e, "y", rows, make([]bool, 3), nil, run.ErrorColumn{Column: "s"})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{weighted.constants["a"], -weighted.constants["b"], weighted.constants["c"]}
	for i, v := range formula.Constants(r.Formula) {
		if !(math.Abs(v-want[i]) <= 1e-8*math.Abs(want[i])) {
			t.Errorf("constant %d is %.12g, want %.12g", i+1, v, want[i])
		}
	}
}

// TestFitFormErrors fits y = k·x. With errors in proportion to the prediction k is the mean of y/x, and with errors of
// one size Σxy/Σx². Auto takes those that the rows have.
func TestFitFormErrors(t *testing.T) {
	const k, rows = 2.5, 40
	rng := rand.New(rand.NewPCG(5, 6))
	var x, relative, equal []float64
	for i := range rows {
		v := math.Pow(10, 1.6*float64(i)/(rows-1)) // no prediction is below a tenth of the median
		x, relative = append(x, v), append(relative, k*v*(1+0.05*rng.NormFloat64()))
		equal = append(equal, k*v+rng.NormFloat64())
	}
	for _, tt := range []struct {
		name     string
		y        []float64
		errors   run.Errors
		relative bool
	}{
		{"asked for, as they are", relative, run.ErrorsRelative, true},
		{"asked for, and equal", equal, run.ErrorsRelative, true},
		{"equal ones asked for", relative, run.ErrorsAbsolute, false},
		{"auto, relative", relative, run.ErrorsAuto, true},
		{"auto, equal", equal, run.ErrorsAuto, false},
	} {
		mean, xy, xx := 0.0, 0.0, 0.0
		for i, v := range x {
			mean, xy, xx = mean+tt.y[i]/v/rows, xy+v*tt.y[i], xx+v*v
		}
		want := xy / xx
		if tt.relative {
			want = mean
		}
		f, err := eql.ParseForm("y = k*x", []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := eql.FitFormErrors(f, table(t, "x,y", x, tt.y), tt.errors)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Constants[0].Value; r.Relative != tt.relative || math.Abs(got-want) > 1e-8*want {
			t.Errorf("%s: k is %.12g, relative %v, want %.12g and %v", tt.name, got, r.Relative, want, tt.relative)
		}
	}
	f, _ := eql.ParseForm("y = k*x", []string{"x", "y"})
	if _, err := eql.FitFormErrors(f, table(t, "x,y", x, make([]float64, rows)), run.ErrorsRelative); err == nil {
		t.Error("errors in proportion to a target of zeros are no error")
	}
}
