//go:build gpu

package graph

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/eqlearner/eql/internal/gpu"
)

// drivers are the modes of the driver in internal/gpu/shim/testdriver.c, and what is tested with each.
var drivers = map[string]func(*testing.T){
	"card":   testCard,
	"old":    refused("the driver is for CUDA 11.4 and eql needs 12.0 or later: update NVIDIA's driver"),
	"empty":  refused("no CUDA device: no CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE): in Docker, pass"),
	"broken": refused("no CUDA driver (", "file too short", "install NVIDIA's driver; in Docker, pass --gpus all"),
}

// TestDriver runs itself again with a driver of each kind, since the driver is looked for when a process starts.
func TestDriver(t *testing.T) {
	if mode := os.Getenv("EQL_TEST_DRIVER_MODE"); mode != "" {
		drivers[mode](t)
		return
	}
	folder := os.Getenv("EQL_TEST_DRIVER")
	if folder == "" {
		t.Skip("make gpu-check runs it, with a driver")
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "libcuda.so.1"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for mode := range drivers {
		t.Run(mode, func(t *testing.T) {
			c := exec.Command(os.Args[0], "-test.run", "^TestDriver$")
			from := folder
			if mode == "broken" {
				from = broken
			}
			c.Env = append(os.Environ(), "EQL_TEST_DRIVER_MODE="+mode, "LD_LIBRARY_PATH="+from)
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func refused(words ...string) func(*testing.T) {
	return func(t *testing.T) {
		_, err := CUDACard()
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("got %v, want %q", err, w)
			}
		}
	}
}

func testCard(t *testing.T) {
	c, err := openedCard()
	if err != nil {
		t.Fatal(err)
	}
	want := gpu.Info{Name: "Test Card", Driver: "12.8", Compute: 90, Memory: 1 << 30,
		Processors: 132, Shared: 227 << 10, Registers: 65536}
	if c.Info() != want {
		t.Errorf("got %+v, want %+v", c.Info(), want)
	}
	if again, err := openedCard(); again != c || err != nil {
		t.Errorf("opened twice: %v", err)
	}
	t.Run("compile", func(t *testing.T) { testCompile(t, c) })
	t.Run("launch", func(t *testing.T) { testLaunch(t, c) })
	t.Run("copies", func(t *testing.T) { testCopies(t, c) })
	t.Run("errors", func(t *testing.T) { testErrors(t, c) })
}

var shape = gpu.Kernel{Text: ".version 7.0", Entry: "shape", Threads: 64, Shared: 16 << 10}

func testCompile(t *testing.T, c gpu.Card) {
	large := shape
	large.Shared = 100 << 10
	f, resident, err := c.Compile(shape)
	if err != nil || resident != 14 {
		t.Errorf("got %d blocks at once, %v, want 14", resident, err)
	}
	if g, resident, err := c.Compile(large); g != f || resident != 2 || err != nil {
		t.Errorf("the same text: function %d, %d blocks at once, %v, want %d and 2", g, resident, err, f)
	}
	other := shape
	other.Text += "\n"
	if g, _, err := c.Compile(other); g == f || err != nil {
		t.Errorf("another text: function %d as before, %v", g, err)
	}
}

// testLaunch runs several streams at the same time; each uploads, launches twice and downloads.
func testLaunch(t *testing.T, c gpu.Card) {
	k := shape
	k.Shared = 100 << 10
	f, _, err := c.Compile(k)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range uint64(8) {
		all.Go(func() {
			got, err := launchTwice(c, f, k, i)
			want := []uint64{1 + 2*300, 2 + 2*64, 3 + 2*(100<<10), 4 + 2*(100<<10), 5 + 2*i}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("got %v, %v, want %v", got, err, want)
			}
		})
	}
	all.Wait()
}

func launchTwice(c gpu.Card, f gpu.Function, k gpu.Kernel, arg uint64) ([]uint64, error) {
	s, err := c.Stream()
	if err != nil {
		return nil, err
	}
	m, err := c.Alloc(40)
	if err != nil {
		return nil, err
	}
	host := make([]byte, 40)
	for i := range uint64(5) {
		binary.LittleEndian.PutUint64(host[8*i:], i+1)
	}
	steps := []func() error{
		func() error { return s.Upload(m, host) },
		func() error { clear(host); return nil },
		func() error { return s.Launch(f, k, 300, uint64(m), arg) },
		s.Wait,
		func() error { return s.Launch(f, k, 300, uint64(m), arg) },
		func() error { return s.Download(host, m) },
		s.Close,
		func() error { return c.Free(m) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	got := make([]uint64, 5)
	_, err = binary.Decode(host, binary.LittleEndian, got)
	return got, err
}

// testCopies copies what does not fit into what waits to be copied, and the host's memory changes right after.
func testCopies(t *testing.T, c gpu.Card) {
	s, err := c.Stream()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, staged - 1, staged, staged + 1, 3*staged + 5} {
		m, err := c.Alloc(n + 1)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]byte, n)
		for i := range want {
			want[i] = byte(rng.Uint32())
		}
		host := slices.Clone(want)
		if err := s.Upload(m, host); err != nil {
			t.Fatal(err)
		}
		clear(host)
		if err := s.Download(host, m); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(host, want) {
			t.Errorf("%d bytes do not come back as they went", n)
		}
		if err := c.Free(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func testErrors(t *testing.T, c gpu.Card) {
	s, err := c.Stream()
	if err != nil {
		t.Fatal(err)
	}
	wide, crowded, broken, nameless := shape, shape, shape, shape
	wide.Shared, crowded.Threads = 228<<10, 2000
	broken.Text = "nonsense"
	nameless.Text, nameless.Entry = ".version 8.0", "other"
	compile := func(k gpu.Kernel) error { _, _, err := c.Compile(k); return err }
	_, full := c.Alloc(2 << 30)
	for _, e := range []struct {
		err  error
		want string
	}{
		{full, "getting 2147483648 bytes of the card's memory: out of memory (CUDA_ERROR_OUT_OF_MEMORY): end what"},
		{compile(wide), "a block needs 233472 bytes of shared memory, and Test Card has 232448: use the processor"},
		{compile(crowded), "2000 threads and 16384 bytes of shared memory does not fit into a multiprocessor of Test Card"},
		{compile(broken), "until then\nptxas fatal: no .version"},
		{compile(nameless), "looking for the kernel other: another error (CUDA_ERROR_OTHER): see whether nvidia-smi works"},
		{s.Launch(99, shape, 1), "function 99 was not compiled by this card"},
	} {
		if e.err == nil || !strings.Contains(e.err.Error(), e.want) {
			t.Errorf("got %v, want %q", e.err, e.want)
		}
	}
}
