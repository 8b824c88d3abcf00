package formula

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDrop(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	const rows = 500
	vars, cols := []string{"x", "y"}, [][]float64{make([]float64, rows), make([]float64, rows)}
	for i := range rows {
		cols[0][i], cols[1][i] = 2*r.Float64()-1, 2*r.Float64()-1
	}
	tests := []struct {
		name, in string
		tol      float64
		want     string
	}{
		{"nothing small", "x + y", 0.01, "x + y"},
		{"one term", "x + 1e-5*y", 0.001, "x"},
		{"inside a function", "3*sin(x + 1e-5*y + 1e-6) + y", 0.001, "y + 3*sin(x)"},
		{"small inside, large outside", "1e4*sin(x + 1e-5*y)", 0.001, "10000*sin(x + 1e-5*y)"},
		{"smallest first", "x + 0.002*y + 0.01", 0.009, "x + 0.01"},
		{"in total", "x + 0.008 + 0.006*y^2", 0.009, "x + 0.008"},
		{"pair", "x + y - 0.999999*y", 0.001, "x"},
		{"everything", "1e-9*x + 1e-9", 0.001, "0"},
		{"rows without a value", "sqrt(x) + 1e-5*y", 0.001, "sqrt(x)"},
		{"keeps the domain", "sqrt(x + 1.0001 + 1e-7*y)", 0.001, "sqrt(x + 1.0001)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := MustParse(tt.in)
			got, change := Drop(e, vars, cols, tt.tol)
			if got.String() != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if want := rms(t, e, got, vars, cols); !(math.Abs(change-want) <= 1e-12) || !(change < tt.tol) {
				t.Errorf("reports a change of %g, measured %g, tolerance %g", change, want, tt.tol)
			}
		})
	}
	t.Run("no column", func(t *testing.T) {
		e := MustParse("x + z")
		if got, change := Drop(e, vars, cols, 1); got != e || !math.IsNaN(change) {
			t.Errorf("got %s, %g, want it unchanged and NaN", got, change)
		}
	})
}

func rms(t *testing.T, a, b Expr, vars []string, cols [][]float64) float64 {
	t.Helper()
	sum, n := 0.0, 0
	for i := range cols[0] {
		at := map[string]float64{}
		for v, name := range vars {
			at[name] = cols[v][i]
		}
		va, errA := Eval(a, at)
		vb, errB := Eval(b, at)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if math.IsNaN(va) {
			continue
		}
		sum += (va - vb) * (va - vb)
		n++
	}
	return math.Sqrt(sum / float64(n))
}
