package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// Kepler's third law with a mass, a third variable that does nothing, and errors of one in a
// thousand: a = 0.0196·P^(2/3)·m^(1/3).
func TestPowerFindsKeplersLaw(t *testing.T) {
	const rows = 30
	rng := rand.New(rand.NewPCG(5, 6))
	d := fit.Data{X: make([][]float64, 3)}
	for range rows {
		period, mass, other := math.Exp(2+6*rng.Float64()), 0.5+2*rng.Float64(), 1+rng.Float64()
		d.X[0], d.X[1], d.X[2] = append(d.X[0], period), append(d.X[1], mass), append(d.X[2], other)
		d.Y = append(d.Y, 0.0196*math.Pow(period, 2./3)*math.Cbrt(mass)*(1+0.001*rng.NormFloat64()))
	}
	law, ok := fit.Power(d)
	if !ok {
		t.Fatal("no power law")
	}
	e := law.Expr([]string{"P", "m", "z"})
	if vars := formula.Vars(e); len(vars) != 2 {
		t.Errorf("%s uses %v, want P and m", e, vars)
	}
	for _, c := range []struct{ p, m float64 }{{1e4, 1}, {1e5, 3}} { // far outside
		got := law.Predict([][]float64{{c.p}, {c.m}, {1}}, 1)[0]
		want := 0.0196 * math.Pow(c.p, 2./3) * math.Cbrt(c.m)
		if math.Abs(got/want-1) > 0.005 {
			t.Errorf("at P=%g, m=%g: %g, want %g", c.p, c.m, got, want)
		}
		p, err := formula.Compile(e, []string{"P", "m", "z"})
		if err != nil {
			t.Fatal(err)
		}
		if written := p.Eval([]float64{c.p, c.m, 1}); math.Abs(written/got-1) > 1e-9 {
			t.Errorf("the expression gives %g, the law %g", written, got)
		}
	}
	folds := make([][]int, 5)
	for i := range rows {
		folds[i%5] = append(folds[i%5], i)
	}
	worst := 0.0
	for i, r := range law.CrossValidate(d, folds) {
		worst = math.Max(worst, math.Abs(r/d.Y[i]))
	}
	if worst > 0.01 {
		t.Errorf("cross-validation is %.3g off, relatively", worst)
	}
}

// Errors of 1 % of y itself, over five decades: the largest values must not decide alone, and the exponents are
// certain enough to be written as the fractions that they are. C = 0.0196 is no special value.
func TestPowerWithErrorsInProportion(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	d := fit.Data{X: make([][]float64, 2)}
	for range 100 {
		period, mass := math.Exp(17*rng.Float64()), math.Exp(3*rng.Float64())
		d.X[0], d.X[1] = append(d.X[0], period), append(d.X[1], mass)
		d.Y = append(d.Y, -0.0196*math.Pow(period, 2./3)*math.Cbrt(mass)*math.Exp(0.01*rng.NormFloat64()))
	}
	law, ok := fit.Power(d)
	if !ok {
		t.Fatal("no power law")
	}
	e := law.Snap([]string{"P", "m"}, d)
	p, err := formula.Compile(e, []string{"P", "m"})
	if err != nil {
		t.Fatal(err)
	}
	at := p.Eval([]float64{1, 1})
	if math.Abs(at/-0.0196-1) > 0.02 {
		t.Errorf("%s is %g at (1, 1), want -0.0196", e, at)
	}
	if got := p.Eval([]float64{1000, 1}) / at; math.Abs(got-100) > 1e-9 {
		t.Errorf("%s grows by %g when P does a thousandfold, want 100", e, got)
	}
	if got := p.Eval([]float64{1, 1000}) / at; math.Abs(got-10) > 1e-9 {
		t.Errorf("%s grows by %g when m does a thousandfold, want 10", e, got)
	}
}

func TestPowerSnapsWhatItMultipliesBy(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 12))
	d := fit.Data{X: make([][]float64, 1)}
	for range 200 {
		x := math.Exp(4 * rng.Float64())
		d.X[0], d.Y = append(d.X[0], x), append(d.Y, 2*math.Sqrt(x)*(1+0.02*rng.NormFloat64()))
	}
	law, ok := fit.Power(d)
	if !ok {
		t.Fatal("no power law")
	}
	if got := law.Snap([]string{"x"}, d).String(); got != "2*x^0.5" && got != "2*sqrt(x)" {
		t.Errorf("got %s, want 2*x^0.5", got)
	}
}

// Where y is small the noise gives it the other sign in some rows, and in others makes it much smaller than
// it is, which the logarithms must not believe.
func TestPowerWithNoiseAboutZero(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		rng := rand.New(rand.NewPCG(7, 10))
		d := fit.Data{X: make([][]float64, 2)}
		for range 300 {
			a, b := 1+49*rng.Float64(), 0.5+2.5*rng.Float64()
			d.X[0], d.X[1] = append(d.X[0], a), append(d.X[1], b)
			d.Y = append(d.Y, sign*(3*math.Pow(a, 2.5)*math.Pow(b, -1.5)+250*rng.NormFloat64()))
		}
		if low := slices.Min(d.Y); (low < 0) != (slices.Max(d.Y) > 0) {
			t.Fatal("the target is of one sign")
		}
		law, ok := fit.Power(d)
		if !ok {
			t.Fatal("no power law")
		}
		got, want := law.Predict([][]float64{{100}, {5}}, 1)[0], sign*3e5*math.Pow(5, -1.5)
		if math.Abs(got/want-1) > 0.02 {
			t.Errorf("%s gives %g, want %g", law.Expr([]string{"a", "b"}), got, want)
		}
	}
}

// A column that says the same as another, or nothing, must not hide the law.
func TestPowerWithRedundantInputs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	d := fit.Data{X: make([][]float64, 4)}
	for range 40 {
		radius, mass := math.Exp(3*rng.Float64()), 0.5+2*rng.Float64()
		for j, v := range []float64{radius, 2 * radius, 293, mass} {
			d.X[j] = append(d.X[j], v)
		}
		d.Y = append(d.Y, 3*math.Pow(radius, 1.5)*mass)
	}
	law, ok := fit.Power(d)
	if !ok {
		t.Fatal("no power law")
	}
	if got, want := law.Predict([][]float64{{100}, {200}, {293}, {5}}, 1)[0], 15000.0; math.Abs(got/want-1) > 1e-6 {
		t.Errorf("%s gives %g, want %g", law.Expr([]string{"r", "d", "T", "m"}), got, want)
	}
}

// Three of fifty inputs matter. Leaving them out one after the other, each tried, took minutes.
func TestPowerOfManyInputs(t *testing.T) {
	const rows, inputs = 1000, 50
	rng := rand.New(rand.NewPCG(7, 8))
	d := fit.Data{X: make([][]float64, inputs)}
	names := make([]string, inputs)
	for j := range names {
		names[j] = fmt.Sprintf("x%d", j)
	}
	for i := range rows {
		for j := range d.X {
			d.X[j] = append(d.X[j], 0.5+1.5*rng.Float64())
		}
		y := 2 * math.Pow(d.X[40][i], 0.3) / d.X[7][i] * math.Sqrt(d.X[20][i])
		d.Y = append(d.Y, y*(1+0.01*rng.NormFloat64()))
	}
	law, ok := fit.Power(d)
	if !ok {
		t.Fatal("no power law")
	}
	if vars := formula.Vars(law.Expr(names)); !slices.Equal(vars, []string{"x7", "x20", "x40"}) {
		t.Errorf("it uses %v, want x7, x20 and x40", vars)
	}
}

func TestPowerRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		d    fit.Data
	}{
		{"signs of the target", fit.Data{X: [][]float64{{1, 2, 3, 4}}, Y: []float64{1, -2, 3, 4}}},
		{"signs of the input", fit.Data{X: [][]float64{{1, -2, 3, 4}}, Y: []float64{1, 2, 3, 4}}},
		{"zeros", fit.Data{X: [][]float64{{1, 2, 3, 4}}, Y: []float64{0, 0, 0, 0}}},
		{"two rows", fit.Data{X: [][]float64{{1, 2}}, Y: []float64{1, 2}}},
		{"a constant input", fit.Data{X: [][]float64{{2, 2, 2, 2}}, Y: []float64{1, 2, 3, 4}}},
		{"no rows", fit.Data{X: [][]float64{{}}, Y: nil}},
	} {
		if law, ok := fit.Power(c.d); ok {
			t.Errorf("%s: %s", c.name, law.Expr([]string{"x"}))
		}
	}
	negative, ok := fit.Power(fit.Data{X: [][]float64{{1, 2, 3, 4}}, Y: []float64{-2, -8, -18, -32}})
	if !ok || math.Abs(negative.Predict([][]float64{{10}}, 1)[0]+200) > 1e-6 {
		t.Error("a negative target: want -2*x^2")
	}
}
