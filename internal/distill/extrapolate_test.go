package distill

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// oneSine is w·sin(a·x1 + b) + c, fitted.
func oneSine(d fit.Data, a, b, w, c float64) *Law {
	return Fit(networkLaw(1, model.Layer{Unary: []model.Unit{model.Sin}}, []float64{a, b}, []float64{w, c}), d)
}

func TestExtrapolate(t *testing.T) {
	x1 := x4[:1]
	for _, c := range []struct {
		name, truth    string
		rows           int
		noise          float64
		a, b, w, c     float64 // where the fit of w·sin(a·x1 + b) + c begins
		fails, telling bool
		inner          float64
	}{
		{"the law", "sin(4*x1)", 2000, 0.01, 3.8, 0.01, 1, 0.01, false, true, evidence.FirstInner},
		{"a sine for an exponential", "exp(2*x1)", 2000, 0.01, 1, -1, 5, 5, true, false, 0},
		{"the law, whose inner rows say little of it", "sin(2.5*x1)", 500, 0.02, 2.4, 0.01, 1, 0.01, false, true, 0.5},
	} {
		d := sample(3, c.rows, x1, c.truth, c.noise)
		x := Extrapolate(oneSine(d, c.a, c.b, c.w, c.c), d)
		if x.Fails() != c.fails || !c.fails && (x.Telling() != c.telling || x.Inner < c.inner) {
			t.Errorf("%s: %+v, fails %t, telling %t", c.name, x, x.Fails(), x.Telling())
		}
	}
}

// With constants held at what they are in the law the inner rows predict the outer ones where they do not with all
// constants fitted, and a wrong form still fails.
func TestExtrapolateHeld(t *testing.T) {
	x1 := x4[:1]
	for _, c := range []struct {
		name, truth string
		fails       bool
	}{
		{"the law", "0.49*sin(2.5*x1)", false},
		{"another one", "0.49*tanh(2.2*x1)", true},
	} {
		d := sample(3, 500, x1, c.truth, 0.02)
		l := oneSine(d, 2.4, 0.01, 0.5, 0.01)
		all := Extrapolate(l, d)
		form := fit.Named{Expr: formula.MustParse("a*sin(2.5*x1)"), Inputs: x1, Constants: []formula.Parameter{{Name: "a"}}}
		held := ExtrapolateHeld(l, &fit.Partial{Form: form, Values: []float64{1}}, d)
		if !held.Telling() || held.Inner > evidence.FirstInner || held.Fails() != c.fails || !held.Held {
			t.Errorf("%s: %+v", c.name, held)
		}
		if !c.fails && all.Inner <= evidence.FirstInner {
			t.Errorf("%s: the inner rows say enough with all constants fitted: %+v", c.name, all)
		}
	}
}

// The quantile of a χ² whose degrees of freedom overflow was looked for without end.
func TestLargestVarianceOverflows(t *testing.T) {
	huge := 1e297
	if v := largestVariance(huge, huge*huge); v < huge {
		t.Errorf("the largest variance of %g with spread %g is %g", huge, huge*huge, v)
	}
	for _, spread := range []float64{math.SmallestNonzeroFloat64, math.Inf(1)} {
		if v := largestVariance(1, spread); !(v >= 1) || math.IsInf(v, 1) {
			t.Errorf("the largest variance of 1 with spread %g is %g", spread, v)
		}
	}
}

// A right law fails in one case of a thousand, whatever its noise: four of 300 would be an accident of one in 4,000.
func TestExtrapolatePassesRightLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	for _, noise := range []struct {
		name string
		draw func(rng *rand.Rand, x float64) float64
	}{
		{"normal", func(rng *rand.Rand, _ float64) float64 { return rng.NormFloat64() }},
		{"with outliers", func(rng *rand.Rand, _ float64) float64 { // Student's t with two degrees of freedom
			return rng.NormFloat64() / math.Sqrt(rng.ExpFloat64())
		}},
		{"largest in the middle", func(rng *rand.Rand, x float64) float64 { return rng.NormFloat64() * math.Exp(-4*x*x) }},
	} {
		fails := 0
		for seed := range uint64(300) {
			d := sample(seed, 200, x4[:1], "sin(3*x1)", 0)
			rng := rand.New(rand.NewPCG(seed, 7))
			for i := range d.Y {
				d.Y[i] += 0.05 * noise.draw(rng, d.X[0][i])
			}
			if Extrapolate(oneSine(d, 3, 0.01, 1, 0.01), d).Fails() {
				fails++
			}
		}
		t.Logf("%s: %d", noise.name, fails)
		if fails > 3 {
			t.Errorf("%d of 300 right laws with noise %s fail", fails, noise.name)
		}
	}
}

func TestOpen(t *testing.T) {
	d := sample(1, 200, x4[:2], "2*x1", 0.1)
	linear := model.Layer{Unary: []model.Unit{model.Identity}}
	if Fit(networkLaw(2, linear, []float64{1, 0, 0}, []float64{2, 0}), d).Open(d) {
		t.Error("2*x1 is open")
	}
	if !Fit(networkLaw(2, linear, []float64{1, 1e-9, 0}, []float64{2, 0}), d).Open(d) {
		t.Error("2*x1 and something of x2, which is not in the data, is not open")
	}
}

func TestJumps(t *testing.T) {
	d := sample(1, 2000, x4[:1], "sigmoid(4*x1)", 0.01)
	sigmoid := model.Layer{Unary: []model.Unit{model.Sigmoid}}
	for _, c := range []struct {
		slope, bias float64
		want        bool
	}{
		{4, 0, false},      // smooth
		{60, 0, false},     // a twelfth of the range
		{200, 0, true},     // a fortieth of the range, fifty rows
		{1e5, -2e4, true},  // between two rows
		{-1e5, -2e4, true}, // downwards
		{1e5, -2e5, false}, // outside the data: nothing jumps in it
	} {
		if got := networkLaw(1, sigmoid, []float64{c.slope, c.bias}, []float64{1, 0}).Jumps(d); got != c.want {
			t.Errorf("sigmoid(%g*x %+g): %v", c.slope, c.bias, got)
		}
	}
}

func TestFaint(t *testing.T) {
	d := sample(1, 3000, x4, "x1 + 0.003*x2 + 0.004*x3*x4", 0.01)
	for _, c := range []struct {
		law  sum
		want int
	}{
		{termOf(1, 0), 0},
		{termOf(1, 0).plus(termOf(0.003, 1), 1), 1},
		{termOf(1, 0).plus(termOf(0.003, 1), 1).plus(termOf(0.004, 2, 3), 1).plus(number(0.001), 1), 2},
	} {
		if got := lawOf(t, &form{inputs: 4, out: c.law}).Faint(d); got != c.want {
			t.Errorf("%v: %d faint terms, want %d", c.law, got, c.want)
		}
	}
}
