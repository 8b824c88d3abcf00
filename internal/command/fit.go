package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// fitOptions is what the flags of fit say. A nil list or pointer means that the flag was not given.
// Lists of names are as given, see split.
type fitOptions struct {
	data       string // path, "-" for standard input
	reading    datasets.Options
	targets    []string
	inputs     []string
	ignore     []string
	sigma      []string
	weights    []string
	by         string       // column whose cells are groups, "" without one
	time       string       // column of the times of a trajectory, "" without one
	form       *formOptions // of a law that is known in part; nil: nothing is known
	validation string
	tests      []string
	measured   measured
	paper      bool
	adjust     []func(*sweep.Settings)
	timeLimit  *time.Duration
	workers    int
	device     trainer.Device
	out        string
	resume     string
	shards     int    // plan the grid in so many
	shard      string // train this one; data is the folder of the run
	anyClass   bool
	json       bool
	quiet      bool
}

// defaultTimeLimit is the limit of runs that did not start from the paper's settings.
const defaultTimeLimit = time.Minute

func fitCommand() *cli.Command {
	return &cli.Command{
		Name:      "fit",
		Usage:     "learn formulas from a table",
		ArgsUsage: "DATA.csv (- reads standard input)",
		Description: `Learns a formula for each target column. Prints, for each target, the table
of the best formulas by complexity and error (* marks the chosen one) and the
evidence for the chosen one, and at the end the chosen formulas. The run is
kept in a folder, and its path is printed on standard error: eql predict,
score, show, choose, refit and report take this path. Values of a list are
separated by commas. If the name of a column contains a comma, give each
column by a flag of its own.

Dates, times and numbers such as 1,234.5 or 12.5 % are read as numbers, and
so are columns that hold two different words, such as yes and no. Notes say
how each was read; predict and score read such cells in the same way. A
column of more words is left out, unless the target differs between its
groups, see --by. Units of measurement, in a line below the header or by
--units-of, give units to constants and guide the search, see --dimensions. A
cell that is empty, NA, NaN, null, n/a, #N/A, ?, - or . is missing. Rows
below the table that begin with Total, Mean and the like are left out. Files
may be compressed by gzip. If a table has more than 200,000 rows, formulas are
learned from a sample of 200,000 and scored on all rows; --preset paper
learns from all rows.

  eql fit pendulum.csv --target y1,y2 --test far.csv
  eql fit data.csv --inputs voltage,current --time-limit 5m
  eql fit data.csv --preset paper --layers 2 --width 1,3,5 --restarts 1
  eql fit data.csv --form 'y = a*exp(-b*t) + c' --bound 'b>0'
  eql fit data.csv --form 'y = f(x1, x2)/(1 + x3^2)'
  eql fit motion.csv --derivative t
  eql fit data.csv --units-of 'F=N,m=kg,a=m/s^2' --dimensions require
  generate | eql fit - --json | jq .formula
  eql fit --resume eql-runs/data-1

With --preset paper the networks of a grid do not depend on each other, and
machines that share a folder can train them together:

  eql fit data.csv --preset paper --width 1,3 --shards 8 --out RUN  # plan
  eql fit RUN --shard 3                                             # 0 to 7
  eql fit --resume RUN                                              # join`,
		Flags: slices.Concat(fitFlags(), unitFlags(), formFlags(),
			shardFlags("Several machines", "the training of a grid")),
		Action: fitAction,
	}
}

func fitAction(c *cli.Context) error {
	if c.IsSet("form") && !eql.HasUnknown(c.String("form")) {
		return formAction(c)
	}
	o, err := parseFit(c)
	if err != nil {
		return err
	}
	return runFit(c.Context, o, os.Stdin, os.Stdout, os.Stderr)
}

// outcome is what fit prints.
type outcome struct {
	folder string
	result *eql.Result
}

// runFit learns, or goes on learning, and prints what came out of it, whatever then went wrong.
func runFit(ctx context.Context, o fitOptions, stdin io.Reader, stdout, stderr io.Writer) error {
	notes := stderr
	if o.quiet {
		notes = io.Discard
	}
	switch {
	case o.shard != "":
		return o.trainShard(ctx, notes)
	case o.shards > 0:
		return o.plan(stdin, stdout, notes)
	}
	learn := o.learn
	if o.resume != "" {
		learn = o.goOn
	}
	found, err := learn(ctx, stdin, notes)
	var card *trainer.CardError
	if errors.As(err, &card) && found.folder != "" {
		err = fmt.Errorf("%w\nwhat was trained before is kept: eql fit --resume %s --device cpu continues",
			err, shellWord(found.folder))
	}
	if found.result == nil {
		return err
	}
	found.note(notes, err)
	show := printResult
	if o.json {
		show = printJSON
	}
	return errors.Join(show(stdout, found.result), err)
}

// note says what one has to know about the outcome of a run that ended with an error, or without.
func (f outcome) note(w io.Writer, err error) {
	for _, warning := range f.result.Warnings {
		tell(w, "warning: %s", warning)
	}
	tell(w, "run: %s", f.folder)
	resume := "eql fit --resume " + shellWord(f.folder)
	switch ended := f.result.Ended; {
	case f.result.Kept && err != nil:
		tell(w, "interrupted: these are the earlier results of the run; %s continues it", resume)
	case ended == run.EndedInterrupted:
		tell(w, "interrupted: these are partial results; %s continues the run", resume)
	case err != nil:
		tell(w, "note: the results could not be saved; %s computes them again", resume)
	case ended == run.EndedByTime:
		tell(w, "note: the time limit ended the search before all rounds were trained; %s --time-limit 0 trains the others",
			resume)
	}
	if sweep.HasByHand(f.folder) {
		tell(w, "note: this is the choice of the run; eql show %s shows the one made by hand", shellWord(f.folder))
	}
	if ended := endedNote(f.result); ended != "" {
		tell(w, "note: %s", ended)
	}
}

// learn fits the data anew.
func (o fitOptions) learn(ctx context.Context, stdin io.Reader, notes io.Writer) (outcome, error) {
	table, options, err := o.tables(stdin, notes)
	if err != nil {
		return outcome{}, err
	}
	running, p := o.running(o.paper, notes)
	defer p.done()
	ctx, stop := untilInterrupt(ctx, p.interrupted)
	defer stop()
	options = append(options, running...)
	var result *eql.Result
	dir, err := inNewFolder(o.out, runName(o.data), func(dir string) (bool, error) {
		var err error
		result, err = eql.Fit(ctx, table, append(slices.Clip(options), eql.Folder(dir))...)
		return result != nil, err
	})
	return outcome{folder: dir, result: result}, err
}

// goOn resumes a run. One that is complete has nothing to go on with, and its result is what it has.
func (o fitOptions) goOn(ctx context.Context, stdin io.Reader, notes io.Writer) (outcome, error) {
	store, err := sweep.Open(o.resume)
	if err != nil {
		return outcome{}, err
	}
	if o.data != "" {
		if err := o.sameData(store, stdin); err != nil {
			return outcome{}, err
		}
	}
	whole, err := o.wholeOf(store.Config())
	if err != nil {
		tell(notes, "note: the formulas are not scored on all rows: %v", err)
	}
	options, p := o.running(store.Config().Settings.Preset == run.Paper().Preset, notes)
	defer p.done()
	ctx, stop := untilInterrupt(ctx, p.interrupted)
	defer stop()
	result, err := eql.Resume(ctx, o.resume, append(options, whole...)...)
	return outcome{folder: o.resume, result: result}, err
}

// running returns the options that do not change the result.
func (o fitOptions) running(paper bool, notes io.Writer) ([]eql.Option, *progress) {
	limit := defaultTimeLimit
	switch {
	case o.timeLimit != nil:
		limit = *o.timeLimit
	case paper:
		limit = 0
	}
	cardNote(o.device, notes)
	p := newProgress(notes, limit)
	p.starting()
	return []eql.Option{eql.Workers(o.workers), eql.OnDevice(o.device), eql.TimeLimit(limit), eql.Observe(p.observe)}, p
}

// tables reads the data and the tables beside it, and says which columns are used.
func (o fitOptions) tables(stdin io.Reader, notes io.Writer) (*datasets.Table, []eql.Option, error) {
	_, used, err := o.read(o.data, stdin, notes)
	if err != nil {
		return nil, nil, err
	}
	options := used.options
	if o.validation != "" {
		t, err := o.other(o.validation, used.roles, notes)
		if err != nil {
			return nil, nil, err
		}
		options = append(options, eql.Validation(t))
	}
	tests := split(o.tests, isFile)
	for i, path := range tests {
		if slices.Contains(tests[:i], path) {
			tell(notes, "note: %s is given twice by --test and scored once", path)
			continue
		}
		t, err := o.other(path, used.roles, notes)
		if err != nil {
			return nil, nil, err
		}
		options = append(options, eql.WithTest(path, t))
	}
	return used.table, options, nil
}

// usedSheet is what is used of a sheet.
type usedSheet struct {
	table   *datasets.Table
	rows    []int // of the sheet, which the table has
	roles   columnRoles
	options []eql.Option
}

// use takes the columns of a sheet that are learned from, and says which they are.
func (o fitOptions) use(sheet *datasets.Sheet, notes io.Writer) (u usedSheet, err error) {
	o, form, err := o.withForm(sheet)
	if err != nil {
		return u, err
	}
	if u.roles, err = o.columns(sheet, notes); err != nil {
		return u, err
	}
	if u.table, u.rows, err = useColumns(sheet, u.roles.used(), u.roles.codings, notes); err == nil {
		err = checkErrorCells(sheet, u.table, u.rows, u.roles.errorColumns())
	}
	if err != nil {
		return u, err
	}
	if rows := u.table.Rows(); rows < eql.MinRows {
		return u, tooFewRows(sheet.Name(), rows)
	}
	lines := sheet.Lines(u.rows)
	u.roles.note(u.table, lines, notes)
	u.options = []eql.Option{eql.Inputs(u.roles.inputs...), eql.Targets(u.roles.targets...), eql.Columns(u.roles.codings),
		eql.Sigma(u.roles.sigma...), eql.Weights(u.roles.weights...), eql.Lines(lines)}
	u.options = append(u.options, form...)
	if o.time != "" {
		u.options = append(u.options, eql.Derivative(o.time))
	} else {
		measured, err := o.measuredIn(sheet, u.roles, notes)
		if err != nil {
			return u, err
		}
		u.options = append(u.options, measured...)
	}
	if o.paper {
		u.options = append(u.options, eql.PaperPreset())
	}
	for _, f := range o.adjust {
		u.options = append(u.options, eql.Adjust(f))
	}
	return u, nil
}

func tooFewRows(name string, rows int) error {
	return fmt.Errorf("%s: there are only %d rows; at least %d are needed to tell one formula from another (add rows)",
		name, rows, eql.MinRows)
}

// withForm returns the options with the columns that the form names, and the form; without one nothing changes.
func (o fitOptions) withForm(sheet *datasets.Sheet) (fitOptions, []eql.Option, error) {
	if o.form == nil {
		return o, nil, nil
	}
	f, err := o.form.parse(sheet)
	o.targets, o.inputs = []string{f.Target}, f.Inputs
	return o, []eql.Option{eql.PartlyKnown(f)}, err
}

func isFile(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// other reads a table beside the data as the data are read.
func (o fitOptions) other(path string, roles columnRoles, notes io.Writer) (*datasets.Table, error) {
	sheet, err := readSheet(path, nil, o.reading, notes)
	if err != nil {
		return nil, err
	}
	t, kept, err := useColumns(sheet, roles.used(), roles.codings, notes)
	if err == nil {
		err = checkErrorCells(sheet, t, kept, roles.errorColumns())
	}
	return t, err
}

// sameData checks that the data given beside --resume is what the run was made with.
func (o fitOptions) sameData(store *sweep.Store, stdin io.Reader) error {
	kept := store.Config().Data.Table
	sheet, err := readSheet(o.data, stdin, o.sampling(o.data), io.Discard)
	if err != nil {
		return err
	}
	given, _, err := useColumns(sheet, kept.Names, store.Config().Columns, io.Discard)
	if err != nil {
		return err
	}
	for j, col := range kept.Cols {
		if !slices.Equal(col, given.Cols[j]) {
			return fmt.Errorf("%s: column %q differs from the one that the run in %s was made with; leave the file out, or "+
				"start a new run", sheet.Name(), kept.Names[j], o.resume)
		}
	}
	return nil
}

// endedNote says what was tried and why there is no more, where a law was searched for.
func endedNote(r *eql.Result) string {
	networks, onCard, deepest, further := 0, 0, 0, 0
	for _, round := range r.Rounds {
		networks += round.Networks
		onCard += round.OnCard
		deepest = max(deepest, round.Layers)
		if round.Further {
			further++
		}
	}
	tried := fmt.Sprintf("tried %d networks of up to %d layers", networks, deepest)
	switch {
	case onCard == networks && onCard > 0:
		tried += " on the GPU"
	case onCard > 0:
		tried += fmt.Sprintf(", %d of them on the GPU", onCard)
	}
	if further > 0 {
		tried += fmt.Sprintf(", %d rounds beyond the first", further)
	}
	switch r.Ended {
	case run.EndedSettled:
		doubted := func(target string) bool { e := r.Evidence(target); return e != nil && e.Level != evidence.Holds }
		if slices.ContainsFunc(r.Targets, doubted) {
			return tried + "; stopped, because only more rows can change the verdict"
		}
		return tried + "; stopped, because every formula passes the tests"
	case run.EndedRounds:
		return tried + "; all planned rounds were trained"
	case run.EndedByTime:
		if len(r.Rounds) == 0 {
			return "the time limit ended the first round"
		}
		return tried
	}
	return ""
}
