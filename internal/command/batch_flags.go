package command

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/internal/batch"
)

// batchOptions is what the flags of batch say.
type batchOptions struct {
	fit      fitOptions // of every table
	words    []string   // the flags that determine the results, as they are given
	inputs   []string   // files and folders of a new batch
	run      string     // the folder of one that is there
	resume   bool
	by       string
	keep     bool
	shared   bool
	shards   int
	shard    string
	anyClass bool

	program   string    // whose command this is
	again     string    // flags with which the command goes on
	elsewhere elsewhere // does the work; nil: it is done in this process
}

// fitAlone are the flags of fit that batch has not, or has with another meaning.
var fitAlone = []string{"by", "validation", "test", "time-limit", "workers", "out", "resume", "json"}

// batchFlags returns the flags of fit that make sense for many tables, and those of batch.
func batchFlags() []cli.Flag {
	const (
		many    = "Many tables"
		running = "Running"
	)
	return slices.Concat([]cli.Flag{
		&cli.StringFlag{Name: "by", Category: many,
			Usage: "the tables are the groups of rows of one file with the same cell in `COLUMN`; " +
				"each gets a formula of its own"},
		&cli.BoolFlag{Name: "keep", Category: many, DisableDefaultText: true,
			Usage: "keep a run folder of each table, for eql show, predict and report"},
		&cli.BoolFlag{Name: "shared", Category: many, DisableDefaultText: true,
			Usage: "look for laws that tables have in common, each with constants of its own for each table"},
		&cli.StringFlag{Name: "out", Category: many, Usage: "`FOLDER` of the batch (default: eql-runs/batch-N)"},
		&cli.StringFlag{Name: "resume", Category: many,
			Usage: "go on with the batch in `FOLDER`: learn from the tables that are left or failed"},
	}, shardFlags(many, "the work"), slices.DeleteFunc(fitFlags(),
		func(f cli.Flag) bool { return slices.Contains(fitAlone, f.Names()[0]) }), []cli.Flag{
		&cli.DurationFlag{Name: "time-limit", Category: running, DefaultText: "none",
			Usage: "search in each table no longer than `TIME`, such as 90s; a short first round is always finished; " +
				"results then depend on the machine"},
		&cli.IntFlag{Name: "workers", Category: running, DefaultText: "all cores",
			Usage: "learn from `N` tables at a time; the results do not depend on it"},
		&cli.BoolFlag{Name: "json", Category: running, DisableDefaultText: true,
			Usage: "print the summary as one JSON object"},
	})
}

// anytime are the flags that do not change results: they are not kept.
var anytime = []string{"workers", "device", "json", "quiet", "any-class", "shard", "resume", "help", clusterFlag}

// planned are the flags that a plan has in fields of its own.
var planned = []string{"by", "keep", "shared", "out", "shards"}

// parseBatch reads the flags and arguments of batch. It reports all mistakes at once.
func parseBatch(c *cli.Context) (batchOptions, error) {
	fit, errs := parseLearning(c)
	bad := func(format string, args ...any) { errs = append(errs, usagef(format, args...)) }
	o := batchOptions{
		fit: fit, words: flagWords(c), inputs: c.Args().Slice(), run: fit.resume, resume: c.IsSet("resume"),
		by: c.String("by"), keep: c.Bool("keep"), shared: c.Bool("shared"),
		anyClass: c.Bool("any-class"), program: c.App.Name,
	}
	var wrong []error
	o.shards, o.shard, wrong = parseShards(c)
	errs = append(errs, wrong...)
	if c.IsSet("by") && o.by == "" {
		bad("--by is empty")
	}
	switch there := len(o.inputs) == 1 && isBatch(o.inputs[0]); {
	case o.resume && len(o.inputs) > 0:
		bad("batch --resume FOLDER takes no argument, and %s given", given(len(o.inputs)))
	case there:
		o.run, o.inputs = o.inputs[0], nil
	case !o.resume && len(o.inputs) == 0:
		bad("batch takes folders or files of tables, or the folder of a batch, and no argument was given; " +
			"eql batch --help says more")
	case !o.resume && o.shard != "":
		bad("--shard works on a batch that is planned (plan it by --shards, then give its folder)")
	}
	if o.run != "" {
		for _, name := range c.LocalFlagNames() {
			if c.IsSet(name) && !slices.Contains(anytime, name) {
				bad("--%s cannot be changed: a batch goes on with the settings it began with", name)
			}
		}
	}
	if o.resume && o.shard != "" {
		bad("--resume and --shard exclude each other: a shard goes on by itself when it is run again")
	}
	return o, errors.Join(errs...)
}

func isBatch(path string) bool {
	_, err := batch.Open(path)
	return !errors.Is(err, batch.ErrNotABatch)
}

// flagWords returns the flags that were given and determine the results, so that they can be parsed again.
func flagWords(c *cli.Context) []string {
	words := []string{}
	for _, f := range batchFlags() {
		name := f.Names()[0]
		if !c.IsSet(name) || slices.Contains(anytime, name) || slices.Contains(planned, name) {
			continue
		}
		for _, value := range flagValues(c, f, name) {
			words = append(words, "--"+name+"="+value)
		}
	}
	return words
}

// flagValues returns the values of a flag that was given.
func flagValues(c *cli.Context, f cli.Flag, name string) []string {
	switch f.(type) {
	case *cli.GenericFlag:
		return list(c, name)
	case *cli.IntSliceFlag:
		return []string{commas(c.IntSlice(name))}
	case *cli.Float64SliceFlag:
		return []string{commas(c.Float64Slice(name))}
	case *cli.StringSliceFlag:
		return []string{strings.Join(c.StringSlice(name), ",")}
	}
	return []string{fmt.Sprint(c.Value(name))}
}

// settings returns what the flags say that a batch was planned with.
func (o batchOptions) settings(f *batch.Folder) (fitOptions, error) {
	set := flag.NewFlagSet("batch", flag.ContinueOnError)
	for _, fl := range batchFlags() {
		if err := fl.Apply(set); err != nil {
			return fitOptions{}, err
		}
	}
	if err := set.Parse(f.Flags); err != nil {
		return fitOptions{}, fmt.Errorf("%s: config.json is damaged: %w", f.Dir, err)
	}
	fit, errs := parseLearning(cli.NewContext(nil, set, nil))
	if err := errors.Join(errs...); err != nil {
		return fit, fmt.Errorf("%s: config.json is damaged: %w", f.Dir, err)
	}
	return fit, nil
}
