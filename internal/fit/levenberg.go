package fit

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Problem is a problem whose constants can be fitted: a law or an expression, on some rows.
type Problem[E equations] interface {
	Normal(p []float64) E    // the normal equations at constants p
	SSE(p []float64) float64 // the sum of squared errors, +Inf when it is not finite
	Ended() bool             // see [Data.Ended]
}

// equations are normal equations: of a few constants, or of many groups with constants of their own.
type equations interface {
	step(mu float64) (delta []float64, ok bool) // solves them with the damping μ
	squares() float64                           // the sum of squared errors where they were made
}

// Normal holds the normal equations of the least squares problem at some constants: with residuals
// r = prediction − y, each times its row's root weight as is the Jacobian J, JᵀJ (upper triangle), Jᵀr and SSE = rᵀr.
type Normal struct {
	JTJ blas64.Symmetric
	JTR []float64
	SSE float64
}

// newNormal returns normal equations of so many constants, all zero.
func newNormal(n int) Normal {
	return Normal{JTJ: blas64.Symmetric{N: n, Stride: max(n, 1), Uplo: blas.Upper, Data: make([]float64, n*n)},
		JTR: make([]float64, n)}
}

// A fit that is to be exact.
const (
	FitSteps = 50
	FitTol   = 1e-10
)

// Levenberg runs Levenberg–Marquardt from the constants p and returns the fitted ones and the
// normal equations at them. A step
//
//	(JᵀJ + μ·diag(JᵀJ)) δ = −Jᵀr
//
// is taken only when it lowers the SSE, so the result is never worse than p. It ends after the
// given number of steps, when a step gains less than tol of the SSE, when none can be found, or when the rows say so.
func Levenberg[E equations](f Problem[E], p []float64, steps int, tol float64) ([]float64, E) {
	eq := f.Normal(p)
	mu := 1e-3
	for range steps {
		if f.Ended() {
			break
		}
		next, nextMu, ok := descend(f, p, eq, mu)
		if !ok {
			break
		}
		before := eq.squares()
		p, mu = next, nextMu
		eq = f.Normal(p)
		if !(before-eq.squares() > tol*before) {
			break
		}
	}
	return p, eq
}

// descend looks for a damping μ whose step lowers the SSE.
func descend[E equations](f Problem[E], p []float64, eq E, mu float64) (next []float64, nextMu float64, ok bool) {
	for range 8 {
		if step, solved := eq.step(mu); solved {
			next = make([]float64, len(p))
			for i := range p {
				next[i] = p[i] + step[i]
			}
			if f.SSE(next) < eq.squares() {
				return next, math.Max(mu/5, 1e-12), true
			}
		}
		mu *= 8
	}
	return nil, mu, false
}

func (eq Normal) squares() float64 { return eq.SSE }

// step solves the damped normal equations.
func (eq Normal) step(mu float64) (delta []float64, ok bool) {
	chol, ok := eq.Factorize(mu)
	if !ok {
		return nil, false
	}
	n := eq.JTJ.N
	var x mat.VecDense
	if err := chol.SolveVecTo(&x, mat.NewVecDense(n, append([]float64(nil), eq.JTR...))); err != nil {
		return nil, false // ill-conditioned: a larger μ mends it
	}
	delta = x.RawVector().Data
	for i := range delta {
		delta[i] = -delta[i]
		if math.IsNaN(delta[i]) || math.IsInf(delta[i], 0) {
			return nil, false
		}
	}
	return delta, true
}

// Factorize returns the Cholesky factors of JᵀJ with its diagonal enlarged by the factor 1+μ.
// Constants that the data says nothing about get a diagonal of their own.
func (eq Normal) Factorize(mu float64) (*mat.Cholesky, bool) {
	n := eq.JTJ.N
	if n == 0 || math.IsInf(eq.SSE, 0) {
		return nil, false
	}
	var chol mat.Cholesky
	return &chol, chol.Factorize(eq.damped(mu, eq.largest()))
}

// largest returns the largest element of the diagonal of JᵀJ.
func (eq Normal) largest() float64 {
	largest := 0.0
	for i := range eq.JTJ.N {
		largest = math.Max(largest, eq.JTJ.Data[i*eq.JTJ.N+i])
	}
	return largest
}

// damped returns JᵀJ with an enlarged diagonal, see [Normal.Factorize].
func (eq Normal) damped(mu, largest float64) *mat.SymDense {
	n := eq.JTJ.N
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, eq.JTJ.Data[i*n+j])
		}
		diagonal := eq.JTJ.Data[i*n+i]
		a.SetSym(i, i, diagonal*(1+mu)+mu*1e-6*largest+1e-300)
	}
	return a
}

// Fails reports whether a matrix could not be solved with. That it is ill-conditioned, which gonum returns as an error
// beside a result, is not a failure.
func Fails(err error) bool {
	_, illConditioned := err.(mat.Condition) //nolint:errorlint // a value, never wrapped
	return err != nil && !illConditioned
}
