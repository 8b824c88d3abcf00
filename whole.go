package eql

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/saved"
	"github.com/eqlearner/eql/internal/sweep"
)

// Whole is a large table, of which Fit learns from a sample.
type Whole struct {
	Path, SHA256 string
	Rows         int
	// Parts yields all rows, some at a time, as tables with the columns that are used.
	Parts iter.Seq2[*datasets.Table, error]
}

// SampleOf declares the table a sample of a larger one. The run keeps its path and hash. The chosen formulas are scored
// on all its rows, in one pass; selection does not see them. [Resume] takes the option, too.
func SampleOf(w Whole) Option { return func(c *config) { c.whole = &w } }

// saved returns what a run folder keeps of it.
func (w *Whole) saved() *sweep.Whole {
	if w == nil {
		return nil
	}
	return &sweep.Whole{Path: w.Path, SHA256: w.SHA256, Rows: w.Rows}
}

// score scores what was found on all rows. What goes wrong is a warning of the result, for that is there.
func (w *Whole) score(ctx context.Context, found *sweep.Result) *saved.Whole {
	if w == nil {
		return nil
	}
	s := &saved.Whole{Whole: *w.saved()}
	rms, rows, err := w.rms(ctx, found)
	switch {
	case err != nil:
		warning := fmt.Sprintf("the formulas could not be scored on all rows: %v", err)
		found.Warnings = append(slices.Clip(found.Warnings), warning)
	case rows > 0 && rms <= math.MaxFloat64: // false for NaN
		s.Scored, s.RMS = rows, &rms
	}
	return s
}

// rms returns the RMS on all rows, and how many these are.
func (w *Whole) rms(ctx context.Context, found *sweep.Result) (rms float64, rows int, err error) {
	if w.Parts == nil || ctx.Err() != nil {
		return 0, 0, ctx.Err()
	}
	formulas, targets := saved.Formulas(found), make([]string, len(found.Chosen))
	for i, c := range found.Chosen {
		targets[i] = c.Target
	}
	sum := 0.0
	for t, err := range w.Parts {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return 0, 0, err
		}
		part, err := sweep.Score(formulas, t, found.Inputs, targets)
		if err != nil {
			return 0, 0, err
		}
		if t.Rows() > 0 {
			sum += part * part * float64(t.Rows())
			rows += t.Rows()
		}
	}
	return math.Sqrt(sum / float64(rows)), rows, nil
}
