package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/internal/batch"
	"github.com/eqlearner/eql/internal/work"
)

// Cluster is what has the tables of a batch learned from on other machines. What does so is no part of eql, which would
// be larger by two thirds, for people with one machine.
type Cluster struct {
	Flags       []cli.Flag // of batch, beside its own; one is named cluster
	Description string     // of batch
	Worker      *cli.Command

	// Coordinate has the units of a plan done for the run in a folder. The value of the flag is how.
	Coordinate func(ctx context.Context, how, dir string, p work.Plan, l *work.Ledger, notes io.Writer) error
}

const clusterFlag = "cluster"

// ExecuteCluster runs the command of the program eql-cluster that the arguments name, and returns the exit code.
func ExecuteCluster(cluster *Cluster, args []string, stderr io.Writer) int {
	app := appOf("eql-cluster", "learn formulas from many tables, on machines that come and go",
		`eql-cluster batch tables/ --target y --cluster listen   coordinate; prints how workers join
eql-cluster worker RUN                                  work, where the folder of the run is seen
eql-cluster worker 'nats://…'                           work, elsewhere`,
		batchCommand(cluster), cluster.Worker, devicesCommand())
	return execute(app, args, stderr)
}

// elsewhere has units of a batch done, and gives the results to the ledger.
type elsewhere func(ctx context.Context, dir string, p work.Plan, l *work.Ledger) error

// useCluster looks whether the flags ask for a cluster.
func (o *batchOptions) useCluster(c *cli.Context, cluster *Cluster) error {
	if !c.IsSet(clusterFlag) {
		return nil
	}
	how, notes := c.String(clusterFlag), c.App.ErrWriter
	if o.fit.quiet {
		notes = io.Discard
	}
	o.elsewhere = func(ctx context.Context, dir string, p work.Plan, l *work.Ledger) error {
		return cluster.Coordinate(ctx, how, dir, p, l, notes)
	}
	o.again = " --" + clusterFlag + " " + shellWord(how)
	if strings.Contains(how, "@") {
		o.again = " --" + clusterFlag + " …" // it has a password in it
	}
	var errs []error
	for _, conflict := range []struct {
		flag string
		set  bool
		why  string
	}{
		{"shards", c.IsSet("shards"), "workers take tables one by one"},
		{"shard", c.IsSet("shard"), "workers take tables one by one"},
		{"keep", o.keep, "workers may not see the folder; eql fit learns from a table again"},
		{"workers", c.IsSet("workers"), "give it to eql-cluster worker"},
	} {
		if conflict.set {
			errs = append(errs, usagef("--%s and --%s exclude each other: %s", clusterFlag, conflict.flag, conflict.why))
		}
	}
	if how == "" {
		errs = append(errs, usagef("--%s is empty (want listen, listen=HOST:PORT, or nats://HOST)", clusterFlag))
	}
	return errors.Join(errs...)
}

// workElsewhere has others learn from tables. Those that this process cannot read, or that have changed, it does
// itself, so that what is wrong is said in the same words.
func (o batchOptions) workElsewhere(ctx context.Context, b batchWork) error {
	if slices.ContainsFunc(b.Tables, func(t batch.Table) bool { return t.Folder != "" }) {
		o.again = ""
		return fmt.Errorf("%s: the batch keeps a folder of each table, and workers may not see it (%s goes on here)",
			b.Dir, o.resumeBatch(b.Dir))
	}
	settings := b.Plan
	settings.Tables = nil
	p := work.Plan{Class: b.Class}
	var err error
	if p.Settings, err = json.Marshal(settings); err != nil {
		return err
	}
	var here []batch.Table
	hashes := map[string]string{} // by path: groups are in one file
	for _, t := range b.todo {
		hash, known := hashes[t.Path]
		if !known {
			hash = tableOf(t.Name, t.Path).SHA256
			hashes[t.Path] = hash
		}
		if hash == "" || t.SHA256 != "" && t.SHA256 != hash {
			here = append(here, t)
			continue
		}
		u := work.Unit{Key: t.Name, File: work.File{Path: t.Path, SHA256: hash}}
		if u.Body, err = json.Marshal(t); err != nil {
			return err
		}
		p.Units = append(p.Units, u)
	}
	ledger, err := b.ledger()
	if err != nil {
		return err
	}
	todo := b.todo
	b.todo = here
	if err := o.workHere(ctx, b); err != nil {
		return err
	}
	b.todo = todo
	return o.elsewhere(ctx, b.Dir, p, ledger)
}

// ledger keeps results as lines of the batch.
func (b batchWork) ledger() (*work.Ledger, error) {
	l := &work.Ledger{
		Append: func(r work.Result) error {
			line, err := lineOf(r)
			if err != nil {
				return err
			}
			return b.keep(line)
		},
		Dispute: func(r work.Result) error {
			line, err := lineOf(r)
			if err != nil {
				return err
			}
			return b.Dispute(line)
		},
		Same: func(r work.Result) ([]byte, error) {
			line, err := lineOf(r)
			if err != nil || line.Error != "" {
				return nil, err
			}
			return line.Same(), nil
		},
	}
	done, err := b.Finished()
	if err != nil {
		return nil, err
	}
	for name, line := range done.Lines {
		if line.Error != "" {
			continue // it is tried again
		}
		body, err := json.Marshal(line)
		if err == nil {
			err = l.Knows(work.Result{Key: name, Body: body})
		}
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}

func lineOf(r work.Result) (l batch.Line, err error) {
	if r.Failed != "" {
		return batch.Line{Table: r.Key, Error: r.Failed}, nil
	}
	if err := json.Unmarshal(r.Body, &l); err != nil {
		return l, fmt.Errorf("a worker's result of %q is damaged: %w", r.Key, err)
	}
	if l.Table != r.Key {
		return l, fmt.Errorf("a worker's result of %q says that it is of %q", r.Key, l.Table)
	}
	return l, nil
}

// Learner learns from single tables of a batch, wherever its folder is. It may be used by several goroutines.
type Learner struct {
	plan  batch.Plan // without tables
	fit   fitOptions
	class string

	mu   sync.Mutex
	file string // hash of the file that parts are of
	read func() (*parts, error)
}

// NewLearner returns a learner with the settings of a coordinator.
func NewLearner(settings json.RawMessage) (*Learner, error) {
	l := &Learner{class: Class()}
	if err := json.Unmarshal(settings, &l.plan); err != nil {
		return nil, fmt.Errorf("the settings of the run are damaged: %w", err)
	}
	var err error
	l.fit, err = batchOptions{}.settings(&batch.Folder{Dir: "the run", Plan: l.plan})
	return l, err
}

// Do learns from the table that a unit names, whose file is at path.
func (l *Learner) Do(ctx context.Context, u work.Unit, path string) (json.RawMessage, error) {
	var t batch.Table
	if err := json.Unmarshal(u.Body, &t); err != nil {
		return nil, fmt.Errorf("the unit is damaged: %w", err)
	}
	t.Path = path
	reader := &tableReader{
		fit: l.fit, folder: &batch.Folder{Plan: l.plan}, tables: map[string]*readTable{t.Name: {Table: t}},
	}
	if l.plan.By != "" {
		reader.parts = l.parts(u.File.SHA256, path)
	}
	f := eql.Fitted{}
	var own []eql.Option
	if f.Table, own, f.Err = reader.source(reader.tables[t.Name], 1)(); f.Err == nil {
		f.Result, f.Err = eql.Fit(ctx, f.Table, slices.Concat(batchOptions{fit: l.fit}.running(l.fit), own)...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	line := reader.line(t.Name, f)
	if l.class != l.plan.Class {
		line.Class = l.class
	}
	return json.Marshal(line)
}

// parts returns what reads the groups of a file; it is read once.
func (l *Learner) parts(hash, path string) func() (*parts, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != hash || l.read == nil {
		l.file, l.read = hash, sync.OnceValues(func() (*parts, error) { return l.fit.parts(path, l.plan.By, io.Discard) })
	}
	return l.read
}

// Class returns the class of bits of this program on this machine.
func Class() string { return buildClass() }

// Usagef returns an error of the command line.
func Usagef(format string, args ...any) error { return usagef(format, args...) }

// UntilInterrupt returns a context that the first Ctrl-C, or a request to end, cancels; a second one ends the program.
func UntilInterrupt(ctx context.Context, heard func()) (context.Context, context.CancelFunc) {
	return untilInterrupt(ctx, heard)
}

// ShellWord returns text as one word of a shell.
func ShellWord(text string) string { return shellWord(text) }
