package fit

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// leastRidge is what is added to the squares of the rows, relative to their mean. Without it equal rows would make
// their matrix singular.
const leastRidge = 1e-10

// Shortest returns, of the lines through all rows that there are where inputs are more than rows, the one whose
// coefficients have the least sum of squares, and its value where all inputs are zero. With X the N×n matrix of the
// centred inputs times root weights the coefficients are Xᵀ·(X·Xᵀ)⁻¹·y, which takes N²·n multiplications.
func Shortest(d Data) (coefficients []float64, bias float64) {
	n, weights := d.Rows(), make([]float64, d.Rows())
	for i := range weights {
		weights[i] = 1
	}
	d.Weigh(weights, 0)
	total := floats.Dot(weights, weights)
	center := func(col []float64) (centered []float64, mean float64) {
		for i, v := range col {
			mean += v * weights[i] * weights[i] / total
		}
		centered = make([]float64, n)
		for i, v := range col {
			centered[i] = (v - mean) * weights[i]
		}
		return centered, mean
	}
	x, means, gram := mat.NewDense(len(d.X), n, nil), make([]float64, len(d.X)), mat.NewSymDense(n, nil)
	for j, col := range d.X {
		centered, mean := center(col)
		x.SetRow(j, centered)
		means[j] = mean
	}
	gram.SymOuterK(1, x.T())
	ridge := math.Max(leastRidge*mat.Trace(gram)/float64(n), math.SmallestNonzeroFloat64)
	for i := range n {
		gram.SetSym(i, i, gram.At(i, i)+ridge)
	}
	y, bias := center(d.Y)
	coefficients = make([]float64, len(d.X))
	var of mat.Cholesky
	var dual, w mat.VecDense
	if of.Factorize(gram) && of.SolveVecTo(&dual, mat.NewVecDense(n, y)) == nil {
		w.MulVec(x, &dual)
		copy(coefficients, w.RawVector().Data)
		bias -= floats.Dot(coefficients, means)
	}
	return coefficients, bias
}
