package eql

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/run"
)

// errorColumns returns the columns that tell the errors of targets, as the options say, and what is wrong with the
// names.
func (c *config) errorColumns(targets []string) (map[string]run.ErrorColumn, error) {
	var errs []error
	of := map[string]run.ErrorColumn{}
	for _, list := range []struct {
		option  string
		columns []string
		weights bool
	}{{"sigma", c.sigma, false}, {"weights", c.weights, true}} {
		if n := len(list.columns); n > 0 && n != len(targets) {
			errs = append(errs, fmt.Errorf("%s names %d columns and there are %d targets; give one for each",
				list.option, n, len(targets)))
			continue
		}
		for i, name := range list.columns {
			other, twice := of[targets[i]]
			switch {
			case name == "":
				continue
			case name == targets[i]:
				errs = append(errs, fmt.Errorf("%s: column %q cannot tell its own errors; name another column",
					list.option, name))
			case twice:
				errs = append(errs, fmt.Errorf("columns %q and %q both tell the errors of %q; leave one out",
					other.Column, name, targets[i]))
			}
			of[targets[i]] = run.ErrorColumn{Column: name, Weights: list.weights}
		}
	}
	if len(of) == 0 {
		of = nil
	}
	return of, errors.Join(errs...)
}

// checkErrors takes the columns that tell errors and reports everything that is wrong with them.
func (c *config) checkErrors(t *datasets.Table) error {
	of, err := c.errorColumns(c.targets)
	if err != nil {
		return err
	}
	c.errors = of
	var errs []error
	for _, target := range c.targets {
		column, told := of[target]
		if !told {
			continue
		}
		errs = append(errs, positive(t, column.Column))
		if c.validation != nil {
			if err := positive(c.validation, column.Column); err != nil {
				errs = append(errs, fmt.Errorf("validation: %w", err))
			}
		}
	}
	return errors.Join(errs...)
}

// positive reports the first number of a column that is neither a standard deviation nor a weight.
func positive(t *datasets.Table, column string) error {
	col, ok := t.Col(column)
	if !ok {
		_, err := t.Select(column) // says which columns there are
		return err
	}
	for i, v := range col {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("column %q gives errors, and is %g in row %d; want more than 0 (correct the cell, "+
				"or drop the row)", column, v, i+1)
		}
	}
	return nil
}

// findLines adds the lines of outliers.
func (c *config) findLines(e *evidence.Evidence) {
	if e == nil {
		return
	}
	for i, x := range e.Errors.Outliers {
		if !x.Validation {
			e.Errors.Outliers[i].Line = c.lines.Of(x.Row)
		}
	}
}

// weigh gives the rows of a target the weights that a column of their table tells, if one is named.
func weigh(d *fit.Data, t *datasets.Table, columns []run.ErrorColumn) error {
	if len(columns) == 0 {
		return nil
	}
	if len(columns) > 1 {
		return fmt.Errorf("%d columns tell the errors of one target; leave all but one out", len(columns))
	}
	if err := positive(t, columns[0].Column); err != nil {
		return err
	}
	col, _ := t.Col(columns[0].Column)
	sigma := slices.Clone(col)
	if columns[0].Weights {
		for i, w := range sigma {
			sigma[i] = 1 / math.Sqrt(w)
		}
	}
	var common float64
	if d.W, common = fit.RootWeights(sigma); !columns[0].Weights {
		d.Sigma = common
	}
	return nil
}
