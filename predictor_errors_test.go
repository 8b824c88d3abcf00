package eql_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

// TestPredictorWithErrors counts how often 95 % intervals hold a new measurement where predictions are small and where
// they are large, with errors in proportion to them, told by a column, and with an outlier.
func TestPredictorWithErrors(t *testing.T) {
	const rows, tables = 30, 600
	law := formula.MustParse("8*exp(-0.5*x)")
	value := func(x float64) float64 { return 8 * math.Exp(-0.5*x) }
	relative := func(y float64) float64 { return 0.05 * y }
	equal := func(float64) float64 { return 0.2 }
	tests := []struct {
		name    string
		size    func(y float64) float64
		outlier bool
		errors  evidence.Errors
	}{
		{"relative", relative, false, evidence.Errors{Kind: evidence.ErrorsRelative, Size: 0.05}},
		{"told by a column", equal, false, evidence.Errors{Kind: evidence.ErrorsGiven, Column: "s", Size: 1}},
		{"an outlier", equal, true,
			evidence.Errors{Kind: evidence.ErrorsEqual, Size: 0.2, Outliers: []evidence.Outlier{{Size: 30}}}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(8, 8))
			held := map[float64]int{}
			for range tables {
				cols := make([][]float64, 3)
				for i := range rows {
					x := 6 * rng.Float64()
					y := value(x)
					e := c.size(y) * rng.NormFloat64()
					if c.outlier && i == 7 {
						e = 40 * c.size(y)
					}
					cols[0], cols[1], cols[2] = append(cols[0], x), append(cols[1], y+e), append(cols[2], c.size(y))
				}
				table := &datasets.Table{Names: []string{"x", "y", "s"}, Cols: cols}
				p, err := eql.NewPredictorWith(law, "y", table, nil, c.errors)
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range []float64{0.5, 5.5} {
					y := value(x) + c.size(value(x))*rng.NormFloat64()
					at := p.At([][]float64{{x}}, 1, 0.95, eql.OfPrediction)
					if at.Low[0] <= y && y <= at.High[0] {
						held[x]++
					}
				}
			}
			for x, n := range held {
				if part := float64(n) / tables; part < 0.92 || part > 0.98 { // three standard errors of 600 are 0.027
					t.Errorf("at x = %g %.3f of the intervals hold the measurement, want 0.95", x, part)
				}
			}
		})
	}
}
