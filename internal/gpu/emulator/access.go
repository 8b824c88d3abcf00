package emulator

import (
	"math"
	"strings"
)

// access is what ld or st says.
type access struct {
	load  bool
	space string
	n     int // values
	kind  kind
}

// accesses are the operations on a space for values of 4 bytes; those of 8 bytes and for vectors follow each of them.
var accesses = map[string]opcode{
	"ld.shared": opLdShared, "st.shared": opStShared,
	"ld.global": opLdGlobal, "st.global": opStGlobal,
	"ld.const": opLdConst, "ld.param": opMove,
}

// op is the operation of an access.
func (a access) op() (opcode, bool) {
	word := "st."
	if a.load {
		word = "ld."
	}
	op, ok := accesses[word+a.space]
	size := a.n * a.kind.size()
	switch {
	case a.space == "param":
		return op, size == 8 && a.n == 1
	case a.kind.size() == 8:
		op++
	}
	if a.n > 1 {
		op += opVectors
	}
	return op, ok && size > 0 && size <= 16
}

// memory reads ld or st.
func (p *parser) memory(name string) error {
	words := strings.Split(name, ".")
	if len(words) < 3 || words[0] != "ld" && words[0] != "st" {
		return p.errorf("unknown instruction %s", name)
	}
	a := access{load: words[0] == "ld", space: words[1], n: 1}
	words = words[2:]
	if a.load && a.space == "global" && words[0] == "nc" {
		words = words[1:]
	}
	if len(words) == 2 && (words[0] == "v2" || words[0] == "v4") {
		a.n, words = int(words[0][1]-'0'), words[1:]
	}
	if len(words) == 1 {
		a.kind = kinds[words[0]]
	}
	op, ok := a.op()
	if !ok {
		return p.errorf("unknown instruction %s", name)
	}
	in := instr{op: op, n: uint8(a.n)}
	if err := p.access(a, &in); err != nil {
		return err
	}
	p.emit(in)
	return nil
}

// access reads the operands of ld and st: values and address, in the order of the instruction.
func (p *parser) access(a access, in *instr) (err error) {
	if a.load {
		if in.x, err = p.data(a); err == nil {
			err = p.want(",")
		}
	}
	switch {
	case err != nil:
	case a.space == "param":
		in.x[1], err = p.argument()
	default:
		in.base, in.off, err = p.address(a.space)
	}
	if err == nil && !a.load {
		if err = p.want(","); err == nil {
			in.x, err = p.data(a)
		}
	}
	return err
}

// data reads what is loaded or stored.
func (p *parser) data(a access) (x [4]int32, err error) {
	switch {
	case a.n > 1:
		return p.vector(a.kind, a.n, a.load)
	case a.load:
		x[0], err = p.register(a.kind)
	default:
		x[0], err = p.operand(a.kind, false)
	}
	return x, err
}

// argument reads a parameter of the entry in brackets.
func (p *parser) argument() (int32, error) {
	if err := p.want("["); err != nil {
		return 0, err
	}
	name := p.next().text
	slot, ok := p.fn.args[name]
	if !ok {
		return 0, p.errorf("there is no parameter %s", name)
	}
	return slot, p.want("]")
}

// address reads a register or a name, and an offset, in brackets.
func (p *parser) address(space string) (base, off int32, err error) {
	if err := p.want("["); err != nil {
		return 0, 0, err
	}
	name := p.next().text
	if s, ok := p.symbols[name]; ok && s.shared == (space == "shared") {
		base = p.fixed(s.address)
	} else {
		r, err := p.lookup(name)
		if err == nil && !u64.fits(r.kind) && (space != "shared" || !u32.fits(r.kind)) {
			err = p.errorf("register %s has type %v, which is no address", name, r.kind)
		}
		if err != nil {
			return 0, 0, err
		}
		base = r.slot
	}
	off, err = p.offset()
	return base, off, err
}

// offset reads what follows the base of an address, up to the bracket.
func (p *parser) offset() (int32, error) {
	if p.accept("]") {
		return 0, nil
	}
	if err := p.want("+"); err != nil {
		return 0, err
	}
	minus := p.accept("-")
	v, err := p.integer()
	if err != nil {
		return 0, err
	}
	if v > math.MaxInt32 {
		return 0, p.errorf("offset %d is too large", v)
	}
	if minus {
		v = -v
	}
	return int32(int64(v)), p.want("]")
}
