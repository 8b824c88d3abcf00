package formula

import (
	"math"
	"slices"
)

// normalCall is f(args) for arguments in normal form.
func normalCall(f Func, args []Expr) Expr {
	if info := f.info(); info.pick != 0 {
		return normalPick(f, info.pick, args[0], args[1])
	}
	return normalUnary(f, args[0])
}

// normalUnary is f(arg).
func normalUnary(f Func, arg Expr) Expr {
	info := f.info()
	if v, ok := arg.(number); ok {
		if y := info.value(float64(v)); usable(y) {
			return number(y)
		}
		return Call(f, arg)
	}
	if c, ok := arg.(*call); ok && info.undoes != nil && info.undoes(c.f) {
		return c.args[0]
	}
	if info.parity != asymmetric && leadingSign(arg) < 0 {
		if info.parity == even {
			return normalUnary(f, negate(arg))
		}
		return negate(normalUnary(f, negate(arg)))
	}
	switch f {
	case Sin, Cos, Tan:
		return normalPeriodic(f, arg)
	case Abs:
		return normalAbs(arg)
	case Sqrt:
		if p, ok := arg.(*power); ok && p.exp == number(2) { // sqrt(x^2) = |x|
			return normalUnary(Abs, p.base)
		}
		c, rest := splitTerm(arg)
		// sqrt(4*x) = 2*sqrt(x), but sqrt(2*x) stays
		if root := math.Sqrt(c); c > 0 && c != 1 && float64(float32(root)) == root {
			return scale(root, normalUnary(Sqrt, rest))
		}
	case Log:
		if c, rest := splitTerm(arg); c > 0 && c != 1 && rest != number(1) { // log(c*x) = log(c) + log(x)
			return normalSum([]Expr{number(math.Log(c)), normalUnary(Log, rest)})
		}
	}
	return Call(f, arg)
}

// normalAbs is |arg|: positive factors stand before it.
func normalAbs(arg Expr) Expr {
	var out, in []Expr
	factors := []Expr{arg}
	if p, ok := arg.(*product); ok {
		factors = p.factors
	}
	for _, f := range factors {
		switch v, ok := f.(number); {
		case ok:
			out = append(out, number(math.Abs(float64(v))))
		case notNegativeEverywhere(f):
			out = append(out, f)
		default:
			in = append(in, f)
		}
	}
	switch {
	case len(in) == 0:
		return normalProduct(out)
	case len(out) == 0:
		return Call(Abs, arg)
	}
	return normalProduct(append(out, normalAbs(normalProduct(in))))
}

// notNegativeEverywhere reports whether e has no negative values by its form.
func notNegativeEverywhere(e Expr) bool {
	switch e := e.(type) {
	case number:
		return e >= 0
	case *power:
		n, ok := wholeNumber(e.exp)
		return ok && n%2 == 0 || notNegativeEverywhere(e.base)
	case *call:
		return e.f == Sqrt || e.f == Abs || e.f.info().positive
	case *sum:
		return !slices.ContainsFunc(e.terms, func(x Expr) bool { return !notNegativeEverywhere(x) })
	case *product:
		return !slices.ContainsFunc(e.factors, func(x Expr) bool { return !notNegativeEverywhere(x) })
	}
	return false
}

// pickedWhole takes the rest of a sum into the larger or smaller of two that it has as a term: 1 + max(x - 1, 0) is
// max(x, 1).
func pickedWhole(e Expr) Expr {
	s, ok := e.(*sum)
	if !ok {
		return e
	}
	best := e
	for i, t := range s.terms {
		a, fs := coefficient(t)
		if len(fs) != 1 {
			continue
		}
		c, ok := fs[0].(*call)
		if !ok || c.f.info().pick == 0 {
			continue
		}
		rest := slices.Delete(slices.Clone(s.terms), i, i+1)
		of := func(x Expr) Expr { return normalSum(append(slices.Clone(rest), scale(a, x))) }
		f, pick := c.f, c.f.info().pick
		if a < 0 {
			f, pick = Min+Max-f, -pick
		}
		best = shorter(best, normalPick(f, pick, of(c.args[0]), of(c.args[1])))
	}
	return best
}

// normalPick is the larger (pick 1) or smaller (−1) of a and b, in one order and without leading minus signs on both.
func normalPick(f Func, pick float64, a, b Expr) Expr {
	x, isNumberX := a.(number)
	y, isNumberY := b.(number)
	switch {
	case isNumberX && isNumberY:
		return number(picked(pick, float64(x), float64(y)))
	case Equal(a, b):
		return a
	case leadingSign(a) < 0 && (leadingSign(b) < 0 || b == number(0)), leadingSign(b) < 0 && a == number(0):
		return negate(normalPick(Min+Max-f, -pick, negate(a), negate(b)))
	case compareTerms(a, b) > 0:
		a, b = b, a
	}
	return Call(f, a, b)
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
