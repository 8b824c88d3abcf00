package formula

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// checkGrammar evaluates what is printed in a form, as an expression and as a part of a function, by the rules of its
// language.
func checkGrammar(t *testing.T, form Form, e Expr, at map[string]float64) {
	t.Helper()
	want, err := Eval(e, at)
	_, bound := bounded(e, at)
	if math.IsNaN(want) {
		bound = 0
	}
	if err != nil || math.IsInf(want, 0) || !(bound <= 1e-6*max(1, math.Abs(want))) {
		return
	}
	if form == Excel { // constants have 15 digits
		bound *= 100
	}
	l := languages[form]
	vars, point := Vars(e), map[string]float64{}
	names := languageNames(form, vars)
	for _, v := range vars {
		point[names[v]] = at[v]
	}
	for _, guard := range []bool{false, true} {
		s := l.print(e, names, guard)
		got, err := grammars[form].evaluate(s, point)
		same := math.IsNaN(got) && math.IsNaN(want)
		if err != nil || !same && !(math.Abs(got-want) <= 100*bound+1e-300) {
			t.Errorf("%s: %s\nis %s\nwhose value is %v, %v, want %v ± %v", form, e, s, got, err, want, bound)
		}
	}
}

// delicate are expressions whose parentheses are easily lost.
var delicate = []string{
	"-x^2", "(-x)^2", "(-x)^3", "-(-x)^3", "2 - x^2", "(-2)^x", "-2^x", "x^y^z", "(x^y)^z", "x^(-y)", "2^(-x)^2",
	"(2^x)^(y + 1)", "-x^y^2", "x^-2",
	"-1/x^2", "(-1/x)^2", "a - (b - c)", "a - (b + c)", "a/(b/c)", "a/b/c", "a/(b*c)", "a*(b + c)", "(a + b)/(c - d)",
	"-(a + b)*c", "-a*-b", "a*-2",
	"a/-2", "a - -2", "1/2*a", "3/4 + a", "7/(2*a)", "1/(1/a)", "1/(1 + 1/a)", "sqrt(a^2)", "sqrt(-a)", "log(-a)",
	"(-a)^0.5", "(-a)^b", "a^0", "exp(-a^2)",
	"-sigmoid(a)^2", "sigmoid(-a)^-2", "1/sigmoid(a)", "sigmoid(1000*a)", "sigmoid(-1000*a)", "tanh(500*a)",
	"1e300*a*1e-300", "1e-300*a", "123456789012345678*a",
	"1e15*a", "(a + b)^2/(a - b)^2", "-(a*b)^2", "2*a^3 - 3*a^2*b", "a^1000000", "a^12345678", "0/0 + a", "a*(-0)",
	"-0.1^a", "1e22*a^0.3333333333333333",
}

func TestDelicate(t *testing.T) {
	at := map[string]float64{"a": 1.25, "b": 3, "c": -0.75, "d": 2.5, "x": -2, "y": 2, "z": 3}
	for _, form := range Programs() {
		for _, s := range delicate {
			checkGrammar(t, form, MustParse(s), at)
		}
	}
}

// TestGrammarRandom prints random expressions over random names.
func TestGrammarRandom(t *testing.T) {
	n := *expressions / 12
	if testing.Short() {
		n = 200
	}
	for _, form := range Programs() {
		if _, ok := grammars[form]; !ok {
			t.Errorf("%s has no grammar", form)
			continue
		}
		r := rand.New(rand.NewPCG(31, 32))
		names := awkwardNames(Text, 100)
		for i := range n {
			renamed, at := map[string]Expr{}, map[string]float64{}
			for k, v := range r.Perm(len(names))[:3] {
				renamed[threeVars[k]], at[names[v]] = Var(names[v]), 3*r.NormFloat64()
			}
			checkGrammar(t, form, Substitute(randomExpr(r, 1+i%5), renamed), at)
			if t.Failed() {
				return
			}
		}
	}
}

// TestNamesAreValid prints all awkward names at once: each is a name in its language, no word of it, and none is
// another.
func TestNamesAreValid(t *testing.T) {
	names := append(awkwardNames(Text, 100), strings.Repeat("long", 80), strings.Repeat("long", 80)+"er",
		strings.Repeat("LONG", 80), "X1", "x1", "R1C1",
		"A1B", "abc123", "XFD1048576", "pi", "PI", "i", "e", "E", "end", "End", "T", "F", "time", "Time", "data", "π",
		"Straße", "STRASSE", "straße")
	slices.Sort(names)
	e, _ := weighted(slices.Compact(names))
	at := map[string]float64{}
	for i, name := range Vars(e) {
		at[name] = float64(i * i % 1009)
	}
	want, err := Eval(e, at)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range Programs() {
		l, point := languages[form], map[string]float64{}
		for name, valid := range languageNames(form, Vars(e)) {
			point[valid] = at[name]
			if l.names.refused != nil && l.names.refused.MatchString(valid) {
				t.Errorf("%s: %q is called %s", form, name, valid)
			}
		}
		if got, err := grammars[form].evaluate(Print(e, form, 0), point); err != nil || got != want {
			t.Errorf("%s: %.200v, %v, want %v", form, got, err, want)
		}
	}
	for form, words := range map[Form]string{
		Julia: "end function _ begin sin true", MATLAB: "end _x function sin endif",
		R: "if TRUE _a NA exp function", Stan: "data real a__ vector int _x",
		Excel: "x1 X1 R c R1C1 r2 abc12 XFD1048576 true SIN sin", Fortran: "_x SIN Sin exp",
		Modelica: "time end input Real algorithm der",
	} {
		for _, w := range strings.Fields(words) {
			if got := Print(Var(w), form, 0); got == w {
				t.Errorf("%s: %s stays", form, w)
			}
		}
	}
}

func FuzzGrammars(f *testing.F) {
	for _, s := range delicate {
		f.Add(s, 1.5, -2.0)
	}
	f.Add("`a b`^`end`/(`X1` - `x1`)", 2.0, 3.0)
	f.Fuzz(func(t *testing.T, s string, a, b float64) {
		e, err := Parse(s)
		if err != nil || len(s) > 500 {
			return
		}
		at := map[string]float64{}
		for i, v := range Vars(e) {
			at[v] = []float64{a, b, a * b, a - b}[i%4]
		}
		for _, form := range Programs() {
			checkGrammar(t, form, e, at)
		}
	})
}
