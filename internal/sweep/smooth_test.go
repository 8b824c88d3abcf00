package sweep

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// TestSmoothCurves compares what rows tell of laws and of formulas that the search found in their place, beside their
// constants, with what the formulas take to write down.
func TestSmoothCurves(t *testing.T) {
	coth := func(z float64) float64 { return 1 / math.Tanh(z) }
	langevin := func(h float64) float64 { return 6 * (coth(h/1.4) - 1.4/h) }
	brillouin := func(x float64) float64 { return 3 * (4*coth(4*x/3.6) - coth(x/3.6)) / 3 }
	sutherland := func(x float64) float64 { return 1.458 * math.Pow(x, 1.5) / (x + 110.4) }
	of := func(text string) func(float64) float64 {
		p, err := formula.Compile(formula.MustParse(text), []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		return func(x float64) float64 {
			var y [1]float64
			p.EvalColumns(y[:], [][]float64{{x}})
			return y[0]
		}
	}
	for _, c := range []struct {
		text             string
		truth            func(float64) float64
		rows             int
		low, high, noise float64
		imitates         bool
	}{
		{"sqrt(x^2/(x^2*(0.0017*x + 0.0925) + 0.515))", brillouin, 200, 0.05, 6, 0.01, true},
		{"0.49*sqrt(x^2*(x + 116)/(x^2 + 13.7))", langevin, 200, 0.2, 12, 0.02, true},
		{"1.4712*sqrt(x)/sqrt(cosh(21.84/sqrt(x)))", sutherland, 150, 200, 600, 0.04, true},
		{"3.2*x*exp(-0.5*x)", of("3.2*x*exp(-0.5*x)"), 300, 0, 8, 0.05, false},
		{"-0.9*sin(1.1*x)", of("-0.9*sin(1.1*x)"), 1000, -2, 2, 0.01, false},
		{"2*exp(-0.77*x^2)", of("2*exp(-0.77*x^2)"), 400, -2, 2, 0.04, false},
		{"6.2*sin(1.3*x)/x", of("6.2*sin(1.3*x)/x"), 200, 0.2, 10, 0.08, false},
		{"2*sin(x + 0.05*x^2)", of("2*sin(x + 0.05*x^2)"), 200, 0, 10, 0.05, false},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		d := fit.Data{X: [][]float64{make([]float64, c.rows)}, Y: make([]float64, c.rows)}
		for i := range d.Y {
			d.X[0][i] = c.low + (c.high-c.low)*rng.Float64()
			d.Y[i] = c.truth(d.X[0][i]) + c.noise*rng.NormFloat64()
		}
		fitted, constants := fit.Intervals(formula.MustParse(c.text), []string{"x"}, d, formula.Simplify)
		laws := distill.ComposeBoth(fitted, []string{"x"}, model.LawUnits(), nil)
		if len(laws) == 0 {
			t.Fatalf("%s is no law", c.text)
		}
		bits, nodes := told(laws[0], d)-evidence.Bits(constants), formula.Complexity(formula.MustParse(c.text))
		if imitates := bits < bitsOf(nodes); imitates != c.imitates {
			t.Errorf("%s: %.0f bits, %d nodes: may imitate a curve: %t, want %t", fitted, bits, nodes, imitates, c.imitates)
		}
	}
}
