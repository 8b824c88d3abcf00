package formula

import (
	"fmt"
	"testing"
)

func TestByGroup(t *testing.T) {
	for _, tt := range []struct{ name, e, form, values string }{
		{"a factor", "x*(2*a + 3*b + 4*c) + 5*x^3", "k*x + 5*x^3", "[[2] [3] [4]]"},
		{"one group left out", "x*(2 + a - b)", "k*x", "[[3] [1] [2]]"},
		{"beside another term", "4*x*(x^2 + 0.5*a + 0.25*b + c)", "4*x*(k + x^2)", "[[0.5] [0.25] [1]]"},
		{"a number with it", "exp(-3*(1 + a)*x)", "exp(k*x)", "[[-6] [-3] [-3]]"},
		{"a rate and a summand", "7*exp(-x*(2*a + 3*b + 4*c)) + a + 2*b", "k2 + 7*exp(k1*x)", "[[-2 1] [-3 2] [-4 0]]"},
		{"twice the same", "x*(2*a + b) + sin(2*a + b)*x", "k1*x + k2*x", "[[2 0.909297] [1 0.841471] [0 0]]"},
		{"an exponent", "x^(2*a + b)", "x^k", "[[2] [1] [0]]"},
		{"a name that is taken", "k*(2*a + 3*b + 4*c)", "kk*k", "[[2] [3] [4]]"},
		{"no indicator", "2*x + 1", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			indicators := []string{"a", "b", "c"}
			g, ok := ByGroup(MustParse(tt.e), indicators)
			if ok != (tt.form != "") {
				t.Fatalf("got %v, %v, want a form: %v", g, ok, tt.form != "")
			}
			if !ok {
				return
			}
			if want := MustParse(tt.form); !Equal(g.Form, want) {
				t.Errorf("form is %s, want %s", g.Form, want)
			}
			rounded := make([][]float64, len(g.Values))
			for i, values := range g.Values {
				for _, v := range values {
					rounded[i] = append(rounded[i], Constants(Round(Const(v), 6))...)
				}
			}
			if got := fmt.Sprint(rounded); got != tt.values {
				t.Errorf("values are %s, want %s", got, tt.values)
			}
			again, _ := ByGroup(g.Expr(indicators), indicators)
			if fmt.Sprint(again) != fmt.Sprint(g) {
				t.Errorf("written with indicators and read again it is %v, want %v", again, g)
			}
		})
	}
}

func TestRegroup(t *testing.T) {
	for _, tt := range []struct{ name, e, want string }{
		{"what does not differ is one constant", "4.5*x*(x^2 + 0.5*a + 0.25*b + 0.7*c)",
			"x*(4.5*x^2 + 2.25*a + 1.125*b + 3.15*c)"},
		{"one group left out", "x*(2.5 + a - b) + 1.5", "(3.5*a + 1.5*b + 2.5*c)*x + 1.5"},
		{"groups of two forms", "2.5*x + a*x^2", "2.5*x + a*x^2"},
		{"no indicator", "2.5*x", "2.5*x"},
		{"a constant term of an exponent", "2.5*exp(0.5*a - 0.5*b - 1.5*x) + 1",
			"(4.12180318*a + 1.51632665*b + 2.5*c)*exp(-1.5*x) + 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Round(Regroup(MustParse(tt.e), []string{"a", "b", "c"}), 9)
			if want := MustParse(tt.want); !Equal(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}
