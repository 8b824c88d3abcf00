package distill

import (
	"cmp"
	"fmt"
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
}

// newExpression prepares a formula over the named inputs, which are the columns of d.X, and
// returns its constants beside it. It is an error when the formula has a variable that is no input.
func newExpression(e formula.Expr, inputs []string, d Data) (*expression, []float64, error) {
	constants := formula.Constants(e)
	var names []string
	for i := range constants {
		names = append(names, fmt.Sprintf("\x00%d", i)) // no column has a zero byte in its name
	}
	open := formula.Parametrize(e, names)
	vars := append(slices.Clone(inputs), names...)
	value, err := formula.Compile(open, vars)
	gradient, err2 := formula.CompileGradient(open, vars)
	if err := cmp.Or(err, err2); err != nil {
		return nil, nil, err
	}
	x := &expression{data: d, value: value, gradient: gradient, columns: make([][]float64, len(vars)), fixed: make([]bool, len(constants))}
	for i := range constants {
		x.columns[len(inputs)+i] = make([]float64, blockRows)
	}
	return x, constants, nil
}

// blocks calls f for one block of rows after the other, with the columns of their inputs and the constants p
// in place. f gets the targets.
func (x *expression) blocks(p []float64, f func(y []float64)) {
	inputs := len(x.data.X)
	for i, c := range x.columns[inputs:] {
		for r := range c {
			c[r] = p[i]
		}
	}
	for from := 0; from < x.data.Rows(); from += blockRows {
		to := min(from+blockRows, x.data.Rows())
		for j, col := range x.data.X {
			x.columns[j] = col[from:to]
		}
		f(x.data.Y[from:to])
	}
}

func (x *expression) sse(p []float64) float64 {
	sum := 0.0
	res := make([]float64, blockRows)
	x.blocks(p, func(y []float64) {
		res := res[:len(y)]
		x.value.EvalColumns(res, x.columns)
		floats.Sub(res, y)
		sum += floats.Dot(res, res)
	})
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	return sum
}

// normal returns the normal equations. A fixed constant has a derivative of zero and keeps its
// place: the damped step leaves it where it is.
func (x *expression) normal(p []float64) normal {
	n := len(p)
	eq := normal{jtj: blas64.Symmetric{N: n, Stride: max(n, 1), Uplo: blas.Upper, Data: make([]float64, n*n)}, jtr: make([]float64, n)}
	res, jac := make([]float64, blockRows), make([]float64, n*blockRows)
	grad := make([][]float64, len(x.columns))
	for i, fixed := range x.fixed {
		if !fixed {
			grad[len(x.data.X)+i] = jac[i*blockRows : (i+1)*blockRows]
		}
	}
	x.blocks(p, func(y []float64) {
		res := res[:len(y)]
		x.gradient.EvalColumns(res, grad, x.columns)
		floats.Sub(res, y)
		eq.sse += floats.Dot(res, res)
		if n == 0 {
			return
		}
		block := blas64.General{Rows: n, Cols: len(y), Stride: blockRows, Data: jac}
		blas64.Syrk(blas.NoTrans, 1, block, 1, eq.jtj)
		blas64.Gemv(blas.NoTrans, 1, block, blas64.Vector{N: len(y), Inc: 1, Data: res}, 1, blas64.Vector{N: n, Inc: 1, Data: eq.jtr})
	})
	if math.IsNaN(eq.sse) {
		eq.sse = math.Inf(1)
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

// standardErrors returns the standard error of each free constant, from σ²·(JᵀJ)⁻¹ with σ² the
// SSE over the degrees of freedom: +Inf where the data does not determine a constant, 0 for a
// fixed one.
func (x *expression) standardErrors(eq normal) []float64 {
	se := make([]float64, eq.jtj.N)
	for i, fixed := range x.fixed {
		if !fixed {
			se[i] = math.Inf(1)
		}
	}
	dof := x.data.Rows() - x.free()
	if c, ok := x.covariance(eq); ok && dof > 0 {
		sigma := math.Sqrt(eq.sse / float64(dof))
		for k, i := range c.of {
			se[i] = sigma * math.Sqrt(c.inverse.At(k, k)) / c.scale[k]
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
}

// covariance returns false where the data does not determine the constants.
func (x *expression) covariance(eq normal) (c covariance, ok bool) {
	n := eq.jtj.N
	for i, fixed := range x.fixed {
		if fixed {
			continue
		}
		scale := math.Sqrt(eq.jtj.Data[i*n+i])
		if !(scale > 0) || math.IsInf(scale, 0) {
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
			a.SetSym(k, l, eq.jtj.Data[i*n+c.of[l]]/c.scale[k]/c.scale[l])
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(a) || chol.Cond() > 1e14 {
		return c, false
	}
	ok = chol.InverseTo(&c.inverse) == nil
	return c, ok
}

// hold fixes constant i at a value and returns the constants with it. The others go where the normal
// equations predict the least SSE, unless that is farther from it than where they are.
func (x *expression) hold(p []float64, eq normal, i int, value float64) []float64 {
	stay := slices.Clone(p)
	stay[i] = value
	c, ok := x.covariance(eq)
	x.fixed[i] = true
	if !ok {
		return stay
	}
	k := slices.Index(c.of, i)
	move := slices.Clone(stay)
	for l, j := range c.of {
		if j != i {
			move[j] += c.inverse.At(k, l) / c.inverse.At(k, k) * c.scale[k] / c.scale[l] * (value - p[i])
		}
	}
	if x.sse(move) < x.sse(stay) {
		return move
	}
	return stay
}
