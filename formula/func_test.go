package formula

import (
	"math"
	"testing"
)

// funcValues are known values, to 15 digits: f(x) = y, or f(x, 1) = y.
var funcValues = map[Func]struct{ x, y float64 }{
	Sin:     {math.Pi / 6, 0.5},
	Cos:     {math.Pi / 3, 0.5},
	Tan:     {math.Pi / 4, 1},
	Exp:     {1, math.E},
	Log:     {math.E, 1},
	Sqrt:    {2, math.Sqrt2},
	Sigmoid: {math.Log(3), 0.75},
	Tanh:    {math.Log(3), 0.8},
	Asin:    {0.5, math.Pi / 6},
	Acos:    {0.5, math.Pi / 3},
	Atan:    {1, math.Pi / 4},
	Sinh:    {math.Log(2), 0.75},
	Cosh:    {math.Log(2), 1.25},
	Abs:     {-2.5, 2.5},
	Min:     {2, 1},
	Max:     {0.5, 1},
}

// TestFuncTable walks the table: every function has a value, a derivative and a way to be
// printed in every form.
func TestFuncTable(t *testing.T) {
	x := Var("x")
	for _, f := range Funcs() {
		t.Run(f.String(), func(t *testing.T) {
			known, ok := funcValues[f]
			if !ok {
				t.Fatal("has no known value in funcValues")
			}
			if got := f.Value(known.x, 1); !(math.Abs(got-known.y) <= 1e-15*math.Abs(known.y)+1e-16) {
				t.Errorf("of %v is %v, want %v", known.x, got, known.y)
			}
			e := ofX(f)
			checkDerivative(t, e, map[string]float64{"x": 0.7}, "x")
			checkDerivative(t, e, map[string]float64{"x": 0.95}, "x")
			info := f.info()
			for form, l := range languages {
				if l.calls[f] == "" && info.written == nil {
					t.Errorf("has neither a name in %s nor a way to write it", form)
				}
			}
			if info.written != nil {
				sameAt(t, info.written(x), Call(f, x), map[string]float64{"x": 0.7})
			}
			if info.latex == "" {
				t.Error("has no name in LaTeX")
			}
			if !Equal(MustParse(e.String()), e) {
				t.Errorf("%s does not read back", e)
			}
		})
	}
}

// ofX is f(x), or f(x, x² + 0.1).
func ofX(f Func) Expr { return Call(f, []Expr{Var("x"), MustParse("x^2 + 0.1")}[:f.Arity()]...) }

func TestFuncUnknown(t *testing.T) {
	if got := Func(99).String(); got != "Func(99)" {
		t.Errorf("got %s", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("Call accepts a function that is none")
		}
	}()
	Call(Func(99), Var("x"))
}

func TestSigmoidFarOut(t *testing.T) {
	for _, tt := range []struct{ x, y float64 }{{-1000, 0}, {1000, 1}, {0, 0.5}} {
		if got := Sigmoid.Value(tt.x); got != tt.y {
			t.Errorf("sigmoid(%g) = %g, want %g", tt.x, got, tt.y)
		}
	}
}

func sameAt(t *testing.T, a, b Expr, at map[string]float64) {
	t.Helper()
	va, errA := Eval(a, at)
	vb, errB := Eval(b, at)
	if errA != nil || errB != nil || !(math.Abs(va-vb) <= 1e-14*max(1, math.Abs(va))) {
		t.Errorf("%s = %v (%v), but %s = %v (%v)", a, va, errA, b, vb, errB)
	}
}
