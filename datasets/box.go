package datasets

import (
	"math"
	"math/rand/v2"
)

// boxes returns the sets of a problem with uniform inputs: data and interpolation in
// [−h, h]^n, near and far outside of it, within 1.5h and 2h.
func boxes(h float64, rows, testRows int, f law) func() ([]set, error) {
	return func() ([]set, error) {
		return []set{
			{name: "data", rows: rows, sample: box(h, f)},
			{name: "interpolation", rows: testRows, sample: box(h, f)},
			{name: "near", rows: testRows, sample: shell(h, 1.5*h, f)},
			{name: "far", rows: testRows, sample: shell(h, 2*h, f)},
		}, nil
	}
}

// box samples [−h, h)^n uniformly.
func box(h float64, f law) sampler {
	return func(_ int, rng *rand.Rand, x, y []float64) {
		uniform(h, rng, x)
		f(x, y)
	}
}

// shell samples uniformly from [−outer, outer)^n without [−inner, inner]^n, by rejection.
func shell(inner, outer float64, f law) sampler {
	return func(_ int, rng *rand.Rand, x, y []float64) {
		for uniform(outer, rng, x); maxNorm(x) <= inner; {
			uniform(outer, rng, x)
		}
		f(x, y)
	}
}

func uniform(h float64, rng *rand.Rand, x []float64) {
	for j := range x {
		x[j] = h * (2*rng.Float64() - 1)
	}
}

func maxNorm(x []float64) float64 {
	norm := 0.0
	for _, v := range x {
		norm = max(norm, math.Abs(v))
	}
	return norm
}
