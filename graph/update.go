package graph

import (
	"fmt"
	"math"

	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/internal/ptx"
)

// tile is the piece of a layer's weights that a thread owns, rows × cols of them. Adam's moments of these stay in the
// thread's registers for all steps of a launch.
type tile struct{ rows, cols int }

// tilesOf returns the tiles that cut a layer of rows × cols weights into at most threads pieces, the smallest first
// found of the least size. Columns divide evenly, so that biases are in the last column of the last tile.
func tilesOf(rows, cols, threads int) tile {
	best, cost := tile{rows, cols}, math.MaxInt
	for r := 1; r <= rows; r++ {
		for c := 1; c <= cols; c++ {
			if cols%c != 0 || (rows+r-1)/r*(cols/c) > threads {
				continue
			}
			if k := 1000*r*c + r + c; k < cost { // of equal sizes that which loads least
				best, cost = tile{r, c}, k
			}
		}
	}
	return best
}

// tiles writes body for each thread that owns a tile: the rows of its tile and which of the groups of columns it has.
func (b *block) tiles(t tile, s kernel.Shape, body func(rows ptx.Tile, column string)) {
	columns := (s.In + 1) / t.cols
	b.Items((s.Rows+t.rows-1)/t.rows*columns, func(item string) {
		group, column := b.Split(item, columns)
		body(b.Tile(group, t.rows, s.Rows), column)
	})
}

// update writes the gradient of a layer's weights, in registers, and their update by Adam.
func (b *block) update(layer int, s kernel.Shape, y, dz ptx.Span) {
	if b.updates == 0 {
		b.checkLoss()
	}
	b.updates++
	w := b.place(b.weights[layer])
	b.Phase(fmt.Sprintf("update of layer %d", layer), []ptx.Span{dz, y, w}, []ptx.Span{w})
	t := tilesOf(s.Rows, s.In+1, b.Threads)
	moments := [2][]string{b.Numbers(t.rows * t.cols), b.Numbers(t.rows * t.cols)}
	b.moments = append(append(b.moments, moments[0]...), moments[1]...)
	b.load = append(b.load, b.Capture(func() { b.moveMoments("ld", layer, s, t, moments) }))
	b.store = append(b.store, b.Capture(func() { b.moveMoments("st", layer, s, t, moments) }))
	b.tiles(t, s, func(rows ptx.Tile, column string) {
		sums, bias := b.gradient(s, t, rows, column, y, dz)
		own := b.Address(w.From, b.term(rows.First, s.In+1), b.term(column, t.cols))
		store, end := b.Name("GRADIENT"), b.Name("UPDATED")
		b.Emit("@%%gradients bra %s", store)
		for i := range t.rows {
			b.Row(rows, i, func() {
				for j := range t.cols {
					k := i*t.cols + j
					is := bias
					if j+1 < t.cols {
						is = ""
					}
					b.adam(own, (i*(s.In+1)+j)*b.Size, sums[k], moments[0][k], moments[1][k], is)
				}
			})
		}
		b.Emit("bra %s", end)
		b.Label(store)
		b.eachWeight(s, t, rows, column, func(k int, at string) {
			b.Emit("st.global.%s [%s], %s", b.Type(), b.global("%grads", at, b.state[layer]/3), sums[k])
		})
		b.Label(end)
	})
}

// unrolled is the most samples whose part of a gradient is written out.
const unrolled = 32

// gradient writes the sums over the samples of a tile of W̄ = z̄·yᵀ, whose last column has y = 1, and returns a
// predicate that tells whether the tile has that column.
func (b *block) gradient(
	s kernel.Shape, t tile, rows ptx.Tile, column string, y, dz ptx.Span,
) (sums []string, bias string) {
	row := b.padded * b.Size
	z := b.Address(dz.From, b.term(rows.First, b.padded))
	first := b.Address(y.From, b.term(column, t.cols*b.padded))
	bias, last, ones := b.Flag(), b.Int(), b.Int()
	b.Emit("setp.eq.u32 %s, %s, %d", bias, column, (s.In+1)/t.cols-1)
	b.Emit("add.u32 %s, %%smem, %d", ones, b.ones-(t.cols-1)*row) // its sum with the distance of the last column
	b.Emit("selp.u32 %s, %s, %s, %s", last, ones, first, bias)
	sums = b.Numbers(t.rows * t.cols)
	for _, x := range sums {
		b.Op("mov", x, b.Literal(0))
	}
	samples := func(n, at int, count string) { // n samples of the vector at a place
		zs := make([][]string, t.rows)
		from := b.Shift(z, count, 16)
		for i := range zs {
			zs[i] = b.Values(b.Vector, from, i*row+at)
		}
		for j := range t.cols {
			from := first
			if j == t.cols-1 {
				from = last
			}
			ys := b.Values(b.Vector, b.Shift(from, count, 16), j*row+at)
			for i := range zs {
				for k := range n {
					b.Op("fma.rn", sums[i*t.cols+j], zs[i][k], ys[k], sums[i*t.cols+j])
				}
			}
		}
	}
	whole := b.batch / b.Vector
	most := whole
	if b.batch > unrolled {
		most = unrolled / b.Vector
	}
	if whole > 0 {
		b.Loop(whole, most, func(k int, count string) { samples(b.Vector, 16*k, count) })
	}
	if rest := b.batch % b.Vector; rest > 0 {
		samples(rest, 16*whole, "")
	}
	return sums, bias
}

// adam writes Adam's update of one weight, operation by operation that of kernel's assembly; bias is a predicate, or
// empty for what is none.
func (b *block) adam(w string, at int, gradient, m, v, bias string) {
	t, next, nonzero := b.Number(), b.Number(), b.Flag()
	x := b.Load(w, at)
	b.Op("copysign", t, x, "%lambda")
	b.Op("setp.ne", nonzero, x, b.Literal(0))
	b.Op("selp", t, t, b.Literal(0), nonzero)
	if bias != "" {
		b.Op("selp", t, b.Literal(math.Copysign(0, -1)), t, bias) // adding −0 changes nothing
	}
	b.Op("add.rn", gradient, gradient, t)
	b.Op("sub.rn", t, gradient, m)
	b.Op("fma.rn", m, "%b1", t, m)
	b.Op("add.rn", m, m, b.Constant("flush"))
	b.Op("sub.rn", m, m, b.Constant("flush"))
	b.Op("fma.rn", t, gradient, gradient, b.Constant("floor"))
	b.Op("sub.rn", t, t, v)
	b.Op("fma.rn", v, "%b2", t, v)
	b.Op("sqrt.rn", t, v)
	b.Op("add.rn", t, t, "%epsilon")
	b.Op("mul.rn", next, "%rate", m)
	b.Op("div.rn", next, next, t)
	b.Op("sub.rn", next, x, next)
	small, after := b.Flag(), b.Flag()
	b.Op("abs", t, x)
	b.Op("setp.lt", small, t, "%mask")
	b.Op("abs", t, next)
	b.Op("setp.lt", after, t, "%mask")
	b.Emit("or.pred %s, %s, %s", small, small, after)
	if bias != "" {
		b.Emit("not.pred %s, %s", after, bias)
		b.Emit("and.pred %s, %s, %s", small, small, after)
	}
	for _, r := range []string{next, m, v} {
		b.Op("selp", r, b.Literal(0), r, small)
	}
	b.Store(w, at, next)
}

// eachWeight writes f for each weight of a tile, with its number in the layer.
func (b *block) eachWeight(s kernel.Shape, t tile, rows ptx.Tile, column string, f func(k int, at string)) {
	first := b.Int()
	b.Emit("mul.lo.u32 %s, %s, %d", first, rows.First, s.In+1)
	b.Emit("mad.lo.u32 %s, %s, %d, %s", first, column, t.cols, first)
	for i := range t.rows {
		b.Row(rows, i, func() {
			for j := range t.cols {
				at := b.Int()
				b.Emit("add.u32 %s, %s, %d", at, first, i*(s.In+1)+j)
				f(i*t.cols+j, at)
			}
		})
	}
}

// global returns the address of a network's number at + offset in an array (…, lanes) of the card's memory.
func (b *block) global(array, at string, offset int) string {
	t, a := b.Int(), b.Long()
	b.Emit("add.u32 %s, %s, %d", t, at, offset)
	b.Emit("mad.lo.u32 %s, %s, %%lanes, %%lane", t, t)
	b.Emit("mad.wide.u32 %s, %s, %d, %s", a, t, b.Size, array)
	return a
}

// moveMoments writes loads or stores of the moments of a layer.
func (b *block) moveMoments(move string, layer int, s kernel.Shape, t tile, moments [2][]string) {
	b.tiles(t, s, func(rows ptx.Tile, column string) {
		b.eachWeight(s, t, rows, column, func(k int, at string) {
			for part := range moments {
				a, r := b.global("%state", at, b.state[layer]+(part+1)*s.Weights()/b.lanes), moments[part][k]
				if move == "ld" {
					b.Emit("ld.global.%s %s, [%s]", b.Type(), r, a)
				} else {
					b.Emit("st.global.%s [%s], %s", b.Type(), a, r)
				}
			}
		})
	})
}
