package sweep

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/trainer"
)

// halvingRunner returns a runner for settings that choose among four starts for each network.
func halvingRunner(t *testing.T, workers int, s Settings) *runner {
	t.Helper()
	p, err := newProblem(task(table(t, 200, 0.01, map[string]string{"p": "sin(3*a) + b"}), "p"), s)
	if err != nil {
		t.Fatal(err)
	}
	return newRunner(p, s, Options{Workers: workers})
}

// TestHalvingKeepsTheBest trains every start of a round by itself, as the choice does, and holds the
// starts that are chosen to the best of them.
func TestHalvingKeepsTheBest(t *testing.T) {
	s := short()
	s.Halving = Halving{Starts: 4, Part: 0.5}
	r := halvingRunner(t, 2, s)
	jobs := rounds(s, 2, 1)[0]
	got, err := r.starts(context.Background(), jobs, trainer.CPU)
	if err != nil {
		t.Fatal(err)
	}
	var all []start
	for id := range 4 * len(jobs) {
		n := r.newStart(id, jobs[0]).network
		config := s.Train
		config.Epochs = 3 // half of five, rounded
		config.Schedule = trainer.Schedule{{Name: "free", End: 1}}
		config.HoldZeros = true
		lanes := slices.Repeat([]trainer.Lane{{Start: n}}, 4)
		res, err := trainer.Fit(context.Background(), lanes, r.problem.scaled, config,
			trainer.Options{Score: r.problem.scaledScoreRows()})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, start{id, res.Networks[0], res.Scores[0]})
	}
	slices.SortFunc(all, func(a, b start) int {
		if a.score < b.score {
			return -1
		}
		return 1
	})
	if len(got) != len(jobs) {
		t.Fatalf("%d starts were chosen for %d networks", len(got), len(jobs))
	}
	for i, g := range got {
		want := all[i]
		want.network.Release()
		if g.id != want.id || g.score != want.score {
			t.Errorf("start %d of the choice is %d with error %g, want %d with %g", i, g.id, g.score, want.id, want.score)
		}
		if fmt.Sprint(g.network.Weights) != fmt.Sprint(want.network.Weights) {
			t.Errorf("start %d does not go on from where the choice left it", g.id)
		}
	}
	if all[0].score >= all[len(all)-1].score {
		t.Error("all starts are equally good; the test tests nothing")
	}
}

func TestStartsDoNotDependOnWorkers(t *testing.T) {
	s := short()
	s.Layers, s.Halving = []int{2, 3}, Halving{Starts: 3, Part: 0.5}
	jobs := slices.Concat(rounds(s, 2, 1)...)
	var want []start
	for _, workers := range []int{1, 2, 5} {
		got, err := halvingRunner(t, workers, s).starts(context.Background(), jobs, trainer.CPU)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		for i := range got {
			if got[i].id != want[i].id || fmt.Sprint(got[i].network.Weights) != fmt.Sprint(want[i].network.Weights) {
				t.Fatalf("%d workers: network %d begins with start %d, want %d", workers, i, got[i].id, want[i].id)
			}
			if a, b := got[i].network.Arch.String(), jobs[i].Arch.String(); a != b {
				t.Errorf("network %d begins with %s, want %s", i, a, b)
			}
		}
	}
}

// TestMixedStarts counts the inputs that the first layers of starts see.
func TestMixedStarts(t *testing.T) {
	s := short()
	r := halvingRunner(t, 1, s)
	j := rounds(s, 2, 1)[0][0]
	for _, c := range []struct {
		init Init
		want [2]int // of starts with even and odd ids
	}{{InitMixed, [2]int{1, 2}}, {InitSparse, [2]int{1, 1}}, {InitPaper, [2]int{2, 2}}} {
		r.settings.Init = c.init
		for id := range 4 {
			n := r.newStart(id, j).network
			k := slices.Index(n.Arch.Hidden[0].Unary, model.Sin)
			_, row := n.Arch.Hidden[0].Unit(k)
			seen := 0
			for _, w := range n.Weights[0].Row(row)[:2] {
				if w != 0 {
					seen++
				}
			}
			if seen != c.want[id%2] {
				t.Errorf("%s: a sine of start %d sees %d inputs, want %d", c.init, id, seen, c.want[id%2])
			}
		}
	}
}

// TestInterruptedChoiceGoesOn cancels a run at every step of a choice among starts that is long
// enough to be kept; it must end, with the result of a run that was not cancelled.
func TestInterruptedChoiceGoesOn(t *testing.T) {
	tk := task(table(t, 60, 0.01, map[string]string{"p": "a*b"}), "p")
	s := short()
	s.Refine, s.Split, s.Halving = false, 0.1, Halving{Starts: 2, Part: 0.5}
	s.Train.Epochs = 2 * checkpointEpochs
	want := fingerprint(mustRun(t, tk, s, Options{}))
	dir := filepath.Join(t.TempDir(), "run")
	store := create(t, dir, tk, s)
	interrupted, kept := 0, 0
	for {
		ctx, cancel := context.WithCancel(context.Background())
		events := 0
		r, err := Run(ctx, tk, s, Options{Workers: 2, Store: store, Observe: func(Event) {
			if events++; events == checkpointEpochs/2 {
				cancel()
			}
		}})
		cancel()
		if err == nil {
			if fingerprint(r) != want {
				t.Error("the resumed run ends with another result")
			}
			break
		}
		interrupted++
		if left, _ := filepath.Glob(filepath.Join(dir, "checkpoint-start-*")); len(left) > 0 {
			kept++
		}
		store.Close()
		store = reopen(t, dir)
	}
	// Two groups of eight starts and one of networks, or more on narrower processors.
	if interrupted < 8 {
		t.Errorf("the run was interrupted %d times, want at least 8", interrupted)
	}
	if kept < 4 {
		t.Errorf("%d times there were checkpoints of the choice, want at least 4", kept)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "checkpoint*")); len(left) > 0 {
		t.Errorf("checkpoints are left: %v", left)
	}
}

// TestEnded runs into each reason to train no more, and looks at the rounds that were trained.
func TestEnded(t *testing.T) {
	slow(t)
	law := table(t, 100, 0.01, map[string]string{"p": "a*b"})
	noise := table(t, 100, 1, map[string]string{"p": "0"})
	grid, further := short(), short()
	further.Extend = 2
	clock := time.Duration(0)
	tick := func() time.Duration { clock += time.Second; return clock }
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		data    *datasets.Table
		s       Settings
		opt     Options
		want    Ended
		further []bool // of each round
	}{
		{"a law", context.Background(), law, further, Options{}, EndedSettled, []bool{false}},
		{"noise", context.Background(), noise, further, Options{}, EndedRounds, []bool{false, true, true}},
		{"no further rounds", context.Background(), noise, grid, Options{}, EndedGrid, []bool{false}},
		{"a limit", context.Background(), noise, further, Options{TimeLimit: 1, Elapsed: tick}, EndedByTime, []bool{false}},
		{"interrupted", done, law, further, Options{}, EndedInterrupted, nil},
	} {
		if c.want == EndedRounds && !*long { // the search for a law of noise takes seconds
			continue
		}
		r, err := Run(c.ctx, task(c.data, "p"), c.s, c.opt)
		if err != nil && c.want != EndedInterrupted {
			t.Fatal(err)
		}
		if r.Ended != c.want || len(r.Rounds) != len(c.further) {
			t.Errorf("%s: ended because %q after %d rounds, want %q after %d",
				c.name, r.Ended, len(r.Rounds), c.want, len(c.further))
			continue
		}
		for i, round := range r.Rounds {
			if round.Further != c.further[i] || round.Networks != 16 || round.Starts != 64 {
				t.Errorf("%s: round %d is %+v", c.name, i, round)
			}
		}
	}
}

// TestTimeLimitCutsRounds has a clock that stands still, so that no round is predicted to end too late,
// and a limit that is over when the second begins. Without the limit a resumed run goes on.
func TestTimeLimitCutsRounds(t *testing.T) {
	slower(t)
	data := table(t, 200, 0.01, map[string]string{"p": "a*b"})
	s := short()
	s.Layers = []int{2, 3}
	dir := filepath.Join(t.TempDir(), "run")
	stands := func() time.Duration { return 0 }
	store := create(t, dir, task(data, "p"), s)
	r := mustRun(t, task(data, "p"), s, Options{TimeLimit: 1, Elapsed: stands, Store: store})
	store.Close()
	if r.Ended != EndedByTime || len(r.Models) >= 32+2 || len(r.Models) < 16+2 {
		t.Errorf("ended: %s, %d models, want the first round whole and the second not", r.Ended, len(r.Models))
	}
	resumed := mustRun(t, task(data, "p"), s, Options{Store: reopen(t, dir)})
	if fingerprint(resumed) != fingerprint(mustRun(t, task(data, "p"), s, Options{})) {
		t.Error("the resumed run ends with another result")
	}
}

// TestFurtherRoundsLeaveUnitsOut looks at what is trained beyond the grid: every second round has starts
// without some of their nonlinear units, and training keeps them out.
func TestFurtherRoundsLeaveUnitsOut(t *testing.T) {
	s := short()
	s.Layers, s.Init, s.Extend = []int{3}, InitSparse, 2
	p, err := newProblem(task(table(t, 200, 1, map[string]string{"p": "0*a"}), "p"), s) // noise: nothing holds
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(p, s, Options{})
	grid := rounds(s, len(p.inputs), 1)
	for k, want := range []float64{0, removedFurther, 0, removedFurther} {
		jobs := extension(s, grid[0], k, 100*(k+1))
		if jobs[0].Removed != want {
			t.Fatalf("round %d leaves out %g, want %g", k, jobs[0].Removed, want)
		}
		models, err := r.trainAll(context.Background(), jobs, trainer.CPU)
		if err != nil {
			t.Fatal(err)
		}
		missing := 0
		for _, m := range models {
			w := m.Network.Weights[1]
			for row := range w.Rows {
				if in := w.Row(row)[:w.Cols]; slices.Max(in) == 0 && slices.Min(in) == 0 {
					missing++
				}
			}
		}
		if (missing > 0) != (want > 0) {
			t.Errorf("round %d: %d units of the second layer are left out", k, missing)
		}
	}
}
