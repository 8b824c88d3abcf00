package formula

import "math"

// special is a fraction of a unit.
type special struct {
	num, den int // den ≥ 1
	of       specialUnit
}

// specialUnit is what special values are fractions of, with how it is written: above and below the line, nil for 1.
type specialUnit struct {
	value      float64
	above      Expr
	below      Expr
	numerators float64 // at most
}

// pi is the unit of angles.
var pi = specialUnit{value: math.Pi, above: variable(piName), numerators: 1000}

// specialUnits are 1, π and its inverse, its square, the roots of 2 and 2π, and the inverse of the last.
var specialUnits = []specialUnit{
	{value: 1, numerators: 1000},
	pi,
	{value: 1 / math.Pi, below: variable(piName), numerators: 1000},
	{value: math.Pi * math.Pi, above: Pow(variable(piName), number(2)), numerators: 40},
	{value: math.Sqrt2, above: Call(Sqrt, number(2)), numerators: 40},
	{value: math.Sqrt(2 * math.Pi), above: Call(Sqrt, Mul(number(2), variable(piName))), numerators: 40},
	{value: 1 / math.Sqrt(2*math.Pi), below: Call(Sqrt, Mul(number(2), variable(piName))), numerators: 40},
}

// specialOf returns the special value that v is to the last bit or two, and ok = false for all others: multiples of the
// units with a small denominator, π/180 and 2π over a whole period, and fractions that no short decimal is. A constant
// is one of them when somebody has put it there, so it is written as a person would.
func specialOf(v float64) (s special, ok bool) {
	const (
		degrees = 180
		period  = 40
	)
	for den := 1; den <= 12; den++ {
		for _, of := range specialUnits {
			num, ok := of.numerator(v, den)
			if !ok {
				continue
			}
			if of.value == 1 && (10000%den == 0) {
				return special{}, false // a whole number or a short decimal
			}
			return special{num, den, of}, true
		}
	}
	for den := 13; den <= period; den++ {
		if num, ok := pi.numerator(v, den); ok && num >= -2 && num <= 2 {
			return special{num, den, pi}, true
		}
	}
	num, ok := pi.numerator(v, degrees)
	return special{num, degrees, pi}, ok
}

// numerator returns the whole number n ≠ 0 for which v is n/den of the unit.
func (u specialUnit) numerator(v float64, den int) (n int, ok bool) {
	unit := u.value / float64(den)
	num := math.Round(v / unit)
	ok = num != 0 && math.Abs(num) <= u.numerators && math.Abs(v-num*unit) <= 4e-16*math.Abs(v)
	return int(num), ok
}

// parts returns the numerator and the denominator as expressions: whole numbers, π and roots.
func (s special) parts() (num, den Expr) {
	num, den = number(s.num), number(s.den)
	if s.of.above != nil {
		num = Mul(num, s.of.above)
	}
	if s.of.below != nil {
		den = Mul(den, s.of.below)
	}
	return num, den
}

// piName stands for π while an expression is printed.
const piName = hiddenMark + "pi"

// forReading rounds the constants of e to the given number of digits, and writes those that are
// special as fractions and multiples of π, and exponentials of logarithms as powers.
func forReading(e Expr, digits int) Expr {
	return belowOne(mapFitted(asPowers(e), func(v float64) Expr {
		if s, ok := specialOf(v); ok {
			num, den := s.parts()
			return Div(num, den)
		}
		return Const(roundNumber(v, digits))
	}))
}
