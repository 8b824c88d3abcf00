package command

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/internal/sweep"
)

// intervalOptions say what predict writes beside the predictions.
type intervalOptions struct {
	percent float64 // 0: no intervals
	of      eql.IntervalOf
	sigma   bool
	outside bool
}

// any reports whether anything is written beside the predictions.
func (o intervalOptions) any() bool { return o.percent > 0 || o.sigma || o.outside }

func intervalFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Float64Flag{
			Name: "interval", DefaultText: "none",
			Usage: "add the ends of intervals that hold `PERCENT` of new measurements, such as 95",
		},
		&cli.StringFlag{
			Name: "interval-of", Value: "prediction",
			Usage: "`prediction|mean`: intervals and sigmas are of a new measurement (prediction), or of the curve alone (mean)",
		},
		&cli.BoolFlag{
			Name: "sigma-column", DisableDefaultText: true,
			Usage: "add the standard error of each prediction",
		},
		&cli.BoolFlag{
			Name: "outside", DisableDefaultText: true,
			Usage: "add a column that names the inputs outside the range of the data; --interval implies it",
		},
	}
}

func parseInterval(c *cli.Context) (o intervalOptions, err error) {
	o = intervalOptions{percent: c.Float64("interval"), sigma: c.Bool("sigma-column"), outside: c.Bool("outside")}
	if c.IsSet("interval") && !(o.percent > 0 && o.percent < 100) {
		return o, usagef("--interval is %g, want a percentage between 0 and 100, such as 95", o.percent)
	}
	switch of := c.String("interval-of"); of {
	case "prediction":
	case "mean":
		o.of = eql.OfMean
	default:
		return o, usagef("--interval-of is %q, want prediction or mean", of)
	}
	if c.IsSet("interval-of") && o.percent == 0 && !o.sigma {
		return o, usagef("--interval-of has no effect without intervals (add --interval 95, or --sigma-column)")
	}
	o.outside = o.outside || o.percent > 0
	return o, nil
}

// csvColumn is a column of text, with an empty cell where there is nothing to say.
type csvColumn struct {
	name  string
	cells []string
}

// csvTable is a table of text, whose columns get names that nothing else has.
type csvTable struct {
	columns []csvColumn
	rows    int
	kept    []int    // the rows that columns have something to say of
	taken   []string // names
	notes   io.Writer
}

// add adds a column with a cell for each of the rows kept.
func (t *csvTable) add(name string, cell func(k int) string) {
	c := csvColumn{name, make([]string, t.rows)}
	for k, i := range t.kept {
		c.cells[i] = cell(k)
	}
	t.columns = append(t.columns, c)
}

// addFree is add with another name where a column of the data or a target has it.
func (t *csvTable) addFree(want string, cell func(k int) string) {
	name := want
	for slices.Contains(t.taken, name) {
		name += "_"
	}
	if name != want {
		fmt.Fprintf(t.notes, "note: there is already a column %q, so the new one is called %q\n", want, name)
	}
	t.taken = append(t.taken, name)
	t.add(name, cell)
}

// runIntervals writes predictions with what was asked for beside them.
func runIntervals(o predictOptions, r *savedRun, sheet *datasets.Sheet, stdout, stderr io.Writer) error {
	if percent := o.interval.percent; percent > 0 && percent < 1 {
		tell(stderr, "note: --interval is in percent: %g holds %[1]g in a hundred (--interval 95 holds 95)", percent)
	}
	used, predictions, kept, err := r.withIntervals(o.interval, sheet, stderr)
	if err != nil {
		return err
	}
	taken := append(slices.Clone(r.Report.Targets), sheet.Columns()...)
	t := &csvTable{rows: sheet.Rows(), kept: kept, taken: taken, notes: stderr}
	for i, target := range r.Report.Targets {
		p := predictions[i]
		t.add(target, func(k int) string { return cellOf(p.Value[k]) })
		if o.interval.percent > 0 {
			t.addFree(target+"_low", func(k int) string { return cellOf(p.Low[k]) })
			t.addFree(target+"_high", func(k int) string { return cellOf(p.High[k]) })
		}
		if o.interval.sigma {
			t.addFree(target+"_sigma", func(k int) string { return cellOf(p.Sigma[k]) })
		}
	}
	if o.interval.outside {
		t.addFree("outside", func(k int) string { return outsideOf(used, predictions, k) })
	}
	var names []string
	for _, c := range t.columns {
		names = append(names, c.name)
	}
	noteFormulas(stderr, names)
	write := func(w io.Writer) error { return writeColumns(w, t.columns) }
	if o.out == "" {
		return write(stdout)
	}
	return writeFile(o.out, write)
}

// withIntervals predicts each target on the rows without empty cells, whose indices it returns, and notes what
// has no value or no interval. used are the inputs that any formula reads.
func (r *savedRun) withIntervals(o intervalOptions, sheet *datasets.Sheet, notes io.Writer) (
	used []string, list []eql.Predictions, kept []int, err error,
) {
	used = r.used()
	t, kept, err := codedTable(sheet, used, r.Store.Config().Columns)
	if err != nil {
		return nil, nil, nil, err
	}
	if missing := sheet.Rows() - len(kept); missing > 0 {
		tell(notes, "note: %s: %d of %d rows have a missing cell; their predictions are empty",
			sheet.Name(), missing, sheet.Rows())
	}
	for _, target := range r.Report.Targets {
		p, err := r.predictor(target)
		if err != nil {
			return nil, nil, nil, err
		}
		if p.Open > 0 {
			fmt.Fprintf(notes, "note: the data leave some combination of the constants of %q open; "+
				"only predictions that it would change have no interval\n", target)
		}
		if e := r.errorsOf(target); o.percent > 0 && o.of == eql.OfPrediction &&
			(e.Kind == evidence.ErrorsGiven || e.Kind == evidence.ErrorsWeighted) {
			tell(notes, "note: the rows of the run had errors of their own (column %q), and new rows have none: intervals are "+
				"those of a measurement of %q with an error of %.3g (--interval-of mean: of the curve alone)",
				e.Column, target, p.Noise)
		}
		var cols [][]float64
		for _, name := range p.Inputs {
			col, _ := t.Col(name) // it is one of those used
			cols = append(cols, col)
		}
		found := p.At(cols, len(kept), o.percent/100, o.of)
		noteEmpty(notes, target, found, kept, o.percent > 0)
		list = append(list, found)
	}
	return used, list, kept, nil
}

// noteEmpty says which predictions have no value, and which have no ends of intervals.
func noteEmpty(w io.Writer, target string, p eql.Predictions, kept []int, intervals bool) {
	var without, open []int
	for k, i := range kept {
		switch {
		case math.IsNaN(p.Value[k]):
			without = append(without, i)
		case math.IsInf(p.Sigma[k], 0):
			open = append(open, i)
		}
	}
	if without != nil {
		tell(w, "note: %q has no value, or is beyond a pole, and is empty in %s of the output",
			target, linesOf(without))
	}
	if open != nil && intervals {
		tell(w, "note: %q depends on constants that the data do not determine, and has no interval in %s of the output",
			target, linesOf(open))
	}
}

// linesOf lists the lines of rows in a CSV whose first line is the header.
func linesOf(rows []int) string {
	const most = 10
	var lines []string
	for _, i := range rows[:min(most, len(rows))] {
		lines = append(lines, strconv.Itoa(i+2))
	}
	text := "line " + lines[0]
	if len(lines) > 1 {
		text = "lines " + strings.Join(lines, ", ")
	}
	if more := len(rows) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// predictor returns what predicts a target with its errors.
func (r *savedRun) predictor(target string) (*eql.Predictor, error) {
	p, err := eql.NewPredictorWith(r.formulas[target], target, r.Found.Train, r.special(target), r.errorsOf(target))
	if err != nil {
		return nil, fmt.Errorf("%s: %w; leave out --interval and --sigma-column, and eql predict needs no errors",
			r.Store.Dir(), err)
	}
	return p, nil
}

// errorsOf returns what the run found of the errors of a target, for its chosen formula.
func (r *savedRun) errorsOf(target string) evidence.Errors {
	if e := r.evidence(target); e != nil && r.model < 0 {
		return e.Errors
	}
	return evidence.Errors{}
}

// special returns the special values that constants of the chosen formula of a target became.
func (r *savedRun) special(target string) []float64 {
	if e := r.evidence(target); e != nil && r.model < 0 {
		return sweep.SpecialValues(e.Constants)
	}
	return nil
}

// outsideOf names the inputs that are outside the range of the data in row k for any target, in the order of the run.
func outsideOf(used []string, predictions []eql.Predictions, k int) string {
	var names []string
	for _, name := range used {
		if slices.ContainsFunc(predictions, func(p eql.Predictions) bool { return slices.Contains(p.Outside[k], name) }) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ";")
}

// cellOf writes a number with all its digits, and nothing for what is not finite.
func cellOf(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// writeColumns writes columns as a CSV with a header.
func writeColumns(w io.Writer, columns []csvColumn) error {
	header := &datasets.Table{}
	for _, c := range columns {
		header.Names, header.Cols = append(header.Names, c.name), append(header.Cols, nil)
	}
	if err := header.WriteCSV(w); err != nil {
		return err
	}
	var b strings.Builder
	for i := range columns[0].cells {
		for j, c := range columns {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quoteCell(c.cells[i]))
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// quoteCell quotes a cell that a reader would otherwise split.
func quoteCell(cell string) string {
	if !strings.ContainsAny(cell, ",;\t\"\n\r #") {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}
