package graph

import (
	"fmt"
	"sync"

	_ "go4.org/unsafe/assume-no-moving-gc" // gorgonia needs a version that knows this Go
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
)

// Float is the precision that a graph computes in.
type Float interface{ float32 | float64 }

// A Graph is a number of networks of one architecture, its lanes, as a Gorgonia expression graph
// of their losses and gradients over one minibatch.
type Graph[T Float] struct {
	Arch  model.Arch
	Batch int
	Lanes int

	expr    *gorgonia.ExprGraph
	x, y    *gorgonia.Node
	weights gorgonia.Nodes
	grads   gorgonia.Nodes
	loss    *gorgonia.Node
	mse     *mse[T]
}

// building guards the construction of graphs: Gorgonia hashes through a package variable.
var building sync.Mutex

// Build returns the graph of lanes networks for minibatches of the given size, in the precision
// of T. All weights are zero. lanes must be a multiple of 4.
func Build[T Float](a model.Arch, batch, lanes int) (*Graph[T], error) {
	if err := a.Validate(); err != nil {
		return nil, err
	}
	if batch < 1 || lanes < 1 || lanes%kernel.Block != 0 {
		return nil, fmt.Errorf("batch is %d and lanes %d, want a batch of at least 1 and lanes in multiples of %d",
			batch, lanes, kernel.Block)
	}
	building.Lock()
	defer building.Unlock()

	g := &Graph[T]{Arch: a, Batch: batch, Lanes: lanes, expr: gorgonia.NewGraph()}
	g.x = g.variable("x", a.Inputs, batch)
	g.y = g.variable("y", a.Outputs, batch)
	h, dh := g.x, (*tensor.Dense)(nil)
	for l, layer := range a.Hidden {
		var err error
		if h, dh, err = g.hidden(l, layer, h, dh); err != nil {
			return nil, err
		}
	}
	last := len(a.Hidden)
	out := view(make([]T, a.Outputs*batch*lanes), a.Outputs, batch, lanes)
	p, err := g.affine(last, h, out, dh)
	if err != nil {
		return nil, err
	}
	g.mse = newMSE[T](a.Outputs, batch, lanes)
	if g.loss, err = gorgonia.ApplyOp(g.mse, p, g.y); err != nil {
		return nil, err
	}
	g.grads, err = gorgonia.Grad(g.loss, g.weights...)
	return g, err
}

// hidden appends hidden layer l, which is a chain of operations: [affine], [unary], [mulUnit].
// It returns the layer's output and the memory for that output's gradient.
func (g *Graph[T]) hidden(
	l int, layer model.Layer, h *gorgonia.Node, dh *tensor.Dense,
) (*gorgonia.Node, *tensor.Dense, error) {
	value := newBuffers[T](2*layer.Products, len(layer.Unary), layer.Products, g.Batch, g.Lanes)
	grad := newBuffers[T](2*layer.Products, len(layer.Unary), layer.Products, g.Batch, g.Lanes)
	h, err := g.affine(l, h, value.z, dh)
	if err != nil {
		return nil, nil, err
	}
	if len(layer.Unary) > 0 {
		op, err := newUnary[T](l, layer, g.Batch, g.Lanes)
		if err != nil {
			return nil, nil, err
		}
		if h, err = gorgonia.ApplyOp(op, h); err != nil {
			return nil, nil, err
		}
	}
	if layer.Products > 0 {
		if h, err = gorgonia.ApplyOp(newMulUnit[T](l, layer, g.Batch, g.Lanes, value.y, grad.z), h); err != nil {
			return nil, nil, err
		}
	}
	return h, grad.y, nil
}

// affine appends the weights of layer l and their product with h, written to z.
func (g *Graph[T]) affine(l int, h *gorgonia.Node, z, dh *tensor.Dense) (*gorgonia.Node, error) {
	rows, in := g.Arch.Rows(l), g.Arch.In(l)
	w := g.variable(fmt.Sprintf("w%d", l), rows, in+1, g.Lanes)
	g.weights = append(g.weights, w)
	size := kernel.Shape{Rows: rows, In: in, Batch: g.Batch, Lanes: g.Lanes}
	return gorgonia.ApplyOp(newAffine[T](l, size, l == 0, z, dh), w, h)
}

// variable adds an input to the graph, with its memory. Names must be unique: Gorgonia merges
// variables of equal names.
func (g *Graph[T]) variable(name string, shape ...int) *gorgonia.Node {
	v := view(make([]T, tensor.Shape(shape).TotalSize()), shape...)
	return gorgonia.NewTensor(g.expr, v.Dtype(), len(shape), gorgonia.WithShape(shape...), gorgonia.WithName(name),
		gorgonia.WithValue(v))
}
