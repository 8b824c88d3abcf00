package distill

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/internal/fit"
)

// regression is the least squares of the lead's column by some others. With A their inner products and b those with the
// lead's, the weights are w = A⁻¹b.
type regression struct {
	columns []int
	w       []float64
	inverse [][]float64 // A⁻¹
}

// regression returns that by all other columns, without columns when they do not determine the weights.
func (f *family) regression(lead int) (e regression) {
	var columns []int
	for k, size := range f.size {
		if k != lead && size > 0 {
			columns = append(columns, k)
		}
	}
	n := len(columns)
	if n == 0 || f.size[lead] == 0 {
		return e
	}
	a, b := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i, k := range columns {
		b.SetVec(i, f.gram.At(k, lead))
		for j, l := range columns[i:] {
			a.SetSym(i, i+j, f.gram.At(k, l))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(a) {
		return e
	}
	var inverse mat.SymDense
	if fit.Fails(chol.InverseTo(&inverse)) {
		return e
	}
	var w mat.VecDense
	w.MulVec(&inverse, b)
	e = regression{columns: columns, w: w.RawVector().Data}
	whole := mat.DenseCopyOf(&inverse)
	for i := range n {
		e.inverse = append(e.inverse, whole.RawRowView(i))
	}
	return e
}

// leaveOut takes out the column that is needed least: without column k, w_k²/(A⁻¹)_kk more of the lead's column is
// left.
func (e *regression) leaveOut() {
	least, k := math.Inf(1), 0
	for i, w := range e.w {
		if rise := w * w / e.inverse[i][i]; rise < least {
			least, k = rise, i
		}
	}
	last := len(e.columns) - 1 // is where k goes
	e.columns[k], e.columns[last] = e.columns[last], e.columns[k]
	e.w[k], e.w[last] = e.w[last], e.w[k]
	e.inverse[k], e.inverse[last] = e.inverse[last], e.inverse[k]
	for _, row := range e.inverse {
		row[k], row[last] = row[last], row[k]
	}
	out := e.inverse[last]
	for i, row := range e.inverse[:last] {
		share := row[last] / out[last]
		e.w[i] -= share * e.w[last]
		floats.AddScaled(row[:last], -share, out[:last])
	}
	e.columns, e.w, e.inverse = e.columns[:last], e.w[:last], e.inverse[:last]
}
