package distill

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/model"
)

// A composed law must have the values of its expression.
func TestCompose(t *testing.T) {
	names := []string{"a", "b", "c"}
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([][]float64, len(names))
	for j := range x {
		x[j] = make([]float64, 50)
		for i := range x[j] {
			x[j][i] = 0.5 + rng.Float64()
		}
	}
	for _, text := range []string{
		"3", "a", "2*a - b + 1", "a*b*c", "a/b", "a^3/b^2", "a^-4", "a^5", "sqrt(a*b)", "a^1.5*b^-0.5*c",
		"1/sqrt(1 - a^2/9)", "exp(-a*b/c)",
		"a*exp(-b^2/2)/sqrt(2*pi)", "sin(a*b)^2/sin(a)^2", "tanh(a/b)*c", "sigmoid(a - b)", "log(a/b + 1)", "tan(a/2)",
		"a^b", "exp(a)*exp(b)",
		"a*b^3/(c^2*(exp(a*b/c) - 1))", "(a + b)*(a - c)",
		"asin(a*b/3)", "acos(a - b)*c", "atan(a/b)", "sinh(2*a) - cosh(b - a)", "abs(a - b)*c", "3*abs(1 - 2*a)",
		"max(a, b*c) - min(a, 1)",
		"max(2*a, b, 1)", "cosh(a)^2/tan(b/2)", "-2*max(1 - 3*a, 0)",
	} {
		e := formula.MustParse(text)
		l, err := Compose(e, names, model.LawUnits())
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		p, err := formula.Compile(e, names)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float64, 50)
		p.EvalColumns(want, x)
		for i, got := range l.Predict(x, 50) {
			if math.Abs(got-want[i]) > 1e-9*math.Max(1, math.Abs(want[i])) {
				t.Errorf("%s, row %d: %g, want %g", text, i, got, want[i])
				break
			}
		}
	}
	if _, err := Compose(formula.MustParse("a + z"), names, model.LawUnits()); err == nil {
		t.Error("a name that is no input was taken")
	}
	few := []model.Unit{model.Sigmoid, model.Reciprocal}
	for text, ok := range map[string]bool{"a*tanh(b)/c": true, "a^2/b": true, "sqrt(a)": false, "sin(a)": false,
		"exp(a)": false, "log(a)": false,
		"asin(a)": false, "tan(a)": false, "max(a, b)": false} {
		if _, err := Compose(formula.MustParse(text), names, few); (err == nil) != ok {
			t.Errorf("%s with sigmoid and quotients: %v", text, err)
		}
	}
}

// The hyperbolic tangent has no constants of its own where it is computed as a sigmoid.
func TestComposeTangent(t *testing.T) {
	units := []model.Unit{model.Identity, model.Sigmoid, model.Product}
	l, err := Compose(formula.MustParse("1.8*a*tanh(0.3*b)"), []string{"a", "b"}, units)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Params(); got != 2 {
		t.Errorf("%d constants, want 2", got)
	}
}

// TestComposeBoth counts the constants of formulas of columns that are scaled: those of the formula, as near as the
// units of a law allow, and none for what the scale adds. The values are those of the formula.
func TestComposeBoth(t *testing.T) {
	zeros := []float64{-2, -4}
	names := []string{"a", "b"}
	rng := rand.New(rand.NewPCG(1, 1))
	x := [][]float64{make([]float64, 50), make([]float64, 50)}
	for i := range 50 {
		x[0][i], x[1][i] = 0.5*rng.Float64(), 1+rng.Float64()
	}
	for _, c := range []struct {
		text   string
		params []int // of each law
	}{
		{"4.2*(a + 2)^2/(b + 4)", []int{1}},
		{"4.2*(a + 2)^1.5/(b + 4)^2.5", []int{1}},
		{"4.2*(a + 2)^1.7/(b + 4)", []int{2}},
		{"4.2*(a + 2)^4/((b + 4)^4*(1 - (a + 2)^2/(b + 4)^2)^2)", []int{3, 2}}, // 1 is a constant, or two
		{"4.2*(a + 3)/(b + 4)", []int{2}},                                      // counted from elsewhere
	} {
		e := formula.MustParse(c.text)
		laws := ComposeBoth(e, names, model.LawUnits(), zeros)
		var params []int
		p, err := formula.Compile(e, names)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float64, 50)
		p.EvalColumns(want, x)
		for _, l := range laws {
			params = append(params, l.Params())
			for i, got := range l.Predict(x, 50) {
				if math.Abs(got-want[i]) > 1e-9*math.Max(1, math.Abs(want[i])) {
					t.Errorf("%s, row %d: %g, want %g", c.text, i, got, want[i])
					break
				}
			}
		}
		if !slices.Equal(params, c.params) {
			t.Errorf("%s: laws with %v constants, want %v", c.text, params, c.params)
		}
	}
}
