package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// leastSquares is a problem whose constants can be fitted: a law or an expression, on some rows.
type leastSquares[E equations] interface {
	normal(p []float64) E    // the normal equations at constants p
	sse(p []float64) float64 // the sum of squared errors, +Inf when it is not finite
}

// equations are normal equations: of a few constants, or of many groups with constants of their own.
type equations interface {
	step(mu float64) (delta []float64, ok bool) // solves them with the damping μ
	squares() float64                           // the sum of squared errors where they were made
}

// levenberg runs Levenberg–Marquardt from the constants p and returns the fitted ones and the
// normal equations at them. A step
//
//	(JᵀJ + μ·diag(JᵀJ)) δ = −Jᵀr
//
// is taken only when it lowers the SSE, so the result is never worse than p. It ends after the
// given number of steps, when a step gains less than tol of the SSE, or when none can be found.
func levenberg[E equations](f leastSquares[E], p []float64, steps int, tol float64) ([]float64, E) {
	eq := f.normal(p)
	mu := 1e-3
	for range steps {
		next, nextMu, ok := descend(f, p, eq, mu)
		if !ok {
			break
		}
		before := eq.squares()
		p, mu = next, nextMu
		eq = f.normal(p)
		if !(before-eq.squares() > tol*before) {
			break
		}
	}
	return p, eq
}

// descend looks for a damping μ whose step lowers the SSE.
func descend[E equations](f leastSquares[E], p []float64, eq E, mu float64) (next []float64, nextMu float64, ok bool) {
	for range 8 {
		if step, solved := eq.step(mu); solved {
			next = make([]float64, len(p))
			for i := range p {
				next[i] = p[i] + step[i]
			}
			if f.sse(next) < eq.squares() {
				return next, math.Max(mu/5, 1e-12), true
			}
		}
		mu *= 8
	}
	return nil, mu, false
}

// lawProblem fits a law. It changes the law's constants as it goes.
type lawProblem struct {
	eval      *evaluator // of the law
	constants []*float64 // of the law
	data      Data
}

func (f lawProblem) set(p []float64) {
	for i, c := range f.constants {
		*c = p[i]
	}
}

func (f lawProblem) normal(p []float64) normal { f.set(p); return f.eval.normal(f.data) }
func (f lawProblem) sse(p []float64) float64   { f.set(p); return f.eval.sse(f.data) }

// fit returns the law in canonical form with its constants fitted, and the normal equations there.
func (l *Law) fit(d Data, steps int, tol float64) (*Law, normal) {
	l = l.canonical()
	f := lawProblem{newEvaluator(l), l.params(), d}
	var p []float64
	for _, c := range f.constants {
		p = append(p, *c)
	}
	p, eq := levenberg(f, p, steps, tol)
	f.set(p)
	if !slices.Equal(l.places(), f.eval.places) {
		eq = l.normal(d) // a constant became 0, or the weight that is held, and others are left
	}
	return l, eq
}

func (eq normal) squares() float64 { return eq.sse }

// step solves the damped normal equations.
func (eq normal) step(mu float64) (delta []float64, ok bool) {
	chol, ok := eq.factorize(mu)
	if !ok {
		return nil, false
	}
	n := eq.jtj.N
	var x mat.VecDense
	if err := chol.SolveVecTo(&x, mat.NewVecDense(n, append([]float64(nil), eq.jtr...))); err != nil {
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

// factorize returns the Cholesky factors of JᵀJ with its diagonal enlarged by the factor 1+μ.
// Constants that the data says nothing about get a diagonal of their own.
func (eq normal) factorize(mu float64) (*mat.Cholesky, bool) {
	n := eq.jtj.N
	if n == 0 || math.IsInf(eq.sse, 0) {
		return nil, false
	}
	var chol mat.Cholesky
	return &chol, chol.Factorize(eq.damped(mu, eq.largest()))
}

// largest returns the largest element of the diagonal of JᵀJ.
func (eq normal) largest() float64 {
	largest := 0.0
	for i := range eq.jtj.N {
		largest = math.Max(largest, eq.jtj.Data[i*eq.jtj.N+i])
	}
	return largest
}

// damped returns JᵀJ with an enlarged diagonal, see [normal.factorize].
func (eq normal) damped(mu, largest float64) *mat.SymDense {
	n := eq.jtj.N
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, eq.jtj.Data[i*n+j])
		}
		diagonal := eq.jtj.Data[i*n+i]
		a.SetSym(i, i, diagonal*(1+mu)+mu*1e-6*largest+1e-300)
	}
	return a
}

// fails reports whether a matrix could not be solved with. That it is ill-conditioned, which gonum returns as an error
// beside a result, is no failure.
func fails(err error) bool {
	_, illConditioned := err.(mat.Condition) //nolint:errorlint // a value, never wrapped
	return err != nil && !illConditioned
}
