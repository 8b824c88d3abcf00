package search

import "math"

// Coefficients of log (1+f) = f − f²/2 + s·(f²/2 + R), s = f/(2+f) (fdlibm).
const (
	log1 = 6.666666666666735130e-01
	log2 = 3.999999999940941908e-01
	log3 = 2.857142874366239149e-01
	log4 = 2.222219843214978396e-01
	log5 = 1.818357216161805012e-01
	log6 = 1.531383769920937332e-01
	log7 = 1.479819860511658591e-01
)

// logarithms replaces positive normal numbers by their logarithms, in a loop without calls.
func logarithms(o []float64) {
	const sqrtHalf = 0x3fe6a09e667f3bcd // bits of √½: the mantissa lies between it and √2
	for r, x := range o {
		b := math.Float64bits(x)
		e := int64(b-sqrtHalf) >> 52
		f := math.Float64frombits(b-uint64(e)<<52) - 1
		s := f / (2 + f)
		s2 := s * s
		s4 := s2 * s2
		t := s2*(log1+s4*(log3+s4*(log5+s4*log7))) + s4*(log2+s4*(log4+s4*log6))
		h := 0.5 * f * f
		o[r] = float64(e)*math.Ln2 - (h - s*(h+t)) + f
	}
}
