package emulator

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/eqlearner/eql/internal/gpu"
)

// halves turns words of 4 bytes into bytes.
func halves(v ...uint32) []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, v)
	return b
}

func TestLoadAndStore(t *testing.T) {
	in := halves(1, 2, 3, 4, 5, 6, 7, 8)
	for _, c := range []struct {
		name, body string
		want       []byte
	}{
		{"global", "ld.global.nc.b32 %x0, [%q30+4]; st.global.b32 [%q31], %x0;", halves(2)},
		{"global, negative offset", "add.u64 %q0, %q30, 8; ld.global.u64 %q1, [%q0+-8]; st.global.u64 [%q31], %q1;",
			halves(1, 2)},
		{"global, two of 4 bytes", "ld.global.v2.f32 {%f0, %f1}, [%q30+8]; st.global.v2.f32 [%q31], {%f1, %f0};",
			halves(4, 3)},
		{"global, four of 4 bytes", `ld.global.v4.u32 {%w0, %w1, %w2, %w3}, [%q30+16];
			st.global.v4.u32 [%q31], {%w1, %w0, %w3, 9};`, halves(6, 5, 8, 9)},
		{"global, two of 8 bytes", "ld.global.v2.f64 {%d0, %d1}, [%q30]; st.global.v2.b64 [%q31], {%d1, 7};",
			halves(3, 4, 7, 0)},
		{"shared", `mov.u32 %w0, memory; st.shared.f32 [%w0+4], 0f00000007; ld.shared.u32 %w1, [memory+4];
			st.global.u32 [%q31], %w1;`, halves(7)},
		{"shared, 64-bit address", `mov.u64 %q0, memory; st.shared.u64 [%q0+8], 5; ld.shared.f64 %d1, [%q0+8];
			st.global.f64 [%q31], %d1;`, halves(5, 0)},
		{"shared, vectors", `ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%q30];
			st.shared.v4.f32 [memory+16], {%f3, %f2, %f1, %f0};
			ld.shared.v2.u64 {%q0, %q1}, [memory+16]; st.shared.v2.u64 [memory], {%q1, %q0};
			ld.shared.v2.b32 {%x0, %x1}, [memory+8]; st.global.v2.b32 [%q31], {%x0, %x1};`, halves(4, 3)},
		{"shared is NaN at first", "ld.shared.u32 %w0, [memory]; st.global.u32 [%q31], %w0;", halves(nan)},
		{"a guard", `setp.eq.u32 %p0, 1, 1; @%p0 st.global.u32 [%q31], 5; @!%p0 st.global.u32 [%q31], 6;
			@!%p0 bra.uni END; st.global.u32 [%q31+4], 7; END:`, halves(5, 7)},
		{"special registers", `mov.u32 %w0, %tid.x; mov.u32 %w1, %ntid.x; mov.u32 %w2, %nctaid.x;
			mad.lo.u32 %w3, %ctaid.x, 9, %w0; st.global.v4.u32 [%q31], {%w0, %w1, %w2, %w3};`, halves(0, 1, 1, 0)},
		{"registers by name", `.reg .u32 %a, %b7; .reg .f32 %v<3>, %v1x; mov.u32 %a, 3; add.u32 %b7, %a, 1;
			mov.b32 %v2, %b7; mov.f32 %v1x, %v2; st.global.f32 [%q31], %v1x; .pragma "nounroll"; /* a
			comment */ exit;`, halves(4)},
	} {
		got, _, err := work{text: kernel("", c.body), in: in, out: len(c.want), shared: 64}.run(t)
		if err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

const declarations = `
.const .align 8 .b64 numbers[3] = {0x10, -1, 0d3FF0000000000000};
.const .b32 small[2] = {7};
.const .align 16 .f64 reals[2] = {0d4000000000000000, 0d4008000000000000};
.global .align 8 .b64 shared_by_all[2] = {5, 6};
.func (.reg .f64 %a, .reg .u32 %b) both (.reg .f64 %x, .reg .u32 %n)
{
	.reg .f64 %t<2>;
	.reg .pred %p<2>;
	setp.eq.u32 %p1, %n, 0;
	mul.rn.f64 %t1, %x, %x;
	mov.f64 %a, %t1;
	mov.u32 %b, 1;
	@%p1 ret;
	mov.u32 %b, 2;
	ret;
}
.func (.reg .f64 %a) outer (.reg .f64 %x)
{
	.reg .f64 %t<3>;
	.reg .u32 %b;
	mov.f64 %t1, %x;
	call (%t2, %b), both, (%t1, 1);
	add.rn.f64 %a, %t1, %t2;
	ret;
}
.func nothing ()
{
	ret;
}
`

func TestFunctionsAndTables(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       uint64
	}{
		{"two results", "call (%d0, %w0), both, (0d4008000000000000, 0); st.global.f64 [%q31], %d0;", d(9)},
		{"early return", "call.uni (%d0, %w0), both, (%d1, 0); cvt.u64.u32 %q0, %w0; st.global.u64 [%q31], %q0;", 1},
		{"late return", "call (%d0, %w0), both, (%d1, %ntid.x); cvt.u64.u32 %q0, %w0; st.global.u64 [%q31], %q0;", 2},
		{"a function calls another", `mov.f64 %d1, 0d4008000000000000; call (%d1), outer, (%d1); call nothing;
			st.global.f64 [%q31], %d1;`, d(12)},
		{"a guard that holds", `setp.eq.u32 %p0, 1, 1; mov.f64 %d0, 0d4000000000000000; @%p0 call (%d0), outer, (%d0);
			st.global.f64 [%q31], %d0;`, d(6)},
		{"a guard that fails", `setp.eq.u32 %p0, 1, 1; mov.f64 %d0, 0d4000000000000000; @!%p0 call (%d0), outer, (%d0);
			st.global.f64 [%q31], %d0;`, d(2)},
		{"a table", `mov.u64 %q0, numbers; ld.const.u64 %q1, [%q0+8]; st.global.u64 [%q31], %q1;`, q(-1)},
		{"a table by name", "ld.const.b64 %d0, [numbers+16]; st.global.f64 [%q31], %d0;", d(1)},
		{"numbers of 4 bytes", "ld.const.v2.b32 {%x0, %x1}, [small]; st.global.v2.b32 [%q31], {%x0, %x1};", 7},
		{"a vector of a table", "ld.const.v2.f64 {%d0, %d1}, [reals]; st.global.f64 [%q31], %d1;", d(3)},
		{"a table in global memory", "mov.u64 %q0, shared_by_all; ld.global.u64 %q1, [%q0+8]; st.global.u64 [%q31], %q1;", 6},
	} {
		got, _, err := work{text: kernel(declarations, c.body), out: 8}.run(t)
		if err != nil || !bytes.Equal(got, words64(c.want)) {
			t.Errorf("%s: got %v, %v, want %v", c.name, got, err, words64(c.want))
		}
	}
}

func TestAllocations(t *testing.T) {
	c := New(gpu.Info{Memory: 1000})
	s, err := c.Stream()
	check(t, err)
	a, b := alloc(t, c, 400), alloc(t, c, 600)
	if a == 0 || a%256 != 0 || b%256 != 0 {
		t.Errorf("addresses %#x and %#x", a, b)
	}
	_, err = c.Alloc(1)
	wantError(t, err, "out of memory: 1 bytes wanted, 0 left")
	_, err = c.Alloc(0)
	wantError(t, err, "cannot allocate 0 bytes")

	got := make([]byte, 400)
	check(t, s.Download(got[:4], a))
	if !bytes.Equal(got[:4], halves(nan)) {
		t.Errorf("new memory is %v, want NaN", got[:4])
	}
	check(t, s.Upload(a+100, []byte{1, 2, 3}))
	check(t, s.Upload(b, make([]byte, 600)))
	check(t, s.Download(got, a))
	if want := []byte{0x7f, 1, 2, 3, 0x7f}; !bytes.Equal(got[99:104], want) {
		t.Errorf("got %v, want %v", got[99:104], want)
	}
	wantError(t, s.Upload(a+398, []byte{1, 2, 3}), "upload", "out of bounds, offset 398 of an allocation of 400 bytes")
	wantError(t, s.Download(got[:1], a-1), "download", "out of bounds, offset -1")
	wantError(t, s.Download(got[:1], 0), "nothing was allocated at 0x0")

	wantError(t, c.Free(a+1), "nothing to free")
	check(t, c.Free(a))
	wantError(t, c.Free(a), "nothing to free")
	wantError(t, c.Free(0), "nothing to free")
	wantError(t, s.Upload(a, []byte{1}), "was freed")
	if again := alloc(t, c, 400); again == a {
		t.Errorf("the address %#x is used again", a)
	}
}
