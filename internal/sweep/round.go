package sweep

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eqlearner/eql/trainer"
)

// round trains networks in groups of one architecture, one lane each, and then examines all of
// them. What a group holds does not depend on the number of workers. When ctx is done it
// returns those that were examined by then.
func (r *runner) round(ctx context.Context, jobs []Job) ([]*Model, error) {
	began := r.clock()
	device := r.device(jobs)
	var greedy *Model
	var tasks []func() // the longest first, so that no core waits for them at the end
	if r.settings.Refine && r.greedy == nil {
		greedy, tasks = r.greedyModel(ctx)
		if r.settings.Outliers != "" || r.settings.Errors != "" { // networks train without outliers
			err := r.tasks(ctx, tasks)
			r.greedy = greedy // as far as it came
			if err != nil {
				return nil, err
			}
			tasks = nil
		}
	}
	var beside sync.WaitGroup
	var xerr error
	besideCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	if device == trainer.CUDA { // the workers have nothing else to do
		growing := tasks
		tasks = nil
		beside.Go(func() { xerr = r.tasks(besideCtx, growing) })
	}
	models, err := r.trainAll(ctx, jobs, device)
	if err != nil {
		cancel() // what the error throws away
	}
	beside.Wait()
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	r.training += r.clock() - began
	began = r.clock()
	bar := r.problem.promising(models)
	examined := make([]bool, len(models))
	for i, m := range models {
		tasks = append(tasks, func() {
			r.problem.examine(m, r.settings, bar)
			examined[i] = true
			r.observeModel(m)
		})
	}
	xerr = cmp.Or(xerr, r.tasks(ctx, tasks))
	if xerr == nil {
		r.greedy = cmp.Or(r.greedy, greedy)
	}
	if err == nil {
		err = xerr
	}
	took := r.clock() - began
	r.searching += took
	r.searched = took / time.Duration(max(len(models), 1))
	done := models[:0]
	for i, m := range models {
		if examined[i] {
			done = append(done, m)
		}
	}
	return done, err
}

// tasks does work beside training on all workers.
func (r *runner) tasks(ctx context.Context, tasks []func()) error {
	return r.parallel(ctx, len(tasks), func(ctx context.Context, i int) error {
		return r.gated(ctx, 0, func() error {
			tasks[i]()
			return nil
		})
	})
}

// trainAll returns the trained networks of a round, from the store those that it has; after an error those that were
// trained by then.
func (r *runner) trainAll(ctx context.Context, jobs []Job, device trainer.Device) ([]*Model, error) {
	models := map[int]*Model{} // by id
	var missing []Job
	for block := range slices.Chunk(jobs, trainer.MinLanes) { // of which a crash can have stored a part
		stored, ok := r.opt.Store.finished(block)
		if !ok {
			missing = append(missing, block...)
		}
		for _, m := range stored {
			models[m.ID] = m
		}
	}
	if len(models) > 0 {
		r.progress(cost(jobs)-cost(missing), "")
		r.count(len(models))
	}
	err := r.trainMissing(ctx, jobs, missing, device, models)
	trained := make([]*Model, 0, len(jobs))
	for _, j := range jobs {
		if m := models[j.ID]; m != nil {
			trained = append(trained, m)
		}
	}
	return trained, err
}

// trainMissing trains the jobs of a round that the store does not have and puts them into models.
func (r *runner) trainMissing(
	ctx context.Context, jobs, missing []Job, device trainer.Device, models map[int]*Model,
) error {
	if len(missing) == 0 {
		r.progress(costOf(r.settings, jobs)-cost(jobs), "")
		return r.opt.Store.forgetStarts() // of a run that was interrupted just before
	}
	starts, err := r.starts(ctx, jobs, device)
	if err != nil {
		return err
	}
	of := map[int]start{}
	for i, j := range jobs {
		of[j.ID] = starts[i]
	}
	var mu sync.Mutex // guards models
	groups := r.groups(missing, device)
	err = r.onDevice(ctx, device, len(groups), func(ctx context.Context, i int) error {
		return r.gatedOn(ctx, device, cost(groups[i]), func() error {
			trained, err := r.train(ctx, groups[i], of, device)
			mu.Lock()
			defer mu.Unlock()
			for _, m := range trained {
				models[m.ID] = m
			}
			return err
		})
	})
	if err == nil {
		err = r.opt.Store.forgetStarts()
	}
	return err
}

// train trains a group from its starts to the end and stores it.
func (r *runner) train(
	ctx context.Context, group []Job, starts map[int]start, device trainer.Device,
) ([]*Model, error) {
	t := training{name: checkpointName(group), config: r.config(group[0]), work: cost(group), device: device}
	for _, j := range group {
		t.lanes = append(t.lanes, trainer.Lane{Start: starts[j.ID].network, Lambda: j.Lambda})
	}
	res, loss, err := r.fit(ctx, t)
	if err != nil {
		return nil, err
	}
	models := make([]*Model, len(group))
	for i, j := range group {
		j.Start = starts[j.ID].id
		if device == trainer.CUDA {
			j.Device = device
		}
		models[i] = &Model{Job: j, Network: res.Networks[i], Loss: loss[i], Diverged: res.Diverged[i]}
	}
	r.count(len(group))
	return models, r.opt.Store.append(models)
}

// training is a call of [trainer.Fit] whose state is kept.
type training struct {
	name   string // of its checkpoint
	lanes  []trainer.Lane
	config trainer.Config
	device trainer.Device
	work   float64 // that it adds to the work done
	score  trainer.Data
	keep   bool // the state at the end too
}

// fit trains from the checkpoint, if there is one. When ctx is done it leaves one.
func (r *runner) fit(ctx context.Context, t training) (*trainer.Result, curves, error) {
	var saveErr error
	save := func(c *trainer.Checkpoint, loss curves) {
		if saveErr == nil {
			saveErr = r.opt.Store.saveCheckpoint(t.name, c, loss)
		}
	}
	every := max(checkpointEpochs, t.config.Epochs/50)
	last := 0.0
	resume, loss := r.opt.Store.checkpoint(t.name, len(t.lanes))
	if resume != nil && resume.Total > 0 { // what an earlier process has done says nothing of the pace of this one
		last = float64(resume.Step) / float64(resume.Total)
		r.progress(last*t.work, "")
	}
	res, err := trainer.Fit(ctx, t.lanes, r.problem.trainRows(r.settings), t.config, trainer.Options{
		Device: t.device,
		Resume: resume,
		Score:  t.score,

		CheckpointEvery: every,
		Observe: func(e trainer.Event) {
			now := float64(e.Epoch) / float64(e.Epochs)
			r.progress((now-last)*t.work, e.Phase)
			last = now
			loss.add(e)
			atEnd := e.Epoch == e.Epochs && t.keep && e.Epochs >= checkpointEpochs
			if atEnd || e.Epoch%every == 0 && e.Epoch < e.Epochs {
				save(e.Checkpoint(), loss)
			}
		},
	})
	if err != nil && res != nil && res.Checkpoint != nil {
		save(res.Checkpoint, loss)
	}
	return res, loss, cmp.Or(saveErr, err)
}

// config returns how the networks of a job's group are trained to the end.
func (r *runner) config(j Job) trainer.Config {
	c := r.settings.Train
	c.Epochs, c.Seed = j.Epochs, r.settings.Seed
	c.HoldZeros = c.HoldZeros || j.Removed > 0
	return c
}

// checkpointEpochs is the least number of epochs between two checkpoints of a group. Shorter
// training is begun anew after a crash; an interruption saves the state of what is in training in
// any case.
const checkpointEpochs = 200

// gated runs a piece of work through the gate.
func (r *runner) gated(ctx context.Context, cost float64, work func() error) error {
	if r.opt.Gate == nil {
		return work()
	}
	return r.opt.Gate(ctx, cost, work)
}

// gatedOn is gated, but for work that a GPU does: the gate shares the processors.
func (r *runner) gatedOn(ctx context.Context, device trainer.Device, cost float64, work func() error) error {
	if device == trainer.CUDA {
		return work()
	}
	return r.gated(ctx, cost, work)
}

// parallel calls f for 0 … n−1 on all workers and returns the first error, after which it begins
// nothing new.
func (r *runner) parallel(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(cap(r.busy), n) {
		wg.Go(func() {
			r.busy <- struct{}{}
			defer func() { <-r.busy }()
			for i := range next {
				if err := f(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}

// all calls f for 0 … n−1 on all workers.
func (r *runner) all(n int, f func(i int)) {
	r.parallel(context.Background(), n, func(_ context.Context, i int) error { //nolint:errcheck // f cannot fail
		f(i)
		return nil
	})
}

// spread calls f for 0 … n−1 in this goroutine, and in those of workers that have nothing to do: a task
// that takes longer than all others is shared at its end.
func (r *runner) spread(n int, f func(i int)) {
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	}
	var wg sync.WaitGroup
	for range n - 1 {
		select {
		case r.busy <- struct{}{}:
			wg.Go(func() {
				defer func() { <-r.busy }()
				work()
			})
		default: // all are busy
		}
	}
	work()
	wg.Wait()
}

// cost is the work of training networks to the end, in updates of a constant in one epoch.
func cost(jobs []Job) float64 {
	c := 0.0
	for _, j := range jobs {
		c += float64(j.Arch.Params()) * float64(j.Epochs)
	}
	return c
}

// costOf is the work of a round, the choice of its starts included.
func costOf(s Settings, round []Job) float64 { return (1 + s.Halving.Work()) * cost(round) }

// progress adds to the work done and tells the observer.
func (r *runner) progress(work float64, phase string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.worked += work
	r.tell(phase)
}
