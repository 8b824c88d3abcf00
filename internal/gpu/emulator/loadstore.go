package emulator

import (
	"encoding/binary"
	"fmt"
)

// width is how many bytes each value of an operation on memory has.
func (op opcode) width() uint64 {
	if (op-opLdShared)%2 == 0 {
		return 4
	}
	return 8
}

func (op opcode) memory() bool { return op >= opLdShared && op <= opLdConstV8 }

// shared executes an operation on shared memory. It returns false if there is none at the address.
func (b *block) shared(t *thread, in *instr, pc int32) bool {
	at, width := address(t.r, in), in.op.width()
	if !b.inside(at, width*uint64(in.n)) {
		return false
	}
	i, load := at/4, in.op < opStShared
	for _, x := range in.x[:in.n&7] {
		slot := &t.r[x]
		switch {
		case load && width == 4:
			*slot = b.read(t, pc, i)
		case load:
			*slot = b.read(t, pc, i) | b.read(t, pc, i+1)<<32
		case width == 4:
			b.write(t, pc, i, uint32(*slot))
		default:
			b.write(t, pc, i, uint32(*slot))
			b.write(t, pc, i+1, uint32(*slot>>32))
		}
		i += width / 4
	}
	return true
}

// global executes an operation on global memory. It returns false if there is none at the address.
func (b *block) global(t *thread, in *instr) bool {
	at, width := address(t.r, in), in.op.width()
	size := width * uint64(in.n)
	data := b.segments.find(at, size)
	if data == nil || at&(size-1) != 0 {
		return false
	}
	if in.op < opStGlobal {
		load(t.r, in, data, width)
		return true
	}
	for _, x := range in.x[:in.n&7] {
		if width == 4 {
			binary.LittleEndian.PutUint32(data, uint32(t.r[x]))
		} else {
			binary.LittleEndian.PutUint64(data, t.r[x])
		}
		data = data[width:]
	}
	return true
}

// table executes a load from a .const table. It returns false if there is none at the address.
func (b *block) table(t *thread, in *instr) bool {
	at, width := address(t.r, in), in.op.width()
	off, size, all := at-startConst, width*uint64(in.n), uint64(len(b.program.constants))
	if at&(size-1) != 0 || off >= all || size > all-off {
		return false
	}
	load(t.r, in, b.program.constants[off:], width)
	return true
}

// load copies bytes to registers.
func load(r []uint64, in *instr, data []byte, width uint64) {
	for _, x := range in.x[:in.n&7] {
		if width == 4 {
			r[x] = uint64(binary.LittleEndian.Uint32(data))
		} else {
			r[x] = binary.LittleEndian.Uint64(data)
		}
		data = data[width:]
	}
}

// reason says why an instruction cannot be executed.
func (b *block) reason(t *thread, in *instr) string {
	if !in.op.memory() {
		return "division by zero"
	}
	at, size := address(t.r, in), in.op.width()*uint64(in.n)
	switch {
	case at%size != 0:
		return fmt.Sprintf("misaligned address %#x of %d bytes", at, size)
	case in.op < opLdGlobal:
		return fmt.Sprintf("out of bounds: %d bytes at %d of %d bytes of shared memory", size, int64(at), 4*len(b.words))
	case in.op >= opLdConst:
		return fmt.Sprintf("out of bounds: %d bytes at offset %d of %d bytes of .const tables",
			size, int64(at-startConst), len(b.program.constants))
	}
	return b.segments.outside(at, size)
}
