package eql

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/internal/trajectory"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// An Option changes a call of [Fit], [FitEach], [Plan] or [Resume]. Options may be given in any order. An option with a
// single value, such as [Seed], counts as it is given last.
type Option func(*config)

// config is what options set. What is saved with a run and decides its result is a field of [run.Settings]; an option
// for it, such as [Seed], is one line of [Adjust]. What belongs to one table or one call, such as [Validation] or
// [Workers], is a field of config, and has a line in [resumed] that says whether it may change when a run goes on.
type config struct {
	*run.Settings
	paper           bool
	adjust          []func(*run.Settings)
	targets, inputs []string
	known           *KnownForm
	validation      *datasets.Table
	tests           []sweep.DataFile
	workers         int
	device          trainer.Device
	timeLimit       time.Duration
	observe         func(run.Event)
	folder          string
	whole           *Whole
	columns         map[string]datasets.Coding
	sigma, weights  []string                   // columns, one for each target or ""
	errors          map[string]run.ErrorColumn // of targets, what these come to
	lines           datasets.Lines
	time            string           // the column of times of a trajectory, "" for a table of other rows
	path            *trajectory.Path // that the targets are derivatives along, nil without one
}

// Targets names the columns to learn formulas for; by default the last column, of those that are not times or words.
func Targets(names ...string) Option { return func(c *config) { c.targets = names } }

// Inputs names the columns that formulas may use; by default all that are not targets.
func Inputs(names ...string) Option { return func(c *config) { c.inputs = names } }

// Columns records how cells became the numbers of the named columns, see [datasets.Sheet.Codings]. They do not change
// what is learned. The run keeps them, so that [Result.Read] reads other tables in the same way.
func Columns(codings map[string]datasets.Coding) Option {
	return func(c *config) { c.columns = codings }
}

// Sigma names the columns of the table with the standard deviation of each row's error, one for each target in order,
// "" for none. These columns are not inputs unless [Inputs] names them. Intervals use the standard deviations as given,
// unless the residuals are larger than these allow.
func Sigma(columns ...string) Option { return func(c *config) { c.sigma = columns } }

// Weights names the columns of the table with weights in proportion to one over the variance of each row's error, one
// for each target in order, "" for none. These columns are not inputs unless [Inputs] names them.
func Weights(columns ...string) Option { return func(c *config) { c.weights = columns } }

// Lines gives the lines of the file for the rows of the table. Outliers are then listed with their lines.
func Lines(lines datasets.Lines) Option { return func(c *config) { c.lines = lines } }

// Errors sets how the errors of rows compare if no column gives them: [run.ErrorsAuto] (by default), ErrorsAbsolute or
// ErrorsRelative, in proportion to the prediction.
func Errors(how run.Errors) Option { return Adjust(func(s *run.Settings) { s.Errors = how }) }

// Outliers sets the treatment of rows that the law does not explain: [run.OutliersAuto] (by default), OutliersKeep or
// OutliersDrop.
func Outliers(how run.Outliers) Option { return Adjust(func(s *run.Settings) { s.Outliers = how }) }

// PaperPreset starts from [run.Paper], the protocol of Martius and Lampert 2016, in place of
// [run.Quick].
func PaperPreset() Option { return func(c *config) { c.paper = true } }

// Adjust changes settings of the preset. It may be given more than once.
func Adjust(f func(*run.Settings)) Option {
	return func(c *config) { c.adjust = append(c.adjust, f) }
}

// MaxComplexity limits the number of nodes of the chosen formula and of all rows of the table; by default there is no
// limit.
func MaxComplexity(nodes int) Option {
	return Adjust(func(s *run.Settings) { s.Limits.MaxComplexity = nodes })
}

// MaxConstants limits the number of constants of the chosen formula and of all rows of the table; by default there is
// no limit.
func MaxConstants(n int) Option {
	return Adjust(func(s *run.Settings) { s.Limits.MaxConstants = n })
}

// Require names inputs that the chosen formula and all rows of the table must contain.
func Require(inputs ...string) Option {
	return Adjust(func(s *run.Settings) { s.Limits.Require = append(s.Limits.Require, inputs...) })
}

// Seed sets the seed of every random choice; by default 0.
func Seed(seed uint64) Option { return Adjust(func(s *run.Settings) { s.Seed = seed }) }

// UnitsOf gives the units of columns, such as m/s^2, and how they are used; an empty use is run.DimensionsPrefer, which
// prefers formulas whose constants need no units. Columns without a unit are pure numbers.
func UnitsOf(columns map[string]string, use run.Dimensions) Option {
	return Adjust(func(s *run.Settings) { s.UnitsOf, s.Dimensions = columns, use })
}

// Validation gives rows to validate on, in place of rows held out from the table.
func Validation(t *datasets.Table) Option { return func(c *config) { c.validation = t } }

// WithTest adds a table that the result is scored on. Selection does not see it.
func WithTest(name string, t *datasets.Table) Option {
	return func(c *config) { c.tests = append(c.tests, sweep.DataFile{Name: name, Table: t}) }
}

// Workers sets the number of goroutines that train; by default one a processor. It does not
// change the result.
func Workers(n int) Option { return func(c *config) { c.workers = n } }

// OnDevice sets the device that networks are trained on; by default trainer.Auto, a GPU for long rounds if there is
// one.
func OnDevice(d trainer.Device) Option { return func(c *config) { c.device = d } }

// TimeLimit stops the search when another round would likely end after it; by default there is no limit. On more than
// 2000 rows, and where the first round takes more than some seconds of a processor, it ends that round, too. If no time
// is left to judge the formulas, constants and evidence are from 2000 of the rows, and a warning says so. The limit
// holds for this call: [Resume] keeps the finished rounds and starts counting from zero.
func TimeLimit(d time.Duration) Option { return func(c *config) { c.timeLimit = d } }

// Observe sets a function that receives the progress of the run, from one goroutine at a time.
func Observe(f func(run.Event)) Option { return func(c *config) { c.observe = f } }

// Folder keeps the run in a folder that does not exist yet. [Resume] can then continue it, and [Load] read its result.
func Folder(dir string) Option { return func(c *config) { c.folder = dir } }

// newConfig applies the options, fills in the defaults and checks everything. It returns the table to learn from, too.
func newConfig(t *datasets.Table, options []Option) (*config, *datasets.Table, error) {
	c := &config{}
	for _, o := range options {
		o(c)
	}
	if c.time != "" {
		var err error
		if t, err = c.differentiate(t); err != nil {
			return nil, nil, err
		}
	}
	if c.targets == nil {
		c.targets = c.defaultTarget(t)
	}
	if c.inputs == nil {
		for _, name := range t.Names {
			if !slices.Contains(c.targets, name) && !slices.Contains(c.sigma, name) && !slices.Contains(c.weights, name) {
				c.inputs = append(c.inputs, name)
			}
		}
	}
	if _, err := kernel.Selected(); err != nil {
		return nil, nil, err
	}
	if err := c.check(t); err != nil {
		return nil, nil, err
	}
	s := run.Quick(t.Rows(), len(c.inputs))
	if c.paper {
		s = run.Paper()
	}
	for _, f := range c.adjust {
		f(&s)
	}
	c.Settings = &s
	return c, t, errors.Join(c.checkUnits(), s.Validate())
}

// checkUnits reports units of columns that the run does not use.
func (c *config) checkUnits() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(c.UnitsOf)) {
		if !slices.Contains(c.inputs, name) && !slices.Contains(c.targets, name) {
			errs = append(errs, fmt.Errorf("there is a unit for column %q, which is neither an input nor a target", name))
		}
	}
	return errors.Join(errs...)
}

// defaultTarget returns the last column that is not of times or words, which other columns depend on.
func (c *config) defaultTarget(t *datasets.Table) []string {
	for i, name := range slices.Backward(t.Names) {
		if coding, coded := c.columns[name]; !coded || !coding.InputOnly() {
			return t.Names[i : i+1]
		}
	}
	return nil
}

// runConfig returns what a run folder keeps.
func (c *config) runConfig(t *datasets.Table) sweep.RunConfig {
	r := sweep.RunConfig{Settings: *c.Settings, Inputs: c.inputs, Targets: c.targets, Columns: c.columns,
		Errors: c.errors, Lines: c.lines, Whole: c.whole.saved()}
	used, _ := t.Select(run.Columns(c.inputs, c.targets, c.errors)...) // checked
	r.Data = sweep.DataFile{Name: "data", Table: used}
	if c.validation != nil {
		r.Validation = &sweep.DataFile{Name: "validation", Table: c.validation}
	}
	r.Tests = slices.Clone(c.tests)
	if c.path != nil {
		r.Trajectory = &sweep.Trajectory{DataFile: sweep.DataFile{Name: "trajectory", Table: c.path.Table},
			Time: c.path.Time, States: c.path.States}
	}
	return r
}
