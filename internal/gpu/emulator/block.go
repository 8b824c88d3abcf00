package emulator

import (
	"errors"
	"fmt"
)

// block is a block of threads and its shared memory.
type block struct {
	*job
	index   int
	threads []thread
	words   []word
	epoch   uint32 // grows at each barrier, by 1<<epochShift
	races   []error

	instructions, barriers int64
}

// thread is a thread between two barriers.
type thread struct {
	r     []uint64 // registers and constants
	id    int
	pc    int32   // next instruction
	calls []int32 // where functions return to
	carry uint64
	done  bool
	err   error
}

// prepare makes a block ready to run.
func (b *block) prepare(j *job, index int) {
	b.job, b.index, b.epoch, b.races = j, index, 1<<epochShift, nil
	b.instructions, b.barriers = 0, 0
	if len(b.threads) != j.threads {
		b.threads = make([]thread, j.threads)
	}
	if len(b.words) != j.words {
		b.words = make([]word, j.words)
	}
	for i := range b.words {
		b.words[i] = word{value: nan}
	}
	for i := range b.threads {
		t := &b.threads[i]
		r := append(t.r[:0], j.regs...)
		r[slotTid], r[slotCtaid] = uint64(i), uint64(index)
		*t = thread{r: r, id: i, pc: j.program.start, calls: t.calls[:0]}
	}
}

// run executes all threads from barrier to barrier.
func (b *block) run() error {
	for {
		waiting, err := b.segment()
		if err != nil {
			return err
		}
		if len(b.races) > 0 {
			return errors.Join(b.races...)
		}
		if !waiting {
			return nil
		}
		b.barriers++
		b.nextEpoch()
	}
}

// segment runs each thread to its next barrier or its end, and says whether any waits.
func (b *block) segment() (waiting bool, err error) {
	var at *thread
	for i := range b.threads {
		t := &b.threads[i]
		if t.done {
			continue
		}
		b.instructions += b.step(t)
		switch {
		case t.err != nil:
			return false, errors.Join(append(b.races, t.err)...)
		case t.done:
		case at == nil:
			at = t
		case at.pc != t.pc:
			return false, b.fault(t, t.pc-1, fmt.Sprintf("barrier divergence: thread %d waits at line %d",
				at.id, b.program.lines[at.pc-1]))
		}
	}
	return at != nil, nil
}

// fault is an error at an instruction.
func (b *block) fault(t *thread, pc int32, what string) error {
	line := int(b.program.lines[pc])
	return fmt.Errorf("emulator: block %d, thread %d, line %d: %s: %s",
		b.index, t.id, line, b.program.line(line), what)
}
