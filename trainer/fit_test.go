package trainer

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/model"
)

// linearData is y = 2·x1 − x2 + 0.5 on random rows.
func linearData(rows int) Data {
	rng := rand.New(rand.NewPCG(3, 4))
	d := Data{X: [][]float64{make([]float64, rows), make([]float64, rows)}, Y: [][]float64{make([]float64, rows)}}
	for i := range rows {
		d.X[0][i], d.X[1][i] = 2*rng.Float64()-1, 2*rng.Float64()-1
		d.Y[0][i] = 2*d.X[0][i] - d.X[1][i] + 0.5
	}
	return d
}

func randomLanes(a model.Arch, n int, lambda float64) []Lane {
	lanes := make([]Lane, n)
	for i := range lanes {
		start := model.New(a)
		start.Init(rand.New(rand.NewPCG(7, uint64(i))))
		lanes[i] = Lane{Start: start, Lambda: lambda}
	}
	return lanes
}

func shortConfig(epochs int) Config {
	c := PaperConfig()
	c.Epochs, c.LearnRate = epochs, 0.01
	return c
}

func mustFit(t *testing.T, lanes []Lane, data Data, c Config, opt Options) *Result {
	t.Helper()
	r, err := Fit(context.Background(), lanes, data, c, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFitLearnsALine(t *testing.T) {
	for _, dtype := range []DType{Float32, Float64} {
		t.Run(dtype.String(), func(t *testing.T) {
			c := shortConfig(60)
			c.DType = dtype
			r := mustFit(t, randomLanes(model.Arch{Inputs: 2, Outputs: 1}, 4, 0.001), linearData(400), c, Options{})
			for lane, n := range r.Networks {
				for i, want := range []float64{2, -1, 0.5} {
					// The data has no noise, so Adam at a constant rate ends within its last steps.
					if got := n.Weights[0].W[i]; !(math.Abs(got-want) < 1e-3) {
						t.Errorf("lane %d: weight %d is %g, want %g", lane, i, got, want)
					}
				}
			}
		})
	}
}

// TestMaskHolds trains wide networks on a line with a strong penalty: in the last phase no weight
// may be small and not zero, many must be zero, and biases are free.
func TestMaskHolds(t *testing.T) {
	a := model.Uniform(2, 1, 2, 2, 2, paperUnits)
	r := mustFit(t, randomLanes(a, 4, 0.01), linearData(400), shortConfig(80), Options{})
	zeros := 0
	for _, n := range r.Networks {
		for _, m := range n.Weights {
			for i := range m.Rows {
				for _, w := range m.Row(i)[:m.Cols] {
					if w == 0 {
						zeros++
					} else if math.Abs(w) < 0.001 {
						t.Errorf("weight %g is below the mask and not zero", w)
					}
				}
			}
		}
	}
	if total := 4 * (a.Rows(0)*a.In(0) + a.In(1)); zeros < total/4 {
		t.Errorf("%d of %d weights are zero; the penalty does nothing", zeros, total)
	}
}

func TestPenaltyIsPerLane(t *testing.T) {
	a := model.Uniform(2, 1, 2, 2, 2, paperUnits)
	lanes := randomLanes(a, 4, 0)
	for i := range lanes {
		lanes[i].Start = lanes[0].Start
	}
	lanes[2].Lambda = 0.03
	r := mustFit(t, lanes, linearData(400), shortConfig(40), Options{})
	if a, b := r.Networks[0].NonZero(), r.Networks[1].NonZero(); a != b {
		t.Errorf("equal lanes end with %d and %d weights", a, b)
	}
	if plain, sparse := r.Networks[0].NonZero(), r.Networks[2].NonZero(); sparse >= plain {
		t.Errorf("λ=0.03 leaves %d weights, λ=0 leaves %d", sparse, plain)
	}
}

// TestResumeGivesTheSameBits interrupts training at arbitrary steps, in every phase, and goes on
// from the checkpoint.
func TestResumeGivesTheSameBits(t *testing.T) {
	a := model.Uniform(2, 1, 2, 1, 1, paperUnits)
	data, c := linearData(90), shortConfig(40)
	want := mustFit(t, randomLanes(a, 4, 0.003), data, c, Options{})
	var opt Options
	var got *Result
	for interruptions := 0; ; interruptions++ {
		ctx, cancel := context.WithCancel(context.Background())
		epochs := 0
		opt.Observe = func(Event) {
			if epochs++; epochs == 7 {
				cancel()
			}
		}
		var err error
		got, err = Fit(ctx, randomLanes(a, 4, 0.003), data, c, opt)
		cancel()
		if err == nil {
			if interruptions < 5 {
				t.Fatalf("%d interruptions, want at least 5", interruptions)
			}
			break
		}
		opt.Resume = got.Checkpoint
	}
	for lane, n := range got.Networks {
		for l, m := range n.Weights {
			for i, w := range m.W {
				if w != want.Networks[lane].Weights[l].W[i] {
					t.Fatalf("lane %d, layer %d, weight %d: %v after resuming, %v without",
						lane, l, i, w, want.Networks[lane].Weights[l].W[i])
				}
			}
		}
	}
}

func TestResumeRefuses(t *testing.T) {
	a := model.Uniform(2, 1, 2, 1, 1, paperUnits)
	data, c := linearData(90), shortConfig(4)
	var last *Checkpoint
	mustFit(t, randomLanes(a, 4, 0), data, c,
		Options{CheckpointEvery: 1, Observe: func(e Event) { last = e.Checkpoint() }})
	for _, tc := range []struct {
		name   string
		damage func(*Checkpoint)
	}{
		{"version", func(c *Checkpoint) { c.Version = 2 }},
		{"architecture", func(c *Checkpoint) { c.Arch = "2-1" }},
		{"precision", func(c *Checkpoint) { c.DType = Float32 }},
		{"length of training", func(c *Checkpoint) { c.Total++ }},
		{"step", func(c *Checkpoint) { c.Step = -1 }},
		{"cut off", func(c *Checkpoint) { c.State = c.State[1:] }},
		{"lanes", func(c *Checkpoint) { c.Diverged = nil }},
	} {
		bad := *last
		tc.damage(&bad)
		if _, err := Fit(context.Background(), randomLanes(a, 4, 0), data, c, Options{Resume: &bad}); err == nil {
			t.Errorf("%s: no error", tc.name)
		}
	}
}

// TestDivergedLaneIsFrozen starts one lane at numbers that overflow: it is reported, and the
// others end with the bits that they have without it.
func TestDivergedLaneIsFrozen(t *testing.T) {
	a := model.Uniform(2, 1, 3, 2, 2, paperUnits)
	c := shortConfig(5)
	c.DType = Float32
	want := mustFit(t, randomLanes(a, 4, 0.001), linearData(100), c, Options{})
	lanes := randomLanes(a, 4, 0.001)
	for _, m := range lanes[1].Start.Weights {
		for i := range m.W {
			m.W[i] *= 1e20
		}
	}
	var lastLoss float64
	got := mustFit(t, lanes, linearData(100), c, Options{Observe: func(e Event) { lastLoss = e.Losses[1] }})
	if got.Diverged[1] == nil || got.Diverged[1].Epoch != 0 || got.Diverged[1].Phase != "free" {
		t.Errorf("lane 1: %v, want divergence in the first epoch", got.Diverged[1])
	}
	if !math.IsNaN(lastLoss) {
		t.Errorf("the loss of a frozen lane is %g, want NaN", lastLoss)
	}
	for _, lane := range []int{0, 2, 3} {
		if got.Diverged[lane] != nil {
			t.Errorf("lane %d: %v", lane, got.Diverged[lane])
		}
		for l, m := range got.Networks[lane].Weights {
			for i, w := range m.W {
				if w != want.Networks[lane].Weights[l].W[i] {
					t.Fatalf("lane %d changed with lane 1", lane)
				}
			}
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	r, err := newRun[float32](randomLanes(model.Uniform(2, 1, 3, 2, 2, paperUnits), 8, 0.001), linearData(100),
		shortConfig(5), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.shuffle(r.order, 0)
	step := func() {
		r.fill(r.order[:r.graph.Batch])
		if err := r.step(); err != nil {
			t.Fatal(err)
		}
	}
	step()
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("a step allocates %v times, want 0", n)
	}
}

func TestScheduleAt(t *testing.T) {
	s := PaperSchedule()
	for _, c := range []struct {
		t    int
		want string
	}{{0, "free"}, {24, "free"}, {25, "penalty"}, {94, "penalty"}, {95, "masked"}, {99, "masked"}} {
		if got := s.At(c.t, 100).Name; got != c.want {
			t.Errorf("step %d of 100 is in phase %q, want %q", c.t, got, c.want)
		}
	}
}

func TestConfigValidate(t *testing.T) {
	if err := PaperConfig().Validate(); err != nil {
		t.Errorf("the paper's configuration: %v", err)
	}
	for _, c := range []struct {
		name   string
		change func(*Config)
	}{
		{"epochs", func(c *Config) { c.Epochs = 0 }},
		{"batch", func(c *Config) { c.Batch = 0 }},
		{"learning rate", func(c *Config) { c.LearnRate = math.NaN() }},
		{"beta1", func(c *Config) { c.Beta1 = 1 }},
		{"beta2", func(c *Config) { c.Beta2 = -1 }},
		{"epsilon", func(c *Config) { c.Epsilon = 0 }},
		{"mask", func(c *Config) { c.Mask = -1 }},
		{"dtype", func(c *Config) { c.DType = 9 }},
		{"no phases", func(c *Config) { c.Schedule = nil }},
		{"phases out of order", func(c *Config) { c.Schedule = Schedule{{End: 0.5}, {End: 0.4}, {End: 1}} }},
		{"schedule too short", func(c *Config) { c.Schedule = Schedule{{End: 0.5}} }},
	} {
		bad := PaperConfig()
		c.change(&bad)
		if bad.Validate() == nil {
			t.Errorf("%s: no error", c.name)
		}
	}
}

// countdown is a context that is done when it has been asked a number of times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestResumeWithinAnEpoch stops training between two epochs and within them; the losses that the
// observer sees are those of training that was never stopped.
func TestResumeWithinAnEpoch(t *testing.T) {
	a := model.Uniform(2, 1, 2, 1, 1, paperUnits)
	data, c := linearData(3*checkEvery), shortConfig(3)
	c.Batch = 1
	var want, got []float64
	observe := func(to *[]float64) func(Event) {
		return func(e Event) { *to = append(*to, e.Losses...) }
	}
	mustFit(t, randomLanes(a, 4, 0.003), data, c, Options{Observe: observe(&want)})
	opt := Options{Observe: observe(&got)}
	within := 0
	for {
		r, err := Fit(&countdown{context.Background(), 2}, randomLanes(a, 4, 0.003), data, c, opt)
		if err == nil {
			break
		}
		if len(r.Checkpoint.Losses) > 0 {
			within++
		}
		opt.Resume = r.Checkpoint
	}
	if within < 2 {
		t.Errorf("training was stopped %d times within an epoch, want at least twice", within)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the losses are\n%v after resuming,\n%v without", got, want)
	}
}
