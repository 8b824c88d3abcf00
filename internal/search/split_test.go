package search

import (
	"fmt"
	"testing"
)

// TestSplits finds sums and products of functions of some inputs each, which are looked for one by one.
func TestSplits(t *testing.T) {
	for i, tt := range []stageLaw{
		{"x^4 - x^3 + 0.5*y^2 - y", []string{"x", "y"}, -3, 3, 20, 0, 1e-9},
		{"exp(-(x - 1)^2)/(1.2 + (y - 2.5)^2)", []string{"x", "y"}, 0.3, 4, 100, 0, 1e-9},
		{"exp(-(x - 1)^2)/(1.2 + (y - 2.5)^2)", []string{"x", "y"}, 0.3, 4, 100, 0.005, 0.05},
		{"1/(1 + 1/x^4) + 1/(1 + 1/y^4)", []string{"x", "y"}, 0.2, 5, 300, 0, 1e-9},
		{"1/(5 + (x - 3)^2 + (y - 3)^2 + (z - 3)^2)", []string{"x", "y", "z"}, 0, 6, 200, 0, 1e-9},
		{"exp(-x^2)*log(1 + y) + sin(2*z)", []string{"x", "y", "z"}, 0, 3, 200, 0, 1e-9},
		{"22 - 4.2*(cos(x) - tan(y))*tanh(z)", []string{"x", "y", "z"}, -1.2, 1.2, 300, 0, 1e-9},
	} {
		t.Run(fmt.Sprint(i, " ", tt.law), func(t *testing.T) {
			if testing.Short() && i > 0 || !*long && i > 3 {
				t.Skip("takes seconds")
			}
			tt.check(t, (*searcher).splits)
		})
	}
}

// The search for parts of a law gives the same whatever runs side by side.
func TestSplitsAreSpread(t *testing.T) {
	if testing.Short() {
		t.Skip("a second or two of search")
	}
	names := []string{"x", "y", "z"}
	d, _ := rowsOf(t, "(1 + x^2)*y + exp(z)", names, -1, 1, 60, 0.01)
	sameWhenSpread(t, d, Options{Names: names, Work: 5e8}, (*searcher).splits)
}
