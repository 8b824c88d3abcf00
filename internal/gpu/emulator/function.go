package emulator

import (
	"slices"
	"strconv"
	"strings"
)

// function is a .func, or the entry.
type function struct {
	name     string
	entry    bool
	start    int32
	results  []register
	params   []register
	args     map[string]int32 // slots of the entry's parameters
	named    map[string]register
	families map[string]family
	labels   map[string]int32
	branches []branch
}

// register is a slot with a type.
type register struct {
	slot int32
	kind kind
}

// family is what .reg .f32 %f<10> declares: %f0 to %f9.
type family struct {
	kind kind
	n    uint64
}

// branch is an instruction whose label was not yet seen.
type branch struct {
	at    int32
	label string
	line  int
}

func newFunction() *function {
	return &function{
		args: map[string]int32{}, named: map[string]register{}, families: map[string]family{}, labels: map[string]int32{},
	}
}

// function reads a .func after that word.
func (p *parser) function() error {
	f := newFunction()
	p.fn = f
	if p.peek().text == "(" {
		if err := p.registers(&f.results); err != nil {
			return err
		}
	}
	f.name = p.next().text
	if _, ok := p.functions[f.name]; ok {
		return p.errorf("function %s is declared twice", f.name)
	}
	if err := p.registers(&f.params); err != nil {
		return err
	}
	if err := p.body(); err != nil {
		return err
	}
	p.functions[f.name] = f // only now, so that it cannot call itself
	return nil
}

// registers reads the results or parameters of a function.
func (p *parser) registers(to *[]register) error {
	return p.list(func() error {
		if err := p.want(".reg"); err != nil {
			return err
		}
		k, ok := kinds[strings.TrimPrefix(p.next().text, ".")]
		if !ok {
			return p.errorf("unknown type of a register")
		}
		r, err := p.declare(p.next().text, k)
		*to = append(*to, r)
		return err
	})
}

// entryPoint reads an .entry after that word.
func (p *parser) entryPoint() error {
	f := newFunction()
	f.entry, f.name = true, p.next().text
	p.fn = f
	if f.name != p.entry || p.found {
		return p.errorf("entry %s, want one entry %s", f.name, p.entry)
	}
	p.found = true
	if err := p.list(p.param); err != nil {
		return err
	}
	for p.peek().text != "{" {
		switch t := p.next(); {
		case slices.Contains([]string{".maxntid", ".minnctapersm", ".reqntid", ".maxnreg"}, t.text), t.text == ",":
		case strings.Trim(t.text, "0123456789") == "" && t.text != "":
		default:
			return p.errorf("unknown directive %q", t.text)
		}
	}
	p.start = int32(len(p.code))
	return p.body()
}

// param reads a parameter of the entry.
func (p *parser) param() error {
	if err := p.want(".param"); err != nil {
		return err
	}
	if t := p.next(); kinds[strings.TrimPrefix(t.text, ".")].size() != 8 {
		return p.errorf("parameter of type %s, want 64 bits", t.text)
	}
	name := p.next().text
	if _, ok := p.fn.args[name]; ok {
		return p.errorf("parameter %s is declared twice", name)
	}
	p.fn.args[name] = p.slot(0)
	p.params = append(p.params, p.fn.args[name])
	return nil
}

// slot hands out a slot that starts with a value.
func (p *parser) slot(start uint64) int32 {
	p.regs = append(p.regs, start)
	return int32(len(p.regs) - 1)
}

// fixed returns the slot of a constant.
func (p *parser) fixed(value uint64) int32 {
	s, ok := p.constant[value]
	if !ok {
		s = p.slot(value)
		p.constant[value] = s
	}
	return s
}

// declare makes a register of the function that is read.
func (p *parser) declare(name string, k kind) (register, error) {
	_, known := p.fn.named[name]
	if known || !strings.HasPrefix(name, "%") || special[name] != slotNone {
		return register{}, p.errorf("%q cannot be declared as a register", name)
	}
	r := register{p.slot(k.unset()), k}
	p.fn.named[name] = r
	return r, nil
}

// reg reads a declaration of registers.
func (p *parser) reg() error {
	k, ok := kinds[strings.TrimPrefix(p.next().text, ".")]
	if !ok {
		return p.errorf("unknown type of a register")
	}
	for {
		name := p.next().text
		if p.accept("<") {
			n, err := p.integer()
			if err != nil {
				return err
			}
			if _, ok := p.fn.families[name]; ok {
				return p.errorf("%s<> is declared twice", name)
			}
			p.fn.families[name] = family{k, n}
			if err := p.want(">"); err != nil {
				return err
			}
		} else if _, err := p.declare(name, k); err != nil {
			return err
		}
		if !p.accept(",") {
			return p.want(";")
		}
	}
}

// lookup returns the register of a name. One of a family gets its slot when it is first used.
func (p *parser) lookup(name string) (register, error) {
	if r, ok := p.fn.named[name]; ok {
		return r, nil
	}
	for i := len(strings.TrimRight(name, "0123456789")); i < len(name); i++ {
		f, ok := p.fn.families[name[:i]]
		n, err := strconv.ParseUint(name[i:], 10, 32)
		if ok && err == nil && n < f.n && (name[i] != '0' || i == len(name)-1) {
			return p.declare(name, f.kind)
		}
	}
	return register{}, p.errorf("register %s is not declared", name)
}

// body reads a function from its opening brace to its closing one.
func (p *parser) body() error {
	if err := p.want("{"); err != nil {
		return err
	}
	p.fn.start = int32(len(p.code))
	for !p.accept("}") {
		if p.i >= len(p.tokens) {
			return p.errorf("} is missing")
		}
		if err := p.statement(); err != nil {
			return err
		}
	}
	for _, b := range p.fn.branches {
		to, ok := p.fn.labels[b.label]
		if !ok {
			return p.at(b.line, "label %s is missing", b.label)
		}
		if int(to) == len(p.code) {
			return p.at(b.line, "label %s stands before no instruction", b.label)
		}
		p.code[b.at].off = to
	}
	last := len(p.code) - 1
	if last < int(p.fn.start) || p.code[last].pred != slotNone || !p.code[last].op.ends() {
		return p.errorf("%s does not end with ret, exit or bra", p.fn.name)
	}
	return nil
}
