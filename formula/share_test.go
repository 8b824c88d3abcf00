package formula

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestShare(t *testing.T) {
	for _, tt := range []struct{ name, formulas, want string }{
		{
			"a formula within another",
			"y1 = cos(x1); y2 = cos(x1) + cos(x1 + x2)",
			"y1 = cos(x1); y2 = y1 + cos(x1 + x2)",
		}, {
			"a chain, given backwards",
			"c = sin(x) + sin(2*x) + sin(3*x); b = sin(x) + sin(2*x); a = sin(x)",
			"a = sin(x); b = a + sin(2*x); c = b + sin(3*x)",
		}, {
			"a part of its own",
			"a = x*exp(-y^2) + 1; b = x/z - exp(-y^2)*z; c = exp(-y^2)*sin(z)",
			"p1 = exp(-y^2); a = p1*x + 1; b = x/z - p1*z; c = p1*sin(z)",
		}, {
			"a name that is taken",
			"a = p1 + sin(p1*x + 3); b = x*sin(p1*x + 3)",
			"p2 = sin(p1*x + 3); a = p2 + p1; b = p2*x",
		}, {
			"equal formulas",
			"a = sin(x)*y; b = sin(x)*y",
			"a = y*sin(x); b = a",
		}, {
			"nothing in common",
			"a = sin(x); b = cos(x)",
			"a = sin(x); b = cos(x)",
		}, {
			"a term that is a formula",
			"a = 2*x; b = 2*x + y*z",
			"a = 2*x; b = a + y*z",
		}, {
			"one formula",
			"a = x*sin(x) + sin(x)",
			"a = x*sin(x) + sin(x)",
		},
	} {
		got, shorter := Share(definitions(tt.formulas))
		if shorter == (tt.formulas == tt.want) {
			t.Errorf("%s: shorter is %v", tt.name, shorter)
		}
		if text, want := printDefinitions(got), printDefinitions(definitions(tt.want)); text != want {
			t.Errorf("%s: %s, want %s", tt.name, text, want)
		}
	}
}

// TestShareKeepsValues puts the definitions into each other again and evaluates.
func TestShareKeepsValues(t *testing.T) {
	formulas := definitions("a = sin(x)*y + x^2*z - 3*cos(x + y); b = sin(x)*y + x^2*z; " +
		"c = 2*sin(x)*y/(1 + cos(x + y)); d = cos(x + y)*x^2")
	at := map[string]float64{"x": 0.3, "y": -1.2, "z": 2.5}
	whole := map[string]Expr{}
	size := 0
	shared, _ := Share(formulas)
	for _, d := range shared {
		whole[d.Name] = Substitute(d.Expr, whole)
		size += Complexity(d.Expr)
	}
	before := 0
	for _, d := range formulas {
		before += Complexity(d.Expr)
		got, err := Eval(whole[d.Name], at)
		want, _ := Eval(d.Expr, at)
		if err != nil || got != want && fmt.Sprintf("%.12g", got) != fmt.Sprintf("%.12g", want) {
			t.Errorf("%s is %v (%v), want %v", d.Name, got, err, want)
		}
	}
	if size >= before {
		t.Errorf("%d nodes became %d", before, size)
	}
}

func definitions(text string) []Named {
	var d []Named
	for one := range strings.SplitSeq(text, "; ") {
		name, e, _ := strings.Cut(one, " = ")
		d = append(d, Named{name, MustParse(e)})
	}
	return d
}

func printDefinitions(d []Named) string {
	var parts []string
	for _, one := range d {
		parts = append(parts, one.Name+" = "+Simplify(one.Expr).String())
	}
	return strings.Join(slices.Clip(parts), "; ")
}
