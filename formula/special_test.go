package formula

import (
	"math"
	"testing"
)

func TestPrintSpecials(t *testing.T) {
	third := 1.0 / 3
	law := Simplify(Mul(Const(third),
		Add(Var("x2"), Neg(Mul(Var("x3"), Var("x4"))), Call(Sin, Mul(Const(math.Pi), Var("x1"))),
			Call(Sin, Add(Mul(Const(2*math.Pi), Var("x2")), Const(math.Pi/8))))))
	for _, c := range []struct {
		name string
		e    Expr
		form Form
		want string
	}{
		{"a law", law, Text, "(x2 - x3*x4 + sin(pi*x1) + sin(2*pi*x2 + pi/8))/3"},
		{"in LaTeX", Mul(Const(-math.Pi/8), Var("x")), LaTeX, `-\frac{\pi \, x}{8}`},
		{"degrees", Call(Sin, Mul(Const(math.Pi/180), Var("angle"))), Text, "sin(pi*angle/180)"},
		{"a week", Call(Cos, Mul(Const(2*math.Pi/7), Var("day"))), Text, "cos(2*pi*day/7)"},
		{"a day", Call(Cos, Mul(Const(math.Pi/12), Var("hour"))), Text, "cos(pi*hour/12)"},
		{"over pi", Mul(Const(1/(4*math.Pi)), Var("q"), Pow(Var("r"), Const(-2))), Text, "q/(4*pi*r^2)"},
		{"over pi, in LaTeX", Mul(Const(3/(8*math.Pi)), Var("x")), LaTeX, `\frac{3 \, x}{8 \, \pi}`},
		{"an input in an exponent", MustParse("v/(exp(n*log(k/x)) + 1)"), Text, "v/((k/x)^n + 1)"},
		{"below the line", MustParse("f*exp(-2*n*log(r + 1))"), LaTeX, `f \, \left(r + 1\right)^{-2 \, n}`},
		{"a negative fraction as exponent", Div(Mul(Var("a"), Call(Sqrt, Var("s"))), Pow(Var("p"), Const(2./3))), Text,
			"a*sqrt(s)/p^(2/3)"},
		{"the same alone", Pow(Var("p"), Const(-5./3)), LaTeX, `\frac{1}{p^{\frac{5}{3}}}`},
		{"an exponent that is a number stays", MustParse("exp(1.5*log(x))"), Text, "exp(1.5*log(x))"},
		{"pi squared", Mul(Const(math.Pi*math.Pi/4), Var("e"), Pow(Var("l"), Const(-2))), Text, "pi^2*e/(4*l^2)"},
		{"a root of two", Mul(Const(-math.Sqrt2), Call(Sqrt, Var("h"))), Text, "-sqrt(2)*sqrt(h)"},
		{"over a root of two", Mul(Const(1/math.Sqrt2), Var("v")), Text, "sqrt(2)*v/2"},
		{"a normal distribution", Mul(Const(1/math.Sqrt(2*math.Pi)), Call(Exp, Neg(Var("z")))), Text, "exp(-z)/sqrt(2*pi)"},
		{"in SymPy", Mul(Const(5*math.Pi/12), Var("x")), SymPy, "5*pi*x/12"},
		{"a fraction", Add(Var("x"), Const(-2*third)), Text, "x - 2/3"},
		{"a decimal stays", Mul(Const(0.125), Var("x")), Text, "0.125*x"},
		{"a measured constant stays", Mul(Const(0.333334), Var("x")), Text, "0.333334*x"},
		{"a column called pi is quoted", Mul(Const(math.Pi), Var("pi")), Text, "pi*`pi`"},
		{"programs get digits", Mul(Const(third), Var("x")), C, "0.333333*x"},
	} {
		got := Print(c.e, c.form, 6)
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if c.form == Text {
			if _, err := Parse(got); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

// TestSpecialsReadBack parses what is printed for reading: the value is the same to rounding.
func TestSpecialsReadBack(t *testing.T) {
	for _, v := range []float64{math.Pi, -math.Pi / 8,
		7 * math.Pi / 12, 1.0 / 3, -22.0 / 7, 11 * math.Pi, 5.0 / 9, 1 / (4 * math.Pi), -0.3 / math.Pi,
	} {
		e, err := Parse(Print(Const(v), Text, 6))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Eval(e, nil)
		if err != nil || math.Abs(got-v) > 1e-15*math.Abs(v) {
			t.Errorf("%v is printed as %s, which is %v, %v", v, Print(Const(v), Text, 6), got, err)
		}
	}
}
