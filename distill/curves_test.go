package distill

import (
	"math"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/model"
)

// withExp has all units that laws grow from.
var withExp = Growth{Units: append(growth.Units[:len(growth.Units):len(growth.Units)], model.Exp, model.Log), Work: 4e9}

// TestGreedyFindsCurves grows laws with exponentials, logarithms and roots on data with noise of 1 % of the target's spread.
func TestGreedyFindsCurves(t *testing.T) {
	for _, c := range []struct {
		name, truth string
		inputs      int
		low, high   float64
		constants   int
	}{
		{"decay", "2.5*exp(-0.8*x1)", 1, 0, 5, 2},
		{"decay to a rest", "20 + 60*exp(-0.3*x1)", 1, 0, 10, 3},
		{"growth", "exp(0.5*x1)", 1, 0, 5, 2},
		{"a damped wave", "2*exp(-0.3*x1)*sin(5*x1)", 1, 0, 10, 3},
		{"Kepler's third law", "x1^1.5", 1, 0.3, 30, 2},
		{"a power law of three", "3*x1^0.75*x2^(-0.4)*x3", 3, 1, 5, 4},
		{"a root", "sqrt(x1)", 1, 0, 9, 2},
		{"a distance", "sqrt(x1^2 + x2^2)", 2, -3, 3, 3},
		{"Lorentz", "x1/sqrt(1 - x2^2/9)", 2, 1, 2.5, 3},
		{"a logarithm", "2*log(x1) + 0.5", 1, 0.5, 20, 2},
		{"a logarithm of a ratio", "x1*x2*log(x3/x4)", 4, 1, 5, 2},
		{"Gauss", "exp(-x1^2/2)", 1, -3, 3, 2},
		{"Gauss of two", "exp(-(x1/x2)^2/2)/x2", 2, 1, 3, 3},
		{"Boltzmann", "x1*exp(-x2*x3/x4)", 4, 1, 5, 3},
		{"Arrhenius", "5*exp(-3/x1)", 1, 0.5, 4, 2},
		{"two decays", "3*exp(-2*x1) + 2*exp(-0.2*x1)", 1, 0, 10, 4},
		{"gamma", "x1^2*exp(-1.5*x1)", 1, 0, 6, 3},
		{"root beside a line", "2*sqrt(x1) - 0.3*x1", 1, 0, 20, 3},
		{"decay and a wave of another", "exp(-x1) + sin(3*x2)", 2, 0, 4, 4},
		{"a logarithm of a sum", "2*log(1 + 0.8*x1)", 1, 0, 5, 3},
		{"a capacitor", "x1*(1 - exp(-x2/(x3*x4)))", 4, 0.5, 3, 3},
		{"an offset root", "sqrt(1 + 0.8*x1)", 1, 0, 5, 3},
		{"interference", "x1 + x2 + 2*sqrt(x1*x2)*cos(x3)", 3, 1, 5, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := positive(600, x4[:c.inputs], c.low, c.high, c.truth, 0.01)
			l := withExp.Greedy(d)
			e := l.Expr(x4, nil, model.Scale{}, formula.Simplify)
			truth := valuesOf(c.truth, x4[:c.inputs], d)
			noise, mse := standardDeviation(truth)*0.01, 0.0
			for i, y := range l.Predict(d.X, d.Rows()) {
				mse += (y - truth[i]) * (y - truth[i]) / float64(d.Rows())
			}
			// A right law errs by the noise·√(constants/rows), about a tenth of it.
			if l.Params() > c.constants || !(math.Sqrt(mse) < noise/5) {
				t.Errorf("%d constants, error %.2g of the noise: %s", l.Params(), math.Sqrt(mse)/noise, e)
			}
		})
	}
}
