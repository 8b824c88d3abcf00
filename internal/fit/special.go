package fit

import (
	"math"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

// Quantity is the role of a coefficient with a unit. Its size is that of the unit, which owes nothing to circles and
// spheres, so it is special where it is a round number only.
const Quantity = formula.Exponent + 1

// Special values, per role: multiples of the spacings, simplest first. A phase is likely a
// fraction of a turn, a frequency a multiple of π, also for degrees, or a round number, a coefficient a
// fraction, and some have π from areas and from turns; an exponent is likely a half or a third of a whole number.
var specialSpacings = [...][]float64{
	formula.Coefficient: {1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 8, 1. / 10, math.Pi / 4, math.Pi / 3,
		1 / (4 * math.Pi)},
	formula.Frequency: {1, math.Pi, 1. / 2, math.Pi / 2, math.Pi / 3, math.Pi / 4, 1. / 10, math.Pi / 180},
	formula.Exponent:  {1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 10},
	Quantity:          {1, 1. / 2, 1. / 4, 1. / 5, 1. / 10},
	formula.Phase:     {math.Pi / 2, math.Pi / 4, math.Pi / 3, math.Pi / 6, 1. / 2, math.Pi / 8, math.Pi / 12},
}

// namedCoefficients are those that formulas of circles and spheres, of normal distributions and of columns have. They
// are no multiples of a spacing, or simpler than others that are: 4π/3 is more likely than 41/10. Times a power of ten
// they are none: 6266 ± 30 is not 2000π.
var namedCoefficients = []float64{
	math.Pi / 6, math.Pi / 4, math.Pi / 2, math.Pi, 4 * math.Pi / 3, 2 * math.Pi, 4 * math.Pi,
	1 / math.Pi, 1 / (2 * math.Pi), 1 / (4 * math.Pi), math.Pi * math.Pi, 4 * math.Pi * math.Pi,
	math.Sqrt2, 1 / math.Sqrt2, math.Sqrt(2 * math.Pi), 1 / math.Sqrt(2*math.Pi),
}

const (
	namedPerFold = 5 // twice as many as there are of them to a factor of e, since few laws have one

	snapWithin  = 3  // standard errors within which special values are looked for
	snapLargest = 40 // spacings; a multiple beyond is not simple
	onesSpread  = 4  // one is as near by chance as to a number anywhere below this
	// thirdsPerUnit is as many exponents as are as frequent as one of thirds, by which areas and volumes go with a size.
	thirdsPerUnit = 2
	// relativeError is the least error that a constant is taken to have, relative to its size:
	// without noise the standard error is that of the arithmetic.
	relativeError = 1e-9
)

// special returns the special value that v most likely is and the odds against it: how much likelier v is if the
// constant is anywhere. With ρ values as simple to a unit, and z standard errors between, that is
//
//	ρ·se·√(2π)·exp(z²/2)
//
// ok is false when there is no special value within three standard errors. A coefficient or a frequency below
// 0.01 or from 100 on may be one times a power of ten, which is what other units make of it.
func special(v, se float64, role formula.Role) (value, odds float64, ok bool) {
	const small, large = 0.01, 100
	size := math.Abs(v)
	if role == formula.Phase || size == 0 || math.IsInf(size, 0) || size >= small && size < large {
		value, odds, ok = simple(v, se, role)
		if role == formula.Coefficient {
			return namedOr(value, odds, ok, v, se)
		}
		return value, odds, ok
	}
	// A power of ten below 1 is not exact, so it is divided by its inverse.
	k := int(math.Floor(math.Log10(size)))
	if k > 0 {
		unit := math.Pow10(k)
		value, odds, ok = simple(v/unit, se/unit, role)
		return value * unit, odds, ok
	}
	unit := math.Pow10(-k)
	value, odds, ok = simple(v*unit, se*unit, role)
	return value / unit, odds, ok
}

// OddsAgainst returns the odds that a constant which stands as a special value has it by chance: how much likelier what
// was fitted is if the constant is anywhere. They are 1 for a constant that is not a special value or whose interval is
// not finite. Without noise they are some 1e-9, the error of the arithmetic.
func OddsAgainst(c evidence.Constant, role formula.Role) float64 {
	se := c.StandardError()
	if !(se >= 0) || math.IsInf(se, 0) {
		return 1
	}
	value, odds, ok := special(c.Value, se, role)
	if !ok || value != c.Snapped {
		return 1
	}
	return math.Min(1, odds)
}

// Saved returns by how much a criterion is too high that has the price of a free constant for one with a special value.
// Such a value costs what it takes to say that it stands there, and which it is, as far as the data would not show by
// chance. Without a cost of its own a second constant of 1 would be as good as none.
func Saved(c evidence.Constant, role formula.Role, price float64) float64 {
	const few = 4 // values that are as frequent as 1
	saved := math.Min(price, -2*math.Log(OddsAgainst(c, role)))
	if c.Snapped == 0 {
		z := c.Value / c.StandardError()
		saved = price - z*z
	}
	return math.Max(0, saved-2*math.Log(few))
}

// multiple returns k·spacing, of 1/10 and its like without the error of a fraction: 3/10 is 0.3.
func multiple(k, spacing float64) float64 {
	if parts := math.Round(1 / spacing); 1/parts == spacing {
		return k / parts
	}
	return k * spacing
}

// oddsAgainst returns the odds of [special] for a value z standard errors away, when density is the number of values as
// simple to a standard error; infinite beyond three.
func oddsAgainst(z, density float64) float64 {
	if !(math.Abs(z) <= snapWithin) {
		return math.Inf(1)
	}
	return density * math.Sqrt(2*math.Pi) * math.Exp(z*z/2)
}

// namedOr returns a special value, or a named coefficient that v more likely is.
func namedOr(value, odds float64, ok bool, v, se float64) (float64, float64, bool) {
	size := math.Abs(v)
	se = max(se, relativeError*size)
	for _, named := range namedCoefficients {
		named = math.Copysign(named, v)
		if o := oddsAgainst((named-v)/se, namedPerFold/size*se); o < odds {
			value, odds, ok = named, o, true
		}
	}
	return value, odds, ok
}

// simple is [special] without powers of ten and named coefficients.
func simple(v, se float64, role formula.Role) (value, odds float64, ok bool) {
	se = max(se, relativeError*math.Abs(v))
	odds = math.Inf(1)
	try := func(at, density float64) {
		if o := oddsAgainst((at-v)/se, density*se); o < odds {
			value, odds, ok = at, o, true
		}
	}
	if role != formula.Phase {
		try(math.Copysign(1, v), 1./onesSpread) // no other number is as frequent in laws
	}
	if role == formula.Frequency {
		try(math.Copysign(2*math.Pi, v), 1./onesSpread) // nor another frequency, but for one period to a unit
	}
	if half := math.Round(2*v) / 2; role == formula.Exponent && half != 0 {
		try(half, 1./onesSpread) // nor are other exponents as frequent as halves
	}
	if k := math.Round(3 * v); role == formula.Exponent && k != 0 {
		try(k/3, thirdsPerUnit)
	}
	density := 0.0
	for _, spacing := range specialSpacings[role] {
		density += 1 / spacing
		if k := math.Round(v / spacing); k != 0 && math.Abs(k) <= snapLargest { // see [expression.drop] for zero
			try(multiple(k, spacing), density)
		}
	}
	if role == formula.Frequency {
		// A whole period: near v there are 2π/v² of them to a unit of frequency.
		if period := math.Round(2 * math.Pi / v); period != 0 && math.Abs(period) <= snapLargest {
			try(2*math.Pi/period, density+2*math.Pi/(v*v))
		}
	}
	return value, odds, ok
}
