package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tile says how many columns at a time the routines take of so many rows.
type tile struct {
	rows int
	cols []int // falling, the last is 1
}

const productSignature = "(c, a, b pointer, ci, cj, ai, ak, bj, bk, bias, rows, cols, depth int)"

// affine writes the matrix products of affine maps. In each lane
//
//	C[i,j] = bias[i] + Σ_k A[i,k]·B[k,j]
//
// with rows × cols elements and depth terms. The distance in bytes between elements is ci from
// C[i,j] to C[i+1,j], and so on. Forward, the biases are bias bytes after A[i,0]; otherwise they
// are zero. Elements of B are vectors, or numbers that all lanes share.
//
// An element sees the same operations in the same order in every tile.
func (v vector) affine() {
	for _, p := range []product{
		{"forward", "computes c = bias + a·b.", true, false},
		{"forwardShared", "computes c = bias + a·b with numbers b.", true, true},
		{"product", "computes c = a·b.", false, false},
		{"productShared", "computes c = a·b with numbers b.", false, true},
	} {
		p.write(v)
	}
	v.sums()
}

type product struct {
	name, doc string
	biased    bool // starts from biases
	shared    bool // elements of B are numbers
}

// strided addresses elements at equal distances.
type strided struct {
	ptr, far    reg.GPVirtual // of element 0 and, where a tile is that wide, element 5
	step, step3 reg.GPVirtual
}

// at addresses element n along the stride.
func (s strided) at(n int) Mem {
	base := s.ptr
	if n >= 5 {
		base, n = s.far, n-5
	}
	switch n {
	case 0:
		return Mem{Base: base}
	case 3:
		return Mem{Base: base, Index: s.step3, Scale: 1}
	}
	return Mem{Base: base, Index: s.step, Scale: uint8(n)} // 1, 2, 4
}

// prepare sets far for a tile of n elements.
func (s strided) prepare(n int) {
	if n > 5 {
		asm.LEAQ(Mem{Base: s.ptr, Index: s.step, Scale: 4}, s.far)
		asm.ADDQ(s.step, s.far)
	}
}

// advance adds n steps to p.
func advance(p, step reg.GPVirtual, n int) {
	for scale := 8; n > 0; scale /= 2 {
		for ; n >= scale; n -= scale {
			if scale == 1 {
				asm.ADDQ(step, p)
			} else {
				asm.LEAQ(Mem{Base: p, Index: step, Scale: uint8(scale)}, p)
			}
		}
	}
}

func (p product) write(v vector) {
	v.text(p.name, productSignature, p.doc)
	a, b, c := arg("a"), asm.GP64(), asm.GP64()
	j := asm.GP64()
	as := strided{ptr: asm.GP64(), step: arg("ai")}
	bs := strided{ptr: asm.GP64(), far: asm.GP64(), step: arg("bj"), step3: asm.GP64()}
	asm.LEAQ(Mem{Base: bs.step, Index: bs.step, Scale: 2}, bs.step3)
	if v.tiles[0].rows > 3 {
		as.step3 = asm.GP64()
		asm.LEAQ(Mem{Base: as.step, Index: as.step, Scale: 2}, as.step3)
	}
	ak, bk := arg("ak"), arg("bk")
	for _, t := range v.tiles {
		rows, next := fmt.Sprintf("rows%d", t.rows), fmt.Sprintf("below%d", t.rows)
		asm.Label(rows)
		asm.CMPQ(memory("rows"), U8(t.rows))
		asm.JL(LabelRef(next))
		asm.Load(asm.Param("b"), b)
		asm.Load(asm.Param("c"), c)
		asm.Load(asm.Param("cols"), j)
		for _, n := range t.cols {
			name := fmt.Sprintf("tile%dx%d", t.rows, n)
			asm.Label(name)
			asm.CMPQ(j, U8(n))
			asm.JL(LabelRef("after_" + name))
			p.tile(v, name, t.rows, n, a, b, c, as, bs, ak, bk)
			advance(b, bs.step, n)
			asm.SUBQ(U8(n), j)
			asm.JMP(LabelRef(name))
			asm.Label("after_" + name)
		}
		advance(a, as.step, t.rows)
		asm.Load(asm.Param("ci"), c)
		if t.rows > 1 {
			asm.IMUL3Q(U8(t.rows), c, c)
		}
		asm.ADDQ(c, memory("c"))
		asm.SUBQ(U8(t.rows), memory("rows"))
		asm.JMP(LabelRef(rows))
		asm.Label(next)
	}
	end()
}

// tile computes rows × cols elements of C and moves c to those that follow in the row.
func (p product) tile(v vector, name string, rows, cols int, a, b, c reg.GPVirtual, as, bs strided,
	ak, bk reg.GPVirtual) {
	acc := make([][]Op, rows)
	for i := range acc {
		acc[i] = v.regs(cols)
	}
	asm.MOVQ(a, as.ptr)
	if p.biased {
		asm.ADDQ(memory("bias"), as.ptr)
	}
	for i := range acc {
		for j, r := range acc[i] {
			switch {
			case !p.biased:
				v.zero(r)
			case j == 0:
				v.load(as.at(i), r)
			default:
				v.move(acc[i][0], r)
			}
		}
	}
	if p.biased {
		asm.MOVQ(a, as.ptr)
	}
	asm.MOVQ(b, bs.ptr)
	bs.prepare(cols)
	k := asm.GP64()
	asm.Load(asm.Param("depth"), k)
	asm.TESTQ(k, k)
	asm.JZ(LabelRef("store_" + name))

	asm.Label("sum_" + name)
	ra := v.regs(rows)
	for i := range ra {
		v.load(as.at(i), ra[i])
	}
	for j := range cols {
		if rows == 1 && !p.shared {
			v.addTo(bs.at(j), ra[0], acc[0][j])
			continue
		}
		rb := v.reg()
		if p.shared {
			v.broadcast(bs.at(j), rb)
		} else {
			v.load(bs.at(j), rb)
		}
		for i := range acc {
			v.addTo(rb, ra[i], acc[i][j])
		}
	}
	asm.ADDQ(ak, as.ptr)
	asm.ADDQ(bk, bs.ptr)
	if cols > 5 {
		asm.ADDQ(bk, bs.far)
	}
	asm.DECQ(k)
	asm.JNZ(LabelRef("sum_" + name))

	asm.Label("store_" + name)
	out := strided{ptr: as.ptr, far: bs.far, step: k, step3: bs.ptr} // free by now
	asm.Load(asm.Param("cj"), out.step)
	if cols > 3 {
		asm.LEAQ(Mem{Base: out.step, Index: out.step, Scale: 2}, out.step3)
	}
	asm.MOVQ(c, out.ptr)
	for i := range acc {
		if i > 0 {
			asm.ADDQ(memory("ci"), out.ptr)
		}
		out.prepare(cols)
		for j, r := range acc[i] {
			v.store(r, out.at(j))
		}
	}
	advance(c, out.step, cols)
}

// sums writes the gradients of biases: C[j] = Σ_k B[k,j].
func (v vector) sums() {
	v.text("sums", "(c, b pointer, cj, bj, bk, cols, depth int)", "adds up b.")
	b, c, j, k := arg("b"), arg("c"), arg("cols"), asm.GP64()
	bs := strided{ptr: asm.GP64(), far: asm.GP64(), step: arg("bj"), step3: asm.GP64()}
	out := strided{ptr: c, far: bs.far, step: arg("cj"), step3: asm.GP64()}
	for _, s := range []strided{bs, out} {
		asm.LEAQ(Mem{Base: s.step, Index: s.step, Scale: 2}, s.step3)
	}
	bk := arg("bk")
	for _, cols := range []int{10, 4, 1} {
		name := fmt.Sprint("cols", cols)
		asm.Label(name)
		asm.CMPQ(j, U8(cols))
		asm.JL(LabelRef("after_" + name))
		acc := v.regs(cols)
		for _, r := range acc {
			v.zero(r)
		}
		asm.MOVQ(b, bs.ptr)
		bs.prepare(cols)
		asm.Load(asm.Param("depth"), k)
		asm.TESTQ(k, k)
		asm.JZ(LabelRef("store_" + name))
		asm.Label("sum_" + name)
		for n, r := range acc {
			v.add(bs.at(n), r, r)
		}
		asm.ADDQ(bk, bs.ptr)
		if cols > 5 {
			asm.ADDQ(bk, bs.far)
		}
		asm.DECQ(k)
		asm.JNZ(LabelRef("sum_" + name))
		asm.Label("store_" + name)
		out.prepare(cols)
		for n, r := range acc {
			v.store(r, out.at(n))
		}
		advance(b, bs.step, cols)
		advance(c, out.step, cols)
		asm.SUBQ(U8(cols), j)
		asm.JMP(LabelRef(name))
		asm.Label("after_" + name)
	}
	end()
}
