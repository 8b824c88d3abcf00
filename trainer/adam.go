package trainer

import (
	"math"

	"gorgonia.org/gorgonia"

	"github.com/eqlearner/eql/graph"
	"github.com/eqlearner/eql/internal/kernel"
)

// Adam is the solver: Adam's update of every lane, with the lane's own L1 penalty and the L0 mask
// in the phases that have them. The data term's gradient comes from the graph; the penalty's,
// λ·sign(W), is added here, to weights only and never to biases.
//
// Source: Kingma and Ba, ICLR 2015, algorithm 1 in the form of its section 2; Martius and Lampert
// 2016, §3.2, for penalty and mask.
type Adam[T kernel.Float] struct {
	config  Config
	total   int     // update steps in all
	t       int     // update steps done
	b1, b2  float64 // β₁ᵗ and β₂ᵗ, multiplied up step by step
	lambda  []T     // one a lane
	noLimit []T     // zeros: λ in the phases without penalty
	m, v    [][]T
}

var _ gorgonia.Solver = (*Adam[float32])(nil)

// NewAdam returns the solver for lanes with the given λ, at step 0 of total.
func NewAdam[T kernel.Float](c Config, lambda []float64, total int) *Adam[T] {
	a := &Adam[T]{config: c, total: total, b1: 1, b2: 1, lambda: make([]T, len(lambda)), noLimit: make([]T, len(lambda))}
	for e, l := range lambda {
		a.lambda[e] = T(l)
	}
	return a
}

// Phase returns the phase that the next step is in.
func (a *Adam[T]) Phase() Phase { return a.config.Schedule.At(a.t, a.total) }

// Step updates the weights of all lanes once. The model is that of [graph.Graph.Model].
func (a *Adam[T]) Step(model []gorgonia.ValueGrad) error {
	if a.m == nil {
		a.allocate(model)
	}
	phase := a.Phase()
	a.advance()
	c := a.config
	root := math.Sqrt(1 - a.b2)
	step := kernel.AdamStep[T]{
		Rate:      T(c.LearnRate * root / (1 - a.b1)),
		Epsilon:   T(c.Epsilon * root),
		OneLessB1: T(1 - c.Beta1),
		OneLessB2: T(1 - c.Beta2),
	}
	if c.HoldZeros {
		step.Mask = zeros
	}
	if phase.Mask {
		step.Mask = max(step.Mask, T(c.Mask))
	}
	lambda := a.noLimit
	if phase.Penalty {
		lambda = a.lambda
	}
	for l, p := range model {
		grad, err := p.Grad()
		if err != nil {
			return err
		}
		w := p.Value()
		shape := w.Shape()
		size := kernel.Shape{Rows: shape[0], In: shape[1] - 1, Lanes: shape[2]}
		kernel.Adam(graph.Numbers[T](w), graph.Numbers[T](grad), a.m[l], a.v[l], lambda, step, size)
	}
	return nil
}

// zeros is a mask that only zero is below: smaller than any weight that training leaves, and still
// a normal number in float32.
const zeros = 1e-30

// advance counts a step. Resuming counts the steps done in the same way, so that the powers have
// the same bits.
func (a *Adam[T]) advance() {
	a.t++
	a.b1 *= a.config.Beta1
	a.b2 *= a.config.Beta2
}

func (a *Adam[T]) allocate(model []gorgonia.ValueGrad) {
	for _, p := range model {
		n := p.Value().Shape().TotalSize()
		a.m, a.v = append(a.m, make([]T, n)), append(a.v, make([]T, n))
	}
}

// freeze clears the moments of a lane, so that its update is zero from now on.
func (a *Adam[T]) freeze(lane int) {
	lanes := len(a.lambda)
	for l := range a.m {
		for i := lane; i < len(a.m[l]); i += lanes {
			a.m[l][i], a.v[l][i] = 0, 0
		}
	}
}
