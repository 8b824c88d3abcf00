package formula_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"strings"

	"github.com/eqlearner/eql/formula"
)

func ExampleParse() {
	e, err := formula.Parse("-0.5*`speed (m/s)`**2/x10 + sin(2*pi*t)")
	fmt.Println(e, err)

	_, err = formula.Parse("2x + 1")
	fmt.Println(err)
	// Output:
	// -0.5*`speed (m/s)`^2/x10 + sin(6.283185307179586*t) <nil>
	// formula "2x + 1": column 2: "x" follows without an operator (write * for a product)
}

func ExampleParseJSON() {
	e, err := formula.ParseJSON([]byte(`{"add":[{"mul":[2,"x1"]},{"mul":[-1,{"sin":"x2"}]}]}`))
	fmt.Println(e, err)
	// Output: 2*x1 - sin(x2) <nil>
}

func ExampleMustParse() {
	fmt.Println(formula.MustParse("x/y/z"))
	// Output: x/(y*z)
}

// The constructors write an expression without text; Sub, Div and Neg are short for sums and
// products.
func ExampleAdd() {
	x, y := formula.Var("x"), formula.Var("y")
	fmt.Println(formula.Add(x, formula.Mul(formula.Const(-2), y), formula.Const(1)))
	fmt.Println(formula.Sub(x, formula.Div(y, formula.Pow(x, formula.Const(2)))))
	fmt.Println(formula.Neg(formula.Call(formula.Sin, x)))
	// Output:
	// x - 2*y + 1
	// x - y/x^2
	// -sin(x)
}

func ExampleConst() {
	fmt.Println(formula.Const(1.5e-7), formula.Const(-2), formula.Const(math.Inf(1)))
	// Output: 1.5e-7 -2 1/0
}

func ExampleVar() {
	fmt.Println(formula.Add(formula.Var("x1"), formula.Var("speed (m/s)")))
	// Output: x1 + `speed (m/s)`
}

func ExampleMul() {
	x, y := formula.Var("x"), formula.Var("y")
	fmt.Println(formula.Mul(x, formula.Const(2), formula.Div(y, formula.Const(3)), formula.Const(-1)))
	// Output: -2*x*y/3
}

func ExampleCall() {
	fmt.Println(formula.Call(formula.Sigmoid, formula.Var("x")))
	// Output: sigmoid(x)
}

func ExampleSyntaxError() {
	_, err := formula.Parse("x1 + sinus(x2)")
	var syntax *formula.SyntaxError
	if errors.As(err, &syntax) {
		fmt.Println(syntax.Input)
		fmt.Println(strings.Repeat(" ", syntax.Column-1) + "^")
		fmt.Println(syntax.Msg)
	}
	// Output:
	// x1 + sinus(x2)
	//      ^
	// unknown function "sinus" (the functions are sin, cos, tan, exp, log, sqrt, sigmoid, tanh, asin, acos, atan, sinh, cosh, abs, min, max; a product needs a *)
}

func ExamplePrint() {
	e := formula.MustParse("1.23456789*sin(x1)/`km/h` - sigmoid(x2)^2")
	for _, form := range formula.Forms() {
		fmt.Println(formula.Print(e, form, 4))
	}
	// Output:
	// 1.235*sin(x1)/`km/h` - sigmoid(x2)^2
	// \frac{1.235 \, \sin\left(x_{1}\right)}{\mathrm{km/h}} - \operatorname{sigmoid}^{2}\left(x_{2}\right)
	// <mfrac><mrow><mn>1.235</mn><mo rspace="0.167em">&#x2062;</mo><mrow><mi>sin</mi><mo>&#x2061;</mo><mrow><mo>(</mo><msub><mi>x</mi><mn>1</mn></msub><mo>)</mo></mrow></mrow></mrow><mi>km/h</mi></mfrac><mo>−</mo><msup><mi>sigmoid</mi><mn>2</mn></msup><mo>&#x2061;</mo><mrow><mo>(</mo><msub><mi>x</mi><mn>2</mn></msub><mo>)</mo></mrow>
	// 1.235*math.Sin(x1)/km_h - math.Pow(1.0/(1.0 + math.Exp(-x2)), 2.0)
	// 1.235*np.sin(x1)/km_h - (1/(1 + np.exp(-x2)))**2
	// 1.235*sin(x1)/km_h - (1/(1 + exp(-x2)))**2
	// 1.235*sin(x1)/km_h - pow(1.0/(1.0 + exp(-x2)), 2.0)
	// 1.235*sin(x1)/km_h - (1.0/(1.0 + exp(-x2)))^2
	// 1.235.*sin(x1)./km_h - (1./(1 + exp(-x2))).^2
	// 1.235*sin(x1)/km_h - (1/(1 + exp(-x2)))^2
	// 1.235*SIN(_x1)/km_h - POWER((1/(1 + EXP(-MAX(_x2, -700)))), 2)
	// 1.235d0*sin(x1)/km_h - (1.0d0/(1.0d0 + exp(-x2)))**2
	// 1.235*sin(x1)/km_h - inv_logit(x2)^2
	// 1.235*sin(x1)/km_h - (1.0/(1.0 + exp(-max(x2, -700.0))))^2
	// {"add":[{"mul":[1.235,{"sin":"x1"},{"pow":["km/h",-1]}]},{"mul":[-1,{"pow":[{"sigmoid":"x2"},2]}]}]}
}

func ExampleForm_UnmarshalText() {
	var form formula.Form
	fmt.Println(form.UnmarshalText([]byte("latex")), form == formula.LaTeX)
	fmt.Println(form.UnmarshalText([]byte("java")))
	// Output:
	// <nil> true
	// unknown form "java" (want one of text, latex, mathml, go, python, sympy, c, julia, matlab, r, excel, fortran, stan, modelica, json)
}

func ExampleFunction() {
	swing := []formula.Named{
		{Name: "dphi", Expr: formula.MustParse("omega")},
		{Name: "domega", Expr: formula.MustParse("-9.81*sin(phi)")},
	}
	text, err := formula.Function(formula.Go, "pendulum", []string{"phi", "omega"}, swing)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text)
	// Output:
	// import "math"
	//
	// func pendulum(phi, omega float64) (dphi, domega float64) {
	// 	dphi = omega
	// 	domega = -9.81*math.Sin(phi)
	// 	return
	// }
}

func ExampleFuncs() {
	fmt.Println(formula.Funcs()[0], formula.Sqrt)
	fmt.Println(formula.Sqrt.Value(9))
	// Output:
	// sin sqrt
	// 3
}

func ExampleEval() {
	e := formula.MustParse("x^2 + y")
	fmt.Println(formula.Eval(e, map[string]float64{"x": 3, "y": 1}))
	fmt.Println(formula.Eval(e, map[string]float64{"x": 3}))
	// Output:
	// 10 <nil>
	// 0 variable y has no value (give one, or substitute it)
}

func ExampleCompile() {
	p, err := formula.Compile(formula.MustParse("x^2 + y"), []string{"y", "x"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Eval([]float64{1, 3})) // y = 1, x = 3
	// Output: 10
}

func ExampleProgram_EvalColumns() {
	p, err := formula.Compile(formula.MustParse("x*y"), []string{"x", "y"})
	if err != nil {
		log.Fatal(err)
	}
	dst := make([]float64, 3)
	p.EvalColumns(dst, [][]float64{{1, 2, 3}, {10, 20, 30}})
	fmt.Println(dst)
	// Output: [10 40 90]
}

func ExampleDiff() {
	fmt.Println(formula.Diff(formula.MustParse("x*sin(2*x)"), "x"))
	// Output: sin(2*x) + 2*x*cos(2*x)
}

func ExampleSimplify() {
	for _, s := range []string{
		"1*x + 2*3",
		"x10*x2 + 2*x10*x2",
		"cos(x + pi/2)",
		"3*sin(x) + 4*cos(x)",
		"(x + 1)*(x - 1)",
		"a*c + b*c",
		"sqrt(x^2)", // |x|
	} {
		fmt.Println(formula.Simplify(formula.MustParse(s)))
	}
	// Output:
	// x + 6
	// 3*x2*x10
	// -sin(x)
	// 5*sin(x + 0.9272952180016122)
	// x^2 - 1
	// c*(a + b)
	// abs(x)
}

func ExampleComplexity() {
	for _, s := range []string{"x", "2*x + 3", "a - b", "-x", "-2*x", "1/x"} {
		fmt.Println(s, formula.Complexity(formula.MustParse(s)))
	}
	// Output:
	// x 1
	// 2*x + 3 5
	// a - b 3
	// -x 2
	// -2*x 3
	// 1/x 3
}

func ExampleVars() {
	fmt.Println(formula.Vars(formula.MustParse("x10*x2 + sin(x2)")))
	// Output: [x2 x10]
}

func ExampleEqual() {
	a, b := formula.MustParse("x + y"), formula.MustParse("y + x")
	fmt.Println(formula.Equal(a, b), formula.Equal(formula.Simplify(a), formula.Simplify(b)))
	// Output: false true
}

func ExampleSubstitute() {
	e := formula.MustParse("0.5*m*v^2")
	fmt.Println(formula.Substitute(e, map[string]formula.Expr{"v": formula.MustParse("g*t")}))
	// Output: 0.5*m*(g*t)^2
}

func ExampleRound() {
	fmt.Println(formula.Round(formula.MustParse("0.99999999*x + 3.14159*y"), 3))
	// Output: x + 3.14*y
}

func ExampleConstants() {
	fmt.Println(formula.Constants(formula.MustParse("2*x^2 - y/3 - sin(0.5*x + 1)")))
	// Output: [2 3 0.5 1]
}

// Constants and WithConstants fit the constants of a formula and leave its form alone.
func ExampleWithConstants() {
	e := formula.MustParse("2*x^2 - sin(3*x)")
	cs := formula.Constants(e)
	fmt.Println(cs)
	cs[1] = math.E
	fmt.Println(formula.WithConstants(e, cs))
	// Output:
	// [2 3]
	// 2*x^2 - sin(2.718281828459045*x)
}
