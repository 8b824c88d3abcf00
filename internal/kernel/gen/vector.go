package main

import (
	"math"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// asm is what the routines are written to.
var asm = build.NewContext()

// vector is a type of vector register with its elements.
type vector struct {
	name  string // ending of the routines' names
	size  int    // bytes of an element
	bytes int    // bytes of a register
	tiles []tile // shapes that matrix products are cut into, by falling number of rows
}

// Sixteen registers hold an accumulator for each element of the tile, one for each of its rows,
// and one more; with AVX-512 there are thirty-two.
var (
	tiles16 = []tile{{3, []int{4, 2, 1}}, {2, []int{5, 2, 1}}, {1, []int{10, 4, 1}}}
	tiles32 = []tile{{5, []int{5, 2, 1}}, {2, []int{10, 4, 1}}, {1, []int{10, 4, 1}}}

	vectors = []vector{
		{"X32", 4, 16, tiles16}, {"Y32", 4, 32, tiles16}, {"Z32", 4, 64, tiles32},
		{"Y64", 8, 32, tiles16}, {"Z64", 8, 64, tiles32},
	}
)

func (v vector) lanes() int { return v.bytes / v.size }

// element is the Go type of an element.
func (v vector) element() string {
	if v.size == 4 {
		return "float32"
	}
	return "float64"
}

func (v vector) reg() reg.Register {
	switch v.bytes {
	case 16:
		return asm.XMM()
	case 32:
		return asm.YMM()
	}
	return asm.ZMM()
}

func (v vector) regs(n int) []Op {
	r := make([]Op, n)
	for i := range r {
		r[i] = v.reg()
	}
	return r
}

// text begins a routine. In the signature, number and pointer stand for the element and a pointer to it.
func (v vector) text(name, signature, doc string) {
	asm.Function(name + v.name)
	asm.Attributes(attr.NOSPLIT)
	asm.SignatureExpr("func" + strings.NewReplacer("pointer", "*"+v.element(), "number", v.element()).Replace(signature))
	asm.Doc(name + v.name + " " + doc)
	asm.Pragma("noescape")
}

// end ends a routine. Clearing the upper halves keeps what follows, which may use asm.SSE, fast.
func end() {
	asm.VZEROUPPER()
	asm.RET()
}

// arg loads an argument; memory gives its place on the stack, which serves as a variable.
func arg(name string) reg.GPVirtual {
	r := asm.GP64()
	asm.Load(asm.Param(name), r)
	return r
}

func memory(name string) Mem {
	b, err := asm.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

type instruction func(...Op)

// pick returns the instruction for the type of element.
func (v vector) pick(single, double instruction) instruction {
	if v.size == 4 {
		return single
	}
	return double
}

// Operands are in the order of Go's assembler: the last is the destination.

func (v vector) load(m, r Op)           { v.pick(asm.VMOVUPS, asm.VMOVUPD)(m, r) }
func (v vector) store(r, m Op)          { v.pick(asm.VMOVUPS, asm.VMOVUPD)(r, m) }
func (v vector) move(a, b Op)           { v.pick(asm.VMOVAPS, asm.VMOVAPD)(a, b) }
func (v vector) broadcast(m, r Op)      { v.pick(asm.VBROADCASTSS, broadcastSD)(m, r) }
func (v vector) add(a, b, dst Op)       { v.pick(asm.VADDPS, asm.VADDPD)(a, b, dst) }
func (v vector) sub(a, b, dst Op)       { v.pick(asm.VSUBPS, asm.VSUBPD)(a, b, dst) } // b − a
func (v vector) mul(a, b, dst Op)       { v.pick(asm.VMULPS, asm.VMULPD)(a, b, dst) }
func (v vector) div(a, b, dst Op)       { v.pick(asm.VDIVPS, asm.VDIVPD)(a, b, dst) } // b / a
func (v vector) min(a, b, dst Op)       { v.pick(asm.VMINPS, asm.VMINPD)(a, b, dst) } // a when either is NaN
func (v vector) max(a, b, dst Op)       { v.pick(asm.VMAXPS, asm.VMAXPD)(a, b, dst) } // a when either is NaN
func (v vector) sqrt(a, dst Op)         { v.pick(asm.VSQRTPS, asm.VSQRTPD)(a, dst) }
func (v vector) and(a, b, dst Op)       { v.pick(asm.VANDPS, asm.VANDPD)(a, b, dst) }
func (v vector) andNot(a, b, dst Op)    { v.pick(asm.VANDNPS, asm.VANDNPD)(a, b, dst) } // a and not b
func (v vector) or(a, b, dst Op)        { v.pick(asm.VORPS, asm.VORPD)(a, b, dst) }
func (v vector) xor(a, b, dst Op)       { v.pick(asm.VXORPS, asm.VXORPD)(a, b, dst) }
func (v vector) addInt(a, b, dst Op)    { v.pick(asm.VPADDD, asm.VPADDQ)(a, b, dst) }
func (v vector) shiftLeft(a, b, dst Op) { v.pick(asm.VPSLLD, asm.VPSLLQ)(a, b, dst) }             // b << a
func (v vector) addTo(a, b, acc Op)     { v.pick(asm.VFMADD231PS, asm.VFMADD231PD)(a, b, acc) }   // acc + a·b
func (v vector) subFrom(a, b, acc Op)   { v.pick(asm.VFNMADD231PS, asm.VFNMADD231PD)(a, b, acc) } // acc − a·b
func (v vector) mulAdd(c, b, acc Op)    { v.pick(asm.VFMADD213PS, asm.VFMADD213PD)(c, b, acc) }   // acc·b + c

func broadcastSD(ops ...Op) { asm.VBROADCASTSD(ops[0], ops[1]) }

// zero clears a register.
func (v vector) zero(r Op) { v.xor(r, r, r) }

// Predicates of compare; false for NaN except notLess.
const (
	notEqual = U8(0x0c)
	less     = U8(0x11)
	notLess  = U8(0x15)
)

// compare sets each element of dst to all ones where "b predicate a" holds, and to zero elsewhere.
func (v vector) compare(predicate U8, a, b, dst Op) {
	compare := v.pick(asm.VCMPPS, asm.VCMPPD)
	if v.bytes < 64 {
		compare(predicate, a, b, dst)
		return
	}
	k := asm.K()
	compare(predicate, a, b, k)
	if v.size == 4 {
		asm.VPMOVM2D(k, dst)
	} else {
		asm.VPMOVM2Q(k, dst)
	}
}

// jumpIfAny jumps when "b predicate a" holds for any element. It uses up scratch.
func (v vector) jumpIfAny(predicate U8, a, b, scratch Op, label string) {
	compare := v.pick(asm.VCMPPS, asm.VCMPPD)
	if v.bytes == 64 {
		k := asm.K()
		compare(predicate, a, b, k)
		asm.KORTESTW(k, k)
	} else {
		mask := asm.GP32()
		compare(predicate, a, b, scratch)
		if v.size == 4 {
			asm.VMOVMSKPS(scratch, mask)
		} else {
			asm.VMOVMSKPD(scratch, mask)
		}
		asm.TESTL(mask, mask)
	}
	asm.JNZ(LabelRef(label))
}

// bits returns the representation of x as an element.
func (v vector) bits(x float64) uint64 {
	if v.size == 4 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// table is where the constants of a type of element are; each fills a vector.
type table struct {
	symbol Mem
	offset map[string]int
}

var tables = map[int]*table{}

// constants writes the table of v's element.
func (v vector) constants() {
	if tables[v.size] != nil {
		return
	}
	t := &table{offset: map[string]int{}}
	t.symbol = asm.StaticGlobal("constants_" + v.element())
	asm.DataAttributes(attr.RODATA | attr.NOPTR)
	tables[v.size] = t
	for _, c := range constantsOf(v) {
		t.offset[c.name] = 64 * len(t.offset)
		word := c.bits
		if v.size == 4 {
			word |= word << 32
		}
		for i := 0; i < 64; i += 8 {
			asm.AddDatum(t.offset[c.name]+i, U64(word))
		}
	}
}

// constant returns the place of a constant.
func (v vector) constant(name string) Mem {
	t := tables[v.size]
	at, ok := t.offset[name]
	if !ok {
		panic("no constant " + name)
	}
	return t.symbol.Offset(at)
}

// held loads a constant to keep it in a register.
func (v vector) held(name string) Op {
	r := v.reg()
	v.load(v.constant(name), r)
	return r
}
