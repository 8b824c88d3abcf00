package trainer

import (
	"github.com/eqlearner/eql/graph"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
)

// Device is where training runs; see [graph.Device].
type Device = graph.Device

// A TooLargeError says that networks of an architecture do not fit a GPU.
type TooLargeError = graph.TooLargeError

// A CardError reports that a GPU failed while it trained. What was finished before is valid.
type CardError = graph.CardError

// ErrNoCUDA is returned for CUDA by a build without it.
var ErrNoCUDA = graph.ErrNoCUDA

// The devices. For Fit, Auto is the processor.
const (
	Auto = graph.Auto
	CPU  = graph.CPU
	CUDA = graph.CUDA
)

// Card returns the name of the GPU that CUDA is, or why there is none, which is graph's ErrNoCUDA in a build without
// it.
func Card() (name string, err error) {
	c, err := graph.CUDACard()
	return c.Name, err
}

// FitsCard compiles the GPU's kernel for networks of an architecture and returns nil if the GPU can train them. The
// error is a [*TooLargeError] for networks that do not fit.
func FitsCard(d DType, a model.Arch, batch int) error {
	var err error
	if d == Float64 {
		_, err = graph.Capacity[float64](a, batch)
	} else {
		_, err = graph.Capacity[float32](a, batch)
	}
	return err
}

// Lanes returns the number of lanes with which a device trains networks of an architecture fastest: those of one vector
// of the processor, or as many as fit into the cache of a GPU.
func Lanes(d DType, device Device, a model.Arch) int {
	bytes, lanes := 4, kernel.Lanes[float32]()
	if d == Float64 {
		bytes, lanes = 8, kernel.Lanes[float64]()
	}
	if device != CUDA {
		return lanes
	}
	weights := 0
	for l := range len(a.Hidden) + 1 {
		weights += a.Rows(l) * (a.In(l) + 1)
	}
	fit := maxStateOnCard / (3 * weights * bytes) / MaxVector * MaxVector
	return max(MaxVector, min(fit, maxLanesOnCard))
}

// MinLanes is the fewest lanes that are trained together; their number must be a multiple of it. MaxVector is the
// number of lanes of the widest vector: groups of a multiple suit any device.
const (
	MinLanes  = kernel.Block
	MaxVector = 16
)

const (
	maxStateOnCard = 32 << 20 // bytes of weights and moments, of which the cache of a large card holds more
	maxLanesOnCard = 4096
)
