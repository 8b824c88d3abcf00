// Package graph expresses equation learner networks as a Gorgonia computation graph and runs it.
//
// In the flow it turns a [model.Arch] into losses and gradients; package trainer drives it.
// [Build] makes the expression graph and its symbolic gradients, [Compile] a machine that runs
// it. A graph holds many networks of one architecture, its lanes: every tensor has them as the
// innermost axis, so one operation serves all of them and each loop runs over contiguous
// numbers.
//
//	weights (rows, in+1, lanes), bias last    activations (units, batch, lanes)
//	minibatch (inputs, batch)                 targets (outputs, batch)
//
// A layer is a chain of three custom operations, each in a file of its own with its mathematics
// and its backward operation: affine.go, unary.go, mulunit.go; the loss is mse.go. It is a chain
// because Gorgonia would add the gradients of two operations that read one node, with an operation
// that allocates.
//
// A run gives the same bits every time, and a lane's numbers do not depend on the other lanes
// or on how many there are. A graph and its machine belong to one goroutine at a time; any
// number of graphs may be built and run in parallel.
//
// On a GPU one block of threads trains a lane: [Compile] with [CUDA] writes a kernel from the same operations, each of
// which writes its part (ptx.go, update.go, kernel.go), and returns a [Stepper], which makes whole steps of training
// there. It has the bits of the assembly on the processor.
//
// Functions return an error for an impossible architecture and for a device that this build does not support.
//
// Source: Martius and Lampert, Extrapolation and learning equations, arXiv:1610.02995.
package graph
