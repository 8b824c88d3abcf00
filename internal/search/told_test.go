package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTold compares what rows tell of a function with what its coefficients and their errors do.
func TestTold(t *testing.T) {
	const n = 400
	rng := rand.New(rand.NewPCG(1, 2))
	x := [][]float64{make([]float64, n), make([]float64, n)}
	for j := range x {
		for r := range x[j] {
			x[j][r] = 4*rng.Float64() - 1
		}
	}
	values := func(f func(a, b float64) float64) []float64 {
		y := make([]float64, n)
		for r := range y {
			y[r] = f(x[0][r], x[1][r])
		}
		return y
	}
	constant := values(func(_, _ float64) float64 { return 3 })
	plane := values(func(a, b float64) float64 { return 3 + a - 2*b })
	wave := values(func(a, _ float64) float64 { return math.Sin(2 * a) })
	near := func(name string, got, want, within float64) {
		t.Helper()
		if !(math.Abs(got-want) <= within) {
			t.Errorf("%s: %.2f bits, want %.2f", name, got, want)
		}
	}
	root := math.Sqrt(n)
	near("a constant", Told(x, constant, nil, 0.1), math.Log2(3/0.1*root), 0.01)
	mean, sd := 3.0-1+0, 4/math.Sqrt(12.)
	near("a plane", Told(x, plane, nil, 0.1),
		math.Log2(math.Abs(mean+2-2*1)/0.1*root)+math.Log2(sd/0.1*root)+math.Log2(2*sd/0.1*root), 1)
	near("half the noise", Told(x, plane, nil, 0.05), Told(x, plane, nil, 0.1)+3, 0.01)
	near("weights", Told(x, plane, slices.Repeat([]float64{2}, n), 0.1), Told(x, plane, nil, 0.05), 1e-9)
	twice := func(v []float64) []float64 { return slices.Concat(v, v) }
	near("twice the rows", Told([][]float64{twice(x[0]), twice(x[1])}, twice(plane), nil, 0.1),
		Told(x, plane, nil, 0.1)+1.5, 0.2)
	if wave, plane := Told(x, wave, nil, 0.1), Told(x, plane, nil, 0.1); wave < 1.5*plane {
		t.Errorf("a wave tells %.0f bits, a plane %.0f", wave, plane)
	}
	near("levels", Told([][]float64{slices.Repeat([]float64{1, 2}, 50)}, slices.Repeat([]float64{0, 1}, 50), nil, 0.1),
		2*math.Log2(0.5/0.1*10), 0.1)
	fast := values(func(a, _ float64) float64 { return math.Sin(40 * a) })
	if bits := Told(x, fast, nil, 0.1); !math.IsInf(bits, 1) {
		t.Errorf("of a wave that no polynomial follows: %.2f bits", bits)
	}
	if bits := Told(x[:1], plane, nil, 0); !math.IsInf(bits, 1) {
		t.Errorf("without noise: %.2f bits", bits)
	}
}
