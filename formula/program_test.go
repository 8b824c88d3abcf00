package formula

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

var threeVars = []string{"x1", "x2", "x3"}

// TestProgramAgreesWithEval compares the three ways to evaluate.
func TestProgramAgreesWithEval(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const rows = 2*block + 3
	cols := make([][]float64, len(threeVars))
	for v := range cols {
		cols[v] = make([]float64, rows)
		for i := range cols[v] {
			cols[v][i] = 3 * r.NormFloat64()
		}
	}
	dst := make([]float64, rows)
	for i := range 1000 {
		e := randomExpr(r, 1+i%5)
		p, err := Compile(e, threeVars)
		if err != nil {
			t.Fatal(err)
		}
		p.EvalColumns(dst, cols)
		for row := 0; row < rows; row += 43 {
			x := []float64{cols[0][row], cols[1][row], cols[2][row]}
			at := map[string]float64{"x1": x[0], "x2": x[1], "x3": x[2]}
			want, err := Eval(e, at)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Eval(x); !sameBits(got, dst[row]) {
				t.Fatalf("%s at %v: Eval gives %v, EvalColumns %v", e, x, got, dst[row])
			}
			if !sameBits(dst[row], want) {
				t.Fatalf("%s at %v: the program gives %v, Eval %v", e, x, dst[row], want)
			}
		}
	}
}

func sameBits(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func TestProgramAllocatesNothing(t *testing.T) {
	p, err := Compile(MustParse("sin(x1)*x2 + x3^2 - sigmoid(x1)"), threeVars)
	if err != nil {
		t.Fatal(err)
	}
	x, dst := []float64{1, 2, 3}, make([]float64, 1000)
	cols := [][]float64{make([]float64, 1000), make([]float64, 1000), make([]float64, 1000)}
	p.Eval(x)
	// The pool may lose its memory to the garbage collector, so once in a while is allowed.
	if n := testing.AllocsPerRun(100, func() { p.Eval(x) }); n >= 1 {
		t.Errorf("Eval allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { p.EvalColumns(dst, cols) }); n >= 1 {
		t.Errorf("EvalColumns allocates %v times", n)
	}
}

func TestProgramIsConcurrent(t *testing.T) {
	p, err := Compile(MustParse("sin(x1)*x2 + x3^2"), threeVars)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 1000 {
				a, b, c := float64(g), float64(i), 0.5
				if got, want := p.Eval([]float64{a, b, c}), math.Sin(a)*b+c*c; got != want {
					t.Errorf("got %v, want %v", got, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestProgramSharesParts(t *testing.T) {
	p, err := Compile(MustParse("sin(x1 + x2)^2 + cos(sin(x1 + x2))"), threeVars)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.code) != 7 || p.regs > 3 { // x1, x2, +, sin, ^, cos, +
		t.Errorf("%d instructions over %d registers, want 7 over at most 3", len(p.code), p.regs)
	}
}

func TestUnknownVariable(t *testing.T) {
	const want = "variable `a b` has no value (give one, or substitute it)"
	e := MustParse("x1 + `a b`")
	if _, err := Compile(e, threeVars); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := Eval(e, map[string]float64{"x1": 1}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestEvalOutsideTheDomain(t *testing.T) {
	for in, want := range map[string]float64{
		"log(-1)": math.NaN(), "1/0": math.Inf(1), "-1/0": math.Inf(-1), "0/0": math.NaN(), "sqrt(-1)": math.NaN(),
		"log(0)": math.Inf(-1),
	} {
		if got, err := Eval(MustParse(in), nil); err != nil || !sameBits(got, want) {
			t.Errorf("%s = %v, %v, want %v", in, got, err, want)
		}
	}
}

func TestEvalColumnsTooShort(t *testing.T) {
	p, err := Compile(MustParse("x1 + x2"), threeVars)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a column shorter than the result is read beyond its end")
		}
	}()
	long := make([]float64, 4)
	p.EvalColumns(make([]float64, 4), [][]float64{long, long[:3], long})
}
