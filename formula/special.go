package formula

import "math"

// special is a fraction of π, or of one.
type special struct {
	num, den int // num/den·π, or num/den; den ≥ 1
	pi       bool
}

// specialOf returns the special value that v is to the last bit or two, and ok = false for all others:
// multiples of π with a small denominator, π/180 and 2π over a whole period, and fractions that no short
// decimal is. A constant is one of them when somebody has put it there, so it is written as a person would.
func specialOf(v float64) (s special, ok bool) {
	const (
		largest = 1000
		degrees = 180
		period  = 40
	)
	for den := 1; den <= 12; den++ {
		for _, pi := range []bool{false, true} {
			num, ok := numerator(v, den, pi, largest)
			if !ok {
				continue
			}
			if !pi && (10000%den == 0) {
				return special{}, false // a whole number or a short decimal
			}
			return special{num, den, pi}, true
		}
	}
	for den := 13; den <= period; den++ {
		if num, ok := numerator(v, den, true, 2); ok {
			return special{num, den, true}, true
		}
	}
	num, ok := numerator(v, degrees, true, largest)
	return special{num, degrees, true}, ok
}

// numerator returns the whole number n ≠ 0 for which v is n/den, or n/den·π, and |n| is at most largest.
func numerator(v float64, den int, pi bool, largest float64) (n int, ok bool) {
	unit := 1 / float64(den)
	if pi {
		unit = math.Pi / float64(den)
	}
	num := math.Round(v / unit)
	ok = num != 0 && math.Abs(num) <= largest && math.Abs(v-num*unit) <= 4e-16*math.Abs(v)
	return int(num), ok
}

// parts returns the numerator and the denominator as expressions: whole numbers and π.
func (s special) parts() (num, den Expr) {
	num, den = number(s.num), number(s.den)
	if s.pi {
		num = Mul(num, variable(piName))
	}
	return num, den
}

// piName stands for π while an expression is printed.
const piName = hiddenMark + "pi"

// forReading rounds the constants of e to the given number of digits, and writes those that are
// special as fractions and multiples of π.
func forReading(e Expr, digits int) Expr {
	return mapFitted(e, func(v float64) Expr {
		if s, ok := specialOf(v); ok {
			num, den := s.parts()
			return Div(num, den)
		}
		return Const(roundNumber(v, digits))
	})
}
