package ptx

import (
	"fmt"
	"math"
	"strings"
)

// A Writer writes the instructions that each thread of a block executes.
type Writer struct {
	Threads int // of a block
	Size    int // bytes of a number: 4, or 8
	Vector  int // numbers of a vector, which has 16 bytes

	constants map[string]uint64
	text      strings.Builder
	names     int // registers and labels so far
	shifts    map[string]string
	reads     []Span // since the last barrier
	writes    []Span
	barriers  int
	circular  bool // sincos is called
}

// New returns a writer of kernels for blocks of so many threads, on numbers of so many bytes, with constants as of
// kernel.Constants.
func New(threads, size int, constants map[string]uint64) *Writer {
	return &Writer{Threads: threads, Size: size, Vector: 16 / size, constants: constants}
}

// Barriers returns how many barriers were written.
func (w *Writer) Barriers() int { return w.barriers }

// Emit writes one instruction.
func (w *Writer) Emit(format string, args ...any) { fmt.Fprintf(&w.text, "\t"+format+";\n", args...) }

// Op writes an instruction on numbers, to whose name their type is added.
func (w *Writer) Op(name string, args ...string) {
	fmt.Fprintf(&w.text, "\t%s.%s %s;\n", name, w.Type(), strings.Join(args, ", "))
}

// Type is the type of numbers.
func (w *Writer) Type() string {
	if w.Size == 4 {
		return "f32"
	}
	return "f64"
}

// Label writes a label, a name from [Writer.Name].
func (w *Writer) Label(name string) { fmt.Fprintf(&w.text, "%s:\n", name) }

// Name returns a name that begins so and is nobody else's.
func (w *Writer) Name(begin string) string {
	w.names++
	return fmt.Sprint(begin, w.names)
}

// Number returns a new register of a number.
func (w *Writer) Number() string { return w.Name("%f") }

// Int returns a new register of an unsigned integer of 32 bits.
func (w *Writer) Int() string { return w.Name("%r") }

// Long returns a new register of one of 64 bits.
func (w *Writer) Long() string { return w.Name("%l") }

// Double returns a new register of a float64.
func (w *Writer) Double() string { return w.Name("%d") }

// Flag returns a new predicate.
func (w *Writer) Flag() string { return w.Name("%p") }

// Numbers returns n new registers.
func (w *Writer) Numbers(n int) []string {
	r := make([]string, n)
	for i := range r {
		r[i] = w.Number()
	}
	return r
}

// Registers writes the declarations of all registers that were given out.
func (w *Writer) Registers() string {
	var b strings.Builder
	for _, r := range []struct{ kind, name string }{{w.Type(), "f"}, {"b32", "r"}, {"b64", "l"},
		{"f64", "d"}, {"pred", "p"}} {
		fmt.Fprintf(&b, "\t.reg .%s %%%s<%d>;\n", r.kind, r.name, w.names+1)
	}
	return b.String()
}

// Literal returns x as a number.
func (w *Writer) Literal(x float64) string {
	if w.Size == 4 {
		return fmt.Sprintf("0f%08X", math.Float32bits(float32(x)))
	}
	return double(x)
}

func double(x float64) string { return fmt.Sprintf("0d%016X", math.Float64bits(x)) }

// Constant returns a constant of package kernel.
func (w *Writer) Constant(name string) string {
	if w.Size == 4 {
		return fmt.Sprintf("0f%08X", w.constants[name])
	}
	return fmt.Sprintf("0d%016X", w.constants[name])
}

// Capture returns what f writes, in place of writing it here.
func (w *Writer) Capture(f func()) string {
	before := w.text
	w.text = strings.Builder{}
	f()
	text := w.text.String()
	w.text = before
	return text
}

// Insert writes what [Writer.Capture] returned.
func (w *Writer) Insert(text string) { w.text.WriteString(text) }

// Items writes body for items 0 … n−1, which are spread over the threads.
func (w *Writer) Items(n int, body func(item string)) {
	done, item, end := w.Flag(), w.Int(), w.Name("DONE")
	w.Emit("mov.u32 %s, %%tid.x", item)
	again := ""
	if n > w.Threads {
		again = w.Name("ITEM")
		w.Label(again)
	}
	if n%w.Threads != 0 || n > w.Threads {
		w.Emit("setp.ge.u32 %s, %s, %d", done, item, n)
		w.Emit("@%s bra %s", done, end)
	}
	body(item)
	if again != "" {
		w.Emit("add.u32 %s, %s, %d", item, item, w.Threads)
		w.Emit("bra %s", again)
	}
	w.Label(end)
}

// Split returns item/n and item%n.
func (w *Writer) Split(item string, n int) (quotient, rest string) {
	quotient, rest = w.Int(), w.Int()
	w.Emit("div.u32 %s, %s, %d", quotient, item, n)
	w.Emit("rem.u32 %s, %s, %d", rest, item, n)
	return quotient, rest
}

// A Term is a number of steps of so many bytes.
type Term struct {
	Count string
	Step  int
}

// Address returns the place in shared memory that lies offset and the terms after its start.
func (w *Writer) Address(offset int, terms ...Term) string {
	r := w.Int()
	w.Emit("add.u32 %s, %%smem, %d", r, offset)
	for _, t := range terms {
		w.Emit("mad.lo.u32 %s, %s, %d, %s", r, t.Count, t.Step, r)
	}
	return r
}

// Loop writes body for k = 0 … n−1, with as many copies as divide n and are at most most. A copy computes with
// k + count, where count is a register, or "" where all of the loop is written out.
func (w *Writer) Loop(n, most int, body func(k int, count string)) {
	copies := divisor(n, most)
	if copies == n {
		for k := range n {
			body(k, "")
		}
		return
	}
	count, more, again := w.Int(), w.Flag(), w.Name("LOOP")
	w.Emit("mov.u32 %s, 0", count)
	w.Label(again)
	w.shifts = map[string]string{}
	for k := range copies {
		body(k, count)
	}
	w.shifts = nil
	w.Emit("add.u32 %s, %s, %d", count, count, copies)
	w.Emit("setp.lt.u32 %s, %s, %d", more, count, n)
	w.Emit("@%s bra %s", more, again)
}

// divisor returns the largest divisor of n that is at most limit.
func divisor(n, limit int) int {
	for d := min(n, limit); d > 1; d-- {
		if n%d == 0 {
			return d
		}
	}
	return 1
}

// Shift returns address + count·step, which is computed once a round of a [Writer.Loop].
func (w *Writer) Shift(address, count string, step int) string {
	if count == "" {
		return address
	}
	key := fmt.Sprint(address, count, step)
	if r, ok := w.shifts[key]; ok {
		return r
	}
	r := w.Int()
	w.Emit("mad.lo.u32 %s, %s, %d, %s", r, count, step, address)
	w.shifts[key] = r
	return r
}
