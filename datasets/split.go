package datasets

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Split divides the rows 0 … n−1 at random into training and validation, the latter
// holding that fraction of them, rounded, but at least one row going to each when n ≥ 2.
// Both lists are in ascending order.
func Split(n int, fraction float64, rng *rand.Rand) (train, validation []int) {
	if n <= 0 {
		return nil, nil
	}
	held := 0
	if fraction > 0 { // false for NaN
		held = int(math.Round(min(fraction, 1) * float64(n)))
	}
	if n >= 2 {
		held = min(max(held, 1), n-1)
	}
	order := rng.Perm(n)
	validation, train = order[:held:held], order[held:]
	slices.Sort(validation)
	slices.Sort(train)
	return train, validation
}

// Folds divides the rows 0 … n−1 at random into k parts whose sizes differ by at most
// one, each in ascending order. There are never more parts than rows, nor fewer than one.
func Folds(n, k int, rng *rand.Rand) [][]int {
	if n <= 0 {
		return nil
	}
	k = min(max(k, 1), n)
	order := rng.Perm(n)
	folds := make([][]int, k)
	for f := range folds {
		from, to := f*n/k, (f+1)*n/k
		folds[f] = order[from:to:to]
		slices.Sort(folds[f])
	}
	return folds
}
