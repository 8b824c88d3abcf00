package command

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// plan makes the folder of a run whose grid is trained in shards, and says how.
func (o fitOptions) plan(stdin io.Reader, stdout, notes io.Writer) error {
	table, options, err := o.tables(stdin, notes)
	if err != nil {
		return err
	}
	dir, err := o.inFolder(func(dir string) (bool, error) {
		err := eql.Plan(table, dir, o.shards, buildClass(), options...)
		return err == nil, err
	})
	if err != nil {
		return err
	}
	tell(notes, "run: %s", dir)
	store, err := sweep.Open(dir)
	if err != nil {
		return err
	}
	return shardPlan{
		command: "fit", dir: dir, shards: o.shards, join: "--resume ",
		what: amount(sweep.Blocks(store.Config().Settings), "group of networks", "groups of networks"),
	}.print(stdout)
}

// trainShard trains the networks of a shard that are missing.
func (o fitOptions) trainShard(ctx context.Context, notes io.Writer) error {
	shards, class, err := eql.ShardsOf(o.data)
	if err != nil {
		return err
	}
	k, err := shardNumber(o.shard, shards, os.LookupEnv)
	if err != nil {
		return err
	}
	if err := checkClass(o.data, class, o.anyClass); err != nil {
		return err
	}
	options, p := o.running(true, notes)
	defer p.done()
	ctx, stop := untilInterrupt(ctx, p.interrupted)
	defer stop()
	if err := eql.TrainShard(ctx, o.data, k, options...); err != nil {
		return err
	}
	p.done()
	tell(notes, "shard %d of %d: its networks are trained", k, shards)
	return nil
}

// inFolder calls f with the folder of a new run: the one that is asked for, or the first free one of the runs of the
// data. f reports whether there is something in it now.
func (o fitOptions) inFolder(f func(dir string) (there bool, err error)) (string, error) {
	if o.out != "" {
		_, err := f(o.out)
		return o.out, err
	}
	for n := 1; ; n++ {
		dir := runFolder(o.data, n)
		if _, err := os.Lstat(dir); err == nil {
			continue
		}
		there, err := f(dir)
		var taken *run.FolderError
		if errors.As(err, &taken) && taken.Err == nil {
			continue // by another process, since
		}
		if info, lerr := os.Lstat(runsFolder); !there && lerr == nil && info.IsDir() {
			os.Remove(runsFolder) //nolint:errcheck // fails, as it should, when there are runs in it
		}
		return dir, err
	}
}
