package graph

import (
	"errors"
	"fmt"

	"gorgonia.org/gorgonia"
)

// Device is where a graph runs.
type Device uint8

// The devices. Auto takes the best that this build has.
const (
	Auto Device = iota
	CPU
	CUDA
)

// String returns auto, cpu or cuda.
func (d Device) String() string { return [...]string{"auto", "cpu", "cuda"}[d] }

// MarshalText writes the device's name.
func (d Device) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads auto, cpu or cuda.
func (d *Device) UnmarshalText(text []byte) error {
	for _, c := range []Device{Auto, CPU, CUDA} {
		if c.String() == string(text) {
			*d = c
			return nil
		}
	}
	return fmt.Errorf("unknown device %q (there are auto, cpu, cuda)", text)
}

// ErrNoCUDA is returned for [CUDA] by a build that has no CUDA in it.
var ErrNoCUDA = errors.New("this build of eql has no CUDA in it: build one with make gpu, or use Dockerfile.cuda")

// Machine is a [gorgonia.VM] that calls the operations of a graph in order, on the caller's
// goroutine and without allocating. Gorgonia's TapeMachine computes the same numbers from the
// same graph; it hands each run to another thread, which costs more than a step of training.
type Machine struct {
	program []instruction
}

var _ gorgonia.VM = (*Machine)(nil)

type instruction struct {
	op   gorgonia.Op
	in   gorgonia.Nodes
	args []gorgonia.Value
	out  *gorgonia.Node
	last gorgonia.Value // what out holds
}

// Compile returns the machine that runs the graph on a device: for [CUDA] a [Stepper], for all others a [Machine].
func Compile[T Float](g *Graph[T], device Device) (gorgonia.VM, error) {
	if device != CUDA {
		return flatten(g)
	}
	card, err := openedCard()
	if err != nil {
		return nil, err
	}
	return compileCUDA(g, card)
}

// flatten returns the machine that runs the graph on the processor.
func flatten[T Float](g *Graph[T]) (*Machine, error) {
	building.Lock()
	defer building.Unlock()
	sorted, err := gorgonia.Sort(g.expr)
	if err != nil {
		return nil, fmt.Errorf("sorting the graph: %w", err)
	}
	m := &Machine{}
	for i := len(sorted) - 1; i >= 0; i-- { // Sort puts what is computed last first
		n := sorted[i]
		in := children(g.expr, n)
		if n.Op() == nil || len(in) == 0 { // a variable or a constant
			continue
		}
		m.program = append(m.program, instruction{op: n.Op(), in: in, args: make([]gorgonia.Value, len(in)), out: n})
	}
	return m, nil
}

func children(g *gorgonia.ExprGraph, n *gorgonia.Node) (in gorgonia.Nodes) {
	for it := g.From(n.ID()); it.Next(); {
		in = append(in, it.Node().(*gorgonia.Node))
	}
	return in
}

// RunAll computes every node of the graph from the current values of its inputs.
func (m *Machine) RunAll() error {
	for i := range m.program {
		ins := &m.program[i]
		if ins.last == nil { // variables keep their memory, and so do the operations
			for j, n := range ins.in {
				ins.args[j] = n.Value()
			}
		}
		v, err := ins.op.Do(ins.args...)
		if err != nil {
			return fmt.Errorf("%s: %w", ins.op, err)
		}
		if v != ins.last { // operations own their outputs: only the first run comes here
			if err := gorgonia.UnsafeLet(ins.out, v); err != nil {
				return fmt.Errorf("%s: %w", ins.op, err)
			}
			ins.last = v
		}
	}
	return nil
}

// Reset does nothing: a run leaves nothing behind that the next would have to clear.
func (m *Machine) Reset() {}

// Close does nothing: the machine holds memory only.
func (m *Machine) Close() error { return nil }
