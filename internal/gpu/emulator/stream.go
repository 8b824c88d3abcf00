package emulator

import (
	"fmt"
	"sync"

	"github.com/eqlearner/eql/internal/gpu"
)

// stream does its work at once. The first error of a kernel is that of all later calls.
type stream struct {
	card *Card

	mu     sync.Mutex
	err    error
	closed bool
}

// begin is the start of each call; the stream stays locked.
func (s *stream) begin(call string) error {
	s.mu.Lock()
	if s.closed {
		return errClosed
	}
	if err := s.card.fail(call); err != nil {
		return err
	}
	return s.err
}

// Upload copies to the card.
func (s *stream) Upload(to gpu.Memory, host []byte) error {
	defer s.mu.Unlock()
	if err := s.begin("upload"); err != nil {
		return err
	}
	data, err := s.card.bytes("upload", to, len(host))
	copy(data, host)
	return err
}

// Download copies from the card.
func (s *stream) Download(host []byte, from gpu.Memory) error {
	defer s.mu.Unlock()
	if err := s.begin("download"); err != nil {
		return err
	}
	data, err := s.card.bytes("download", from, len(host))
	copy(host, data)
	return err
}

// bytes returns n bytes of an allocation.
func (c *Card) bytes(call string, m gpu.Memory, n int) ([]byte, error) {
	all := c.segments()
	data := all.find(uint64(m), uint64(n))
	if data == nil {
		return nil, fmt.Errorf("emulator: %s: %s", call, all.outside(uint64(m), uint64(n)))
	}
	return data, nil
}

// Launch runs the blocks.
func (s *stream) Launch(f gpu.Function, k gpu.Kernel, blocks int, args ...uint64) error {
	defer s.mu.Unlock()
	if err := s.begin("launch"); err != nil {
		return err
	}
	s.err = s.card.launch(f, k, blocks, args)
	return s.err
}

// Wait returns the error of earlier launches.
func (s *stream) Wait() error {
	defer s.mu.Unlock()
	return s.begin("wait")
}

// Close ends the use of the stream.
func (s *stream) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.closed = true
	return nil
}
