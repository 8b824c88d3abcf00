package eql

import (
	"context"
	"errors"
	"fmt"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/sweep"
)

// Plan makes the folder of a run whose networks are trained in shards, each by [TrainShard] in its own process, on any
// machine with access to the folder. [Resume] joins them: it trains what is missing, and returns the same result as
// [Fit]. Only settings whose networks do not depend on each other can be planned, those of [PaperPreset] for instance.
// class names what else the bits of results depend on, such as the build; the folder keeps it, see [ShardsOf].
func Plan(t *datasets.Table, dir string, shards int, class string, options ...Option) error {
	c, t, err := newConfig(t, options)
	if err != nil {
		return err
	}
	if shards < 1 {
		return fmt.Errorf("the number of shards is %d, want at least 1", shards)
	}
	if err := sweep.InShards(*c.Settings); err != nil {
		return err
	}
	saved := c.runConfig(t)
	saved.Shards = &sweep.Shards{Count: shards, Class: class}
	store, err := sweep.Create(dir, saved)
	if err != nil {
		return err
	}
	return store.Close()
}

// ShardsOf returns the number of shards of the run in a folder, and the class that it was planned with; 0 for a run
// that is not in shards.
func ShardsOf(dir string) (shards int, class string, err error) {
	store, err := sweep.Open(dir)
	if err != nil {
		return 0, "", err
	}
	if s := store.Config().Shards; s != nil {
		return s.Count, s.Class, nil
	}
	return 0, "", nil
}

// TrainShard trains the missing networks of shard k (counted from 0) of a run that [Plan] made. It may be called again
// after an interruption, and while other shards are trained. The options are those of [Resume].
func TrainShard(ctx context.Context, dir string, k int, options ...Option) error {
	store, err := sweep.Open(dir)
	if err != nil {
		return err
	}
	shards := store.Config().Shards
	if shards == nil || k < 0 || k >= shards.Count {
		return fmt.Errorf("%s has no shard %d", dir, k)
	}
	c, err := resumed(dir, store.Config(), options)
	if err != nil {
		return err
	}
	if err := store.ResumeShard(k); err != nil {
		return err
	}
	err = sweep.TrainShard(ctx, c.task(store.Config().Data.Table), *c.Settings, sweep.Options{
		Workers: c.workers, Device: c.device, Store: store, Observe: c.observe,
	}, sweep.Shard{Index: k, Count: shards.Count})
	return errors.Join(err, store.Close())
}
