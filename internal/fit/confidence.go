package fit

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

// Confidence says how sure the values of a fitted formula are, at any inputs. With the Jacobian J of the formula on
// the rows that it was fitted to, in its free constants, the residual spread s and the gradient g at the inputs, the
// standard error of the curve is s·√(gᵀ(JᵀJ)⁻¹g). Student's t has n − p degrees of freedom: the rows less the
// constants that the rows determine. The noise is taken to be independent, and of a size that root weights divide.
// Where the size is known, and χ² of the residuals is within its 99 % quantile, it takes the place of s, and the normal
// distribution that of Student's.
type Confidence struct {
	Rows  int
	Free  int     // constants that were fitted
	Open  int     // directions among these in which no prediction on the rows changes
	Noise float64 // residual spread s, over the degrees of freedom; or what is known of it
	Known bool    // whether Noise is the standard deviation that was given with the rows, which the residuals allow

	x     *expression
	p     []float64
	cov   covariance
	known bool // whether there is a covariance
}

// NewConfidence returns the confidence of a formula at the constants that it has. held says which of these, in
// the order of [formula.Constants], were chosen and not fitted; nil is none. It is an error when the formula has no
// value on some row, or when there are not more rows than free constants.
func NewConfidence(e formula.Expr, inputs []string, d Data, held []bool) (*Confidence, error) {
	x, p, err := newExpression(e, inputs, d)
	if err != nil {
		return nil, err
	}
	if held != nil {
		if len(held) != len(x.places) {
			return nil, fmt.Errorf("%d constants with %d marks of which are held (give one each)", len(x.places), len(held))
		}
		x.fixed = ofConstants(x, held)
	}
	return x.confidence(p)
}

// confidence returns the confidence at the constants p.
func (x *expression) confidence(p []float64) (*Confidence, error) {
	c := &Confidence{Rows: x.data.Rows(), Free: x.free(), x: x, p: p}
	eq := x.Normal(p)
	if math.IsInf(eq.SSE, 0) {
		return nil, errors.New("the formula has no finite value on some of the rows that it was fitted to")
	}
	if c.Free > 0 {
		if c.cov, c.known = x.covariance(p, eq); !c.known {
			return nil, errors.New("the derivatives of the formula are not finite on some of the rows that it was fitted to")
		}
		c.Open = len(c.cov.null)
	}
	if c.DegreesOfFreedom() < 1 {
		return nil, fmt.Errorf("%d rows and %d fitted constants leave no degree of freedom to tell the noise by (add rows)",
			c.Rows, c.Free-c.Open)
	}
	c.Noise, c.Known = x.data.noise(eq.SSE, c.Free-c.Open)
	return c, nil
}

// DegreesOfFreedom are the rows less the constants that these determine.
func (c *Confidence) DegreesOfFreedom() int { return c.Rows - (c.Free - c.Open) }

// Quantile returns half the width of the central interval of a probability, in standard errors.
func (c *Confidence) Quantile(probability float64) float64 {
	if c.Known {
		return distuv.UnitNormal.Quantile(0.5 + probability/2)
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(c.DegreesOfFreedom())}
	return t.Quantile(0.5 + probability/2)
}

// At returns the values of the formula and the standard errors of the curve for columns of inputs. An error is
// infinite where the value hangs on constants that the data leave open, and NaN where the formula has no value.
func (c *Confidence) At(cols [][]float64, rows int) (value, standardError []float64) {
	at := *c.x
	at.data = Data{X: cols, Y: make([]float64, rows)} // targets of 0, so that residuals are the values
	at.columns = append([][]float64(nil), c.x.columns...)
	at.jacobian(c.p, func(res []float64, jac blas64.General) {
		for r, v := range res {
			value = append(value, v)
			standardError = append(standardError, c.standardError(v, jac, r))
		}
	})
	return value, standardError
}

// standardError returns the standard error of the curve in a row of a block, where it has a value.
func (c *Confidence) standardError(value float64, jac blas64.General, row int) float64 {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return math.NaN()
	}
	if !c.known {
		return 0
	}
	g := make([]float64, len(c.cov.of))
	for k, i := range c.cov.of {
		g[k] = jac.Data[i*jac.Stride+row] / c.cov.scale[k]
	}
	size := floats.Norm(g, 2)
	if math.IsNaN(size) || math.IsInf(size, 0) {
		return math.Inf(1)
	}
	for _, null := range c.cov.null {
		if math.Abs(floats.Dot(g, null)) > inNull*size {
			return math.Inf(1)
		}
	}
	sum := 0.0
	for k := range g {
		for l := range g {
			sum += g[k] * g[l] * c.cov.inverse.At(k, l)
		}
	}
	return c.Noise * math.Sqrt(math.Max(sum, 0))
}

// Constants returns each constant with its interval of a probability, and whether it was held. The interval of a held
// constant is its value; one that the data leave open is infinitely wide.
func (c *Confidence) Constants(probability float64) (constants []evidence.Constant, held []bool) {
	half := c.Quantile(probability)
	noise := c.x.noise
	c.x.noise = c.Noise
	for i, se := range c.x.standardErrors(c.p, c.x.Normal(c.p)) {
		v := c.p[i]
		if c.x.fixed[i] {
			se = 0
		} else {
			se = max(se, relativeError*math.Abs(v))
		}
		constants = append(constants, evidence.Constant{Value: v, Low: v - half*se, High: v + half*se, Snapped: v})
	}
	c.x.noise = noise
	if c.x.places == nil {
		return constants, slices.Clone(c.x.fixed)
	}
	return ofFormula(c.x, constants), ofFormula(c.x, c.x.fixed)
}

// Special reports whether a number is exactly one of the special values that constants of a role may become.
func Special(v float64, role formula.Role) bool {
	const bits = 4e-16 // of products of a special value and a power of ten
	value, _, ok := special(v, 0, role)
	return ok && math.Abs(value-v) <= bits*math.Abs(v)
}
