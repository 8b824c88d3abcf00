package paper

import (
	"math"
	"slices"
)

// Stats are the statistics of one number over the repetitions. What is not finite, or takes more
// repetitions than there are, is null.
type Stats struct {
	N      int      `json:"n"`
	Mean   *float64 `json:"mean"`
	SD     *float64 `json:"sd"` // with N−1; null for one repetition
	Median *float64 `json:"median"`
	Min    *float64 `json:"min"`
	Max    *float64 `json:"max"`
}

// newStats summarises values, of which +Inf stands for what is not finite. None is left out: with
// an infinite value the mean is infinite.
func newStats(values []float64) Stats {
	n := len(values)
	s := Stats{N: n}
	if n == 0 {
		return s
	}
	sorted := slices.Sorted(slices.Values(values))
	mean := 0.0
	for _, v := range values {
		mean += v / float64(n)
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	s.Mean = number(mean)
	if n > 1 {
		s.SD = number(math.Sqrt(squares / float64(n-1)))
	}
	s.Median = number((sorted[(n-1)/2] + sorted[n/2]) / 2)
	s.Min, s.Max = number(sorted[0]), number(sorted[n-1])
	return s
}

func orInf(x *float64) float64 {
	if x == nil {
		return math.Inf(1)
	}
	return *x
}
