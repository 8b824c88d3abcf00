package eql_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/optimize"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

func fitForm(t testing.TB, text string, rows *datasets.Table) *eql.FormFit {
	t.Helper()
	f, err := eql.ParseForm(text, rows.Names)
	if err != nil {
		t.Fatal(err)
	}
	r, err := eql.FitForm(f, rows)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// NIST certifies the constants of its problem Thurber to eleven digits
// (https://www.itl.nist.gov/div898/strd/nls/data/thurber.shtml). No start is given.
func TestFitFormThurber(t *testing.T) {
	sheet, err := datasets.ReadFile("examples/nist_thurber.csv", datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := sheet.Table([]string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	rows = rows.Take(fit.Spread(rows.Rows(), rows.Rows())) // a copy
	copy(rows.Cols[1][20:], []float64{                     // of which the example has six digits
		1090.109, 1080.914, 1122.643, 1178.351, 1260.531, 1273.514, 1288.339, 1327.543, 1353.863, 1414.509, 1425.208,
		1421.384, 1442.962, 1464.350, 1468.705, 1447.894, 1457.628,
	})
	r := fitForm(t, "y = (b1 + b2*x + b3*x^2 + b4*x^3)/(1 + b5*x + b6*x^2 + b7*x^3)", rows)
	certified := []float64{
		1.2881396800e+03, 1.4910792535e+03, 5.8323836877e+02, 7.5416644291e+01, 9.6629502864e-01, 3.9797285797e-01,
		4.9727297349e-02,
	}
	for i, want := range certified {
		if got := r.Constants[i].Value; math.Abs(got-want) > 1e-8*want {
			t.Errorf("%s is %.11g, want %.11g", r.Constants[i].Name, got, want)
		}
	}
	const sum = 5.6427082397e+03 // of squares, certified
	if got := r.RMS * r.RMS * float64(r.Rows); math.Abs(got-sum) > 1e-10*sum {
		t.Errorf("the sum of squares is %.11g, want %.11g", got, sum)
	}
	const deviation, t30 = 4.6647963344, 2.042272456301238 // of b1, certified; R 4.3: qt(0.975, 30)
	if got := (r.Constants[0].High - r.Constants[0].Low) / 2; math.Abs(got-t30*deviation) > 1e-7*got {
		t.Errorf("b1 has an interval of ± %.9g, want %.9g", got, t30*deviation)
	}
}

// Two forms have the constants that an independent minimiser finds, Newton's method of gonum from the truth.
func TestFitFormAgreesWithNewton(t *testing.T) {
	for _, c := range []struct {
		form  string
		truth []float64
	}{
		{"y = a*exp(-b*x) + c", []float64{2.137, 0.831, 0.31}},
		{"y = a*sin(w*x + p) + d*x", []float64{1.21, 5.93, 0.4, 0.17}},
		{"y = top*x^n/(k^n + x^n)", []float64{3.2, 2.3, 1.7}},
	} {
		rng := rand.New(rand.NewPCG(8, 9))
		f, err := eql.ParseForm(c.form, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		var x, y []float64
		for i := range 60 {
			v := 0.1 + 0.1*float64(i)
			at, err := formula.Eval(f.Formula(c.truth), map[string]float64{"x": v})
			if err != nil {
				t.Fatal(err)
			}
			x, y = append(x, v), append(y, at+0.02*rng.NormFloat64())
		}
		got := fitForm(t, c.form, table(t, "x,y", x, y))
		for i, want := range newton(t, f, x, y, c.truth) {
			if v := got.Constants[i].Value; math.Abs(v-want) > 1e-8*math.Abs(want) {
				t.Errorf("%s: %s is %.12g, want %.12g", c.form, got.Constants[i].Name, v, want)
			}
		}
	}
}

// newton minimises the SSE of a form by second derivatives, which our fit has no use for.
func newton(t *testing.T, f eql.KnownForm, x, y, start []float64) []float64 {
	t.Helper()
	vars := []string{"x"}
	for _, c := range f.Constants {
		vars = append(vars, c.Name)
	}
	compile := func(e formula.Expr) *formula.Program {
		p, err := formula.Compile(e, vars)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	n := len(start)
	value, first, second := compile(f.Expr), make([]*formula.Program, n), make([][]*formula.Program, n)
	for i := range n {
		slope := formula.Diff(f.Expr, vars[i+1])
		first[i] = compile(slope)
		for j := range n {
			second[i] = append(second[i], compile(formula.Diff(slope, vars[j+1])))
		}
	}
	gradient := func(p []float64) (g []float64, h [][]float64) {
		g, h = make([]float64, n), make([][]float64, n)
		for i := range h {
			h[i] = make([]float64, n)
		}
		for r, v := range x {
			at := append([]float64{v}, p...)
			res := value.Eval(at) - y[r]
			for i := range n {
				g[i] += res * first[i].Eval(at)
				for j := range n {
					h[i][j] += first[i].Eval(at)*first[j].Eval(at) + res*second[i][j].Eval(at)
				}
			}
		}
		return g, h
	}
	problem := optimize.Problem{
		Func: func(p []float64) float64 {
			sum := 0.0
			for r, v := range x {
				d := value.Eval(append([]float64{v}, p...)) - y[r]
				sum += d * d / 2
			}
			return sum
		},
		Grad: func(g, p []float64) { found, _ := gradient(p); copy(g, found) },
	}
	rough, err := optimize.Minimize(problem, start, &optimize.Settings{GradientThreshold: 1e-7}, &optimize.BFGS{})
	if rough == nil {
		t.Fatal(err)
	}
	p := rough.X
	for range 8 {
		g, h := gradient(p)
		for i, d := range solve(h, g) {
			p[i] -= d
		}
	}
	return p
}

// solve is Gaussian elimination with pivots.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for k := range n {
		best := k
		for i := k; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[best][k]) {
				best = i
			}
		}
		a[k], a[best], b[k], b[best] = a[best], a[k], b[best], b[k]
		for i := k + 1; i < n; i++ {
			m := a[i][k] / a[k][k]
			for j := k; j < n; j++ {
				a[i][j] -= m * a[k][j]
			}
			b[i] -= m * b[k]
		}
	}
	x := make([]float64, n)
	for k := n - 1; k >= 0; k-- {
		x[k] = b[k]
		for j := k + 1; j < n; j++ {
			x[k] -= a[k][j] * x[j]
		}
		x[k] /= a[k][k]
	}
	return x
}

// A bound that the data contradict holds its constant; one that they do not changes nothing.
func TestFitFormBounds(t *testing.T) {
	var x, y []float64
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range 25 {
		v := 0.2 * float64(i)
		x, y = append(x, v), append(y, 2-0.7*v+0.01*rng.NormFloat64())
	}
	rows := table(t, "x,y", x, y)
	free := fitForm(t, "y = a + b*x", rows)
	for _, c := range []struct {
		name      string
		low, high float64
		bound     bool
	}{{"right", -1, 0, false}, {"too high", 0, math.Inf(1), true}, {"too low", math.Inf(-1), -1, true}} {
		f, err := eql.ParseForm("y = a + b*x", rows.Names)
		if err != nil {
			t.Fatal(err)
		}
		b := f.Constant("b")
		b.Low, b.High = c.low, c.high
		r, err := eql.FitForm(f, rows)
		if err != nil {
			t.Fatal(err)
		}
		got := r.Constants[1]
		if got.Bound != c.bound || got.Value < c.low || got.Value > c.high {
			t.Errorf("%s: b is %g, at a bound: %v, want between %g and %g", c.name, got.Value, got.Bound, c.low, c.high)
		}
		if d := math.Abs(got.Value - free.Constants[1].Value); !c.bound && d > 1e-12 {
			t.Errorf("%s: b is %g, without the bound %g", c.name, got.Value, free.Constants[1].Value)
		}
	}
}

// Large and small units need no start.
func TestFitFormUnits(t *testing.T) {
	for _, unit := range []float64{1e-7, 1e-3, 1, 1e4, 1e8} {
		var x, y []float64
		rng := rand.New(rand.NewPCG(2, 3))
		for i := range 40 {
			v := 0.1 * float64(i)
			x, y = append(x, v*unit), append(y, 3e5*math.Exp(-0.9*v)+2e4+100*rng.NormFloat64())
		}
		r := fitForm(t, "y = a*exp(-b*x) + c", table(t, "x,y", x, y))
		if got := r.Constants[1].Value * unit; math.Abs(got-0.9) > 0.01 {
			t.Errorf("in units of %g the rate is %g, want 0.9", unit, got)
		}
	}
}

func TestParseFormErrors(t *testing.T) {
	for _, c := range []struct{ form, want string }{
		{"a*x", "has no ="},
		{"q = a*x", `there is no column "q" for the left side (there are: x, y)`},
		{"log(y) = a*x", "the left side is log(y), want the name of a column alone"},
		{"= a*x", "the left side:"},
		{"y = 2*x", "the form has no constant to fit"},
		{"y = a*y", `column "y" stands on both sides`},
		{"y = a*x +", "column"},
		{"y = a*X/(b + X)", `X would be a constant, and there is a column "x" (write x, or give the constant another name)`},
		{"y = a*`mass (kg)`", `there is no column "mass (kg)"`},
		{"y = a*foo(2*x)", "foo is not a known function"},
		{"y = f(q)", `f(q) depends on "q", and there is no such column (there are: x, y)`},
		{"y = f(x, y)", "f(x, y) depends on the left side of the form"},
		{"y = x(x)", "x is a column and stands before a parenthesis"},
		{"y = f()", "f depends on nothing"},
		{"y = f*f(x)", "f is a function here and a variable elsewhere"},
	} {
		if _, err := eql.ParseForm(c.form, []string{"x", "y"}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got the error %v, want one with %q", c.form, err, c.want)
		}
	}
}

func ExampleFitForm() {
	rows := pendulum()
	f, err := eql.ParseForm("torque = -g*sin(w*angle)", rows.Names)
	if err != nil {
		log.Fatal(err)
	}
	f.Constant("w").Low = 0
	r, err := eql.FitForm(f, rows)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range r.Constants {
		fmt.Printf("%s is between %.2f and %.2f\n", c.Name, c.Low, c.High)
	}
	// Output:
	// g is between 2.00 and 2.00
	// w is between 1.00 and 1.00
}

// A constant that is held, one that is above 0 and one that is a whole number come out as they were asked for.
func TestFitFormRestrictions(t *testing.T) {
	var x, y []float64
	rng := rand.New(rand.NewPCG(4, 1))
	for i := range 50 {
		v := -2 + 0.08*float64(i) // x^n has no value on half of the rows for an n that is not whole
		x, y = append(x, v), append(y, 1.3*v*v*v-0.4*v+0.5+0.02*rng.NormFloat64())
	}
	f, err := eql.ParseForm("y = a*x^n + b*x + c", []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	f.Constant("n").Integer = true
	f.Constant("c").Fix(0.5)
	r, err := eql.FitForm(f, table(t, "x,y", x, y))
	if err != nil {
		t.Fatal(err)
	}
	n, c := r.Constants[1], r.Constants[3]
	if n.Value != 3 || !n.Integer || n.Bound || c.Value != 0.5 || !c.Fixed || c.Bound {
		t.Errorf("n is %+v and c %+v, want the whole number 3 and 0.5, held", n, c)
	}
	want := fitForm(t, "y = a*x^3 + b*x + 0.5", table(t, "x,y", x, y)) // the same with the numbers written out
	for i, k := range []int{0, 2} {
		got, want := r.Constants[k], want.Constants[i]
		if math.Abs(got.Value-want.Value) > 1e-9 || math.Abs(got.High-want.High) > 1e-9 {
			t.Errorf("%s is %+v, with n and c in the form %+v", got.Name, got, want)
		}
	}
}

// The whole number that fits best need not be the nearest to the real one, nor next to it where the fit begins.
func TestFitFormWholeFrequency(t *testing.T) {
	var x, y []float64
	rng := rand.New(rand.NewPCG(4, 2))
	for i := range 80 {
		v := 0.1 * float64(i)
		x, y = append(x, v), append(y, 1.3*math.Cos(17*v+0.3)+0.05*rng.NormFloat64())
	}
	f, err := eql.ParseForm("y = a*cos(n*x + p)", []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	f.Constant("n").Integer, f.Constant("a").Low = true, 0
	r, err := eql.FitForm(f, table(t, "x,y", x, y))
	if err != nil {
		t.Fatal(err)
	}
	if n := math.Abs(r.Constants[1].Value); n != 17 {
		t.Errorf("n is %g, want 17", n)
	}
}
