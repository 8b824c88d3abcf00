package formula

import "math"

// exponential is exp(x), infinite from where math.Exp is so on some processor: 1023.5·ln 2 on amd64, though the
// largest number is the exponential of 709.78.
func exponential(x float64) float64 {
	const most = 709.43
	if x > most {
		return math.Inf(1)
	}
	return math.Exp(x)
}

// rising is f(x) for a function that never falls and stays from lo to hi.
func rising(x span, f func(float64) float64, lo, hi float64) span {
	if x.empty() {
		return x
	}
	return span{f(x.lo), f(x.hi), x.mark}.loosened(6).clamp(lo, hi)
}

// periodic is the sine or cosine f(x), which is 1 at top.
func periodic(x span, f func(float64) float64, top float64) span {
	switch {
	case x.empty():
		return x
	case x.infinite():
		return span{-1, 1, x.mark | lost}
	}
	r := exactly(f(x.lo)).hull(exactly(f(x.hi))).loosened(4).clamp(-1, 1)
	if meets(x, top, 2*math.Pi) {
		r.hi = 1
	}
	if meets(x, top+math.Pi, 2*math.Pi) {
		r.lo = -1
	}
	return r.with(x.mark)
}

// tangent is tan(x).
func tangent(x span) span {
	switch {
	case x.empty():
		return x
	case x.infinite():
		return whole.with(x.mark | lost)
	case x.lo < x.hi && meets(x, math.Pi/2, math.Pi): // no floating-point number is at a pole
		return whole.with(x.mark | cut)
	}
	return span{math.Tan(x.lo), math.Tan(x.hi), x.mark}.loosened(4)
}

// meets reports whether x comes, within rounding, to phase plus a multiple of the period.
func meets(x span, phase, period float64) bool {
	slack := 1e-15 * (1 + x.magnitude())
	lo, hi := x.lo-slack, x.hi+slack
	return !(phase+period*math.Ceil((lo-phase)/period) > hi)
}

// quarterTurn is an upper bound of π/2 and of what the inverse functions give for it.
const quarterTurn = math.Pi/2 + 0x1p-52

// logarithm is log(x).
func logarithm(x span) span {
	if x.lo <= 0 {
		x.mark |= cut
	}
	if x.hi <= 0 {
		return nowhere(x.mark)
	}
	return rising(x.clamp(0, x.hi), math.Log, math.Inf(-1), math.Inf(1))
}

// withinOne is the part of x that is the sine of an angle.
func (a span) withinOne() span {
	if a.lo < -1 || a.hi > 1 {
		a.mark |= cut
	}
	return a.clamp(-1, 1)
}

// steepness is 1/√(1-x²).
func steepness(x span) span {
	x = x.withinOne()
	root := exactly(1).sub(x.square()).clamp(0, 1)
	return exactly(1).div(rising(root, math.Sqrt, 0, 1))
}

// hyperbolicSine is sinh(x), infinite from where [exponential] is so.
func hyperbolicSine(x float64) float64 {
	if e := exponential(math.Abs(x)); math.IsInf(e, 0) {
		return math.Copysign(e, x)
	}
	return math.Sinh(x)
}

// hyperbolicCosine is cosh(x).
func hyperbolicCosine(x span) span {
	return rising(x.magnitudes(), func(x float64) float64 {
		if e := exponential(x); math.IsInf(e, 0) {
			return e
		}
		return math.Cosh(x)
	}, 1, math.Inf(1))
}

// magnitudes is |x|.
func (a span) magnitudes() span { return a.larger(a.negative()).clamp(0, math.Inf(1)) }

// larger is the larger of a and b.
func (a span) larger(b span) span {
	m := a.mark | b.mark
	if a.empty() || b.empty() {
		return nowhere(m)
	}
	return span{max(a.lo, b.lo), max(a.hi, b.hi), m}
}

// picked is the larger or the smaller of a and b.
func (a span) picked(pick float64, b span) span {
	if pick > 0 {
		return a.larger(b)
	}
	return a.negative().larger(b.negative()).negative()
}

// shareIn is the derivative of the larger or smaller of a and b with respect to a.
func (a span) shareIn(pick float64, b span) span {
	d := a.sub(b)
	if pick < 0 {
		d = d.negative()
	}
	return span{share(1, d.lo, 0), share(1, d.hi, 0), d.mark}
}
