package formula

import "math"

// normalCall is f(arg) for an argument in normal form.
func normalCall(f Func, arg Expr) Expr {
	if v, ok := arg.(number); ok {
		if y := f.Value(float64(v)); usable(y) {
			return number(y)
		}
		return Call(f, arg)
	}
	switch f {
	case Sin, Cos, Tan:
		return normalPeriodic(f, arg)
	case Tanh:
		if leadingSign(arg) < 0 {
			return negate(Call(f, negate(arg)))
		}
	case Sqrt:
		c, rest := splitTerm(arg)
		if root := math.Sqrt(c); c > 0 && c != 1 && float64(float32(root)) == root { // sqrt(4*x) = 2*sqrt(x), but sqrt(2*x) stays
			return scale(root, normalCall(Sqrt, rest))
		}
	case Log:
		if c, ok := arg.(*call); ok && c.f == Exp {
			return c.arg
		}
		if c, rest := splitTerm(arg); c > 0 && c != 1 && rest != number(1) { // log(c*x) = log(c) + log(x)
			return normalSum([]Expr{number(math.Log(c)), normalCall(Log, rest)})
		}
	}
	return Call(f, arg)
}

// phaseTolerance is how near a phase must be to a multiple of π/2 to be taken for it.
const phaseTolerance = 1e-12

// normalPeriodic writes f(A + c) with a positive leading coefficient in A and the phase c in
// (-π/2, π/2]; a phase of π/2 turns sine into cosine and cosine into -sine.
func normalPeriodic(f Func, arg Expr) Expr {
	a, c := splitPhase(arg)
	sign := 1.0
	if leadingSign(a) < 0 {
		a, c = negate(a), -c
		if f != Cos {
			sign = -1
		}
	}
	if turned, half := reducePhase(c); turned != c {
		c = turned
		if half && f != Tan {
			sign = -sign
		}
	}
	switch {
	case f == Tan:
	case math.Abs(c-math.Pi/2) < phaseTolerance: // sin(A+π/2) = cos A, cos(A+π/2) = -sin A
		if f == Cos {
			sign = -sign
		}
		f, c = Sin+Cos-f, 0
	case math.Abs(c+math.Pi/2) < phaseTolerance: // sin(A-π/2) = -cos A, cos(A-π/2) = sin A
		if f == Sin {
			sign = -sign
		}
		f, c = Sin+Cos-f, 0
	}
	return scale(sign, Call(f, withPhase(a, c)))
}

// splitPhase splits the constant off a sum.
func splitPhase(arg Expr) (Expr, float64) {
	s, ok := arg.(*sum)
	if !ok {
		return arg, 0
	}
	for i, t := range s.terms {
		if c, ok := t.(number); ok {
			rest := append(append([]Expr{}, s.terms[:i]...), s.terms[i+1:]...)
			return orderedSum(rest), float64(c)
		}
	}
	return arg, 0
}

func withPhase(a Expr, c float64) Expr {
	if c == 0 {
		return a
	}
	return normalSum([]Expr{a, number(c)})
}

// reducePhase brings c into (-π/2, π/2] by half turns and reports whether their number is odd.
// The phase is taken from sine and cosine, which know π to more digits than a float64.
func reducePhase(c float64) (float64, bool) {
	if -math.Pi/2 < c && c <= math.Pi/2 {
		return c, false
	}
	sin, cos := math.Sincos(c)
	phase, half := math.Atan2(sin, cos), cos < 0
	switch {
	case half && phase > 0:
		phase -= math.Pi
	case half:
		phase += math.Pi
	}
	if math.Abs(phase) < phaseTolerance {
		phase = 0
	}
	return phase, half
}
