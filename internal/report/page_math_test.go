package report

import (
	"strings"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// Formulas break between the terms of a sum, long terms between their factors, and nowhere else.
func TestMathBreaks(t *testing.T) {
	for _, c := range []struct {
		formula string
		pieces  int // with that of the name
		begins  string
	}{
		{"2*x", 2, "<mn>2</mn>"},
		{"2*x + sin(x + 1) - 3", 4, `<mo form="infix">−</mo><mn>3</mn>`},
		{"-x - 1", 3, "<mo>−</mo><mi>x</mi>"},
		{"1.23456*pressure*temperature*exp(-0.123456*time)", 5, `<mo form="infix">⋅</mo><mi>temperature</mi>`},
		{"(a + b)/(c + d)", 2, "<mfrac>"},
	} {
		text := string(mathOf("y", formula.MustParse(c.formula), 6))
		if pieces := strings.Count(text, "<math"); pieces != c.pieces ||
			!strings.Contains(text, `displaystyle="true">`+c.begins) {
			t.Errorf("%s has %d pieces, want %d, one of which begins with %s:\n%s", c.formula, pieces, c.pieces, c.begins, text)
		}
		if err := balanced(text); err != nil {
			t.Errorf("%s: %v", c.formula, err)
		}
	}
}

// A formula that would be too small is text.
func TestMathTooWide(t *testing.T) {
	wide := formula.Call(formula.Exp, formula.MustParse(strings.Repeat("temperature*pressure + ", 10)+"x"))
	text := string(mathOf("y", wide, 6))
	if !strings.HasPrefix(text, "<code>y = exp(") {
		t.Errorf("the formula is not text: %s", text)
	}
	text = string(mathOf("<b>", wide, 6))
	if strings.Contains(text, "<b>") {
		t.Errorf("the name is not escaped: %s", text)
	}
}
