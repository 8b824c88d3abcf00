package graph

import (
	"gorgonia.org/gorgonia"

	"github.com/eqlearner/eql/model"
)

// Input returns the memory of the minibatch, (inputs, batch) in scaled units: fill it before a run.
func (g *Graph[T]) Input() []T { return Numbers[T](g.x.Value()) }

// Target returns the memory of the minibatch's targets, (outputs, batch) in scaled units.
func (g *Graph[T]) Target() []T { return Numbers[T](g.y.Value()) }

// Losses returns the loss of each lane in the last run. It changes with the next.
func (g *Graph[T]) Losses() []T { return g.mse.losses }

// Freeze takes a lane out: its weights become zero and it gets no gradient from now on.
func (g *Graph[T]) Freeze(lane int) {
	g.mse.alive[lane] = 0
	for _, n := range g.weights {
		w := Numbers[T](n.Value())
		for i := lane; i < len(w); i += g.Lanes {
			w[i] = 0
		}
	}
}

// Model returns what a [gorgonia.Solver] updates: for each layer the weights and their gradient,
// both (rows, in+1, lanes).
func (g *Graph[T]) Model() []gorgonia.ValueGrad {
	m := make([]gorgonia.ValueGrad, len(g.weights))
	for l := range m {
		m[l] = parameter{g.weights[l], g.grads[l]}
	}
	return m
}

// parameter joins a variable and the node of its gradient.
type parameter struct{ value, grad *gorgonia.Node }

func (p parameter) Value() gorgonia.Value         { return p.value.Value() }
func (p parameter) Grad() (gorgonia.Value, error) { return p.grad.Value(), nil }

// SetNetwork copies the weights of n, which must have the graph's architecture, into a lane.
func (g *Graph[T]) SetNetwork(lane int, n *model.Network) {
	for l, node := range g.weights {
		w := Numbers[T](node.Value())
		for i, x := range n.Weights[l].W {
			w[i*g.Lanes+lane] = T(x)
		}
	}
}

// Network copies the weights of a lane into n, which must have the graph's architecture.
func (g *Graph[T]) Network(lane int, n *model.Network) {
	for l, node := range g.weights {
		w := Numbers[T](node.Value())
		for i := range n.Weights[l].W {
			n.Weights[l].W[i] = float64(w[i*g.Lanes+lane])
		}
	}
}

// Weights returns the memory of the weights of layer l, (rows, in+1, lanes).
func (g *Graph[T]) Weights(l int) []T { return Numbers[T](g.weights[l].Value()) }
