package paper

import (
	"context"
	"errors"
	"fmt"

	"github.com/eqlearner/eql/internal/sweep"
)

// CreateInShards makes the folder of a run that several processes work on, which need not see each other: each does the
// pieces of its shard, see [Folder.RunShard], and [Folder.Run] joins them. class is of bits.
func CreateInShards(dir string, p Plan, shards int, class string) (*Folder, error) {
	f, err := Create(dir, p)
	if err != nil {
		return nil, err
	}
	r := &runner{folder: f, plan: p}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	f.saved.Shards = &sweep.Shards{Count: shards, Class: class}
	for _, part := range r.parts {
		if p.sweepOf(part) == nil {
			continue
		}
		task, settings := part.sweep()
		store, err := openStore(r.storeDir(part), task, settings, f.saved.Shards)
		if err == nil {
			err = store.Close()
		}
		if err != nil {
			return nil, err
		}
	}
	return f, f.save() // last, so that a shard finds all of it
}

// sweepOf returns the settings of a part that trains networks, nil of others.
func (p Plan) sweepOf(part *part) *sweep.Settings { return part.set.plan.sweep(part.method) }

// Units returns how many pieces the work of a plan is dealt in: blocks of networks, and repetitions of SVR and quick.
func (p Plan) Units() (int, error) {
	r := &runner{plan: p}
	if err := r.prepare(); err != nil {
		return 0, err
	}
	n := 0
	for _, part := range r.parts {
		n += part.units()
	}
	return n, nil
}

// units returns how many pieces the work of a part is dealt in.
func (p *part) units() int {
	if s := p.plan.sweepOf(p); s != nil {
		return sweep.Blocks(*s)
	}
	return 1
}

// RunShard does the pieces of a shard that are not done, from 0. It may be called again after an interruption, and
// while other shards are done.
func (f *Folder) RunShard(ctx context.Context, opt Options, shard int) (err error) {
	r, err := f.runner(opt, shard)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.finished.close()) }()
	first := make([]int, len(r.parts)) // the number of the first piece of each part, whose weight is that of the shard
	next := 0
	for i, p := range r.parts {
		first[i] = next
		mine := 0
		for unit := range p.units() {
			if (next+unit)%f.saved.Shards.Count == shard {
				mine++
			}
		}
		p.weight *= float64(mine) / float64(p.units())
		next += p.units()
	}
	return r.work(ctx, func(ctx context.Context, i int) error {
		p := r.parts[i]
		mine := sweep.Shard{Index: shard, Count: f.saved.Shards.Count, First: first[i]}
		switch {
		case r.plan.sweepOf(p) != nil:
			return p.trainShard(ctx, mine)
		case first[i]%mine.Count == shard:
			return p.run(ctx)
		}
		return nil
	})
}

// trainShard trains the networks of a shard.
func (p *part) trainShard(ctx context.Context, shard sweep.Shard) (err error) {
	store, err := sweep.Open(p.storeDir(p))
	if err != nil {
		return fmt.Errorf("%w (was it planned with shards?)", err)
	}
	if err := store.ResumeShard(shard.Index); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	task, settings := p.sweep()
	return sweep.TrainShard(ctx, task, settings, p.training(store), shard)
}
