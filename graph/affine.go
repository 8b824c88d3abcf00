package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/internal/ptx"
)

// affine is the linear part of a layer, in each lane:
//
//	z  = W·y + b
//	W̄  = z̄·yᵀ     b̄ = Σ_batch z̄
//	ȳ  = Wᵀ·z̄
//
// Shapes: W and W̄ are (rows, in+1, lanes) with the bias as the last column, y and ȳ are
// (in, batch, lanes), z and z̄ (rows, batch, lanes). In the first layer y is the minibatch x, of
// shape (in, batch) and shared by all lanes; no gradient goes into it.
//
// Source: Martius and Lampert 2016, equation 2.
type affine[T Float] struct {
	base
	layer  int
	size   kernel.Shape
	shared bool
	z      *tensor.Dense // output
	dy     *tensor.Dense // where the gradient of the input goes; nil when shared
}

var _ gorgonia.SDOp = (*affine[float32])(nil)

func newAffine[T Float](layer int, size kernel.Shape, shared bool, z, dy *tensor.Dense) *affine[T] {
	yDims := 3
	if shared {
		yDims = 2
	}
	return &affine[T]{
		base: base{
			key:   fmt.Sprintf("Affine{layer=%d, %+v, shared=%t}", layer, size, shared),
			dims:  []int{3, yDims},
			shape: tensor.Shape{size.Rows, size.Batch, size.Lanes},
		},
		layer: layer, size: size, shared: shared, z: z, dy: dy,
	}
}

// Do takes W and y.
func (op *affine[T]) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	z, w, y := Numbers[T](op.z), Numbers[T](in[0]), Numbers[T](in[1])
	if op.shared {
		kernel.AffineForwardShared(z, w, y, op.size)
	} else {
		kernel.AffineForward(z, w, y, op.size)
	}
	return op.z, nil
}

func (op *affine[T]) ptx(b *block, in []gorgonia.Value) {
	s, w, y, z := op.size, b.at(in[0]), b.at(in[1]), b.at(op.z)
	b.Phase(op.key, []ptx.Span{w, y}, []ptx.Span{z})
	b.product(product{c: z, a: w, b: y, rows: s.Rows, depth: s.In, rowStep: s.In + 1, termStep: 1, bias: s.In})
}

func (op *affine[T]) owned() []piece {
	if op.dy == nil {
		return []piece{pieceOf(Numbers[T](op.z))}
	}
	return []piece{pieceOf(Numbers[T](op.z)), pieceOf(Numbers[T](op.dy))}
}

func (op *affine[T]) DiffWRT(int) []bool { return []bool{true, !op.shared} }

func (op *affine[T]) SymDiff(in gorgonia.Nodes, _, dz *gorgonia.Node) (gorgonia.Nodes, error) {
	dw, err := gorgonia.ApplyOp(newAffineWeights(op), in[1], dz)
	if err != nil || op.shared {
		return gorgonia.Nodes{dw, nil}, err
	}
	dy, err := gorgonia.ApplyOp(newAffineInput(op), in[0], dz)
	return gorgonia.Nodes{dw, dy}, err
}

// affineWeights is W̄ and b̄ of [affine].
type affineWeights[T Float] struct {
	base
	layer  int
	size   kernel.Shape
	shared bool
	dw     *tensor.Dense
}

func newAffineWeights[T Float](op *affine[T]) *affineWeights[T] {
	s := op.size
	return &affineWeights[T]{
		base: base{
			key:   op.key + ".weights",
			dims:  []int{op.dims[1], 3},
			shape: tensor.Shape{s.Rows, s.In + 1, s.Lanes},
		},
		layer: op.layer, size: s, shared: op.shared,
		dw: view(make([]T, s.Weights()), s.Rows, s.In+1, s.Lanes),
	}
}

// Do takes y and z̄.
func (op *affineWeights[T]) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	dw, y, dz := Numbers[T](op.dw), Numbers[T](in[0]), Numbers[T](in[1])
	if op.shared {
		kernel.AffineWeightsShared(dw, dz, y, op.size)
	} else {
		kernel.AffineWeights(dw, dz, y, op.size)
	}
	return op.dw, nil
}

// ptx writes the update too: in a kernel the gradient never leaves the registers. The gradient of a first layer's input
// is not computed, so its weights are read forward only.
func (op *affineWeights[T]) ptx(b *block, in []gorgonia.Value) {
	y, dz := b.at(in[0]), b.at(in[1])
	update := func() { b.update(op.layer, op.size, y, dz) }
	if op.shared {
		update()
		return
	}
	b.unreadThen(op.layer, update)
}

func (op *affineWeights[T]) owned() []piece { return nil }

// affineInput is ȳ of [affine].
type affineInput[T Float] struct {
	base
	layer int
	size  kernel.Shape
	dy    *tensor.Dense
}

func newAffineInput[T Float](op *affine[T]) *affineInput[T] {
	s := op.size
	return &affineInput[T]{
		base: base{
			key:   op.key + ".input",
			dims:  []int{3, 3},
			shape: tensor.Shape{s.In, s.Batch, s.Lanes},
		},
		layer: op.layer, size: s, dy: op.dy,
	}
}

// Do takes W and z̄.
func (op *affineInput[T]) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	kernel.AffineInput(Numbers[T](op.dy), Numbers[T](in[0]), Numbers[T](in[1]), op.size)
	return op.dy, nil
}

func (op *affineInput[T]) ptx(b *block, in []gorgonia.Value) {
	s, w, dz, dy := op.size, b.at(in[0]), b.at(in[1]), b.at(op.dy)
	b.Phase(op.key, []ptx.Span{w, dz}, []ptx.Span{dy})
	b.product(product{c: dy, a: w, b: dz, rows: s.In, depth: s.Rows, rowStep: 1, termStep: s.In + 1, bias: -1})
	b.lastRead(op.layer)
}

func (op *affineInput[T]) owned() []piece { return nil }
