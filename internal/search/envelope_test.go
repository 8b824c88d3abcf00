package search

import "testing"

// TestEnvelopes finds waves under an envelope, also products of several waves.
func TestEnvelopes(t *testing.T) {
	if testing.Short() {
		t.Skip("a second or two of search")
	}
	for _, tt := range []struct {
		law           string
		lo, hi        float64
		rows          int
		noise, within float64
	}{
		{"x^3*exp(-x)*cos(x)*sin(x)*(sin(x)^2*cos(x) - 1)", 0, 10, 200, 0, 1e-9},
		{"x^2*exp(-x)*sin(2.9*x)", 1, 6, 60, 0, 1e-9},
		{"3*exp(-0.3*x)*cos(2.1*x + 0.5)", 0, 12, 200, 0.03, 0.05},
	} {
		t.Run(tt.law, func(t *testing.T) {
			d, p := rowsOf(t, tt.law, []string{"x"}, tt.lo, tt.hi, tt.rows, tt.noise)
			e := bestOf(d, []string{"x"}, (*searcher).envelopes)
			if off := worst(e, p, []string{"x"}, tt.lo, tt.hi); !(off <= tt.within) {
				t.Errorf("off by %g: %v", off, e)
			}
		})
	}
}
