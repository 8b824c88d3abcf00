package formula

import (
	"errors"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"precedence", "1+2*x^2", "1 + 2*x^2"},
		{"minus below power", "-x^2", "-x^2"},
		{"minus in exponent", "x^-y", "x^(-y)"},
		{"right-associative", "x^y^z", "x^y^z"},
		{"stars", "x**y**z", "x^y^z"},
		{"left-associative", "a - b - c/d/e", "a - b - c/(d*e)"},
		{"signs", "a - -b + +c", "a + b + c"},
		{"exponents", "1e3*x + 1.5E-7 + .5 + 2.", "1000*x + 1.5e-7 + 0.5 + 2"},
		{"no exponent", "2*e1", "2*e1"},
		{"pi", "pi*x", "3.141592653589793*x"},
		{"spaces", " sin ( x )\t+\n1 ", "sin(x) + 1"},
		{"parentheses", "((x))", "x"},
		{"numbers first", "x*2*y*3", "6*x*y"},
		{"larger of three", "max(x, 2, -y)", "max(max(x, 2), -y)"},
		{"columns called as functions that came later", "max + `min`*abs", "`max` + `min`*`abs`"},
		{"one is left out", "1*x^1/1", "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := Parse(tt.in)
			if err != nil || e.String() != tt.want {
				t.Errorf("Parse(%q) = %v, %v, want %s", tt.in, e, err, tt.want)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	deep := func(s string) string { return strings.Repeat(s, maxDepth+1) }
	tests := []struct {
		name, in string
		column   int
		msg      string
	}{
		{"empty", "", 1, "the formula ends here, want a number, a name or a parenthesis"},
		{"ends early", "x +", 4, "the formula ends here, want a number, a name or a parenthesis"},
		{"no operator", "2x", 2, `"x" follows without an operator (write * for a product)`},
		{"in characters", "größe größe", 7, `"größe" follows without an operator (write * for a product)`},
		{"open", "sin(x + 1", 10, "the formula ends here, want an operator or ); the parenthesis of column 4 is still open"},
		{"closed", "x)", 2, `unexpected ")", want an operator`},
		{"two operators", "x */ y", 4, `unexpected "/", want a number, a name or a parenthesis`},
		{"character", "x & y", 3, "unexpected character '&' (names with such characters go between backticks)"},
		{"function", "sinus(x)", 1,
			`unknown function "sinus" (the functions are sin, cos, tan, exp, log, sqrt, sigmoid, tanh, asin, acos, atan, sinh, cosh, abs, min, max; a product needs a *)`},
		{"function alone", "sin*x", 1, "sin is a function (write sin(x), or `sin` for a column of that name)"},
		{"one argument too many", "sin(x, y)", 4, "sin takes one argument, not 2"},
		{"one argument too few", "max(x)", 4, "max takes two or more arguments, not 1"},
		{"comma", "x, y", 2, `unexpected ",", want an operator`},
		{"open after a comma", "max(x, y", 9,
			"the formula ends here, want an operator or ); the parenthesis of column 4 is still open"},
		{"open call of two arguments", "min(0", 6,
			"the formula ends here, want an operator or ); the parenthesis of column 4 is still open"},
		{"backtick", "1 + `ab", 5, "this backtick is never closed"},
		{"too large", "1e999", 1, "1e999 is too large for a number (the largest is 1.8e308)"},
		{"point", ".", 1, `"." is not a number`},
		{"deep parentheses", deep("("), maxDepth + 1, "nested more than 1000 levels deep (simplify the formula)"},
		{"deep powers", deep("x^") + "x", 2*maxDepth + 2, "nested more than 1000 levels deep (simplify the formula)"},
		{"deep exponents", deep("x^-"), 3*maxDepth + 2, "nested more than 1000 levels deep (simplify the formula)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(tt.in)
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("got %v, want a SyntaxError", err)
			}
			if syntax.Column != tt.column || syntax.Msg != tt.msg {
				t.Errorf("got column %d: %s\nwant column %d: %s", syntax.Column, syntax.Msg, tt.column, tt.msg)
			}
		})
	}
}

func TestParseLong(t *testing.T) {
	const n = 20000
	for _, in := range []string{
		strings.Repeat("x + ", n) + "x",
		strings.Repeat("x*", n) + "x",
		strings.Repeat("-", n) + "x",
		strings.Repeat("(", maxDepth) + "x" + strings.Repeat(")", maxDepth),
	} {
		if _, err := Parse(in); err != nil {
			t.Error(err)
		}
	}
}

// TestParseParts cuts formulas at all places, and leaves out each token in turn: what is left is a formula or an error.
func TestParseParts(t *testing.T) {
	for _, whole := range []string{
		"max(x, min(2, y, -z), 3)^-2", "1/(a*sin(2*pi*x) - 1)**2", "`a``b`*exp(-(x/3e-2)^1.5) + log(y)/abs(z)",
	} {
		for from := range whole {
			for to := from; to <= len(whole); to++ {
				for _, part := range []string{whole[from:to], whole[:from] + whole[to:]} {
					if _, err := Parse(part); err != nil && !errors.As(err, new(*SyntaxError)) {
						t.Errorf("%q: got %v, want a SyntaxError", part, err)
					}
				}
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"x", "-0", "sin(2*x)/(y-1)", "1e308*10", "x^-2^y", "1/(x*2)/-3", "`a``b` - (-1)", "0/0 - 1/0", "2**-x*pi",
		"1e-300*1e-300*x", "-(1/(1/x))", "(x^2)^-1", "``", "x - -0", "1e308*2*0", "3*z*(1e-200*x + 1e-200*y + 1e200)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := Parse(s)
		if err != nil {
			return // refusing is fine; panicking is not
		}
		if again, err := Parse(e.String()); err != nil || !Equal(again, e) {
			t.Errorf("%q prints as %q, which reads back as %v, %v", s, e, again, err)
		}
		if len(s) < 200 {
			once := Simplify(e)
			if !Equal(Simplify(once), once) {
				t.Errorf("%q simplifies to %s, and that to %s", s, once, Simplify(once))
			}
			if again, err := Parse(once.String()); err != nil || !Equal(again, once) {
				t.Errorf("%q simplifies to %s, which reads back as %v, %v", s, once, again, err)
			}
		}
		for _, form := range Forms() {
			Print(e, form, 3)
		}
	})
}
