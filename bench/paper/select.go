package paper

import (
	"math"

	"github.com/eqlearner/eql/internal/sweep"
)

// An Instance is a trained network as selection sees it: nothing of the test sets.
type Instance struct {
	Validation float64 // RMS on the validation rows
	Sparsity   int     // the paper's s
}

// choose returns the index of the network that a rule selects among the instances of one
// repetition, −1 when none is finite. An instance whose error is not finite has no rank.
//
// The rule rank is the paper's, [sweep.RankNorms]; of equal norms it takes the smaller validation
// error, and then the first. The rule validation takes the smallest validation error.
func choose(instances []Instance, rule sweep.Select) int {
	var ids []int
	var validation, sparsity []float64
	for k, i := range instances {
		if finite(i.Validation) {
			ids = append(ids, k)
			validation, sparsity = append(validation, i.Validation), append(sparsity, float64(i.Sparsity))
		}
	}
	norms := make([]float64, len(ids))
	if rule == sweep.SelectRank {
		norms = sweep.RankNorms(validation, sparsity)
	}
	best := -1
	for i := range ids {
		if best < 0 || norms[i] < norms[best] || norms[i] == norms[best] && validation[i] < validation[best] {
			best = i
		}
	}
	if best < 0 {
		return -1
	}
	return ids[best]
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
