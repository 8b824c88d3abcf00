package emulator

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// parser reads a text once, from the first token to the last.
type parser struct {
	*program
	tokens    []token
	i         int
	symbols   map[string]symbol
	functions map[string]*function
	constant  map[uint64]int32 // slots of constants
	fn        *function        // whose body is read
	found     bool             // the entry
	started   int              // line where the instruction begins
	guard     guard            // of the instruction
}

// symbol is a name that stands for an address.
type symbol struct {
	address uint64
	shared  bool
}

// compile translates a text.
func compile(text, entry string) (*program, error) {
	p := &parser{
		program:   &program{text: text, entry: entry, source: strings.Split(text, "\n"), regs: make([]uint64, slotFirst)},
		symbols:   map[string]symbol{},
		functions: map[string]*function{},
		constant:  map[uint64]int32{},
	}
	var err error
	if p.tokens, err = lex(text); err != nil {
		return nil, err
	}
	for p.i < len(p.tokens) {
		if err := p.module(); err != nil {
			return nil, err
		}
	}
	if !p.found {
		return nil, fmt.Errorf("emulator: the text has no .entry %s", entry)
	}
	return p.program, nil
}

// peek returns the next token, an empty one at the end.
func (p *parser) peek() token {
	if p.i < len(p.tokens) {
		return p.tokens[p.i]
	}
	return token{line: len(p.source)}
}

func (p *parser) next() token {
	t := p.peek()
	p.i++
	return t
}

// here is the line of the last token read.
func (p *parser) here() int { return p.tokens[min(p.i, len(p.tokens))-1].line }

func (p *parser) errorf(format string, args ...any) error { return p.at(p.here(), format, args...) }

// want reads tokens that must be these.
func (p *parser) want(texts ...string) error {
	for _, text := range texts {
		if t := p.next(); t.text != text {
			return p.errorf("%q where %q should be", t.text, text)
		}
	}
	return nil
}

// accept reads a token if it is this one.
func (p *parser) accept(text string) bool {
	if p.peek().text == text {
		p.i++
		return true
	}
	return false
}

// list calls read for each element of a list in parentheses, which may be empty.
func (p *parser) list(read func() error) error {
	if err := p.want("("); err != nil || p.accept(")") {
		return err
	}
	for {
		if err := read(); err != nil {
			return err
		}
		if !p.accept(",") {
			return p.want(")")
		}
	}
}

// module reads a statement outside of functions.
func (p *parser) module() error {
	switch t := p.next(); t.text {
	case ".version", ".target", ".address_size":
		for p.i < len(p.tokens) && p.peek().line == t.line {
			p.i++
		}
		return nil
	case ".visible":
		return nil
	case ".extern":
		return p.extern()
	case ".const", ".global":
		return p.table(t.text)
	case ".func":
		return p.function()
	case ".entry":
		return p.entryPoint()
	default:
		return p.errorf("unknown statement %s", t.text)
	}
}

// extern reads the declaration of dynamic shared memory. All of them start at 0.
func (p *parser) extern() error {
	if err := p.want(".shared"); err != nil {
		return err
	}
	if p.accept(".align") {
		p.i++
	}
	p.i++ // type
	name := p.next().text
	if err := p.want("[", "]", ";"); err != nil {
		return err
	}
	return p.define(name, symbol{shared: true})
}

func (p *parser) define(name string, s symbol) error {
	if _, ok := p.symbols[name]; ok {
		return p.errorf("%s is declared twice", name)
	}
	p.symbols[name] = s
	return nil
}

// table reads an array with its values.
func (p *parser) table(space string) error {
	align := uint64(8)
	if p.accept(".align") {
		var err error
		if align, err = p.integer(); err != nil {
			return err
		}
	}
	k := kinds[strings.TrimPrefix(p.next().text, ".")]
	if k.size() == 0 || align < uint64(k.size()) || align > 256 || align&(align-1) != 0 {
		return p.errorf("a table of this type or alignment is not supported")
	}
	name := p.next().text
	if err := p.want("["); err != nil {
		return err
	}
	n, err := p.integer()
	if err != nil {
		return err
	}
	if err := p.want("]", "=", "{"); err != nil {
		return err
	}
	data, address := &p.constants, uint64(startConst)
	if space == ".global" {
		data, address = &p.globals, start(0)
	}
	for uint64(len(*data))%align != 0 {
		*data = append(*data, 0)
	}
	address += uint64(len(*data))
	values, err := p.values(k, n)
	*data = append(*data, values...)
	if err != nil {
		return err
	}
	return p.define(name, symbol{address: address})
}

// values reads n values of a table; those that lack are 0.
func (p *parser) values(k kind, n uint64) ([]byte, error) {
	if n == 0 || n > 1<<20 {
		return nil, p.errorf("a table of %d values is not supported", n)
	}
	data := make([]byte, 0, n*8)
	for {
		v, err := p.number(k)
		if err != nil {
			return nil, err
		}
		data = binary.LittleEndian.AppendUint64(data, v)[:len(data)+k.size()]
		if !p.accept(",") {
			break
		}
	}
	size := int(n) * k.size()
	if len(data) > size {
		return nil, p.errorf("more than %d values", n)
	}
	return append(data, make([]byte, size-len(data))...), p.want("}", ";")
}

// integer reads an unsigned one.
func (p *parser) integer() (uint64, error) {
	t := p.next()
	v, err := strconv.ParseUint(t.text, 0, 64)
	if err != nil {
		return 0, p.errorf("%q is not a number", t.text)
	}
	return v, nil
}

// number reads a constant of a type.
func (p *parser) number(k kind) (uint64, error) {
	minus := p.accept("-")
	text := p.next().text
	float, hex := f64, strings.TrimPrefix(text, "0d")
	if strings.HasPrefix(text, "0f") {
		float, hex = f32, text[2:]
	}
	if hex != text && !minus {
		v, err := strconv.ParseUint(hex, 16, 64)
		if err != nil || len(hex) != 2*float.size() || !k.fits(float) {
			return 0, p.errorf("%q is no constant of type %v", text, k)
		}
		return v, nil
	}
	v, err := strconv.ParseUint(strings.TrimSuffix(text, "U"), 0, 64)
	if err != nil || !k.holds(v, minus) {
		return 0, p.errorf("%q is no constant of type %v", text, k)
	}
	if minus {
		v = -v
	}
	if k.size() == 4 {
		v = uint64(uint32(v))
	}
	return v, nil
}

// holds says whether an integer, or its negative, is a value of the type.
func (k kind) holds(v uint64, minus bool) bool {
	switch {
	case k == f32 || k == f64:
		return false
	case k == pred:
		return v <= 1 && !minus
	case minus:
		return v <= 1<<(8*k.size()-1)
	}
	return k.size() == 8 || v < 1<<32
}
