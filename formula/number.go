package formula

import (
	"math"
	"strconv"
	"strings"
)

// formatNumber returns the shortest digits that read back as v, in the notation a person
// would choose: 0.001, 1234567, 1e6, 1.5e-7.
func formatNumber(v float64) string {
	plain := strconv.FormatFloat(v, 'f', -1, 64)
	if a := math.Abs(v); a == 0 || 1e-4 <= a && a < 1e6 {
		return plain
	}
	s := strconv.FormatFloat(v, 'e', -1, 64)
	mantissa, exp, _ := strings.Cut(s, "e")
	sign := strings.TrimLeft(exp[:1], "+")
	s = mantissa + "e" + sign + strings.TrimLeft(exp[1:], "0")
	if len(plain) <= len(s) {
		return plain
	}
	return s
}

// floatLiteral is formatNumber with a decimal point or an exponent, for languages in which
// 1/2 is a division of integers.
func floatLiteral(v float64) string {
	s := formatNumber(v)
	if strings.ContainsAny(s, ".e") {
		return s
	}
	return s + ".0"
}

// pythonLiteral is formatNumber, with a decimal point where Python would not compute with the whole number as with
// a float64: it has no negative zero, and NumPy has no integers of any size.
func pythonLiteral(v float64) string {
	const exact = 1 << 53
	if v == 0 && math.Signbit(v) || math.Abs(v) > exact {
		return floatLiteral(v)
	}
	return formatNumber(v)
}

// goLiteral is floatLiteral; constants of Go have no negative zero.
func goLiteral(v float64) string {
	if v == 0 && math.Signbit(v) {
		return "math.Copysign(0, -1)"
	}
	return floatLiteral(v)
}

// roundNumber rounds v to the given number of significant digits, half to even in decimal;
// 0 digits or fewer keep all. A number that would round to infinity stays.
func roundNumber(v float64, digits int) float64 {
	if digits <= 0 {
		return v
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	if err != nil || math.IsInf(r, 0) {
		return v
	}
	return r
}

// wholeNumber returns e as an int when it is a whole number below a million in magnitude.
func wholeNumber(e Expr) (int, bool) {
	v, ok := e.(number)
	if !ok || math.Abs(float64(v)) >= 1e6 || float64(v) != math.Trunc(float64(v)) {
		return 0, false
	}
	return int(v), true
}
