package search

import (
	"context"
	"testing"
)

// Factors that are one number are one constant: without, three of them are too many for a short law.
func TestFactorsAreTied(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	for _, text := range []string{"0.5*x1*(x2^2 + x3^2 + x4^2)", "0.7*x1^2 - 0.7*x2*x3 + x4"} {
		tb := law{name: "tied", text: text}.draw(t, 300, 0, 0.01)
		found := find(context.Background(), tb.near, Options{Names: tb.names, Work: 3e8})[0]
		if found.e.parameters() > 1 {
			t.Errorf("found %v for %s, with %d constants", found.formula, text, found.e.parameters())
		}
	}
}

func TestTied(t *testing.T) {
	var e expr
	x, y, z := e.variable(0), e.variable(1), e.variable(2)
	e.add(e.mul(e.par(2), x), e.add(e.mul(e.par(3), y), e.mul(e.par(-2.01), z)))
	root := e.root()
	terms := e.termsOf(root)
	if len(terms) != 3 || !e.nearlyTied(terms[0], terms[2]) || e.nearlyTied(terms[0], terms[1]) {
		t.Fatalf("terms %v of %v", terms, e)
	}
	got := e.tied(root, terms, terms[0], terms[2]).formula([]string{"x", "y", "z"}).String()
	if want := "2*(x - z) + 3*y"; got != want {
		t.Errorf("tied: %s, want %s", got, want)
	}
}
