package graph

import (
	"hash"
	"hash/fnv"
	"io"
	"unsafe"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// base is what all operations of this package have in common. Each operation belongs to one node
// of one graph and owns its output, so that a run allocates nothing.
type base struct {
	// key names the operation, its layer and everything that changes its result: Gorgonia makes
	// one node of two operations with equal hashes.
	key   string
	dims  []int // dimensions of the inputs; 0 is a scalar
	shape tensor.Shape
}

func (b *base) Arity() int { return len(b.dims) }

// Type returns tensors in, a tensor or a scalar out.
func (b *base) Type() hm.Type {
	elem := hm.TypeVariable('a')
	types := make([]hm.Type, 0, len(b.dims)+1)
	for _, d := range append(b.dims[:len(b.dims):len(b.dims)], len(b.shape)) {
		if d == 0 {
			types = append(types, elem)
		} else {
			types = append(types, gorgonia.TensorType{Dims: d, Of: elem})
		}
	}
	return hm.NewFnType(types...)
}

func (b *base) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) { return b.shape.Clone(), nil }

func (b *base) ReturnsPtr() bool      { return true }
func (b *base) CallsExtern() bool     { return false }
func (b *base) OverwritesInput() int  { return -1 }
func (b *base) String() string        { return b.key }
func (b *base) WriteHash(h hash.Hash) { io.WriteString(h, b.key) } //nolint:errcheck // a hash never fails

func (b *base) Hashcode() uint32 {
	h := fnv.New32a()
	b.WriteHash(h)
	return h.Sum32()
}

// Numbers returns the memory of a tensor of T. It does not allocate, as Value.Data would.
func Numbers[T Float](v gorgonia.Value) []T {
	d := v.(*tensor.Dense)
	var zero T
	if unsafe.Sizeof(zero) == 4 {
		s := d.Float32s()
		return *(*[]T)(unsafe.Pointer(&s))
	}
	s := d.Float64s()
	return *(*[]T)(unsafe.Pointer(&s))
}

// view returns a tensor over part of a buffer.
func view[T Float](buf []T, shape ...int) *tensor.Dense {
	n := tensor.Shape(shape).TotalSize()
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(buf[:n:n]))
}

// buffers hold the activations of one hidden layer, or their gradients. The rows are
//
//	2v factors | u unary rows | v products
//
// so that pre-activations (the first 2v+u rows) and outputs (the last u+v) each are one
// contiguous piece: a unary unit is written where its pre-activation stood.
type buffers[T Float] struct {
	z, y *tensor.Dense // overlapping views: (2v+u, batch, lanes) and (u+v, batch, lanes)
}

func newBuffers[T Float](factors, unary, products, batch, lanes int) buffers[T] {
	row := batch * lanes
	buf := make([]T, (factors+unary+products)*row)
	return buffers[T]{
		z: view(buf, factors+unary, batch, lanes),
		y: view(buf[factors*row:], unary+products, batch, lanes),
	}
}
