package distill

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// TestSquare compares JᵀJ with the one of gonum, for numbers of constants around the size of a tile.
func TestSquare(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, p := range []int{1, 2, 15, 16, 17, 33, 70} {
		jac := make([]float64, p*blockRows)
		for i := range jac {
			jac[i] = rng.NormFloat64()
		}
		got, want := make([]float64, p*p), make([]float64, p*p)
		for range 2 { // it adds
			new(evaluator).square(blas64.Symmetric{N: p, Stride: p, Uplo: blas.Upper, Data: got}, jac)
			blas64.Syrk(blas.NoTrans, 1, blas64.General{Rows: p, Cols: blockRows, Stride: blockRows, Data: jac}, 1, blas64.Symmetric{N: p, Stride: p, Uplo: blas.Upper, Data: want})
		}
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 1e-11) {
				t.Fatalf("%d constants: product %d is %v, want %v", p, i, got[i], want[i])
			}
		}
	}
}
