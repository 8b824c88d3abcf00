package graph

import (
	"fmt"
	"time"
	"unsafe"

	"gorgonia.org/gorgonia"

	"github.com/eqlearner/eql/internal/gpu"
)

// cudaMachine makes the steps of a graph on a card, a block of threads a lane.
type cudaMachine[T Float] struct {
	launcher
	graph *Graph[T]
	host  []T // the state on its way
}

// launcher is the part of a machine that knows bytes alone.
type launcher struct {
	card     gpu.Card
	stream   gpu.Stream
	kernel   gpu.Kernel
	function gpu.Function
	memory   map[string]memory // of the kernel's parameters
}

type memory struct {
	at   gpu.Memory
	size int
}

// compileCUDA returns the machine for a card.
func compileCUDA[T Float](g *Graph[T], card gpu.Card) (*cudaMachine[T], error) {
	m := &cudaMachine[T]{graph: g, launcher: launcher{card: card, memory: map[string]memory{}}}
	var err error
	if m.kernel, err = kernelFor[T](g.Arch, g.Batch, card.Info()); err != nil {
		return nil, err
	}
	if m.function, _, err = card.Compile(m.kernel); err != nil {
		return nil, err
	}
	m.stream, err = card.Stream()
	return m, err
}

// A CardError reports that a GPU failed while it trained.
type CardError struct{ Err error }

// Error returns the driver's words.
func (e *CardError) Error() string { return "training on the GPU: " + e.Err.Error() }

// Unwrap returns the error of the card.
func (e *CardError) Unwrap() error { return e.Err }

// byCard marks an error as the card's.
func byCard(err error) error {
	if err == nil {
		return nil
	}
	return &CardError{err}
}

// A TooLargeError says that a network does not fit into a block of threads of the card.
type TooLargeError struct {
	What  string
	Needs int
	Has   int
	Unit  string
}

// Error says what is missing and what to do.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("a network of this size needs %d %s of %s, and a block of the card has %d: "+
		"train it on the processor", e.Needs, e.Unit, e.What, e.Has)
}

// bytesOf returns the memory of a slice.
func bytesOf[E any](s []E) []byte {
	var e E
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(e)))
}

// reserve gives a parameter memory of so many bytes, at least.
func (m *launcher) reserve(name string, bytes int) (gpu.Memory, error) {
	have := m.memory[name]
	if have.size >= bytes {
		return have.at, nil
	}
	if have.size > 0 {
		delete(m.memory, name)
		if err := m.card.Free(have.at); err != nil {
			return 0, err
		}
	}
	bytes = max(bytes, 2*have.size) // launches grow, and giving memory back may wait for all work of the card
	at, err := m.card.Alloc(bytes)
	if err == nil {
		m.memory[name] = memory{at, bytes}
	}
	return at, err
}

// upload gives a parameter its value.
func (m *launcher) upload(name string, value []byte) error {
	at, err := m.reserve(name, len(value))
	if err != nil {
		return err
	}
	return m.stream.Upload(at, value)
}

// Load is [Stepper.Load].
func (m *cudaMachine[T]) Load(rows, lambda []T, s State[T]) error {
	return byCard(m.load(rows, lambda, s))
}

func (m *cudaMachine[T]) load(rows, lambda []T, s State[T]) error {
	m.host = m.host[:0]
	for l := range s.W {
		m.host = append(append(append(m.host, s.W[l]...), s.M[l]...), s.V[l]...)
	}
	for _, p := range []struct {
		name  string
		value []T
	}{{"rows", rows}, {"lambdas", lambda}, {"state", m.host}} {
		if err := m.upload(p.name, bytesOf(p.value)); err != nil {
			return err
		}
	}
	return nil
}

// Steps is [Stepper.Steps].
func (m *cudaMachine[T]) Steps(
	order []int32, updates []Update[T], losses []float64, diverged []int32,
) (time.Duration, error) {
	if len(updates) == 0 {
		return 0, nil
	}
	began := time.Now() //nolint:forbidigo // it sizes launches and changes no result
	err := m.launch(order, updates, losses, diverged, 0)
	return time.Since(began), byCard(err)
}

func (m *cudaMachine[T]) launch(
	order []int32, updates []Update[T], losses []float64, diverged []int32, grads gpu.Memory,
) error {
	settings := make([][8]T, len(updates))
	for i, u := range updates {
		settings[i] = u.numbers()
	}
	return m.launcher.launch(order, bytesOf(settings), losses, diverged, grads, m.graph.Lanes, len(updates))
}

func (m *launcher) launch(
	order []int32, settings []byte, losses []float64, diverged []int32, grads gpu.Memory, lanes, steps int,
) error {
	for _, p := range []struct {
		name  string
		value []byte
	}{{"order", bytesOf(order)}, {"updates", settings}, {"losses", bytesOf(losses)}, {"diverged", bytesOf(diverged)}} {
		if err := m.upload(p.name, p.value); err != nil {
			return err
		}
	}
	args := make([]uint64, len(parameters))
	for i, name := range parameters {
		args[i] = uint64(m.memory[name].at)
	}
	args[7], args[8], args[9] = uint64(grads), uint64(lanes), uint64(steps)
	if err := m.stream.Launch(m.function, m.kernel, lanes, args...); err != nil {
		return err
	}
	if err := m.stream.Download(bytesOf(losses), m.memory["losses"].at); err != nil {
		return err
	}
	return m.stream.Download(bytesOf(diverged), m.memory["diverged"].at)
}

// Store is [Stepper.Store].
func (m *cudaMachine[T]) Store(s State[T]) error {
	if err := m.stream.Download(bytesOf(m.host), m.memory["state"].at); err != nil {
		return byCard(err)
	}
	at := m.host
	for l := range s.W {
		for _, to := range [][]T{s.W[l], s.M[l], s.V[l]} {
			copy(to, at)
			at = at[len(to):]
		}
	}
	return nil
}

// RunAll computes the losses of the minibatch and the gradients of the weights. Other nodes keep their values.
func (m *cudaMachine[T]) RunAll() error {
	g := m.graph
	if err := m.bind(); err != nil {
		return err
	}
	var s State[T]
	total := 0
	for l := range g.weights {
		w := g.Weights(l)
		s.W, s.M, s.V = append(s.W, w), append(s.M, make([]T, len(w))), append(s.V, make([]T, len(w)))
		total += len(w)
	}
	ins, outs := g.Arch.Inputs, g.Arch.Outputs
	rows, order := make([]T, 0, (ins+outs)*g.Batch), make([]int32, g.Batch)
	for b := range order {
		order[b] = int32(b)
		for j := range ins {
			rows = append(rows, g.Input()[j*g.Batch+b])
		}
		for o := range outs {
			rows = append(rows, g.Target()[o*g.Batch+b])
		}
	}
	if err := m.Load(rows, make([]T, g.Lanes), s); err != nil {
		return err
	}
	grads, err := m.reserve("grads", total*int(unsafe.Sizeof(rows[0])))
	if err != nil {
		return err
	}
	losses, diverged := make([]float64, 2*g.Lanes), make([]int32, g.Lanes)
	if err := m.launch(order, []Update[T]{{EndOfEpoch: true}}, losses, diverged, grads); err != nil {
		return err
	}
	all := make([]T, total)
	if err := m.stream.Download(bytesOf(all), grads); err != nil {
		return err
	}
	for l := range g.grads {
		to := Numbers[T](g.grads[l].Value())
		copy(to, all)
		all = all[len(to):]
		g.mse.clearFrozen(to)
	}
	for e := range g.mse.losses {
		g.mse.losses[e] = T(losses[e])
	}
	return gorgonia.UnsafeLet(g.loss, g.mse.total())
}

// bind gives the nodes that RunAll writes to their values, by a run on the processor.
func (m *cudaMachine[T]) bind() error {
	if m.graph.loss.Value() != nil {
		return nil
	}
	flat, err := flatten(m.graph)
	if err != nil {
		return err
	}
	return flat.RunAll()
}

// Reset does nothing, as that of [Machine].
func (m *launcher) Reset() {}

// Close gives the card's memory back.
func (m *launcher) Close() error {
	err := m.stream.Close()
	for name, have := range m.memory {
		if freeErr := m.card.Free(have.at); err == nil {
			err = freeErr
		}
		delete(m.memory, name)
	}
	return err
}
