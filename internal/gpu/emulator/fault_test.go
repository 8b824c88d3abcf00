package emulator

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestFaults(t *testing.T) {
	const table = ".const .b64 table[2] = {1, 2};\n"
	for _, c := range []struct{ name, body, want string }{
		{"past the end", "ld.global.f32 %f0, [%q30+16];", "0x2ffffff10: out of bounds, offset 16 of an allocation"},
		{"partly past the end", "ld.global.v2.f64 {%d0, %d1}, [%q30+16];", "out of bounds"},
		{"before the start", "st.global.f32 [%q30+-4], %f0;", "out of bounds, offset -4"},
		{"null", "mov.u64 %q0, 0; st.global.f32 [%q0], %f0;", "nothing was allocated at 0x0"},
		{"half of an address", "cvt.u32.u64 %w0, %q30; cvt.u64.u32 %q0, %w0; ld.global.f32 %f0, [%q0];",
			"nothing was allocated"},
		{"no register yet", "ld.global.f32 %f0, [%q0];", "nothing was allocated at 0x7fc000007fc00000"},
		{"misaligned", "ld.global.f32 %f0, [%q30+2];", "misaligned"},
		{"misaligned by 4", "st.global.f64 [%q30+4], %d0;", "misaligned address 0x2ffffff04 of 8 bytes"},
		{"misaligned vector", "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%q30+8];", "misaligned"},
		{"misaligned in shared memory", "ld.shared.f32 %f0, [memory+2];", "misaligned"},
		{"misaligned store", "st.shared.u32 [memory+1], %w0;", "misaligned"},
		{"misaligned vector in shared memory", "st.shared.v2.f64 [memory+8], {%d0, %d1};", "misaligned address 0x8 of 16"},
		{"past the end of shared memory", "ld.shared.f32 %f0, [memory+68];", "4 bytes at 68 of 68 bytes of shared memory"},
		{"store past it", "st.shared.f32 [memory+68], %f0;", "out of bounds"},
		{"vector past it", "ld.shared.v2.f32 {%f0, %f1}, [memory+64];", "out of bounds"},
		{"partly past it", "st.shared.v2.f64 [memory+64], {%d0, %d1};", "16 bytes at 64 of 68 bytes"},
		{"vector quite past it", "ld.shared.v2.f32 {%f0, %f1}, [memory+72];", "out of bounds"},
		{"before shared memory", "mov.u32 %w0, 0; st.shared.f32 [%w0+-4], %f0;", "4 bytes at -4 of 68 bytes"},
		{"no shared address", "ld.shared.f32 %f0, [%w0];", "out of bounds"},
		{"past a table", "ld.const.u64 %q0, [table+16];", "8 bytes at offset 16 of 16 bytes of .const"},
		{"misaligned in a table", "ld.const.u64 %q0, [table+4];", "misaligned"},
		{"division", "mov.u32 %w1, 0; div.u32 %w0, %w0, %w1;", "division by zero"},
		{"remainder", "rem.s32 %w0, %w0, 0;", "division by zero"},
		{"endless", "LOOP: add.u32 %w0, %w0, 1; bra LOOP;", "more than 1000 instructions without a barrier"},
	} {
		text := kernel(table, "\n"+c.body)
		w := work{text: text, in: make([]byte, 16), shared: 68, limit: 1000}
		_, _, err := w.run(t)
		line := strings.Count(text[:strings.Index(text, c.body)], "\n") + 1
		wantError(t, err, c.want, "block 0, thread 0, line ", c.body)
		if err != nil && !strings.Contains(err.Error(), fmt.Sprintf("line %d:", line)) {
			t.Errorf("%s: got %v, want line %d", c.name, err, line)
		}
	}
}

// own sets %w1 to the shared address of the thread's own word and %w2 to that of the next thread's.
const own = `
	mov.u32 %w0, %tid.x;
	shl.b32 %w1, %w0, 2;
	add.u32 %w2, %w0, 1;
	and.b32 %w2, %w2, 31;
	shl.b32 %w2, %w2, 2;
	setp.eq.u32 %p0, %w0, 0;
	setp.eq.u32 %p1, %w0, 9;
`

func TestRaces(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"write and read", "st.shared.u32 [%w1], %w0; ld.shared.u32 %w3, [%w2];", "race"},
		{"read of an earlier thread's", "@%p0 st.shared.u32 [memory], 1; @%p1 ld.shared.u32 %w3, [memory];",
			"thread 9, line 25: @%p0 st.shared.u32 [memory], 1; @%p1 ld.shared.u32 %w3, [memory];: race: read of what another " +
				"thread wrote, thread 0, shared address 0"},
		{"write of what was read", "@%p0 ld.shared.u32 %w3, [memory]; @%p1 st.shared.u32 [memory], 1;",
			"race: write of what another thread read, thread 0"},
		{"write of what many read", "ld.shared.u32 %w3, [memory]; @%p1 st.shared.u32 [memory], 1;",
			"thread read, several threads"},
		{"two writes", "st.shared.u32 [memory], 1;", "race: write of what another thread wrote"},
		{"second word of 8 bytes", "@%p0 st.shared.u64 [memory], 1; @%p1 st.shared.u32 [memory+4], 1;", "shared address 4"},
		{"last word of a vector", "@%p0 st.shared.v4.u32 [memory], {1, 2, 3, 4}; @%p1 ld.shared.u32 %w3, [memory+12];",
			"shared address 12"},
		{"reads", "ld.shared.u32 %w3, [memory];", ""},
		{"own words", "st.shared.u32 [%w1], %w0; ld.shared.u32 %w3, [%w1]; st.shared.u32 [%w1], %w3;", ""},
		{"a barrier between", "st.shared.u32 [%w1], %w0; bar.sync 0; ld.shared.u32 %w3, [%w2]; bar.sync 0; " +
			"st.shared.u32 [%w1], 1;", ""},
		{"a barrier too few", "st.shared.u32 [%w1], %w0; bar.sync 0; ld.shared.u32 %w3, [%w2]; " +
			"st.shared.u32 [%w1], 1;", "race"},
	} {
		_, _, err := work{text: kernel("", own+c.body), threads: 32, shared: 256}.run(t)
		switch {
		case c.want != "":
			wantError(t, err, c.want)
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil && strings.Count(err.Error(), "race:") > maxRaces {
			t.Errorf("%s: too many races: %v", c.name, err)
		}
	}
}

func TestEpochs(t *testing.T) {
	b := &block{words: make([]word, 1), epoch: maxEpoch, job: &job{}}
	one, two := &thread{id: 0}, &thread{id: maxThreads - 1}
	b.write(one, 0, 0, 7)
	b.nextEpoch()
	if got := b.read(two, 0, 0); got != 7 || len(b.races) > 0 {
		t.Errorf("after the last epoch: got %d and races %v", got, b.races)
	}
	if b.epoch != 1<<epochShift {
		t.Errorf("epoch %d follows the last", b.epoch)
	}
}

func TestBarriers(t *testing.T) {
	const loop = "mov.u32 %w3, 0; LOOP: bar.sync 0; add.u32 %w3, %w3, 1; setp.lt.u32 %p2, %w3, 5; @%p2 bra LOOP;"
	for _, c := range []struct {
		name, body string
		barriers   int64 // of two blocks
		want       string
	}{
		{"in a loop", loop, 10, ""},
		{"threads that ended", "@%p0 exit; bar.sync 0;", 2, ""},
		{"one jumps over it", "@%p0 bra NEXT; bar.sync 0; NEXT: bar.sync 0;", 0,
			"barrier divergence: thread 0 waits at line "},
		{"in a branch", "@%p0 bra A; bar.sync 0; bra B; A: bar.sync 0; B: mov.u32 %w0, 1;", 0, "thread 1, line "},
	} {
		_, card, err := work{text: kernel("", own+c.body), threads: 32, blocks: 2}.run(t)
		if c.want != "" {
			wantError(t, err, c.want)
			continue
		}
		if err != nil || card.Barriers() != c.barriers {
			t.Errorf("%s: got %d barriers, %v, want %d", c.name, card.Barriers(), err, c.barriers)
		}
	}
}

// TestReduction adds the numbers of all threads of a block by halves.
func TestReduction(t *testing.T) {
	const body = own + `
	mad.lo.u32 %w3, %ctaid.x, 100, %w0;
	st.shared.u32 [%w1], %w3;
	mov.u32 %w4, 16;
LOOP:
	bar.sync 0;
	setp.ge.u32 %p2, %w0, %w4;
	@%p2 bra NEXT;
	shl.b32 %w5, %w4, 2;
	add.u32 %w5, %w5, %w1;
	ld.shared.u32 %w6, [%w5];
	ld.shared.u32 %w7, [%w1];
	add.u32 %w7, %w7, %w6;
	st.shared.u32 [%w1], %w7;
NEXT:
	shr.u32 %w4, %w4, 1;
	setp.ne.u32 %p3, %w4, 0;
	@%p3 bra LOOP;
	mad.wide.u32 %q0, %ctaid.x, 4, %q31;
	@%p0 st.global.u32 [%q0], %w7;`
	var want []uint32
	for i := range uint32(50) {
		want = append(want, 31*32/2+32*100*i)
	}
	got, card, err := work{text: kernel("", body), threads: 32, shared: 128, blocks: 50, out: 200}.run(t)
	if err != nil || !bytes.Equal(got, halves(want...)) {
		t.Errorf("got %v, %v, want %v", got, err, halves(want...))
	}
	// 45 of each thread, and 6 for each of 31 additions.
	if n, want := card.Instructions(), int64(50*(32*45+31*6)); n != want {
		t.Errorf("%d instructions, want %d", n, want)
	}
}

func TestQueue(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	q := queue{blocks: 3, failed: 3}
	for want := range 2 {
		if got, ok := q.take(); got != want || !ok {
			t.Errorf("got block %d, %v, want %d", got, ok, want)
		}
	}
	q.fail(1, second)
	if got, ok := q.take(); ok {
		t.Errorf("got block %d after an error", got)
	}
	q.fail(0, first)
	q.fail(1, second)
	if !errors.Is(q.err, first) {
		t.Errorf("got error %v, want that of the first block", q.err)
	}
}

// TestFirstError is that of the first block, however many run at the same time.
func TestFirstError(t *testing.T) {
	const body = "setp.lt.u32 %p0, %ctaid.x, 7; @%p0 exit; ld.global.u32 %w0, [%q30+-4];"
	for range 20 {
		_, _, err := work{text: kernel("", body), blocks: 100}.run(t)
		wantError(t, err, "block 7, thread 0")
	}
}
