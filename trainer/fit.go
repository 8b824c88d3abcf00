package trainer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gorgonia.org/gorgonia"

	"github.com/eqlearner/eql/graph"
	"github.com/eqlearner/eql/model"
)

// Data is a training set in scaled units, column-major: X[j][i] is input j of row i, Y[o][i] its
// output o.
type Data struct {
	X, Y [][]float64
}

// Rows returns the number of rows.
func (d Data) Rows() int {
	if len(d.Y) == 0 {
		return 0
	}
	return len(d.Y[0])
}

// A Lane is one network to train: where it starts and its λ.
type Lane struct {
	Start  *model.Network
	Lambda float64
}

// An Event tells an observer where training stands, at the end of each epoch.
type Event struct {
	Phase         string
	Epoch, Epochs int
	// Losses holds each lane's mean squared error over the epoch's minibatches, NaN for a
	// frozen lane. It is valid until the observer returns.
	Losses []float64
	// Checkpoint returns the state of training; it costs a copy of all weights and moments. It is nil but at the epochs
	// that [Options].CheckpointEvery says.
	Checkpoint func() *Checkpoint
}

// Options are the wiring of a run; none of it changes the result.
type Options struct {
	Device  Device
	Observe func(Event) // may be nil
	Resume  *Checkpoint // go on from here instead of from the start
	Score   Data        // rows to compare the trained networks on; may have none
	// CheckpointEvery is the number of epochs after which an event offers a checkpoint, beside the last of all; 0: only
	// that. On a GPU no launch goes on beyond such an epoch.
	CheckpointEvery int
}

// Result is what training ends with.
type Result struct {
	Networks []*model.Network
	// Diverged holds, for each lane, what stopped it; nil for those that trained to the end.
	Diverged []*DivergedError
	// Scores holds each lane's mean squared error over the rows of [Options].Score and the outputs,
	// +Inf for a lane that diverged; nil without such rows.
	Scores []float64
	// Checkpoint is set when training was cancelled: resuming from it ends with the same bits.
	Checkpoint *Checkpoint
}

// A DivergedError says when a lane's loss stopped being a finite number. The lane is frozen
// there and the others go on.
type DivergedError struct {
	Epoch int    `json:"epoch"`
	Phase string `json:"phase"`
}

// Error returns where it happened and what helps.
func (e *DivergedError) Error() string {
	return fmt.Sprintf("training diverged in epoch %d (phase %s); a lower learning rate helps", e.Epoch+1, e.Phase)
}

// Fit trains all lanes, which must have one architecture, on the same minibatches, and returns
// when the schedule has ended or ctx is done; then the result holds a checkpoint and the error
// is ctx's. The number of lanes must be a multiple of [MinLanes]; it does not change what
// happens in a lane.
func Fit(ctx context.Context, lanes []Lane, data Data, c Config, opt Options) (*Result, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if data.Rows() == 0 {
		return nil, fmt.Errorf("there are no rows to train on")
	}
	if c.DType == Float64 {
		return fit[float64](ctx, lanes, data, c, opt)
	}
	return fit[float32](ctx, lanes, data, c, opt)
}

// run is the state of one call of Fit.
type run[T graph.Float] struct {
	config Config
	opt    Options
	lanes  []Lane
	graph  *graph.Graph[T]
	vm     gorgonia.VM
	model  []gorgonia.ValueGrad
	adam   *Adam[T]

	x, y     []T // the training set, row-major
	order    []int32
	steps    int // a epoch
	diverged []*DivergedError
	losses   []float64 // summed over the epoch
}

func fit[T graph.Float](ctx context.Context, lanes []Lane, data Data, c Config, opt Options) (res *Result, err error) {
	r, err := newRun[T](lanes, data, c, opt)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closeErr := r.vm.Close(); err == nil && closeErr != nil {
			res, err = nil, closeErr
		}
	}()
	train, score := r.train, r.score
	if s, ok := r.vm.(graph.Stepper[T]); ok {
		card := &onCard[T]{run: r, stepper: s}
		train, score = card.train, card.score
	}
	if err := train(ctx); err != nil {
		if ctx.Err() == nil || !errors.Is(err, ctx.Err()) { // of a card, whose state is lost
			return nil, err
		}
		res := r.result()
		res.Checkpoint = r.checkpoint()
		return res, err
	}
	res = r.result()
	if opt.Score.Rows() > 0 {
		if res.Scores, err = score(opt.Score); err != nil {
			return nil, err
		}
	}
	return res, nil
}

func newRun[T graph.Float](lanes []Lane, data Data, c Config, opt Options) (*run[T], error) {
	a := lanes[0].Start.Arch
	batch := min(c.Batch, data.Rows())
	g, err := graph.Build[T](a, batch, len(lanes))
	if err != nil {
		return nil, err
	}
	vm, err := graph.Compile(g, opt.Device)
	if err != nil {
		return nil, err
	}
	lambda := make([]float64, len(lanes))
	for e, lane := range lanes {
		g.SetNetwork(e, lane.Start)
		lambda[e] = lane.Lambda
	}
	steps := data.Rows() / batch
	r := &run[T]{
		config: c, opt: opt, lanes: lanes, graph: g, vm: vm, model: g.Model(),
		adam: NewAdam[T](c, lambda, c.Epochs*steps),
		x:    rowMajor[T](data.X), y: rowMajor[T](data.Y),
		order: make([]int32, data.Rows()), steps: steps,
		diverged: make([]*DivergedError, len(lanes)),
		losses:   make([]float64, len(lanes)),
	}
	r.adam.allocate(r.model)
	if opt.Resume != nil {
		if err := r.restore(opt.Resume); err != nil {
			return nil, errors.Join(err, vm.Close())
		}
	}
	return r, nil
}

func rowMajor[T graph.Float](cols [][]float64) []T {
	rows := make([]T, len(cols)*len(cols[0]))
	for j, col := range cols {
		for i, v := range col {
			rows[i*len(cols)+j] = T(v)
		}
	}
	return rows
}

// checkEvery is how many steps pass between two looks at the context.
const checkEvery = 256

// train makes all steps that are left.
func (r *run[T]) train(ctx context.Context) error {
	for r.adam.t < r.adam.total {
		if err := r.epoch(ctx); err != nil {
			return err
		}
	}
	return nil
}

// epoch runs to the end of the epoch that the next step is in.
func (r *run[T]) epoch(ctx context.Context) error {
	epoch := r.adam.t / r.steps
	r.shuffle(r.order, epoch)
	first := r.adam.t % r.steps
	if first == 0 {
		clear(r.losses)
	}
	for i := first; i < r.steps; i++ {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.fill(r.order[i*r.graph.Batch : (i+1)*r.graph.Batch])
		if err := r.step(); err != nil {
			return err
		}
	}
	r.observe(epoch, r.losses)
	return nil
}

// observe tells the observer of an epoch that has ended, whose losses it averages.
func (r *run[T]) observe(epoch int, losses []float64) {
	if r.opt.Observe == nil {
		return
	}
	for e := range losses {
		losses[e] /= float64(r.steps)
		if d := r.diverged[e]; d != nil && d.Epoch <= epoch {
			losses[e] = math.NaN()
		}
	}
	phase := r.config.Schedule.At((epoch+1)*r.steps-1, r.adam.total)
	event := Event{Phase: phase.Name, Epoch: epoch + 1, Epochs: r.config.Epochs, Losses: losses}
	if r.offers(epoch + 1) {
		event.Checkpoint = r.checkpoint
	}
	r.opt.Observe(event)
}

// offers tells whether the event at the end of an epoch, counted from one, offers a checkpoint.
func (r *run[T]) offers(epoch int) bool {
	return epoch == r.config.Epochs || r.opt.CheckpointEvery > 0 && epoch%r.opt.CheckpointEvery == 0
}

// shuffle draws the order of the rows in an epoch. It depends on the seed and the epoch alone,
// so all lanes and groups see the same order, and resuming needs no state.
func (r *run[T]) shuffle(order []int32, epoch int) {
	for i := range order {
		order[i] = int32(i)
	}
	rng := rand.New(rand.NewPCG(r.config.Seed, orderStream+uint64(epoch)))
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
}

// orderStream separates the streams of the row orders from those of other purposes.
const orderStream = 1 << 40

// fill copies the given rows into the graph's minibatch.
func (r *run[T]) fill(rows []int32) {
	gather(r.graph.Input(), r.x, rows)
	gather(r.graph.Target(), r.y, rows)
}

// gather writes rows of a row-major table as columns: dst[j,b] = src[rows[b],j].
func gather[T graph.Float](dst, src []T, rows []int32) {
	batch := len(rows)
	cols := len(dst) / batch
	for b, row := range rows {
		for j, v := range src[int(row)*cols : (int(row)+1)*cols] {
			dst[j*batch+b] = v
		}
	}
}

// step computes the losses and gradients of the minibatch and updates all lanes. A lane that
// diverges is frozen before its gradient can enter the moments, and the gradients are computed
// anew without it.
func (r *run[T]) step() error {
	for again := true; again; {
		if err := r.vm.RunAll(); err != nil {
			return err
		}
		again = r.freezeDiverged()
	}
	for e, loss := range r.graph.Losses() {
		r.losses[e] += float64(loss)
	}
	return r.adam.Step(r.model)
}

func (r *run[T]) freezeDiverged() (froze bool) {
	for e, loss := range r.graph.Losses() {
		if loss-loss == 0 || r.diverged[e] != nil { // x−x is 0 for finite x only
			continue
		}
		r.freeze(e, &DivergedError{Epoch: r.adam.t / r.steps, Phase: r.adam.Phase().Name})
		froze = true
	}
	return froze
}

func (r *run[T]) freeze(lane int, why *DivergedError) {
	r.diverged[lane] = why
	r.graph.Freeze(lane)
	r.adam.freeze(lane)
}

// score returns the mean squared error of each lane on rows that need not be those of training.
// The last minibatch is filled up with the first rows.
func (r *run[T]) score(d Data) ([]float64, error) {
	x, y := rowMajor[T](d.X), rowMajor[T](d.Y)
	batch := make([]int32, r.graph.Batch)
	scores := make([]float64, len(r.lanes))
	batches := r.scoreBatches(d)
	for i := range batches {
		for b := range batch {
			batch[b] = int32((i*len(batch) + b) % d.Rows())
		}
		gather(r.graph.Input(), x, batch)
		gather(r.graph.Target(), y, batch)
		if err := r.vm.RunAll(); err != nil {
			return nil, err
		}
		for e, loss := range r.graph.Losses() {
			scores[e] += float64(loss) / float64(batches)
		}
	}
	r.infinite(scores)
	return scores, nil
}

// scoreBatches returns how many minibatches it takes to score rows.
func (r *run[T]) scoreBatches(d Data) int { return (d.Rows() + r.graph.Batch - 1) / r.graph.Batch }

// infinite is the score of lanes that diverged, or whose error is NaN.
func (r *run[T]) infinite(scores []float64) {
	for e, s := range scores {
		if r.diverged[e] != nil || math.IsNaN(s) {
			scores[e] = math.Inf(1)
		}
	}
}

func (r *run[T]) result() *Result {
	res := &Result{Diverged: r.diverged}
	for e, lane := range r.lanes {
		n := lane.Start.Clone()
		r.graph.Network(e, n)
		res.Networks = append(res.Networks, n)
	}
	return res
}
