package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// TestIntervalsOfStandardForms fits five standard forms, the right ones, to 40 rows with errors of 1 % of the spread,
// of 5 % of each value, and of a Poisson process, and counts the 95 % intervals of constants that have the truth. There
// are more than 2,000, so that the standard error is 0.5 %.
func TestIntervalsOfStandardForms(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of work")
	}
	const rows, tables = 40, 50
	laws := []struct {
		form      string
		truth     []float64 // its constants as they are fitted; of the third in 1/(a*x1^b + c)
		low, high []float64
	}{
		{"1.7*x1^0.33*x2^0.67", []float64{1.7, 0.33, 0.67}, []float64{10, 10}, []float64{200, 200}},
		{"21*exp(-1255/x1)*x2^1.1", []float64{21, -1255, 1.1}, []float64{280, 0.2}, []float64{420, 2}},
		{"90/(1 + (12/x1)^1.6)", []float64{math.Pow(12, 1.6) / 90, -1.6, 1.0 / 90}, []float64{1}, []float64{60}},
		{"20.5 + 80*exp(-0.35*x1)", []float64{20.5, 80, -0.35}, []float64{0}, []float64{14}},
		{"366*x1/(x1 + 14)", []float64{366, 14}, []float64{1}, []float64{80}},
	}
	errors := []struct {
		name  string
		sigma func(y, size float64) float64
	}{
		{"absolute", func(_, size float64) float64 { return size / 100 }},
		{"relative", func(y, _ float64) float64 { return math.Abs(y) / 20 }},
		{"Poisson", func(y, size float64) float64 { return math.Sqrt(math.Abs(y)*size) / 40 }},
	}
	total, covered := 0, 0
	for k, law := range laws {
		e, inputs := formula.MustParse(law.form), []string{"x1", "x2"}[:len(law.low)]
		program, err := formula.Compile(e, inputs)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range errors {
			all, in := 0, 0
			for seed := range uint64(tables) {
				rng := rand.New(rand.NewPCG(seed, uint64(k)))
				d := Data{Y: make([]float64, rows)}
				for j, low := range law.low {
					d.X = append(d.X, nil)
					for range rows {
						d.X[j] = append(d.X[j], low+(law.high[j]-low)*rng.Float64())
					}
				}
				program.EvalColumns(d.Y, d.X)
				size := StandardDeviation(d.Y)
				var sigma []float64
				for i, y := range d.Y {
					sigma = append(sigma, of.sigma(y, size))
					d.Y[i] += sigma[i] * rng.NormFloat64()
				}
				d.W, _ = RootWeights(sigma)
				_, constants := Intervals(e, inputs, d, func(e formula.Expr) formula.Expr { return e })
				if len(constants) != len(law.truth) {
					t.Fatalf("%s: %d constants, want %d", law.form, len(constants), len(law.truth))
				}
				for i, c := range constants {
					if all++; c.Low <= law.truth[i] && law.truth[i] <= c.High {
						in++
					}
				}
			}
			t.Logf("%s, %s errors: %d of %d", law.form, of.name, in, all)
			total, covered = total+all, covered+in
		}
	}
	t.Logf("%d of %d, %.1f %%", covered, total, 100*float64(covered)/float64(total))
	if p := float64(covered) / float64(total); total < 2000 || !(p > 0.93 && p < 0.97) {
		t.Errorf("%d of %d intervals have the truth, want 93 to 97 %%", covered, total)
	}
}
