package search

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// Sizes of the polynomial that [Told] weighs.
const (
	toldRows   = 500
	toldTerms  = 60
	toldDegree = 14
	leftOfTold = 10 // squares of the noise for each coefficient, which a function that is smooth leaves at most
)

// Told returns how many bits rows tell of a function with the given values on them, if each row has an independent
// error of the size noise: what it takes to send the function as a polynomial in the inputs, each coefficient as
// exactly as the rows determine it,
//
//	Σ ½·log₂(1 + (qᵢ·f/noise)²)
//
// over orthonormal polynomials q on the rows, low degrees first. A law that takes more to write down, with its
// constants, explains no more than a smooth curve does. Where the polynomial leaves much, the function is none: +Inf.
// w are root weights, see [Data].
func Told(x [][]float64, values, w []float64, noise float64) float64 {
	n := len(values)
	step := (n + toldRows - 1) / toldRows
	if n == 0 || !(noise > 0) {
		return math.Inf(1)
	}
	some := make([][]float64, len(x)+1) // the inputs and the values
	for j, col := range append(slices.Clone(x), values) {
		for r := 0; r < n; r += step {
			some[j] = append(some[j], col[r])
		}
	}
	q, f := polynomials(some[:len(x)]), blas64.General{Rows: len(some[0]), Cols: 1, Stride: 1, Data: some[len(x)]}
	for r := range q.Rows {
		weight := math.Sqrt(float64(n) / float64(q.Rows)) // each stands for some rows
		if w != nil {
			weight *= w[r*step]
		}
		f.Data[r] *= weight
		for i := range q.Cols {
			q.Data[r*q.Stride+i] *= weight
		}
	}
	tau, work := make([]float64, q.Cols), make([]float64, q.Rows*q.Cols)
	lapack64.Geqrf(q, tau, work, len(work))
	lapack64.Ormqr(blas.Left, blas.Trans, q, tau, f, work, len(work))
	told, left := f.Data[:q.Cols], f.Data[q.Cols:]
	if dot(left, left) > leftOfTold*float64(len(told))*noise*noise {
		return math.Inf(1)
	}
	bits := 0.0
	for _, c := range told {
		bits += math.Log2(1+c*c/(noise*noise)) / 2
	}
	return bits
}

// polynomials returns products of Chebyshev polynomials of the inputs, a row for each row of these, of low degrees
// first, up to one that the rows allow.
func polynomials(x [][]float64) blas64.General {
	rows, degree := len(x[0]), toldDegree
	for degree > 1 && choose(len(x), degree) > min(toldTerms, rows/2) {
		degree--
	}
	degrees := monomials(len(x), degree)
	slices.SortStableFunc(degrees, func(a, b []int) int { return cmp.Compare(total(a), total(b)) })
	columns := chebyshevProducts(x, degrees[:min(len(degrees), rows)], degree)
	q := blas64.General{Rows: rows, Cols: len(columns), Stride: len(columns), Data: make([]float64, rows*len(columns))}
	for i, col := range columns {
		for r, v := range col {
			q.Data[r*q.Stride+i] = v
		}
	}
	return q
}
