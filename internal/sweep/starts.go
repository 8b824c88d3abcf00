package sweep

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/trainer"
)

// A start is a network to begin with. Its id says which: of n starts for each network, those of
// job j are n·j to n·j+n−1, and the jobs of a round share theirs.
type start struct {
	id      int
	network *model.Network
	score   float64 // mean squared error on the rows that starts are compared on
}

// newStart draws a start for a job.
func (r *runner) newStart(id int, j Job) start {
	p, s := r.problem, r.settings
	n := model.New(j.Arch)
	n.Inputs, n.Outputs = p.inputs, p.targets
	n.InScale, n.OutScale = p.inScale, p.outScale
	rng := rand.New(rand.NewPCG(s.Seed, startStream+uint64(id)))
	sparse := model.Sparse{Reach: p.reach, Inputs: 1, Removed: j.Removed}
	switch {
	case s.Init == InitPaper:
		n.Init(rng)
	case s.Init == InitMixed && id%2 == 1:
		sparse.Inputs = 2
		fallthrough
	default:
		n.InitSparse(rng, sparse)
	}
	return start{id: id, network: n}
}

// starts returns what the jobs of a round begin with, one for each. They do not depend on the
// number of workers.
func (r *runner) starts(ctx context.Context, jobs []Job, device trainer.Device) ([]start, error) {
	var starts []start
	for len(jobs) > 0 {
		n := sameArch(jobs) // they share their starts
		best, err := r.bestStarts(ctx, jobs[:n], device)
		if err != nil {
			return nil, err
		}
		starts, jobs = append(starts, best...), jobs[n:]
	}
	return starts, nil
}

// bestStarts returns as many starts as there are jobs, all of one architecture: the best, or all
// there are, when there is no choice.
func (r *runner) bestStarts(ctx context.Context, jobs []Job, device trainer.Device) ([]start, error) {
	each, lanes := r.settings.Halving.Each(), trainer.Lanes(r.settings.Train.DType, device, jobs[0].Arch)
	first, total := jobs[0].ID*each, len(jobs)*each
	var mu sync.Mutex // guards best
	var best []start
	keep := func(group []start) {
		mu.Lock()
		defer mu.Unlock()
		best = append(best, group...)
		slices.SortFunc(best, func(a, b start) int { return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.id, b.id)) })
		best = best[:min(len(best), len(jobs))] // the others need no memory any more
	}
	err := r.onDevice(ctx, device, (total+lanes-1)/lanes, func(ctx context.Context, g int) error {
		var group []start
		for i := g * lanes; i < min((g+1)*lanes, total); i++ {
			group = append(group, r.newStart(first+i, jobs[0]))
		}
		if each > 1 {
			work := r.settings.Halving.Part * cost(jobs[:1]) * float64(len(group))
			if err := r.gatedOn(ctx, device, work,
				func() error { return r.try(ctx, group, jobs[0], work, device) }); err != nil {
				return err
			}
		}
		keep(group)
		return nil
	})
	for _, s := range best {
		s.network.Release()
	}
	return best, err
}

// startsName returns the name of the checkpoint of a group of starts.
func startsName(group []start) string { return fmt.Sprintf("start-%d-%d", group[0].id, len(group)) }

// try trains a group of starts for a short while and scores them.
func (r *runner) try(ctx context.Context, group []start, j Job, work float64, device trainer.Device) error {
	t := training{
		name: startsName(group), config: r.config(j), work: work, device: device,
		score: r.problem.scaledScoreRows(), keep: true,
	}
	t.config.Epochs = max(1, int(math.Round(r.settings.Halving.Part*float64(j.Epochs))))
	t.config.Schedule = trainer.Schedule{{Name: "choice", End: 1}}
	t.config.HoldZeros = true
	for _, s := range group {
		t.lanes = append(t.lanes, trainer.Lane{Start: s.network})
	}
	res, _, err := r.fit(ctx, t)
	if err != nil {
		return err
	}
	for i := range group {
		if group[i].score = res.Scores[i]; res.Diverged[i] == nil {
			group[i].network = res.Networks[i]
		}
	}
	return nil
}

// scaledScoreRows returns the rows that starts are compared on, in scaled units.
func (p *problem) scaledScoreRows() trainer.Data {
	t := p.scoreRows()
	cols := make([][]float64, len(t.Cols))
	for j, col := range t.Cols {
		cols[j] = scaledColumn(col, p.scaleOf(j))
	}
	return trainer.Data{X: cols[:len(p.inputs)], Y: cols[len(p.inputs):]}
}
