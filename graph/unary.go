package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/internal/ptx"
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
type unary[T Float] struct {
	base
	runs []run[T]
	d    []T // f′(z) of the unary rows
}

// run is a run of rows with the same unit; identity rows are in none.
type run[T Float] struct {
	unit     model.Unit
	f        kernel.UnaryFunc[T]
	from, to int // range of numbers within the unary rows
	offset   int // where the unary rows begin
}

func (r run[T]) of(z, d []T) (zr, dr []T) {
	return z[r.offset+r.from : r.offset+r.to], d[r.from:r.to]
}

// unaryKernel returns the kernel of a unary unit, nil for the identity, which needs none, and ok
// = false for what is not a unary unit.
func unaryKernel[T Float](u model.Unit) (f kernel.UnaryFunc[T], ok bool) {
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

func newUnary[T Float](layer int, l model.Layer, batch, lanes int) (*unary[T], error) {
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
			op.runs = append(op.runs, run[T]{unit: l.Unary[i], f: f, from: i * row, to: j * row, offset: 2 * l.Products * row})
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

func (op *unary[T]) ptx(b *block, in []gorgonia.Value) {
	z := Numbers[T](in[0])
	var runs []unitRun
	for _, r := range op.runs {
		zr, dr := r.of(z, op.d)
		runs = append(runs, unitRun{r.unit, b.place(pieceOf(zr)), b.place(pieceOf(dr))})
	}
	b.units(op.key, runs)
}

// unitRun is where the rows of equal units are, and where their slopes go.
type unitRun struct {
	unit model.Unit
	z, d ptx.Span
}

// units writes all units of a layer as one loop, in which a thread branches to the unit of its vector.
func (b *block) units(name string, runs []unitRun) {
	var zs, ds []ptx.Span
	ends := make([]int, len(runs)) // vectors before the next run
	vectors := 0
	for i, r := range runs {
		zs, ds = append(zs, r.z), append(ds, r.d)
		vectors += (r.z.To - r.z.From) / 16
		ends[i] = vectors
	}
	if vectors == 0 {
		return
	}
	b.Phase(name, zs, append(zs[:len(zs):len(zs)], ds...))
	b.Items(vectors, func(item string) {
		end := b.Name("UNITS")
		first := 0
		for i, r := range runs {
			next := b.Name("UNIT")
			last := i+1 == len(runs)
			if !last {
				p := b.Flag()
				b.Emit("setp.ge.u32 %s, %s, %d", p, item, ends[i])
				b.Emit("@%s bra %s", p, next)
			}
			za := b.Address(r.z.From-16*first, ptx.Term{Count: item, Step: 16})
			da := b.Address(r.d.From-16*first, ptx.Term{Count: item, Step: 16})
			y, d := b.unit(r.unit, b.Values(b.Vector, za, 0))
			b.StoreValues(za, 0, y)
			b.StoreValues(da, 0, d)
			if !last {
				b.Emit("bra %s", end)
				b.Label(next)
			}
			first = ends[i]
		}
		b.Label(end)
	})
}

// unit writes a unit's values and slopes.
func (b *block) unit(u model.Unit, x []string) (y, d []string) {
	switch u {
	case model.Sin:
		return b.Circular(x)
	case model.Cos:
		d, y = b.Circular(x)
		for _, r := range d {
			b.Op("neg", r, r)
		}
		return y, d
	}
	y, d = make([]string, len(x)), make([]string, len(x))
	for i := range x {
		switch u {
		case model.Sigmoid:
			y[i], d[i] = b.Sigmoid(x[i])
		case model.Tanh:
			y[i], d[i] = b.Tanh(x[i])
		default:
			b.err = fmt.Errorf("there is no kernel for unit %s on a GPU", u)
			return x, x
		}
	}
	return y, d
}

func (op *unary[T]) owned() []piece { return []piece{pieceOf(op.d)} }

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
type unaryBackward[T Float] struct {
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

func (op *unaryBackward[T]) ptx(b *block, in []gorgonia.Value) {
	dy := Numbers[T](in[1])
	for _, r := range op.forward.runs {
		zr, dr := r.of(dy, op.forward.d)
		b.scale(op.key, b.place(pieceOf(zr)), b.place(pieceOf(dr)))
	}
}

// scale writes z ← z·d.
func (b *block) scale(name string, z, d ptx.Span) {
	b.Phase(name, []ptx.Span{z, d}, []ptx.Span{z})
	b.each([]ptx.Span{z, d}, func(at []string) {
		x, slope := b.Values(b.Vector, at[0], 0), b.Values(b.Vector, at[1], 0)
		for i := range x {
			b.Op("mul.rn", x[i], x[i], slope[i])
		}
		b.StoreValues(at[0], 0, x)
	})
}

func (op *unaryBackward[T]) owned() []piece { return nil }
