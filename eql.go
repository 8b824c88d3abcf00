package eql

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// Result is what [Fit] found.
type Result struct {
	// Formulas holds the formula chosen for each target.
	Formulas map[string]formula.Expr
	// Sweep has all models, the Pareto fronts and the choices.
	Sweep *sweep.Result
	// Settings are what determined the result.
	Settings run.Settings
	// Seconds is how long it took.
	Seconds float64

	tests   []Test
	columns map[string]datasets.Coding
}

// Test is a table with a name that formulas are scored on.
type Test struct {
	Name  string
	Table *datasets.Table
}

// MinRows is the least number of rows that can tell a formula from another.
const MinRows = 5

// Fit learns a formula for each target from a table. Without options the last column is the
// target, all others are inputs, and the settings are [run.Quick].
//
// The same table and options give the same result on processors of one family, unless the time
// limit cuts the search, which the result says. When ctx is done, Fit returns what there is so
// far with ctx's error.
func Fit(ctx context.Context, t *datasets.Table, options ...Option) (*Result, error) {
	c, err := newConfig(t, options)
	if err != nil {
		return nil, err
	}
	var store *sweep.Store
	if c.folder != "" {
		if store, err = sweep.Create(c.folder, c.runConfig(t)); err != nil {
			return nil, err
		}
	}
	r, err := c.run(ctx, t, store)
	var card *trainer.CardError // whose run may have finished networks
	if r == nil && ctx.Err() == nil && !errors.As(err, &card) {
		err = errors.Join(err, store.Discard()) // what could not begin leaves nothing behind
	}
	return r, err
}

// Resume goes on with the run in a folder that [Fit] made with [Folder] and that was interrupted, or
// that a time limit cut. Without a limit it ends with the same result as if nothing had stopped it. It
// never ends with less than the folder has: a new time limit cuts none of the rounds whose networks are there, and the
// result in the folder is replaced only when the run comes as far again. When ctx is done before it went further, Resume
// returns ctx's error and no result, and the folder keeps what it has.
//
// Options that do not change the result are [Workers], [OnDevice], [TimeLimit] and [Observe]. Others are
// refused, unless they say what the run began with; tables are compared by their content.
func Resume(ctx context.Context, dir string, options ...Option) (*Result, error) {
	store, err := sweep.Open(dir)
	if err != nil {
		return nil, err
	}
	saved := store.Config()
	c, err := resumed(dir, saved, options)
	if err != nil {
		return nil, err
	}
	if err := store.Resume(); err != nil {
		return nil, err
	}
	return c.run(ctx, saved.Data.Table, store)
}

// run learns, scores the outcome on the tests, and keeps the report in the store.
func (c *config) run(ctx context.Context, t *datasets.Table, store *sweep.Store) (*Result, error) {
	began := time.Now() //nolint:forbidigo // a time limit is about the clock on the wall
	elapsed := func() time.Duration { return time.Since(began) }
	task := sweep.Task{Inputs: c.inputs, Targets: c.targets, Groups: c.groups(), Data: t, Validation: c.validation, Errors: c.errors}
	found, err := sweep.Run(ctx, task, *c.Settings, sweep.Options{
		Workers: c.workers, Device: c.device, Store: store, Observe: c.observe, TimeLimit: c.timeLimit, Elapsed: elapsed,
	})
	if found == nil {
		return nil, errors.Join(err, store.Close())
	}
	r := &Result{
		Formulas: map[string]formula.Expr{}, Sweep: found, Settings: *c.Settings,
		Seconds: elapsed().Seconds(), tests: c.tests, columns: c.columns,
	}
	for _, choice := range found.Chosen {
		r.Formulas[choice.Target] = choice.Formula
		c.findLines(choice.Evidence)
	}
	if store != nil {
		if err = r.save(store, err); errors.Is(err, errKept) {
			r = nil
		}
	}
	return r, errors.Join(err, store.Close())
}

// groups returns the inputs that say which group a row is of.
func (c *config) groups() []string {
	return slices.DeleteFunc(slices.Clone(c.inputs), func(name string) bool { return c.columns[name].Level == nil })
}

// errKept says that the result in a folder was not replaced.
var errKept = errors.New("the folder keeps the result that it has, from as many networks or more")

// save keeps the result in the folder of the run and returns all that went wrong, err included, which is why the run
// did not end by itself. What comes from fewer networks than the result there, or is interrupted without having more,
// is not kept; the result of a complete run stays.
func (r *Result) save(store *sweep.Store, err error) error {
	report, rerr := r.Report()
	if rerr != nil {
		return errors.Join(err, rerr)
	}
	var there Report
	if store.ReadResult(&there) != nil {
		there = Report{}
	}
	complete, more := there.Ended.Complete(), len(report.Models)-len(there.Models)
	switch {
	case err != nil && (complete || more <= 0), err == nil && more < 0 && !report.Ended.Complete():
		return errors.Join(err, errKept)
	case err != nil:
		return errors.Join(err, store.WritePartial(report))
	case complete:
		return nil // it is the same, but for rounding on another processor
	}
	return store.WriteResult(report)
}

// check reports everything that is wrong with the columns and tables, joined into one error.
func (c *config) check(t *datasets.Table) error {
	var errs []error
	if rows := t.Rows(); rows < MinRows {
		errs = append(errs, fmt.Errorf("there are %d rows, and at least %d are needed to tell one formula from another", rows, MinRows))
	}
	if len(c.inputs) == 0 {
		errs = append(errs, errors.New("there are no input columns; name some by --inputs, or give a table with more columns"))
	}
	if len(c.targets) == 0 {
		errs = append(errs, errors.New("there are no target columns; name one by --target"))
	}
	seen := map[string]string{}
	for _, list := range []struct {
		role  string
		names []string
	}{{"target", c.targets}, {"input", c.inputs}} {
		for _, name := range list.names {
			switch seen[name] {
			case "":
				seen[name] = list.role
			case list.role:
				errs = append(errs, fmt.Errorf("column %q is named twice among the %ss", name, list.role))
			default:
				errs = append(errs, fmt.Errorf("column %q is a target and an input; it can be one of them", name))
			}
		}
	}
	all := slices.Concat(c.inputs, c.targets)
	for _, name := range slices.Sorted(maps.Keys(c.columns)) {
		if err := c.columns[name].Validate(); err != nil {
			errs = append(errs, fmt.Errorf("column %q: %w", name, err))
		} else if !slices.Contains(all, name) {
			errs = append(errs, fmt.Errorf("there is a coding for column %q, which is neither an input nor a target", name))
		}
	}
	if _, err := t.Select(all...); err != nil {
		errs = append(errs, err)
	}
	if err := c.checkErrors(t); err != nil {
		errs = append(errs, err)
	}
	if c.validation != nil {
		if _, err := c.validation.Select(all...); err != nil {
			errs = append(errs, fmt.Errorf("validation: %w", err))
		}
	}
	for _, test := range c.tests {
		if _, err := test.Table.Select(all...); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", test.Name, err))
		}
	}
	return errors.Join(errs...)
}
