package command

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

const (
	mostRows   = 200_000 // that are learned from: as many as quick trains on
	rowsOfPart = 1 << 16 // that are scored at a time
)

// sampling says how data is read: quick learns from a sample where there is more. Standard input can be read once only,
// so a second sample is drawn from it to score the result on.
func (o fitOptions) sampling(path string) datasets.Options {
	reading := o.reading
	switch {
	case o.paper:
	case path == "-":
		reading.Most = 2 * mostRows
	default:
		reading.Most = mostRows
	}
	return reading
}

// read reads the data, a sample of its rows where there are many, and says which columns are used. The sheet is there
// when the file could be read.
func (o fitOptions) read(path string, stdin io.Reader, notes io.Writer) (*datasets.Sheet, usedSheet, error) {
	sheet, err := readSheet(path, stdin, o.sampling(path), notes)
	if err != nil {
		return nil, usedSheet{}, err
	}
	used, err := o.use(sheet, notes)
	switch {
	case err != nil:
	case path == "-" && !o.paper && used.table.Rows() > mostRows:
		used = used.halved(sheet, notes)
	case path != "-" && sheet.Total() > sheet.Rows():
		tell(notes, "note: %s: formulas are learned from a random sample of %d of %d rows, and scored on all rows",
			sheet.Name(), sheet.Rows(), sheet.Total())
		var absolute string
		if absolute, err = filepath.Abs(path); err == nil {
			used.options = append(used.options, eql.SampleOf(eql.Whole{
				Path: absolute, SHA256: sheet.SHA256(), Rows: sheet.Total(),
				Parts: o.allRows(path, used.roles.used(), used.roles.codings),
			}))
		}
	}
	return sheet, used, err
}

// halved leaves a sample to be learned from and makes the other rows a test.
func (u usedSheet) halved(sheet *datasets.Sheet, notes io.Writer) usedSheet {
	order := rand.New(rand.NewPCG(mostRows, 0)).Perm(u.table.Rows())
	learned, others := order[:mostRows], order[mostRows:]
	slices.Sort(learned)
	slices.Sort(others)
	of := make([]int, len(learned))
	for i, row := range learned {
		of[i] = u.rows[row]
	}
	tell(notes, "note: %s: formulas are learned from a random sample of %d of %d rows, and scored on %d others",
		sheet.Name(), len(learned), sheet.Total(), len(others))
	test := eql.WithTest(fmt.Sprintf("%d other rows", len(others)), u.table.Take(others))
	u.options = append(u.options, eql.Lines(sheet.Lines(of)), test)
	u.table, u.rows = u.table.Take(learned), of
	return u
}

// allRows yields the rows of a file as the result is scored on them.
func (o fitOptions) allRows(
	path string, columns []string, codings map[string]datasets.Coding,
) iter.Seq2[*datasets.Table, error] {
	return func(yield func(*datasets.Table, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		for sheet, err := range datasets.ReadParts(f, path, o.reading, rowsOfPart) {
			var t *datasets.Table
			if err == nil {
				t, _, err = codedTable(sheet, columns, codings)
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// wholeOf returns the option to score on all rows a run whose data is a sample, with an error where the file is not
// there.
func (o fitOptions) wholeOf(c sweep.RunConfig) ([]eql.Option, error) {
	w := c.Whole
	if w == nil {
		return nil, nil
	}
	if _, err := os.Stat(w.Path); err != nil {
		return nil, fmt.Errorf("%s: %w", w.Path, errors.Unwrap(err))
	}
	return []eql.Option{eql.SampleOf(eql.Whole{
		Path: w.Path, SHA256: w.SHA256, Rows: w.Rows,
		Parts: o.allRows(w.Path, run.Columns(c.Inputs, c.Targets, c.Errors), c.Columns),
	})}, nil
}
