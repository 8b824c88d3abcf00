package trajectory

import (
	"math"
	"slices"
)

// The coefficients of Dormand and Prince: stages, times, and the difference of the two solutions.
var (
	dpA = [6][]float64{
		{1. / 5},
		{3. / 40, 9. / 40},
		{44. / 45, -56. / 15, 32. / 9},
		{19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
		{9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
		{35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
	}
	dpC = [6]float64{1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1}
	dpE = [7]float64{71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40}
)

const (
	tolerance = 1e-8  // of a step, in spreads of the states
	mostSteps = 10000 // from one row to the next
)

// system is ẋ = rates(t, x); spread is the size of each state.
type system struct {
	rates  func(t float64, x, dx []float64)
	spread []float64
}

// advance returns the state at time b of a motion that has the state x at time a, and false where it has none there: it
// is not finite, or needs too many steps.
func (s *system) advance(x []float64, a, b float64) ([]float64, bool) {
	x = slices.Clone(x)
	h := b - a
	for range mostSteps {
		h = math.Min(h, b-a)
		next, err := s.step(x, a, h)
		switch {
		case math.IsNaN(err) || math.IsInf(err, 0):
			h /= 10
		case err <= 1 && h == b-a:
			return next, true
		case err <= 1:
			x, a = next, a+h
			h *= math.Min(5, 0.9*math.Pow(math.Max(err, 1e-10), -0.2))
		default:
			h *= math.Max(0.2, 0.9*math.Pow(err, -0.2))
		}
		if a+h == a {
			break
		}
	}
	return nil, false
}

// step returns the state after a step, and its error in tolerances.
func (s *system) step(x []float64, t, h float64) (next []float64, err float64) {
	var k [7][]float64
	k[0] = make([]float64, len(x))
	s.rates(t, x, k[0])
	for i, row := range dpA {
		next = slices.Clone(x)
		for j, a := range row {
			for m := range next {
				next[m] += h * a * k[j][m]
			}
		}
		k[i+1] = make([]float64, len(x))
		s.rates(t+dpC[i]*h, next, k[i+1])
	}
	for m := range x {
		e := 0.0
		for j, c := range dpE {
			e += c * k[j][m]
		}
		err = math.Max(err, math.Abs(h*e)/(tolerance*s.spread[m]))
		if math.IsNaN(next[m]) || math.IsNaN(e) {
			return next, math.NaN()
		}
	}
	return next, err
}
