package emulator

import (
	"errors"
	"sync"
	"testing"

	"github.com/eqlearner/eql/internal/gpu"
)

func TestInfo(t *testing.T) {
	want := gpu.Info{Name: "emulator", Compute: 90, Memory: 1 << 30, Processors: 132, Shared: 232448, Registers: 65536}
	if got := New(gpu.Info{}).Info(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	want = gpu.Info{Name: "small", Driver: "12.8", Compute: 80, Memory: 100, Processors: 1, Shared: 1024, Registers: 64}
	if got := New(want).Info(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestCompileOnce(t *testing.T) {
	c := New(gpu.Info{})
	k := gpu.Kernel{Text: kernel("", ""), Entry: "main", Threads: 1}
	f, resident, err := c.Compile(k)
	check(t, err)
	again, _, err := c.Compile(k)
	check(t, err)
	k.Text = kernel("", "// another")
	other, _, err := c.Compile(k)
	check(t, err)
	if f == 0 || f != again || f == other || resident != 1 {
		t.Errorf("functions %d, %d and %d, %d resident", f, again, other, resident)
	}
}

func TestLaunchRefused(t *testing.T) {
	c := New(gpu.Info{Shared: 1000})
	k := gpu.Kernel{Text: kernel("", ""), Entry: "main", Threads: 32, Shared: 1000}
	f, _, err := c.Compile(k)
	check(t, err)
	with := func(change func(k *gpu.Kernel)) gpu.Kernel {
		k := k
		change(&k)
		return k
	}
	for _, l := range []struct {
		f      gpu.Function
		k      gpu.Kernel
		blocks int
		args   []uint64
		want   string
	}{
		{0, k, 1, []uint64{1, 2}, "0 is no function"},
		{f + 1, k, 1, []uint64{1, 2}, "is no function"},
		{f, k, 1, []uint64{1}, "with 1 arguments, it has 2 parameters"},
		{f, k, 1, []uint64{1, 2, 3}, "with 3 arguments"},
		{f, k, 0, []uint64{1, 2}, "with 0 blocks"},
		{f, with(func(k *gpu.Kernel) { k.Threads = 1025 }), 1, []uint64{1, 2}, "1025 threads a block, want 1 to 1024"},
		{f, with(func(k *gpu.Kernel) { k.Threads = 0 }), 1, []uint64{1, 2}, "0 threads"},
		{f, with(func(k *gpu.Kernel) { k.Shared = 1001 }), 1, []uint64{1, 2}, "the card has 1000"},
		{f, with(func(k *gpu.Kernel) { k.Text += "\n" }), 1, []uint64{1, 2}, "is not that of kernel main"},
	} {
		s, err := c.Stream()
		check(t, err)
		wantError(t, s.Launch(l.f, l.k, l.blocks, l.args...), l.want)
		wantError(t, s.Wait(), l.want)
	}
	if n := c.Launches(); n != 0 {
		t.Errorf("%d launches, want 0", n)
	}
	_, _, err = c.Compile(with(func(k *gpu.Kernel) { k.Shared = 1001 }))
	wantError(t, err, "the card has 1000")
}

func TestFailedStream(t *testing.T) {
	c := New(gpu.Info{})
	k := gpu.Kernel{Text: kernel("", "st.global.f32 [%q31], 0f00000000;"), Entry: "main", Threads: 1}
	f, _, err := c.Compile(k)
	check(t, err)
	m := alloc(t, c, 4)
	s, err := c.Stream()
	check(t, err)
	check(t, s.Launch(f, k, 1, 0, uint64(m)))
	check(t, c.Free(m))
	const want = "the memory at 0x2ffffff00 was freed"
	wantError(t, s.Launch(f, k, 1, 0, uint64(m)), want)
	m = alloc(t, c, 4)
	wantError(t, s.Launch(f, k, 1, 0, uint64(m)), want)
	wantError(t, s.Upload(m, []byte{1}), want)
	wantError(t, s.Download([]byte{1}, m), want)
	wantError(t, s.Wait(), want)
	check(t, s.Close())
	wantError(t, s.Close(), "closed")
	wantError(t, s.Wait(), "closed")

	s, err = c.Stream()
	check(t, err)
	check(t, s.Launch(f, k, 1, 0, uint64(m)))
	if n := c.Launches(); n != 3 {
		t.Errorf("%d launches, want 3", n)
	}
}

func TestFail(t *testing.T) {
	lost := errors.New("no card")
	for _, call := range []string{"compile", "alloc", "upload", "download", "launch", "wait"} {
		c := New(gpu.Info{})
		failing := ""
		c.Fail = func(call string) error {
			if call == failing {
				return lost
			}
			return nil
		}
		k := gpu.Kernel{Text: kernel("", ""), Entry: "main", Threads: 1}
		var f gpu.Function
		s, err := c.Stream()
		check(t, err)
		m := alloc(t, c, 4)
		calls := []struct {
			name string
			do   func() error
		}{
			{"compile", func() (err error) { f, _, err = c.Compile(k); return err }},
			{"alloc", func() error { _, err := c.Alloc(4); return err }},
			{"upload", func() error { return s.Upload(m, []byte{1}) }},
			{"launch", func() error { return s.Launch(f, k, 1, 0, 0) }},
			{"download", func() error { return s.Download(make([]byte, 1), m) }},
			{"wait", s.Wait},
		}
		for _, x := range calls {
			check(t, x.do())
		}
		failing = call
		for _, x := range calls {
			want := error(nil)
			if x.name == call {
				want = lost
			}
			if x.name == "launch" {
				f = 1
			}
			if err := x.do(); !errors.Is(err, want) {
				t.Errorf("%s fails: %s returns %v, want %v", call, x.name, err, want)
			}
		}
		failing = ""
		for _, x := range calls {
			check(t, x.do())
		}
	}
}

// TestStreams uses a card from several goroutines at the same time.
func TestStreams(t *testing.T) {
	c := New(gpu.Info{})
	const body = own + "st.shared.u32 [%w1], %w0; bar.sync 0; ld.shared.u32 %w3, [%w2]; mad.wide.u32 %q0, %w0, 4, %q31;" +
		"st.global.u32 [%q0], %w3;"
	k := gpu.Kernel{Text: kernel("", body), Entry: "main", Threads: 32, Shared: 128}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			f, _, err := c.Compile(k)
			if err != nil {
				t.Error(err)
				return
			}
			s, _ := c.Stream()
			got := make([]byte, 128)
			for range 20 {
				m, err := c.Alloc(128)
				err = errors.Join(err, s.Launch(f, k, 1, 0, uint64(m)), s.Download(got, m), c.Free(m))
				if err != nil || got[0] != 1 || got[124] != 0 {
					t.Errorf("got %v, %v", got, err)
				}
			}
		})
	}
	wait.Wait()
	if n := c.Launches(); n != 160 {
		t.Errorf("%d launches, want 160", n)
	}
}
