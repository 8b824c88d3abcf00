package paper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/trainer"
)

// Options are the wiring of a run. None of it changes the numbers.
type Options struct {
	Workers int                  // goroutines that compute; 0: one a processor
	Device  trainer.Device       // where networks are trained
	Observe func(sweep.Event)    // told how far the run is, from one goroutine at a time; may be nil
	Elapsed func() time.Duration // since the process began; nil: times are not reported
	CPU     func() time.Duration // time of all cores; nil or 0: not reported
	Build   string               // version of the program
	Machine string               // facts about the machine
}

// Run does what the plan says, or what is left of it, writes the tables into the folder and returns
// them. When ctx is done it returns ctx's error, and what is finished stays in the folder.
func (f *Folder) Run(ctx context.Context, opt Options) (*Result, error) {
	if err := f.build(opt.Build); err != nil {
		return nil, err
	}
	r, err := f.runner(opt, all)
	if err != nil {
		return nil, err
	}
	defer r.finished.close() //nolint:errcheck // every line was synced
	if err := r.work(ctx, func(ctx context.Context, i int) error { return r.parts[i].run(ctx) }); err != nil {
		return nil, err
	}
	return r.result()
}

// all stands for a process that does all that is left, in place of the number of a shard.
const all = -1

// runner opens the journal of a shard, and lists the parts.
func (f *Folder) runner(opt Options, shard int) (*runner, error) {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	r := &runner{folder: f, plan: f.Plan(), opt: opt, pool: newPool(opt.Workers)}
	err := r.prepare()
	if err != nil {
		return nil, err
	}
	if r.finished, err = openFinished(f.dir, shard); err != nil {
		return nil, fmt.Errorf("resuming: %w", err)
	}
	if r.clock, err = openClock(f, opt, shard); err != nil {
		return nil, errors.Join(err, r.finished.close())
	}
	return r, nil
}

// work does the parts, or of each what do does.
func (r *runner) work(ctx context.Context, do func(ctx context.Context, i int) error) error {
	err := each(ctx, len(r.parts), do)
	return cmp.Or(err, r.clock.save())
}

// runner is the state of one call of Run.
type runner struct {
	folder   *Folder
	plan     Plan
	opt      Options
	finished *finished
	pool     *pool
	clock    *clock
	sets     []*prepared
	parts    []*part

	mu sync.Mutex // guards the progress of the parts
}

// CoreSeconds estimates how long one core works on the plan, from times measured with AVX2 kernels:
// good to a factor of two for networks, and a guess for the searches of SVR and quick.
func (p Plan) CoreSeconds() (float64, error) {
	r := &runner{plan: p}
	if err := r.prepare(); err != nil {
		return 0, err
	}
	seconds := 0.0
	for _, part := range r.parts {
		seconds += part.weight
	}
	return seconds, nil
}

// part is a piece of the plan that runs beside the others: a sweep over all its repetitions, or
// one repetition of another method.
type part struct {
	*runner
	set         *prepared
	method      Method
	repetitions []int
	work        func(ctx context.Context, p *part) error
	weight      float64 // estimated seconds of one worker

	networks, trained int     // of a sweep, with those that fill the lanes
	done              float64 // fraction
}

// prepare makes the data and the list of parts, the longest first.
func (r *runner) prepare() error {
	for _, s := range r.plan.Sets {
		p, err := prepare(s, r.plan.Seed)
		if err != nil {
			return fmt.Errorf("data set %s: %w", s.Name, err)
		}
		r.sets = append(r.sets, p)
		for _, m := range r.plan.Methods {
			r.parts = append(r.parts, r.partsOf(p, m)...)
		}
	}
	slices.SortStableFunc(r.parts, func(a, b *part) int { return cmp.Compare(b.weight, a.weight) })
	return nil
}

// partsOf returns the parts of a method on a data set, none where it is not tried.
func (r *runner) partsOf(p *prepared, m Method) []*part {
	all := make([]int, r.plan.Repetitions)
	for i := range all {
		all[i] = i
	}
	var parts []*part
	add := func(repetitions []int, weight float64, work func(context.Context, *part) error) {
		one := &part{runner: r, set: p, method: m, repetitions: repetitions, weight: weight, work: work}
		if s := p.plan.sweep(m); s != nil {
			_, padded := s.OfEachArch()
			one.networks = padded * len(s.Layers) * len(s.Width)
		}
		parts = append(parts, one)
	}
	alone := slices.Collect(slices.Chunk(all, 1))
	switch s := p.plan; {
	case s.sweep(m) != nil && s.Resplit:
		for _, one := range alone {
			add(one, p.sweepCost(m), r.trainGrid)
		}
	case s.sweep(m) != nil:
		add(all, p.sweepCost(m), r.trainGrid)
	case m == SVR && s.SVR != nil:
		// A machine has no random start: only another split makes another repetition.
		if !s.Resplit {
			alone = alone[:1]
		}
		for _, one := range alone {
			add(one, p.svrCost(), r.searchSVR)
		}
	case m == Quick && s.Quick != nil:
		for _, one := range alone[:s.Quick.Repetitions] {
			add(one, p.quickCost(), r.fitQuick)
		}
	}
	return parts
}

// run does the work of a part, unless the journal has all of its outcomes.
func (p *part) run(ctx context.Context) error {
	missing := func(i int) bool { _, ok := p.outcome(i); return !ok }
	if !slices.ContainsFunc(p.repetitions, missing) {
		p.progress(1, "")
		return nil
	}
	if err := p.work(ctx, p); err != nil {
		return err
	}
	p.progress(1, string(p.method))
	return nil
}

// key is the name of an outcome in the journal.
func (p *part) key(repetition int) string {
	return fmt.Sprintf("%s/%s/%d", p.set.plan.Name, p.method, repetition)
}

// outcome returns what the journal has of a repetition, and whether it has one of this part.
func (p *part) outcome(repetition int) (o Outcome, ok bool) {
	ok = p.finished.get(p.key(repetition), &o) &&
		o.Set == p.set.plan.Name && o.Method == p.method && o.Repetition == repetition && p.set.fits(o)
	return o, ok
}

// keep puts outcomes, one a repetition, into the journal.
func (p *part) keep(outcomes ...Outcome) error {
	keys := make([]string, len(outcomes))
	values := make([]any, len(outcomes))
	for i, o := range outcomes {
		o.Set, o.Method = p.set.plan.Name, p.method
		keys[i], values[i] = p.key(o.Repetition), o
	}
	return p.finished.put(keys, values...)
}

// do runs a job on a worker and adds its time to that of the part.
func (p *part) do(ctx context.Context, cost float64, job func() error) error {
	return p.pool.do(ctx, cost, func() error {
		began := p.clock.now()
		err := job()
		return cmp.Or(err, p.clock.add(p.set.plan.Name, p.method, p.clock.now()-began))
	})
}

// progress sets the fraction that is done of a part, and tells the observer. An empty phase says
// that it was done before this process began.
func (p *part) progress(done float64, phase string) {
	r := p.runner
	r.mu.Lock()
	defer r.mu.Unlock()
	p.done = done
	if done == 1 {
		p.trained = p.networks
	}
	if r.opt.Observe == nil {
		return
	}
	e := sweep.Event{Best: math.Inf(1)}
	weight, worked := 0.0, 0.0
	for _, q := range r.parts {
		weight += q.weight
		worked += q.weight * q.done
		e.Networks += q.networks
		e.Done += q.trained
	}
	e.Fraction = min(1, worked/weight)
	if phase != "" {
		e.Phase = p.set.plan.Name + " " + phase
	}
	r.opt.Observe(e)
}
