package sweep

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/run"
)

// TestLate ends runs of many rows in the middle of their first round, by a limit and by an interruption, and expects
// what was found by then, judged on a sample of the rows.
func TestLate(t *testing.T) {
	slow(t)
	const rows = 5 * briefRows
	data := table(t, rows, 0.1, map[string]string{"p": "a*sin(3*b) + b^2"})
	s := run.Quick(rows, 2)
	for _, c := range []struct {
		name  string
		limit time.Duration
		at    string // what progress says when the run is interrupted
		ended Ended
	}{
		{"limit", 10 * time.Millisecond, "", EndedByTime},
		{"interrupted while searching", 0, "searching: ", EndedInterrupted},
		{"interrupted while training", 0, "choice", EndedInterrupted},
		{"interrupted while reading networks", 0, "searching", EndedInterrupted},
	} {
		if !*long && c.ended == EndedInterrupted {
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		began := time.Now()
		elapsed := func() time.Duration { return time.Since(began) }
		r, err := Run(ctx, task(data, "p"), s, Options{TimeLimit: c.limit, Elapsed: elapsed, Observe: func(e Event) {
			if c.at != "" && (strings.HasPrefix(e.Phase, c.at)) {
				cancel()
			}
		}})
		cancel()
		if interrupted := c.ended == EndedInterrupted; errors.Is(err, context.Canceled) != interrupted || r == nil {
			t.Fatalf("%s: the error is %v, the result %v", c.name, err, r)
		}
		e := r.Chosen[0].Evidence
		if r.Ended != c.ended || len(r.Rounds) > 0 || e == nil || e.Errors.Rows != briefRows ||
			e.Support.Halves != evidence.NotAsked {
			t.Errorf("%s: ended because %q after %d rounds with the evidence %+v, want that of %d rows",
				c.name, r.Ended, len(r.Rounds), e, briefRows)
		}
		if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "are from 2000 of 10000") {
			t.Errorf("%s: warnings %q, want that of a sample", c.name, r.Warnings)
		}
		if r.Train.Rows()+r.Validation.Rows() != rows {
			t.Errorf("%s: the result has %d and %d rows", c.name, r.Train.Rows(), r.Validation.Rows())
		}
	}
}

// TestLateConclusion interrupts runs while they conclude.
func TestLateConclusion(t *testing.T) {
	slow(t)
	const rows = 2 * briefRows
	data := table(t, rows, 0.1, map[string]string{"p": "a*sin(3*b) + b^2"})
	s := run.Quick(rows, 2)
	s.Layers, s.Extend = []int{2}, 0
	p, err := newProblem(task(data, "p"), s)
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(p, s, Options{})
	r.expect(rounds(s, 2, 1)[0])
	baseline := r.baseline()
	m, tasks := r.greedyModel(context.Background())
	tasks[0]()
	r.greedy = m
	ctx, cancel := context.WithCancel(context.Background())
	r.ctx = ctx
	r.endFits(ctx)
	res := &Result{Inputs: p.inputs, Targets: p.targets}
	if !r.conclude(ctx, res, nil, baseline, 0) || r.test(res.Chosen[0].TargetModel, 0) == nil {
		t.Fatal("there was time, and no conclusion")
	}
	r.tested[0] = tested{}
	cancel()
	if r.conclude(ctx, res, nil, baseline, 0) || r.evidence(res.Models, &res.Chosen[0], 0) != nil {
		t.Error("there was no time, and a conclusion")
	}
	chosen, models := res.Chosen[0], len(res.Models)
	if r.close(ctx, res, baseline) || res.Chosen[0].Model != chosen.Model || len(res.Models) != models {
		t.Error("there was no time, and the choice changed")
	}
	r.beBrief(res, nil)
	if !r.conclude(ctx, res, nil, baseline, 0) || !r.close(ctx, res, baseline) || res.Chosen[0].Evidence == nil ||
		res.Chosen[0].Evidence.Errors.Rows != briefRows {
		t.Errorf("the brief conclusion is %+v", res.Chosen[0].Evidence)
	}
}

// TestSampled takes a sample of a table with errors, outliers and folds, and compares its rows.
func TestSampled(t *testing.T) {
	data := table(t, 100, 0.1, map[string]string{"p": "a*b"})
	for _, split := range []float64{0, 0.3} {
		s := short()
		s.Split = split
		p, err := newProblem(task(data, "p"), s)
		if err != nil {
			t.Fatal(err)
		}
		e := rowErrors{sigma: make([]float64, 100), out: make([]bool, 100)}
		for i := range e.sigma {
			e.sigma[i], e.out[i] = 1+float64(i), i%9 == 0
		}
		p.setErrors(0, e)
		q := p.sampled(40)
		n := len(p.inputs)
		if q.rows.Rows() != 40 || q.scaled.X[0] == nil || len(q.errors[0].out) != 40 {
			t.Fatalf("split %g: %d rows", split, q.rows.Rows())
		}
		for i, origin := range q.origin {
			k := 0
			for p.origin[k] != origin {
				k++
			}
			if q.rows.Cols[n][i] != p.rows.Cols[n][k] || q.errors[0].sigma[i] != e.sigma[k] || q.errors[0].out[i] != e.out[k] {
				t.Errorf("split %g: row %d is another than row %d was", split, i, k)
			}
		}
		inFolds := 0
		for _, fold := range q.folds {
			inFolds += len(fold)
		}
		if (split == 0) != (inFolds == q.train.Rows()) {
			t.Errorf("split %g: %d rows in folds", split, inFolds)
		}
	}
}
