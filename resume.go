package eql

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// resumed returns the configuration of a run that goes on, with the options that do not change its result. All
// others must say what the run began with.
func resumed(dir string, saved sweep.RunConfig, options []Option) (*config, error) {
	c := &config{}
	for _, o := range options {
		o(c)
	}
	settings, same, err := adjusted(saved.Settings, c.adjust)
	if err != nil {
		return nil, err
	}
	used := slices.Concat(saved.Inputs, saved.Targets)
	told, err := c.errorColumns(saved.Targets)
	if err != nil {
		return nil, err
	}
	isTest := func(given sweep.DataFile) bool {
		return slices.ContainsFunc(saved.Tests, func(t sweep.DataFile) bool {
			return t.Name == given.Name && sameTable(t.Table, given.Table, used)
		})
	}
	states := saved.Trajectory != nil && slices.Equal(c.targets, saved.Trajectory.States)
	validated := c.validation == nil || saved.Validation != nil && sameTable(saved.Validation.Table, c.validation, used)
	var other []string
	for _, part := range []struct {
		name string
		same bool
	}{
		{"times", c.time == "" || saved.Trajectory != nil && saved.Trajectory.Time == c.time},
		{"targets", c.targets == nil || states || slices.Equal(c.targets, saved.Targets)},
		{"inputs", c.inputs == nil || slices.Equal(c.inputs, saved.Inputs)},
		{"settings", same && (!c.paper || saved.Settings.Preset == run.Paper().Preset)},
		{"validation rows", validated},
		{"test rows", !slices.ContainsFunc(c.tests, func(t sweep.DataFile) bool { return !isTest(t) })},
		{"columns of errors", told == nil || reflect.DeepEqual(told, saved.Errors)},
		{"codings of columns", c.columns == nil || reflect.DeepEqual(c.columns, saved.Columns)},
		{"whole table", c.whole == nil || saved.Whole != nil && *saved.Whole == *c.whole.saved()},
		{"folder", c.folder == "" || filepath.Clean(c.folder) == filepath.Clean(dir)},
	} {
		if !part.same {
			other = append(other, part.name)
		}
	}
	if other != nil {
		return nil, &OtherRunError{dir, other}
	}
	c.Settings, c.targets, c.inputs, c.tests, c.validation = settings, saved.Targets, saved.Inputs, saved.Tests, nil
	c.columns, c.errors, c.lines = saved.Columns, saved.Errors, saved.Lines
	if c.path, err = saved.Path(); err != nil {
		return nil, err
	}
	if w := saved.Whole; w != nil && c.whole == nil {
		c.whole = &Whole{Path: w.Path, SHA256: w.SHA256, Rows: w.Rows}
	}
	if saved.Validation != nil {
		c.validation = saved.Validation.Table
	}
	return c, nil
}

// An OtherRunError reports options of [Resume] that differ from those of the run.
type OtherRunError struct {
	Dir   string
	Other []string // what differs: targets, inputs, settings, …
}

// Error names what differs.
func (e *OtherRunError) Error() string {
	return fmt.Sprintf("%s: the run has other %s; leave them out to continue it, or start a new run",
		e.Dir, strings.Join(e.Other, ", "))
}

// adjusted returns a copy of settings, and whether the adjustments leave them as they are.
func adjusted(s run.Settings, adjust []func(*run.Settings)) (*run.Settings, bool, error) {
	before, err := json.Marshal(s)
	var kept, changed run.Settings // with lists of their own
	if err = errors.Join(err, json.Unmarshal(before, &kept), json.Unmarshal(before, &changed)); err != nil {
		return nil, false, err
	}
	for _, f := range adjust {
		f(&changed)
	}
	after, err := json.Marshal(changed)
	return &kept, err == nil && string(after) == string(before), nil
}

// sameTable reports whether two tables have the same numbers in the columns named.
func sameTable(a, b *datasets.Table, columns []string) bool {
	return !slices.ContainsFunc(columns, func(name string) bool {
		x, inA := a.Col(name)
		y, inB := b.Col(name)
		return !inA || !inB || !slices.Equal(x, y)
	})
}
