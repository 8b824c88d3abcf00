package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/internal/ptx"
	"github.com/eqlearner/eql/model"
)

// mulUnit is the paper's multiplication unit, v of them:
//
//	p_j = a_j·b_j
//	ā_j = p̄_j·b_j     b̄_j = p̄_j·a_j
//
// Shapes: the input holds the layer's 2v factors a₁ b₁ … a_v b_v and its u unary rows,
// (2v+u, batch, lanes); the output the u unary rows and the v products, (u+v, batch, lanes).
// Both are views of one buffer in which the unary rows are shared, so only products are written
// forward and only factors backward.
//
// Source: Martius and Lampert 2016, equation 5.
type mulUnit[T Float] struct {
	base
	layer      model.Layer
	row        int           // batch·lanes
	y          *tensor.Dense // output
	dzOfLayer  *tensor.Dense // gradient of the input
	inputShape tensor.Shape
}

var _ gorgonia.SDOp = (*mulUnit[float32])(nil)

func newMulUnit[T Float](layer int, l model.Layer, batch, lanes int, y, dz *tensor.Dense) *mulUnit[T] {
	return &mulUnit[T]{
		base: base{
			key:   fmt.Sprintf("MulUnit{layer=%d, %v, batch=%d, lanes=%d}", layer, l, batch, lanes),
			dims:  []int{3},
			shape: tensor.Shape{l.Width(), batch, lanes},
		},
		layer: l, row: batch * lanes, y: y, dzOfLayer: dz,
		inputShape: tensor.Shape{l.Rows(), batch, lanes},
	}
}

// Do takes the factors and unary rows.
func (op *mulUnit[T]) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	kernel.Products(op.products(op.y), Numbers[T](in[0]), op.row)
	return op.y, nil
}

func (op *mulUnit[T]) ptx(b *block, in []gorgonia.Value) {
	b.multiply(op.key, op.layer.Products, b.place(pieceOf(op.factors(in[0]))), b.place(pieceOf(op.products(op.y))))
}

// multiply writes p_j = a_j·b_j, where factors has the rows of a₁ b₁ … a_n b_n.
func (b *block) multiply(name string, n int, factors, p ptx.Span) {
	b.Phase(name, []ptx.Span{factors}, []ptx.Span{p})
	row := b.padded * b.Size
	b.pairs(n, func(j, column string) {
		a := b.Address(factors.From, ptx.Term{Count: j, Step: 2 * row}, ptx.Term{Count: column, Step: 16})
		out := b.Address(p.From, ptx.Term{Count: j, Step: row}, ptx.Term{Count: column, Step: 16})
		x, y := b.Values(b.Vector, a, 0), b.Values(b.Vector, a, row)
		for i := range x {
			b.Op("mul.rn", x[i], x[i], y[i])
		}
		b.StoreValues(out, 0, x)
	})
}

// pairs writes f for every product and vector of samples.
func (b *block) pairs(products int, f func(product, column string)) {
	columns := b.padded / b.Vector
	b.Items(products*columns, func(item string) { f(b.Split(item, columns)) })
}

func (op *mulUnit[T]) owned() []piece {
	return []piece{pieceOf(Numbers[T](op.y)), pieceOf(Numbers[T](op.dzOfLayer))}
}

// factors returns the rows of the factors in an input or its gradient.
func (op *mulUnit[T]) factors(z gorgonia.Value) []T {
	return Numbers[T](z)[:2*op.layer.Products*op.row]
}

// products returns the product rows of an output or its gradient.
func (op *mulUnit[T]) products(y gorgonia.Value) []T {
	return Numbers[T](y)[len(op.layer.Unary)*op.row:]
}

func (op *mulUnit[T]) DiffWRT(int) []bool { return []bool{true} }

func (op *mulUnit[T]) SymDiff(in gorgonia.Nodes, _, dy *gorgonia.Node) (gorgonia.Nodes, error) {
	back := &mulUnitBackward[T]{
		base:    base{key: op.key + ".backward", dims: []int{3, 3}, shape: op.inputShape},
		forward: op,
	}
	dz, err := gorgonia.ApplyOp(back, in[0], dy)
	return gorgonia.Nodes{dz}, err
}

// mulUnitBackward is ā and b̄ of [mulUnit]; the gradients of the unary rows stay where they are.
type mulUnitBackward[T Float] struct {
	base
	forward *mulUnit[T]
}

// Do takes the factors and the gradient of the output.
func (op *mulUnitBackward[T]) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	f := op.forward
	kernel.ProductsBackward(Numbers[T](f.dzOfLayer), Numbers[T](in[0]), f.products(in[1]), f.row)
	return f.dzOfLayer, nil
}

func (op *mulUnitBackward[T]) ptx(b *block, in []gorgonia.Value) {
	f := op.forward
	b.multiplyBackward(op.key, f.layer.Products, b.place(pieceOf(f.factors(in[0]))), b.place(pieceOf(f.products(in[1]))),
		b.place(pieceOf(f.factors(f.dzOfLayer))))
}

// multiplyBackward writes ā_j = p̄_j·b_j and b̄_j = p̄_j·a_j.
func (b *block) multiplyBackward(name string, n int, factors, dp, da ptx.Span) {
	b.Phase(name, []ptx.Span{factors, dp}, []ptx.Span{da})
	row := b.padded * b.Size
	b.pairs(n, func(j, column string) {
		in := b.Address(factors.From, ptx.Term{Count: j, Step: 2 * row}, ptx.Term{Count: column, Step: 16})
		out := b.Address(da.From, ptx.Term{Count: j, Step: 2 * row}, ptx.Term{Count: column, Step: 16})
		of := b.Address(dp.From, ptx.Term{Count: j, Step: row}, ptx.Term{Count: column, Step: 16})
		g, x, y := b.Values(b.Vector, of, 0), b.Values(b.Vector, in, 0), b.Values(b.Vector, in, row)
		for i := range g {
			b.Op("mul.rn", x[i], g[i], x[i])
			b.Op("mul.rn", y[i], g[i], y[i])
		}
		b.StoreValues(out, 0, y)
		b.StoreValues(out, row, x)
	})
}

func (op *mulUnitBackward[T]) owned() []piece { return nil }
