package emulator

import "strings"

// guard is the predicate of an instruction.
type guard struct {
	pred int32
	not  bool
}

// statement reads one of a function.
func (p *parser) statement() error {
	t := p.next()
	p.started, p.guard = t.line, guard{}
	switch {
	case t.text == ".reg":
		return p.reg()
	case t.text == ".pragma":
		p.i++
		return p.want(";")
	case t.text == "@":
		p.guard.not = p.accept("!")
		r, err := p.register(pred)
		if err != nil {
			return err
		}
		p.guard.pred = r
		return p.instruction(p.next().text)
	case p.accept(":"):
		if _, ok := p.fn.labels[t.text]; ok {
			return p.errorf("label %s stands twice", t.text)
		}
		p.fn.labels[t.text] = int32(len(p.code))
		return nil
	}
	return p.instruction(t.text)
}

// emit appends an instruction with the guard of the statement.
func (p *parser) emit(in instr) {
	in.pred, in.not = p.guard.pred, p.guard.not
	p.code = append(p.code, in)
	p.lines = append(p.lines, int32(p.started))
}

// instruction reads one after its guard.
func (p *parser) instruction(name string) error {
	head, _, _ := strings.Cut(name, ".")
	switch {
	case name == "bra", name == "bra.uni":
		p.branch(p.next().text)
	case name == "call", name == "call.uni":
		if err := p.call(); err != nil {
			return err
		}
	case name == "bar.sync":
		if err := p.want("0"); err != nil {
			return err
		}
		p.emit(instr{op: opBar})
	case name == "exit", name == "ret" && p.fn.entry:
		p.emit(instr{op: opExit})
	case name == "ret":
		p.emit(instr{op: opRet})
	case head == "ld", head == "st":
		if err := p.memory(name); err != nil {
			return err
		}
	default:
		if err := p.arithmetic(name); err != nil {
			return err
		}
	}
	return p.want(";")
}

func (p *parser) branch(label string) {
	p.fn.branches = append(p.fn.branches, branch{int32(len(p.code)), label, p.started})
	p.emit(instr{op: opBra})
}

// arithmetic reads an instruction of the table.
func (p *parser) arithmetic(name string) error {
	if name == "mov.b64" {
		if done, err := p.pair(); done || err != nil {
			return err
		}
	}
	row, ok := instructions[name]
	if !ok {
		return p.errorf("unknown instruction %s", name)
	}
	in := instr{op: row.op}
	named := strings.HasPrefix(name, "mov.") || strings.HasPrefix(name, "cvta.")
	for i, k := range []byte(row.kinds) {
		var err error
		if i == 0 {
			in.x[0], err = p.register(kind(k))
		} else if err = p.want(","); err == nil {
			in.x[i], err = p.operand(kind(k), named)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case row.swap:
		in.x[1], in.x[2] = in.x[2], in.x[1]
	case row.mode != [2]int32{}:
		in.x[2], in.x[3] = row.mode[0], row.mode[1]
	}
	p.emit(in)
	return nil
}

// pair reads mov.b64 with two halves of 32 bits as result or as operand.
func (p *parser) pair() (bool, error) {
	if p.peek().text == "{" {
		x, err := p.vector(b32, 2, true)
		if err != nil {
			return true, err
		}
		if err := p.want(","); err != nil {
			return true, err
		}
		from, err := p.operand(b64, false)
		p.emit(instr{op: opUnpack, x: [4]int32{x[0], x[1], from}})
		return true, err
	}
	if p.i+2 >= len(p.tokens) || p.tokens[p.i+2].text != "{" {
		return false, nil
	}
	to, err := p.register(b64)
	if err != nil {
		return true, err
	}
	p.i++ // comma
	x, err := p.vector(b32, 2, false)
	p.emit(instr{op: opPack, x: [4]int32{to, x[0], x[1]}})
	return true, err
}

// register reads the name of one of a type.
func (p *parser) register(k kind) (int32, error) {
	name := p.next().text
	r, err := p.lookup(name)
	if err == nil && !k.fits(r.kind) {
		err = p.errorf("register %s has type %v, want %v", name, r.kind, k)
	}
	return r.slot, err
}

// operand reads a register, a constant or, in mov, a name that stands for an address.
func (p *parser) operand(k kind, name bool) (int32, error) {
	text := p.peek().text
	if s, ok := special[text]; ok {
		if !k.fits(u32) {
			return 0, p.errorf("%s has type u32, want %v", text, k)
		}
		p.i++
		return s, nil
	}
	if s, ok := p.symbols[text]; ok && name {
		p.i++
		if k.size() != 8 && (!s.shared || k.size() != 4) {
			return 0, p.errorf("%s is an address, which is no %v", text, k)
		}
		return p.fixed(s.address), nil
	}
	if strings.HasPrefix(text, "%") {
		return p.register(k)
	}
	v, err := p.number(k)
	return p.fixed(v), err
}

// vector reads n registers in braces, or operands.
func (p *parser) vector(k kind, n int, result bool) (x [4]int32, err error) {
	if err := p.want("{"); err != nil {
		return x, err
	}
	for i := range n {
		if i > 0 {
			if err := p.want(","); err != nil {
				return x, err
			}
		}
		if result {
			x[i], err = p.register(k)
		} else {
			x[i], err = p.operand(k, false)
		}
		if err != nil {
			return x, err
		}
	}
	return x, p.want("}")
}
