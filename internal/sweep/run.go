package sweep

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/trainer"
)

// Options are the wiring of a run. Only TimeLimit can change the result, and says so when it did.
type Options struct {
	Workers int            // goroutines; 0: one a processor
	Device  trainer.Device // where graphs run
	Store   *Store         // keeps finished jobs and checkpoints; nil: nothing is kept
	Observe func(Event)    // called from one goroutine at a time; may be nil
	// TimeLimit is when the search ends: no round goes on beyond it, or is begun that would; 0: none. It spares rounds
	// whose networks are in the store already, since a run that goes on keeps what it had, and what takes a second or two
	// in any case: the first round on few rows, and the conclusions from these.
	TimeLimit time.Duration
	Elapsed   func() time.Duration
	// Gate runs every piece of work that takes long, at once or when it is its turn, and returns its
	// error; cost is the number of constants times that of epochs, 0 for work beside training. Runs that
	// go on at the same time share the processors by it. nil: at once.
	Gate func(ctx context.Context, cost float64, work func() error) error
}

// Result is the outcome of a run.
type Result struct {
	Inputs  []string // columns that were learned from, constant ones left out
	Targets []string // columns that were learned, constant ones left out
	Models  []*Model // by id, those below among them. Targets of a model are those above
	// Baseline is the least squares line. Greedy holds the laws that grew without a network; nil where none were searched
	// for.
	Baseline, Greedy *Model
	Chosen           []Choice // one for each target of the task, constant ones too
	// Train and Validation are the rows trained on and held out; Validation is nil when there
	// were too few to hold any out, and cross-validation took its place.
	Train, Validation *datasets.Table
	Warnings          []string
	// Rounds are what was trained, in order, and Ended is why there is no more.
	Rounds []Round
	Ended  Ended
	// Training and Searching are how long networks were trained, and laws searched for and judged; 0
	// without a clock.
	Training, Searching time.Duration
}

// Run trains the grid, searches for laws where the settings ask for it, and selects. When ctx is
// done it returns what there is by then, with ctx's error; with a store the run can be resumed
// and ends with the same bits as if it had not been interrupted. When the store cannot be written to after the first
// round, Run returns what there is by then with the store's error.
func Run(ctx context.Context, t Task, s Settings, opt Options) (*Result, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if t.Data.Rows() == 0 || t.Validation != nil && t.Validation.Rows() == 0 {
		return nil, errors.New("a table to learn from or to validate with has no rows")
	}
	if s.Known != nil {
		return runKnown(ctx, t, s, opt)
	}
	if opt.Device == trainer.CUDA {
		if _, err := trainer.Card(); err != nil {
			return nil, err
		}
	}
	rest, constants, warnings := withoutConstants(t)
	if t.known == nil && len(rest.Targets) > 0 {
		if err := checkRequired(s, t.Inputs, rest.Inputs); err != nil {
			return nil, err
		}
	}
	res := &Result{Inputs: rest.Inputs, Targets: rest.Targets, Train: t.Data, Warnings: warnings}
	var err error
	if len(rest.Targets) > 0 {
		for _, round := range rounds(s, len(rest.Inputs), len(rest.Targets)) {
			if err := round[0].Arch.Validate(); err != nil {
				return nil, err
			}
		}
		p, perr := newProblem(rest, s)
		if perr != nil {
			return nil, perr
		}
		if opt.Device == trainer.CUDA {
			for _, round := range rounds(s, len(rest.Inputs), len(rest.Targets)) {
				if err := fitCard(round, s.Train, p.train.Rows()); err != nil {
					return nil, err
				}
			}
		}
		res.Train, res.Validation = p.withErrorColumns(t), p.validation
		if rows := p.train.Rows(); rows < s.Train.Batch {
			res.Warnings = append(res.Warnings, rowsWarning(rows))
		}
		r := newRunner(p, s, opt)
		err = r.run(ctx, res)
		if r.refused != nil {
			res.Warnings = append(res.Warnings, "the networks were trained on the processor: "+r.refused.Error())
		}
		if res.Models == nil {
			return nil, err
		}
		if lerr := res.checkLimits(s); err == nil && lerr != nil {
			return nil, lerr
		}
		res.withoutBeyond()
		res.forTable(p)
	}
	return withConstants(res, t.Targets, constants), err
}

// runner is the state of one run.
type runner struct {
	ctx      context.Context // of the run, for what judging asks
	problem  *problem
	settings Settings
	opt      Options

	training, searching time.Duration // that rounds took
	searched            time.Duration // the same of searching, in the last round, a network
	concluding          time.Duration // that finishing and judging laws took
	concluded           time.Duration // the same, the last time

	greedy   *Model          // nil until its laws are grown
	assessed bool            // errors of a target are taken to be others since laws were judged
	forms    []*Model        // standard forms
	replaced [][]TargetModel // for each target, laws as they were before they were improved
	tested   []tested        // for each target, the law that was judged last
	ofHalves [][]foundInHalf // for each target, what the search finds in halves of the rows; nil until it is asked
	asked    []int           // for each target, how many of [runner.searches] were asked
	foundBy  []lawSearch     // for each target, which of them the law of greedy is from, if any
	atOnce   []bool          // for each target, whether that law settled when it was found, see [runner.settles]
	bounded  *Model          // the formulas within the limits that were added last
	brief    bool            // there is no time to make laws better, see [runner.beBrief]
	improved float64         // the work of training up to the last time that laws were improved

	refused error // why a GPU did not train what would have been worth it

	busy chan struct{} // has an element for each worker that is at work

	mu                sync.Mutex // guards what follows
	networks, trained int
	work, worked      float64
	best              float64
}

func newRunner(p *problem, s Settings, opt Options) *runner {
	workers := opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return &runner{
		ctx: context.Background(), problem: p, settings: s, opt: opt, best: math.Inf(1), busy: make(chan struct{}, workers),
		replaced: make([][]TargetModel, len(p.targets)), tested: make([]tested, len(p.targets)),
		ofHalves: make([][]foundInHalf, len(p.targets)), asked: make([]int, len(p.targets)),
		foundBy: make([]lawSearch, len(p.targets)), atOnce: make([]bool, len(p.targets)),
	}
}

// run trains round after round: the grid, and then, where a law is searched for, what
// [Settings.Extend] allows, until every formula holds.
func (r *runner) run(ctx context.Context, res *Result) error {
	r.ctx = ctx
	baseline := r.baseline()
	rounds, last := r.grid()
	grid := len(rounds)
	inTime, cancel := context.WithCancel(ctx) // what ends fits
	if !r.little(rounds[0]) {
		inTime, cancel = r.limited(ctx, 0)
	}
	defer cancel()
	r.endFits(inTime)
	var err error
	var trained []*Model
	id, concluded := 0, false
	for i := 0; ; i++ {
		if i >= grid {
			if r.settings.Extend == 0 {
				res.Ended = EndedGrid
				break
			}
			if concluded = r.conclude(ctx, res, trained, baseline, id); !concluded {
				break // for want of time
			}
			if r.settledAll(res) {
				res.Ended = EndedSettled
				break
			}
			if i-grid >= r.settings.Extend {
				res.Ended = EndedRounds
				break
			}
			rounds = append(rounds, extension(r.settings, last, i-grid, id))
			r.expect(rounds[i])
		}
		spared := i == 0 && r.little(rounds[i]) || r.stored(rounds[i])
		if !spared && i > 0 && r.overrun(rounds[i]) {
			res.Ended = EndedByTime
			break
		}
		var models []*Model
		limited, cancel := context.WithCancel(ctx)
		if !spared {
			limited, cancel = r.limited(ctx, r.following(rounds[0]))
		}
		models, err = r.round(limited, rounds[i])
		trained = append(trained, models...)
		concluded = false
		id = max(id, nextID(rounds[i]))
		cancel()
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			res.Ended, err = EndedByTime, nil
			break
		}
		if err != nil && ctx.Err() == nil && len(trained) == 0 {
			return err // there is nothing to show
		}
		if err != nil {
			res.Ended = EndedInterrupted
			break
		}
		res.Rounds = append(res.Rounds, describe(r.settings, rounds[i], models, i >= grid)...)
	}
	if !concluded && !r.conclude(ctx, res, trained, baseline, id) {
		r.beBrief(res, trained)
		r.conclude(ctx, res, trained, baseline, id)
	}
	if r.brief || !r.close(ctx, res, baseline) {
		if res.Ended = EndedByTime; ctx.Err() != nil {
			res.Ended, err = EndedInterrupted, cmp.Or(err, ctx.Err())
		}
	}
	if r.brief {
		r.close(ctx, res, baseline)
	}
	return err
}

// grid returns the rounds of the grid, in the order in which they are trained, and the one that further rounds go on
// from.
func (r *runner) grid() (list [][]Job, last []Job) {
	list = rounds(r.settings, len(r.problem.inputs), len(r.problem.targets))
	if !r.settings.Refine && r.opt.TimeLimit <= 0 {
		list = [][]Job{atOnce(list)}
	}
	last = list[len(list)-1]
	// Of a grid that was begun without a limit any round may be stored. Those come first, so that a limit cuts others.
	place := func(round []Job) int {
		if r.stored(round) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b []Job) int { return place(a) - place(b) })
	for _, round := range list {
		r.expect(round)
	}
	return list, last
}

// expect adds a round to the work that progress is measured against.
func (r *runner) expect(round []Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.networks += len(round)
	r.work += costOf(r.settings, round)
}

// overrun predicts, from what training and searching took so far, whether another round would end
// after the time limit.
func (r *runner) overrun(round []Job) bool {
	if r.opt.TimeLimit <= 0 || r.opt.Elapsed == nil {
		return false
	}
	next := r.training.Seconds()*costOf(r.settings, round)/max(r.worked, 1) + r.searched.Seconds()*float64(len(round))
	return (r.opt.Elapsed()+r.concluded).Seconds()+next > r.opt.TimeLimit.Seconds()
}

// stored reports whether all networks of a round are in the store.
func (r *runner) stored(round []Job) bool {
	_, ok := r.opt.Store.finished(round)
	return ok
}

// nextID returns the id after those of a round.
func nextID(round []Job) int {
	return 1 + slices.MaxFunc(round, func(a, b Job) int { return a.ID - b.ID }).ID
}

// limited returns ctx with what is left of the time limit, less what has to follow.
func (r *runner) limited(ctx context.Context, following time.Duration) (context.Context, context.CancelFunc) {
	if r.opt.TimeLimit <= 0 || r.opt.Elapsed == nil {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, r.opt.TimeLimit-r.opt.Elapsed()-following)
}

// clock returns the time since the run began, 0 without a clock.
func (r *runner) clock() time.Duration {
	if r.opt.Elapsed == nil {
		return 0
	}
	return r.opt.Elapsed()
}

// sameConstants is how far, relatively, constants may differ in two ways of finding one law. It
// is far more than fits on some of the rows differ and far less than two laws of one form do.
const sameConstants = 0.05

// sameLaw reports whether two formulas have one form and nearly the same constants. A factor that is 1 but for
// the arithmetic is none.
func sameLaw(a, b formula.Expr) bool {
	const digits = 12
	a, b = formula.Round(a, digits), formula.Round(b, digits)
	ca, cb := formula.Constants(a), formula.Constants(b)
	if len(ca) != len(cb) {
		return false
	}
	for i := range ca {
		if !(math.Abs(ca[i]-cb[i]) <= sameConstants*math.Max(math.Abs(ca[i]), math.Abs(cb[i]))) {
			return false
		}
	}
	return formula.Equal(a, formula.WithConstants(b, ca))
}

func (r *runner) count(networks int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trained += networks
}

func (r *runner) observeModel(m *Model) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.best = min(r.best, m.Scaled())
	r.tell("searching")
}

func (r *runner) tell(phase string) {
	if r.opt.Observe != nil {
		r.opt.Observe(Event{Networks: r.networks, Done: r.trained, Fraction: min(1, r.worked/r.work),
			Phase: phase, Best: r.best})
	}
}
