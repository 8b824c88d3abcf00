package graph

import (
	"fmt"
	"unsafe"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/internal/ptx"
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
type mse[T Float] struct {
	base
	losses []T
	alive  []T           // 1, or 0 for a frozen lane
	dp     *tensor.Dense // gradient of the input
	sum32  *gorgonia.F32
	sum64  *gorgonia.F64
}

var _ gorgonia.SDOp = (*mse[float32])(nil)

func newMSE[T Float](outputs, batch, lanes int) *mse[T] {
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
	return op.total(), nil
}

// total returns the sum of the losses of the lanes that are not frozen.
func (op *mse[T]) total() gorgonia.Value {
	var sum T
	for e, loss := range op.losses {
		if op.alive[e] != 0 {
			sum += loss
		}
	}
	if unsafe.Sizeof(sum) == 4 {
		*op.sum32 = gorgonia.F32(sum)
		return op.sum32
	}
	*op.sum64 = gorgonia.F64(sum)
	return op.sum64
}

// clearFrozen sets the gradients of frozen lanes, (…, lanes), to zero.
func (op *mse[T]) clearFrozen(gradient []T) {
	for e, alive := range op.alive {
		for i := e; alive == 0 && i < len(gradient); i += len(op.alive) {
			gradient[i] = 0
		}
	}
}

func (op *mse[T]) ptx(b *block, in []gorgonia.Value) {
	b.squaredError(op.key, b.at(in[0]), b.at(in[1]), float64(1/T(b.arch.Outputs*b.batch)))
}

// squaredError lets the last thread add up the loss, in order, while the others go on.
func (b *block) squaredError(name string, p, y ptx.Span, scale float64) {
	b.Phase(name, []ptx.Span{p, y}, []ptx.Span{{From: b.loss, To: b.loss + b.Size}})
	end := b.Name("LOSS")
	b.Emit("@!%%last bra %s", end)
	pa, ya, sum := b.Address(p.From), b.Address(y.From), b.Number()
	b.Op("mov", sum, b.Literal(0))
	row := b.padded * b.Size
	b.Loop(b.arch.Outputs, 1, func(o int, count string) {
		pa, ya := b.Shift(pa, count, row), b.Shift(ya, count, row)
		for first := 0; first < b.batch; first += b.Vector {
			x, t := b.Values(b.Vector, pa, o*row+first*b.Size), b.Values(b.Vector, ya, o*row+first*b.Size)
			for i := range min(b.Vector, b.batch-first) {
				b.Op("sub.rn", x[i], x[i], t[i])
				b.Op("fma.rn", sum, x[i], x[i], sum)
			}
		}
	})
	b.Op("mul.rn", sum, sum, b.Literal(scale))
	b.Store(b.Address(b.loss), 0, sum)
	b.addLoss(sum)
	b.Label(end)
}

func (op *mse[T]) owned() []piece { return []piece{pieceOf(Numbers[T](op.dp))} }

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
type mseBackward[T Float] struct {
	base
	forward *mse[T]
}

// Do takes p, y and the gradient of the sum.
func (op *mseBackward[T]) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	f := op.forward
	kernel.SquaredErrorBackward(Numbers[T](f.dp), Numbers[T](in[0]), Numbers[T](in[1]), f.alive, len(f.alive))
	return f.dp, nil
}

func (op *mseBackward[T]) ptx(b *block, in []gorgonia.Value) {
	b.squaredErrorBackward(op.key, b.at(in[0]), b.at(in[1]), b.at(op.forward.dp), float64(2/T(b.arch.Outputs*b.batch)))
}

// squaredErrorBackward writes where a step without an update ends, too. There is no weight for frozen lanes: their
// blocks have ended.
func (b *block) squaredErrorBackward(name string, p, y, dp ptx.Span, scale float64) {
	b.Emit("@%%noupdate bra NEXT")
	b.Phase(name, []ptx.Span{p, y}, []ptx.Span{dp})
	b.each([]ptx.Span{p, y, dp}, func(at []string) {
		x, t := b.Values(b.Vector, at[0], 0), b.Values(b.Vector, at[1], 0)
		for i := range x {
			b.Op("sub.rn", x[i], x[i], t[i])
			b.Op("mul.rn", x[i], b.Literal(scale), x[i])
		}
		b.StoreValues(at[2], 0, x)
	})
}

func (op *mseBackward[T]) owned() []piece { return nil }
