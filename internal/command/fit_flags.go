package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
)

func fitFlags() []cli.Flag {
	const (
		columns  = "Columns and rows"
		learning = "Learning (values of a LIST are separated by commas; lists make a grid; defaults are the preset's)"
		running  = "Running"
		preset   = "the preset's"
	)
	return []cli.Flag{
		namesFlag("target", columns, "`COLUMNS` to learn formulas for (default: the last)"),
		namesFlag("inputs", columns, "`COLUMNS` that formulas may use (default: all others)"),
		namesFlag("ignore", columns, "`COLUMNS` to leave out"),
		namesFlag("sigma", columns, "`COLUMN` with the standard deviation of each row's error (auto: the column that looks like one); for several targets, one column each"),
		namesFlag("weights", columns, "`COLUMN` with weights in proportion to 1/σ² of each row; for several targets, one column each"),
		&cli.StringFlag{Name: "by", Category: columns, Usage: "one form for the whole table, with constants of its own for each group of rows with the same cell in `COLUMN`; where groups need not all have one law, see eql batch --by --shared"},
		&cli.StringFlag{Name: "derivative", Category: columns, Usage: "learn the derivative of each target with respect to `TIME`, a column that increases, and integrate the formulas; targets and inputs are all other columns unless they are named"},
		&cli.StringFlag{Name: "errors", Category: columns, Usage: "`auto|absolute|relative`: errors without --sigma or --weights are of one size (absolute), in proportion to the prediction (relative), or what the data show (auto)", DefaultText: "auto; with paper absolute"},
		&cli.StringFlag{Name: "outliers", Category: columns, Usage: "`auto|keep|drop`: rows far from the law are fitted like all others (keep), listed and left out (drop), or left out if there is evidence that they do not follow the law (auto)", DefaultText: "auto; with paper keep"},
		&cli.StringFlag{Name: "validation", Category: columns, Usage: "validate on the rows of `FILE` instead of a split"},
		&cli.Float64Flag{Name: "split", Category: columns, Usage: "`FRACTION` of the rows to validate on; 0: 5-fold cross-validation", DefaultText: "0.1; with quick 0 below 100 rows"},
		namesFlag("test", columns, "score the result on `FILE`; selection never sees it (repeatable)"),
		&cli.StringFlag{Name: "decimal", Category: columns, Usage: "`point|comma`: the decimal mark; if the flag is given, the other mark separates thousands", Value: "point"},
		&cli.StringFlag{Name: "missing", Category: columns, Usage: "`error|drop`: rows with missing cells stop the program (error), or are left out (drop)", Value: "error"},

		&cli.StringFlag{Name: "preset", Category: learning, Usage: "`quick|paper`: the settings to start from; paper is the published protocol", Value: "quick"},
		&cli.IntSliceFlag{Name: "layers", Category: learning, Usage: "`LIST` of layers of the network, with the read-out"},
		&cli.IntSliceFlag{Name: "width", Category: learning, Usage: "`LIST` of units of each unary type in a layer"},
		&cli.IntSliceFlag{Name: "products", Category: learning, Usage: "`LIST` of multiplication units in a layer"},
		&cli.StringSliceFlag{Name: "units", Category: learning, Usage: "`LIST` of unit types among " + unitNames(true) + ", and for laws that are found without a network " + unitNames(false)},
		&cli.Float64SliceFlag{Name: "lambda", Category: learning, Usage: "`LIST` of weights of the L1 penalty"},
		&cli.IntFlag{Name: "restarts", Category: learning, Usage: "`N` networks of each combination", DefaultText: preset},
		&cli.IntFlag{Name: "epochs", Category: learning, Usage: "`N` passes over the training rows", DefaultText: preset},
		&cli.IntFlag{Name: "batch", Category: learning, Usage: "`N` rows in a minibatch", DefaultText: preset},
		&cli.Float64Flag{Name: "lr", Category: learning, Usage: "learning `RATE` of Adam", DefaultText: preset},
		&cli.StringFlag{Name: "init", Category: learning, Usage: "`mixed|sparse|paper`: how the networks are initialised"},
		&cli.StringFlag{Name: "select", Category: learning, Usage: "`bic2|rank|validation`: the rule that selects the formula"},
		&cli.StringFlag{Name: "snap", Category: learning, Usage: "`auto|off`: constants become special values, such as pi/8 or 1/3, where the data allow it, or never"},
		&cli.StringFlag{Name: "refine", Category: learning, Usage: "`on|off`: the search for the law behind each network"},
		&cli.StringFlag{Name: "dtype", Category: learning, Usage: "`float32|float64`: the numbers in training"},
		&cli.StringFlag{Name: "scale", Category: learning, Usage: "`auto|none`: scale columns for training, or do not"},
		&cli.IntFlag{Name: "max-complexity", Category: learning, Usage: "only formulas of at most `N` nodes, in the table and as the answer", DefaultText: "no limit"},
		&cli.IntFlag{Name: "max-constants", Category: learning, Usage: "only formulas with at most `N` constants", DefaultText: "no limit"},
		namesFlag("require", learning, "only formulas that contain all `COLUMNS` (repeatable)"),
		&cli.Uint64Flag{Name: "seed", Category: learning, Usage: "`SEED` of every random choice"},

		&cli.DurationFlag{Name: "time-limit", Category: running, Usage: "search no longer than `TIME`, such as 90s or 5m, except in the first round; 0: no limit", DefaultText: "60s for quick, none for paper"},
		&cli.IntFlag{Name: "workers", Category: running, Usage: "`N` threads; the result does not depend on it", DefaultText: "all cores"},
		&cli.StringFlag{Name: "device", Category: running, Usage: "`auto|cpu|cuda`: the device to train on", Value: "auto"},
		&cli.StringFlag{Name: "out", Category: running, Usage: "`FOLDER` of the run (default eql-runs/NAME-N)"},
		&cli.StringFlag{Name: "resume", Category: running, Usage: "go on with the run in `FOLDER`"},
		&cli.BoolFlag{Name: "json", Category: running, Usage: "print one JSON object", DisableDefaultText: true},
		&cli.BoolFlag{Name: "quiet", Category: running, Usage: "no progress and no notes", DisableDefaultText: true},
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
	"target", "inputs", "ignore", "by", "derivative", "sigma", "weights", "errors", "outliers", "validation", "split", "test", "preset", "layers", "width", "products", "units", "lambda",
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
			bad("--%s is about the constants of a known form (give the form by --form)", flag)
		}
	}
	var wrong []error
	o.shards, o.shard, wrong = parseShards(c)
	o.anyClass, errs = c.Bool("any-class"), append(errs, wrong...)
	if o.resume != "" && (o.shards > 0 || o.shard != "") {
		bad("--resume joins the shards; it is given without --shards and --shard")
	}
	if o.time != "" {
		for _, flag := range notBesideDerivative {
			if c.IsSet(flag) {
				bad("--%s has no meaning beside --derivative, which learns from one trajectory (leave it out)", flag)
			}
		}
	}
	switch args := c.Args().Slice(); {
	case o.shard != "":
		for _, f := range learningFlags {
			if c.IsSet(f) {
				bad("--%s cannot be changed: a shard has the settings that the run was planned with", f)
			}
		}
		if len(args) != 1 {
			bad("fit --shard takes the folder of a run that is planned by --shards, and %s given", given(len(args)))
		} else {
			o.data = args[0]
		}
	case o.resume != "":
		for _, f := range learningFlags {
			if c.IsSet(f) {
				bad("--%s cannot be changed by --resume: a run goes on with the settings it began with", f)
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
				bad("--%s has no meaning beside --form, which says what is computed from which columns (leave it out)", flag)
			}
		}
	}
	if o.validation != "" && c.IsSet("split") {
		bad("--validation and --split exclude each other: rows are validated on that are given, or held out")
	}
	for _, flag := range []string{"resume", "out", "validation", "derivative"} {
		if c.IsSet(flag) && c.String(flag) == "" {
			bad("--%s is empty", flag)
		}
	}
	if slices.Contains(c.Args().Slice(), "") || slices.Contains(o.tests, "") {
		bad("the name of a file is empty")
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
		return fmt.Errorf("%q is neither on nor off", c.String("refine"))
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
			errs = append(errs, usagef("--units leaves networks without units; %s are for laws that are found without one (add mul, or others)", unitNames(false)))
		case !unary && slices.Contains(all.Products, 0):
			errs = append(errs, usagef("--units mul and --products 0 leave a layer without units"))
		}
	}
	return adjust, errs
}
