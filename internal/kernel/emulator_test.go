package kernel

import (
	"encoding/binary"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// emulator runs the routines of vector_amd64.s for AVX-512 on processors that do not have it. It
// knows the instructions that these routines use and no others, and computes the same bits. Its
// memory is a slice, in which addresses are positions.
type emulator struct {
	routines map[string]*listing
	tables   map[string][]byte

	size   int // bytes of an element
	memory []byte
	frame  []byte // arguments and results
	gp     map[string]int64
	z      map[string][]byte
	k      map[string]uint16
	flag   int64 // what the last arithmetic left: its sign and whether it is zero
}

type listing struct {
	code   [][]string // mnemonic and operands
	ran    map[int]bool
	labels map[string]int
}

// newEmulator reads a file of Go assembly.
func newEmulator(t *testing.T, file string) *emulator {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := &emulator{routines: map[string]*listing{}, tables: map[string][]byte{}}
	var now *listing
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(strings.ReplaceAll(line, ",", " "))
		switch {
		case len(words) == 0 || words[0] == "//" || strings.HasPrefix(words[0], "#"):
		case words[0] == "TEXT":
			now = &listing{labels: map[string]int{}, ran: map[int]bool{}}
			m.routines[strings.TrimSuffix(strings.TrimPrefix(words[1], "·"), "(SB)")] = now
		case words[0] == "DATA":
			name, _, _ := strings.Cut(words[1], "<>")
			word, err := strconv.ParseUint(strings.TrimPrefix(words[2], "$"), 0, 64)
			if err != nil {
				t.Fatal(err)
			}
			m.tables[name] = binary.LittleEndian.AppendUint64(m.tables[name], word)
		case words[0] == "GLOBL":
		case strings.HasSuffix(words[0], ":"):
			now.labels[strings.TrimSuffix(words[0], ":")] = len(now.code)
		case now != nil:
			now.code = append(now.code, words)
		}
	}
	return m
}

// store puts numbers into the memory and returns their address.
func store[T Float](m *emulator, s []T) int {
	at := len(m.memory)
	for _, x := range s {
		if m.size == 4 {
			m.memory = binary.LittleEndian.AppendUint32(m.memory, math.Float32bits(float32(x)))
		} else {
			m.memory = binary.LittleEndian.AppendUint64(m.memory, math.Float64bits(float64(x)))
		}
	}
	return at
}

// fetch returns n numbers at an address.
func fetch[T Float](m *emulator, at, n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(m.number(m.element(m.memory[at:], i)))
	}
	return s
}

// call runs a routine. Arguments are int or float64, which stands for the type of element. It
// returns what the routine leaves where a result of type int would be.
func (m *emulator) call(name string, args ...any) int {
	m.frame = nil
	for _, a := range args {
		switch a := a.(type) {
		case int:
			m.align()
			m.frame = binary.LittleEndian.AppendUint64(m.frame, uint64(a))
		case float64:
			if m.size == 4 {
				m.frame = binary.LittleEndian.AppendUint32(m.frame, math.Float32bits(float32(a)))
			} else {
				m.frame = binary.LittleEndian.AppendUint64(m.frame, math.Float64bits(a))
			}
		}
	}
	m.align()
	result := len(m.frame)
	m.frame = append(m.frame, make([]byte, 8)...)
	m.gp, m.z, m.k = map[string]int64{}, map[string][]byte{}, map[string]uint16{}
	l := m.routines[name]
	for pc := 0; ; pc++ {
		l.ran[pc] = true
		switch in := l.code[pc]; in[0] {
		case "RET":
			return int(binary.LittleEndian.Uint64(m.frame[result:]))
		case "JMP", "JL", "JGE", "JZ", "JNZ":
			if m.jumps(in[0]) {
				pc = l.labels[in[1]] - 1
			}
		default:
			m.run(in[0], in[1:])
		}
	}
}

func (m *emulator) align() {
	for len(m.frame)%8 != 0 {
		m.frame = append(m.frame, 0)
	}
}

func (m *emulator) jumps(name string) bool {
	switch name {
	case "JL":
		return m.flag < 0
	case "JGE":
		return m.flag >= 0
	case "JZ":
		return m.flag == 0
	case "JNZ":
		return m.flag != 0
	}
	return true
}

// run does one instruction that is not a jump.
func (m *emulator) run(name string, ops []string) {
	last := ops[max(0, len(ops)-1):]
	switch name {
	case "VZEROUPPER":
	case "MOVQ":
		m.set(last[0], m.get(ops[0]))
	case "LEAQ":
		m.set(last[0], m.address(ops[0]))
	case "IMUL3Q":
		m.set(last[0], m.get(ops[0])*m.get(ops[1]))
	case "ADDQ":
		m.result(last[0], m.get(last[0])+m.get(ops[0]))
	case "SUBQ":
		m.result(last[0], m.get(last[0])-m.get(ops[0]))
	case "XORQ":
		m.result(last[0], m.get(last[0])^m.get(ops[0]))
	case "INCQ":
		m.result(last[0], m.get(last[0])+1)
	case "DECQ":
		m.result(last[0], m.get(last[0])-1)
	case "CMPQ":
		m.flag = m.get(ops[0]) - m.get(ops[1])
	case "TESTQ":
		m.flag = m.get(ops[0]) & m.get(ops[1])
	case "KORTESTW":
		m.flag = int64(m.k[ops[0]] | m.k[ops[1]])
	default:
		m.vector(name, ops)
	}
}

func (m *emulator) result(op string, x int64) {
	m.set(op, x)
	m.flag = x
}

// place returns the memory that an operand names.
func (m *emulator) place(op string) []byte {
	switch {
	case strings.HasSuffix(op, "(FP)"):
		_, at, _ := strings.Cut(strings.TrimSuffix(op, "(FP)"), "+")
		return m.frame[number(at):]
	case strings.HasSuffix(op, "(SB)"):
		name, at, _ := strings.Cut(strings.TrimSuffix(op, "(SB)"), "<>")
		return m.tables[name][number(strings.TrimPrefix(at, "+")):]
	}
	return m.memory[m.address(op):]
}

// address computes disp(base)(index*scale).
func (m *emulator) address(op string) int64 {
	disp, rest, _ := strings.Cut(op, "(")
	base, index, indexed := strings.Cut(strings.TrimSuffix(rest, ")"), ")(")
	at := number(disp) + m.gp[base]
	if indexed {
		reg, scale, _ := strings.Cut(index, "*")
		at += m.gp[reg] * number(scale)
	}
	return at
}

func number(s string) int64 {
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func (m *emulator) get(op string) int64 {
	switch {
	case op[0] == '$':
		return number(op[1:])
	case strings.Contains(op, "("):
		return int64(binary.LittleEndian.Uint64(m.place(op)))
	}
	return m.gp[op]
}

func (m *emulator) set(op string, x int64) {
	if strings.Contains(op, "(") {
		binary.LittleEndian.PutUint64(m.place(op), uint64(x))
		return
	}
	m.gp[op] = x
}
