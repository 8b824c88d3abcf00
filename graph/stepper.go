package graph

import (
	"time"

	"gorgonia.org/gorgonia"
)

// A Stepper is a machine that makes whole steps of training where its memory is. What it does to a lane has the bits of
// RunAll followed by the solver's update on the processor, with its assembly, step by step.
//
// It keeps rows, λ and state from Load to Store. RunAll computes losses and gradients of the graph's weights as any
// machine does, and forgets what was loaded. A Stepper belongs to one goroutine at a time.
type Stepper[T Float] interface {
	gorgonia.VM
	// Load takes the rows, (rows, inputs+outputs), λ of each lane, and where training stands.
	Load(rows, lambda []T, s State[T]) error
	// Steps makes one step for each update; order holds the rows of their minibatches, one after the other. On entry the
	// first lanes elements of losses are the sums of the losses in the epoch so far. On return losses, (n+1, lanes),
	// has the sums of the n epochs that ended, and those of the epoch after them. A lane whose loss is not finite is
	// frozen, and its element of diverged becomes the number of the step; lanes with elements of at least 0 are left
	// alone, and their losses mean nothing. It returns how long the steps took.
	Steps(order []int32, updates []Update[T], losses []float64, diverged []int32) (time.Duration, error)
	// Store writes the state back.
	Store(s State[T]) error
}

// State is the memory of training: weights and Adam's moments of each layer, (rows, in+1, lanes).
type State[T Float] struct{ W, M, V [][]T }

// Update is what one step of Adam needs besides its rows.
type Update[T Float] struct {
	Rate, Epsilon        T    // α·√(1−β₂ᵗ)/(1−β₁ᵗ) and ε·√(1−β₂ᵗ) of step t
	OneLessB1, OneLessB2 T    // 1−β₁, 1−β₂
	Mask                 T    // weights below it in size become zero and stay; 0: no mask
	Penalty              bool // the L1 penalty is on
	EndOfEpoch           bool // the sums of the losses end with this step
	NoUpdate             bool // only the loss is computed
}

// numbers returns the update as the kernel reads it.
func (u Update[T]) numbers() [8]T {
	n := [8]T{u.Rate, u.Epsilon, u.OneLessB1, u.OneLessB2, u.Mask}
	for i, b := range []bool{u.Penalty, u.EndOfEpoch, u.NoUpdate} {
		if b {
			n[5+i] = 1
		}
	}
	return n
}
