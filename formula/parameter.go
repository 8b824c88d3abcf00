package formula

import "math"

// A Parameter is a named constant of a form that is to be fitted: a variable of its expression that is not an input.
type Parameter struct {
	Name      string
	Start     float64 // where the fit begins; NaN where that is looked for
	Low, High float64 // bounds, infinite where there are none
	Integer   bool    // the constant is a whole number
}

// Fix holds the constant at a value.
func (p *Parameter) Fix(value float64) { p.Start, p.Low, p.High = value, value, value }

// Fixed reports whether the constant is held at one value.
func (p Parameter) Fixed() bool { return p.Low == p.High }

// HoldsWhole reports whether a whole number is within the bounds.
func (p Parameter) HoldsWhole() bool { return math.Ceil(p.Low) <= math.Floor(p.High) }
