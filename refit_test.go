package eql_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// The constants of a line are those of the usual formulas, and a held one stays.
func TestRefitLine(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5}, []float64{1.13, 1.92, 3.21, 3.94, 5.07}
	rows := table(t, "x,y", x, y)
	e := formula.MustParse("7.1234567*x - 3.7654321")
	free, err := eql.Refit(e, "y", rows, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	intercept, slope := stat.LinearRegression(x, y, nil, false)
	for i, want := range []float64{slope, intercept} {
		if got := free.Constants[i].After.Value; math.Abs(got-want) > 1e-12 {
			t.Errorf("constant %d is %.15g, want %.15g", i, got, want)
		}
	}
	held, err := eql.Refit(e, "y", rows, []bool{true, false}, nil)
	if err != nil {
		t.Fatal(err)
	}
	mx, my := stat.Mean(x, nil), stat.Mean(y, nil)
	if got, want := held.Constants[1].After.Value, my-7.1234567*mx; math.Abs(got-want) > 1e-12 {
		t.Errorf("with the slope held the intercept is %.15g, want %.15g", got, want)
	}
	if c := held.Constants[0]; !c.Held || c.After.Value != 7.1234567 || c.After.Low != c.After.High {
		t.Errorf("the slope that was held is %+v", c.After)
	}
}

// Errors in proportion to the prediction weigh the rows: the constants are where the weighted squares are least, which
// they are not with equal weights.
func TestRefitRelative(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var x, y []float64
	for i := range 60 {
		z := 0.1 * float64(i)
		x, y = append(x, z), append(y, 500*math.Exp(-1.2*z)*(1+0.05*rng.NormFloat64()))
	}
	rows := table(t, "x,y", x, y)
	e := formula.MustParse("400*exp(-1.1*x)")
	r, err := eql.RefitRelative(e, "y", rows, nil, nil, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{500, -1.2} {
		c := r.Constants[i].After
		if !(c.Low <= want && want <= c.High) || c.High-c.Low > 0.1*math.Abs(want) {
			t.Errorf("constant %d is %g (%g to %g), want %g", i, c.Value, c.Low, c.High, want)
		}
	}
	squares := func(a, b float64) (sum float64) { // of errors over predictions as fitted
		for i := range x {
			at := r.Constants[0].After.Value * math.Exp(r.Constants[1].After.Value*x[i])
			e := (y[i] - a*math.Exp(b*x[i])) / at
			sum += e * e
		}
		return sum
	}
	a, b := r.Constants[0].After.Value, r.Constants[1].After.Value
	for _, by := range []float64{0.999, 1.001} {
		if squares(a*by, b) < squares(a, b) || squares(a, b*by) < squares(a, b) {
			t.Errorf("%g and %g do not minimise the weighted squares", a, b)
		}
	}
}

// A constant that is the same in both tables is said to have changed in one case of twenty.
func TestRefittedChanged(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns laws")
	}
	pairs := 500
	if *long {
		pairs = 1000
	}
	rng := rand.New(rand.NewPCG(5, 6))
	draw := func(rate float64) (d fit.Data) {
		d.X = [][]float64{nil}
		for i := range 15 {
			x := 0.2 * float64(i)
			d.X[0], d.Y = append(d.X[0], x), append(d.Y, 2.13*math.Exp(-rate*x)+0.31+0.01*rng.NormFloat64())
		}
		return d
	}
	e := formula.MustParse("2.13001*exp(-0.83001*x) + 0.31001")
	changes := func(rate float64) (changed coverage) {
		for range pairs {
			first, second := draw(0.83), draw(rate)
			p, before, err := fit.Refit(e, []string{"x"}, first, nil)
			if err != nil {
				t.Fatal(err)
			}
			rows := table(t, "x,y", second.X[0], second.Y)
			intervals, _ := before.Constants(0.95)
			r, err := eql.Refit(formula.WithConstants(e, p), "y", rows, nil, intervals)
			if err != nil {
				t.Fatal(err)
			}
			isOther, known := r.Constants[1].Changed()
			changed.add(isOther && known)
		}
		return changed
	}
	// The half widths are of Student's t each, so their root sum of squares holds a little more than 95 %.
	same, other := changes(0.83), changes(1.1)
	if got := same.percent(); got < 2 || got > 6.5 {
		t.Errorf("the same constant changed in %.1f %% of cases, want 2 to 6.5", got)
	}
	if got := other.percent(); got < 99 {
		t.Errorf("another constant changed in %.1f %% of cases, want 99", got)
	}
}
