package formula

import "math"

// enclosure is what a function does to spans.
type enclosure struct {
	value func(x span) span
	slope func(x, y span) span   // f'(x) where f(x) = y
	edge  func(x Expr) condition // what x must keep for f(x) to have a value; nil when nothing
}

// enclosures has a row for each function of [Funcs]. Errors of the functions of package math are below two units in
// the last place.
var enclosures = [...]enclosure{
	Sin: {
		value: func(x span) span { return periodic(x, math.Sin, math.Pi/2) },
		slope: func(x, _ span) span { return periodic(x, math.Cos, 0) },
	},
	Cos: {
		value: func(x span) span { return periodic(x, math.Cos, 0) },
		slope: func(x, _ span) span { return periodic(x, math.Sin, math.Pi/2).negative() },
	},
	Tan: {
		value: tangent,
		slope: func(_, y span) span { return exactly(1).add(y.square()) },
		edge:  func(x Expr) condition { return condition{kind: PoleEdge, critical: newCall(Cos, x), must: notZero} },
	},
	Exp: {
		value: func(x span) span { return rising(x, exponential, 0, math.Inf(1)) },
		slope: func(_, y span) span { return y },
	},
	Log: {
		value: func(x span) span {
			if x.lo <= 0 {
				x.mark |= cut
			}
			if x.hi <= 0 {
				return nowhere(x.mark)
			}
			return rising(x.clamp(0, x.hi), math.Log, math.Inf(-1), math.Inf(1))
		},
		slope: func(x, _ span) span { return exactly(1).div(x.clamp(0, math.Inf(1))) },
		edge:  func(x Expr) condition { return condition{kind: LogEdge, critical: x, must: positive} },
	},
	Sqrt: {
		value: func(x span) span {
			if x.lo < 0 {
				x.mark |= cut
			}
			return rising(x.clamp(0, x.hi), math.Sqrt, 0, math.Inf(1))
		},
		slope: func(_, y span) span { return exactly(0.5).div(y) },
		edge:  func(x Expr) condition { return condition{kind: RootEdge, critical: x, must: notNegative} },
	},
	Sigmoid: {
		value: func(x span) span { return rising(x, sigmoid, 0, 1) },
		slope: func(_, y span) span { return y.mul(exactly(1).sub(y)).clamp(0, 0.25) },
	},
	Tanh: {
		value: func(x span) span { return rising(x, math.Tanh, -1, 1) },
		slope: func(_, y span) span { return exactly(1).sub(y.square()) },
	},
}

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
