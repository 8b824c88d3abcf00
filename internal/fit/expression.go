package fit

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/formula"
)

// expression fits the constants of a formula in the user's units. Its constants are those that
// are printed, so it is what intervals and special values are about.
type expression struct {
	data     Data
	value    *formula.Program // over the inputs and the constants
	gradient *formula.Gradient
	columns  [][]float64 // what the two are given of a block of rows: the inputs, and each constant in all rows
	fixed    []bool      // constants that are held at their value
	places   []int       // which of the constants each is of a formula, in the order of [formula.Constants]
	noise    float64     // standard deviation of the errors about the true formula, as far as is known
	known    bool        // whether the noise is that of the data, and not from the residuals
}

// newExpression prepares a formula over the named inputs, which are the columns of d.X, and
// returns its constants beside it, those that are tied once. It is an error when the formula has a variable that is not
// an input.
func newExpression(e formula.Expr, inputs []string, d Data) (x *expression, constants []float64, err error) {
	_, names, values := formula.Open(e, "")
	var distinct []string
	places := formula.Tied(e)
	for i, first := range places {
		if first < i {
			names[i], places[i] = names[first], places[first]
			continue
		}
		places[i] = len(distinct)
		distinct, constants = append(distinct, names[i]), append(constants, values[i])
	}
	if x, err = newParametric(formula.Parametrize(e, names), distinct, inputs, d); err == nil {
		x.places = places
	}
	return x, constants, err
}

// ofFormula returns what there is of each constant for each of the formula's, in the order of [formula.Constants].
func ofFormula[T any](x *expression, of []T) []T {
	all := make([]T, len(x.places))
	for i, k := range x.places {
		all[i] = of[k]
	}
	return all
}

// ofConstants returns what there is of each constant of a formula for each that is fitted.
func ofConstants[T any](x *expression, of []T) []T {
	each := make([]T, len(x.fixed))
	for i, k := range x.places {
		each[k] = of[i]
	}
	return each
}

// with returns the formula with the fitted constants p in the place of its own.
func (x *expression) with(e formula.Expr, p []float64) formula.Expr {
	return formula.WithConstants(e, ofFormula(x, p))
}

// newParametric prepares a formula over the named inputs and constants with these names.
func newParametric(open formula.Expr, names, inputs []string, d Data) (*expression, error) {
	vars := append(slices.Clone(inputs), names...)
	value, err := formula.Compile(open, vars)
	gradient, err2 := formula.CompileGradient(open, vars)
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	x := &expression{
		data: d, value: value, gradient: gradient, columns: make([][]float64, len(vars)), fixed: make([]bool, len(names)),
	}
	for i := range names {
		x.columns[len(inputs)+i] = make([]float64, BlockRows)
	}
	return x, nil
}

// blocks calls f for one block of rows after the other, with the columns of their inputs and the constants p
// in place. f gets the first row and the targets.
func (x *expression) blocks(p []float64, f func(from int, y []float64)) {
	inputs := len(x.data.X)
	for i, c := range x.columns[inputs:] {
		for r := range c {
			c[r] = p[i]
		}
	}
	for from := 0; from < x.data.Rows(); from += BlockRows {
		to := min(from+BlockRows, x.data.Rows())
		for j, col := range x.data.X {
			x.columns[j] = col[from:to]
		}
		f(from, x.data.Y[from:to])
	}
}

func (x *expression) Ended() bool { return x.data.Ended() }

func (x *expression) SSE(p []float64) float64 {
	sum := 0.0
	res := make([]float64, BlockRows)
	x.blocks(p, func(from int, y []float64) {
		res := res[:len(y)]
		x.value.EvalColumns(res, x.columns)
		floats.Sub(res, y)
		x.data.Weigh(res, from)
		sum += floats.Dot(res, res)
	})
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	return sum
}

// residuals returns the errors of the rows at the constants p, without root weights.
func (x *expression) residuals(p []float64) []float64 {
	var all []float64
	x.blocks(p, func(_ int, y []float64) {
		res := make([]float64, len(y))
		x.value.EvalColumns(res, x.columns)
		floats.Sub(res, y)
		all = append(all, res...)
	})
	return all
}

// farthest returns by how much the predictions with the constants p and q, times root weights, differ at most.
func (x *expression) farthest(p, q []float64) float64 {
	var of [2][]float64
	for i, constants := range [][]float64{p, q} {
		x.blocks(constants, func(from int, y []float64) {
			predicted := make([]float64, len(y))
			x.value.EvalColumns(predicted, x.columns)
			x.data.Weigh(predicted, from)
			of[i] = append(of[i], predicted...)
		})
	}
	return floats.Distance(of[0], of[1], math.Inf(1))
}

// largest returns the largest size of an error at the constants p, times its root weight.
func (x *expression) largest(p []float64) float64 {
	most := 0.0
	x.blocks(p, func(from int, y []float64) {
		res := make([]float64, len(y))
		x.value.EvalColumns(res, x.columns)
		floats.Sub(res, y)
		x.data.Weigh(res, from)
		most = math.Max(most, floats.Norm(res, math.Inf(1)))
	})
	return most
}

// jacobian calls f for one block of rows after the other with the residuals at the constants p and the Jacobian, a row
// for each constant, both times root weights. A fixed constant has a derivative of zero.
func (x *expression) jacobian(p []float64, f func(res []float64, jac blas64.General)) {
	n := len(p)
	residuals, jac := make([]float64, BlockRows), make([]float64, n*BlockRows)
	grad := make([][]float64, len(x.columns))
	for i, fixed := range x.fixed {
		if !fixed {
			grad[len(x.data.X)+i] = jac[i*BlockRows : (i+1)*BlockRows]
		}
	}
	x.blocks(p, func(from int, y []float64) {
		res := residuals[:len(y)]
		x.gradient.EvalColumns(res, grad, x.columns)
		floats.Sub(res, y)
		x.data.Weigh(res, from)
		block := blas64.General{Rows: n, Cols: len(y), Stride: BlockRows, Data: jac}
		x.data.WeighRows(block, from)
		f(res, block)
	})
}

// Normal returns the normal equations. A fixed constant keeps its place: the damped step leaves it where it is.
func (x *expression) Normal(p []float64) Normal {
	n := len(p)
	eq := newNormal(n)
	x.jacobian(p, func(res []float64, jac blas64.General) {
		eq.SSE += floats.Dot(res, res)
		if n == 0 {
			return
		}
		blas64.Syrk(blas.NoTrans, 1, jac, 1, eq.JTJ)
		blas64.Gemv(blas.NoTrans, 1, jac, blas64.Vector{N: len(res), Inc: 1, Data: res}, 1,
			blas64.Vector{N: n, Inc: 1, Data: eq.JTR})
	})
	if math.IsNaN(eq.SSE) {
		eq.SSE = math.Inf(1)
	}
	return eq
}

// free returns the number of constants that are not fixed.
func (x *expression) free() int {
	n := 0
	for _, f := range x.fixed {
		if !f {
			n++
		}
	}
	return n
}

// estimateNoise takes the errors that are left at a fit for the noise, see [Data.noise].
func (x *expression) estimateNoise(eq Normal) {
	x.noise, x.known = x.data.noise(eq.SSE, x.free())
}

// standardErrors returns the standard error of each free constant at the fit p, from σ²·(JᵀJ)⁻¹ with σ the
// noise: +Inf where the data does not determine a constant, 0 for a fixed one.
func (x *expression) standardErrors(p []float64, eq Normal) []float64 {
	se := make([]float64, eq.JTJ.N)
	for i, fixed := range x.fixed {
		if !fixed {
			se[i] = math.Inf(1)
		}
	}
	c, ok := x.covariance(p, eq)
	if !ok || math.IsInf(x.noise, 0) {
		return se
	}
	for k, i := range c.of {
		if !c.open(k) {
			se[i] = x.noise * math.Sqrt(c.inverse.At(k, k)) / c.scale[k]
		}
	}
	return se
}

// covariance is (JᵀJ)⁻¹ for the free constants: that of k and l is inverse[k,l] over their two scales, so that
// the units of the constants do not matter.
type covariance struct {
	of      []int // the constants
	inverse mat.SymDense
	scale   []float64
	// null are the directions, in constants times their scales, in which no prediction changes. The inverse is
	// that of what is left.
	null [][]float64
}

// inNull is the least component of a constant in a direction of length 1 that it takes part in.
const inNull = 1e-6

// open reports whether constant k of those in c takes part in a direction in which no prediction changes.
func (c *covariance) open(k int) bool {
	return slices.ContainsFunc(c.null, func(v []float64) bool { return math.Abs(v[k]) > inNull })
}

// covariance returns false where derivatives are not finite, or there is nothing to determine.
func (x *expression) covariance(p []float64, eq Normal) (c covariance, ok bool) {
	n := eq.JTJ.N
	zero := false
	for i, fixed := range x.fixed {
		if fixed {
			continue
		}
		scale := math.Sqrt(eq.JTJ.Data[i*n+i])
		if scale == 0 {
			scale, zero = 1, true
		}
		if math.IsNaN(scale) || math.IsInf(scale, 0) {
			return c, false
		}
		c.of, c.scale = append(c.of, i), append(c.scale, scale)
	}
	if len(c.of) == 0 {
		return c, false
	}
	a := mat.NewSymDense(len(c.of), nil)
	for k, i := range c.of {
		for l := k; l < len(c.of); l++ {
			a.SetSym(k, l, eq.JTJ.Data[i*n+c.of[l]]/c.scale[k]/c.scale[l])
		}
	}
	const largest = 1e10 // beyond, rounding in the sums of JᵀJ is seen
	var chol mat.Cholesky
	if zero || !chol.Factorize(a) || chol.Cond() > largest {
		ok = x.decompose(p, &c)
	} else {
		ok = chol.InverseTo(&c.inverse) == nil
	}
	return c, ok
}

// hold fixes constant i at a value and returns the constants with it. The others go where the normal
// equations predict the least SSE, unless that is farther from it than where they are.
func (x *expression) hold(p []float64, eq Normal, i int, value float64) []float64 {
	stay := slices.Clone(p)
	stay[i] = value
	c, ok := x.covariance(p, eq)
	x.fixed[i] = true
	if !ok {
		return stay
	}
	k := slices.Index(c.of, i)
	if c.open(k) {
		return stay
	}
	move := slices.Clone(stay)
	for l, j := range c.of {
		if j != i {
			move[j] += c.inverse.At(k, l) / c.inverse.At(k, k) * c.scale[k] / c.scale[l] * (value - p[i])
		}
	}
	if x.SSE(move) < x.SSE(stay) {
		return move
	}
	return stay
}
