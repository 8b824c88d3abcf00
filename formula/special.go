package formula

import "math"

// special is a fraction, of π or of 1/π or of one.
type special struct {
	num, den int     // num/den·of; den ≥ 1
	of       float64 // 1, π or 1/π
}

// specialOf returns the special value that v is to the last bit or two, and ok = false for all others:
// multiples of π and of 1/π with a small denominator, π/180 and 2π over a whole period, and fractions that no short
// decimal is. A constant is one of them when somebody has put it there, so it is written as a person would.
func specialOf(v float64) (s special, ok bool) {
	const (
		largest = 1000
		degrees = 180
		period  = 40
	)
	for den := 1; den <= 12; den++ {
		for _, of := range []float64{1, math.Pi, 1 / math.Pi} {
			num, ok := numerator(v, den, of, largest)
			if !ok {
				continue
			}
			if of == 1 && (10000%den == 0) {
				return special{}, false // a whole number or a short decimal
			}
			return special{num, den, of}, true
		}
	}
	for den := 13; den <= period; den++ {
		if num, ok := numerator(v, den, math.Pi, 2); ok {
			return special{num, den, math.Pi}, true
		}
	}
	num, ok := numerator(v, degrees, math.Pi, largest)
	return special{num, degrees, math.Pi}, ok
}

// numerator returns the whole number n ≠ 0 for which v is n/den of something, and |n| is at most largest.
func numerator(v float64, den int, of, largest float64) (n int, ok bool) {
	unit := of / float64(den)
	num := math.Round(v / unit)
	ok = num != 0 && math.Abs(num) <= largest && math.Abs(v-num*unit) <= 4e-16*math.Abs(v)
	return int(num), ok
}

// parts returns the numerator and the denominator as expressions: whole numbers and π.
func (s special) parts() (num, den Expr) {
	num, den = number(s.num), number(s.den)
	switch s.of {
	case math.Pi:
		num = Mul(num, variable(piName))
	case 1 / math.Pi:
		den = Mul(den, variable(piName))
	}
	return num, den
}

// piName stands for π while an expression is printed.
const piName = hiddenMark + "pi"

// forReading rounds the constants of e to the given number of digits, and writes those that are
// special as fractions and multiples of π, and exponentials of logarithms as powers.
func forReading(e Expr, digits int) Expr {
	return mapFitted(asPowers(e), func(v float64) Expr {
		if s, ok := specialOf(v); ok {
			num, den := s.parts()
			return Div(num, den)
		}
		return Const(roundNumber(v, digits))
	})
}
