package sweep

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/eqlearner/eql/trainer"
)

// device returns where the networks of a round are trained. Auto takes the processor unless there is a GPU that takes
// the networks and the processor would need longer than worthCard; the results are the same. Networks of a further
// round that do not fit the GPU go to the processor whatever was asked for; those of the grid were refused before.
func (r *runner) device(jobs []Job) trainer.Device {
	switch {
	case r.opt.Device == trainer.CPU, r.opt.Device == trainer.Auto && r.processorSeconds(jobs) < worthCard:
		return trainer.CPU
	}
	err := fitCard(jobs, r.settings.Train, r.problem.train.Rows())
	var large *trainer.TooLargeError
	switch {
	case err == nil, r.opt.Device == trainer.CUDA && !errors.As(err, &large): // for Fit to fail
		return trainer.CUDA
	case !errors.Is(err, trainer.ErrNoCUDA):
		r.refused = err
	}
	return trainer.CPU
}

// fitCard returns why the GPU does not train some networks on so many rows, or nil.
func fitCard(jobs []Job, c trainer.Config, rows int) error {
	for rest := jobs; len(rest) > 0; rest = rest[sameArch(rest):] {
		if err := trainer.FitsCard(c.DType, rest[0].Arch, min(c.Batch, rows)); err != nil {
			return err
		}
	}
	return nil
}

const (
	// worthCard is how many seconds of the processor's make a GPU worth its start: ten times as many as its driver takes
	// to compile a kernel.
	worthCard = 10.0
	// sumsPerSecond is about how many multiply-adds a core of a processor with AVX2 makes in training.
	sumsPerSecond = 2e10
	// sumsOfWeight is how many multiply-adds a weight takes a sample: forward, and backward to the layer below and to the
	// weight.
	sumsOfWeight = 3
)

// processorSeconds estimates how long the workers would train networks.
func (r *runner) processorSeconds(jobs []Job) float64 {
	rows := float64(r.problem.train.Rows())
	one := costOf(r.settings, jobs) * rows * sumsOfWeight / sumsPerSecond
	return one / float64(min(cap(r.busy), runtime.GOMAXPROCS(0)))
}

// groups cuts jobs into those that one call of [trainer.Fit] trains: of one architecture, with consecutive ids, which
// name a group's checkpoint, and as many as the device trains fastest.
func (r *runner) groups(jobs []Job, device trainer.Device) (groups [][]Job) {
	for len(jobs) > 0 {
		n, same := 1, sameArch(jobs)
		for n < same && jobs[n].ID == jobs[n-1].ID+1 {
			n++
		}
		lanes := trainer.Lanes(r.settings.Train.DType, device, jobs[0].Arch)
		groups = slices.AppendSeq(groups, slices.Chunk(jobs[:n], lanes))
		jobs = jobs[n:]
	}
	return groups
}

// fitsOnCard is how many groups are trained on a GPU at the same time: enough that one computes while others begin or
// end.
const fitsOnCard = 8

// onDevice calls f for 0 … n−1, each a call of [trainer.Fit] on a device: on all workers, or, where a GPU does the
// work, in goroutines of their own, so that the workers are free.
func (r *runner) onDevice(
	ctx context.Context, device trainer.Device, n int, f func(ctx context.Context, i int) error,
) error {
	if device != trainer.CUDA {
		return r.parallel(ctx, n, f)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	place := make(chan struct{}, fitsOnCard)
	for i := range n {
		place <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-place }()
			if err := f(ctx, i); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}
