package eql

import (
	"errors"
	"fmt"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/internal/saved"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/internal/trajectory"
)

// Derivative says that the rows of the table are states of a system at the times of a column, which increase. [Fit]
// learns a formula for the derivative of each target, named dx_dt for a target x and the time t, from the columns named
// by [Inputs]. By default targets and inputs are all columns but the time.
//
// Derivatives and states are those of polynomials fitted to the rows around each row; their width is chosen by
// cross-validation, for each target. [Result.Trajectory] says how, and how far the integrated formulas are from the
// data; a formula holds only if they are near. [Inputs] may name the time. Columns of errors, groups of rows, known
// forms, samples of larger tables, and tables to validate or test on are errors.
func Derivative(time string) Option { return func(c *config) { c.time = time } }

// differentiate returns the table of derivatives that is learned from in place of a trajectory, with targets, inputs
// and lines of that.
func (c *config) differentiate(t *datasets.Table) (*datasets.Table, error) {
	if c.targets == nil {
		for _, name := range t.Names {
			if name != c.time {
				c.targets = append(c.targets, name)
			}
		}
	}
	path, err := trajectory.New(t, c.time, c.targets)
	if err := errors.Join(err, c.checkDerivative()); err != nil {
		return nil, err
	}
	if c.inputs == nil {
		for _, name := range t.Names {
			if name != c.time {
				c.inputs = append(c.inputs, name)
			}
		}
	}
	rates, rows, err := path.SlopesOf(MinRows)
	if err != nil {
		return nil, err
	}
	c.path, c.targets, c.sigma, c.lines = path, path.Rates, path.Errors, c.lines.Take(rows)
	columns := map[string]datasets.Coding{}
	for _, name := range c.inputs {
		if coding, ok := c.columns[name]; ok {
			columns[name] = coding
		}
	}
	c.columns = columns
	return rates, nil
}

// checkDerivative reports the options that have no meaning for derivatives.
func (c *config) checkDerivative() error {
	var errs []error
	for _, part := range []struct {
		what  string
		given bool
	}{
		{"a form", c.known != nil},
		{"a table to validate on", c.validation != nil},
		{"a table to test on", len(c.tests) > 0},
		{"a column of errors or weights", len(c.sigma)+len(c.weights) > 0},
		{"groups of rows", len(c.groups()) > 0},
		{"a sample of a larger table", c.whole != nil},
	} {
		if part.given {
			errs = append(errs, fmt.Errorf("%s cannot be combined with derivatives of a trajectory", part.what))
		}
	}
	return errors.Join(errs...)
}

// follow judges the chosen formulas of a result by where they lead to along the trajectory.
func (c *config) follow(found *sweep.Result) error {
	t, err := saved.Follow(c.path, saved.Formulas(found))
	if err != nil || t == nil || t.Follows() {
		return err
	}
	for _, choice := range found.Chosen {
		if e := choice.Evidence; e != nil && e.Level == evidence.Holds {
			e.Verdict = t.Doubt()
		}
	}
	return nil
}

// Trajectory tells how the derivatives of a run by [Derivative] were computed, and how well the integrated formulas
// follow the trajectory; nil for other runs.
func (r *Result) Trajectory() *evidence.Trajectory { return r.report.Trajectory.Read() }
