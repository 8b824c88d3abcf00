package distill

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// fit runs Levenberg–Marquardt on the constants of a law and returns the fitted law with the
// normal equations at it. A step
//
//	(JᵀJ + μ·diag(JᵀJ)) δ = −Jᵀr
//
// is taken only when it lowers the SSE, so the result is never worse than l. It ends after the
// given number of steps, when a step gains less than tol of the SSE, or when none can be found.
func (l *Law) fit(d Data, steps int, tol float64) (*Law, normal) {
	l = l.clone()
	eq := l.normal(d)
	mu := 1e-3
	for range steps {
		next, nextMu, ok := l.descend(eq, d, mu)
		if !ok {
			break
		}
		before := eq.sse
		l, mu = next, nextMu
		eq = l.normal(d)
		if !(before-eq.sse > tol*before) {
			break
		}
	}
	return l, eq
}

// descend looks for a damping μ whose step lowers the SSE.
func (l *Law) descend(eq normal, d Data, mu float64) (next *Law, nextMu float64, ok bool) {
	for range 8 {
		if step, solved := eq.step(mu); solved {
			next = l.clone()
			for i, p := range next.params() {
				*p += step[i]
			}
			if next.SSE(d) < eq.sse {
				return next, math.Max(mu/5, 1e-12), true
			}
		}
		mu *= 8
	}
	return nil, mu, false
}

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
	a := mat.NewSymDense(n, nil)
	largest := 0.0
	for i := range n {
		largest = math.Max(largest, eq.jtj.Data[i*n+i])
	}
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, eq.jtj.Data[i*n+j])
		}
		diagonal := eq.jtj.Data[i*n+i]
		a.SetSym(i, i, diagonal*(1+mu)+mu*1e-6*largest+1e-300)
	}
	var chol mat.Cholesky
	return &chol, chol.Factorize(a)
}
