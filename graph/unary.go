package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
)

// unary applies the unary units of a layer to their rows of z and passes the factors of the
// products through:
//
//	y_i = f_i(z_i)
//	z̄_i = ȳ_i · f_i′(z_i)
//
// Shapes: z, y and their gradients are (2v+u, batch, lanes): 2v factors, then u unary rows. Both
// directions rewrite their input in place, so a pass touches only the rows it changes; f′ is kept
// from the forward pass, because z is gone by then.
//
// Source: Martius and Lampert 2016, equations 3 and 4.
type unary[T kernel.Float] struct {
	base
	runs []run[T]
	d    []T // f′(z) of the unary rows
}

// run is a run of rows with the same unit; identity rows are in none.
type run[T kernel.Float] struct {
	f        kernel.UnaryFunc[T]
	from, to int // range of numbers within the unary rows
	offset   int // where the unary rows begin
}

func (r run[T]) of(z, d []T) (zr, dr []T) {
	return z[r.offset+r.from : r.offset+r.to], d[r.from:r.to]
}

// unaryKernel returns the kernel of a unary unit, nil for the identity, which needs none, and ok
// = false for what is not a unary unit.
func unaryKernel[T kernel.Float](u model.Unit) (f kernel.UnaryFunc[T], ok bool) {
	switch u {
	case model.Identity:
		return nil, true
	case model.Sin:
		return kernel.Sin[T], true
	case model.Cos:
		return kernel.Cos[T], true
	case model.Sigmoid:
		return kernel.Sigmoid[T], true
	case model.Tanh:
		return kernel.Tanh[T], true
	}
	return nil, false
}

var _ gorgonia.SDOp = (*unary[float32])(nil)

func newUnary[T kernel.Float](layer int, l model.Layer, batch, lanes int) (*unary[T], error) {
	row := batch * lanes
	op := &unary[T]{
		base: base{
			key:   fmt.Sprintf("Unary{layer=%d, %v, batch=%d, lanes=%d}", layer, l, batch, lanes),
			dims:  []int{3},
			shape: tensor.Shape{l.Rows(), batch, lanes},
		},
		d: make([]T, len(l.Unary)*row),
	}
	for i := 0; i < len(l.Unary); {
		j := i
		for j < len(l.Unary) && l.Unary[j] == l.Unary[i] {
			j++
		}
		f, ok := unaryKernel[T](l.Unary[i])
		if !ok {
			return nil, fmt.Errorf("layer %d: there is no kernel for unit %s", layer, l.Unary[i])
		}
		if f != nil {
			op.runs = append(op.runs, run[T]{f: f, from: i * row, to: j * row, offset: 2 * l.Products * row})
		}
		i = j
	}
	return op, nil
}

// Do takes z and rewrites it.
func (op *unary[T]) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	z := Numbers[T](in[0])
	for _, r := range op.runs {
		r.f(r.of(z, op.d))
	}
	return in[0], nil
}

func (op *unary[T]) DiffWRT(int) []bool { return []bool{true} }

func (op *unary[T]) SymDiff(_ gorgonia.Nodes, y, dy *gorgonia.Node) (gorgonia.Nodes, error) {
	back := &unaryBackward[T]{
		base:    base{key: op.key + ".backward", dims: []int{3, 3}, shape: op.shape},
		forward: op,
	}
	dz, err := gorgonia.ApplyOp(back, y, dy) // y is there to order it after the forward pass
	return gorgonia.Nodes{dz}, err
}

// unaryBackward is z̄ of [unary].
type unaryBackward[T kernel.Float] struct {
	base
	forward *unary[T]
}

// Do takes y and ȳ and rewrites ȳ.
func (op *unaryBackward[T]) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	dy := Numbers[T](in[1])
	for _, r := range op.forward.runs {
		kernel.Scale(r.of(dy, op.forward.d))
	}
	return in[1], nil
}
