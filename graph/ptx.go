package graph

import (
	"errors"
	"fmt"
	"unsafe"

	"gorgonia.org/gorgonia"

	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/internal/ptx"
	"github.com/eqlearner/eql/model"
)

// A ptxOp is an operation that can be part of a kernel: ptx writes what Do does, for one network.
type ptxOp interface {
	gorgonia.Op
	ptx(b *block, in []gorgonia.Value)
	owned() []piece // arrays that the operation owns and that stay in shared memory
}

// A block writes the kernel of a graph: one block of threads trains one network, whose weights and activations are in
// shared memory. Each array of the graph is a region there, without lanes and with the samples of a row filled up to
// whole vectors; tensors over one array overlap there as they do here.
type block struct {
	*ptx.Writer
	arch         model.Arch
	batch, lanes int
	padded       int     // samples of a row, with those that fill the last vector
	x, y         piece   // the minibatch of the graph
	weights      []piece // of each layer
	regions      []region
	shared       int // bytes of shared memory

	elements  []element // of the minibatch that a thread brings
	minibatch int       // where x and then the targets are, as rows of samples
	ones      int       // a row of samples that are all 1, the input of biases
	loss      int

	state       []int    // where w, m and v of each layer begin in the state of a network
	moments     []string // registers that hold moments from step to step
	load, store []string // what fills them, and what writes them back
	updates     int      // layers that are updated so far
	delayed     map[int]func()
	unread      map[int]bool // layers whose weights nothing reads any more in this step
	err         error
}

// piece is a piece of an array of the graph.
type piece struct {
	from  uintptr
	bytes int
}

func pieceOf[T Float](s []T) piece {
	var zero T
	return piece{uintptr(unsafe.Pointer(unsafe.SliceData(s))), len(s) * int(unsafe.Sizeof(zero))}
}

// region is an array of the graph in shared memory.
type region struct {
	from, to    uintptr
	at          int // bytes
	row, padded int // numbers of a row there and here, a lane
}

func newBlock[T Float](g *Graph[T], threads int) *block {
	var zero T
	b := &block{
		Writer: ptx.New(threads, int(unsafe.Sizeof(zero)), kernel.Constants[T]()),
		arch:   g.Arch, batch: g.Batch, lanes: g.Lanes, x: pieceOf(g.Input()), y: pieceOf(g.Target()),
		delayed: map[int]func(){}, unread: map[int]bool{},
	}
	b.padded = roundUp(g.Batch, b.Vector)
	state := 0
	for l := range g.weights {
		w := pieceOf(g.Weights(l))
		n := w.bytes / b.Size / g.Lanes
		b.weights, b.state = append(b.weights, w), append(b.state, state)
		b.regions = append(b.regions, region{from: w.from, to: w.from + uintptr(w.bytes), row: n, padded: n})
		state += 3 * n
	}
	return b
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// take reserves shared memory for n numbers.
func (b *block) take(n int) (at int) {
	at = b.shared
	b.shared += roundUp(n*b.Size, 16)
	return at
}

// activations reserves shared memory for an array of activations, unless it lies within one that has some.
func (b *block) activations(p piece) {
	to := p.from + uintptr(p.bytes)
	for i, r := range b.regions {
		if p.from < r.to && to > r.from { // two views of one array: as long as both
			b.regions[i].from, b.regions[i].to = min(p.from, r.from), max(to, r.to)
			return
		}
	}
	b.regions = append(b.regions, region{from: p.from, to: to, row: b.batch, padded: b.padded})
}

// lay gives each region its place.
func (b *block) lay() {
	for i := range b.regions {
		r := &b.regions[i]
		rows := int(r.to-r.from) / b.Size / b.lanes / r.row
		r.at = b.take(rows * r.padded)
	}
	a := b.arch
	b.minibatch = b.take((a.Inputs + a.Outputs) * b.padded)
	b.ones = b.take(b.padded)
	b.loss = b.take(1)
}

// place returns where a piece of an array of the graph is in shared memory.
func (b *block) place(p piece) ptx.Span {
	targets := b.minibatch + b.arch.Inputs*b.padded*b.Size
	switch p.from {
	case b.x.from:
		return ptx.Span{From: b.minibatch, To: targets}
	case b.y.from:
		return ptx.Span{From: targets, To: targets + b.arch.Outputs*b.padded*b.Size}
	}
	for _, r := range b.regions {
		if p.from >= r.from && p.from < r.to {
			row := b.Size * b.lanes * r.row
			first, rows := int(p.from-r.from)/row, p.bytes/row
			return ptx.Span{From: r.at + first*r.padded*b.Size, To: r.at + (first+rows)*r.padded*b.Size}
		}
	}
	b.err = errors.New("an operation works on memory that no operation owns")
	return ptx.Span{}
}

// at is [block.place] of a tensor.
func (b *block) at(v gorgonia.Value) ptx.Span {
	if b.Size == 4 {
		return b.place(pieceOf(Numbers[float32](v)))
	}
	return b.place(pieceOf(Numbers[float64](v)))
}

// body writes the operations of a step, in order. Each layer is updated after the last that reads its weights.
func (b *block) body(program []instruction) (string, error) {
	var ops []ptxOp
	for _, ins := range program {
		op, ok := ins.op.(ptxOp)
		if !ok {
			return "", fmt.Errorf("there is no kernel for %s", ins.op)
		}
		for _, p := range op.owned() {
			b.activations(p)
		}
		ops = append(ops, op)
	}
	b.lay()
	text := b.Capture(func() {
		for i, op := range ops {
			op.ptx(b, program[i].args)
		}
	})
	if len(b.delayed) > 0 {
		return "", errors.New("a layer is never updated, since nothing passes a gradient on to its input")
	}
	return text, b.err
}

// unreadThen calls f, which updates a layer, when the layer's weights have been read for the last time.
func (b *block) unreadThen(layer int, f func()) {
	if b.unread[layer] {
		f()
		return
	}
	b.delayed[layer] = f
}

// lastRead says that a layer's weights have been read for the last time in this step.
func (b *block) lastRead(layer int) {
	b.unread[layer] = true
	if f, ok := b.delayed[layer]; ok {
		delete(b.delayed, layer)
		f()
	}
}

// term is [ptx.Term] with the step in numbers.
func (b *block) term(count string, numbers int) ptx.Term {
	return ptx.Term{Count: count, Step: numbers * b.Size}
}

// maxRows is the most rows of a product that one thread computes, for a vector of samples; each takes four registers.
const maxRows = 10

// rowsOf returns how many rows of a product a thread takes: as many as leave three quarters of the threads something to
// do, since a tile of more rows loads less for each multiply-add. Too many idle rows in the last tile count against it.
func (b *block) rowsOf(rows int) int {
	best := 1
	for t := 2; t <= min(rows, maxRows); t++ {
		groups := (rows + t - 1) / t
		if groups*(b.padded/b.Vector)*4 >= b.Threads*3 && groups*t-rows <= rows/8 {
			best = t
		}
	}
	return best
}

// product is the product of matrices c[i,j] = bias[i] + Σ_k a[i,k]·b[k,j], where j counts samples.
type product struct {
	a, b, c     ptx.Span
	rows, depth int // numbers of i and k
	rowStep     int // numbers from a[i,k] to a[i+1,k]
	termStep    int // numbers from a[i,k] to a[i,k+1]
	bias        int // numbers from a[i,0] to bias[i]; negative: there is none
}

// product writes a product, a tile of rows and a vector of samples a thread. Each sum begins with the bias and runs
// over k in order, as kernel's do.
func (b *block) product(p product) {
	t, n := b.rowsOf(p.rows), b.Vector
	if p.rows*b.padded <= 2*b.Threads { // few: one number a thread
		t, n = 1, 1
	}
	columns := b.padded / n
	b.Items((p.rows+t-1)/t*columns, func(item string) {
		group, column := b.Split(item, columns)
		tile := b.Tile(group, t, p.rows)
		a := b.Address(p.a.From, b.term(tile.First, p.rowStep))
		in := b.Address(p.b.From, b.term(column, n))
		out := b.Address(p.c.From, b.term(tile.First, b.padded), b.term(column, n))
		sums := make([][]string, t)
		for i := range sums {
			sums[i] = b.Numbers(n)
			begin := b.Literal(0)
			if p.bias >= 0 {
				begin = b.Load(a, (i*p.rowStep+p.bias)*b.Size)
			}
			for _, s := range sums[i] {
				b.Op("mov", s, begin)
			}
		}
		b.Loop(p.depth, maxRows, func(k int, count string) {
			y := b.Values(n, b.Shift(in, count, b.padded*b.Size), k*b.padded*b.Size)
			row := b.Shift(a, count, p.termStep*b.Size)
			for i := range sums {
				x := b.Load(row, (i*p.rowStep+k*p.termStep)*b.Size)
				for j, s := range sums[i] {
					b.Op("fma.rn", s, x, y[j], s)
				}
			}
		})
		for i, s := range sums {
			b.Row(tile, i, func() { b.StoreValues(out, i*b.padded*b.Size, s) })
		}
	})
}

// each writes f for every vector of some spans of equal length.
func (b *block) each(spans []ptx.Span, f func(addresses []string)) {
	b.Items((spans[0].To-spans[0].From)/16, func(item string) {
		addresses := make([]string, len(spans))
		for i, s := range spans {
			addresses[i] = b.Address(s.From, ptx.Term{Count: item, Step: 16})
		}
		f(addresses)
	})
}
