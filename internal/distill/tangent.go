package distill

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/internal/fit"
)

// A tangentSpace is a fitted form on some rows with what it takes to tell how much the error would
// fall if a term were added: the space that small changes of all constants span,
//
//	Q = orthonormal rows with the span of J,    r⟂ = (1 − QᵀQ)(y − law)
//
// With a column d of values that a new term would have, only d⟂ = (1 − QᵀQ)d is new, and the best
// weight w = d·r⟂ / d⟂·d⟂ lowers the SSE by (d·r⟂)² / d⟂·d⟂, while all other constants adjust to
// first order. Residual, J and d are times the root weights of the rows.
type tangentSpace struct {
	form     *form
	data     fit.Data
	q        blas64.General // rank × rows
	residual []float64      // r⟂
	along    []float64      // r⟂ times root weights again: its product with a column d, as it is without these, is d·r⟂
	sse      float64        // r⟂·r⟂
	values   [][]float64    // of each factor; nil for functions that the output does not read
	slopes   [][]float64    // of each function, its derivative f′ at its argument
	adjoints [][]float64    // of each function, the derivative of the output in its argument
	dots     []float64      // scratch
}

func newTangentSpace(f *form, d fit.Data) *tangentSpace {
	l, sources := f.law()
	n, p := d.Rows(), l.Params()
	t := &tangentSpace{
		form: f, data: d, residual: make([]float64, n),
		values: make([][]float64, len(sources)), slopes: make([][]float64, len(f.functions)),
		adjoints: make([][]float64, len(f.functions)),
		q:        blas64.General{Cols: n, Stride: n, Data: make([]float64, 0, p*n)},
		dots:     make([]float64, p),
	}
	copy(t.values, d.X)
	for i := range f.functions {
		if sources[f.inputs+i] >= 0 {
			t.values[f.inputs+i], t.slopes[i], t.adjoints[i] = make([]float64, n), make([]float64, n), make([]float64, n)
		}
	}
	e := newEvaluator(l)
	block := make([]float64, p*fit.BlockRows)
	jac := make([][]float64, p)
	for i := range jac {
		jac[i] = make([]float64, n)
	}
	for from := 0; from < n; from += fit.BlockRows {
		to := min(from+fit.BlockRows, n)
		for r, v := range e.forward(d.X, from, to) {
			t.residual[from+r] = d.Y[from+r] - v
		}
		e.backward(block, to-from)
		for i := range jac {
			copy(jac[i][from:to], block[i*fit.BlockRows:])
		}
		for i := range f.functions {
			if u := sources[f.inputs+i] - l.inputs; u >= 0 {
				copy(t.values[f.inputs+i][from:to], e.values[l.inputs+u])
				copy(t.slopes[i][from:to], e.slopes[u])
				copy(t.adjoints[i][from:to], e.dargs[u][0])
			}
		}
	}
	for _, row := range jac {
		d.Weigh(row, 0)
		t.extend(row)
	}
	d.Weigh(t.residual, 0)
	for range 2 { // the second time takes away what rounding left of a residual far below the target
		t.project(t.residual)
	}
	t.sse = floats.Dot(t.residual, t.residual)
	t.along = d.Weighed(t.residual)
	return t
}

// own returns the space with scratch of its own, for another goroutine.
func (t *tangentSpace) own() *tangentSpace {
	o := *t
	o.dots = make([]float64, len(t.dots))
	return &o
}

// dependent is how much of a column must be left outside the space for it to be a direction of
// its own, relative to its square.
const dependent = 1e-6

// extend adds a derivative to the space, unless it is a combination of those before it.
func (t *tangentSpace) extend(row []float64) {
	before := floats.Dot(row, row)
	t.project(row)
	after := floats.Dot(row, row)
	if !(after > dependent*before) || math.IsInf(after, 0) {
		return
	}
	floats.Scale(1/math.Sqrt(after), row)
	t.q.Data = append(t.q.Data, row...)
	t.q.Rows++
}

// project takes out of a column what lies in the space.
func (t *tangentSpace) project(col []float64) {
	if t.q.Rows == 0 {
		return
	}
	x := blas64.Vector{N: len(col), Inc: 1, Data: col}
	dots := blas64.Vector{N: t.q.Rows, Inc: 1, Data: t.dots[:t.q.Rows]}
	blas64.Gemv(blas.NoTrans, 1, t.q, x, 0, dots)
	blas64.Gemv(blas.Trans, -1, t.q, dots, 1, x)
}

// coordinates writes Q·col to dots and returns col⟂·col⟂ and col·r⟂.
func (t *tangentSpace) coordinates(col, dots []float64) (square, along float64) {
	square, along = floats.Dot(col, col), floats.Dot(col, t.residual)
	if t.q.Rows == 0 {
		return square, along
	}
	blas64.Gemv(blas.NoTrans, 1, t.q, blas64.Vector{N: len(col), Inc: 1, Data: col}, 0,
		blas64.Vector{N: t.q.Rows, Inc: 1, Data: dots})
	left := square - floats.Dot(dots, dots)
	if !(left > dependent*square) {
		return 0, 0
	}
	return left, along
}

// fall is how much the SSE falls when columns are added with the given weights.
type fall struct {
	gain    float64
	weights [2]float64
}

// one returns what a single new column gains.
func (t *tangentSpace) one(col []float64) fall {
	col = t.data.Weighed(col)
	square, along := t.coordinates(col, t.dots)
	if !(square > 0) || math.IsInf(along, 0) {
		return fall{}
	}
	return fall{along * along / square, [2]float64{along / square}}
}

// two returns what each of two new columns gains alone, and both together.
func (t *tangentSpace) two(a, b []float64) (onlyA, onlyB, both fall) {
	a, b = t.data.Weighed(a), t.data.Weighed(b)
	aDots, bDots := make([]float64, t.q.Rows), make([]float64, t.q.Rows)
	aa, ar := t.coordinates(a, aDots)
	bb, br := t.coordinates(b, bDots)
	if aa > 0 {
		onlyA = fall{ar * ar / aa, [2]float64{ar / aa, 0}}
	}
	if bb > 0 {
		onlyB = fall{br * br / bb, [2]float64{0, br / bb}}
	}
	ab := floats.Dot(a, b) - floats.Dot(aDots, bDots)
	det := aa*bb - ab*ab
	if !(det > dependent*aa*bb) {
		return onlyA, onlyB, fall{}
	}
	u, v := (bb*ar-ab*br)/det, (aa*br-ab*ar)/det
	return onlyA, onlyB, fall{u*ar + v*br, [2]float64{u, v}}
}
