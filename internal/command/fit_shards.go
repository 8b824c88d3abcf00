package command

import (
	"context"
	"io"
	"os"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/internal/sweep"
)

// plan makes the folder of a run whose grid is trained in shards, and says how.
func (o fitOptions) plan(stdin io.Reader, stdout, notes io.Writer) error {
	table, options, err := o.tables(stdin, notes)
	if err != nil {
		return err
	}
	dir, err := inNewFolder(o.out, runName(o.data), func(dir string) (bool, error) {
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
