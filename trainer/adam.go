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
type Adam[T graph.Float] struct {
	course
	lambda  []T // one a lane
	noLimit []T // zeros: λ in the phases without penalty
	m, v    [][]T
}

// course is where training stands in its schedule.
type course struct {
	config Config
	total  int     // update steps in all
	t      int     // update steps done
	b1, b2 float64 // β₁ᵗ and β₂ᵗ, multiplied up step by step
}

var _ gorgonia.Solver = (*Adam[float32])(nil)

// NewAdam returns the solver for lanes with the given λ, at step 0 of total.
func NewAdam[T graph.Float](c Config, lambda []float64, total int) *Adam[T] {
	a := &Adam[T]{course: course{config: c, total: total, b1: 1, b2: 1}, lambda: make([]T, len(lambda)),
		noLimit: make([]T, len(lambda))}
	for e, l := range lambda {
		a.lambda[e] = T(l)
	}
	return a
}

// Phase returns the phase that the next step is in.
func (c *course) Phase() Phase { return c.config.Schedule.At(c.t, c.total) }

// Step updates the weights of all lanes once. The model is that of [graph.Graph.Model].
func (a *Adam[T]) Step(model []gorgonia.ValueGrad) error {
	if a.m == nil {
		a.allocate(model)
	}
	u := next[T](&a.course)
	step := kernel.AdamStep[T]{Rate: u.Rate, Epsilon: u.Epsilon, OneLessB1: u.OneLessB1, OneLessB2: u.OneLessB2,
		Mask: u.Mask}
	lambda := a.noLimit
	if u.Penalty {
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

// next counts a step and returns what it needs.
func next[T graph.Float](c *course) graph.Update[T] {
	phase := c.Phase()
	c.advance()
	root := math.Sqrt(1 - c.b2)
	u := graph.Update[T]{
		Rate:      T(c.config.LearnRate * root / (1 - c.b1)),
		Epsilon:   T(c.config.Epsilon * root),
		OneLessB1: T(1 - c.config.Beta1),
		OneLessB2: T(1 - c.config.Beta2),
		Penalty:   phase.Penalty,
	}
	if c.config.HoldZeros {
		u.Mask = zeros
	}
	if phase.Mask {
		u.Mask = max(u.Mask, T(c.config.Mask))
	}
	return u
}

// zeros is a mask that only zero is below: smaller than any weight that training leaves, and still
// a normal number in float32.
const zeros = 1e-30

// advance counts a step. Resuming counts the steps done in the same way, so that the powers have
// the same bits.
func (c *course) advance() {
	c.t++
	c.b1 *= c.config.Beta1
	c.b2 *= c.config.Beta2
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
