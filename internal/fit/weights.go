package fit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// Root weights are what the residual of each row, and its part of every column of a linear problem, is multiplied
// with before squares are summed: SSE = Σ (w·r)². A row whose error has the standard deviation σ has w = σ₀/σ, and
// σ₀ is the scale that all rows share. With σ₀ the geometric mean of σ the log-likelihood has no further term,
//
//	Σ ln σ = N·ln σ₀ − Σ ln w,    Σ ln w = 0
//
// so BIC2 of the same rows under different root weights can be compared.

// Weigh multiplies a part of a column, which begins at a row, by the root weights of its rows.
func (d Data) Weigh(col []float64, from int) {
	if d.W != nil {
		floats.Mul(col, d.W[from:from+len(col)])
	}
}

// Weighed returns a column times the root weights; the column itself where there are none.
func (d Data) Weighed(col []float64) []float64 {
	if d.W == nil {
		return col
	}
	return floats.MulTo(make([]float64, len(col)), col, d.W)
}

// WeighRows multiplies the rows of a block of a Jacobian, one for each constant, by the root weights of its columns.
func (d Data) WeighRows(jac blas64.General, from int) {
	if d.W == nil {
		return
	}
	for i := range jac.Rows {
		floats.Mul(jac.Data[i*jac.Stride:i*jac.Stride+jac.Cols], d.W[from:from+jac.Cols])
	}
}

// RootWeights returns a copy of the root weights, or as many ones.
func (d Data) RootWeights() []float64 {
	w := make([]float64, d.Rows())
	for i := range w {
		w[i] = 1
	}
	d.Weigh(w, 0)
	return w
}

// SpreadOf returns the standard deviation of a column about its mean, both weighted.
func (d Data) SpreadOf(col []float64) float64 {
	if d.W == nil {
		return StandardDeviation(col)
	}
	sum, total, sq := 0.0, 0.0, 0.0
	for i, v := range col {
		sum += d.W[i] * d.W[i] * v
		total += d.W[i] * d.W[i]
	}
	for i, v := range col {
		e := d.W[i] * (v - sum/total)
		sq += e * e / float64(len(col))
	}
	return math.Sqrt(sq)
}

// noise returns the standard deviation of the error of a row of weight 1 at a fit of some constants: the known one
// where it is known and allows the SSE, otherwise the SSE over the degrees of freedom. Under the weights of Student's t
// constants vary by (ν + 3)/(ν + 1) more than these say: rows are weighed by their own errors, and the likeliest
// constants have the variance that Fisher's information gives.
func (d Data) noise(sse float64, constants int) (sigma float64, known bool) {
	dof := d.Rows() - constants
	if d.Sigma > 0 && Allows(sse/(d.Sigma*d.Sigma), dof) {
		return d.Sigma, true
	}
	if dof <= 0 {
		return math.Inf(1), false
	}
	return math.Sqrt(d.variance(sse, dof)), false
}

// rounded reports whether an SSE is within a few roundings of the target's values.
func (d Data) rounded(sse float64) bool {
	const few = 8 * 0x1p-53
	y := slices.Clone(d.Y)
	d.Weigh(y, 0)
	return math.Sqrt(sse) <= few*floats.Norm(y, 2)
}

// variance returns that of the error of a row of weight 1 by the SSE of a fit that leaves some degrees of freedom.
func (d Data) variance(sse float64, dof int) float64 {
	v := sse / float64(dof)
	if d.Tails > 0 {
		v *= (d.Tails + 3) / (d.Tails + 1)
	}
	return v
}

// Allows reports whether a sum of squares, each over the variance that is known, is within the 99 % quantile of χ².
func Allows(squares float64, dof int) bool {
	const allowed = 0.99
	return dof <= 0 || squares <= distuv.ChiSquared{K: float64(dof)}.Quantile(allowed)
}

// Spread returns the standard deviation of the targets about their mean, both weighted.
func (d Data) Spread() float64 { return d.SpreadOf(d.Y) }

// RootWeights returns σ₀/σ of each row, with σ₀ the geometric mean of the standard deviations σ, which is returned
// beside.
func RootWeights(sigma []float64) (w []float64, common float64) {
	common = math.Exp(Mean(Logarithms(sigma)))
	w = make([]float64, len(sigma))
	for i, s := range sigma {
		w[i] = common / s
	}
	return w, common
}
