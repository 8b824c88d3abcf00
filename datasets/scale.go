package datasets

import (
	"math"
	"slices"
	"strconv"
)

const (
	farFromZero = 3.5   // a column is shifted when |mean| is that many spreads; one from 1 to 2 has 3
	smallest    = 0.125 // the range of max |x − shift| that is left as it is:
	largest     = 4     // all columns of the built-in problems are in it
	rounding    = 1e-14 // a column that varies less than that, relatively, is constant
	aDate       = 30    // a column is counted from elsewhere than zero when |mean| is that many spreads
)

// Origin proposes the number that a column of finite numbers is counted from, as dates and absolute
// pressures are, in a formula that people read: with (t - 2000) in it the constants are of the size of
// what they do, with t alone they cancel each other to many digits. It is 0 unless |mean| is at least
// thirty times the spread; then it is the roundest number in the range, of several the one nearest the
// middle.
func Origin(col []float64) float64 {
	if len(col) == 0 {
		return 0
	}
	mean := meanOf(col)
	spread := maxDistance(col, mean)
	if spread <= rounding*math.Abs(mean) || math.Abs(mean) < aDate*spread {
		return 0
	}
	low, high := slices.Min(col), slices.Max(col)
	for digits := 1; digits < 17; digits++ {
		if origin := significant(mean, digits); origin >= low && origin <= high {
			return origin
		}
	}
	return mean
}

// AutoScale proposes a scale for a column of finite numbers, to learn from
//
//	scaled = (x − shift)/factor
//
// The factor is the power of two that brings max |x − shift| into [1, 2), so that scaling
// does not round; it is 1 when that is in [1/8, 4) as it is. With
// spread = max |x − mean|, the shift is 0 unless |mean| > 3.5·spread; it is then the mean
// rounded to the leading digit of the spread, so that it prints short. A column that is
// constant, up to rounding, has shift 0 and factor 1.
func AutoScale(col []float64) (shift, factor float64) {
	if len(col) == 0 {
		return 0, 1
	}
	mean := meanOf(col)
	spread := maxDistance(col, mean)
	if spread <= rounding*math.Abs(mean) {
		return 0, 1
	}
	if math.Abs(mean) > farFromZero*spread {
		shift = roundTo(mean, spread)
	}
	return shift, factorFor(maxDistance(col, shift))
}

// AutoFactor proposes the factor of a scale without a shift, as [AutoScale] does where none is needed. It is for
// columns whose zero means something, however far away it is.
func AutoFactor(col []float64) float64 {
	reach := maxDistance(col, 0)
	if reach == 0 {
		return 1
	}
	return factorFor(reach)
}

// factorFor is the factor for columns that reach so far from the shift.
func factorFor(reach float64) float64 {
	if reach >= smallest && reach < largest {
		return 1
	}
	_, exp := math.Frexp(reach) // reach = f·2^exp with f in [½, 1)
	return math.Ldexp(1, exp-1)
}

// meanOf returns the mean of col. It is taken of col/2^exp, which is within [−1, 1], so
// that nothing overflows or vanishes.
func meanOf(col []float64) float64 {
	_, exp := math.Frexp(maxDistance(col, 0))
	mean := 0.0
	for _, v := range col {
		mean += math.Ldexp(v, -exp)
	}
	return math.Ldexp(mean/float64(len(col)), exp)
}

// maxDistance returns max |x − from|.
func maxDistance(col []float64, from float64) float64 {
	d := 0.0
	for _, v := range col {
		d = max(d, math.Abs(v-from))
	}
	return d
}

// roundTo rounds v to the leading decimal digit of unit, |unit| < |v|.
func roundTo(v, unit float64) float64 {
	digits := 1
	if unit > 0 {
		digits += int(math.Floor(math.Log10(math.Abs(v))) - math.Floor(math.Log10(unit)))
	}
	return significant(v, min(max(digits, 1), 17))
}

// significant rounds v to a number of significant decimal digits.
func significant(v float64, digits int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	if err != nil { // rounded up beyond float64
		return v
	}
	return rounded
}
