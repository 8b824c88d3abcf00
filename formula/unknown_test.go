package formula

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseUnknown(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Unknown
		same string // what it is with variables in place of the calls
	}{
		{"x1*f(x2, x3) + g(x4)", []Unknown{{"f", []string{"x2", "x3"}}, {"g", []string{"x4"}}}, "x1*F + G"},
		{"f(x)/(1 + f(x))", []Unknown{{"f", []string{"x"}}}, "F/(1 + F)"},
		{"exp(-k*f(`a b`,x))", []Unknown{{"f", []string{"a b", "x"}}}, "exp(-k*F)"},
		{"x + sin(x)", nil, "x + sin(x)"},
	} {
		e, unknown, err := ParseUnknown(c.text)
		if err != nil || !reflect.DeepEqual(unknown, c.want) {
			t.Errorf("%s: the unknown functions are %v, %v, want %v", c.text, unknown, err, c.want)
			continue
		}
		put := map[string]Expr{}
		for _, u := range unknown {
			put[u.Var()] = Var(strings.ToUpper(u.Name))
		}
		if got := Substitute(e, put); !Equal(got, MustParse(c.same)) {
			t.Errorf("%s: got %s, want %s", c.text, got, c.same)
		}
	}
}

func TestParseUnknownErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		column int
		want   string
	}{
		{"f()", 3, "f depends on nothing (name the columns"},
		{"a*(x + 1) + b(x + 1)", 15, "b is not a known function, and an unknown one takes names of columns"},
		{"f(2)", 3, "f is not a known function"},
		{"f(sin(x))", 3, "f is not a known function"},
		{"f(x, x)", 6, "f takes x twice"},
		{"f(x", 3, "f is not a known function"},
		{"f(x,", 5, "f is not a known function"},
		{"f(x) + f(y)", 8, "f(y) is f(x) elsewhere"},
		{"f*f(x)", 3, "f is a function here and a variable elsewhere"},
		{"sin(x, y)", 4, "sin takes one argument, not 2"},
		{"f(x, y", 6, "f is not a known function"},
	} {
		_, _, err := ParseUnknown(c.text)
		syntax, ok := err.(*SyntaxError) //nolint:errorlint // it is one, or the test fails
		if !ok || syntax.Column != c.column || !strings.Contains(syntax.Msg, c.want) {
			t.Errorf("%s: got the error %v, want one at column %d with %q", c.text, err, c.column, c.want)
		}
	}
	if _, err := Parse("f(x)"); err == nil || !strings.Contains(err.Error(), `unknown function "f"`) {
		t.Errorf("Parse takes an unknown function, or says %v", err)
	}
}
