package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/bench/paper"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/trainer"
)

// reproduceOptions is what the flags of reproduce say.
type reproduceOptions struct {
	request paper.Request
	given   map[string]bool // flags that were given: a run is resumed with the others as it began
	out     string
	resume  bool
	workers int
	device  trainer.Device
	quiet   bool

	shards   int    // plan the work in so many
	shard    string // do this one of what is planned in out
	anyClass bool
}

func reproduceCommand() *cli.Command {
	return &cli.Command{
		Name:      "reproduce",
		Usage:     "run an experiment of the paper and print its numbers beside the published ones, or list the experiments",
		ArgsUsage: "[NAME or NAME/SET,... or RUN]",
		Description: `Trains what the paper trained on each data set, and the methods it compares
with, and prints errors beside the published ones. Tables, formulas and
figures are kept in a folder. The preset full is the paper's protocol to the
letter, which takes hours for the larger experiments; it is the default
because only its numbers may stand beside the published ones. The preset
short is a reduction that takes minutes; the table says what it leaves out.

  eql reproduce
  eql reproduce pendulum --preset short
  eql reproduce arms/kin-3-end --methods eql,mlp
  eql reproduce 'noise/60-*,200-*'     # several of its data sets
  eql reproduce formulas --resume

Machines that all see one folder can share the work:

  eql reproduce formulas --shards 50 --out RUN   # prints how to submit it
  eql reproduce RUN --shard 7                    # 0 to 49, in any order
  eql reproduce RUN --resume                     # joins them`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "preset", Usage: "`full|short`: the published protocol, or a reduction that takes minutes",
				Value: string(paper.Full)},
			&cli.IntFlag{Name: "repetitions", Usage: "`N` starts of every network",
				DefaultText: "as published with full, fewer with short"},
			&cli.StringSliceFlag{Name: "methods", Usage: "`LIST` of methods among eql, mlp, svr, quick",
				DefaultText: "all of the experiment"},
			&cli.StringFlag{Name: "dtype", Usage: "`float32|float64`: the precision of training",
				DefaultText: "full: float64, short: float32"},
			&cli.Uint64Flag{Name: "seed", Usage: "`SEED` of every random choice"},
			&cli.StringFlag{Name: "out", Usage: "`FOLDER` of the run (default: eql-reproduce/NAME-PRESET)"},
			&cli.BoolFlag{Name: "resume", Usage: "continue a run that was interrupted or killed", DisableDefaultText: true},
			&cli.StringFlag{Name: "device", Usage: "`auto|cpu|cuda`: the device to train on; the results do not depend on it",
				Value: "auto"},
			&cli.IntFlag{Name: "workers", Usage: "`N` threads; the results do not depend on it", DefaultText: "all cores"},
			&cli.BoolFlag{Name: "quiet", Usage: "print no progress and no notes", DisableDefaultText: true},
		}, shardFlags("", "the work")...),
		Action: func(c *cli.Context) error {
			if c.Args().Len() == 0 && c.NumFlags() == 0 {
				return listExperiments(os.Stdout)
			}
			o, err := parseReproduce(c)
			if err != nil {
				return err
			}
			return runReproduce(c.Context, o, os.Stdout, os.Stderr)
		},
	}
}

// parseReproduce reads the flags. It reports all mistakes at once.
func parseReproduce(c *cli.Context) (reproduceOptions, error) {
	args, err := arguments(c, "NAME")
	if err != nil {
		return reproduceOptions{}, err
	}
	o := reproduceOptions{
		request: paper.Request{Experiment: args[0], Repetitions: c.Int("repetitions"), Seed: c.Uint64("seed")},
		given:   map[string]bool{},
		out:     c.String("out"), resume: c.Bool("resume"), workers: c.Int("workers"), quiet: c.Bool("quiet"),
	}
	for _, f := range c.FlagNames() {
		o.given[f] = c.IsSet(f)
	}
	var errs []error
	if err := o.request.Preset.UnmarshalText([]byte(c.String("preset"))); err != nil {
		errs = append(errs, flagError("preset", err))
	}
	for _, name := range c.StringSlice("methods") {
		var m paper.Method
		if err := m.UnmarshalText([]byte(strings.TrimSpace(name))); err != nil {
			errs = append(errs, flagError("methods", err))
		}
		o.request.Methods = append(o.request.Methods, m)
	}
	if o.given["dtype"] {
		o.request.DType = new(trainer.DType)
		if err := o.request.DType.UnmarshalText([]byte(c.String("dtype"))); err != nil {
			errs = append(errs, flagError("dtype", err))
		}
	}
	if o.given["repetitions"] && o.request.Repetitions < 1 {
		errs = append(errs, usagef("--repetitions is %d, want at least 1", o.request.Repetitions))
	}
	if err := o.device.UnmarshalText([]byte(c.String("device"))); err != nil {
		errs = append(errs, flagError("device", err))
	}
	if o.workers < 0 {
		errs = append(errs, usagef("--workers is %d, want 0 (all cores) or more", o.workers))
	}
	var wrong []error
	o.shards, o.shard, wrong = parseShards(c)
	o.anyClass, errs = c.Bool("any-class"), append(errs, wrong...)
	if o.resume && (o.shards > 0 || o.shard != "") {
		errs = append(errs, usagef("--resume joins the shards; it is given without --shards and --shard"))
	}
	return o, errors.Join(append(errs, o.inRun(args[0]))...)
}

// inRun takes the folder of a run for what is begun in it.
func (o *reproduceOptions) inRun(arg string) error {
	if !o.resume && o.shard == "" {
		return nil
	}
	begun, err := paper.Begun(arg)
	switch {
	case err == nil:
		o.out, o.request.Experiment = arg, begun.Experiment
	case o.shard != "":
		return usagef("--shard works on the folder of a run that is planned by --shards: %v", err)
	}
	return nil
}

func listExperiments(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "name\tdata sets\tfull: networks\tcore time\tshort\tcore time\twhat")
	for _, e := range paper.Experiments() {
		fmt.Fprintf(tw, "%s\t%s", e.Name, setsOf(e))
		for _, preset := range []paper.Preset{paper.Full, paper.Short} {
			p, err := paper.Request{Experiment: e.Name, Preset: preset}.Plan()
			if err != nil {
				return err
			}
			networks := 0
			for _, s := range p.Sets {
				networks += s.Networks(paper.EQL, p.Repetitions) + s.Networks(paper.MLP, p.Repetitions)
			}
			about, err := coreTime(p)
			if err != nil {
				return err
			}
			fmt.Fprintf(tw, "\t%d\t%s", networks, about)
		}
		fmt.Fprintf(tw, "\t%s\n", e.Title)
	}
	return tw.Flush()
}

// coreTime says about how long one core would work on a plan.
func coreTime(p paper.Plan) (string, error) {
	seconds, err := p.CoreSeconds()
	if err != nil {
		return "", err
	}
	if hours := seconds / 3600; hours >= 1 {
		return fmt.Sprintf("%.0f h", hours), nil
	}
	return fmt.Sprintf("%.0f min", math.Ceil(seconds/60)), nil
}

// setsOf lists the data sets of an experiment where they can be named; there are not many then.
func setsOf(e paper.Experiment) string {
	const most = 4
	if len(e.Sets) > most {
		return fmt.Sprint(len(e.Sets))
	}
	names := make([]string, len(e.Sets))
	for i, s := range e.Sets {
		names[i] = s.Name
	}
	return strings.Join(names, " ")
}

// reproduceFolder is where runs go that are given no folder.
const reproduceFolder = "eql-reproduce"

// runReproduce runs an experiment, or goes on with it, and prints its tables.
func runReproduce(ctx context.Context, o reproduceOptions, stdout, stderr io.Writer) error {
	notes := stderr
	if o.quiet {
		notes = io.Discard
	}
	if _, err := kernel.Selected(); err != nil {
		return err
	}
	if _, err := paper.Lookup(o.request.Experiment); err != nil {
		return &usageError{err}
	}
	o.out = o.folder()
	folder, err := o.open()
	if err != nil {
		return err
	}
	plan := folder.Plan()
	tell(notes, "run: %s", o.out)
	if o.shards > 0 {
		units, err := plan.Units()
		if err != nil {
			return err
		}
		return shardPlan{
			command: "reproduce", dir: o.out, shards: o.shards, what: amount(units, "piece of work", "pieces of work"),
			flags: " --resume",
		}.print(stdout)
	}
	if plan.Preset == paper.Full && !o.resume && o.shard == "" {
		about, err := coreTime(plan)
		if err != nil {
			return err
		}
		tell(notes, "note: this is the paper's whole protocol, about %s of one core; --preset short takes minutes, and "+
			"--resume goes on with what was interrupted", about)
	}
	cardNote(o.device, notes)
	p := newProgress(notes, 0)
	defer p.done()
	ctx, stop := untilInterrupt(ctx, p.interrupted)
	defer stop()
	began := time.Now()
	options := paper.Options{
		Workers: o.workers,
		Device:  o.device,
		Observe: p.observe,
		Elapsed: func() time.Duration { return time.Since(began) },
		CPU:     cpuTime,
		Build:   build(),
		Machine: machine(),
	}
	if o.shard != "" {
		return o.runShard(ctx, folder, options, p, notes)
	}
	result, err := folder.Run(ctx, options)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(notes, "interrupted: eql reproduce %s --preset %s --out %s --resume goes on\n",
			shellWord(plan.Experiment), plan.Preset, shellWord(o.out))
	}
	if err != nil {
		return err
	}
	p.done()
	return result.WriteMarkdown(stdout)
}

// runShard does what is left of a shard.
func (o reproduceOptions) runShard(
	ctx context.Context, f *paper.Folder, options paper.Options, p *progress, notes io.Writer,
) error {
	shards := f.Shards()
	if shards == nil {
		shards = &sweep.Shards{}
	}
	k, err := shardNumber(o.shard, shards.Count, os.LookupEnv)
	if err != nil {
		return err
	}
	if err := checkClass(o.out, shards.Class, o.anyClass); err != nil {
		return err
	}
	if err := f.RunShard(ctx, options, k); err != nil {
		return err
	}
	p.done()
	tell(notes, "shard %d of %d: its work is done", k, shards.Count)
	return nil
}

// open makes the folder of a run, or opens it to go on. What the command line leaves open is then as
// the run was begun.
func (o *reproduceOptions) open() (*paper.Folder, error) {
	if o.resume || o.shard != "" {
		begun, err := paper.Begun(o.folder())
		if err != nil {
			return nil, err
		}
		if !o.given["repetitions"] {
			o.request.Repetitions = begun.Repetitions
		}
		if !o.given["seed"] {
			o.request.Seed = begun.Seed
		}
		if !o.given["methods"] {
			o.request.Methods = begun.Methods
		}
		if !o.given["dtype"] {
			o.request.DType = begun.DType
		}
		if !o.given["preset"] {
			o.request.Preset = begun.Preset
		}
	}
	plan, err := o.request.Plan()
	if err != nil {
		return nil, &usageError{err}
	}
	switch {
	case o.resume, o.shard != "":
		return paper.Open(o.folder(), plan)
	case o.shards > 0:
		return paper.CreateInShards(o.folder(), plan, o.shards, buildClass())
	}
	return paper.Create(o.folder(), plan)
}

// folder returns the folder of the run.
func (o *reproduceOptions) folder() string {
	if o.out != "" {
		return o.out
	}
	name := strings.NewReplacer("/", "-", ",", "-", "*", "", "?", "", "[", "", "]", "").Replace(o.request.Experiment)
	return filepath.Join(reproduceFolder, fmt.Sprintf("%s-%s", name, o.request.Preset))
}

// build returns the version of the program with the commit it was built from, where that is known.
func build() string {
	text := version()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return text
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && !strings.Contains(text, s.Value[:min(len(s.Value), 12)]):
			text += " " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			text += " with changes"
		}
	}
	return text
}

// machine returns what times depend on, without the name of the machine.
func machine() string {
	return fmt.Sprintf("%s/%s, %d cores, kernel %s, %s",
		runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), kernel.Name(), runtime.Version())
}
