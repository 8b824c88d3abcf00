package fit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eqlearner/eql/formula"
)

func known(t *testing.T, form string) formula.Known {
	t.Helper()
	k, err := formula.ParseKnown(form, []string{"x1", "x2", "x3", "y"})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Forms are solved for what a function was, row by row, and its errors are those of y over ∂y/∂f.
func TestSolve(t *testing.T) {
	const f = 1.7 // the value of the unknown function
	for _, form := range []string{
		"y = f(x1)", "y = 2*x2*f(x1) - x3^2", "y = f(x1)/(1 + sin(x2)^2)", "y = 1/(x2 + f(x1))", "y = 3 - exp(-x2*f(x1))",
		"y = x2*log(f(x1) + x3)", "y = sqrt(x2^2 + f(x1))", "y = tanh(0.1*f(x1)) + x2", "y = 2*sigmoid(f(x1) - x2)",
		"y = x2*f(x1)^3", "y = x2^f(x1)", "y = (x2*f(x1) + x3*f(x1))/x2",
	} {
		k := known(t, form)
		s, err := Solve(k)
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		rng := rand.New(rand.NewPCG(1, 1))
		d := Data{X: make([][]float64, len(k.Inputs))}
		var slopes []float64
		for range 5 {
			at := map[string]float64{k.Unknown[0].Var(): f}
			for j, name := range k.Inputs {
				at[name] = 1.2 + rng.Float64()
				d.X[j] = append(d.X[j], at[name])
			}
			y, err := formula.Eval(k.Expr, at)
			slope, err2 := formula.Eval(formula.Diff(k.Expr, k.Unknown[0].Var()), at)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			d.Y, slopes = append(d.Y, y), append(slopes, slope)
		}
		rows, err := s.On(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		target, usable := rows.Of(0, [][]float64{nil})
		sigma := rows.Sigma(0, nil)
		if len(usable) != d.Rows() {
			t.Errorf("%s: %d of 5 rows are usable", form, len(usable))
		}
		for i, v := range target {
			if math.Abs(v-f) > 1e-9 { // of the arithmetic, with sigmoids near 1
				t.Errorf("%s: the function is %g, want %g", form, v, f)
			}
			if want := 1 / math.Abs(slopes[i]); math.Abs(sigma[i]-want) > 1e-7*want {
				t.Errorf("%s: an error of 1 in y is %g of the function, want %g", form, sigma[i], want)
			}
		}
	}
}

func TestSolveErrors(t *testing.T) {
	for _, c := range []struct{ form, want string }{
		{"y = sin(f(x1))", "cannot be solved for f(x1): sin cannot be undone (what can: sums"},
		{"y = f(x1)*g(x2)", "cannot be solved for f(x1) and g(x2): they stand in several factors of a product"},
		{"y = f(x1)/(1 + f(x1))", "they stand in several factors of a product"},
		{"y = f(x1)^g(x2)", "they stand in a power and in its exponent"},
		{"y = exp(f(x1)) + f(x1)", "a sum has several terms with them, and not all are linear"},
		{"y = f(x1) + a",
			"constant a can be a part of f(x1), so the data cannot tell them apart (leave it out, or give its value)"},
		{"y = a*f(x1)", "constant a can be a part of f(x1)"},
		{"y = f(x1, x2) + g(x1)", "g(x1) can be a part of f(x1, x2), so the data cannot tell them apart (leave it out)"},
		{"y = x1*f(x2) + g(x1, x2)", "f(x2) can be a part of g(x1, x2)"},
		{"y = k*exp(f(x1))", "constant k stands outside of what is linear in it (give its value in place of the name)"},
	} {
		if _, err := Solve(known(t, c.form)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got the error %v, want one with %q", c.form, err, c.want)
		}
	}
	k := known(t, "y = a*f(x1)")
	k.Constant("a").Fix(2)
	if _, err := Solve(k); err != nil {
		t.Errorf("with a fixed: %v", err)
	}
}

// Polynomials stand in for unknown functions well enough for the constants beside them.
func TestSmooth(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	d := Data{X: make([][]float64, 3)}
	for range 300 {
		x := []float64{rng.Float64(), 2 * rng.Float64(), 1 + rng.Float64()}
		for j, v := range x {
			d.X[j] = append(d.X[j], v)
		}
		d.Y = append(d.Y, x[0]*math.Exp(x[1])+math.Sin(2*x[2])/(1+0.7*x[0])+0.001*rng.NormFloat64())
	}
	k := known(t, "y = x1*f(x2) + g(x3)/(1 + k*x1)")
	k.Constant("k").Low = 0
	s, err := Solve(k)
	if err != nil {
		t.Fatal(err)
	}
	constants, values, err := s.Smooth(Data{X: [][]float64{d.X[0], d.X[1], d.X[2]}, Y: d.Y})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(constants[0]-0.7) > 0.01 {
		t.Errorf("k is %g, want 0.7", constants[0])
	}
	for i := range d.Y {
		f, g := math.Exp(d.X[1][i]), math.Sin(2*d.X[2][i])
		if math.Abs(values[0][i]-f) > 0.02 || math.Abs(values[1][i]-g) > 0.02 {
			t.Fatalf("row %d: the functions are %g and %g, want %g and %g", i, values[0][i], values[1][i], f, g)
		}
	}
}
