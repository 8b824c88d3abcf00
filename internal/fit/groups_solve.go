package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// groupEquations are normal equations in which constants of one group meet those that are shared, and no others:
//
//	S   C₁ᵀ C₂ᵀ …        S of the shared constants, with the SSE of all groups
//	C₁  B₁               B of those of a group
//	C₂      B₂           C between the two, a row for each constant of the group
type groupEquations struct {
	shared  Normal
	own     []Normal
	between [][]float64
}

func (eq groupEquations) squares() float64 { return eq.shared.SSE }

// step solves them with the damping μ, so that the work grows with the number of groups and not with its cube.
func (eq groupEquations) step(mu float64) (delta []float64, ok bool) {
	rest, solved, ok := eq.reduced(mu)
	if !ok {
		return nil, false
	}
	s := rest.JTJ.N
	if delta = make([]float64, s); s > 0 {
		if delta, ok = rest.step(0); !ok {
			return nil, false
		}
	}
	for _, e := range solved {
		for i, y := range e.y {
			for j := range s {
				y += e.x[i*s+j] * delta[j]
			}
			if math.IsNaN(y) || math.IsInf(y, 0) {
				return nil, false
			}
			delta = append(delta, -y)
		}
	}
	return delta, true
}

// reduced eliminates the constants of one group after the other, and returns what is left for the shared ones,
// (S − Σ CᵀB⁻¹C)·δ = −(r − Σ CᵀB⁻¹r₁).
func (eq groupEquations) reduced(mu float64) (rest Normal, solved []eliminated, ok bool) {
	if math.IsInf(eq.shared.SSE, 0) {
		return rest, nil, false
	}
	largest := eq.shared.largest()
	for _, b := range eq.own {
		largest = math.Max(largest, b.largest())
	}
	s := eq.shared.JTJ.N
	rest = newNormal(s)
	copy(rest.JTR, eq.shared.JTR)
	if s > 0 {
		a := eq.shared.damped(mu, largest)
		for i := range s {
			for j := i; j < s; j++ {
				rest.JTJ.Data[i*s+j] = a.At(i, j)
			}
		}
	}
	solved = make([]eliminated, len(eq.own))
	for g, b := range eq.own {
		if solved[g], ok = b.eliminate(eq.between[g], s, mu, largest); !ok {
			return rest, nil, false
		}
		solved[g].takeFrom(&rest, eq.between[g])
	}
	return rest, solved, true
}

// eliminated are the constants of a group as a function of the shared ones: −(y + x·δ).
type eliminated struct{ x, y []float64 }

// eliminate solves the damped equations of a group for its constants.
func (eq Normal) eliminate(between []float64, shared int, mu, largest float64) (e eliminated, ok bool) {
	n := eq.JTJ.N
	if n == 0 {
		return e, true
	}
	var chol mat.Cholesky
	if !chol.Factorize(eq.damped(mu, largest)) {
		return e, false
	}
	right := mat.NewDense(n, shared+1, nil)
	for i := range n {
		for j := range shared {
			right.Set(i, j, between[i*shared+j])
		}
		right.Set(i, shared, eq.JTR[i])
	}
	var x mat.Dense
	if err := chol.SolveTo(&x, right); err != nil {
		return e, false // ill-conditioned: a larger μ mends it
	}
	for i := range n {
		row := x.RawRowView(i)
		e.x, e.y = append(e.x, row[:shared]...), append(e.y, row[shared])
	}
	return e, true
}

// takeFrom takes what a group says of the shared constants from their equations.
func (e eliminated) takeFrom(rest *Normal, between []float64) {
	s := rest.JTJ.N
	for i, y := range e.y {
		for j := range s {
			c := between[i*s+j]
			rest.JTR[j] -= c * y
			for k := j; k < s; k++ {
				rest.JTJ.Data[j*s+k] -= c * e.x[i*s+k]
			}
		}
	}
}
