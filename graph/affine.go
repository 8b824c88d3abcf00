package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/eqlearner/eql/internal/kernel"
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
type affine[T kernel.Float] struct {
	base
	size   kernel.Shape
	shared bool
	z      *tensor.Dense // output
	dy     *tensor.Dense // where the gradient of the input goes; nil when shared
}

var _ gorgonia.SDOp = (*affine[float32])(nil)

func newAffine[T kernel.Float](layer int, size kernel.Shape, shared bool, z, dy *tensor.Dense) *affine[T] {
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
		size: size, shared: shared, z: z, dy: dy,
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
type affineWeights[T kernel.Float] struct {
	base
	size   kernel.Shape
	shared bool
	dw     *tensor.Dense
}

func newAffineWeights[T kernel.Float](op *affine[T]) *affineWeights[T] {
	s := op.size
	return &affineWeights[T]{
		base: base{
			key:   op.key + ".weights",
			dims:  []int{op.dims[1], 3},
			shape: tensor.Shape{s.Rows, s.In + 1, s.Lanes},
		},
		size: s, shared: op.shared,
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

// affineInput is ȳ of [affine].
type affineInput[T kernel.Float] struct {
	base
	size kernel.Shape
	dy   *tensor.Dense
}

func newAffineInput[T kernel.Float](op *affine[T]) *affineInput[T] {
	s := op.size
	return &affineInput[T]{
		base: base{
			key:   op.key + ".input",
			dims:  []int{3, 3},
			shape: tensor.Shape{s.In, s.Batch, s.Lanes},
		},
		size: s, dy: op.dy,
	}
}

// Do takes W and z̄.
func (op *affineInput[T]) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	kernel.AffineInput(Numbers[T](op.dy), Numbers[T](in[0]), Numbers[T](in[1]), op.size)
	return op.dy, nil
}
