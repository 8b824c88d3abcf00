package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/internal/cluster"
	"github.com/eqlearner/eql/internal/command"
	"github.com/eqlearner/eql/internal/work"
)

func workerCommand() *cli.Command {
	return &cli.Command{
		Name:      "worker",
		Usage:     "learn from tables of a run that another process coordinates",
		ArgsUsage: "RUN or FILE or 'nats://…'",
		Description: `Takes tables from the coordinator until the run has ended. RUN is the folder of the run, where it is
seen; elsewhere it is the line that the coordinator printed, in single quotes, or a file with it:
other users of a machine can read a command line. Tables that are not at the same path here come
from the coordinator. Ctrl-C or SIGTERM gives back what is not finished. If the coordinator dies,
the worker waits for it to be started again.`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "workers", DefaultText: "all cores", Usage: "learn from `N` tables at a time"},
			&cli.DurationFlag{Name: "patience", Value: time.Hour,
				Usage: "wait for a coordinator that does not answer for `TIME`"},
			&cli.BoolFlag{Name: "any-class", DisableDefaultText: true,
				Usage: "work also for a coordinator of another build or kind of processor; " +
					"bits may differ, and the summary says so"},
			&cli.BoolFlag{Name: "quiet", DisableDefaultText: true, Usage: "print nothing but errors"},
		},
		Action: func(c *cli.Context) error {
			o, err := parseWorker(c)
			if err != nil {
				return err
			}
			return o.run(c.Context, os.Stderr)
		},
	}
}

// workerOptions is what the flags of worker say.
type workerOptions struct {
	where    string
	workers  int
	patience time.Duration
	anyClass bool
	quiet    bool
}

func parseWorker(c *cli.Context) (workerOptions, error) {
	o := workerOptions{
		workers: c.Int("workers"), patience: c.Duration("patience"), anyClass: c.Bool("any-class"), quiet: c.Bool("quiet"),
	}
	var errs []error
	if c.Args().Len() != 1 || c.Args().First() == "" {
		errs = append(errs, command.Usagef("worker takes one argument, the folder of a run, or the line of its coordinator; "+
			"eql-cluster worker --help says more"))
	}
	o.where = c.Args().First()
	if o.workers < 0 {
		errs = append(errs, command.Usagef("--workers is %d, want 0 (all cores) or more", o.workers))
	}
	if o.patience < 0 {
		errs = append(errs, command.Usagef("--patience is %v, want 0 or more", o.patience))
	}
	if o.workers == 0 {
		o.workers = runtime.GOMAXPROCS(0)
	}
	return o, errors.Join(errs...)
}

// address returns where the coordinator is.
func (o workerOptions) address() (cluster.Address, error) {
	if strings.Contains(o.where, "://") {
		return cluster.ParseAddress(o.where)
	}
	return cluster.ReadAddress(o.where)
}

func (o workerOptions) run(ctx context.Context, notes io.Writer) error {
	a, err := o.address()
	if err != nil {
		return err
	}
	if o.quiet {
		notes = io.Discard
	}
	ctx, stop := command.UntilInterrupt(ctx,
		func() { fmt.Fprintln(notes, "interrupted: giving back what is not finished") })
	defer stop()
	done, err := cluster.Work(ctx, a, cluster.WorkerOptions{
		Class: command.Class(), AnyClass: o.anyClass, Slots: o.workers, Patience: o.patience,
		Note: func(text string) { fmt.Fprintln(notes, "note: "+text) },
		Prepare: func(settings json.RawMessage) (cluster.Do, error) {
			l, err := command.NewLearner(settings)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(notes, "working: %d tables at a time\n", o.workers)
			return telling(l.Do, notes), nil
		},
	})
	fmt.Fprintf(notes, "learned from %d tables\n", done)
	return err
}

// telling is do with a line now and then that says how many tables there were.
func telling(do cluster.Do, notes io.Writer) cluster.Do {
	const often = 30 * time.Second
	var mu sync.Mutex
	done, told := 0, time.Now()
	return func(ctx context.Context, u work.Unit, path string) (json.RawMessage, error) {
		r, err := do(ctx, u, path)
		mu.Lock()
		defer mu.Unlock()
		if done++; ctx.Err() == nil && time.Since(told) > often {
			told = time.Now()
			fmt.Fprintf(notes, "working: %d tables done\n", done)
		}
		return r, err
	}
}
