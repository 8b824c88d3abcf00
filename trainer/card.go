package trainer

import (
	"context"
	"slices"
	"time"

	"github.com/eqlearner/eql/graph"
)

// onCard trains a run on a GPU, launch by launch. What a launch does is decided beforehand, while the one before runs;
// how training is cut into launches changes no bit.
type onCard[T graph.Float] struct {
	*run[T]
	stepper graph.Stepper[T]
	steps   int // of the next launch
}

const (
	firstLaunch   = 16                    // steps: enough to see how long they take
	launchTime    = 50 * time.Millisecond // that a launch should take: long beside its overhead, short for who waits
	maxLaunch     = 1 << 20               // rows that a launch learns from, which bounds its memory
	maxLosses     = 1 << 20               // losses of epochs that a launch brings back
	fastestGrowth = 8                     // of the steps from launch to launch
)

// launch is a stretch of training.
type launch[T graph.Float] struct {
	first   int // step
	order   []int32
	updates []graph.Update[T]
	ends    int    // epochs that end in it
	after   course // where training stands then
}

// plan decides the next launch from a course: to the end of an epoch that offers a checkpoint, at the latest.
func (c *onCard[T]) plan(from course) launch[T] {
	l := launch[T]{first: from.t, after: from}
	most := max(1, min(c.steps, maxLaunch/c.graph.Batch))
	batch, steps := c.graph.Batch, c.run.steps
	order := make([]int32, len(c.order))
	for shuffled := -1; len(l.updates) < most && l.after.t < from.total; {
		epoch, i := l.after.t/steps, l.after.t%steps
		if epoch != shuffled {
			c.shuffle(order, epoch)
			shuffled = epoch
		}
		u := next[T](&l.after)
		u.EndOfEpoch = i == steps-1
		l.order = append(l.order, order[i*batch:(i+1)*batch]...)
		l.updates = append(l.updates, u)
		if u.EndOfEpoch {
			l.ends++
			if (l.ends+1)*len(c.lanes) > maxLosses {
				break
			}
			if c.opt.Observe != nil && c.offers(epoch+1) {
				break
			}
		}
	}
	return l
}

// train makes all steps that are left. When ctx is done the state is that after the last launch.
func (c *onCard[T]) train(ctx context.Context) error {
	if err := c.load(c.x, c.y); err != nil {
		return err
	}
	c.steps = firstLaunch
	if c.adam.t%c.run.steps == 0 { // not within an epoch: what losses holds is of another
		clear(c.losses)
	}
	l := c.plan(c.adam.course)
	for len(l.updates) > 0 {
		if ctx.Err() != nil {
			return c.store(ctx.Err())
		}
		planned := make(chan launch[T], 1)
		go func(from course) { planned <- c.plan(from) }(l.after)
		took, err := c.perform(l)
		then := <-planned
		if err != nil {
			return err
		}
		c.steps = nextSize(len(l.updates), took)
		l = then
	}
	return c.store(nil)
}

// nextSize returns how many steps a launch should make after one of so many steps.
func nextSize(steps int, took time.Duration) int {
	if took <= 0 {
		return steps * fastestGrowth
	}
	growth := min(float64(launchTime)/float64(took), fastestGrowth)
	return max(1, int(float64(steps)*growth))
}

// load puts rows and the state of training where the machine trains.
func (c *onCard[T]) load(x, y []T) error {
	ins, outs := c.graph.Arch.Inputs, c.graph.Arch.Outputs
	rows := make([]T, 0, len(x)+len(y))
	for i := range len(y) / outs {
		rows = append(append(rows, x[i*ins:(i+1)*ins]...), y[i*outs:(i+1)*outs]...)
	}
	return c.stepper.Load(rows, c.adam.lambda, c.memory())
}

func (c *onCard[T]) memory() graph.State[T] {
	s := graph.State[T]{M: c.adam.m, V: c.adam.v}
	for l := range c.model {
		s.W = append(s.W, c.graph.Weights(l))
	}
	return s
}

// store brings the state back and returns the error given, or that of doing so.
func (c *onCard[T]) store(err error) error {
	if storeErr := c.stepper.Store(c.memory()); storeErr != nil {
		return storeErr
	}
	return err
}

// perform runs a launch, notes the lanes that diverged, and tells of the epochs that ended.
func (c *onCard[T]) perform(l launch[T]) (took time.Duration, err error) {
	losses := append(slices.Clone(c.losses), make([]float64, l.ends*len(c.lanes))...)
	diverged := c.frozen()
	before := slices.Clone(diverged)
	if took, err = c.stepper.Steps(l.order, l.updates, losses, diverged); err != nil {
		return 0, err
	}
	for e, at := range diverged {
		if before[e] < 0 && at >= 0 {
			step := l.first + int(at)
			c.freeze(e, &DivergedError{Epoch: step / c.run.steps, Phase: c.config.Schedule.At(step, c.adam.total).Name})
		}
	}
	c.adam.course = l.after
	copy(c.losses, losses[l.ends*len(c.lanes):])
	for i := range l.ends {
		epoch := l.first/c.run.steps + i
		if i == l.ends-1 && c.opt.Observe != nil && c.offers(epoch+1) {
			if err := c.store(nil); err != nil {
				return 0, err
			}
		}
		c.observe(epoch, losses[i*len(c.lanes):(i+1)*len(c.lanes)])
	}
	return took, nil
}

// frozen returns 0 for each lane that is frozen and −1 for the others.
func (c *onCard[T]) frozen() []int32 {
	f := make([]int32, len(c.lanes))
	for e, d := range c.diverged {
		if d == nil {
			f[e] = -1
		}
	}
	return f
}

// score is that of [run]. Each minibatch is an epoch of its own, so that its losses come back.
func (c *onCard[T]) score(d Data) ([]float64, error) {
	x, y := rowMajor[T](d.X), rowMajor[T](d.Y)
	if err := c.load(x, y); err != nil {
		return nil, err
	}
	lanes, batches := len(c.lanes), c.scoreBatches(d)
	most := max(1, min(maxLaunch/c.graph.Batch, maxLosses/lanes))
	scores := make([]float64, lanes)
	for first := 0; first < batches; first += most {
		n := min(most, batches-first)
		order := make([]int32, 0, n*c.graph.Batch)
		for i := first * c.graph.Batch; i < (first+n)*c.graph.Batch; i++ {
			order = append(order, int32(i%d.Rows()))
		}
		updates := slices.Repeat([]graph.Update[T]{{NoUpdate: true, EndOfEpoch: true}}, n)
		losses := make([]float64, (n+1)*lanes)
		if _, err := c.stepper.Steps(order, updates, losses, c.frozen()); err != nil {
			return nil, err
		}
		for i := range n {
			for e := range scores {
				scores[e] += losses[i*lanes+e] / float64(batches)
			}
		}
	}
	c.infinite(scores)
	return scores, nil
}
