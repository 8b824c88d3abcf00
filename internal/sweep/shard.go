package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/eqlearner/eql/trainer"
)

// Shards is how a grid is trained by processes that need not see each other.
type Shards struct {
	Count int    `json:"count"` // ≥ 1
	Class string `json:"class"` // of bits: programs and processors of one class give the same
}

// check refuses what no program wrote.
func (s *Shards) check() error {
	const most = 1_000_000
	if s != nil && (s.Count < 1 || s.Count > most) {
		return fmt.Errorf("the number of shards is %d", s.Count)
	}
	return nil
}

// Shard is a part of the blocks of networks of a grid: those that are dealt to one of several processes.
type Shard struct {
	Index, Count int
	First        int // the number of the first block among all that are dealt
}

// has reports whether a block is of the shard.
func (s Shard) has(block int) bool { return (s.First+block)%s.Count == s.Index }

// ErrNotInShards says that a search cannot be trained in shards.
var ErrNotInShards = errors.New(
	"rounds of this search depend on each other, so its networks cannot be trained in shards")

// InShards returns an error unless the networks of a run with these settings can be trained in shards: it trains a
// grid, and nothing in it depends on what others led to.
func InShards(s Settings) error {
	if s.Refine || s.Extend > 0 || s.Halving.Each() > 1 {
		return ErrNotInShards
	}
	return nil
}

// Blocks returns how many blocks the networks of a grid are dealt in, each of as many as the widest kernel has lanes.
func Blocks(s Settings) int {
	_, padded := s.OfEachArch()
	arches := len(s.Layers) * len(s.Width) * max(1, len(s.Products))
	return arches * padded / trainer.MaxVector
}

// TrainShard trains the networks of a shard that the store does not have, and nothing more: [Run] with the same store
// goes on from there, with the same bits as if it had trained all by itself.
func TrainShard(ctx context.Context, t Task, s Settings, opt Options, shard Shard) error {
	if err := errors.Join(s.Validate(), InShards(s)); err != nil {
		return err
	}
	rest, _, _ := withoutConstants(t)
	if len(rest.Targets) == 0 {
		return nil
	}
	p, err := newProblem(rest, s)
	if err != nil {
		return err
	}
	r := newRunner(p, s, opt)
	grid := atOnce(rounds(s, len(p.inputs), len(p.targets)))
	var mine, missing []Job
	block := 0
	for jobs := range slices.Chunk(grid, trainer.MaxVector) {
		if shard.has(block) {
			mine = append(mine, jobs...)
			for part := range slices.Chunk(jobs, trainer.MinLanes) { // of which a crash can have stored a part
				if _, ok := opt.Store.finished(part); !ok {
					missing = append(missing, part...)
				}
			}
		}
		block++
	}
	if len(mine) == 0 {
		return nil
	}
	r.expect(mine)
	if done := len(mine) - len(missing); done > 0 {
		r.progress(cost(mine)-cost(missing), "")
		r.count(done)
	}
	return r.trainMissing(ctx, grid, missing, r.device(grid), map[int]*Model{})
}

// atOnce returns the networks of rounds between which nothing is decided as one round, the longest first, so that no
// core waits for the others before the end.
func atOnce(rounds [][]Job) []Job {
	slices.Reverse(rounds)
	return slices.Concat(rounds...)
}
