package graph

import (
	"sync"

	"github.com/eqlearner/eql/internal/gpu"
)

// CardInfo describes the GPU that [CUDA] is.
type CardInfo struct {
	Name       string
	Driver     string // the CUDA version of the driver, like "12.8"
	Compute    int    // compute capability, 90 for 9.0
	Memory     int64  // bytes
	Processors int    // streaming multiprocessors
}

// CUDACard describes the GPU, or says why there is none, which is [ErrNoCUDA] for a build that has no CUDA in it.
func CUDACard() (CardInfo, error) {
	c, err := openedCard()
	if err != nil {
		return CardInfo{}, err
	}
	i := c.Info()
	return CardInfo{i.Name, i.Driver, i.Compute, i.Memory, i.Processors}, nil
}

// MissingCUDA says why there is no GPU to train on, which is [ErrNoCUDA] for a build that has no CUDA in it. It returns
// nil where there is one, and does not open it, which takes time and memory of the card.
func MissingCUDA() error {
	if gpu.Emulated != nil {
		return nil
	}
	return missingCard()
}

var opened struct {
	sync.Mutex
	card gpu.Card
}

// openedCard opens the card when it is first asked for, and again after that failed.
func openedCard() (gpu.Card, error) {
	if gpu.Emulated != nil {
		return gpu.Emulated, nil
	}
	opened.Lock()
	defer opened.Unlock()
	if opened.card == nil {
		c, err := openCard()
		if err != nil {
			return nil, err
		}
		opened.card = c
	}
	return opened.card, nil
}
