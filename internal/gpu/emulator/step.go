package emulator

import (
	"fmt"
	"math"
)

// step runs a thread to its next barrier or its end and returns how many instructions it executed. Operations that
// kernels use most are here, for speed; the others are in compare, integer and convert.
func (b *block) step(t *thread) int64 {
	code, r := b.program.code, t.r
	pc, n := t.pc, int64(0)
	for {
		in := &code[pc]
		pc++
		n++
		if in.pred != slotNone && (r[in.pred] != 0) == in.not {
			continue
		}
		x := &in.x
		switch in.op {
		case opBra:
			if n > b.limit {
				t.err = b.fault(t, pc-1, fmt.Sprintf("more than %d instructions without a barrier", b.limit))
				return n
			}
			pc = in.off
		case opBar:
			t.pc = pc
			return n
		case opCall:
			t.calls = append(t.calls, pc)
			pc = in.off
		case opRet:
			last := len(t.calls) - 1
			pc, t.calls = t.calls[last], t.calls[:last]
		case opExit:
			t.done = true
			return n
		case opMove:
			r[x[0]] = r[x[1]]
		case opSelect:
			from := x[2]
			if r[x[3]] != 0 {
				from = x[1]
			}
			r[x[0]] = r[from]

		case opLdShared:
			at := address(r, in)
			if !b.inside(at, 4) {
				return b.stop(t, pc, n)
			}
			r[x[0]] = b.read(t, pc-1, at/4)
		case opStShared:
			at := address(r, in)
			if !b.inside(at, 4) {
				return b.stop(t, pc, n)
			}
			b.write(t, pc-1, at/4, uint32(r[x[0]]))
		case opLdShared8, opLdSharedV4, opLdSharedV8, opStShared8, opStSharedV4, opStSharedV8:
			if !b.shared(t, in, pc-1) {
				return b.stop(t, pc, n)
			}
		case opLdGlobal, opLdGlobal8, opLdGlobalV4, opLdGlobalV8, opStGlobal, opStGlobal8, opStGlobalV4, opStGlobalV8:
			if !b.global(t, in) {
				return b.stop(t, pc, n)
			}
		case opLdConst, opLdConst8, opLdConstV4, opLdConstV8:
			if !b.table(t, in) {
				return b.stop(t, pc, n)
			}

		case opAddF32:
			r[x[0]] = bits32(single(r[x[1]]) + single(r[x[2]]))
		case opSubF32:
			r[x[0]] = bits32(single(r[x[1]]) - single(r[x[2]]))
		case opMulF32:
			r[x[0]] = bits32(single(r[x[1]]) * single(r[x[2]]))
		case opDivF32:
			r[x[0]] = bits32(single(r[x[1]]) / single(r[x[2]]))
		case opFmaF32:
			r[x[0]] = bits32(fma32(single(r[x[1]]), single(r[x[2]]), single(r[x[3]])))
		case opSqrtF32:
			r[x[0]] = bits32(float32(math.Sqrt(float64(single(r[x[1]])))))
		case opAbsF32:
			r[x[0]] = r[x[1]] &^ sign32
		case opNegF32:
			r[x[0]] = r[x[1]] ^ sign32
		case opCopysignF32:
			r[x[0]] = r[x[2]]&^sign32 | r[x[1]]&sign32
		case opMinF32:
			r[x[0]] = bits32(float32(lesser(float64(single(r[x[1]])), float64(single(r[x[2]])))))
		case opMaxF32:
			r[x[0]] = bits32(float32(greater(float64(single(r[x[1]])), float64(single(r[x[2]])))))
		case opAddF64:
			r[x[0]] = bits64(double(r[x[1]]) + double(r[x[2]]))
		case opSubF64:
			r[x[0]] = bits64(double(r[x[1]]) - double(r[x[2]]))
		case opMulF64:
			r[x[0]] = bits64(double(r[x[1]]) * double(r[x[2]]))
		case opDivF64:
			r[x[0]] = bits64(double(r[x[1]]) / double(r[x[2]]))
		case opFmaF64:
			r[x[0]] = bits64(math.FMA(double(r[x[1]]), double(r[x[2]]), double(r[x[3]])))
		case opSqrtF64:
			r[x[0]] = bits64(math.Sqrt(double(r[x[1]])))
		case opAbsF64:
			r[x[0]] = r[x[1]] &^ sign64
		case opNegF64:
			r[x[0]] = r[x[1]] ^ sign64
		case opCopysignF64:
			r[x[0]] = r[x[2]]&^sign64 | r[x[1]]&sign64
		case opMinF64:
			r[x[0]] = bits64(lesser(double(r[x[1]]), double(r[x[2]])))
		case opMaxF64:
			r[x[0]] = bits64(greater(double(r[x[1]]), double(r[x[2]])))

		case opAdd32:
			r[x[0]] = uint64(uint32(r[x[1]] + r[x[2]]))
		case opAdd64:
			r[x[0]] = r[x[1]] + r[x[2]]
		case opSub32:
			r[x[0]] = uint64(uint32(r[x[1]] - r[x[2]]))
		case opMul32:
			r[x[0]] = uint64(uint32(r[x[1]] * r[x[2]]))
		case opMul64:
			r[x[0]] = r[x[1]] * r[x[2]]
		case opMad32:
			r[x[0]] = uint64(uint32(r[x[1]]*r[x[2]] + r[x[3]]))
		case opMad64:
			r[x[0]] = r[x[1]]*r[x[2]] + r[x[3]]
		case opDivU, opRemU, opDivS32, opRemS32:
			if !divide(r, in) {
				return b.stop(t, pc, n)
			}
		case opAddCC, opAddC, opAddCCC:
			t.add(in)
		case opAnd:
			r[x[0]] = r[x[1]] & r[x[2]]
		case opOr:
			r[x[0]] = r[x[1]] | r[x[2]]
		case opXor:
			r[x[0]] = r[x[1]] ^ r[x[2]]

		default:
			switch {
			case in.op >= opLtF32 && in.op <= opFiniteF64:
				r[x[0]] = 0
				if compare(in.op, r[x[1]], r[x[2]]) {
					r[x[0]] = 1
				}
			case in.op >= opLow32:
				r[x[0]] = convert(in, r[x[1]])
			default:
				integer(r, in)
			}
		}
	}
}

func address(r []uint64, in *instr) uint64 { return r[in.base] + uint64(int64(in.off)) }

// stop ends a thread at an instruction that cannot be executed.
func (b *block) stop(t *thread, pc int32, n int64) int64 {
	t.err = b.fault(t, pc-1, b.reason(t, &b.program.code[pc-1]))
	return n
}
