package fit

import (
	"errors"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// Refit fits the constants of a formula to the data, from those that it has, and leaves its form as it is. held says
// which constants, in the order of [formula.Constants], stay what they are; nil is none. It returns the constants in
// the same order, and how sure they are. inputs are the names of the columns d.X.
func Refit(e formula.Expr, inputs []string, d Data, held []bool) ([]float64, *Confidence, error) {
	x, p, err := newExpression(e, inputs, d)
	if err != nil {
		return nil, nil, err
	}
	if held != nil {
		x.fixed = ofConstants(x, held)
	}
	if math.IsInf(x.SSE(p), 0) {
		return nil, nil, errors.New("the formula has no finite value on some of the rows")
	}
	p = x.exactly(Levenberg(x, p, refitSteps, refitTol))
	c, err := x.confidence(p)
	return ofFormula(x, p), c, err
}

// A fit from constants that may be far from those of the data.
const (
	refitSteps = 500
	refitTol   = 1e-14
)

// exactly takes Gauss–Newton steps from the end of a fit, where the SSE is too flat to tell constants apart and the
// gradient is not, for as long as each step is clearly shorter than the one before.
func (x *expression) exactly(p []float64, eq Normal) []float64 {
	const most, shorter, rounding = 200, 0.95, 1e-10
	length := math.Inf(1)
	for range most {
		c, ok := x.covariance(p, eq)
		if !ok {
			return p
		}
		step, size := c.step(eq)
		if !(size < shorter*length) {
			return p
		}
		next := slices.Clone(p)
		for k, i := range c.of {
			next[i] += step[k]
		}
		after := x.Normal(next)
		if !(after.SSE <= eq.SSE*(1+rounding)) {
			return p
		}
		p, eq, length = next, after, size
	}
	return p
}

// step returns the Gauss–Newton step −(JᵀJ)⁻¹Jᵀr of the constants in c, and its length in constants times scales.
func (c *covariance) step(eq Normal) (step []float64, length float64) {
	step = make([]float64, len(c.of))
	for k := range c.of {
		for l, j := range c.of {
			step[k] -= c.inverse.At(k, l) * eq.JTR[j] / c.scale[l]
		}
		length += step[k] * step[k]
		step[k] /= c.scale[k]
	}
	return step, math.Sqrt(length)
}
