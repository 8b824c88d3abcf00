package trainer

import (
	"math"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// stub is a parameter with a gradient that the test sets.
type stub struct{ w, g *tensor.Dense }

func (s stub) Value() gorgonia.Value         { return s.w }
func (s stub) Grad() (gorgonia.Value, error) { return s.g, nil }

// TestAdam follows the textbook update (Kingma and Ba, algorithm 1) through the three phases for
// a weight and a bias in four lanes with different λ.
func TestAdam(t *testing.T) {
	const steps, lanes = 100, 4
	c := PaperConfig()
	c.LearnRate = 0.01
	lambda := []float64{0, 0.01, 0.1, 1}
	w := []float64{0.5, 0.5, 0.5, 0.5, 0.3, 0.3, 0.3, 0.3} // one weight, one bias
	g := make([]float64, 2*lanes)
	p := stub{
		w: tensor.New(tensor.WithShape(1, 2, lanes), tensor.WithBacking(w)),
		g: tensor.New(tensor.WithShape(1, 2, lanes), tensor.WithBacking(g)),
	}
	a := NewAdam[float64](c, lambda, steps)

	want := append([]float64(nil), w...)
	m, v := make([]float64, 2*lanes), make([]float64, 2*lanes)
	for step := 1; step <= steps; step++ {
		for i := range g {
			g[i] = math.Sin(float64(step)) + 0.1*w[i]
		}
		phase := a.Phase()
		for i := range want {
			gi := math.Sin(float64(step)) + 0.1*want[i]
			isWeight := i < lanes
			if phase.Penalty && isWeight && want[i] != 0 {
				gi += lambda[i] * math.Copysign(1, want[i])
			}
			if phase.Mask && isWeight && math.Abs(want[i]) < c.Mask {
				want[i], m[i], v[i] = 0, 0, 0
				continue
			}
			m[i] = c.Beta1*m[i] + (1-c.Beta1)*gi
			v[i] = c.Beta2*v[i] + (1-c.Beta2)*gi*gi
			mHat := m[i] / (1 - math.Pow(c.Beta1, float64(step)))
			vHat := v[i] / (1 - math.Pow(c.Beta2, float64(step)))
			want[i] -= c.LearnRate * mHat / (math.Sqrt(vHat) + c.Epsilon)
			if phase.Mask && isWeight && math.Abs(want[i]) < c.Mask {
				want[i], m[i], v[i] = 0, 0, 0
			}
		}
		if err := a.Step([]gorgonia.ValueGrad{p}); err != nil {
			t.Fatal(err)
		}
		for i := range want {
			// A hundred steps of one rounding each, and moments held off the denormals.
			if !(math.Abs(w[i]-want[i]) <= 1e-12) {
				t.Fatalf("step %d (%s), number %d: %.17g, want %.17g", step, phase.Name, i, w[i], want[i])
			}
		}
	}
}

// TestMaskedMomentsAreZero shrinks a weight in the masked phase: it is caught, and its moments,
// which would decay into denormal numbers, are gone.
func TestMaskedMomentsAreZero(t *testing.T) {
	c := PaperConfig()
	c.Schedule = Schedule{{Name: "masked", End: 1, Mask: true}}
	w, g := []float64{0.0015, 1, 1, 1, 0.0001, 1, 1, 1}, []float64{1, 0, 0, 0, 0, 0, 0, 0}
	p := stub{
		w: tensor.New(tensor.WithShape(1, 2, 4), tensor.WithBacking(w)),
		g: tensor.New(tensor.WithShape(1, 2, 4), tensor.WithBacking(g)),
	}
	a := NewAdam[float64](c, make([]float64, 4), 10)
	for range 3 {
		if err := a.Step([]gorgonia.ValueGrad{p}); err != nil {
			t.Fatal(err)
		}
	}
	if w[0] != 0 || a.m[0][0] != 0 || a.v[0][0] != 0 {
		t.Errorf("weight %g, moments %g and %g, want zeros", w[0], a.m[0][0], a.v[0][0])
	}
	if w[4] != 0.0001 {
		t.Errorf("the bias became %g; biases are never masked", w[4])
	}
}
