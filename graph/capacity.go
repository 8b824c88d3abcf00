package graph

import (
	"unsafe"

	"github.com/eqlearner/eql/internal/gpu"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
)

// Capacity returns how many networks of an architecture the card trains at the same time, for which it compiles their
// kernel; or why it trains none, which may be a [*TooLargeError].
func Capacity[T Float](a model.Arch, batch int) (int, error) {
	card, err := openedCard()
	if err != nil {
		return 0, err
	}
	k, err := kernelFor[T](a, batch, card.Info())
	if err != nil {
		return 0, err
	}
	_, resident, err := card.Compile(k)
	return resident * card.Info().Processors, err
}

// kernelFor returns the kernel of networks of an architecture, which is the same for any number of them. A graph of
// them runs on the processor once, which binds its nodes.
func kernelFor[T Float](a model.Arch, batch int, card gpu.Info) (gpu.Kernel, error) {
	g, err := Build[T](a, batch, kernel.Block)
	if err != nil {
		return gpu.Kernel{}, err
	}
	flat, err := flatten(g)
	if err != nil {
		return gpu.Kernel{}, err
	}
	if err := flat.RunAll(); err != nil {
		return gpu.Kernel{}, err
	}
	threads, err := threadsOf(g, card)
	if err != nil {
		return gpu.Kernel{}, err
	}
	k, err := writeKernel(g, flat.program, threads)
	if err == nil && k.Shared > card.Shared {
		err = &TooLargeError{What: "shared memory", Needs: k.Shared, Has: card.Shared, Unit: "bytes"}
	}
	return k, err
}

// threadsOf returns how many threads a block has: the fewest for which the moments of a thread's weights, a tile of
// gradients and what it takes to compute them fit into its registers. Fewer threads have larger tiles, which load less
// for each multiply-add, and leave more networks room on a processor.
func threadsOf[T Float](g *Graph[T], card gpu.Info) (int, error) {
	var zero T
	words := int(unsafe.Sizeof(zero)) / 4
	tooLarge := &TooLargeError{What: "a thread", Unit: "registers"}
	for _, threads := range []int{64, 96, 128, 192, 256, 384, 512} {
		weights, most := 0, 0
		for l := range g.weights {
			t := tilesOf(g.Arch.Rows(l), g.Arch.In(l)+1, threads)
			n := t.rows * t.cols
			weights += n
			most = max(most, n+(t.rows+1)*4/words)
		}
		needs, has := words*(2*weights+most+settingRegisters)+otherRegisters, min(maxRegisters, card.Registers/threads)
		if needs <= has {
			return threads, nil
		}
		if tooLarge.Needs == 0 || needs-has < tooLarge.Needs-tooLarge.Has {
			tooLarge.Needs, tooLarge.Has = needs, has
		}
	}
	return 0, tooLarge
}

const (
	maxRegisters     = 255 // that a thread can address
	settingRegisters = 24  // for the settings of a step and an update in progress, in numbers
	otherRegisters   = 40  // for addresses
)
