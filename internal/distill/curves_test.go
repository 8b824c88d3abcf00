package distill

import (
	"math"
	"slices"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// withExp has all units that laws grow from.
var withExp = Growth{Units: append(growth.Units[:len(growth.Units):len(growth.Units)], model.Exp, model.Log), Work: 4e9}

// TestGreedyFindsCurves grows laws with exponentials, logarithms and roots on data with noise of 1 % of the target's
// spread.
func TestGreedyFindsCurves(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	laws := []planted{
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
	}
	for _, c := range laws[:lawsTested(len(laws))] {
		t.Run(c.name, func(t *testing.T) { c.check(t, withExp) })
	}
}

// TestNoCurvesWithoutTheirUnits keeps to the units that are allowed, on data that asks for an exponential times an
// input. That takes the logarithm too, of which powers are made.
func TestNoCurvesWithoutTheirUnits(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	d := positive(300, x4[:1], 0, 5, "20 + 60*x1*exp(-0.8*x1)", 0.01)
	cases := []struct{ units, has []model.Unit }{
		{withExp.Units, []model.Unit{model.Product, model.Exp}},
		{[]model.Unit{model.Product}, []model.Unit{model.Product}},
		{[]model.Unit{model.Product, model.Exp}, []model.Unit{model.Product}},
		{[]model.Unit{model.Product, model.Log}, []model.Unit{model.Product}},
		{[]model.Unit{model.Exp, model.Log}, []model.Unit{model.Exp, model.Log}}, // x1 as exp(log(x1))
	}
	for _, c := range cases[:lawsTested(len(cases))] {
		l := Growth{Units: c.units, Work: 1e9}.Greedy(d)
		if has := l.kinds(); !slices.Equal(has, slices.Sorted(slices.Values(c.has))) {
			t.Errorf("with %v the law has %v, want %v: %s",
				c.units, has, c.has, l.Expr(x4, nil, model.Scale{}, formula.Simplify))
		}
	}
}

// powerLaw is a·x1^w·exp(b·x2 + c).
func powerLaw(a, w, b, c float64) *Law {
	l := &Law{inputs: 2}
	log := l.add(model.Log, []affine{{terms: []term{{0, 4}}}})
	z := constant(c).plus(log, w).plus(source(1), b)
	l.out = constant(0).plus(l.add(model.Exp, []affine{z}), a)
	return l
}

// What a logarithm's argument or an exponential is multiplied with is carried by one constant, and the function stays
// what it is.
func TestCanonicalCurves(t *testing.T) {
	d := positive(200, x4[:2], 0.5, 3, "7*x1^1.5*exp(-0.4*x2)", 0)
	l := powerLaw(7*math.Exp(-0.3)/8, 1.5, -0.4, 0.3) // (4·x1)^1.5 is 8·x1^1.5
	if c := l.canonical(); c.SSE(d) > 1e-20 || c.Params() != 3 {
		t.Errorf("canonical: SSE %g with %d constants, want 0 with 3", c.SSE(d), c.Params())
	}
	if fitted := Fit(powerLaw(1, 1, -0.1, 0), d); fitted.SSE(d) > 1e-15 {
		t.Errorf("fitted from elsewhere: SSE %g, want 0", fitted.SSE(d))
	}
	far := powerLaw(1, 1, 0, 800) // exp(800) is no number
	if got := far.canonical().units; got[len(got)-1].args[0].bias == 0 {
		t.Error("a factor that is no number was taken out of an exponential")
	}
}

// Powers are written as such, and squares completed.
func TestCurvesAsFormulas(t *testing.T) {
	got := powerLaw(2, 0.5, -1, 0).Expr(x4, nil, model.Scale{}, formula.Simplify).String()
	if got != "4*exp(-x2)*sqrt(x1)" {
		t.Errorf("2·(4·x1)^½·exp(−x2) is written as %s", got)
	}
	l := &Law{inputs: 1}
	square := l.add(model.Product, []affine{source(0), source(0)})
	l.out = l.add(model.Exp, []affine{constant(-9).plus(square, -1).plus(source(0), 6)})
	if got := l.Expr(x4, nil, model.Scale{}, formula.Simplify).String(); got != "exp(-(x1 - 3)^2)" {
		t.Errorf("exp(−x² + 6x − 9) is written as %s", got)
	}
}

// A root at 0 is 0 and has finite derivatives, so that tables may begin with a 0.
func TestRootsOfZero(t *testing.T) {
	d := sample(1, 50, x4[:1], "0", 0)
	for i := range d.Y {
		d.X[0][i] = float64(i) / 10
		d.Y[i] = 3 * math.Sqrt(d.X[0][i])
	}
	l := &Law{inputs: 1}
	l.out = constant(0).plus(l.add(model.Exp, []affine{constant(0).plus(l.add(model.Log, []affine{source(0)}), 0.6)}), 2)
	if fitted := Fit(l, d); !(fitted.SSE(d) < 1e-20) {
		t.Errorf("SSE %g, want 0: %s", fitted.SSE(d), fitted.Expr(x4, nil, model.Scale{}, formula.Simplify))
	}
}

// TestWholePowers writes exp(2.03·log x + z) as x²·exp(z), and exp(−log x) as 1/x.
func TestWholePowers(t *testing.T) {
	f := &form{inputs: 2}
	log := f.function(model.Log, termOf(1, 0))
	f.out = termOf(3, f.function(model.Exp, termOf(2.03, log).plus(termOf(-0.4, 1), 1)))
	f.out = f.out.plus(termOf(2, f.function(model.Exp, termOf(-1, log))), 1)
	var got []string
	for _, g := range f.wholePowers() {
		got = append(got, lawOf(t, g).Expr(x4, nil, model.Scale{}, formula.Simplify).String())
	}
	want := []string{"2/x1 + 3*x1^2*exp(-0.4*x2)", "2/x1 + 3*exp(-0.4*x2)*x1^2.03"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A law is not asked for its doubt where a logarithm has no value.
func TestBeforeLogarithms(t *testing.T) {
	l := &Law{inputs: 1}
	l.out = l.add(model.Log, []affine{source(0)})
	d := fit.Data{X: [][]float64{{1, 2, 3}}, Y: make([]float64, 3)}
	if got := l.BeforePoles(d, [][]float64{{-1, 0.4, 5}}); got.Rows() != 1 || got.X[0][0] != 5 {
		t.Errorf("kept %v, want the row with 5", got.X)
	}
}

// The larger box of an input that is never negative ends at zero.
func TestStretched(t *testing.T) {
	got := Stretched([][]float64{{1, 2, 3}, {0, 1, 2}, {-1, 0, 1}, {4, 4, 4}}, 2)
	want := [][]float64{{0, 2, 4}, {0, 1, 3}, {-2, 0, 2}, {4, 4, 4}}
	for j := range want {
		if !slices.Equal(got[j], want[j]) {
			t.Errorf("column %d: %v, want %v", j, got[j], want[j])
		}
	}
}

// A law that has no value anywhere in the larger box is not known there: log(1 − x²) for x beyond 1.
func TestDoubtWithoutValues(t *testing.T) {
	l := &Law{inputs: 1}
	l.out = l.add(model.Log, []affine{constant(1).plus(l.add(model.Product, []affine{source(0), source(0)}), -1)})
	d := fit.Data{X: [][]float64{make([]float64, 60)}, Y: make([]float64, 60)}
	for i := range d.Y {
		x := math.Copysign(0.6+0.3*float64(i)/60, float64(i%2)-0.5)
		d.X[0][i], d.Y[i] = x, math.Log(1-x*x)+1e-4*float64(i%3)
	}
	if x := Extrapolate(Fit(l, d), d); !x.Defined || !math.IsInf(x.Doubt, 1) {
		t.Errorf("defined %t, with a doubt of %g, want +Inf", x.Defined, x.Doubt)
	}
}
