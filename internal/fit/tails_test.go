package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// TestTails fits a decay whose errors are of Student's t with 2 degrees of freedom, and rows beyond six standard
// deviations left out. With the weights of Student's t the constants are nearer to the truth than by least squares, and
// their 95 % intervals have it as often as they say. Of normal errors few are taken for others.
func TestTails(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	const rows, tables, noise = 200, 200, 0.02
	truth := []float64{8, -0.5, 2}
	rng := rand.New(rand.NewPCG(4, 2))
	inside, all, heavy, alarms := 0, 0, 0, 0
	var squares, robust float64
	for range tables {
		var d, normal Data
		d.X, normal.X = [][]float64{nil}, [][]float64{nil}
		for range rows {
			x := 10 * rng.Float64()
			y := truth[0]*math.Exp(truth[1]*x) + truth[2]
			normal.X[0], normal.Y = append(normal.X[0], x), append(normal.Y, y+noise*rng.NormFloat64())
			e := noise * rng.NormFloat64() / math.Sqrt((math.Pow(rng.NormFloat64(), 2)+math.Pow(rng.NormFloat64(), 2))/2)
			if math.Abs(e) < 6*1.21*noise {
				d.X[0], d.Y = append(d.X[0], x), append(d.Y, y+e)
			}
		}
		fitted := func(d Data) (e formula.Expr, constants []float64, in int) {
			e = formula.WithConstants(formula.MustParse("8*exp(-0.5*x) + 2"), truth)
			e, intervals := Intervals(e, []string{"x"}, d, func(e formula.Expr) formula.Expr { return e })
			for k, c := range intervals {
				if constants = append(constants, c.Value); c.Low <= truth[k] && truth[k] <= c.High {
					in++
				}
			}
			return e, constants, in
		}
		weighed := func(d Data) Data {
			e, _, _ := fitted(d)
			program, err := formula.Compile(e, []string{"x"})
			if err != nil {
				t.Fatal(err)
			}
			errors := make([]float64, d.Rows())
			program.EvalColumns(errors, d.X)
			for i, y := range d.Y {
				errors[i] -= y
			}
			return d.ForTails(errors)
		}
		if weighed(normal).Tails > 0 {
			alarms++
		}
		tails := weighed(d)
		if tails.Tails > 0 {
			heavy++
		}
		_, plain, _ := fitted(d)
		_, better, in := fitted(tails)
		inside, all = inside+in, all+len(truth)
		for k, v := range truth {
			p, b := plain[k]/v-1, better[k]/v-1
			squares, robust = squares+p*p, robust+b*b
		}
	}
	t.Logf("heavy tails in %d of %d tables, and in %d with normal errors; error %.3f of that of least squares; "+
		"%d of %d intervals", heavy, tables, alarms, math.Sqrt(robust/squares), inside, all)
	if heavy < tables*9/10 || alarms > tables/50 {
		t.Errorf("heavy tails are found in %d of %d tables, and in %d with normal errors", heavy, tables, alarms)
	}
	if ratio := math.Sqrt(robust / squares); !(ratio < 0.9) {
		t.Errorf("the error is %.3f of that of least squares", ratio)
	}
	if share := float64(inside) / float64(all); !(share > 0.92 && share < 0.98) { // three standard errors
		t.Errorf("%d of %d intervals have the truth", inside, all)
	}
}

// Rows without weight have small weighted errors, which are no tails beside those of the others.
func TestRowsWithoutWeightHaveNoTails(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	d := Data{X: [][]float64{nil}}
	var errors []float64
	for i := range 120 {
		e := 0.01 * rng.NormFloat64()
		d.X[0], d.Y, d.W = append(d.X[0], float64(i)), append(d.Y, float64(i)+e), append(d.W, 1)
		if i < 60 {
			d.W[i], e = 1e-4, 3
		}
		errors = append(errors, e)
	}
	if nu := d.ForTails(errors).Tails; nu > 0 {
		t.Errorf("taken for Student's t with %g degrees of freedom", nu)
	}
}
