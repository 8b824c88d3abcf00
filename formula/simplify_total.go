package formula

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// cancelled is the part of the largest coefficient below which a sum of coefficients is what
// rounding left of zero.
const cancelled = 0x1p-51

// total returns the sum of coefficients, rounded once, so that their order makes no difference; ok is false where it
// overflows. Opposite coefficients cancel whatever else there is: 1e17 - 1e17 + 1 is 1. What is left of the
// others is 0 where the rounding of those explains it that have many digits: 1/3 + 1/3 + 1/3 - 1. Those of few digits
// were written and not computed, and stand for the decimals that they are: 0.1 + 0.2 - 0.3.
func total(coefs []float64) (sum float64, ok bool) {
	const few = 12 // digits; one computed number in 5,000 or fewer has no more by chance
	sum = exactSum(coefs)
	if math.IsInf(sum, 0) {
		return sum, false
	}
	if math.Abs(sum) > cancelled*peak(coefs) {
		return sum, true
	}
	left := withoutOpposites(coefs)
	if math.Abs(sum) > cancelled*peak(left) {
		return sum, true
	}
	sum = decimalSum(left)
	computed := slices.DeleteFunc(left, func(c float64) bool { return roundNumber(c, few) == c })
	if math.Abs(sum) <= cancelled*peak(computed) {
		return 0, true
	}
	return sum, true
}

// peak returns the largest magnitude.
func peak(xs []float64) float64 {
	p := 0.0
	for _, x := range xs {
		p = max(p, math.Abs(x))
	}
	return p
}

// exactSum returns the sum of finite numbers, rounded once.
func exactSum(xs []float64) float64 {
	switch len(xs) {
	case 1:
		return xs[0]
	case 2:
		return xs[0] + xs[1]
	}
	const bits = 2200 // from the last bit of the smallest float64 to the first of a sum of very many of the largest
	sum := new(big.Float).SetPrec(bits)
	for _, x := range xs {
		sum.Add(sum, big.NewFloat(x))
	}
	v, _ := sum.Float64()
	return v
}

// decimalSum returns the sum of the shortest decimals that numbers are printed as.
func decimalSum(xs []float64) float64 {
	sum := new(big.Rat)
	for _, x := range xs {
		if term, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'e', -1, 64)); ok {
			sum.Add(sum, term)
		}
	}
	v, _ := sum.Float64()
	return v
}

// withoutOpposites returns xs without the pairs that add up to 0, in order of magnitude.
func withoutOpposites(xs []float64) []float64 {
	sorted := slices.Clone(xs)
	slices.SortFunc(sorted,
		func(a, b float64) int { return cmp.Or(cmp.Compare(math.Abs(a), math.Abs(b)), cmp.Compare(a, b)) })
	var left []float64
	for _, x := range sorted {
		if n := len(left); n > 0 && left[n-1] == -x {
			left = left[:n-1]
		} else {
			left = append(left, x)
		}
	}
	return left
}
