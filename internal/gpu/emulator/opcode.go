package emulator

// opcode is what an instruction does. Operations on whole slots serve 32 and 64 bits.
type opcode uint16

const (
	opNone opcode = iota
	opBra
	opBar
	opCall
	opRet
	opExit
	opMove
	opSelect
	opUnpack
	opPack

	opLdShared
	opLdShared8
	opLdSharedV4
	opLdSharedV8
	opStShared
	opStShared8
	opStSharedV4
	opStSharedV8
	opLdGlobal
	opLdGlobal8
	opLdGlobalV4
	opLdGlobalV8
	opStGlobal
	opStGlobal8
	opStGlobalV4
	opStGlobalV8
	opLdConst
	opLdConst8
	opLdConstV4
	opLdConstV8

	opAddF32
	opSubF32
	opMulF32
	opDivF32
	opFmaF32
	opSqrtF32
	opAbsF32
	opNegF32
	opCopysignF32
	opMinF32
	opMaxF32
	opAddF64
	opSubF64
	opMulF64
	opDivF64
	opFmaF64
	opSqrtF64
	opAbsF64
	opNegF64
	opCopysignF64
	opMinF64
	opMaxF64

	opLtF32
	opLeF32
	opEqF32
	opNeF32
	opNotLtF32 // the negation of what precedes is true of NaN
	opNotLeF32
	opNotEqF32
	opNotNeF32
	opLtF64
	opLeF64
	opEqF64
	opNeF64
	opNotLtF64
	opNotLeF64
	opNotEqF64
	opNotNeF64
	opLtU
	opLeU
	opEq
	opNe
	opLtS32
	opLeS32
	opLtS64
	opLeS64
	opFiniteF32
	opFiniteF64

	opAnd
	opOr
	opXor
	opNot
	opNot32
	opNotPred
	opShl32
	opShl64
	opShr
	opShrS32
	opShrS64
	opClz32
	opClz64

	opAdd32
	opAdd64
	opSub32
	opSub64
	opMul32
	opMul64
	opMulHi32
	opMulHi64
	opMad32
	opMad64
	opMulWideS32
	opNeg32
	opNeg64
	opDivU
	opRemU
	opDivS32
	opRemS32
	opMinU
	opMaxU
	opMinS32
	opMaxS32
	opMinS64
	opMaxS64
	opAddCC
	opAddC
	opAddCCC

	opLow32
	opSigned32
	opF64OfF32
	opF32OfF64
	opF64OfU
	opF64OfS32
	opF64OfS64
	opF32OfU
	opF32OfS32
	opF32OfS64
	opIntOfF32 // mode: rounding, integer type
	opIntOfF64
	opRoundF32 // mode: rounding
	opRoundF64
)

// opVectors is how far a vector's operation is from that of one value.
const opVectors = opLdSharedV4 - opLdShared

// ends says whether no instruction follows.
func (op opcode) ends() bool { return op == opBra || op == opRet || op == opExit }
