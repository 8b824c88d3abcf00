package trainer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/eqlearner/eql/graph"
	"github.com/eqlearner/eql/internal/gpu"
	"github.com/eqlearner/eql/internal/gpu/emulator"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
)

// useCard makes CUDA the card of this machine or, where there is none, the emulator, which it then returns.
func useCard(t *testing.T) *emulator.Card {
	t.Helper()
	if kernel.Name() == "portable" {
		t.Skip("the portable kernels round otherwise")
	}
	_, err := graph.CUDACard()
	if err == nil {
		return nil
	}
	if os.Getenv("EQL_NEEDS_CARD") != "" {
		t.Fatal(err)
	}
	card := emulator.New(gpu.Info{})
	gpu.Emulated = card
	t.Cleanup(func() { gpu.Emulated = nil })
	return card
}

// seen is what an observer is told, apart from the checkpoint.
type seen struct {
	Phase  string
	Epoch  int
	Losses []float64
	Offer  bool // of a checkpoint
}

// cardCase is a training that both devices do: 24 epochs of 3 steps through all phases, in which one lane diverges at
// once and another in the ninth epoch or so.
type cardCase struct {
	lanes  []Lane
	data   Data
	config Config
}

func newCardCase(d DType) cardCase {
	a := model.Uniform(3, 2, 3, 3, 1, paperUnits)
	c := cardCase{lanes: randomLanes(a, 4, 0.002), data: linearData(70), config: shortConfig(24)}
	c.data = Data{X: [][]float64{c.data.X[0], c.data.X[0], c.data.Y[0]}, Y: [][]float64{c.data.Y[0], c.data.X[0]}}
	for i := range c.data.Y[1] {
		c.data.X[1][i] = math.Sin(float64(i))
	}
	c.config.DType, c.config.Batch = d, 23
	c.lanes[1].Start.Weights[1].W[0] = math.Inf(1)
	return c
}

// fit trains on a device, until an epoch or, at 0, to the end.
func (c cardCase) fit(t *testing.T, device Device, resume *Checkpoint, until int) (*Result, []seen) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var events []seen
	r, err := Fit(ctx, c.lanes, c.data, c.config, Options{
		Device: device, Resume: resume, Score: c.data, CheckpointEvery: 5,
		Observe: func(e Event) {
			events = append(events, seen{e.Phase, e.Epoch, slices.Clone(e.Losses), e.Checkpoint != nil})
			if e.Epoch == until {
				cancel()
			}
		},
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if until > 0 && r.Checkpoint == nil {
		t.Fatal("training was stopped and left no checkpoint")
	}
	return r, events
}

// sameResult compares networks, scores and what diverged.
func sameResult(t *testing.T, got, want *Result) {
	t.Helper()
	for e := range want.Networks {
		if !reflect.DeepEqual(got.Networks[e].Weights, want.Networks[e].Weights) {
			t.Errorf("lane %d has other weights", e)
		}
	}
	if !reflect.DeepEqual(got.Scores, want.Scores) {
		t.Errorf("scores %v, want %v", got.Scores, want.Scores)
	}
	if !reflect.DeepEqual(got.Diverged, want.Diverged) {
		t.Errorf("diverged %v, want %v", got.Diverged, want.Diverged)
	}
}

// Training on a GPU ends with the bits of the processor, tells the same of each epoch, and goes on from where the other
// stopped, at any place.
func TestFitOnCardEqualsProcessor(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	useCard(t)
	stops := []int{1, 5, 13}
	if testing.Short() {
		stops = stops[2:]
	}
	for _, d := range []DType{Float32, Float64} {
		t.Run(d.String(), func(t *testing.T) {
			c := newCardCase(d)
			want, events := c.fit(t, graph.CPU, nil, 0)
			got, told := c.fit(t, graph.CUDA, nil, 0)
			sameResult(t, got, want)
			if text := fmt.Sprint(told); text != fmt.Sprint(events) { // as text, in which NaN equals NaN
				t.Errorf("events on the card:\n%s\non the processor:\n%v", text, events)
			}
			if want.Diverged[1] == nil || want.Diverged[0] != nil {
				t.Errorf("diverged: %v, want lane 1 and not lane 0", want.Diverged)
			}
			for _, until := range stops {
				for _, order := range [][2]Device{{graph.CUDA, graph.CPU}, {graph.CPU, graph.CUDA}, {graph.CUDA, graph.CUDA}} {
					half, _ := c.fit(t, order[0], nil, until)
					rest, _ := c.fit(t, order[1], half.Checkpoint, 0)
					sameResult(t, rest, want)
				}
			}
		})
	}
}

// A checkpoint within an epoch moves between devices, with the sums of its losses.
func TestCardGoesOnWithinAnEpoch(t *testing.T) {
	useCard(t)
	c := newCardCase(Float32)
	want, events := c.fit(t, graph.CPU, nil, 0)
	r, err := newRun[float32](c.lanes, c.data, c.config, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.shuffle(r.order, 0)
	for i := range 2 { // of three steps
		r.fill(r.order[i*r.graph.Batch : (i+1)*r.graph.Batch])
		if err := r.step(); err != nil {
			t.Fatal(err)
		}
	}
	got, told := c.fit(t, graph.CUDA, r.checkpoint(), 0)
	sameResult(t, got, want)
	if fmt.Sprint(told) != fmt.Sprint(events) {
		t.Errorf("events: %v, want %v", told, events)
	}
}

// How training is cut into launches follows time, and epochs that offer checkpoints, within bounds.
func TestPlan(t *testing.T) {
	c := newCardCase(Float32)
	r, err := newRun[float32](c.lanes, c.data, c.config, Options{CheckpointEvery: 5, Observe: func(Event) {}})
	if err != nil {
		t.Fatal(err)
	}
	card := &onCard[float32]{run: r, steps: 1000}
	at, sizes := r.adam.course, []int(nil)
	for at.t < at.total {
		l := card.plan(at)
		if len(l.order) != len(l.updates)*r.graph.Batch || l.first != at.t {
			t.Fatalf("%d rows for %d steps from %d on", len(l.order), len(l.updates), l.first)
		}
		sizes, at = append(sizes, len(l.updates)), l.after
	}
	if want := []int{15, 15, 15, 15, 12}; !slices.Equal(sizes, want) {
		t.Errorf("launches of %v steps, want %v: to every fifth epoch", sizes, want)
	}
	for _, s := range []struct {
		steps int
		took  time.Duration
		want  int
	}{{16, 0, 128}, {100, launchTime, 100}, {100, launchTime / 2, 200}, {100, launchTime / 1000, 800},
		{100, 10 * launchTime, 10}, {1, time.Hour, 1}} {
		if got := nextSize(s.steps, s.took); got != s.want {
			t.Errorf("after %d steps in %v: %d, want %d", s.steps, s.took, got, s.want)
		}
	}
}

// A card that fails ends training with its error and without a checkpoint, which would be of another state.
func TestCardFails(t *testing.T) {
	card := useCard(t)
	if card == nil {
		t.Skip("needs the emulator")
	}
	failure := errors.New("taken away")
	launches := 0
	card.Fail = func(call string) error {
		if call == "launch" {
			launches++
		}
		if launches > 2 {
			return failure
		}
		return nil
	}
	c := newCardCase(Float32)
	r, err := Fit(context.Background(), c.lanes, c.data, c.config, Options{Device: graph.CUDA})
	if !errors.Is(err, failure) || r != nil {
		t.Errorf("got %v, %v", r, err)
	}
}

// A card that fails when training is being stopped must not leave a checkpoint: its state is that of an earlier launch.
func TestCardFailsWhileStopped(t *testing.T) {
	card := useCard(t)
	if card == nil {
		t.Skip("needs the emulator")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	failure := errors.New("taken away")
	card.Fail = func(call string) error {
		if call == "launch" && card.Launches() >= 2 {
			cancel()
			return failure
		}
		return nil
	}
	c := newCardCase(Float32)
	r, err := Fit(ctx, c.lanes, c.data, c.config, Options{Device: graph.CUDA})
	if !errors.Is(err, failure) || r != nil {
		t.Errorf("got %+v, %v, want no result", r, err)
	}
}

// How training is cut into launches, within epochs too, changes no bit.
func TestCardLaunchSizes(t *testing.T) {
	useCard(t)
	c := newCardCase(Float32)
	want, _ := c.fit(t, graph.CPU, nil, 0)
	sizes := []int{1, 2, 4, 7}
	if testing.Short() {
		sizes = sizes[3:]
	}
	for _, steps := range sizes {
		r, err := newRun[float32](c.lanes, c.data, c.config, Options{Device: graph.CUDA})
		if err != nil {
			t.Fatal(err)
		}
		card := &onCard[float32]{run: r, stepper: r.vm.(graph.Stepper[float32]), steps: steps}
		if err := card.load(r.x, r.y); err != nil {
			t.Fatal(err)
		}
		for at := r.adam.course; at.t < at.total; {
			l := card.plan(at)
			if _, err := card.perform(l); err != nil {
				t.Fatal(err)
			}
			at = l.after
		}
		if err := card.store(nil); err != nil {
			t.Fatal(err)
		}
		for e, n := range r.result().Networks {
			if !reflect.DeepEqual(n.Weights, want.Networks[e].Weights) {
				t.Errorf("launches of %d steps: lane %d has other weights", steps, e)
			}
		}
		if err := r.vm.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestLanesOfDevices(t *testing.T) {
	f1, deep := model.Uniform(4, 1, 2, 10, 10, paperUnits), model.Uniform(4, 1, 4, 10, 10, paperUnits)
	for _, c := range []struct {
		dtype DType
		arch  model.Arch
		want  int
	}{{Float32, f1, 4096}, {Float64, f1, 3968}, {Float32, deep, 432}} {
		if got := Lanes(c.dtype, graph.CUDA, c.arch); got != c.want {
			t.Errorf("%s, %s: %d lanes on a GPU, want %d", c.dtype, c.arch, got, c.want)
		}
		if got := Lanes(c.dtype, graph.CPU, c.arch); got > MaxVector {
			t.Errorf("%d lanes on the processor, want at most %d", got, MaxVector)
		}
	}
}
