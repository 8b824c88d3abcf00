package paper

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/sweep"
)

// An Instance is a trained network as selection sees it: nothing of the test sets.
type Instance struct {
	Validation float64 // RMS on the validation rows
	Sparsity   int     // the paper's s
}

// choose returns the index of the network that a rule selects among the instances of one
// repetition, −1 when none is finite.
//
// The rule rank is the paper's (§3.3, Appendix A1): rank all instances by validation error and by
// sparsity, equal values sharing the best rank, and take the smallest r_v² + r_s²; of equal ones
// the smaller validation error, and then the first. The rule validation takes the smallest
// validation error. An instance whose error is not finite has no rank.
func choose(instances []Instance, rule sweep.Select) int {
	var errors, sparsities []float64
	for _, i := range instances {
		if finite(i.Validation) {
			errors = append(errors, i.Validation)
			sparsities = append(sparsities, float64(i.Sparsity))
		}
	}
	slices.Sort(errors)
	slices.Sort(sparsities)
	best, bestNorm := -1, math.Inf(1)
	for k, i := range instances {
		if !finite(i.Validation) {
			continue
		}
		norm := 0.0
		if rule == sweep.SelectRank {
			v, s := rank(errors, i.Validation), rank(sparsities, float64(i.Sparsity))
			norm = v*v + s*s
		}
		if best < 0 || norm < bestNorm || norm == bestNorm && i.Validation < instances[best].Validation {
			best, bestNorm = k, norm
		}
	}
	return best
}

// rank returns the rank of a value among sorted ones, from 1.
func rank(sorted []float64, v float64) float64 {
	at, _ := slices.BinarySearch(sorted, v)
	return float64(at + 1)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
