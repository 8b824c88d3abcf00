package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/sweep"
	"github.com/eqlearner/eql/trainer"
)

// fitOptions is what the flags of fit say. A nil list or pointer means that the flag was not given and the
// preset decides.
type fitOptions struct {
	data       string // path, "-" for standard input
	reading    datasets.Options
	targets    []string
	inputs     []string
	ignore     []string
	validation string
	tests      []string
	paper      bool
	adjust     []func(*sweep.Settings)
	timeLimit  time.Duration
	workers    int
	device     trainer.Device
	out        string
	resume     string
	json       bool
	quiet      bool
}

const defaultTimeLimit = time.Minute

func fitCommand() *cli.Command {
	return &cli.Command{
		Name:      "fit",
		Usage:     "learn formulas from a table",
		ArgsUsage: "DATA.csv (- reads standard input)",
		Description: `Learns a formula for each target column and prints, for each, the best formulas by
complexity and error, and last the chosen ones. The run is kept in a folder; its path is
printed on standard error, and eql predict, score and show take it.

  eql fit pendulum.csv --target y1,y2 --test far.csv
  eql fit data.csv --inputs voltage,current --time-limit 5m
  eql fit data.csv --preset paper --layers 2 --width 1,3,5 --restarts 1
  generate | eql fit - --json | jq .formula
  eql fit --resume eql-runs/data-1`,
		Flags:  fitFlags(),
		Action: fitAction,
	}
}

func fitFlags() []cli.Flag {
	const (
		columns  = "Columns and rows"
		learning = "Learning (lists make a grid; defaults are the preset's)"
		running  = "Running"
	)
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "target", Category: columns, Usage: "`COLUMNS` to learn formulas for (default: the last)"},
		&cli.StringSliceFlag{Name: "inputs", Category: columns, Usage: "`COLUMNS` that formulas may use (default: all others)"},
		&cli.StringSliceFlag{Name: "ignore", Category: columns, Usage: "`COLUMNS` to leave out"},
		&cli.StringFlag{Name: "validation", Category: columns, Usage: "validate on the rows of `FILE` instead of a split"},
		&cli.Float64Flag{Name: "split", Category: columns, Usage: "`FRACTION` of the rows to validate on (default 0.1; 5-fold cross-validation below 100 rows)"},
		&cli.StringSliceFlag{Name: "test", Category: columns, Usage: "score the result on `FILE`; selection never sees it (repeatable)"},
		&cli.StringFlag{Name: "decimal", Category: columns, Usage: "`MARK` in numbers: point or comma", Value: "point"},
		&cli.StringFlag{Name: "missing", Category: columns, Usage: "what to `DO` about empty cells: error, or drop the row", Value: "error"},

		&cli.StringFlag{Name: "preset", Category: learning, Usage: "`NAME` of the settings to start from: quick, or paper (the published protocol)", Value: "quick"},
		&cli.IntSliceFlag{Name: "layers", Category: learning, Usage: "layers of the network, with the read-out"},
		&cli.IntSliceFlag{Name: "width", Category: learning, Usage: "units of each unary type in a layer"},
		&cli.IntSliceFlag{Name: "products", Category: learning, Usage: "multiplication units in a layer"},
		&cli.StringSliceFlag{Name: "units", Category: learning, Usage: "unit types: id,sin,cos,sigmoid,tanh,mul"},
		&cli.Float64SliceFlag{Name: "lambda", Category: learning, Usage: "weight of the L1 penalty"},
		&cli.IntFlag{Name: "restarts", Category: learning, Usage: "networks of each combination"},
		&cli.IntFlag{Name: "epochs", Category: learning, Usage: "passes over the training rows"},
		&cli.IntFlag{Name: "batch", Category: learning, Usage: "rows of a minibatch"},
		&cli.Float64Flag{Name: "lr", Category: learning, Usage: "learning rate of Adam"},
		&cli.StringFlag{Name: "init", Category: learning, Usage: "start of the networks: sparse or paper"},
		&cli.StringFlag{Name: "select", Category: learning, Usage: "`RULE` of selection: bic2, rank or validation"},
		&cli.StringFlag{Name: "refine", Category: learning, Usage: "search for the law behind each network: on or off"},
		&cli.StringFlag{Name: "dtype", Category: learning, Usage: "precision of training: float32 or float64"},
		&cli.StringFlag{Name: "scale", Category: learning, Usage: "scale columns for training: auto or none"},
		&cli.Uint64Flag{Name: "seed", Category: learning, Usage: "seed of every random choice"},

		&cli.DurationFlag{Name: "time-limit", Category: running, Usage: "begin nothing new that would end after it (default 60s for quick, none for paper; 0: none)"},
		&cli.IntFlag{Name: "workers", Category: running, Usage: "threads (default: all cores); the result does not depend on it"},
		&cli.StringFlag{Name: "device", Category: running, Usage: "auto, cpu or cuda", Value: "auto"},
		&cli.StringFlag{Name: "out", Category: running, Usage: "`FOLDER` of the run (default eql-runs/NAME-N)"},
		&cli.StringFlag{Name: "resume", Category: running, Usage: "go on with the run in `FOLDER`"},
		&cli.BoolFlag{Name: "json", Category: running, Usage: "print one JSON object"},
		&cli.BoolFlag{Name: "quiet", Category: running, Usage: "no progress and no notes"},
	}
}

func fitAction(c *cli.Context) error {
	o, err := parseFit(c)
	if err != nil {
		return err
	}
	return runFit(c.Context, o, os.Stdin, os.Stdout, os.Stderr)
}

// runFit learns, or goes on learning, and prints what came out of it.
func runFit(ctx context.Context, o fitOptions, stdin io.Reader, stdout, stderr io.Writer) error {
	notes := stderr
	if o.quiet {
		notes = io.Discard
	}
	p := newProgress(notes)
	options := []eql.Option{eql.Workers(o.workers), eql.OnDevice(o.device), eql.TimeLimit(o.timeLimit), eql.Observe(p.observe)}
	folder := o.resume
	var result *eql.Result
	var err error
	if o.resume != "" {
		if err := o.sameData(stdin); err != nil {
			return err
		}
		result, err = eql.Resume(ctx, o.resume, options...)
	} else {
		var table *datasets.Table
		var more []eql.Option
		if table, more, err = o.tables(stdin, notes); err != nil {
			return err
		}
		if folder = o.out; folder == "" {
			folder = freeFolder(o.data)
		}
		result, err = eql.Fit(ctx, table, slices.Concat(options, more, []eql.Option{eql.Folder(folder)})...)
	}
	p.done()
	if result == nil {
		return err
	}
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return err
	}
	for _, w := range result.Sweep.Warnings {
		fmt.Fprintf(notes, "warning: %s\n", w)
	}
	if result.Sweep.TimedOut {
		fmt.Fprintf(notes, "note: the time limit cut the search; --time-limit sets another\n")
	}
	fmt.Fprintf(notes, "run: %s\n", folder)
	if interrupted {
		fmt.Fprintf(notes, "interrupted; these are partial results, and eql fit --resume %s goes on\n", folder)
	}
	report, rerr := result.Report()
	if rerr != nil {
		return rerr
	}
	if o.json {
		enc := json.NewEncoder(stdout)
		enc.SetIndent("", "  ")
		rerr = enc.Encode(report)
	} else {
		rerr = printResult(stdout, result, report)
	}
	return errors.Join(rerr, err)
}

// tables reads the data and the tables beside it, and says which columns are used.
func (o fitOptions) tables(stdin io.Reader, notes io.Writer) (*datasets.Table, []eql.Option, error) {
	sheet, err := readSheet(o.data, stdin, o.reading)
	if err != nil {
		return nil, nil, err
	}
	inputs, targets, err := o.columns(sheet, notes)
	if err != nil {
		return nil, nil, err
	}
	used := slices.Concat(inputs, targets)
	table, err := useColumns(sheet, used, notes)
	if err != nil {
		return nil, nil, err
	}
	options := []eql.Option{eql.Inputs(inputs...), eql.Targets(targets...)}
	if o.paper {
		options = append(options, eql.PaperPreset())
	}
	for _, f := range o.adjust {
		options = append(options, eql.Adjust(f))
	}
	if o.validation != "" {
		t, err := o.other(o.validation, used, notes)
		if err != nil {
			return nil, nil, err
		}
		options = append(options, eql.Validation(t))
	}
	for _, path := range o.tests {
		t, err := o.other(path, used, notes)
		if err != nil {
			return nil, nil, err
		}
		options = append(options, eql.WithTest(path, t))
	}
	return table, options, nil
}

func (o fitOptions) other(path string, columns []string, notes io.Writer) (*datasets.Table, error) {
	sheet, err := datasets.ReadFile(path, o.reading)
	if err != nil {
		return nil, err
	}
	return useColumns(sheet, columns, notes)
}

// columns decides which columns are inputs and which are targets.
func (o fitOptions) columns(sheet *datasets.Sheet, notes io.Writer) (inputs, targets []string, err error) {
	all := sheet.Columns()
	for _, name := range slices.Concat(o.ignore, o.targets, o.inputs) {
		if !slices.Contains(all, name) {
			_, _, err := sheet.Table([]string{name}) // says what there is
			return nil, nil, err
		}
	}
	var free []string
	for _, name := range all {
		switch {
		case slices.Contains(o.ignore, name):
		case sheet.Numeric(name):
			free = append(free, name)
		case !slices.Contains(o.inputs, name) && !slices.Contains(o.targets, name) && o.inputs == nil:
			fmt.Fprintf(notes, "note: column %q has no numbers and is left out\n", name)
		}
	}
	targets = o.targets
	if targets == nil {
		if len(free) == 0 {
			return nil, nil, fmt.Errorf("%s: no column has numbers, so there is nothing to learn", sheet.Name())
		}
		targets = free[len(free)-1:]
	}
	if o.inputs != nil {
		return o.inputs, targets, nil
	}
	for _, name := range free {
		if !slices.Contains(targets, name) {
			inputs = append(inputs, name)
		}
	}
	if len(inputs) == 0 {
		return nil, nil, fmt.Errorf("%s: there is no column of numbers beside the target to learn from", sheet.Name())
	}
	return inputs, targets, nil
}

// sameData checks that the data given beside --resume is what the run was made with.
func (o fitOptions) sameData(stdin io.Reader) error {
	if o.data == "" {
		return nil
	}
	store, err := sweep.Open(o.resume)
	if err != nil {
		return err
	}
	defer store.Close()
	kept := store.Config().Data.Table
	sheet, err := readSheet(o.data, stdin, o.reading)
	if err != nil {
		return err
	}
	given, err := useColumns(sheet, kept.Names, io.Discard)
	if err != nil {
		return err
	}
	for j, col := range kept.Cols {
		if !slices.Equal(col, given.Cols[j]) {
			return fmt.Errorf("%s: column %q is not what the run in %s was made with; leave the file out, or fit it anew", o.data, kept.Names[j], o.resume)
		}
	}
	return nil
}

// freeFolder returns the first folder eql-runs/NAME-N that does not exist.
func freeFolder(data string) string {
	name := "stdin"
	if data != "-" {
		name = strings.TrimSuffix(filepath.Base(data), filepath.Ext(data))
	}
	for n := 1; ; n++ {
		dir := filepath.Join("eql-runs", fmt.Sprintf("%s-%d", name, n))
		if _, err := os.Lstat(dir); err != nil {
			return dir
		}
	}
}

// learningFlags are those that determine the result; a run is resumed without them.
var learningFlags = []string{
	"target", "inputs", "ignore", "validation", "split", "test", "preset", "layers", "width", "products", "units", "lambda",
	"restarts", "epochs", "batch", "lr", "init", "select", "refine", "dtype", "scale", "seed", "out",
}

// parseFit reads the flags. It reports all mistakes at once.
func parseFit(c *cli.Context) (fitOptions, error) {
	o := fitOptions{
		targets: c.StringSlice("target"), inputs: c.StringSlice("inputs"), ignore: c.StringSlice("ignore"),
		validation: c.String("validation"), tests: c.StringSlice("test"),
		workers: c.Int("workers"), out: c.String("out"), resume: c.String("resume"),
		json: c.Bool("json"), quiet: c.Bool("quiet"), timeLimit: defaultTimeLimit,
	}
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, usagef(format, args...)) }
	text := func(flag string, to interface{ UnmarshalText([]byte) error }) {
		if err := to.UnmarshalText([]byte(c.String(flag))); err != nil {
			bad("--%s: %v", flag, err)
		}
	}
	text("decimal", &o.reading.Decimal)
	text("missing", &o.reading.Missing)
	text("device", &o.device)
	if o.workers < 0 {
		bad("--workers is %d, want 0 (all cores) or more", o.workers)
	}
	switch preset := c.String("preset"); preset {
	case "quick":
	case "paper":
		o.paper, o.timeLimit = true, 0
	default:
		bad("--preset: there is no preset %q (there are quick, paper)", preset)
	}
	if c.IsSet("time-limit") {
		if o.timeLimit = c.Duration("time-limit"); o.timeLimit < 0 {
			bad("--time-limit is %v, want 0 (none) or more", o.timeLimit)
		}
	}
	o.adjust, errs = settingsFlags(c, errs)
	switch args := c.Args().Slice(); {
	case o.resume != "":
		for _, f := range learningFlags {
			if c.IsSet(f) {
				bad("--%s cannot be changed by --resume: a run goes on with the settings it began with", f)
			}
		}
		if len(args) > 1 {
			bad("fit --resume takes at most one DATA.csv, and %d arguments were given", len(args))
		} else if len(args) == 1 {
			o.data = args[0]
		}
	case len(args) != 1:
		bad("fit takes one DATA.csv (or - for standard input), and %d arguments were given; see eql fit --help", len(args))
	default:
		o.data = args[0]
	}
	return o, errors.Join(errs...)
}

// settingsFlags turns the flags about learning into changes of the preset. Values are checked
// here so that a mistake is one of usage, named by its flag.
func settingsFlags(c *cli.Context, errs []error) ([]func(*sweep.Settings), []error) {
	var adjust []func(*sweep.Settings)
	when := func(flag string, set func(*sweep.Settings) error) {
		if !c.IsSet(flag) {
			return
		}
		trial := sweep.Quick(1000, 1)
		err := set(&trial)
		if err == nil {
			err = trial.Validate()
		}
		if err != nil {
			errs = append(errs, usagef("--%s: %w", flag, err))
			return
		}
		adjust = append(adjust, func(s *sweep.Settings) { set(s) }) //nolint:errcheck // checked above
	}
	when("layers", func(s *sweep.Settings) error { s.Layers = c.IntSlice("layers"); return nil })
	when("width", func(s *sweep.Settings) error { s.Width = c.IntSlice("width"); return nil })
	when("products", func(s *sweep.Settings) error { s.Products = c.IntSlice("products"); return nil })
	when("units", func(s *sweep.Settings) error {
		s.Units = nil
		for _, name := range c.StringSlice("units") {
			var u model.Unit
			if err := u.UnmarshalText([]byte(name)); err != nil {
				return err
			}
			s.Units = append(s.Units, u)
		}
		return nil
	})
	when("lambda", func(s *sweep.Settings) error { s.Lambda = c.Float64Slice("lambda"); return nil })
	when("restarts", func(s *sweep.Settings) error { s.Restarts = c.Int("restarts"); return nil })
	when("epochs", func(s *sweep.Settings) error { s.Train.Epochs = c.Int("epochs"); return nil })
	when("batch", func(s *sweep.Settings) error { s.Train.Batch = c.Int("batch"); return nil })
	when("lr", func(s *sweep.Settings) error { s.Train.LearnRate = c.Float64("lr"); return nil })
	when("split", func(s *sweep.Settings) error { s.Split = c.Float64("split"); return nil })
	when("seed", func(s *sweep.Settings) error { s.Seed = c.Uint64("seed"); return nil })
	when("init", func(s *sweep.Settings) error { return s.Init.UnmarshalText([]byte(c.String("init"))) })
	when("select", func(s *sweep.Settings) error { return s.Select.UnmarshalText([]byte(c.String("select"))) })
	when("scale", func(s *sweep.Settings) error { return s.Scale.UnmarshalText([]byte(c.String("scale"))) })
	when("dtype", func(s *sweep.Settings) error { return s.Train.DType.UnmarshalText([]byte(c.String("dtype"))) })
	when("refine", func(s *sweep.Settings) error {
		switch c.String("refine") {
		case "on", "off":
			s.Refine = c.String("refine") == "on"
			return nil
		}
		return fmt.Errorf("%q is neither on nor off", c.String("refine"))
	})
	return adjust, errs
}
