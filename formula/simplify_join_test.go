package formula_test

import (
	"testing"

	"github.com/eqlearner/eql/formula"
)

func TestSimplifyToOtherFunctions(t *testing.T) {
	for text, want := range map[string]string{
		"2*sigmoid(2*x) - 1":               "tanh(x)",
		"2*m*n*(sigmoid(2*b*m/t) - 0.5)":   "m*n*tanh(b*m/t)",
		"sigmoid(x) - 0.5":                 "sigmoid(x) - 0.5",
		"sigmoid(x) - 0.4":                 "sigmoid(x) - 0.4",
		"1.5707963267948966 - asin(x)":     "acos(x)",
		"3*asin(x) - 4.71238898038469":     "-3*acos(x)",
		"y*(asin(x) + 1.5707963267948966)": "y*acos(-x)",
		"1.5707963267948966 - acos(x/y)":   "asin(x/y)",
		"asin(x) - 1.5":                    "asin(x) - 1.5",
		"x*(0.45*exp(x) - 0.45*exp(-x))":   "0.9*x*sinh(x)",
		"y*exp(x/2) + y*exp(-x/2) - 3":     "2*y*cosh(0.5*x) - 3",
		"exp(2*x) + 2*exp(-2*x)":           "2*exp(-2*x) + exp(2*x)",
		"exp(x)*y - exp(-x)*z":             "y*exp(x) - z*exp(-x)",
		"3*sigmoid(2*x) + y - 1.5":         "y + 1.5*tanh(x)",
	} {
		if got := formula.Simplify(formula.MustParse(text)).String(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
