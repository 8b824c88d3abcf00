package formula_test

import (
	"testing"

	"github.com/eqlearner/eql/formula"
)

// Names that SymPy, or Python, would take for others are changed, all differently, and the same in all lines.
func TestSymPyScript(t *testing.T) {
	for _, tt := range []struct {
		name    string
		outputs []formula.Named
		want    string
	}{
		{"plain", []formula.Named{{Name: "y", Expr: formula.MustParse("2*a + sin(b)/3")}}, `from sympy import sin, symbols

a, b = symbols("a b")
y = 2*a + sin(b)/3
`},
		{"one variable", []formula.Named{{Name: "y", Expr: formula.MustParse("sigmoid(x) + 3.141592653589793*x")}}, `from sympy import exp, pi, symbols

x = symbols("x")
y = 1/(1 + exp(-x)) + pi*x
`},
		{"none", []formula.Named{{Name: "y", Expr: formula.MustParse("2")}}, "y = 2\n"},
		{"clashes", []formula.Named{
			{Name: "F 1", Expr: formula.MustParse("`T (K)` + `T [K]`")},
			{Name: "F-1", Expr: formula.MustParse("`T (K)`*`pi`*beta*`µ`*`μ`*θ")},
		}, `from sympy import symbols

# T__K_ is "T (K)"
# T__K__2 is "T [K]"
# beta_2 is "beta"
# pi_2 is "pi"
# μ_2 is "µ"
T__K_, T__K__2, beta_2, pi_2, μ_2, θ, μ = symbols("T__K_ T__K__2 beta_2 pi_2 μ_2 θ μ")
# F_1 is "F 1"
F_1 = T__K_ + T__K__2
# F_1_2 is "F-1"
F_1_2 = T__K_*pi_2*beta_2*μ_2*μ*θ
`},
	} {
		if got := formula.SymPyScript(tt.outputs, []int{6, 6}); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}
