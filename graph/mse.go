package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/eqlearner/eql/internal/kernel"
)

// mse is the data term of the loss, the mean over samples and outputs, one value a lane:
//
//	loss_e = Σ_{o,b} (p[o,b,e] − y[o,b])² / (outputs·batch)
//	p̄      = 2·(p − y) / (outputs·batch)
//
// Gorgonia differentiates scalars, so the output is Σ_e loss_e; since no lane reads another,
// its gradient holds the gradient of each lane. The losses are read from losses. A lane whose
// weight in alive is 0 is frozen: it counts for nothing in the sum and gets no gradient.
//
// Shapes: p is (outputs, batch, lanes), y (outputs, batch), shared by all lanes.
type mse[T kernel.Float] struct {
	base
	losses []T
	alive  []T           // 1, or 0 for a frozen lane
	dp     *tensor.Dense // gradient of the input
	sum32  *gorgonia.F32
	sum64  *gorgonia.F64
}

var _ gorgonia.SDOp = (*mse[float32])(nil)

func newMSE[T kernel.Float](outputs, batch, lanes int) *mse[T] {
	op := &mse[T]{
		base: base{
			key:   fmt.Sprintf("MSE{outputs=%d, batch=%d, lanes=%d}", outputs, batch, lanes),
			dims:  []int{3, 2},
			shape: tensor.ScalarShape(),
		},
		losses: make([]T, lanes),
		alive:  make([]T, lanes),
		dp:     view(make([]T, outputs*batch*lanes), outputs, batch, lanes),
		sum32:  gorgonia.NewF32(0),
		sum64:  gorgonia.NewF64(0),
	}
	for e := range op.alive {
		op.alive[e] = 1
	}
	return op
}

// Do takes p and y.
func (op *mse[T]) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	kernel.SquaredError(op.losses, Numbers[T](in[0]), Numbers[T](in[1]), len(op.losses))
	var sum T
	for e, loss := range op.losses {
		if op.alive[e] != 0 {
			sum += loss
		}
	}
	if in[0].Dtype() == tensor.Float32 {
		*op.sum32 = gorgonia.F32(sum)
		return op.sum32, nil
	}
	*op.sum64 = gorgonia.F64(sum)
	return op.sum64, nil
}

func (op *mse[T]) DiffWRT(int) []bool { return []bool{true, false} }

func (op *mse[T]) SymDiff(in gorgonia.Nodes, _, dsum *gorgonia.Node) (gorgonia.Nodes, error) {
	back := &mseBackward[T]{
		base:    base{key: op.key + ".backward", dims: []int{3, 2, 0}, shape: op.dp.Shape()},
		forward: op,
	}
	dp, err := gorgonia.ApplyOp(back, in[0], in[1], dsum)
	return gorgonia.Nodes{dp, nil}, err
}

// mseBackward is p̄ of [mse]. The gradient of the sum is the constant 1 that Gorgonia starts from.
type mseBackward[T kernel.Float] struct {
	base
	forward *mse[T]
}

// Do takes p, y and the gradient of the sum.
func (op *mseBackward[T]) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	f := op.forward
	kernel.SquaredErrorBackward(Numbers[T](f.dp), Numbers[T](in[0]), Numbers[T](in[1]), f.alive, len(f.alive))
	return f.dp, nil
}
