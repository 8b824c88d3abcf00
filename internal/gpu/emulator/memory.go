package emulator

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Addresses are chosen so that mistakes in kernels show. Each allocation has a slot of 8 GiB to itself and starts 256
// bytes below the middle of it:
//
//	slot·2³³ + 2³² − 256
//
// Whatever is read before its start or past its end is in no allocation, and 32-bit arithmetic with addresses goes
// wrong. Slots are not used again; slot 0 is for the .global tables of a program.
const (
	slotBits = 33
	slotMask = 1<<slotBits - 1
	first    = 1<<32 - 256
	maxAlloc = 1 << 32
)

// nan is what memory holds before the first write: a NaN as float32 and, two of them, as float64.
const nan = 0x7fc00000

// segments are the allocations by slot, nil where there is none or none any more. They are never changed, only
// replaced.
type segments [][]byte

type memory struct {
	segments segments
	left     int64 // bytes
}

func newMemory(bytes int64) memory { return memory{segments: make(segments, 1), left: bytes} }

// alloc returns the address of new memory.
func (m *memory) alloc(bytes int) (uint64, error) {
	switch {
	case bytes <= 0 || int64(bytes) > maxAlloc:
		return 0, fmt.Errorf("emulator: cannot allocate %d bytes", bytes)
	case int64(bytes) > m.left:
		return 0, fmt.Errorf("emulator: out of memory: %d bytes wanted, %d left", bytes, m.left)
	}
	data := make([]byte, (bytes+3)&^3)
	for i := 0; i < len(data); i += 4 {
		binary.LittleEndian.PutUint32(data[i:], nan)
	}
	m.left -= int64(bytes)
	m.segments = append(slices.Clip(m.segments), data[:bytes])
	return start(len(m.segments) - 1), nil
}

// free gives back an allocation.
func (m *memory) free(at uint64) error {
	slot := at >> slotBits
	if slot >= uint64(len(m.segments)) || m.segments[slot] == nil || at != start(int(slot)) {
		return fmt.Errorf("emulator: nothing to free at %#x", at)
	}
	m.left += int64(len(m.segments[slot]))
	m.segments = slices.Clone(m.segments)
	m.segments[slot] = nil
	return nil
}

func start(slot int) uint64 { return uint64(slot)<<slotBits + first }

// find returns n bytes at an address, nil if they are not all in one allocation.
func (s segments) find(at, n uint64) []byte {
	slot, off := at>>slotBits, at&slotMask-first
	if slot >= uint64(len(s)) {
		return nil
	}
	m := s[slot]
	if off > uint64(len(m)) || n > uint64(len(m))-off || m == nil {
		return nil
	}
	return m[off : off+n]
}

// outside says why find returned nil.
func (s segments) outside(at, n uint64) string {
	slot := at >> slotBits
	switch {
	case slot == 0 || slot >= uint64(len(s)):
		return fmt.Sprintf("nothing was allocated at %#x", at)
	case s[slot] == nil:
		return fmt.Sprintf("the memory at %#x was freed", start(int(slot)))
	}
	return fmt.Sprintf("%d bytes at %#x: out of bounds, offset %d of an allocation of %d bytes",
		n, at, int64(at-start(int(slot))), len(s[slot]))
}
