package paper

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/model"
)

// TestChoose has instances whose ranks are worked out by hand.
func TestChoose(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, tt := range []struct {
		name      string
		instances []Instance
		rule      sweep.Select
		want      int
	}{
		// Ranks (validation, sparsity): (1,3), (2,1), (3,2); norms 10, 5, 13.
		{"neither the best error nor alone the sparsest", []Instance{{0.1, 9}, {0.2, 1}, {0.3, 5}}, sweep.SelectRank, 1},
		// Sparsities 2, 2, 2, 3 rank 1, 1, 1, 4: (4,1) (2,1) (3,1) (1,4); norms 17, 5, 10, 17.
		{"ties share the best rank", []Instance{{0.4, 2}, {0.2, 2}, {0.3, 2}, {0.1, 3}}, sweep.SelectRank, 1},
		// If ties shared the mean rank 2, the norms of the first three would be 20, 8, 13 and that of the last 17.
		// With the next rank counted densely (3 → rank 2) the last had 1+4=5 and won by its error.
		{"ranks after a tie are skipped", []Instance{{0.2, 2}, {0.2, 2}, {0.1, 3}}, sweep.SelectRank, 0},
		// (1,2) and (2,1): norms 5 and 5.
		{"equal norms: the smaller error", []Instance{{0.2, 1}, {0.1, 2}}, sweep.SelectRank, 1},
		{"all equal: the first", []Instance{{0.1, 1}, {0.1, 1}}, sweep.SelectRank, 0},
		// Without the first, which has no rank: (1,2), (2,1), and the smaller error wins.
		{"what is not finite has no rank", []Instance{{nan, 0}, {0.1, 2}, {0.2, 1}, {inf, 0}}, sweep.SelectRank, 1},
		{"nothing finite", []Instance{{nan, 0}, {inf, 1}}, sweep.SelectRank, -1},
		{"nothing at all", nil, sweep.SelectRank, -1},
		{"validation alone", []Instance{{0.2, 1}, {0.1, 20}}, sweep.SelectValidation, 1},
		{"validation alone, not finite", []Instance{{nan, 1}, {0.1, 20}}, sweep.SelectValidation, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := choose(tt.instances, tt.rule); got != tt.want {
				t.Errorf("got instance %d, want %d", got, tt.want)
			}
		})
	}
}

// TestGridOf plants models of which some are no part of the protocol: networks that fill the lanes,
// whose restart may be that of a repetition, and the least squares line.
func TestGridOf(t *testing.T) {
	at := func(id, restart int, padding, baseline bool) *sweep.Model {
		return &sweep.Model{Job: sweep.Job{ID: id, Restart: restart, Padding: padding}, Baseline: baseline}
	}
	models := []*sweep.Model{at(0, 0, false, false), at(1, 1, false, false), at(2, 0, false, false), at(3, 1, true, false),
		at(4, 2, true, false), at(5, 0, false, true)}
	for restart, want := range [][]int{{0, 2}, {1}, nil} {
		var got []int
		for _, m := range gridOf(models, restart) {
			got = append(got, m.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("repetition %d has the networks %v, want %v", restart, got, want)
		}
	}
}

// TestRepetitions trains a small grid and selects from each repetition by hand, from all models
// that sweep has: 3 λ × 2 widths are 6 networks a repetition, of which sweep trains 2·16 in all.
func TestRepetitions(t *testing.T) {
	plan := tiny(t)
	set, err := prepare(plan.Sets[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	settings := *set.plan.EQL
	train, validation := set.split(0)
	task := sweep.Task{Inputs: set.problem.Inputs, Targets: set.problem.Targets, Data: train, Validation: validation}
	found, err := sweep.Run(context.Background(), task, settings, sweep.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Models) != 2*16+1 {
		t.Fatalf("there are %d models, want 32 and the line", len(found.Models))
	}
	for restart := range settings.Restarts {
		grid := gridOf(found.Models, restart)
		if len(grid) != 6 {
			t.Fatalf("repetition %d has %d networks, want 6", restart, len(grid))
		}
		o := set.selected(grid, settings.Select, EQL, restart)
		i := slices.IndexFunc(o.Instances, func(s Scored) bool { return s.Chosen })
		m := grid[i]
		if o.Candidates != 6 || *o.Sparsity != m.Network.Sparsity() {
			t.Errorf("repetition %d: %d candidates, s=%d, want 6 and %d",
				restart, o.Candidates, *o.Sparsity, m.Network.Sparsity())
		}
		// The error by the definition, on the far set.
		far := farOf(t, set)
		y := m.Network.Predict(far.Noisy.Cols[:2])
		sum := 0.0
		for o := range y {
			for i, v := range y[o] {
				d := v - far.Noisy.Cols[2+o][i]
				sum += d * d
			}
		}
		want := math.Sqrt(sum / float64(2*far.Noisy.Rows()))
		if got, _ := o.errorOn(Far, false); math.Abs(got-want) > 1e-12 {
			t.Errorf("repetition %d: the far error is %g, want %g", restart, got, want)
		}
	}
}

func farOf(t *testing.T, set *prepared) datasets.Test {
	t.Helper()
	i := slices.IndexFunc(set.tests, func(s datasets.Test) bool { return s.Name == Far })
	if i < 0 {
		t.Fatal("there is no far set")
	}
	return set.tests[i]
}

// tiny is the pendulum with everything small, so that a run takes a second.
func tiny(t testing.TB) Plan {
	t.Helper()
	p, err := Request{Experiment: "pendulum", Preset: Short, Repetitions: 3}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	s := &p.Sets[0]
	s.Rows = 120
	s.EQL.Width, s.EQL.Lambda, s.EQL.Train.Epochs = []int{1, 2}, []float64{1e-4, 5e-4, 1e-3}, 400
	s.MLP.Layers, s.MLP.Width, s.MLP.Lambda, s.MLP.Train.Epochs = []int{2}, []int{5}, []float64{1e-4, 1e-3}, 400
	s.EQL.Units = []model.Unit{model.Identity, model.Sin}
	s.SVR = &SVRGrid{C: []float64{0.1, 1}, Gamma: []float64{0.1, 1}, Epsilon: []float64{0.01}, Rows: 60}
	s.Quick = nil
	p.Methods = []Method{EQL, MLP, SVR}
	return p
}
