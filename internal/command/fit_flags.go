package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
)

func fitFlags() []cli.Flag { return slices.Concat(columnFlags(), learnFlags(), runningFlags()) }

// columnFlags say what the columns and rows of a table are for.
func columnFlags() []cli.Flag {
	const columns = "Columns and rows"
	return []cli.Flag{
		namesFlag("target", columns, "`COLUMNS` to learn formulas for (default: the last)"),
		namesFlag("inputs", columns, "`COLUMNS` that formulas may use (default: all others)"),
		namesFlag("ignore", columns, "`COLUMNS` to leave out (default: none)"),
		namesFlag("sigma", columns, "`COLUMN` with the standard deviation of the target in each row, in the target's unit; "+
			"auto: the column that looks like one; for several targets, one column each (default: none)"),
		namesFlag("weights", columns, "`COLUMN` with weights in proportion to 1/σ² of each row; for several targets, "+
			"one column each (default: none)"),
		&cli.StringFlag{Name: "by", Category: columns,
			Usage: "rows with the same cell in `COLUMN` are a group: learn one form for all groups, with constants of its own " +
				"for each; if groups may follow different laws, use eql batch --by --shared",
			DefaultText: "a column of words, if the target differs between its groups"},
		&cli.StringFlag{Name: "derivative", Category: columns,
			Usage: "learn the derivative of each target with respect to `TIME`, a column that increases, and integrate " +
				"the formulas; unless named, targets and inputs are all other columns", DefaultText: "off"},
		&cli.StringFlag{Name: "errors", Category: columns,
			Usage: "`auto|absolute|relative`: the errors of rows, without --sigma and --weights, have one size (absolute), " +
				"are in proportion to the prediction (relative), or are as the data show (auto)",
			DefaultText: "auto" + withPaper + "absolute"},
		&cli.StringFlag{Name: "outliers", Category: columns,
			Usage: "`auto|keep|drop`: rows more than 5 standard deviations from the formula (more in large tables) are " +
				"fitted like all others (keep), listed and left out (drop), " +
				"or left out if there is evidence that they do not follow it (auto)",
			DefaultText: "auto" + withPaper + "keep"},
		&cli.StringFlag{Name: "validation", Category: columns,
			Usage: "validate on the rows of `FILE` instead of a split", DefaultText: "none"},
		&cli.Float64Flag{Name: "split", Category: columns,
			Usage: "`FRACTION` of the rows that are held out for validation, from 0 to below 1; " +
				"0: 5-fold cross-validation",
			DefaultText: "0.1, or 0 below 100 rows" + withPaper + "0.1"},
		namesFlag("test", columns, "score the result on `FILE`; selection never sees it; repeatable (default: none)"),
		&cli.StringFlag{Name: "decimal", Category: columns, Value: "point",
			Usage: "`point|comma`: the decimal mark; the other mark separates thousands", DefaultText: decimalTold},
		&cli.StringFlag{Name: "missing", Category: columns, Value: "error",
			Usage: "`error|drop`: rows with missing cells stop the program (error), or are left out (drop)"},
	}
}

// learnFlags are the settings of a preset.
func learnFlags() []cli.Flag {
	const learning = "Learning (values of a LIST are separated by commas; several values make a grid)"
	with := presetDefault
	return []cli.Flag{
		&cli.StringFlag{Name: "preset", Category: learning, Value: "quick",
			Usage: "`quick|paper`: the settings to start from; paper is the published protocol"},
		&cli.IntSliceFlag{Name: "layers", Category: learning,
			Usage:       "`LIST` of numbers of layers; the linear output layer counts as one",
			DefaultText: with(func(s run.Settings) string { return commas(s.Layers) })},
		&cli.IntSliceFlag{Name: "width", Category: learning,
			Usage:       "`LIST` of numbers of units of each unary type in a layer",
			DefaultText: "the number of inputs, at least 6 and at most 16" + withPaper + commas(run.Paper().Width)},
		&cli.IntSliceFlag{Name: "products", Category: learning, Usage: "`LIST` of numbers of multiplication units in a layer",
			DefaultText: commas(run.Quick(presetRows, 1).Products) + withPaper + "as many as --width"},
		&cli.StringSliceFlag{Name: "units", Category: learning,
			Usage: "`LIST` of unit types: networks can have " + unitNames(true) +
				"; formulas that are found without a network can also have " + unitNames(false),
			DefaultText: "all but tanh" + withPaper + "id,sin,cos,sigmoid,mul"},
		&cli.Float64SliceFlag{Name: "lambda", Category: learning, Usage: "`LIST` of weights of the L1 penalty",
			DefaultText: with(func(s run.Settings) string {
				return fmt.Sprintf("%d values from %g to %g", len(s.Lambda), slices.Min(s.Lambda), slices.Max(s.Lambda))
			})},
		&cli.IntFlag{Name: "restarts", Category: learning, Usage: "`N` networks of each combination",
			DefaultText: with(func(s run.Settings) string { return strconv.Itoa(s.Restarts) })},
		&cli.IntFlag{Name: "epochs", Category: learning, Usage: "`N` passes over the training rows",
			DefaultText: quickEpochs() + withPaper + strconv.Itoa(run.Paper().Train.Epochs)},
		&cli.IntFlag{Name: "batch", Category: learning, Usage: "`N` rows in a minibatch",
			DefaultText: with(func(s run.Settings) string { return strconv.Itoa(s.Train.Batch) })},
		&cli.Float64Flag{Name: "lr", Category: learning, Usage: "learning `RATE` of Adam",
			DefaultText: with(func(s run.Settings) string { return fmt.Sprint(s.Train.LearnRate) })},
		&cli.StringFlag{Name: "init", Category: learning,
			Usage: "`mixed|sparse|paper`: initial weights: units see all inputs (paper); nonlinear units of the first layer " +
				"see one input (sparse), or one in half of the networks and two in the others (mixed)",
			DefaultText: with(func(s run.Settings) string { return string(s.Init) })},
		&cli.StringFlag{Name: "select", Category: learning,
			Usage: "`bic2|rank|validation`: the formula is chosen by BIC2 (the BIC with twice the price of a constant), " +
				"by the ranks of validation error and of the number of active units, or by validation error alone",
			DefaultText: with(func(s run.Settings) string { return string(s.Select) })},
		&cli.StringFlag{Name: "snap", Category: learning,
			Usage: "`auto|off`: constants become special values, such as pi/8 or 1/3, where the data allow it (auto), " +
				"or never (off)",
			DefaultText: with(func(s run.Settings) string { return string(s.Snap) })},
		&cli.StringFlag{Name: "refine", Category: learning,
			Usage:       "`on|off`: fit, prune and rewrite the formula of each network, and search without networks",
			DefaultText: with(func(s run.Settings) string { return switchOf(s.Refine) })},
		&cli.StringFlag{Name: "dtype", Category: learning, Usage: "`float32|float64`: the precision of training",
			DefaultText: with(func(s run.Settings) string { return fmt.Sprint(s.Train.DType) })},
		&cli.StringFlag{Name: "scale", Category: learning, Usage: "`auto|none`: scale columns for training, or do not",
			DefaultText: with(func(s run.Settings) string { return string(s.Scale) })},
		&cli.IntFlag{Name: "max-complexity", Category: learning,
			Usage: "only formulas of at most `N` nodes, in the table and as the answer", DefaultText: "no limit"},
		&cli.IntFlag{Name: "max-constants", Category: learning,
			Usage: "only formulas with at most `N` constants", DefaultText: "no limit"},
		namesFlag("require", learning, "only formulas that contain all `COLUMNS`; repeatable (default: none)"),
		&cli.Uint64Flag{Name: "seed", Category: learning, Usage: "`SEED` of every random choice"},
	}
}

// presetRows is a number of rows from which the settings of a preset no longer depend on it, but for the epochs.
const presetRows = 1000

// withPaper stands before the default of the preset that is not the default.
const withPaper = "; with --preset paper "

// presetDefault returns the values of a setting in the presets, as help shows them.
func presetDefault(of func(run.Settings) string) string {
	quick, paper := of(run.Quick(presetRows, 1)), of(run.Paper())
	if quick == paper {
		return quick
	}
	return quick + withPaper + paper
}

func quickEpochs() string {
	train := run.Quick(presetRows, 1).Train
	return fmt.Sprintf("as many as make %d minibatches", train.Epochs*presetRows/train.Batch)
}

// runningFlags say how a run goes and where its result is kept.
func runningFlags() []cli.Flag {
	const running = "Running"
	return []cli.Flag{
		&cli.DurationFlag{Name: "time-limit", Category: running,
			Usage: "search no longer than `TIME`, such as 90s or 5m; a short first round is always finished; " +
				"0: no limit",
			DefaultText: "60s" + withPaper + "no limit"},
		&cli.IntFlag{Name: "workers", Category: running, Usage: "`N` threads; the result does not depend on it",
			DefaultText: "all cores"},
		&cli.StringFlag{Name: "device", Category: running, Usage: "`auto|cpu|cuda`: the device to train on", Value: "auto"},
		&cli.StringFlag{Name: "out", Category: running, Usage: "`FOLDER` of the run (default: eql-runs/NAME-N)"},
		&cli.StringFlag{Name: "resume", Category: running, Usage: "continue the run in `FOLDER`", DefaultText: "none"},
		&cli.BoolFlag{Name: "json", Category: running, Usage: "print one JSON object", DisableDefaultText: true},
		&cli.BoolFlag{Name: "quiet", Category: running, Usage: "print no progress and no notes", DisableDefaultText: true},
	}
}

// unitNames lists the types of units that networks have, or those that only other laws have.
func unitNames(trained bool) string {
	var names []string
	for _, u := range model.LawUnits() {
		if u.Trained() == trained {
			names = append(names, u.String())
		}
	}
	return strings.Join(names, ",")
}

// learningFlags are those that determine the result; a run is resumed without them.
var learningFlags = []string{
	"target", "inputs", "ignore", "by", "derivative", "sigma", "weights", "errors", "outliers", "validation", "split",
	"test", "preset", "layers", "width", "products", "units", "lambda",
	"restarts", "epochs", "batch", "lr", "init", "select", "snap", "refine", "dtype", "scale", "seed", "out",
	"max-complexity", "max-constants", "require",
	"form", "start", "bound", "fix", "positive", "integer",
	"units-of", "dimensions",
}

// notBesideDerivative are the flags that say something about rows that are not of one trajectory.
var notBesideDerivative = []string{"by", "form", "sigma", "weights", "validation", "test", "units-of", "dimensions"}

// parseFit reads the flags and the argument of fit. It reports all mistakes at once.
func parseFit(c *cli.Context) (fitOptions, error) {
	o, errs := parseLearning(c)
	o.by, o.time = c.String("by"), c.String("derivative")
	bad := func(format string, args ...any) { errs = append(errs, usagef(format, args...)) }
	for _, flag := range constantFlags {
		if c.IsSet(flag) && !c.IsSet("form") {
			bad("--%s needs a known form, whose constants it is about (give the form by --form)", flag)
		}
	}
	var wrong []error
	o.shards, o.shard, wrong = parseShards(c)
	o.anyClass, errs = c.Bool("any-class"), append(errs, wrong...)
	if o.resume != "" && (o.shards > 0 || o.shard != "") {
		bad("--resume joins the shards; leave out --shards and --shard")
	}
	if o.time != "" {
		for _, flag := range notBesideDerivative {
			if c.IsSet(flag) {
				bad("--%s cannot be combined with --derivative, which learns from one trajectory (leave it out)", flag)
			}
		}
	}
	switch args := c.Args().Slice(); {
	case o.shard != "":
		for _, f := range learningFlags {
			if c.IsSet(f) {
				bad("--%s cannot be changed: a shard has the settings of the plan", f)
			}
		}
		if len(args) != 1 {
			bad("fit --shard takes the folder of a run planned by --shards, and %s given", given(len(args)))
		} else {
			o.data = args[0]
		}
	case o.resume != "":
		for _, f := range learningFlags {
			if c.IsSet(f) {
				bad("--%s cannot be changed by --resume: a run keeps its settings", f)
			}
		}
		if len(args) > 1 {
			bad("fit --resume takes at most one DATA.csv, and %s given", given(len(args)))
		} else if len(args) == 1 {
			o.data = args[0]
		}
	case len(args) != 1:
		bad("fit takes one DATA.csv (or - for standard input), and %s given; eql fit --help says more", given(len(args)))
	default:
		o.data = args[0]
	}
	return o, errors.Join(errs...)
}

// parseLearning reads the flags that fit has, and what other commands take of them. It returns all mistakes.
func parseLearning(c *cli.Context) (o fitOptions, errs []error) {
	o = fitOptions{
		targets: list(c, "target"), inputs: list(c, "inputs"), ignore: list(c, "ignore"),
		sigma: list(c, "sigma"), weights: list(c, "weights"),
		validation: c.String("validation"), tests: list(c, "test"),
		workers: c.Int("workers"), out: c.String("out"), resume: c.String("resume"),
		json: c.Bool("json"), quiet: c.Bool("quiet"),
	}
	bad := func(format string, args ...any) { errs = append(errs, usagef(format, args...)) }
	text := func(flag string, to interface{ UnmarshalText([]byte) error }) {
		if err := to.UnmarshalText([]byte(c.String(flag))); err != nil {
			errs = append(errs, flagError(flag, err))
		}
	}
	text("decimal", &o.reading.Decimal)
	o.reading.DecimalKnown = c.IsSet("decimal")
	text("missing", &o.reading.Missing)
	text("device", &o.device)
	var err error
	if o.measured, err = parseMeasured(c); err != nil {
		errs = append(errs, err)
	}
	if o.workers < 0 {
		bad("--workers is %d, want 0 (all cores) or more", o.workers)
	}
	switch preset := c.String("preset"); preset {
	case "quick":
	case "paper":
		o.paper = true
	default:
		bad("--preset: there is no preset %q (there are quick, paper)", preset)
	}
	if c.IsSet("time-limit") {
		limit := c.Duration("time-limit")
		if o.timeLimit = &limit; limit < 0 {
			bad("--time-limit is %v, want 0 (none) or more", limit)
		}
	}
	if c.IsSet("form") {
		o.form = newFormOptions(c)
		for _, flag := range []string{"target", "inputs", "ignore", "by"} {
			if c.IsSet(flag) {
				bad("--%s cannot be combined with --form, which itself names target and inputs (leave it out)", flag)
			}
		}
	}
	if o.validation != "" && c.IsSet("split") {
		bad("use either --validation FILE or --split FRACTION, not both")
	}
	for _, flag := range []string{"resume", "out", "validation", "derivative"} {
		if c.IsSet(flag) && c.String(flag) == "" {
			bad("--%s is empty", flag)
		}
	}
	if slices.Contains(c.Args().Slice(), "") || slices.Contains(o.tests, "") {
		bad("a file name is empty")
	}
	o.adjust, errs = settingsFlags(c, o.paper, errs)
	return o, errs
}

// settingsFlags turns the flags about learning into changes of the preset. Whoever names a grid
// gets that grid and nothing more. Values are checked
// here so that a mistake is one of usage, named by its flag.
func settingsFlags(c *cli.Context, paper bool, errs []error) ([]func(*sweep.Settings), []error) {
	var adjust []func(*sweep.Settings)
	when := func(flag string, set func(*sweep.Settings) error) {
		if !c.IsSet(flag) {
			return
		}
		trial := run.Quick(1000, 1)
		err := set(&trial)
		if err == nil {
			err = trial.Validate()
		}
		if err != nil {
			errs = append(errs, flagError(flag, err))
			return
		}
		adjust = append(adjust, func(s *sweep.Settings) { set(s) }) //nolint:errcheck // checked above
	}
	when("layers", func(s *sweep.Settings) error { s.Extend = 0; s.Layers = c.IntSlice("layers"); return nil })
	when("width", func(s *sweep.Settings) error { s.Extend = 0; s.Width = c.IntSlice("width"); return nil })
	when("products", func(s *sweep.Settings) error { s.Extend = 0; s.Products = c.IntSlice("products"); return nil })
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
	when("lambda", func(s *sweep.Settings) error { s.Extend = 0; s.Lambda = c.Float64Slice("lambda"); return nil })
	when("restarts", func(s *sweep.Settings) error { s.Extend = 0; s.Restarts = c.Int("restarts"); return nil })
	when("epochs", func(s *sweep.Settings) error { s.Train.Epochs = c.Int("epochs"); return nil })
	when("batch", func(s *sweep.Settings) error { s.Train.Batch = c.Int("batch"); return nil })
	when("lr", func(s *sweep.Settings) error { s.Train.LearnRate = c.Float64("lr"); return nil })
	when("split", func(s *sweep.Settings) error { s.Split = c.Float64("split"); return nil })
	positive := func(to *int, flag string) error {
		if *to = c.Int(flag); *to < 1 {
			return fmt.Errorf("%d is below 1 (leave the flag out for no limit)", *to)
		}
		return nil
	}
	when("max-complexity", func(s *sweep.Settings) error { return positive(&s.Limits.MaxComplexity, "max-complexity") })
	when("max-constants", func(s *sweep.Settings) error { return positive(&s.Limits.MaxConstants, "max-constants") })
	when("require", func(s *sweep.Settings) error { s.Limits.Require = split(list(c, "require"), noName); return nil })
	when("seed", func(s *sweep.Settings) error { s.Seed = c.Uint64("seed"); return nil })
	when("init", func(s *sweep.Settings) error { return s.Init.UnmarshalText([]byte(c.String("init"))) })
	when("select", func(s *sweep.Settings) error { return s.Select.UnmarshalText([]byte(c.String("select"))) })
	when("errors", func(s *run.Settings) error { return s.Errors.UnmarshalText([]byte(c.String("errors"))) })
	when("outliers", func(s *run.Settings) error { return s.Outliers.UnmarshalText([]byte(c.String("outliers"))) })
	when("snap", func(s *sweep.Settings) error { return s.Snap.UnmarshalText([]byte(c.String("snap"))) })
	when("scale", func(s *sweep.Settings) error { return s.Scale.UnmarshalText([]byte(c.String("scale"))) })
	when("dtype", func(s *sweep.Settings) error { return s.Train.DType.UnmarshalText([]byte(c.String("dtype"))) })
	when("refine", func(s *sweep.Settings) error {
		switch c.String("refine") {
		case "on", "off":
			s.Refine = c.String("refine") == "on"
			return nil
		}
		return fmt.Errorf("%q is unknown (there are on, off)", c.String("refine"))
	})
	if len(errs) == 0 {
		all := run.Quick(1000, 1)
		if paper {
			all = run.Paper()
		}
		for _, f := range adjust {
			f(&all)
		}
		if err := all.Validate(); err != nil {
			errs = append(errs, &usageError{err})
		}
		unary := slices.ContainsFunc(all.Units, func(u model.Unit) bool { return u != model.Product && u.Trained() })
		switch products := slices.Contains(all.Units, model.Product); {
		case !unary && !products:
			errs = append(errs, usagef("--units leaves networks without units; %s are only for laws that are found without a "+
				"network (add mul, or others)", unitNames(false)))
		case !unary && slices.Contains(all.Products, 0):
			errs = append(errs, usagef("--units mul and --products 0 leave a layer without units"))
		}
	}
	return adjust, errs
}
