package fit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/formula"
)

// redundantBelow is the curvature of the SSE, relative to the largest in constants of equal influence, that is none: a
// singular value of the Jacobian below it is rounding.
const redundantBelow = 1e-10

// decompose completes a covariance from the singular values of the Jacobian, for problems whose JᵀJ has
// lost the smallest to rounding, and finds the directions in which no prediction changes.
func (x *expression) decompose(p []float64, c *covariance) bool {
	var svd mat.SVD
	if r := x.triangle(p, c); r == nil || !svd.Factorize(r, mat.SVDThinV) {
		return false
	}
	var v mat.Dense
	svd.VTo(&v)
	n := len(c.of)
	c.inverse = *mat.NewSymDense(n, nil)
	values := svd.Values(nil)
	for k, s := range values {
		direction := mat.Col(nil, k, &v)
		if s <= redundantBelow*values[0] {
			c.null = append(c.null, direction)
		} else {
			c.inverse.SymRankOne(&c.inverse, 1/(s*s), mat.NewVecDense(n, direction))
		}
	}
	return true
}

// triangle returns R of the decomposition QR of the Jacobian of the constants in c, each divided by its scale; nil when
// it is not finite. R of the rows so far and of the next block is that of all of them.
func (x *expression) triangle(p []float64, c *covariance) *mat.Dense {
	n := len(c.of)
	stack := mat.NewDense(n+BlockRows, n, nil)
	r := stack.Slice(0, n, 0, n).(*mat.Dense)
	finite := true
	x.jacobian(p, func(_ []float64, jac blas64.General) {
		rows := stack.Slice(n, n+BlockRows, 0, n).(*mat.Dense)
		rows.Zero()
		for k, i := range c.of {
			for row, d := range jac.Data[i*jac.Stride : i*jac.Stride+jac.Cols] {
				rows.Set(row, k, d/c.scale[k])
				finite = finite && !math.IsNaN(d) && !math.IsInf(d, 0)
			}
		}
		if !finite {
			return
		}
		var qr mat.QR
		var factor mat.Dense
		qr.Factorize(stack)
		qr.RTo(&factor)
		r.Copy(factor.Slice(0, n, 0, n))
	})
	if !finite {
		return nil
	}
	return r
}

// reduce returns a formula of the same values on the data without the constants that can be traded against
// others, as the 10 of 10*a/(a*x + b): one constant of each redundant direction is set to 1 or 0, whatever takes it out
// of the formula, and the others follow. e comes with its constants fitted. A redundant direction that leads to no such
// formula stays.
func reduce(e formula.Expr, inputs []string, d Data) formula.Expr {
	for {
		next := oneLess(e, inputs, d)
		if next == nil {
			return e
		}
		e = next
	}
}

// oneLess returns the best formula of the same values that has fewer constants, nil when there is none: that
// with the most special values and then the fewest nodes.
func oneLess(e formula.Expr, inputs []string, d Data) (best formula.Expr) {
	x, p, err := newExpression(e, inputs, d)
	if err != nil {
		return nil
	}
	eq := x.Normal(p)
	c, ok := x.covariance(p, eq)
	if !ok {
		return nil
	}
	mostSpecial := 0
	for _, null := range c.null {
		direction := make([]float64, len(p))
		for k, i := range c.of {
			direction[i] = null[k] / c.scale[k]
		}
		for k, i := range c.of {
			if math.Abs(null[k]) <= inNull {
				continue
			}
			for _, value := range []float64{math.Copysign(1, p[i]), 0} {
				q, ok := x.slide(p, eq, direction, i, value)
				if !ok {
					continue
				}
				shorter := formula.Simplify(x.with(e, q))
				if len(formula.Constants(shorter)) >= len(x.places) {
					continue
				}
				special := specials(shorter, inputs, d)
				if best == nil || special > mostSpecial ||
					special == mostSpecial && formula.Complexity(shorter) < formula.Complexity(best) {
					best, mostSpecial = shorter, special
				}
			}
		}
	}
	return best
}

// slide sets constant i to a value along a direction in which no prediction changes, and fits the others. It
// returns false when predictions do change.
func (x *expression) slide(p []float64, eq Normal, direction []float64, i int, value float64) (q []float64, ok bool) {
	sum, product := slices.Clone(p), slices.Clone(p) // exact for constants traded as summands, and as factors
	floats.AddScaled(sum, (value-p[i])/direction[i], direction)
	for j, v := range p {
		if v != 0 && direction[j] != 0 {
			product[j] *= math.Pow(value/p[i], direction[j]/v/(direction[i]/p[i]))
		}
	}
	sum[i], product[i] = value, value
	if !(x.SSE(sum) <= x.SSE(product)) || slices.ContainsFunc(sum, math.IsNaN) {
		sum = product
	}
	x.fixed[i] = true
	q, moved := Levenberg(x, sum, 50, 1e-12)
	x.fixed[i] = false
	return q, x.same(eq.SSE, moved.SSE)
}

// same reports whether an SSE is as small as another but for the arithmetic.
func (x *expression) same(before, after float64) bool {
	const relative = 1e-6
	arithmetic := relativeError * StandardDeviation(x.data.Y)
	return after <= before*(1+relative)+float64(x.data.Rows())*arithmetic*arithmetic
}

// specials counts the constants of a fitted formula that are special values.
func specials(e formula.Expr, inputs []string, d Data) int {
	x, p, err := newExpression(e, inputs, d)
	if err != nil {
		return 0
	}
	eq := x.Normal(p)
	x.estimateNoise(eq)
	n := 0
	se, roles := x.standardErrors(p, eq), ofConstants(x, formula.Roles(e))
	for i, v := range p {
		if _, odds, ok := special(v, se[i], roles[i]); ok && odds < snapOdds {
			n++
		}
	}
	return n
}
