package formula

import (
	"encoding"
	"fmt"
	"math"
	"testing"
)

var (
	_ encoding.TextMarshaler   = Text
	_ encoding.TextUnmarshaler = (*Form)(nil)
)

func TestText(t *testing.T) {
	x, y := Var("x"), Var("y")
	tests := []struct {
		name string
		e    Expr
		want string
	}{
		{"coefficient", Mul(number(0.101937), Var("x2")), "0.101937*x2"},
		{"minus", Neg(Call(Sin, Var("x1"))), "-sin(x1)"},
		{"difference", Sub(Var("x2"), Mul(Var("x3"), Var("x4"))), "x2 - x3*x4"},
		{"minus a sum", Sub(x, Add(y, number(1))), "x - (y + 1)"},
		{"minus a minus", Sub(x, Neg(y)), "x + y"},
		{"negative constant", Add(x, number(-2)), "x - 2"},
		{"quotient", Div(x, Mul(number(2), y)), "x/(2*y)"},
		{"quotient of quotients", Div(Div(x, y), Div(number(3), y)), "x*y/(3*y)"},
		{"inverse", Div(number(1), x), "1/x"},
		{"negative inverse", Div(number(-1), x), "-1/x"},
		{"inverse square", Pow(x, number(-2)), "1/x^2"},
		{"power of power", Pow(Pow(x, number(2)), number(3)), "(x^2)^3"},
		{"tower", Pow(x, Pow(y, number(2))), "x^y^2"},
		{"negative base", Pow(number(-2), x), "(-2)^x"},
		{"minus a power", Neg(Pow(x, number(2))), "-x^2"},
		{"negative exponent", Pow(x, Neg(y)), "x^(-y)"},
		{"small number", Mul(number(1.5e-7), x), "1.5e-7*x"},
		{"thousands", Const(1234567), "1234567"},
		{"large number", Const(1e21), "1e21"},
		{"no identifier", Add(Var("speed (m/s)"), Var("2a")), "`speed (m/s)` + `2a`"},
		{"backtick", Var("a`b"), "`a``b`"},
		{"function's name", Call(Sin, Var("sin")), "sin(`sin`)"},
		{"pi", Var("pi"), "`pi`"},
		{"empty name", Var(""), "``"},
		{"letters", Var("größe_1"), "größe_1"},
		{"infinity", Const(math.Inf(1)), "1/0"},
		{"minus infinity", Const(math.Inf(-1)), "-1/0"},
		{"not a number", Const(math.NaN()), "0/0"},
		{"negative zero", Const(math.Copysign(0, -1)), "-0"},
		{"overflow", Mul(number(1e308), number(10), x), "1e308*10*x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.e.String(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if again, err := Parse(tt.want); err != nil || !Equal(again, tt.e) {
				t.Errorf("%s reads back as %v, %v", tt.want, again, err)
			}
		})
	}
}

func TestPrint(t *testing.T) {
	tests := []struct {
		name   string
		form   Form
		digits int
		in     string
		want   string
	}{
		{"six digits", Text, 6, "0.10193680123*x2 - 1.0000000001*sin(x1)", "0.101937*x2 - sin(x1)"},
		{"one digit", Text, 1, "1234567*x", "1e6*x"},
		{"too large to round", Text, 2, "1.7976931348623157e308*x", "1.7976931348623157e308*x"},
		{"fraction", LaTeX, 0, "-x1/(2*y^2)", `-\frac{x_{1}}{2 \, y^{2}}`},
		{"inverse", LaTeX, 0, "1/sin(x)", `\frac{1}{\sin\left(x\right)}`},
		{"arcs", LaTeX, 0, "asin(x)^2 - acos(y) + atan(z)",
			`\arcsin^{2}\left(x\right) - \arccos\left(y\right) + \arctan\left(z\right)`},
		{"magnitude", LaTeX, 0, "abs(x - 1)^2/cosh(x)", `\frac{\left|x - 1\right|^{2}}{\cosh\left(x\right)}`},
		{"larger of two", LaTeX, 0, "max(x, 2*y)", `\max\left(x, 2 \, y\right)`},
		{"power of ten", LaTeX, 0, "1.5e-7*x", `1.5 \cdot 10^{-7} \, x`},
		{"powers of ten", LaTeX, 0, "(1e-7)^x*(x + 1)", `\left(10^{-7}\right)^{x} \, \left(x + 1\right)`},
		{"power of a function", LaTeX, 0, "-1e9*sin(x)^2/tanh(y)^z",
			`-\frac{10^{9} \, \sin^{2}\left(x\right)}{\tanh\left(y\right)^{z}}`},
		{"number after factor", LaTeX, 0, "x*2^y", `x \cdot 2^{y}`},
		{"names", LaTeX, 0, "speed_max + `50%` + x10 + alpha_1b",
			`\mathrm{speed}_{\mathrm{max}} + \mathrm{50\%} + x_{10} + \alpha_{\mathrm{1b}}`},
		{"Greek letters", LaTeX, 0, "θ + theta_0 + Δp + `ω r`",
			`\theta + \theta_{0} + \mathrm{\Delta{}p} + \mathrm{\omega{}\ r}`},
		{"escapes", LaTeX, 0, "`a b%$#&{}` + `\\^~` + `_` + `ä`",
			`\mathrm{a\ b\%\$\#\&\{\}} + \mathrm{\backslash{}\hat{}\sim{}} + \mathrm{\_} + ä`},
		{"negative number in a power", LaTeX, 0, "(-1e-9)^x/x^2 - 10^(-x)",
			`\frac{\left(-10^{-9}\right)^{x}}{x^{2}} - 10^{-x}`},
		{"functions", LaTeX, 0, "sqrt(x) + log(x) - sigmoid(x - y)",
			`\sqrt{x} + \ln\left(x\right) - \operatorname{sigmoid}\left(x - y\right)`},
		{"minus a sum", LaTeX, 0, "x - (y + 1)", `x - \left(y + 1\right)`},
		{"go", Go, 0, "x^2 - 1/2*tanh(y)^3", "x*x - math.Pow(math.Tanh(y), 3.0)/2.0"},
		{"go: square below", Go, 0, "y/x^2", "y/(x*x)"},
		{"go: sigmoid", Go, 0, "2*sigmoid(x)", "2.0*(1.0/(1.0 + math.Exp(-x)))"},
		{"go: names", Go, 0, "`a b` + a_b + `1c` + func + math", "a_b_2 + a_b + x1c + func_2 + math_2"},
		{"go: infinity", Go, 0, "x/0 + 1/0 - x/0", "x*math.Inf(1) + math.Inf(1) - x*math.Inf(1)"},
		{"go: minus infinity", Go, 0, "-1/0 + x/(-0)", "-1.0*math.Inf(1) + -x*math.Inf(1)"},
		{"python", Python, 0, "2^x*sin(y)/`km/h`", "2.0**x*np.sin(y)/km_h"},
		{"python: sigmoid", Python, 0, "1/sigmoid(x)", "1/(1/(1 + np.exp(-x)))"},
		{"python: keyword", Python, 0, "lambda + np", "lambda_2 + np_2"},
		{"sympy", SymPy, 0, "2^x*sqrt(y) + I + pi", "2**x*sqrt(y) + I_2 + 3.141592653589793"},
		{"sympy: sigmoid", SymPy, 0, "sigmoid(-x)", "1/(1 + exp(x))"},
		{"c", C, 0, "x^2/3 - 2*x^y + größe", "x*x/3.0 - 2.0*pow(x, y) + gr__e"},
		{"json", JSON, 0, "2*x1 - sin(`a\"b`)/y", `{"add":[{"mul":[2,"x1"]},{"mul":[-1,{"sin":"a\"b"},{"pow":["y",-1]}]}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Print(MustParse(tt.in), tt.form, tt.digits); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestForms(t *testing.T) {
	for _, form := range Forms() {
		text, err := form.MarshalText()
		var back Form
		if err != nil || back.UnmarshalText(text) != nil || back != form {
			t.Errorf("%s is read back as %q, %v", form, back, err)
		}
	}
	var f Form
	const want = `unknown form "java" (want one of text, latex, mathml, go, python, sympy, c, julia, matlab, r, excel, fortran, stan, modelica, json)`
	if err := f.UnmarshalText([]byte("java")); fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := Form("java").MarshalText(); fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
