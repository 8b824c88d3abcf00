package gradcheck

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// f has the gradient (x1·cos x0, sin x0 + 2·x1).
func f(x []float64) float64 { return x[1]*math.Sin(x[0]) + x[1]*x[1] }

func gradient(x []float64) []float64 {
	return []float64{x[1] * math.Cos(x[0]), math.Sin(x[0]) + 2*x[1]}
}

func TestCompare(t *testing.T) {
	x := []float64{0.3, -1.7}
	right := gradient(x)
	one := func(v float64) []float64 { return []float64{right[0], v} }
	cases := []struct {
		name string
		grad []float64
		want []string // part of each error
	}{
		{"right", right, nil},
		{"within the tolerance", one(right[1] + 1e-7), nil},
		{"beyond the tolerance", one(right[1] + 1e-5), []string{"∂f/∂x[1]"}},
		{"swapped", []float64{right[1], right[0]}, []string{"∂f/∂x[0]", "∂f/∂x[1]"}},
		{"wrong sign", one(-right[1]), []string{"∂f/∂x[1]"}},
		{"zero", []float64{0, 0}, []string{"∂f/∂x[0]", "∂f/∂x[1]"}},
		{"not a number", one(math.NaN()), []string{"∂f/∂x[1] = NaN"}},
		{"infinite", one(math.Inf(1)), []string{"∂f/∂x[1] = +Inf"}},
		{"too short", right[:1], []string{"length 1, want 2"}},
		{"too long", []float64{1, 2, 3}, []string{"length 3, want 2"}},
		{"none", nil, []string{"length 0, want 2"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := compare(f, c.grad, x, 1e-6)
			if len(got) != len(c.want) {
				t.Fatalf("got %v, want %v", got, c.want)
			}
			for i, err := range got {
				if !strings.Contains(err.Error(), c.want[i]) {
					t.Errorf("got %v, want %q", err, c.want[i])
				}
			}
		})
	}
	if !slices.Equal(x, []float64{0.3, -1.7}) {
		t.Errorf("x became %v", x)
	}
}

func TestCompareScale(t *testing.T) {
	steep := func(x []float64) float64 { return 1e6 * x[0] }
	if got := compare(steep, []float64{1e6 + 0.5}, []float64{2}, 1e-6); got != nil {
		t.Errorf("relative difference 5e-7: got %v, want none", got)
	}
	if got := compare(steep, []float64{1e6 + 5}, []float64{2}, 1e-6); len(got) != 1 {
		t.Errorf("relative difference 5e-6: got %v, want one error", got)
	}
}

func TestCompareBadFunction(t *testing.T) {
	nan := func([]float64) float64 { return math.NaN() }
	for name, got := range map[string][]error{
		"function not a number":               compare(nan, []float64{0}, []float64{1}, 1),
		"function and gradient not a number":  compare(nan, []float64{math.NaN()}, []float64{1}, 1),
		"infinite slope, infinite derivative": compare(step, []float64{math.Inf(1)}, []float64{0}, 1),
		"tolerance not a number":              compare(f, gradient([]float64{1, 2}), []float64{1, 2}, math.NaN()),
		"no point":                            compare(func([]float64) float64 { return 0 }, nil, nil, 1),
	} {
		if len(got) == 0 {
			t.Errorf("%s: passes, want an error", name)
		}
	}
}

// step is infinite to the right of 0.
func step(x []float64) float64 {
	if x[0] > 0 {
		return math.Inf(1)
	}
	return 0
}

// recorder is a testing.TB that keeps its errors.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper()           {}
func (r *recorder) Error(args ...any) { r.errors = append(r.errors, fmt.Sprint(args...)) }

func TestCheckReports(t *testing.T) {
	x := []float64{0.3, -1.7}
	var r recorder
	Check(&r, f, []float64{0, 0}, x, 1e-6)
	if len(r.errors) != 2 {
		t.Errorf("got %q, want two errors", r.errors)
	}
	Check(t, f, gradient(x), x, 1e-8) // see the package comment
}
