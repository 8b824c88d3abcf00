//go:build gpu

package graph

// #include <cuda.h>
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/eqlearner/eql/internal/gpu"
)

// staged is how many bytes of a stream's data wait at most to be copied.
const staged = 4 << 20

// How long a stream sleeps between two looks at whether its work is done: first, and at most.
const (
	firstNap   = 50 * time.Microsecond
	longestNap = 500 * time.Microsecond
)

// stream is a queue of the card's. What it copies goes through memory that the system never moves, in pieces: the
// driver holds up the thread that copies to or from other memory until all earlier work of the stream is done.
type stream struct {
	card *nvidia
	of   cu.Stream

	lock sync.Mutex // a call at a time
	pin  []byte     // the driver's: staged bytes for uploads, and as many for downloads
	used int        // of those for uploads, what copies in the queue may still read
}

// Stream returns a new queue.
func (c *nvidia) Stream() (gpu.Stream, error) {
	s := &stream{card: c}
	err := c.calls.do(func() (err error) {
		if s.of, err = cu.MakeStream(cu.NonBlocking); err != nil {
			return failed("making a stream", err)
		}
		var p unsafe.Pointer
		if code := C.cuMemHostAlloc(&p, 2*staged, 0); code != C.CUDA_SUCCESS { // cu has only cuMemFreeHost
			_ = s.of.Destroy() // the first error says more
			return explain("getting memory for copies", code)
		}
		s.pin = unsafe.Slice((*byte)(p), 2*staged)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Upload copies to the card.
func (s *stream) Upload(to gpu.Memory, host []byte) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	for len(host) > 0 {
		if s.used == staged {
			if err := s.wait(); err != nil {
				return err
			}
		}
		piece := s.pin[s.used:staged]
		piece = piece[:copy(piece, host)]
		err := s.card.calls.do(func() error {
			return cu.MemcpyHtoDAsync(cu.DevicePtr(to), unsafe.Pointer(&piece[0]), int64(len(piece)), s.of)
		})
		if err != nil {
			return failed("copying to the card", err)
		}
		s.used += len(piece)
		to += gpu.Memory(len(piece))
		host = host[len(piece):]
	}
	return nil
}

// Download copies from the card, after all that is in the queue.
func (s *stream) Download(host []byte, from gpu.Memory) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	for len(host) > 0 {
		piece := s.pin[staged:][:min(len(host), staged)]
		err := s.card.calls.do(func() error {
			return cu.MemcpyDtoHAsync(unsafe.Pointer(&piece[0]), cu.DevicePtr(from), int64(len(piece)), s.of)
		})
		if err != nil {
			return failed("copying from the card", err)
		}
		if err := s.wait(); err != nil {
			return err
		}
		copy(host, piece)
		from += gpu.Memory(len(piece))
		host = host[len(piece):]
	}
	return nil
}

// Launch puts blocks of a kernel into the queue.
func (s *stream) Launch(id gpu.Function, k gpu.Kernel, blocks int, args ...uint64) error {
	f, err := s.card.function(id)
	if err != nil {
		return err
	}
	at := make([]unsafe.Pointer, len(args))
	for i := range args {
		at[i] = unsafe.Pointer(&args[i])
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	err = s.card.calls.do(func() error { return f.Launch(blocks, 1, 1, k.Threads, 1, 1, k.Shared, s.of, at) })
	return failed(fmt.Sprintf("starting %d blocks of %d threads", blocks, k.Threads), err)
}

// Wait returns when the queue is empty.
func (s *stream) Wait() error {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.wait()
}

// wait looks again and again, and leaves the thread to other streams meanwhile. It does not use time.Sleep, which
// takes a millisecond where nothing else runs.
func (s *stream) wait() error {
	for nap := firstNap; ; nap = min(2*nap, longestNap) {
		err := s.card.calls.do(func() error { return s.of.Query() })
		if err == nil {
			s.used = 0
			return nil
		}
		if !errors.Is(err, cu.NotReady) {
			return failed("running on the card", err)
		}
		t := syscall.NsecToTimespec(int64(nap))
		_ = syscall.Nanosleep(&t, nil) // a signal ends it early, and then it looks early
	}
}

// Close waits for the work in the queue and gives back what it holds.
func (s *stream) Close() error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.pin == nil { // closed before
		return nil
	}
	pin := s.pin
	s.pin = nil
	err := s.wait()
	return errors.Join(err, s.card.calls.do(func() error {
		err := failed("giving memory back", cu.MemFreeHost(unsafe.Pointer(&pin[0])))
		return errors.Join(err, failed("ending a stream", s.of.Destroy()))
	}))
}
