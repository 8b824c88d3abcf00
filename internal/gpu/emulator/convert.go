package emulator

import "math"

// convert is cvt.
func convert(in *instr, a uint64) uint64 {
	switch in.op {
	case opLow32:
		return uint64(uint32(a))
	case opSigned32:
		return uint64(int64(int32(a)))
	case opF64OfF32:
		return bits64(float64(single(a)))
	case opF32OfF64:
		return bits32(float32(double(a)))
	case opF64OfU:
		return bits64(float64(a))
	case opF64OfS32:
		return bits64(float64(int32(a)))
	case opF64OfS64:
		return bits64(float64(int64(a)))
	case opF32OfU:
		return bits32(float32(a))
	case opF32OfS32:
		return bits32(float32(int32(a)))
	case opF32OfS64:
		return bits32(float32(int64(a)))
	case opIntOfF32:
		if v := single(a); !math.IsNaN(float64(v)) || in.x[3] > 2 {
			return toInteger(round(float64(v), in.x[2]), in.x[3])
		}
		return 0 // NaN as 32 bits
	case opIntOfF64:
		return toInteger(round(double(a), in.x[2]), in.x[3])
	case opRoundF32:
		return bits32(float32(round(float64(single(a)), in.x[2])))
	case opRoundF64:
		return bits64(round(double(a), in.x[2]))
	}
	return 0
}

// round rounds to a whole number: to the nearest, towards zero, down or up.
func round(v float64, mode int32) float64 {
	switch mode {
	case 0:
		return math.RoundToEven(v)
	case 1:
		return math.Trunc(v)
	case 2:
		return math.Floor(v)
	}
	return math.Ceil(v)
}

// toInteger converts a whole number to u32, s32, u64 or s64, numbered from 1. The nearest value stands for what is out
// of range, and the highest bit alone for NaN.
func toInteger(v float64, kind int32) uint64 {
	lo, hi, width := 0.0, math.Ldexp(1, 32), 32
	if kind > 2 {
		hi, width = math.Ldexp(1, 64), 64
	}
	signed := kind == 2 || kind == 4
	if signed {
		lo, hi = -hi/2, hi/2
	}
	mask := uint64(math.MaxUint64) >> (64 - width)
	top := uint64(1) << (width - 1)
	switch {
	case math.IsNaN(v):
		return top
	case v < lo && signed:
		return top
	case v < lo:
		return 0
	case v >= hi && signed:
		return top - 1
	case v >= hi:
		return mask
	case v < 0:
		return uint64(int64(v)) & mask
	}
	return uint64(v)
}
