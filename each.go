package eql

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"sync"

	"github.com/eqlearner/eql/datasets"
)

// Source reads one of many tables, and returns options for this table alone. It is called when a worker is free.
type Source func() (*datasets.Table, []Option, error)

// Fitted is the outcome of [FitEach] for one table.
type Fitted struct {
	Table  *datasets.Table // as it was read; nil when that failed
	Result *Result         // what [Fit] returned
	Err    error
}

// FitEach learns formulas from each of many tables, as [Fit] does from one, and yields each outcome when it is
// finished. If a table cannot be read or learned from, its outcome has an error; the other tables are learned from all
// the same.
//
// [Workers] is the number of tables that are learned from at a time, and in memory; by default one for each processor.
// The result of a table depends neither on it nor on the other tables. FitEach draws the sequence in its own goroutine,
// and calls the function of [Observe] for several tables at once. When ctx is done, FitEach starts no further table,
// and the tables in work end with ctx's error.
func FitEach(ctx context.Context, tables iter.Seq2[string, Source], options ...Option) iter.Seq2[string, Fitted] {
	return func(yield func(string, Fitted) bool) {
		ctx, cancel := context.WithCancel(ctx)
		outcomes := fitAll(ctx, tables, options)
		defer func() {
			cancel()
			for range outcomes { // until no worker is left
			}
		}()
		for o := range outcomes {
			if !yield(o.name, o.Fitted) {
				return
			}
		}
	}
}

type outcome struct {
	name string
	Fitted
}

// fitAll starts the workers. The channel of their outcomes is closed when they are done.
func fitAll(ctx context.Context, tables iter.Seq2[string, Source], options []Option) <-chan outcome {
	type job struct {
		name   string
		source Source
	}
	jobs, outcomes := make(chan job), make(chan outcome)
	var workers sync.WaitGroup
	for range atATime(options) {
		workers.Go(func() {
			for j := range jobs {
				outcomes <- outcome{j.name, j.source.fit(ctx, options)}
			}
		})
	}
	go func() {
		for name, source := range tables {
			select {
			case jobs <- job{name, source}:
			case <-ctx.Done():
			}
			if ctx.Err() != nil {
				break
			}
		}
		close(jobs)
		workers.Wait()
		close(outcomes)
	}()
	return outcomes
}

// atATime returns how many tables are learned from at a time.
func atATime(options []Option) int {
	c := &config{}
	for _, o := range options {
		o(c)
	}
	if c.workers > 0 {
		return c.workers
	}
	return runtime.GOMAXPROCS(0)
}

// fit learns from one table, with one worker unless the table's own options say otherwise.
func (s Source) fit(ctx context.Context, options []Option) Fitted {
	t, own, err := s()
	if err != nil {
		return Fitted{Table: t, Err: err}
	}
	r, err := Fit(ctx, t, slices.Concat(options, []Option{Workers(1)}, own)...)
	return Fitted{t, r, err}
}
