package emulator

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/eqlearner/eql/internal/gpu"
)

// endless is how many instructions a thread may execute between two barriers.
const endless = 1 << 31

// maxThreads is how many threads a block may have.
const maxThreads = 1024

// A Card is a GPU that runs in Go.
type Card struct {
	// Fail makes calls fail: it is called with "compile", "alloc", "upload", "download", "launch" or "wait", and what
	// it returns, if not nil, is the error of that call. It must not change while the card is used.
	Fail func(call string) error

	info  gpu.Info
	limit int64 // endless, or less in tests

	launches, instructions, barriers atomic.Int64

	mu       sync.Mutex
	programs []*program     // function f is programs[f-1]
	compiled map[source]int // index in programs
	memory   memory
}

var _ gpu.Card = (*Card)(nil)

// source is what tells programs apart.
type source struct{ text, entry string }

// New returns a card without work. Fields of info that are zero are those of a large card.
func New(info gpu.Info) *Card {
	info.Name = cmp.Or(info.Name, "emulator")
	info.Compute = cmp.Or(info.Compute, 90)
	info.Memory = cmp.Or(info.Memory, 1<<30)
	info.Processors = cmp.Or(info.Processors, 132)
	info.Shared = cmp.Or(info.Shared, 232448)
	info.Registers = cmp.Or(info.Registers, 65536)
	return &Card{info: info, limit: endless, compiled: map[source]int{}, memory: newMemory(info.Memory)}
}

// Info returns what New was given, with its defaults.
func (c *Card) Info() gpu.Info { return c.info }

// Launches returns how many launches were begun.
func (c *Card) Launches() int { return int(c.launches.Load()) }

// InUse returns how many bytes of memory are allocated.
func (c *Card) InUse() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.info.Memory - c.memory.left
}

// Instructions returns how many instructions were executed, counted for each thread; a call has one more for each
// operand and result.
func (c *Card) Instructions() int64 { return c.instructions.Load() }

// Barriers returns how often a block passed a barrier.
func (c *Card) Barriers() int64 { return c.barriers.Load() }

// Compile translates a kernel. One block of it is resident.
func (c *Card) Compile(k gpu.Kernel) (gpu.Function, int, error) {
	if err := c.fail("compile"); err != nil {
		return 0, 0, err
	}
	if err := c.fits(k); err != nil {
		return 0, 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := source{k.Text, k.Entry}
	if i, ok := c.compiled[key]; ok {
		return gpu.Function(i + 1), 1, nil
	}
	p, err := compile(k.Text, k.Entry)
	if err != nil {
		return 0, 0, err
	}
	c.compiled[key] = len(c.programs)
	c.programs = append(c.programs, p)
	return gpu.Function(len(c.programs)), 1, nil
}

// fits says whether a block of the kernel can run on the card.
func (c *Card) fits(k gpu.Kernel) error {
	if k.Threads < 1 || k.Threads > maxThreads {
		return fmt.Errorf("emulator: kernel %s has %d threads a block, want 1 to %d", k.Entry, k.Threads, maxThreads)
	}
	if k.Shared < 0 || k.Shared > c.info.Shared {
		return fmt.Errorf("emulator: kernel %s has %d bytes of shared memory, the card has %d",
			k.Entry, k.Shared, c.info.Shared)
	}
	return nil
}

func (c *Card) fail(call string) error {
	if c.Fail == nil {
		return nil
	}
	return c.Fail(call)
}

// Alloc returns memory that holds NaN.
func (c *Card) Alloc(bytes int) (gpu.Memory, error) {
	if err := c.fail("alloc"); err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	at, err := c.memory.alloc(bytes)
	return gpu.Memory(at), err
}

// Free gives back what Alloc returned.
func (c *Card) Free(m gpu.Memory) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.memory.free(uint64(m))
}

// segments returns the memory as it is now.
func (c *Card) segments() segments {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.memory.segments
}

// program returns what was compiled as f.
func (c *Card) program(f gpu.Function) (*program, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f == 0 || uint64(f) > uint64(len(c.programs)) {
		return nil, fmt.Errorf("emulator: %d is no function of this card", f)
	}
	return c.programs[f-1], nil
}

// Stream returns a queue that does all work at once.
func (c *Card) Stream() (gpu.Stream, error) { return &stream{card: c}, nil }

var errClosed = errors.New("emulator: the stream is closed")
