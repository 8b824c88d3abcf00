package formula

import "testing"

func TestSimplifyTurnsProductsOfSinesIntoSums(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{"2*cos(0.5*y)*cos(x + 0.5*y)", "cos(x) + cos(x + y)"},
		{"2*sin(x + 0.5*y)*cos(0.5*y)", "sin(x) + sin(x + y)"},
		{"2*cos(0.5*y)*sin(x + 0.5*y)", "sin(x) + sin(x + y)"},
		{"2*sin(x + 0.5*y)*sin(0.5*y)", "cos(x) - cos(x + y)"},
		// Not shorter as sums.
		{"cos(x)*cos(y)", "cos(x)*cos(y)"},
		{"z*sin(x)*sin(3*y)", "z*sin(x)*sin(3*y)"},
		{"2*cos(0.5*y)*cos(x + 0.49*y)", "2*cos(0.5*y)*cos(x + 0.49*y)"},
	} {
		got := Simplify(MustParse(c.from))
		if got.String() != c.to {
			t.Errorf("%s became %s, want %s", c.from, got, c.to)
		}
	}
}
