package search

import (
	"context"
	"fmt"
	"slices"
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
		{"x/(y + z^2) + 3*u*log(v)", []string{"x", "y", "z", "u", "v"}, 1, 5, 1000, 0.01, 0.01},
	} {
		t.Run(fmt.Sprint(i, " ", tt.law), func(t *testing.T) {
			if testing.Short() && i > 0 || !*long && i > 3 {
				t.Skip("takes seconds")
			}
			tt.check(t, (*searcher).splits)
		})
	}
}

// TestTogether finds out which inputs act together, in sums under links and in products.
func TestTogether(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	for _, tt := range []struct {
		law     string
		kind    linkKind
		product bool
		want    [][]int
	}{
		{"a*c + b/d", linkNone, false, [][]int{{0, 2}, {1, 3}}},
		{"a*b*c + d", linkNone, false, [][]int{{3}, {0, 1, 2}}},
		{"a*b + b*c + d", linkNone, false, [][]int{{3}, {0, 1, 2}}}, // a and c by b
		{"a + b^2 + c + d", linkNone, false, [][]int{{0}, {1}, {2}, {3}}},
		{"a*c*b/d", linkNone, false, [][]int{{0, 1, 2, 3}}},
		{"1/(a*c + b*d)", linkInverse, false, [][]int{{0, 2}, {1, 3}}},
		{"(a + b)*(c + d)", linkNone, true, [][]int{{0, 1}, {2, 3}}},
	} {
		d, _ := rowsOf(t, tt.law, names, 1, 3, 500, 0.01)
		s := newSearcher(context.Background(), d, Options{Names: names})
		s.prepare()
		got := s.together(tt.kind, tt.product)
		slices.SortStableFunc(got, func(a, b []int) int { return len(a) - len(b) })
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: %v, want %v", tt.law, got, tt.want)
		}
	}
}

// TestWithoutConstant takes the constants off a sum, and leaves other formulas as they are.
func TestWithoutConstant(t *testing.T) {
	for _, tt := range []struct {
		make func(e *expr) int
		want string
	}{
		{func(e *expr) int { return e.add(e.add(e.variable(0), e.par(2.5)), e.variable(1)) }, "x1 + x2"},
		{func(e *expr) int { return e.mul(e.par(2.5), e.variable(0)) }, "2.5*x1"},
		{func(e *expr) int { return e.add(e.par(1), e.par(2.5)) }, "1 + 2.5"},
	} {
		var e expr
		root := tt.make(&e)
		if got := e.compact(root).withoutConstant().formula([]string{"x1", "x2"}).String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
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
