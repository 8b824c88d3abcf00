package fit

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Of the lines through all rows the shortest has coefficients that are a combination of the rows. Equal rows and
// weights do not keep it from being found.
func TestShortest(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	d := Data{X: make([][]float64, 30), Y: make([]float64, 12), W: make([]float64, 12)}
	for i := range d.Y {
		d.Y[i], d.W[i] = rng.NormFloat64(), 0.5+rng.Float64()
	}
	for j := range d.X {
		for range d.Y {
			d.X[j] = append(d.X[j], 5+rng.NormFloat64())
		}
		d.X[j][3] = d.X[j][2]
	}
	d.Y[3] = d.Y[2]
	c, bias := Shortest(d)
	length := 0.0
	for i, y := range d.Y {
		v := bias
		for j := range d.X {
			v += c[j] * d.X[j][i]
		}
		if math.Abs(v-y) > 1e-6 {
			t.Errorf("row %d: %g, want %g", i, v, y)
		}
	}
	for _, v := range c {
		length += v * v
	}
	// Another line through all rows differs by a direction that no row shows; every one is at a right angle to c.
	free := make([]float64, len(c))
	for j := range free {
		free[j] = rng.NormFloat64()
	}
	other := Data{X: d.X, Y: make([]float64, len(d.Y)), W: d.W}
	for i := range other.Y {
		for j := range d.X {
			other.Y[i] += free[j] * d.X[j][i]
		}
	}
	shown, _ := Shortest(other)
	along := 0.0
	for j := range free {
		along += (free[j] - shown[j]) * c[j]
	}
	if math.Abs(along) > 1e-6*length {
		t.Errorf("c is not the shortest: %g along a direction that no row shows", along)
	}
}
