package emulator

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func f(v float32) uint64 { return uint64(math.Float32bits(v)) }
func d(v float64) uint64 { return math.Float64bits(v) }
func w(v int) uint64     { return uint64(uint32(v)) }
func q(v int) uint64     { return uint64(v) }

var (
	infinity = math.Inf(1)
	notANum  = math.NaN()
	tiny32   = float32(math.SmallestNonzeroFloat32)
)

// instruction is a case: what is executed, on what, and what comes out. Register 3 is the result.
type instruction struct {
	text string
	in   []uint64
	want uint64
}

var cases = []instruction{
	{"mov.f32 %f3, %f0", []uint64{f(1.5)}, f(1.5)},
	{"mov.f32 %f3, 0fBF800000", nil, f(-1)},
	{"mov.f64 %d3, 0dBFF0000000000000", nil, d(-1)},
	{"mov.u32 %w3, 0x1F", nil, 31},
	{"mov.s32 %w3, -2", nil, 0xfffffffe},
	{"mov.u64 %q3, 18446744073709551615", nil, math.MaxUint64},
	{"mov.s64 %q3, -2", nil, math.MaxUint64 - 1},
	{"mov.b32 %x3, %f0", []uint64{f(1.5)}, f(1.5)},
	{"mov.b32 %f3, 0f3F800000", nil, f(1)},
	{"mov.b64 %y3, %d0", []uint64{d(1.5)}, d(1.5)},
	{"mov.b64 %y3, {%w0, %x1}", []uint64{1, 2}, 2<<32 | 1},
	{"mov.b64 {%w2, %w3}, %q0", []uint64{2<<32 | 1}, 2},
	{"mov.b64 {%w3, %w2}, %q0", []uint64{2<<32 | 1}, 1},
	{"mov.pred %p3, %p0", []uint64{0}, 0},
	{"mov.pred %p3, 1", nil, 1},
	{"mov.u64 %q3, memory", nil, 0},
	{"cvta.to.global.u64 %q3, %q0", []uint64{7}, 7},
	{"cvta.global.u64 %q3, %q0", []uint64{7}, 7},
	{"cvta.const.u64 %q3, %q0", []uint64{7}, 7},
	{"cvta.to.const.u64 %q3, %q0", []uint64{7}, 7},
	{"selp.f32 %f3, %f0, %f1, %p2", []uint64{f(1), f(2), 1}, f(1)},
	{"selp.f64 %d3, %d0, %d1, %p2", []uint64{d(1), d(2), 0}, d(2)},
	{"selp.u32 %w3, %w0, -1, %p2", []uint64{1, 2, 0}, math.MaxUint32},
	{"selp.s32 %w3, 8, 9, %p2", []uint64{1, 2, 1}, 8},
	{"selp.u64 %q3, %q0, %q1, %p2", []uint64{1, 2, 1}, 1},
	{"selp.s64 %q3, %q0, -1, %p2", []uint64{1, 2, 0}, math.MaxUint64},
	{"selp.b32 %x3, %f0, %w1, %p2", []uint64{1, 2, 0}, 2},
	{"selp.b64 %y3, %d0, %q1, %p2", []uint64{1, 2, 1}, 1},

	{"add.rn.f32 %f3, %f0, %f1", []uint64{f(1 << 24), f(1)}, f(1 << 24)},
	{"add.rn.f32 %f3, %f0, %f1", []uint64{f(tiny32), f(tiny32)}, 2},
	{"sub.rn.f32 %f3, %f0, 0f3F800000", []uint64{f(1.5)}, f(0.5)},
	{"mul.rn.f32 %f3, %f0, %f1", []uint64{f(tiny32), f(0.75)}, f(tiny32)},
	{"mul.rn.f32 %f3, %f0, %f1", []uint64{f(math.MaxFloat32), f(2)}, 0x7f800000},
	{"div.rn.f32 %f3, %f0, %f1", []uint64{f(1), f(3)}, 0x3eaaaaab},
	{"fma.rn.f32 %f3, %f0, %f1, %f2", []uint64{f(1 + 0x1p-12), f(1 - 0x1p-12), f(-1)}, f(-0x1p-24)},
	{"sqrt.rn.f32 %f3, %f0", []uint64{f(2)}, 0x3fb504f3},
	{"abs.f32 %f3, %f0", []uint64{f(-2)}, f(2)},
	{"neg.f32 %f3, %f0", []uint64{f(2)}, f(-2)},
	{"copysign.f32 %f3, %f0, %f1", []uint64{f(-1), f(2)}, f(-2)},
	{"copysign.f32 %f3, %f0, %f1", []uint64{f(1), f(-2)}, f(2)},
	{"min.f32 %f3, %f0, %f1", []uint64{f(0), 1 << 31}, 1 << 31},
	{"min.f32 %f3, %f0, %f1", []uint64{nan, f(2)}, f(2)},
	{"max.f32 %f3, %f0, %f1", []uint64{f(-2), nan}, f(-2)},
	{"max.f32 %f3, %f0, %f1", []uint64{1 << 31, f(0)}, 0},
	{"add.rn.f64 %d3, %d0, %d1", []uint64{d(1), d(0x1p-53)}, d(1)},
	{"sub.rn.f64 %d3, %d0, %d1", []uint64{d(1), d(3)}, d(-2)},
	{"mul.rn.f64 %d3, %d0, %d1", []uint64{1, d(0.5)}, 0},
	{"div.rn.f64 %d3, %d0, %d1", []uint64{d(1), d(3)}, 0x3fd5555555555555},
	{"fma.rn.f64 %d3, %d0, %d1, %d2", []uint64{d(1 + 0x1p-30), d(1 - 0x1p-30), d(-1)}, d(-0x1p-60)},
	{"sqrt.rn.f64 %d3, %d0", []uint64{d(2)}, 0x3ff6a09e667f3bcd},
	{"abs.f64 %d3, %d0", []uint64{d(-2)}, d(2)},
	{"neg.f64 %d3, %d0", []uint64{d(2)}, d(-2)},
	{"copysign.f64 %d3, %d0, %d1", []uint64{d(-1), d(2)}, d(-2)},
	{"min.f64 %d3, %d0, %d1", []uint64{d(3), d(2)}, d(2)},
	{"max.f64 %d3, %d0, %d1", []uint64{d(notANum), d(2)}, d(2)},

	{"testp.finite.f32 %p3, %f0", []uint64{f(math.MaxFloat32)}, 1},
	{"testp.finite.f32 %p3, %f0", []uint64{f(float32(infinity))}, 0},
	{"testp.finite.f64 %p3, %d0", []uint64{d(math.MaxFloat64)}, 1},
	{"testp.finite.f64 %p3, %d0", []uint64{d(notANum)}, 0},
	{"and.pred %p3, %p0, %p1", []uint64{1, 0}, 0},
	{"or.pred %p3, %p0, %p1", []uint64{1, 0}, 1},
	{"xor.pred %p3, %p0, %p1", []uint64{1, 1}, 0},
	{"not.pred %p3, %p0", []uint64{1}, 0},
	{"and.b32 %x3, %x0, %w1", []uint64{6, 3}, 2},
	{"or.b32 %x3, %x0, 0x80000000", []uint64{6}, 0x80000006},
	{"xor.b32 %x3, %x0, -1", []uint64{6}, 0xfffffff9},
	{"not.b32 %x3, %x0", []uint64{6}, 0xfffffff9},
	{"and.b64 %y3, %y0, 0xFFFFFFFF00000000", []uint64{math.MaxUint64}, 0xffffffff00000000},
	{"or.b64 %y3, %y0, %y1", []uint64{1 << 40, 1}, 1<<40 | 1},
	{"xor.b64 %y3, %y0, -1", []uint64{1}, math.MaxUint64 - 1},
	{"not.b64 %y3, %y0", []uint64{1}, math.MaxUint64 - 1},
	{"shl.b32 %x3, %x0, %w1", []uint64{3, 31}, 1 << 31},
	{"shl.b32 %x3, %x0, 32", []uint64{3}, 0},
	{"shl.b64 %y3, %y0, 63", []uint64{3}, 1 << 63},
	{"shl.b64 %y3, %y0, 64", []uint64{3}, 0},
	{"shr.b32 %x3, %x0, 1", []uint64{1 << 31}, 1 << 30},
	{"shr.b64 %y3, %y0, 1", []uint64{1 << 63}, 1 << 62},
	{"shr.u32 %w3, %w0, 32", []uint64{math.MaxUint32}, 0},
	{"shr.u64 %q3, %q0, 64", []uint64{math.MaxUint64}, 0},
	{"shr.s32 %w3, %w0, 1", []uint64{w(-4)}, w(-2)},
	{"shr.s32 %w3, %w0, 99", []uint64{w(-4)}, w(-1)},
	{"shr.s64 %q3, %q0, 99", []uint64{q(-4)}, q(-1)},
	{"clz.b32 %w3, %x0", []uint64{1}, 31},
	{"clz.b32 %w3, %x0", []uint64{0}, 32},
	{"clz.b64 %w3, %y0", []uint64{1}, 63},

	{"add.u32 %w3, %w0, 1", []uint64{math.MaxUint32}, 0},
	{"add.s32 %w3, %w0, -3", []uint64{1}, w(-2)},
	{"add.u64 %q3, %q0, 1", []uint64{math.MaxUint32}, 1 << 32},
	{"add.s64 %q3, %q0, -3", []uint64{1}, q(-2)},
	{"sub.u32 %w3, %w0, %w1", []uint64{1, 2}, w(-1)},
	{"sub.s32 %w3, %w0, %w1", []uint64{3, 2}, 1},
	{"sub.u64 %q3, %q0, %q1", []uint64{1, 2}, q(-1)},
	{"sub.s64 %q3, %q0, %q1", []uint64{3, 2}, 1},
	{"mul.lo.u32 %w3, %w0, %w1", []uint64{1 << 31, 3}, 1 << 31},
	{"mul.lo.s32 %w3, %w0, -3", []uint64{7}, w(-21)},
	{"mul.lo.u64 %q3, %q0, %q1", []uint64{1 << 63, 3}, 1 << 63},
	{"mul.lo.s64 %q3, %q0, -3", []uint64{7}, q(-21)},
	{"mul.hi.u32 %w3, %w0, %w1", []uint64{1 << 31, 6}, 3},
	{"mul.hi.u64 %q3, %q0, %q1", []uint64{1 << 63, 6}, 3},
	{"mul.wide.u32 %q3, %w0, -1", []uint64{math.MaxUint32}, 0xfffffffe00000001},
	{"mul.wide.s32 %q3, %w0, -2", []uint64{math.MaxUint32}, 2},
	{"mad.lo.u32 %w3, %w0, %w1, %w2", []uint64{1 << 31, 3, 1 << 31}, 0},
	{"mad.lo.s32 %w3, %w0, %w1, -1", []uint64{2, 3}, 5},
	{"mad.lo.u64 %q3, %q0, %q1, %q2", []uint64{1 << 31, 2, 1}, 1<<32 + 1},
	{"mad.lo.s64 %q3, %q0, %q1, -1", []uint64{2, 3}, 5},
	{"mad.wide.u32 %q3, %w0, 4, %q1", []uint64{1 << 31, 1 << 40}, 1<<40 + 1<<33},
	{"neg.s32 %w3, %w0", []uint64{1}, w(-1)},
	{"neg.s64 %q3, %q0", []uint64{1}, q(-1)},
	{"div.u32 %w3, %w0, 10", []uint64{w(-1)}, 429496729},
	{"rem.u32 %w3, %w0, 10", []uint64{w(-1)}, 5},
	{"div.u64 %q3, %q0, 10", []uint64{q(-1)}, 1844674407370955161},
	{"rem.u64 %q3, %q0, 10", []uint64{q(-1)}, 5},
	{"div.s32 %w3, %w0, 2", []uint64{w(-7)}, w(-3)},
	{"rem.s32 %w3, %w0, 2", []uint64{w(-7)}, w(-1)},
	{"min.u32 %w3, %w0, 2", []uint64{w(-7)}, 2},
	{"max.u32 %w3, %w0, 2", []uint64{w(-7)}, w(-7)},
	{"min.u64 %q3, %q0, 2", []uint64{q(-7)}, 2},
	{"max.u64 %q3, %q0, 2", []uint64{q(-7)}, q(-7)},
	{"min.s32 %w3, %w0, 2", []uint64{w(-7)}, w(-7)},
	{"max.s32 %w3, %w0, 2", []uint64{w(-7)}, 2},
	{"min.s64 %q3, %q0, 2", []uint64{q(-7)}, q(-7)},
	{"max.s64 %q3, %q0, 2", []uint64{q(-7)}, 2},
	{"add.cc.u64 %q2, %q0, %q1; addc.u64 %q3, 5, 0", []uint64{q(-1), 1}, 6},
	{"add.cc.s64 %q2, %q0, %q1; addc.s64 %q3, 5, 0", []uint64{q(-1), 0}, 5},
	{"add.cc.u64 %q2, %q0, %q1; addc.cc.u64 %q2, %q0, 0; addc.u64 %q3, 5, 0", []uint64{q(-1), 1}, 6},
	{"add.cc.u64 %q2, %q0, 1; addc.cc.s64 %q2, 0, 0; addc.u64 %q3, 5, 0", []uint64{q(-1), 1}, 5},
	{"add.cc.u64 %q2, %q0, 1; add.cc.u64 %q2, 0, 0; addc.u64 %q3, 5, 0", []uint64{q(-1)}, 5},
	{"add.cc.u64 %q2, %q0, 1; add.cc.u64 %q3, 5, 0", []uint64{q(-1)}, 5},
	{"add.cc.u64 %q2, %q0, 1; addc.u64 %q2, 5, 0; addc.u64 %q3, 5, 0", []uint64{q(-1)}, 6},

	{"cvt.u32.u64 %w3, %q0", []uint64{5<<32 | 7}, 7},
	{"cvt.u32.s64 %w3, %q0", []uint64{q(-1)}, w(-1)},
	{"cvt.s32.u64 %w3, %q0", []uint64{5<<32 | 7}, 7},
	{"cvt.s32.s64 %w3, %q0", []uint64{q(-1)}, w(-1)},
	{"cvt.u64.u32 %q3, %w0", []uint64{w(-1)}, math.MaxUint32},
	{"cvt.s64.u32 %q3, %w0", []uint64{w(-1)}, math.MaxUint32},
	{"cvt.u64.s32 %q3, %w0", []uint64{w(-1)}, q(-1)},
	{"cvt.s64.s32 %q3, %w0", []uint64{w(-5)}, q(-5)},
	{"cvt.f64.f32 %d3, %f0", []uint64{f(tiny32)}, d(0x1p-149)},
	{"cvt.rn.f32.f64 %f3, %d0", []uint64{d(1 + 0x1p-24)}, f(1)},
	{"cvt.rn.f32.f64 %f3, %d0", []uint64{d(1 + 0x3p-24)}, f(1 + 0x1p-22)},
	{"cvt.rn.f64.u32 %d3, %w0", []uint64{w(-1)}, d(math.MaxUint32)},
	{"cvt.rn.f64.s32 %d3, %w0", []uint64{w(-1)}, d(-1)},
	{"cvt.rn.f64.u64 %d3, %q0", []uint64{1<<63 + 1<<10}, d(1 << 63)},
	{"cvt.rn.f64.u64 %d3, %q0", []uint64{1<<63 + 1<<10 + 1}, d(1<<63 + 1<<11)},
	{"cvt.rn.f64.s64 %d3, %q0", []uint64{q(-3)}, d(-3)},
	{"cvt.rn.f32.u32 %f3, %w0", []uint64{1<<24 + 1}, f(1 << 24)},
	{"cvt.rn.f32.s32 %f3, %w0", []uint64{w(-3)}, f(-3)},
	{"cvt.rn.f32.u64 %f3, %q0", []uint64{1<<63 + 1<<39 + 1}, f(1<<63 + 1<<40)},
	{"cvt.rn.f32.s64 %f3, %q0", []uint64{q(-3)}, f(-3)},
}

// compared are cases of setp. Each comparison gives what holds of less, equal, greater and, for NaN, unordered.
func compared() []instruction {
	var all []instruction
	holds := map[string][4]uint64{
		"lt": {1, 0, 0, 0}, "le": {1, 1, 0, 0}, "gt": {0, 0, 1, 0}, "ge": {0, 1, 1, 0},
		"eq": {0, 1, 0, 0}, "ne": {1, 0, 1, 0},
		"ltu": {1, 0, 0, 1}, "leu": {1, 1, 0, 1}, "gtu": {0, 0, 1, 1}, "geu": {0, 1, 1, 1},
		"equ": {0, 1, 0, 1}, "neu": {1, 0, 1, 1},
		"lo": {1, 0, 0, 0}, "ls": {1, 1, 0, 0}, "hi": {0, 0, 1, 0}, "hs": {0, 1, 1, 0},
	}
	pairs := map[string][][2]uint64{
		"f32": {{f(-1), f(2)}, {f(0), 1 << 31}, {f(2), f(1)}, {f(1), nan}, {nan, f(1)}, {nan, nan}},
		"f64": {{d(-1), d(2)}, {d(0), 1 << 63}, {d(2), d(1)},
			{d(1), d(notANum)}, {d(notANum), d(1)}, {d(notANum), d(notANum)}},
		"u32": {{1, w(-2)}, {w(-2), w(-2)}, {w(-2), 1}}, "s32": {{w(-2), 1}, {5, 5}, {1, w(-2)}},
		"u64": {{1, q(-2)}, {q(-2), q(-2)}, {1 << 40, 1}}, "s64": {{q(-2), 1}, {5, 5}, {1, q(-2)}},
		"b32": {{1, w(-2)}, {7, 7}, {w(-2), 1}}, "b64": {{1, q(-2)}, {7, 7}, {1 << 40, 1}},
	}
	for name := range instructions {
		words := strings.Split(name, ".")
		if words[0] != "setp" {
			continue
		}
		for i, in := range pairs[words[2]] {
			k := kinds[words[2]]
			text := fmt.Sprintf("%s %%p3, %%%c0, %%%c1", name, k, k)
			all = append(all, instruction{text, in[:], holds[words[1]][min(i, 3)]})
		}
	}
	return all
}

// rounded are cases of cvt to whole numbers: −2.5, −1.5, 2.5 and 3.75 in each rounding, and what is out of range.
func rounded() []instruction {
	var all []instruction
	wholes := map[string][4]int{"rni": {-2, -2, 2, 4}, "rzi": {-2, -1, 2, 3}, "rmi": {-3, -2, 2, 3}, "rpi": {-2, -1, 3, 4}}
	ends := map[string][3]uint64{ // of −10³⁰, 10³⁰ and NaN
		"u32": {0, w(-1), 1 << 31}, "s32": {1 << 31, 1<<31 - 1, 1 << 31},
		"u64": {0, math.MaxUint64, 1 << 63}, "s64": {1 << 63, 1<<63 - 1, 1 << 63},
	}
	number := map[string]func(v float64) uint64{"f32": func(v float64) uint64 { return f(float32(v)) }, "f64": d}
	for name := range instructions {
		words := strings.Split(name, ".")
		if len(words) != 4 || words[1] == "rn" || words[0] != "cvt" {
			continue
		}
		to, from := kinds[words[2]], kinds[words[3]]
		text := fmt.Sprintf("%s %%%c3, %%%c0", name, to, from)
		add := func(v float64, want uint64) {
			all = append(all, instruction{text, []uint64{number[words[3]](v)}, want})
		}
		for i, v := range []float64{-2.5, -1.5, 2.5, 3.75} {
			whole := wholes[words[1]][i]
			switch {
			case words[2][0] == 'f':
				add(v, number[words[2]](float64(whole)))
			case words[2][0] == 'u' && whole < 0:
				add(v, 0)
			case to.size() == 4:
				add(v, w(whole))
			default:
				add(v, q(whole))
			}
		}
		if words[2][0] == 'f' {
			continue
		}
		add(-1e30, ends[words[2]][0])
		add(1e30, ends[words[2]][1])
		if to.size() == 4 && from.size() == 4 {
			add(notANum, 0)
		} else {
			add(notANum, ends[words[2]][2])
		}
	}
	return all
}

func TestInstructions(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range append(append(cases, compared()...), rounded()...) {
		for text := range strings.SplitSeq(c.text, "; ") {
			name, _, _ := strings.Cut(text, " ")
			tested[name] = true
		}
		got, err := result(t, c.text, c.in...)
		if err != nil || got != c.want {
			t.Errorf("%s of %#x: got %#x, %v, want %#x", c.text, c.in, got, err, c.want)
		}
	}
	for name := range instructions {
		if !tested[name] {
			t.Errorf("%s has no case", name)
		}
	}
}
