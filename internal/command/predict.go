package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/sweep"
)

type predictOptions struct {
	application
	out      string
	interval intervalOptions
}

func predictCommand() *cli.Command {
	return &cli.Command{
		Name:      "predict",
		Usage:     "predict targets for new rows with the formulas of a run",
		ArgsUsage: "RUN DATA.csv (- reads standard input)",
		Description: `Writes a CSV with a column for each target and a row for each row of the
data. With --missing drop the prediction is NaN where an input is missing.
Column names are written as they are in the data, so that programs find them;
a note lists those that a spreadsheet would take for a formula. Dates, words
and amounts are read as in the run. A word that the run has not seen is an
error.

--interval 95 adds the columns y_low and y_high for a target y: if the formula
is right, 95 % of new measurements lie between them. --sigma-column adds
y_sigma, the standard error of the prediction, in the unit of y. Intervals
follow from the covariance of the constants and from the residuals of the fit,
by Student's t. Special values count as known, and the noise as the run found
it: equal in all rows, or in proportion to the prediction. The column outside
lists the inputs that are outside the range of the data, separated by
semicolons. Where the formula has no value, or a pole lies between a row and
the data, cells are empty, and a note lists the lines.

  eql predict eql-runs/pendulum-1 new.csv --out predictions.csv
  eql predict eql-runs/pendulum-1 new.csv --interval 95`,
		Flags: slices.Concat(applicationFlags(), []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write to `FILE` instead of standard output"},
		}, intervalFlags()),
		Action: func(c *cli.Context) error {
			a, err := parseApplication(c)
			if err != nil {
				return err
			}
			interval, err := parseInterval(c)
			if err != nil {
				return err
			}
			return runPredict(predictOptions{a, c.String("out"), interval}, os.Stdin, os.Stdout, os.Stderr)
		},
	}
}

func runPredict(o predictOptions, stdin io.Reader, stdout, stderr io.Writer) error {
	if err := notOver(o.out, o.data); err != nil {
		return err
	}
	r, sheet, err := o.open(stdin, stderr)
	if err != nil {
		return err
	}
	if o.interval.any() {
		return runIntervals(o, r, sheet, stdout, stderr)
	}
	used := r.used()
	inputs, kept, err := codedTable(sheet, used, r.Store.Config().Columns)
	if err != nil {
		return err
	}
	rows := len(kept)
	if missing := sheet.Rows() - rows; missing > 0 {
		tell(stderr, "note: %s: %d of %d rows have a missing cell; their predictions are NaN",
			sheet.Name(), missing, sheet.Rows())
	}
	y, err := r.predict(used, inputs.Cols, rows)
	if err != nil {
		return err
	}
	out := &datasets.Table{Names: r.Report.Targets}
	for _, target := range r.Report.Targets {
		if n := notFinite(y[target]); n > 0 {
			tell(stderr, "note: %d of %d predictions of %q are not finite", n, rows, target)
		}
		col := slices.Repeat([]float64{math.NaN()}, sheet.Rows()) // where an input is missing
		for k, i := range kept {
			col[i] = y[target][k]
		}
		out.Cols = append(out.Cols, col)
	}
	noteFormulas(stderr, out.Names)
	if o.out == "" {
		return out.WriteCSV(stdout)
	}
	return writeFile(o.out, out.WriteCSV)
}

// noteFormulas says which names of columns a spreadsheet would compute. A mark before them would keep it from that, and
// would keep programs, eql too, from finding the columns.
func noteFormulas(w io.Writer, names []string) {
	var formulas []string
	for _, name := range names {
		if _, err := strconv.ParseFloat(name, 64); err != nil && strings.ContainsAny(name[:min(1, len(name))], "=+-@") {
			formulas = append(formulas, strconv.Quote(name))
		}
	}
	if formulas != nil {
		tell(w, "note: a spreadsheet would take these column names for formulas: %s (import the columns as text, or rename "+
			"them in the data and start a new run)", strings.Join(formulas, ", "))
	}
}

// notFinite returns how many numbers are infinite or none.
func notFinite(col []float64) int {
	n := 0
	for _, v := range col {
		if v-v != 0 { // x−x is 0 for finite x only
			n++
		}
	}
	return n
}

// notOver refuses to write over the file that is read.
func notOver(out, data string) error {
	to, err := os.Stat(out)
	if err != nil {
		return nil // as nothing is there
	}
	if from, err := os.Stat(data); err == nil && os.SameFile(to, from) {
		return usagef("--out %s is the file with the data (choose another)", shellWord(out))
	}
	return nil
}

// writeFile creates a file, or replaces it when all of it could be written. What is not a regular
// file, such as a pipe, is written to as it is.
func writeFile(path string, write func(io.Writer) error) error {
	const advice = "choose another file by --out"
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("writing: %w (%s)", err, advice)
		}
		return errors.Join(write(f), f.Close())
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	if err := sweep.ReplaceFile(path, b.Bytes()); err != nil {
		return fmt.Errorf("writing %s: %w (%s)", path, err, advice)
	}
	return nil
}
