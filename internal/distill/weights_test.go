package distill

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// repeated returns a table of y = 2·x₁·exp(−x₂/2) + noise whose rows have whole numbers as weights, with the root
// weights, and the same with each row as often as its weight says: least squares of the two is the same.
func repeated(rows int) (weighted, often fit.Data) {
	rng := rand.New(rand.NewPCG(3, 3))
	weighted.X = make([][]float64, 2)
	often.X = make([][]float64, 2)
	for range rows {
		a, b, n := 1+3*rng.Float64(), 4*rng.Float64(), 1+rng.IntN(4)
		y := 2*a*math.Exp(-b/2) + 0.05*rng.NormFloat64()
		for j, v := range []float64{a, b} {
			weighted.X[j] = append(weighted.X[j], v)
			often.X[j] = append(often.X[j], slices.Repeat([]float64{v}, n)...)
		}
		weighted.Y = append(weighted.Y, y)
		often.Y = append(often.Y, slices.Repeat([]float64{y}, n)...)
		weighted.W = append(weighted.W, math.Sqrt(float64(n)))
	}
	return weighted, often
}

// TestWeightsRepeatRows fits everything that least squares is done for to both tables.
func TestWeightsRepeatRows(t *testing.T) {
	weighted, often := repeated(60)
	names := []string{"a", "b"}
	law := formula.MustParse("1.5*a*exp(-0.4*b)")
	fits := []struct {
		name string
		fit  func(d fit.Data) []float64
	}{
		{"a line", func(d fit.Data) []float64 { return Linear(d).Coefficients() }},
		{"a formula", func(d fit.Data) []float64 {
			p, _, err := fit.Refit(law, names, d, nil)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}},
		{"a power law", func(d fit.Data) []float64 {
			d.W = d.RootWeights() // otherwise ln y may be what is fitted
			p, ok := fit.Power(d)
			if !ok {
				t.Fatal("no power law")
			}
			return append([]float64{p.LogC}, p.Exponents...)
		}},
		{"a named form", func(d fit.Data) []float64 {
			free := formula.Parameter{Name: "p", Start: math.NaN(), Low: math.Inf(-1), High: math.Inf(1)}
			f := fit.Named{Expr: formula.MustParse("p*a*exp(-q*b)"), Inputs: names, Constants: []formula.Parameter{free, free}}
			f.Constants[1].Name = "q"
			fit, err := f.Fit(d)
			if err != nil {
				t.Fatal(err)
			}
			return fit.Values
		}},
		{"the gain of a term", func(d fit.Data) []float64 {
			f, _ := Linear(d).expand()
			tangent := newTangentSpace(f, d)
			one, two := slices.Clone(d.X[0]), slices.Clone(d.X[1])
			for i := range one {
				one[i] *= one[i]
				two[i] = math.Sin(two[i])
			}
			_, _, both := tangent.two(one, two)
			return []float64{tangent.one(one).gain, both.gain, both.weights[0], both.weights[1]}
		}},
	}
	for _, f := range fits {
		got, want := f.fit(weighted), f.fit(often)
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 1e-6*(1+math.Abs(want[i]))) {
				t.Errorf("%s: %d is %.12g with weights and %.12g with the rows repeated", f.name, i, got[i], want[i])
			}
		}
	}
}

// TestGrowthByRelativeErrors grows a law over four decades, which equal weights see only where it is largest.
func TestGrowthByRelativeErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	rng := rand.New(rand.NewPCG(5, 5))
	d := fit.Data{X: make([][]float64, 2)}
	sigma := make([]float64, 60)
	for i := range sigma {
		a, b := 1+3*rng.Float64(), 10*rng.Float64()
		y := 2 * a * math.Exp(-b)
		d.X[0], d.X[1] = append(d.X[0], a), append(d.X[1], b)
		sigma[i] = 0.02 * y
		d.Y = append(d.Y, y+sigma[i]*rng.NormFloat64())
	}
	var common float64
	d.W, common = fit.RootWeights(sigma)
	l := Growth{Units: withExp.Units, Work: 2e8}.Greedy(d)
	for i, y := range l.Predict(d.X, d.Rows()) {
		if truth := sigma[i] / 0.02; !(math.Abs(y-truth) <= 0.02*truth) {
			t.Fatalf("row %d: %g, want %g", i, y, truth)
		}
	}
	if rms := math.Sqrt(l.SSE(d) / float64(d.Rows())); rms > 1.3*common {
		t.Errorf("weighted RMS %g, errors are %g", rms, common)
	}
}
