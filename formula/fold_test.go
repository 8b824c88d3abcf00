package formula_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// values is the algebra in which an expression becomes its value.
func values(at map[string]float64) formula.Algebra[float64] {
	return formula.Algebra[float64]{
		Number:   func(v float64) float64 { return v },
		Variable: func(name string) float64 { return at[name] },
		Sum: func(terms []float64) (s float64) {
			for _, t := range terms {
				s += t
			}
			return s
		},
		Product: func(factors []float64) float64 {
			p := 1.0
			for _, f := range factors {
				p *= f
			}
			return p
		},
		Power: math.Pow,
		Call:  func(f formula.Func, args []float64) float64 { return f.Value(args...) },
	}
}

func TestFold(t *testing.T) {
	at := map[string]float64{"a": 1.3, "b": -0.7, "c": 2}
	for _, text := range []string{"3", "a", "a + b - 2", "a*b/c", "a^c", "(a - b)^-1.5", "-a^2",
		"exp(-a*sigmoid(b)) + tanh(c)/sqrt(a)", "sin(cos(tan(log(a))))", "max(a, min(b, c))"} {
		e := formula.MustParse(text)
		want, err := formula.Eval(e, maps.Clone(at))
		if err != nil {
			t.Fatal(err)
		}
		if got := formula.Fold(e, values(at)); math.Abs(got-want) > 1e-14*math.Abs(want) {
			t.Errorf("%s: %g, want %g", text, got, want)
		}
	}
}

func ExampleFold() {
	depth := formula.Algebra[int]{
		Number: func(float64) int { return 0 }, Variable: func(string) int { return 0 },
		Sum:     func(x []int) int { return 1 + slices.Max(x) },
		Product: func(x []int) int { return 1 + slices.Max(x) },
		Power:   func(base, exponent int) int { return 1 + max(base, exponent) },
		Call:    func(_ formula.Func, x []int) int { return 1 + slices.Max(x) },
	}
	fmt.Println(formula.Fold(formula.MustParse("sin(2*x + 1)"), depth))
	// Output: 3
}
