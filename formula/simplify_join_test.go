package formula_test

import (
	"testing"

	"github.com/eqlearner/eql/formula"
)

func TestSimplifyHyperbolic(t *testing.T) {
	for text, want := range map[string]string{
		"2*sigmoid(2*x) - 1":             "tanh(x)",
		"2*m*n*(sigmoid(2*b*m/t) - 0.5)": "m*n*tanh(b*m/t)",
		"sigmoid(x) - 0.5":               "sigmoid(x) - 0.5",
		"sigmoid(x) - 0.4":               "sigmoid(x) - 0.4",
		"3*sigmoid(2*x) + y - 1.5":       "y + 1.5*tanh(x)",
	} {
		if got := formula.Simplify(formula.MustParse(text)).String(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
