package emulator

import (
	"math"
	"math/bits"
)

const (
	sign32 = 1 << 31
	sign64 = 1 << 63
)

func single(x uint64) float32 { return math.Float32frombits(uint32(x)) }
func double(x uint64) float64 { return math.Float64frombits(x) }
func bits32(v float32) uint64 { return uint64(math.Float32bits(v)) }
func bits64(v float64) uint64 { return math.Float64bits(v) }

// fma32 is a·b + c, rounded once.
//
// The product is exact in float64. Rounding the sum there and again to float32 goes wrong only if the first lands half
// way between two numbers of float32, which for normal numbers shows in the last 29 bits.
func fma32(a, b, c float32) float32 {
	p := float64(float64(a) * float64(b))
	s := p + float64(c)
	u := math.Float64bits(s)
	if u&(1<<29-1) != 1<<28 && u<<1 >= normal32<<1 {
		return float32(s)
	}
	return toOdd(p, float64(c), s)
}

// normal32 are the bits, as float64, of the smallest normal float32.
const normal32 = (1023 - 126) << 52

// toOdd rounds p + c, of which s is the nearest float64, to float32.
//
// The sum is rounded to odd in float64: if it is not exact and its last bit is 0, it becomes the neighbour on the side
// of the exact sum. With 53 bits, more than twice 24 and 2, rounding again then gives the result of rounding once.
//
// Source: Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", IEEE Transactions on Computers 57
// (2008).
func toOdd(p, c, s float64) float32 {
	t := s - p
	rest := (p - (s - t)) + (c - t) // p + c − s, exactly
	u := math.Float64bits(s)
	if rest == 0 || u&1 == 1 {
		return float32(s)
	}
	if (rest > 0) == (s > 0) {
		return float32(math.Float64frombits(u + 1))
	}
	return float32(math.Float64frombits(u - 1))
}

// lesser is the minimum as PTX has it: NaN only if both are, and −0 < +0.
func lesser(a, b float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	}
	return min(a, b)
}

func greater(a, b float64) float64 { return -lesser(-a, -b) }

// divide returns false if the divisor is 0.
func divide(r []uint64, in *instr) bool {
	a, b := r[in.x[1]], r[in.x[2]]
	if b == 0 {
		return false
	}
	var v uint64
	switch in.op {
	case opDivU:
		v = a / b
	case opRemU:
		v = a % b
	case opDivS32:
		v = uint64(uint32(int32(a) / int32(b)))
	case opRemS32:
		v = uint64(uint32(int32(a) % int32(b)))
	}
	r[in.x[0]] = v
	return true
}

// add is addition with the carry flag, as operand, as result or as both.
func (t *thread) add(in *instr) {
	carry := t.carry
	if in.op == opAddCC {
		carry = 0
	}
	sum, carry := bits.Add64(t.r[in.x[1]], t.r[in.x[2]], carry)
	t.r[in.x[0]] = sum
	if in.op != opAddC {
		t.carry = carry
	}
}

// integer executes what remains: operations on integers and bits.
func integer(r []uint64, in *instr) {
	x := &in.x
	a, b := r[x[1]], r[x[2]]
	var v uint64
	switch in.op {
	case opUnpack: // mov.b64 {x0, x1}, x2
		r[x[0]], r[x[1]] = uint64(uint32(b)), b>>32
		return
	case opPack:
		v = a | b<<32
	case opNot:
		v = ^a
	case opNot32:
		v = uint64(^uint32(a))
	case opNotPred:
		v = a ^ 1
	case opShl32:
		v = uint64(uint32(a) << b)
	case opShl64:
		v = a << b
	case opShr:
		v = a >> b
	case opShrS32:
		v = uint64(uint32(int32(a) >> b))
	case opShrS64:
		v = uint64(int64(a) >> b)
	case opClz32:
		v = uint64(bits.LeadingZeros32(uint32(a)))
	case opClz64:
		v = uint64(bits.LeadingZeros64(a))
	case opSub64:
		v = a - b
	case opMulHi32:
		v = a * b >> 32
	case opMulHi64:
		v, _ = bits.Mul64(a, b)
	case opMulWideS32:
		v = uint64(int64(int32(a)) * int64(int32(b)))
	case opNeg32:
		v = uint64(-uint32(a))
	case opNeg64:
		v = -a
	case opMinU:
		v = min(a, b)
	case opMaxU:
		v = max(a, b)
	case opMinS32:
		v = uint64(uint32(min(int32(a), int32(b))))
	case opMaxS32:
		v = uint64(uint32(max(int32(a), int32(b))))
	case opMinS64:
		v = uint64(min(int64(a), int64(b)))
	case opMaxS64:
		v = uint64(max(int64(a), int64(b)))
	}
	r[x[0]] = v
}

// compare is the value of a predicate.
func compare(op opcode, a, b uint64) bool {
	switch op {
	case opLtF32:
		return single(a) < single(b)
	case opLeF32:
		return single(a) <= single(b)
	case opEqF32:
		return single(a) == single(b)
	case opNeF32:
		return single(a) < single(b) || single(a) > single(b)
	case opNotLtF32, opNotLeF32, opNotEqF32, opNotNeF32:
		return !compare(op-opNotLtF32+opLtF32, a, b)
	case opLtF64:
		return double(a) < double(b)
	case opLeF64:
		return double(a) <= double(b)
	case opEqF64:
		return double(a) == double(b)
	case opNeF64:
		return double(a) < double(b) || double(a) > double(b)
	case opNotLtF64, opNotLeF64, opNotEqF64, opNotNeF64:
		return !compare(op-opNotLtF64+opLtF64, a, b)
	case opLtU:
		return a < b
	case opLeU:
		return a <= b
	case opEq:
		return a == b
	case opNe:
		return a != b
	case opLtS32:
		return int32(a) < int32(b)
	case opLeS32:
		return int32(a) <= int32(b)
	case opLtS64:
		return int64(a) < int64(b)
	case opLeS64:
		return int64(a) <= int64(b)
	case opFiniteF32:
		return a&0x7f800000 != 0x7f800000
	case opFiniteF64:
		return a&(0x7ff<<52) != 0x7ff<<52
	}
	return false
}
