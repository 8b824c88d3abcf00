package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/internal/batch"
	page "github.com/eqlearner/eql/internal/report"
)

// batchCommand returns the command batch, which can have a cluster do the work if one is given.
func batchCommand(cluster *Cluster) *cli.Command {
	command := &cli.Command{
		Name:      "batch",
		Usage:     "learn a formula from each of many tables, on one machine or many",
		ArgsUsage: "FOLDER|FILE… or RUN",
		Description: `Learns from each table what eql fit learns from it, several tables at a
time, and writes a folder with summary.csv, summary.json and batch.html, a
page that shows them all. A folder stands for the tables in it (.csv, .tsv,
.txt, .dat, and these with .gz); with --by the groups of rows of one file
are the tables. If a table cannot be read, the summary says why, the work
goes on with the others, and the exit code is 1. Without --time-limit there
is no limit.

  eql batch tables/ --target y               # a formula for each table
  eql batch all.csv --by sensor --target y   # for each value of a column
  eql batch tables/ --shared                 # and one law for them all
  eql batch --resume RUN                     # tables left or failed
  eql batch RUN                              # the summary so far

With --shared, each formula without its constants is then fitted to all
tables, with constants of its own for each, and the sum of BIC2 over the
tables decides. Constants that agree in all tables become one. A table whose
tests refuse the law keeps its own formula, and two laws in one folder are
told apart. laws.csv has the constants. eql fit --by learns from the groups
of one table together: every group gets the one form, whether it suits it or
not, errors have one size in all of them, and what is learned can be used as
one formula. Give batch --by --shared for groups that need not all have one
law, that are many, or whose errors differ.

Machines that all see the folder can share the work: plan it, run the shards
in any order, and join them. --shard auto takes the number from an array job
of Slurm, PBS, LSF, SGE, Kubernetes or AWS Batch. All machines need the same
build and the same family of processors, so that all results have the same
bits.

  eql batch tables/ --shards 50 --out RUN    # plan the work
  eql batch RUN --shard 7                    # 0 to 49
  eql batch RUN`,
		Flags: batchFlags(),
		Action: func(c *cli.Context) error {
			o, err := parseBatch(c)
			if err == nil && cluster != nil {
				err = o.useCluster(c, cluster)
			}
			if err != nil {
				return err
			}
			return runBatch(c.Context, o, os.Stdout, os.Stderr)
		},
	}
	if cluster != nil {
		command.Flags = append(command.Flags, cluster.Flags...)
		command.Description = cluster.Description
	}
	return command
}

// runBatch plans, works or joins, whatever is asked for.
func runBatch(ctx context.Context, o batchOptions, stdout, stderr io.Writer) error {
	notes := stderr
	if o.fit.quiet {
		notes = io.Discard
	}
	if o.run == "" {
		f, err := o.plan(notes)
		if err != nil {
			return err
		}
		tell(notes, "run: %s", f.Dir)
		if o.shards > 0 {
			return shardPlan{
				command: "batch", dir: f.Dir, shards: f.Shards, what: amount(len(f.Tables), "table", "tables"),
				inputs: "the tables and ",
			}.print(stdout)
		}
		return o.workAndJoin(ctx, f, stdout, notes)
	}
	f, err := batch.Open(o.run)
	if err != nil {
		return err
	}
	switch {
	case o.shard != "":
		shard, err := shardNumber(o.shard, f.Shards, os.LookupEnv)
		if err != nil {
			return err
		}
		return o.work(ctx, f, shard, notes)
	case o.resume, o.elsewhere != nil:
		return o.workAndJoin(ctx, f, stdout, notes)
	}
	return o.join(ctx, f, stdout, notes)
}

// workAndJoin does what is left and joins what there is then, also after an interrupt.
func (o batchOptions) workAndJoin(ctx context.Context, f *batch.Folder, stdout, notes io.Writer) error {
	err := o.work(ctx, f, batch.All, notes)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if err != nil {
		fmt.Fprintf(notes, "interrupted: %s goes on\n", o.resumeBatch(f.Dir))
	}
	return errors.Join(o.join(ctx, f, stdout, notes), err)
}

func (o batchOptions) resumeBatch(dir string) string {
	return o.program + " batch --resume " + shellWord(dir) + o.again
}

// work learns from the tables of a shard that have no result.
func (o batchOptions) work(ctx context.Context, f *batch.Folder, shard int, notes io.Writer) error {
	class := buildClass()
	if err := checkClass(f.Dir, f.Class, o.anyClass); err != nil {
		return err
	}
	fit, err := o.settings(f)
	if err != nil {
		return err
	}
	w, todo, err := f.Begin(shard)
	if err != nil {
		return err
	}
	defer w.Close()
	p := newProgress(notes, 0)
	defer p.done()
	ctx, stop := untilInterrupt(ctx, p.interrupted)
	defer stop()
	done := batchProgress{bar: p, tables: len(todo)}
	if shard != batch.All {
		done.shard = fmt.Sprintf("shard %d of %d: ", shard, f.Shards)
	}
	keep := func(l batch.Line) error {
		if err := w.Append(l); err != nil {
			return fmt.Errorf("%w (%s goes on)", err, o.resumeBatch(f.Dir))
		}
		done.add(l)
		return nil
	}
	do := o.workHere
	if o.elsewhere != nil {
		do = o.workElsewhere
	}
	err = do(ctx, batchWork{f, fit, class, todo, keep})
	if shard != batch.All && (err == nil || errors.Is(err, context.Canceled)) {
		p.done()
		fmt.Fprintf(notes, "%s%s\n", done.shard, done.ended())
	}
	return err
}

// batchWork is what is to be done in the folder of a batch.
type batchWork struct {
	*batch.Folder
	fit   fitOptions
	class string // of bits of this program
	todo  []batch.Table
	keep  func(batch.Line) error // returns when a result is on the disk
}

// workHere learns from tables in this process.
func (o batchOptions) workHere(ctx context.Context, b batchWork) error {
	tables := &tableReader{fit: b.fit, folder: b.Folder}
	for name, fitted := range eql.FitEach(ctx, tables.sources(b.todo, o.workers(len(b.todo))), o.running(b.fit)...) {
		if ctx.Err() != nil && fitted.Err != nil {
			continue // cut off by Ctrl-C
		}
		l := tables.line(name, fitted)
		if b.class != b.Class {
			l.Class = b.class
		}
		if err := b.keep(l); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// atATime returns how many tables are worked on at a time.
func (o batchOptions) atATime() int {
	if o.fit.workers > 0 {
		return o.fit.workers
	}
	return runtime.GOMAXPROCS(0)
}

// workers returns how many workers each fit has, of those that all have together.
func (o batchOptions) workers(tables int) int { return max(1, o.atATime()/max(1, tables)) }

// running returns the options of all fits.
func (o batchOptions) running(fit fitOptions) []eql.Option {
	options := []eql.Option{eql.Workers(o.fit.workers), eql.OnDevice(o.fit.device)}
	if fit.timeLimit != nil {
		options = append(options, eql.TimeLimit(*fit.timeLimit))
	}
	return options
}

// join writes the summary of what the folder has and prints it.
func (o batchOptions) join(ctx context.Context, f *batch.Folder, stdout, notes io.Writer) error {
	s, err := f.Join()
	if err != nil {
		return err
	}
	if f.Shared && ctx.Err() == nil {
		if err := o.share(ctx, f, s, notes); err != nil {
			return err
		}
	}
	dir, err := filepath.Abs(f.Dir)
	if err != nil {
		return err
	}
	if err := f.Write(s, page.Batch{Name: filepath.Base(dir), Summary: s}.Write); err != nil {
		return err
	}
	fmt.Fprintf(notes, "page: %s\n", filepath.Join(f.Dir, "batch.html"))
	if o.fit.json {
		data, err := s.JSON()
		if err == nil {
			_, err = stdout.Write(data)
		}
		return errors.Join(err, o.incomplete(f, s))
	}
	return errors.Join(printBatch(stdout, s), o.incomplete(f, s))
}

// incomplete says what a batch lacks, if anything.
func (o batchOptions) incomplete(f *batch.Folder, s *batch.Summary) error {
	var errs []error
	if n := len(s.Missing); n > 0 {
		way := o.resumeBatch(f.Dir) + " learns from them"
		if f.Shards > 0 {
			way = fmt.Sprintf("run shards %s again, or %s", numbers(f.ShardsOf(s.Missing)), o.resumeBatch(f.Dir))
		}
		errs = append(errs, fmt.Errorf("%s: %d of %d tables have no result yet (%s)", f.Dir, n, s.Tables, way))
	}
	if s.Failed > 0 {
		errs = append(errs, fmt.Errorf("%s: %d of %d tables failed, for the reasons in the summary (%s tries them again)",
			f.Dir, s.Failed, s.Tables, o.resumeBatch(f.Dir)))
	}
	if n := len(s.Dispute); n > 0 {
		errs = append(errs, fmt.Errorf("%s: %d tables have two results that differ, the first is %s "+
			"(did machines of several kinds work on them?)", f.Dir, n, printable(s.Dispute[0])))
	}
	return errors.Join(errs...)
}

// numbers lists whole numbers.
func numbers(list []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ", ")
}

// batchProgress counts the tables that are done.
type batchProgress struct {
	bar                  *progress
	shard                string // words for it, where others may be at work in the same terminal
	tables, done, failed int
}

func (b *batchProgress) add(l batch.Line) {
	b.done++
	if l.Error != "" {
		b.failed++
	}
	text := fmt.Sprintf("%s%d of %s", b.shard, b.done, amount(b.tables, "table", "tables"))
	if b.failed > 0 {
		text += fmt.Sprintf(", %d failed", b.failed)
	}
	b.bar.show(float64(b.done)/float64(b.tables), text)
}

// ended says what came of a shard.
func (b *batchProgress) ended() string {
	text := "done, " + amount(b.done, "table", "tables")
	switch {
	case b.tables == 0:
		text = "no table was left to learn from"
	case b.done < b.tables:
		text = fmt.Sprintf("interrupted after %d of %d tables; run it again to go on", b.done, b.tables)
	}
	if b.failed > 0 {
		text += fmt.Sprintf(", %d failed", b.failed)
	}
	return text
}

// plan lists the tables and makes the folder.
func (o batchOptions) plan(notes io.Writer) (*batch.Folder, error) {
	p := batch.Plan{Flags: o.words, By: o.by, Keep: o.keep, Shared: o.shared, Shards: o.shards, Class: buildClass()}
	var err error
	if o.by != "" {
		p.Tables, err = groupsOf(o.inputs, o, notes)
	} else {
		p.Tables, err = tablesOf(o.inputs, notes)
	}
	if err != nil {
		return nil, err
	}
	if o.keep {
		nameFolders(p.Tables)
	}
	var f *batch.Folder
	_, err = inNewFolder(o.fit.out, "batch", func(dir string) (bool, error) {
		f, err = batch.Create(dir, p)
		return err == nil, err
	})
	return f, err
}

// nameFolders gives each table a folder of its own, named like it.
func nameFolders(tables []batch.Table) {
	taken := map[string]bool{}
	for i := range tables {
		base := runName(tables[i].Name)
		name := base
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[strings.ToLower(name)] = true
		tables[i].Folder = name
	}
}
