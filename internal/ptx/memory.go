package ptx

import "strings"

// A Span is a piece of shared memory, in bytes from its start.
type Span struct{ From, To int }

// Phase begins what threads do without waiting for each other: a barrier comes first if something is read that was
// written since the last one, or written that was read or written.
func (w *Writer) Phase(name string, reads, writes []Span) {
	if clash(reads, w.writes) || clash(writes, w.writes) || clash(writes, w.reads) {
		w.Barrier()
	}
	w.reads, w.writes = append(w.reads, reads...), append(w.writes, writes...)
	w.text.WriteString("\t// " + name + "\n")
}

func clash(a, b []Span) bool {
	for _, x := range a {
		for _, y := range b {
			if x.From < y.To && y.From < x.To {
				return true
			}
		}
	}
	return false
}

// Barrier lets each thread wait for all others of its block.
func (w *Writer) Barrier() {
	w.Emit("bar.sync 0")
	w.reads, w.writes = nil, nil
	w.barriers++
}

// Load returns a number of shared memory.
func (w *Writer) Load(address string, offset int) string {
	x := w.Number()
	w.Emit("ld.shared.%s %s, [%s+%d]", w.Type(), x, address, offset)
	return x
}

// Store writes a number to shared memory.
func (w *Writer) Store(address string, offset int, x string) {
	w.Emit("st.shared.%s [%s+%d], %s", w.Type(), address, offset, x)
}

// Values loads the n numbers from an address on: one, or a vector, which is aligned to 16 bytes.
func (w *Writer) Values(n int, address string, offset int) []string {
	if n == 1 {
		return []string{w.Load(address, offset)}
	}
	x := w.Numbers(n)
	w.Emit("ld.shared.v%d.%s {%s}, [%s+%d]", n, w.Type(), strings.Join(x, ", "), address, offset)
	return x
}

// StoreValues writes one number or a vector.
func (w *Writer) StoreValues(address string, offset int, x []string) {
	if len(x) == 1 {
		w.Store(address, offset, x[0])
		return
	}
	w.Emit("st.shared.v%d.%s [%s+%d], {%s}", len(x), w.Type(), address, offset, strings.Join(x, ", "))
}

// A Tile is t rows that an item computes. Where t does not divide the rows, the last tile begins earlier and Owned says
// which of its rows are not another's; else Owned is nil.
type Tile struct {
	First string // its first row
	Owned []string
}

// Tile returns the tile of a group of rows.
func (w *Writer) Tile(group string, t, rows int) Tile {
	first := w.Int()
	w.Emit("mul.lo.u32 %s, %s, %d", first, group, t)
	if rows%t == 0 {
		return Tile{First: first}
	}
	tile := Tile{First: w.Int()}
	w.Emit("min.u32 %s, %s, %d", tile.First, first, rows-t)
	for i := range t {
		row, owned := w.Int(), w.Flag()
		w.Emit("add.u32 %s, %s, %d", row, tile.First, i)
		w.Emit("setp.ge.u32 %s, %s, %s", owned, row, first)
		tile.Owned = append(tile.Owned, owned)
	}
	return tile
}

// Row writes what is done with row i of the tile by its owner.
func (w *Writer) Row(t Tile, i int, body func()) {
	if t.Owned == nil {
		body()
		return
	}
	skip := w.Name("ROW")
	w.Emit("@!%s bra %s", t.Owned[i], skip)
	body()
	w.Label(skip)
}
