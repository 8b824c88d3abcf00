package emulator

import (
	"fmt"
	"strings"
	"sync"
)

// program is a compiled kernel.
type program struct {
	text, entry string
	source      []string // lines of text
	code        []instr
	lines       []int32 // of each instruction
	start       int32   // where the entry begins
	regs        []uint64
	params      []int32 // slots
	constants   []byte  // of .const tables
	globals     []byte  // of .global tables, nil if there are none

	blocks sync.Pool // of *block
}

// Slots of each thread hold registers and, so that every operand is a slot, constants.
const (
	slotNone = int32(iota) // no predicate
	slotTid
	slotCtaid
	slotNtid
	slotNctaid
	slotFirst // that is handed out
)

// special are the registers that every thread has.
var special = map[string]int32{
	"%tid.x": slotTid, "%ctaid.x": slotCtaid, "%ntid.x": slotNtid, "%nctaid.x": slotNctaid,
}

// startConst is the address of the first .const table.
const startConst = 1 << 20

// instr is an instruction. A slot of 32 bits holds them zero-extended, a predicate is 0 or 1.
type instr struct {
	op   opcode
	not  bool     // run if the predicate is 0
	n    uint8    // values that are loaded or stored
	pred int32    // slot, or slotNone
	x    [4]int32 // slots: result and operands, or what is loaded or stored
	base int32    // slot of an address
	off  int32    // offset to base, or where a branch goes
}

// line returns a line of the text, counted from 1.
func (p *program) line(n int) string { return strings.TrimSpace(p.source[n-1]) }

// at is an error in a line of the text.
func (p *program) at(line int, format string, args ...any) error {
	return fmt.Errorf("emulator: line %d: %s: %s", line, p.line(line), fmt.Sprintf(format, args...))
}

// kind is the type of a register or an operand. Signed and unsigned integers are the same.
type kind byte

const (
	f32  = kind('f')
	f64  = kind('d')
	u32  = kind('w')
	u64  = kind('q')
	b32  = kind('x')
	b64  = kind('y')
	pred = kind('p')
)

var kinds = map[string]kind{
	"f32": f32, "f64": f64, "u32": u32, "s32": u32, "u64": u64, "s64": u64, "b32": b32, "b64": b64, "pred": pred,
}

func (k kind) String() string {
	return map[kind]string{f32: "f32", f64: "f64", u32: "u32", u64: "u64", b32: "b32", b64: "b64", pred: "pred"}[k]
}

// size is in bytes, 0 for a predicate.
func (k kind) size() int {
	switch k {
	case f32, u32, b32:
		return 4
	case f64, u64, b64:
		return 8
	}
	return 0
}

// fits says whether a register of type r may be an operand of type k: both have one size and the same type, or one of
// them is just bits.
func (k kind) fits(r kind) bool {
	return k == r || k.size() == r.size() && (k.bits() || r.bits())
}

func (k kind) bits() bool { return k == b32 || k == b64 }

// unset is what a register holds before the first write.
func (k kind) unset() uint64 {
	switch k.size() {
	case 4:
		return nan
	case 8:
		return nan<<32 | nan
	}
	return 1
}
