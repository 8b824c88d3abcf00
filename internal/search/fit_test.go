package search

import (
	"math"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// TestFit finds the constants of laws again from other starting values.
func TestFit(t *testing.T) {
	tests := []struct {
		name   string
		build  func(e *expr, c []float64) int
		c, far []float64
	}{
		{"power law", func(e *expr, c []float64) int {
			return e.mul(e.par(c[0]), e.mul(e.pow(e.variable(0), c[1], false), e.pow(e.variable(1), c[2], false)))
		}, []float64{2.5, 1.5, -0.7}, []float64{1, 1, 0.1}},
		{"saturation", func(e *expr, c []float64) int {
			return e.mul(e.par(c[0]), e.call(formula.Tanh, e.mul(e.par(c[1]), e.variable(0))))
		}, []float64{3, 0.8}, []float64{1, 0.3}},
		{"Planck", func(e *expr, c []float64) int {
			z := e.call(formula.Exp, e.mul(e.par(c[1]), e.mul(e.variable(0), e.pow(e.variable(1), -1, true))))
			return e.mul(e.par(c[0]), e.pow(e.add(e.fixed(-1), z), -1, true))
		}, []float64{1.3, 0.6}, []float64{1, 1}},
	}
	x := points(50, 4)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var law, start expr
			law = law.compact(tt.build(&law, tt.c))
			start = start.compact(tt.build(&start, tt.far))
			ev := &evaluator{}
			ev.forward(law, x, 50)
			y := append([]float64(nil), ev.value(law)...)
			if sse := ev.fit(start, x, y, nil, 50); sse > 1e-16 {
				t.Errorf("the sum of squares is %g", sse)
			}
			for i := range law {
				if math.Abs(start[i].c-law[i].c) > 1e-6 {
					t.Errorf("constant %d is %v, want %v", i, start[i].c, law[i].c)
				}
			}
		})
	}
}

func TestFitOfWhatHasNoValue(t *testing.T) {
	var e expr
	e.call(formula.Log, e.mul(e.par(-1), e.variable(0)))
	ev := &evaluator{}
	if sse := ev.fit(e, points(5, 5), make([]float64, 5), nil, 10); sse != impossible {
		t.Errorf("the logarithm of negative numbers was fitted with %g", sse)
	}
}

func TestMinimise(t *testing.T) {
	u, f := minimise(func(u float64) float64 { return (u - 0.2) * (u - 0.2) }, 0.5)
	if math.Abs(u-0.2) > 1e-3 || f > 1e-6 {
		t.Errorf("the least is at %g with %g, want 0.2 with 0", u, f)
	}
}

func TestLogarithms(t *testing.T) {
	x := []float64{1e-300, 1e-9, 0.3, 0.7071, 0.70711, 1, 1.4142, 1.41422, 2, 7, 1e9, 1e300}
	got := append([]float64(nil), x...)
	logarithms(got)
	for i, v := range x {
		if want := math.Log(v); math.Abs(got[i]-want) > 1e-14*max(1, math.Abs(want)) {
			t.Errorf("log %v is %v, want %v", v, got[i], want)
		}
	}
}
