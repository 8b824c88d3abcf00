package emulator

import "fmt"

// word is four bytes of shared memory. Writer and reader say who used it: epoch + thread + 1 of the last, or epoch +
// several; anything below the present epoch was before the last barrier.
type word struct{ value, writer, reader uint32 }

const (
	epochShift = 11 // 2¹¹ > maxThreads + 1
	several    = 1<<epochShift - 1
	maxEpoch   = 1<<32 - 1<<epochShift
	maxRaces   = 20 // that are reported
)

// nextEpoch forgets who used which word.
func (b *block) nextEpoch() {
	if b.epoch == maxEpoch {
		for i := range b.words {
			b.words[i].writer, b.words[i].reader = 0, 0
		}
		b.epoch = 0
	}
	b.epoch += 1 << epochShift
}

// read returns a word for a thread.
func (b *block) read(t *thread, pc int32, i uint64) uint64 {
	w, me := &b.words[i], b.epoch+uint32(t.id)+1
	if w.writer >= b.epoch && w.writer != me {
		b.race(t, pc, i, "read of what another thread wrote", w.writer)
	}
	switch {
	case w.reader < b.epoch:
		w.reader = me
	case w.reader != me:
		w.reader = b.epoch + several
	}
	return uint64(w.value)
}

// write stores a word of a thread.
func (b *block) write(t *thread, pc int32, i uint64, value uint32) {
	w, me := &b.words[i], b.epoch+uint32(t.id)+1
	if w.writer >= b.epoch && w.writer != me {
		b.race(t, pc, i, "write of what another thread wrote", w.writer)
	}
	if w.reader >= b.epoch && w.reader != me {
		b.race(t, pc, i, "write of what another thread read", w.reader)
	}
	w.writer, w.value = me, value
}

// race keeps the first races of a block.
func (b *block) race(t *thread, pc int32, i uint64, what string, other uint32) {
	if len(b.races) >= maxRaces {
		return
	}
	who := "several threads"
	if other -= b.epoch; other != several {
		who = fmt.Sprintf("thread %d", other-1)
	}
	b.races = append(b.races, b.fault(t, pc, fmt.Sprintf("race: %s, %s, shared address %d", what, who, 4*i)))
}

// inside says whether n bytes of shared memory at an address exist and are aligned.
func (b *block) inside(at, n uint64) bool {
	size := 4 * uint64(len(b.words))
	return at&(n-1) == 0 && at < size && n <= size-at
}
