package distill

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/formula"
)

// expression fits the constants of a formula in the user's units. Its constants are those that
// are printed, so it is what intervals and special values are about.
type expression struct {
	data        Data
	inputs      []string
	names       []string     // of the constants as variables
	value       formula.Expr // over inputs and constants
	derivatives []formula.Expr
	fixed       []bool // constants that are held at their value
}

// newExpression prepares a formula over the named inputs, which are the columns of data.X, and
// returns its constants beside it.
func newExpression(e formula.Expr, inputs []string, d Data) (*expression, []float64) {
	constants := formula.Constants(e)
	x := &expression{data: d, inputs: inputs, fixed: make([]bool, len(constants))}
	for i := range constants {
		x.names = append(x.names, fmt.Sprintf("\x00%d", i)) // no column has a zero byte in its name
	}
	x.value = formula.Parametrize(e, x.names)
	for _, name := range x.names {
		x.derivatives = append(x.derivatives, formula.Simplify(formula.Diff(x.value, name)))
	}
	return x, constants
}

// compile returns the program of one of the expressions with the constants put in.
func (x *expression) compile(e formula.Expr, p []float64) *formula.Program {
	values := make(map[string]formula.Expr, len(p))
	for i, name := range x.names {
		values[name] = formula.Const(p[i])
	}
	program, err := formula.Compile(formula.Substitute(e, values), x.inputs)
	if err != nil {
		return nil // the expression reads something that is no input: newExpression's caller checks
	}
	return program
}

// residuals returns formula − target for rows from ≤ i < to.
func (x *expression) residuals(program *formula.Program, from, to int) []float64 {
	r := make([]float64, to-from)
	program.EvalColumns(r, x.columns(from, to))
	for i := range r {
		r[i] -= x.data.Y[from+i]
	}
	return r
}

func (x *expression) columns(from, to int) [][]float64 {
	cols := make([][]float64, len(x.data.X))
	for j, col := range x.data.X {
		cols[j] = col[from:to]
	}
	return cols
}

func (x *expression) sse(p []float64) float64 {
	program := x.compile(x.value, p)
	sum := 0.0
	for from := 0; from < x.data.Rows(); from += blockRows {
		for _, r := range x.residuals(program, from, min(from+blockRows, x.data.Rows())) {
			sum += r * r
		}
	}
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	return sum
}

// normal returns the normal equations. A fixed constant has a derivative of zero and keeps its
// place: the damped step leaves it where it is.
func (x *expression) normal(p []float64) normal {
	program := x.compile(x.value, p)
	derivatives := make([]*formula.Program, len(p))
	for i, d := range x.derivatives {
		if !x.fixed[i] {
			derivatives[i] = x.compile(d, p)
		}
	}
	n := len(p)
	eq := normal{jtj: blas64.Symmetric{N: n, Stride: max(n, 1), Uplo: blas.Upper, Data: make([]float64, n*n)}, jtr: make([]float64, n)}
	jac := make([]float64, n*blockRows)
	for from := 0; from < x.data.Rows(); from += blockRows {
		to := min(from+blockRows, x.data.Rows())
		res := x.residuals(program, from, to)
		for _, r := range res {
			eq.sse += r * r
		}
		if n == 0 {
			continue
		}
		for i, d := range derivatives {
			if d != nil {
				d.EvalColumns(jac[i*blockRows:i*blockRows+to-from], x.columns(from, to))
			}
		}
		block := blas64.General{Rows: n, Cols: to - from, Stride: blockRows, Data: jac}
		blas64.Syrk(blas.NoTrans, 1, block, 1, eq.jtj)
		blas64.Gemv(blas.NoTrans, 1, block, blas64.Vector{N: to - from, Inc: 1, Data: res}, 1, blas64.Vector{N: n, Inc: 1, Data: eq.jtr})
	}
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
	n := eq.jtj.N
	se := make([]float64, n)
	var index []int
	for i := range n {
		if !x.fixed[i] {
			index = append(index, i)
			se[i] = math.Inf(1)
		}
	}
	dof := x.data.Rows() - len(index)
	if dof <= 0 || len(index) == 0 {
		return se
	}
	// Scaled to a unit diagonal, so that the units of the constants do not matter.
	a := mat.NewSymDense(len(index), nil)
	scale := make([]float64, len(index))
	for k, i := range index {
		if scale[k] = math.Sqrt(eq.jtj.Data[i*n+i]); !(scale[k] > 0) || math.IsInf(scale[k], 0) {
			return se
		}
	}
	for k, i := range index {
		for l := k; l < len(index); l++ {
			a.SetSym(k, l, eq.jtj.Data[i*n+index[l]]/scale[k]/scale[l])
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(a) || chol.Cond() > 1e14 {
		return se
	}
	var inverse mat.SymDense
	if err := chol.InverseTo(&inverse); err != nil {
		return se
	}
	sigma := math.Sqrt(eq.sse / float64(dof))
	for k, i := range index {
		se[i] = sigma * math.Sqrt(inverse.At(k, k)) / scale[k]
	}
	return se
}
