package search

import (
	"math"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// worst is the largest error of a formula at the corners and the middle of a box, as a share of the law's largest value.
func worst(e formula.Expr, p *formula.Program, names []string, lo, hi float64) float64 {
	most, size := 0.0, 0.0
	for corner := range 1 << len(names) {
		at, values := make([]float64, len(names)), map[string]float64{}
		for j, name := range names {
			at[j] = lo + 0.3*(hi-lo)
			if corner>>j&1 == 1 {
				at[j] = hi
			}
			values[name] = at[j]
		}
		got, err := formula.Eval(e, values)
		if err != nil || math.IsNaN(got) {
			return math.Inf(1)
		}
		want := p.Eval(at)
		most, size = max(most, math.Abs(got-want)), max(size, math.Abs(want))
	}
	return most / size
}

// TestQuotientsOfSeveralInputs finds quotients of polynomials, also where they have poles.
func TestQuotientsOfSeveralInputs(t *testing.T) {
	for _, tt := range []struct {
		law    string
		names  []string
		lo, hi float64
		rows   int
		noise  float64
		within float64
	}{
		{"x^2*y^2/(x + y)", []string{"x", "y"}, -1, 1, 50, 0, 1e-9},
		{"(x^3 - y^2)/(1 + x^2 + y)", []string{"x", "y"}, 1, 4, 100, 0, 1e-9},
		{"((x - 3)^4 + (y - 3)^3 - (y - 3))/((y - 2)^4 + 10)", []string{"x", "y"}, 0, 6, 50, 0, 1e-7},
		{"(x*y + z^2)/(x + y + z)", []string{"x", "y", "z"}, 1, 4, 200, 0, 1e-9},
		{"(x^2 + y)/(x*y + 2)", []string{"x", "y"}, 1, 4, 200, 0.01, 0.03},
	} {
		t.Run(tt.law, func(t *testing.T) {
			d, p := rowsOf(t, tt.law, tt.names, tt.lo, tt.hi, tt.rows, tt.noise)
			e := bestOf(d, tt.names, (*searcher).rationals)
			if off := worst(e, p, tt.names, tt.lo, tt.hi); !(off <= tt.within) {
				t.Errorf("off by %g: %v", off, e)
			}
		})
	}
}
