package command

import (
	"strings"
	"testing"

	"github.com/eqlearner/eql/evidence"
)

// TestFoundBy writes the ways that led to a formula as a list.
func TestFoundBy(t *testing.T) {
	search := evidence.Greedy{Agrees: true}
	tests := map[string]struct {
		support evidence.Support
		greedy  evidence.Greedy
		want    string
	}{
		"none": {want: "derived from other formulas"},
		"one":  {evidence.Support{Networks: 8, Agree: 3}, evidence.Greedy{}, "found by 3 of 8 networks"},
		"network": {evidence.Support{Networks: 8, Grown: 1}, evidence.Greedy{},
			"found by the search, started from the formula of a network"},
		"three": {evidence.Support{Networks: 8, Agree: 3, Form: "Hill, falling"}, search,
			`found by 3 of 8 networks, the search without networks and the fit of the standard form "Hill, falling"`},
	}
	for name, test := range tests {
		if got := foundBy(&evidence.Evidence{Support: test.support, Greedy: test.greedy}); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestGapWords says of a negative gap what it means, and writes no -0.
func TestGapWords(t *testing.T) {
	for gap, want := range map[float64]string{
		23.4: "BIC2 gap 23", 0.2: "BIC2 gap 0", -0.2: "BIC2 gap 0 (another formula is better)",
		-41: "BIC2 gap -41 (another formula is better)",
	} {
		if got := strings.Join(testsOf(&evidence.Evidence{Gap: gap}), ", "); got != want {
			t.Errorf("%g: %q, want %q", gap, got, want)
		}
	}
}

// TestConstantsHeading promises special values only where there are some.
func TestConstantsHeading(t *testing.T) {
	for snapped, want := range map[float64]string{
		2.1: "  constants (95 % intervals):\n", 2: "  constants as fitted (95 % intervals) -> special values:\n",
	} {
		var w strings.Builder
		printEvidence(&w, "y", &evidence.Evidence{
			Constants: []evidence.Constant{{Value: 2.1, Low: 1.9, High: 2.3, Snapped: snapped}},
		})
		if !strings.Contains(w.String(), want) {
			t.Errorf("%q, want %q", w.String(), want)
		}
	}
}
