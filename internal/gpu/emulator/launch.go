package emulator

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/eqlearner/eql/internal/gpu"
)

// job is a launch.
type job struct {
	program  *program
	segments segments
	regs     []uint64 // what the registers of each thread start with
	threads  int
	words    int // of shared memory
	limit    int64
}

// launch runs all blocks of a kernel. It returns the error of the first block that has one.
func (c *Card) launch(f gpu.Function, k gpu.Kernel, blocks int, args []uint64) error {
	j, err := c.job(f, k, blocks, args)
	if err != nil {
		return err
	}
	c.launches.Add(1)
	q := queue{blocks: blocks, failed: blocks}
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), blocks) {
		wait.Go(func() { c.work(j, &q) })
	}
	wait.Wait()
	return q.err
}

// job checks the arguments of a launch.
func (c *Card) job(f gpu.Function, k gpu.Kernel, blocks int, args []uint64) (*job, error) {
	p, err := c.program(f)
	if err != nil {
		return nil, err
	}
	if err := c.fits(k); err != nil {
		return nil, err
	}
	switch {
	case k.Text != p.text || k.Entry != p.entry:
		return nil, fmt.Errorf("emulator: function %d is not that of kernel %s", f, k.Entry)
	case blocks < 1:
		return nil, fmt.Errorf("emulator: launch of %s with %d blocks", k.Entry, blocks)
	case len(args) != len(p.params):
		return nil, fmt.Errorf("emulator: launch of %s with %d arguments, it has %d parameters",
			k.Entry, len(args), len(p.params))
	}
	j := &job{program: p, segments: c.segments(), threads: k.Threads, words: k.Shared / 4, limit: c.limit}
	if p.globals != nil {
		j.segments = slices.Clone(j.segments)
		j.segments[0] = p.globals
	}
	j.regs = slices.Clone(p.regs)
	for i, slot := range p.params {
		j.regs[slot] = args[i]
	}
	j.regs[slotNtid], j.regs[slotNctaid] = uint64(k.Threads), uint64(blocks)
	return j, nil
}

// queue hands out blocks in order, until one fails.
type queue struct {
	mu     sync.Mutex
	next   int
	blocks int
	failed int // first block with an error
	err    error
}

func (q *queue) take() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.next == q.blocks || q.err != nil {
		return 0, false
	}
	q.next++
	return q.next - 1, true
}

func (q *queue) fail(index int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if index < q.failed {
		q.failed, q.err = index, err
	}
}

// work runs blocks until none is left.
func (c *Card) work(j *job, q *queue) {
	b, _ := j.program.blocks.Get().(*block)
	if b == nil {
		b = new(block)
	}
	for {
		index, ok := q.take()
		if !ok {
			break
		}
		b.prepare(j, index)
		err := b.run()
		c.instructions.Add(b.instructions)
		c.barriers.Add(b.barriers)
		if err != nil {
			q.fail(index, err)
		}
	}
	b.job = nil
	j.program.blocks.Put(b)
}
