package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// TestRobustFit fits a curve of Hill, one of whose rows is off by ten standard deviations of the target, each row in
// turn. The constants are those of least squares without the row, but for a part of their intervals.
func TestRobustFit(t *testing.T) {
	const rows, noise = 40, 0.4
	rng := rand.New(rand.NewPCG(8, 1))
	d := Data{X: [][]float64{nil}}
	for range rows {
		x := 1 + 59*rng.Float64()
		d.X[0] = append(d.X[0], x)
		d.Y = append(d.Y, 90/(1+math.Pow(12/x, 1.6))+noise*rng.NormFloat64())
	}
	form := Named{Expr: formula.MustParse("a/(1 + (b/x)^c)"), Inputs: []string{"x"}}
	for _, name := range []string{"a", "b", "c"} {
		form.Constants = append(form.Constants,
			formula.Parameter{Name: name, Start: math.NaN(), Low: math.Inf(-1), High: math.Inf(1)})
	}
	var places []map[string]float64
	for _, b := range []float64{5, 20, 50} {
		for _, c := range []float64{1, 2, 4} {
			places = append(places, map[string]float64{"b": b, "c": c})
		}
	}
	off := 10 * StandardDeviation(d.Y)
	for i := range rows {
		without := slices.Delete(Spread(rows, rows), i, i+1)
		want, err := form.FitFrom([]float64{90, 12, 1.6}, d.Take(without))
		if err != nil {
			t.Fatal(err)
		}
		intervals, _ := want.Constants(0.95)
		bad := d
		bad.Y = slices.Clone(d.Y)
		bad.Y[i] += math.Copysign(off, rng.NormFloat64())
		p, spread, err := form.Robust(places, bad)
		if err != nil || !(spread < 2*noise) {
			t.Errorf("row %d: the spread is %.3g, of errors of %g (%v)", i, spread, noise, err)
			continue
		}
		for k, c := range intervals {
			if half := (c.High - c.Low) / 2; !(math.Abs(p[k]-c.Value) <= half) {
				t.Errorf("row %d: %s is %.4g, want %.4g ± %.2g", i, form.Constants[k].Name, p[k], c.Value, half)
			}
		}
	}
}
