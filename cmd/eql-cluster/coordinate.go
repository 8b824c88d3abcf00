package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"github.com/eqlearner/eql/internal/cluster"
	"github.com/eqlearner/eql/internal/command"
	"github.com/eqlearner/eql/internal/work"
)

const batchDescription = `Learns from each table what eql batch learns from it. With --cluster, workers do that, on
any machines: they may be started and stopped at any time, and what one had not finished another
takes. Results are kept in the folder of the run; if the coordinator dies, --resume goes on, and
workers wait for it. Without --cluster this process learns from the tables, and nothing listens.

  eql-cluster batch tables/ --target y --cluster listen        # prints how workers join
  eql-cluster batch --resume RUN --cluster listen              # go on
  eql-cluster batch tables/ --target y --cluster nats://HOST   # a NATS server with JetStream`

// garbage is how much of it a coordinator collects, in per cent of what it holds: collecting costs it little, and it
// often runs on a machine that many share.
const garbage = 25

// coordinate has workers do the units of a run.
func coordinate(ctx context.Context, how, dir string, p work.Plan, l *work.Ledger, notes io.Writer) error {
	folder, err := filepath.Abs(dir) // a second terminal may be in another one
	if err != nil {
		return err
	}
	debug.SetGCPercent(garbage) // also while the summary is written
	return cluster.Coordinate(ctx, cluster.Options{
		Engine: how, Dir: dir,
		Ready: func(a cluster.Address) {
			fmt.Fprintf(notes, "workers: eql-cluster worker %s   # where the folder of the run is seen\n"+
				"         eql-cluster worker '%s'   # elsewhere; keep the line secret\n", command.ShellWord(folder), a)
		},
		Note: func(text string) { fmt.Fprintln(notes, "note: "+text) },
	}, p, l)
}
