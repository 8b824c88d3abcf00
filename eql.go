package eql

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/saved"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/trainer"
)

// MinRows is the smallest number of rows that Fit accepts.
const MinRows = 5

// Fit learns a formula for each target from a table. By default the last column is the target, all others are inputs,
// and the settings are [run.Quick].
//
// The same table and options give the same result on processors of one family, unless the time limit ends the search
// (see [Result].Ended). When ctx is done, Fit returns ctx's error and the result so far.
func Fit(ctx context.Context, t *datasets.Table, options ...Option) (*Result, error) {
	c, t, err := newConfig(t, options)
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

// Resume continues the run that [Fit] keeps in a [Folder], after an interruption or a time limit. Without a limit the
// result is that of a run that nothing stopped. Resume never returns less than the folder has: a new time limit cuts
// none of the rounds whose networks are there, and the result in the folder is replaced only when the run comes as far
// again. A run that is complete is not run again. When ctx is done, Resume returns ctx's error and the larger of what
// it found and what the folder has; see [Result.Kept].
//
// The options that may change are [Workers], [OnDevice], [TimeLimit] and [Observe]. An option that changes the result
// gives an [*OtherRunError], unless it equals that of the run; tables are compared by their content.
func Resume(ctx context.Context, dir string, options ...Option) (*Result, error) {
	store, err := sweep.Open(dir)
	if err != nil {
		return nil, err
	}
	c, err := resumed(dir, store.Config(), options)
	if err != nil {
		return nil, err
	}
	there, thereErr := saved.Read(store)
	if thereErr == nil && there.Report.Ended.Complete() {
		if store.Resume() == nil { // which removes what a crash left; without permission to, the result can be read still
			err = store.Close()
		}
		return kept(there), err
	}
	r, err := c.goOn(ctx, store)
	if r == nil && ctx.Err() != nil && thereErr == nil {
		r = kept(there)
	}
	return r, err
}

// goOn runs what is in a store again, from what is there.
func (c *config) goOn(ctx context.Context, store *sweep.Store) (*Result, error) {
	if err := store.Resume(); err != nil {
		return nil, err
	}
	return c.run(ctx, store.Config().Data.Table, store)
}

// run learns, scores the outcome on the tests, and keeps the report in the store.
func (c *config) run(ctx context.Context, t *datasets.Table, store *sweep.Store) (*Result, error) {
	began := time.Now() //nolint:forbidigo // a time limit is about the clock on the wall
	elapsed := func() time.Duration { return time.Since(began) }
	found, err := sweep.Run(ctx, c.task(t), *c.Settings, sweep.Options{
		Workers: c.workers, Device: c.device, Store: store, Observe: c.observe, TimeLimit: c.timeLimit, Elapsed: elapsed,
	})
	if found == nil {
		return nil, errors.Join(err, store.Close())
	}
	for _, choice := range found.Chosen {
		c.findLines(choice.Evidence)
	}
	for _, m := range found.Models {
		for _, t := range m.Targets {
			if t.Judged != nil {
				c.findLines(t.Judged.Evidence)
			}
		}
	}
	if ferr := c.follow(found); ferr != nil {
		return nil, errors.Join(err, ferr, store.Close())
	}
	report, rerr := saved.Outcome{
		Found: found, Settings: *c.Settings, Columns: c.columns, Tests: c.tests, Whole: c.whole.score(ctx, found),
		Path:    c.path,
		Seconds: elapsed().Seconds(),
	}.Report()
	if rerr != nil {
		return nil, errors.Join(err, rerr, store.Close())
	}
	r := newResult(&saved.Run{Report: *report, Found: found, Tests: c.tests, Path: c.path})
	if store != nil {
		if err = keep(store, report, err); errors.Is(err, errKept) {
			r = nil
		}
	}
	return r, errors.Join(err, store.Close())
}

// task returns what is learned from a table.
func (c *config) task(t *datasets.Table) sweep.Task {
	return sweep.Task{
		Inputs: c.inputs, Targets: c.targets, Groups: c.groups(), Data: t, Validation: c.validation, Errors: c.errors,
		Columns: c.columns, Slopes: c.path != nil,
	}
}

// groups returns the inputs that say which group a row is of.
func (c *config) groups() []string {
	return slices.DeleteFunc(slices.Clone(c.inputs), func(name string) bool { return c.columns[name].Level == nil })
}

// errKept says that the result in a folder was not replaced.
var errKept = errors.New("the folder keeps the result that it has, from as many networks or more")

// keep keeps a report in the folder of the run and returns all that went wrong, err included, which is why the run
// did not end by itself. What comes from fewer networks than the result there, or is interrupted without having more,
// is not kept; the result of a complete run stays.
func keep(store *sweep.Store, report *saved.Report, err error) error {
	var there saved.Report
	if store.ReadResult(&there) != nil {
		there = saved.Report{}
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
		errs = append(errs, fmt.Errorf("there are %d rows, and at least %d are needed to tell one formula from another",
			rows, MinRows))
	}
	if len(c.inputs) == 0 {
		errs = append(errs, errors.New("there are no input columns (name some, or give a table with more columns)"))
	}
	if len(c.targets) == 0 {
		errs = append(errs, errors.New("there are no target columns (name one)"))
	}
	if c.known != nil && len(c.known.Unknown) == 0 {
		errs = append(errs, fmt.Errorf("the form %q has no function to search for; FitForm fits its constants", c.known.Text))
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
