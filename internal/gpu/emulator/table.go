package emulator

import (
	"slices"
	"strings"
)

// row is an instruction that computes.
type row struct {
	names string // separated by spaces
	op    opcode
	kinds string   // of result and operands, a letter each
	swap  bool     // exchange the first two operands
	mode  [2]int32 // instead of the operands after the first
}

// instructions are the rows by name.
var instructions = byName(slices.Concat(
	moves, floats("f32", "f", 0), floats("f64", "d", opAddF64-opAddF32), logic, integers, comparisons(), conversions(),
))

func byName(rows []row) map[string]row {
	m := map[string]row{}
	for _, r := range rows {
		for _, name := range strings.Fields(r.names) {
			m[name] = r
		}
	}
	return m
}

var moves = []row{
	{names: "mov.f32", op: opMove, kinds: "ff"},
	{names: "mov.f64", op: opMove, kinds: "dd"},
	{names: "mov.u32 mov.s32", op: opMove, kinds: "ww"},
	{names: "mov.u64 mov.s64", op: opMove, kinds: "qq"},
	{names: "mov.b32", op: opMove, kinds: "xx"},
	{names: "mov.b64", op: opMove, kinds: "yy"},
	{names: "mov.pred", op: opMove, kinds: "pp"},
	{names: "cvta.to.global.u64 cvta.global.u64 cvta.const.u64 cvta.to.const.u64", op: opMove, kinds: "qq"},
	{names: "selp.f32", op: opSelect, kinds: "fffp"},
	{names: "selp.f64", op: opSelect, kinds: "dddp"},
	{names: "selp.u32 selp.s32", op: opSelect, kinds: "wwwp"},
	{names: "selp.u64 selp.s64", op: opSelect, kinds: "qqqp"},
	{names: "selp.b32", op: opSelect, kinds: "xxxp"},
	{names: "selp.b64", op: opSelect, kinds: "yyyp"},
}

// floats are the rows of a floating-point type. Add and its like are only known with their rounding: without it, the
// driver may fuse them.
func floats(t, k string, ops opcode) []row {
	one, two, three := k+k, k+k+k, k+k+k+k
	return []row{
		{names: "add.rn." + t, op: opAddF32 + ops, kinds: two},
		{names: "sub.rn." + t, op: opSubF32 + ops, kinds: two},
		{names: "mul.rn." + t, op: opMulF32 + ops, kinds: two},
		{names: "div.rn." + t, op: opDivF32 + ops, kinds: two},
		{names: "fma.rn." + t, op: opFmaF32 + ops, kinds: three},
		{names: "sqrt.rn." + t, op: opSqrtF32 + ops, kinds: one},
		{names: "abs." + t, op: opAbsF32 + ops, kinds: one},
		{names: "neg." + t, op: opNegF32 + ops, kinds: one},
		{names: "copysign." + t, op: opCopysignF32 + ops, kinds: two},
		{names: "min." + t, op: opMinF32 + ops, kinds: two},
		{names: "max." + t, op: opMaxF32 + ops, kinds: two},
	}
}

var logic = []row{
	{names: "testp.finite.f32", op: opFiniteF32, kinds: "pf"},
	{names: "testp.finite.f64", op: opFiniteF64, kinds: "pd"},
	{names: "and.pred", op: opAnd, kinds: "ppp"},
	{names: "or.pred", op: opOr, kinds: "ppp"},
	{names: "xor.pred", op: opXor, kinds: "ppp"},
	{names: "not.pred", op: opNotPred, kinds: "pp"},
	{names: "and.b32", op: opAnd, kinds: "xxx"},
	{names: "or.b32", op: opOr, kinds: "xxx"},
	{names: "xor.b32", op: opXor, kinds: "xxx"},
	{names: "not.b32", op: opNot32, kinds: "xx"},
	{names: "and.b64", op: opAnd, kinds: "yyy"},
	{names: "or.b64", op: opOr, kinds: "yyy"},
	{names: "xor.b64", op: opXor, kinds: "yyy"},
	{names: "not.b64", op: opNot, kinds: "yy"},
	{names: "shl.b32", op: opShl32, kinds: "xxw"},
	{names: "shl.b64", op: opShl64, kinds: "yyw"},
	{names: "shr.b32", op: opShr, kinds: "xxw"},
	{names: "shr.b64", op: opShr, kinds: "yyw"},
	{names: "shr.u32", op: opShr, kinds: "www"},
	{names: "shr.u64", op: opShr, kinds: "qqw"},
	{names: "shr.s32", op: opShrS32, kinds: "www"},
	{names: "shr.s64", op: opShrS64, kinds: "qqw"},
	{names: "clz.b32", op: opClz32, kinds: "wx"},
	{names: "clz.b64", op: opClz64, kinds: "wy"},
}

var integers = []row{
	{names: "add.u32 add.s32", op: opAdd32, kinds: "www"},
	{names: "add.u64 add.s64", op: opAdd64, kinds: "qqq"},
	{names: "sub.u32 sub.s32", op: opSub32, kinds: "www"},
	{names: "sub.u64 sub.s64", op: opSub64, kinds: "qqq"},
	{names: "mul.lo.u32 mul.lo.s32", op: opMul32, kinds: "www"},
	{names: "mul.lo.u64 mul.lo.s64", op: opMul64, kinds: "qqq"},
	{names: "mul.hi.u32", op: opMulHi32, kinds: "www"},
	{names: "mul.hi.u64", op: opMulHi64, kinds: "qqq"},
	{names: "mul.wide.u32", op: opMul64, kinds: "qww"},
	{names: "mul.wide.s32", op: opMulWideS32, kinds: "qww"},
	{names: "mad.lo.u32 mad.lo.s32", op: opMad32, kinds: "wwww"},
	{names: "mad.lo.u64 mad.lo.s64", op: opMad64, kinds: "qqqq"},
	{names: "mad.wide.u32", op: opMad64, kinds: "qwwq"},
	{names: "neg.s32", op: opNeg32, kinds: "ww"},
	{names: "neg.s64", op: opNeg64, kinds: "qq"},
	{names: "div.u32", op: opDivU, kinds: "www"},
	{names: "div.u64", op: opDivU, kinds: "qqq"},
	{names: "rem.u32", op: opRemU, kinds: "www"},
	{names: "rem.u64", op: opRemU, kinds: "qqq"},
	{names: "div.s32", op: opDivS32, kinds: "www"},
	{names: "rem.s32", op: opRemS32, kinds: "www"},
	{names: "min.u32", op: opMinU, kinds: "www"},
	{names: "min.u64", op: opMinU, kinds: "qqq"},
	{names: "max.u32", op: opMaxU, kinds: "www"},
	{names: "max.u64", op: opMaxU, kinds: "qqq"},
	{names: "min.s32", op: opMinS32, kinds: "www"},
	{names: "max.s32", op: opMaxS32, kinds: "www"},
	{names: "min.s64", op: opMinS64, kinds: "qqq"},
	{names: "max.s64", op: opMaxS64, kinds: "qqq"},
	{names: "add.cc.u64 add.cc.s64", op: opAddCC, kinds: "qqq"},
	{names: "addc.u64 addc.s64", op: opAddC, kinds: "qqq"},
	{names: "addc.cc.u64 addc.cc.s64", op: opAddCCC, kinds: "qqq"},
}

// comparisons are the rows of setp. A greater-than is a less-than of exchanged operands.
func comparisons() []row {
	rows := []row{
		{names: "setp.eq.u32 setp.eq.s32", op: opEq, kinds: "pww"},
		{names: "setp.ne.u32 setp.ne.s32", op: opNe, kinds: "pww"},
		{names: "setp.eq.u64 setp.eq.s64", op: opEq, kinds: "pqq"},
		{names: "setp.ne.u64 setp.ne.s64", op: opNe, kinds: "pqq"},
		{names: "setp.eq.b32", op: opEq, kinds: "pxx"},
		{names: "setp.ne.b32", op: opNe, kinds: "pxx"},
		{names: "setp.eq.b64", op: opEq, kinds: "pyy"},
		{names: "setp.ne.b64", op: opNe, kinds: "pyy"},
	}
	// order are four comparisons with their names for a type.
	order := func(lt, le, gt, ge string, opLt, opLe opcode, kinds string) {
		rows = append(rows,
			row{names: lt, op: opLt, kinds: kinds}, row{names: le, op: opLe, kinds: kinds},
			row{names: gt, op: opLt, kinds: kinds, swap: true}, row{names: ge, op: opLe, kinds: kinds, swap: true})
	}
	order("setp.lt.u32 setp.lo.u32", "setp.le.u32 setp.ls.u32", "setp.gt.u32 setp.hi.u32", "setp.ge.u32 setp.hs.u32",
		opLtU, opLeU, "pww")
	order("setp.lt.u64 setp.lo.u64", "setp.le.u64 setp.ls.u64", "setp.gt.u64 setp.hi.u64", "setp.ge.u64 setp.hs.u64",
		opLtU, opLeU, "pqq")
	order("setp.lt.s32", "setp.le.s32", "setp.gt.s32", "setp.ge.s32", opLtS32, opLeS32, "pww")
	order("setp.lt.s64", "setp.le.s64", "setp.gt.s64", "setp.ge.s64", opLtS64, opLeS64, "pqq")
	for t, ops := range map[string]opcode{"f32": 0, "f64": opLtF64 - opLtF32} {
		k := "p" + strings.Repeat(string(kinds[t]), 2)
		order("setp.lt."+t, "setp.le."+t, "setp.gt."+t, "setp.ge."+t, opLtF32+ops, opLeF32+ops, k)
		order("setp.geu."+t, "setp.gtu."+t, "setp.leu."+t, "setp.ltu."+t, opNotLtF32+ops, opNotLeF32+ops, k)
		rows = append(rows,
			row{names: "setp.eq." + t, op: opEqF32 + ops, kinds: k}, row{names: "setp.ne." + t, op: opNeF32 + ops, kinds: k},
			row{names: "setp.neu." + t, op: opNotEqF32 + ops, kinds: k},
			row{names: "setp.equ." + t, op: opNotNeF32 + ops, kinds: k})
	}
	return rows
}

// conversions are the rows of cvt, result type before operand type.
func conversions() []row {
	rows := []row{
		{names: "cvt.u32.u64 cvt.u32.s64 cvt.s32.u64 cvt.s32.s64", op: opLow32, kinds: "wq"},
		{names: "cvt.u64.u32 cvt.s64.u32", op: opMove, kinds: "qw"},
		{names: "cvt.u64.s32 cvt.s64.s32", op: opSigned32, kinds: "qw"},
		{names: "cvt.f64.f32", op: opF64OfF32, kinds: "df"},
		{names: "cvt.rn.f32.f64", op: opF32OfF64, kinds: "fd"},
		{names: "cvt.rn.f64.u32", op: opF64OfU, kinds: "dw"},
		{names: "cvt.rn.f64.u64", op: opF64OfU, kinds: "dq"},
		{names: "cvt.rn.f64.s32", op: opF64OfS32, kinds: "dw"},
		{names: "cvt.rn.f64.s64", op: opF64OfS64, kinds: "dq"},
		{names: "cvt.rn.f32.u32", op: opF32OfU, kinds: "fw"},
		{names: "cvt.rn.f32.u64", op: opF32OfU, kinds: "fq"},
		{names: "cvt.rn.f32.s32", op: opF32OfS32, kinds: "fw"},
		{names: "cvt.rn.f32.s64", op: opF32OfS64, kinds: "fq"},
	}
	for r, rounding := range []string{"rni", "rzi", "rmi", "rpi"} {
		for t, to := range []string{"u32", "s32", "u64", "s64"} {
			name, k, mode := "cvt."+rounding+"."+to, string(kinds[to]), [2]int32{int32(r), int32(t) + 1}
			rows = append(rows,
				row{names: name + ".f32", op: opIntOfF32, kinds: k + "f", mode: mode},
				row{names: name + ".f64", op: opIntOfF64, kinds: k + "d", mode: mode})
		}
		mode := [2]int32{int32(r), -1}
		rows = append(rows,
			row{names: "cvt." + rounding + ".f32.f32", op: opRoundF32, kinds: "ff", mode: mode},
			row{names: "cvt." + rounding + ".f64.f64", op: opRoundF64, kinds: "dd", mode: mode})
	}
	return rows
}
