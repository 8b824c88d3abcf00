package search

import (
	"context"
	"math"
	"strings"
	"testing"
)

// Of a target with sizes of four orders most rows are errors: these must not hide what multiplies it, nor what is left
// of it by a polynomial be taken for the errors.
func TestSeparableBesideErrors(t *testing.T) {
	span := box{1, 2}
	wide := law{name: "wide", text: "-6.4*G^4*m1^2*m2^2*(m1 + m2)/(c^5*r^5)",
		spans: map[string]box{"G": span, "c": span, "r": span}}
	tb := wide.draw(t, 1000, 0, 0.01)
	s := newSearcher(context.Background(), tb.near, Options{Names: tb.names})
	s.prepare()
	if want := 0.01 * s.sd; math.Abs(s.sigma/want-1) > 0.15 {
		t.Errorf("errors of %g, want %g", s.sigma, want)
	}
	want := map[string]float64{"G": 4, "c": -5, "r": -5}
	for j, name := range s.names {
		if p, ok := want[name]; s.sep[j] != ok || s.exponent[j] != p {
			t.Errorf("%s: separable %t with %g, want %t with %g", name, s.sep[j], s.exponent[j], ok, p)
		}
	}
}

// Where several laws are as good on the rows, those with constants of ±1 and without free exponents are kept.
func TestPlainLawsAreKept(t *testing.T) {
	if testing.Short() {
		t.Skip("a second or two of search")
	}
	for _, c := range []struct {
		law  law
		want string
		long bool
	}{
		{lawCalled(t, "I.48.2"), "m*c^2/sqrt(1 - v^2/c^2)", false},
		{law{name: "Bose", text: "1/(exp(0.16*h*omega/(kb*T)) - 1)"}, "1/(-1 + exp(", true},
	} {
		if c.long && !*long {
			continue
		}
		tb := c.law.draw(t, 1000, 0, 0.01)
		found := Find(context.Background(), tb.near, Options{Names: tb.names, Work: 3e9})[0].String()
		if !strings.HasPrefix(found, c.want) {
			t.Errorf("%s: found %s, want %s…", c.law.name, found, c.want)
		}
	}
}
