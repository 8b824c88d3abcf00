package sweep

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"
)

// TestGate lets all groups and models of a run wait for one worker, and looks at what passes: never
// two at once, every group with its cost, and the same result as without a gate.
func TestGate(t *testing.T) {
	one := task(table(t, 200, 0.01, map[string]string{"p": "a*b"}), "p")
	s := short()
	s.Refine = false
	s.Width = []int{1, 2}
	want, err := Run(context.Background(), one, s, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	slot := make(chan struct{}, 1)
	var costs, most float64
	var inside, beside atomic.Int32
	got, err := Run(context.Background(), one, s,
		Options{Workers: 1 << 20, Gate: func(_ context.Context, cost float64, work func() error) error {
			slot <- struct{}{}
			defer func() { <-slot }()
			if inside.Add(1) > 1 {
				t.Error("two pieces of work are inside the gate")
			}
			defer inside.Add(-1)
			costs += cost
			most = max(most, cost)
			if cost == 0 {
				beside.Add(1)
			}
			return work()
		}})
	if err != nil {
		t.Fatal(err)
	}
	var params float64
	for _, m := range got.Models[:len(got.Models)-1] {
		params += float64(m.Arch.Params() * s.Train.Epochs)
	}
	total := params * (1 + s.Halving.Work()) // the choice among starts passes, too
	if !(math.Abs(costs/total-1) < 1e-12) || most >= params {
		t.Errorf("the costs are %g in all and at most %g, want %g in groups", costs, most, total)
	}
	if n := int(beside.Load()); n != len(got.Models)-1 {
		t.Errorf("%d models passed the gate, want %d", n, len(got.Models)-1)
	}
	for i, m := range want.Models {
		if a, b := m.Validation(), got.Models[i].Validation(); a != b {
			t.Errorf("model %d has the validation error %g with a gate, %g without", m.ID, b, a)
		}
	}
	refused := errors.New("closed")
	_, err = Run(context.Background(), one, s,
		Options{Gate: func(context.Context, float64, func() error) error { return refused }})
	if !errors.Is(err, refused) {
		t.Errorf("got %v, want the error of the gate", err)
	}
}
