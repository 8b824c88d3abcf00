package emulator

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/eqlearner/eql/internal/gpu"
)

const header = ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 16 .b8 memory[];\n"

// registers are declared by every kernel of these tests: the letter is the type.
const registers = `
	.reg .f32 %f<40>;
	.reg .f64 %d<40>;
	.reg .u32 %w<40>;
	.reg .u64 %q<40>;
	.reg .b32 %x<40>;
	.reg .b64 %y<40>;
	.reg .pred %p<40>;
`

// kernel is an entry main with parameters in and out, of which %q30 and %q31 have the addresses.
func kernel(before, body string) string {
	return header + before + ".visible .entry main( .param .u64 in, .param .u64 out )\n.maxntid 64, 1, 1\n{" + registers +
		"\tld.param.u64 %q30, [in];\n\tld.param.u64 %q31, [out];\n" + body + "\n\tret;\n}\n"
}

// work is a launch of a kernel on new memory.
type work struct {
	text            string
	threads, shared int
	blocks          int
	in              []byte
	out             int // bytes
	limit           int64
}

func (w work) run(t testing.TB) ([]byte, *Card, error) {
	t.Helper()
	c := New(gpu.Info{})
	if w.limit > 0 {
		c.limit = w.limit
	}
	k := gpu.Kernel{Text: w.text, Entry: "main", Threads: max(w.threads, 1), Shared: w.shared}
	f, _, err := c.Compile(k)
	if err != nil {
		return nil, c, err
	}
	in, out := alloc(t, c, max(len(w.in), 4)), alloc(t, c, max(w.out, 4))
	s, err := c.Stream()
	check(t, err)
	check(t, s.Upload(in, w.in))
	if err := s.Launch(f, k, max(w.blocks, 1), uint64(in), uint64(out)); err != nil {
		return nil, c, err
	}
	check(t, s.Wait())
	got := make([]byte, w.out)
	check(t, s.Download(got, out))
	return got, c, nil
}

func alloc(t testing.TB, c *Card, n int) gpu.Memory {
	t.Helper()
	m, err := c.Alloc(n)
	check(t, err)
	return m
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError fails unless err has all these parts.
func wantError(t testing.TB, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("got error %v, want one with %q", err, part)
		}
	}
}

func words64(v ...uint64) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}

// result runs an instruction whose result is register 3 and whose operands are registers 0 to 2. Each letter's
// registers hold the three values, or their lower half, or whether they are not 0.
func result(t testing.TB, instruction string, values ...uint64) (uint64, error) {
	t.Helper()
	var b strings.Builder
	for i := range 3 {
		for _, r := range []string{"f32 %f", "f64 %d", "u32 %w", "u64 %q", "b32 %x", "b64 %y"} {
			fmt.Fprintf(&b, "ld.global.%s%d, [%%q30+%d];\n", r, i, 8*i)
		}
		fmt.Fprintf(&b, "setp.ne.u32 %%p%d, %%w%d, 0;\n", i, i)
	}
	_, operands, _ := strings.Cut(instruction, "%")
	store := map[byte]string{
		'f': "st.global.f32 [%q31], %f3;", 'd': "st.global.f64 [%q31], %d3;", 'w': "st.global.u32 [%q31], %w3;",
		'q': "st.global.u64 [%q31], %q3;", 'x': "st.global.b32 [%q31], %x3;", 'y': "st.global.b64 [%q31], %y3;",
		'p': "selp.u32 %w3, 1, 0, %p3; st.global.u32 [%q31], %w3;",
	}[operands[0]]
	body := "st.global.u64 [%q31], 0;\n" + b.String() + instruction + ";\n" + store
	out, _, err := work{text: kernel("", body), in: words64(append(values, 0, 0, 0)...), out: 8}.run(t)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(out), nil
}
