package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// The instructions on vectors of [emulator].

// bytes returns a vector operand.
func (m *emulator) bytes(op string) []byte {
	if op[0] != 'Z' || strings.Contains(op, "(") {
		return m.place(op)[:64]
	}
	if m.z[op] == nil {
		m.z[op] = make([]byte, 64)
	}
	return m.z[op]
}

func (m *emulator) element(b []byte, i int) uint64 {
	if m.size == 4 {
		return uint64(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return binary.LittleEndian.Uint64(b[8*i:])
}

func (m *emulator) number(bits uint64) float64 {
	if m.size == 4 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// round returns the bits of x, which is exact or rounded to odd, as an element.
func (m *emulator) round(x float64) uint64 {
	if m.size == 4 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// vector does an instruction on vectors, element by element.
func (m *emulator) vector(name string, ops []string) {
	if !strings.HasPrefix(name, "V") {
		panic("no instruction " + name)
	}
	last := ops[len(ops)-1]
	switch name[:5] {
	case "VBROA":
		x := m.element(m.place(ops[0]), 0)
		m.each(last, func(int) uint64 { return x })
		return
	case "VCMPP":
		m.compare(ops)
		return
	case "VPMOV":
		mask := m.k[ops[0]]
		m.each(last, func(i int) uint64 { return -uint64(mask >> i & 1) })
		return
	case "VPSLL":
		b, n := m.bytes(ops[1]), number(ops[0][1:])
		m.each(last, func(i int) uint64 { return m.element(b, i) << n })
		return
	}
	a, b, acc := m.bytes(ops[0]), m.bytes(ops[len(ops)-2]), m.bytes(last)
	m.each(last, func(i int) uint64 {
		return m.arithmetic(name[:len(name)-1], m.element(a, i), m.element(b, i), m.element(acc, i))
	})
}

// each sets the elements of a vector operand.
func (m *emulator) each(op string, f func(i int) uint64) {
	r := make([]byte, 64)
	for i := range 64 / m.size {
		if x := f(i); m.size == 4 {
			binary.LittleEndian.PutUint32(r[4*i:], uint32(x))
		} else {
			binary.LittleEndian.PutUint64(r[8*i:], x)
		}
	}
	copy(m.bytes(op), r)
}

func (m *emulator) compare(ops []string) {
	a, b := m.bytes(ops[1]), m.bytes(ops[2])
	var mask uint16
	for i := range 64 / m.size {
		x, y := m.number(m.element(b, i)), m.number(m.element(a, i))
		holds := map[string]bool{"$0x0c": x < y || x > y, "$0x11": x < y, "$0x15": !(x < y)}
		if is, ok := holds[ops[0]]; !ok {
			panic("no predicate " + ops[0])
		} else if is {
			mask |= 1 << i
		}
	}
	m.k[ops[3]] = mask
}

// arithmetic is one element of an instruction with operands a, b and acc, the destination.
func (m *emulator) arithmetic(name string, ab, bb, cb uint64) uint64 {
	a, b, acc := m.number(ab), m.number(bb), m.number(cb)
	switch name {
	case "VMOVUP", "VMOVAP":
		return ab
	case "VANDP":
		return ab & bb
	case "VANDNP":
		return ab &^ bb
	case "VORP":
		return ab | bb
	case "VXORP":
		return ab ^ bb
	case "VPADD":
		return ab + bb
	case "VADDP":
		return m.round(b + a)
	case "VSUBP":
		return m.round(b - a)
	case "VMULP":
		return m.round(b * a)
	case "VDIVP":
		return m.round(b / a)
	case "VSQRTP":
		return m.round(math.Sqrt(a))
	case "VMINP":
		if b < a {
			return bb
		}
		return ab
	case "VMAXP":
		if b > a {
			return bb
		}
		return ab
	case "VFMADD231P":
		return m.fma(a, b, acc)
	case "VFNMADD231P":
		return m.fma(-a, b, acc)
	case "VFMADD213P":
		return m.fma(acc, b, a)
	}
	panic(fmt.Sprintf("no instruction %s", name))
}

// fma returns the bits of a·b + c, rounded once.
func (m *emulator) fma(a, b, c float64) uint64 {
	if m.size == 8 {
		return math.Float64bits(math.FMA(a, b, c))
	}
	p := a * b // exact, of 24 bits each
	s := p + c
	t := s - p
	if e := (p - (s - t)) + (c - t); e != 0 && !math.IsInf(s, 0) && math.Float64bits(s)&1 == 0 {
		s = math.Nextafter(s, math.Copysign(math.Inf(1), e)) // to odd, so that the second rounding is right
	}
	return m.round(s)
}
