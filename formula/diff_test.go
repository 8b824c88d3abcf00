package formula

import (
	"math"
	"testing"
)

func TestDiff(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"constant", "3", "0"},
		{"other variable", "y^2*sin(y)", "0"},
		{"itself", "x", "1"},
		{"polynomial", "x^3 - 2*x + 1", "3*x^2 - 2"},
		{"product", "x*y*sin(x)", "y*sin(x) + x*y*cos(x)"},
		{"chain", "sin(2*x)", "2*cos(2*x)"},
		{"inverse", "1/x", "-1/x^2"},
		{"exponential", "2^x", "2^x*0.6931471805599453"},
		{"to the zeroth", "x^0", "0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Diff(MustParse(tt.in), "x")
			if want := Simplify(MustParse(tt.want)); !Equal(Simplify(got), want) {
				t.Errorf("got %s, that is %s, want %s", got, Simplify(got), want)
			}
		})
	}
}

func TestDiffNumerically(t *testing.T) {
	at := map[string]float64{"x": 0.7, "y": 1.3, "n": 2.5}
	for _, s := range []string{
		"x/y - y/x^2", "x^n", "x^y*y^x", "(x*y)^(-n)", "sigmoid(x*y)/tanh(x - y)", "exp(-x^2)*log(y + x)",
		"sqrt(x^2 + y^2)", "tan(cos(x)*sin(y))", "(x + 1)^0.5/(x - y)", "2^(x/y)",
	} {
		t.Run(s, func(t *testing.T) {
			for name := range at {
				checkDerivative(t, MustParse(s), at, name)
			}
		})
	}
}

// checkDerivative compares Diff with the central difference, whose error at this step is some
// 1e-10 of the value.
func checkDerivative(t *testing.T, e Expr, at map[string]float64, name string) {
	t.Helper()
	const h = 1e-5
	value := func(e Expr, step float64) float64 {
		moved := map[string]float64{}
		for k, v := range at {
			moved[k] = v
		}
		moved[name] += step
		v, err := Eval(e, moved)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	want := (value(e, h) - value(e, -h)) / (2 * h)
	got := value(Diff(e, name), 0)
	if d := math.Abs(got - want); !(d <= 1e-8*max(1, math.Abs(want))) {
		t.Errorf("d(%s)/d%s = %g, finite difference %g", e, name, got, want)
	}
}
