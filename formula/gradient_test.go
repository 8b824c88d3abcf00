package formula

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestGradientAgreesWithDiff compares the values with those of Eval, and the derivatives with those of the
// derived expression.
func TestGradientAgreesWithDiff(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const rows = block + 3
	cols := make([][]float64, len(threeVars))
	for v := range cols {
		cols[v] = make([]float64, rows)
		for i := range cols[v] {
			cols[v][i] = 2 * r.NormFloat64()
		}
	}
	dst, grad := make([]float64, rows), make([][]float64, len(threeVars))
	compared := 0
	for i := range 1000 {
		e := randomExpr(r, 1+i%5)
		if slices.Contains(Constants(e), 0) {
			continue // it divides by zero now and then, and what 0·∞ is depends on the order
		}
		g, err := CompileGradient(e, threeVars)
		if err != nil {
			t.Fatal(err)
		}
		for v := range grad {
			grad[v] = make([]float64, rows)
			grad[v][0], grad[v][rows-1] = 1, 1 // what stands there is of no account
		}
		left := i % 4
		if left < len(grad) {
			grad[left] = nil
		}
		g.EvalColumns(dst, grad, cols)
		for row := 0; row < rows; row += 43 {
			at := map[string]float64{"x1": cols[0][row], "x2": cols[1][row], "x3": cols[2][row]}
			if want, _ := Eval(e, at); !sameBits(dst[row], want) {
				t.Fatalf("%s at %v is %v, want %v", e, at, dst[row], want)
			}
			for v, name := range threeVars {
				want, err := Eval(Diff(e, name), at)
				if err != nil {
					t.Fatal(err)
				}
				if grad[v] == nil || math.IsNaN(want) || math.Abs(want) > 1e100 {
					continue
				}
				if got := grad[v][row]; !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
					t.Fatalf("derivative of %s by %s at %v is %v, want %v", e, name, at, got, want)
				}
				compared++
			}
		}
	}
	if compared < 5000 {
		t.Errorf("only %d derivatives were compared", compared)
	}
}

func TestGradientOfEachFunction(t *testing.T) {
	at := map[string]float64{"x": 0.7}
	for _, f := range Funcs() {
		g, err := CompileGradient(ofX(f), []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		value, slope := []float64{0}, []float64{0}
		g.EvalColumns(value, [][]float64{slope}, [][]float64{{at["x"]}})
		want, err := Eval(Diff(ofX(f), "x"), at)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(slope[0]-want) > 1e-15 {
			t.Errorf("%s′(0.7) = %v, want %v", f, slope[0], want)
		}
	}
}

func TestGradientAllocatesNothing(t *testing.T) {
	g, err := CompileGradient(MustParse("sin(x1)*x2 + x3^2 - sigmoid(x1)"), threeVars)
	if err != nil {
		t.Fatal(err)
	}
	column := func() []float64 { return make([]float64, 1000) }
	dst, grad, cols := column(), [][]float64{column(), nil, column()}, [][]float64{column(), column(), column()}
	g.EvalColumns(dst, grad, cols)
	// The pool may lose its memory, so once in a while is allowed.
	if n := testing.AllocsPerRun(100, func() { g.EvalColumns(dst, grad, cols) }); n >= 1 {
		t.Errorf("EvalColumns allocates %v times", n)
	}
}

func TestGradientOfUnknownVariable(t *testing.T) {
	if _, err := CompileGradient(MustParse("x1 + y"), threeVars); err == nil {
		t.Error("a variable without a column is no error")
	}
}
