package baseline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/eqlearner/eql/trainer"
)

// Score is how a setting does: one model an output, fitted to the training rows and judged on the
// validation rows.
type Score struct {
	RMS        float64 `json:"rms"`        // root of the mean of squares over validation rows and outputs
	Support    int     `json:"support"`    // support vectors, summed over the outputs
	Iterations int     `json:"iterations"` // summed over the outputs
	Converged  bool    `json:"converged"`  // false when a fit stopped at its limit of iterations
}

// GridSVR scores every setting on the validation rows, with as many goroutines as workers. The
// scores are in the order of the grid, and each is what the setting alone would get, so a caller who
// keeps what done was told goes on with the settings that are left. done, which may be nil, hears of
// each setting as it is finished, in no particular order and never twice at once.
//
// Settings with the same γ have the same kernel matrix for all outputs. It is computed once when it
// is no larger than CacheBytes; otherwise every fit has a cache of its own, of that size.
//
// It returns an error when anything is invalid, and ctx's error when ctx is done.
func GridSVR(ctx context.Context, train, validation trainer.Data, grid []SVR, workers int, done func(setting int, s Score)) ([]Score, error) {
	if err := checkGrid(train, validation, grid, workers); err != nil {
		return nil, err
	}
	g := &gridRun{
		train: train, validation: validation, grid: grid, done: done,
		points: newPoints(train.X), parts: make([][]part, len(grid)), scores: make([]Score, len(grid)),
	}
	for i := range g.parts {
		g.parts[i] = make([]part, 0, len(train.Y))
	}
	for _, settings := range byGamma(grid) {
		if err := g.run(ctx, settings, workers); err != nil {
			return nil, err
		}
	}
	return g.scores, nil
}

func checkGrid(train, validation trainer.Data, grid []SVR, workers int) error {
	errs := []error{checkColumns("training: ", train.X, train.Y), checkColumns("validation: ", validation.X, validation.Y)}
	if len(train.X) != len(validation.X) || len(train.Y) != len(validation.Y) {
		errs = append(errs, fmt.Errorf("training has %d inputs and %d outputs, validation %d and %d; want as many",
			len(train.X), len(train.Y), len(validation.X), len(validation.Y)))
	}
	if len(grid) == 0 {
		errs = append(errs, errors.New("the grid has no settings"))
	}
	for i, s := range grid {
		if err := s.Validate(); err != nil {
			errs = append(errs, fmt.Errorf("setting %d: %w", i+1, err))
		}
	}
	if workers < 1 {
		errs = append(errs, fmt.Errorf("workers is %d, want at least 1", workers))
	}
	return errors.Join(errs...)
}

// byGamma returns the indices of the settings with each γ.
func byGamma(grid []SVR) [][]int {
	var groups [][]int
	at := map[float64]int{}
	for i, s := range grid {
		g, ok := at[s.Gamma]
		if !ok {
			g, at[s.Gamma] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// gridRun is the state of one call of GridSVR.
type gridRun struct {
	train, validation trainer.Data
	grid              []SVR
	done              func(int, Score)
	points            points
	matrix            *matrix // of the present γ; nil while it was too large for every setting

	mu     sync.Mutex
	parts  [][]part // finished outputs of each setting
	scores []Score
}

// part is what one output adds to a score.
type part struct {
	output  int
	squares float64 // summed over the validation rows
	model   *SVRModel
}

// run scores settings with one γ.
func (g *gridRun) run(ctx context.Context, settings []int, workers int) error {
	n := g.points.n
	if slices.ContainsFunc(settings, func(i int) bool { return matrixFits(n, g.grid[i].cacheBytes()) }) {
		if g.matrix == nil {
			g.matrix = newMatrix(g.points)
		}
		gamma := g.grid[settings[0]].Gamma
		if err := each(ctx, workers, n, func(i int) error { g.matrix.fill(gamma, i); return nil }); err != nil {
			return err
		}
	}
	// The longest fits first, so that no worker ends long after the others.
	slices.SortStableFunc(settings, func(a, b int) int {
		return cmp.Or(cmp.Compare(g.grid[b].C, g.grid[a].C), cmp.Compare(g.grid[a].Epsilon, g.grid[b].Epsilon))
	})
	outputs := len(g.train.Y)
	return each(ctx, workers, len(settings)*outputs, func(i int) error {
		return g.fit(ctx, settings[i/outputs], i%outputs)
	})
}

// fit fits one output of a setting.
func (g *gridRun) fit(ctx context.Context, setting, output int) error {
	s := g.grid[setting]
	var column func(int) []float64
	if matrixFits(g.points.n, s.cacheBytes()) {
		column = g.matrix.column
	} else {
		column = newCache(g.points, s.Gamma, s.cacheBytes()).column
	}
	m, err := s.fit(ctx, g.points, column, g.train.Y[output])
	if err != nil {
		return err
	}
	p := part{output: output, model: m}
	for i, y := range m.Predict(g.validation.X) {
		d := y - g.validation.Y[output][i]
		p.squares += d * d
	}
	g.finish(setting, p)
	return nil
}

// finish adds a part to its setting, and scores the setting when that was the last.
func (g *gridRun) finish(setting int, p part) {
	g.mu.Lock()
	defer g.mu.Unlock()
	parts := append(g.parts[setting], p)
	g.parts[setting] = parts
	if len(parts) < len(g.train.Y) {
		return
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.output, b.output) })
	score, squares := Score{Converged: true}, 0.0
	for _, p := range parts {
		squares += p.squares
		score.Support += p.model.Support()
		score.Iterations += p.model.Iterations()
		score.Converged = score.Converged && p.model.Converged()
	}
	score.RMS = math.Sqrt(squares / float64(len(parts)*g.validation.Rows()))
	g.parts[setting] = nil // the models
	g.scores[setting] = score
	if g.done != nil {
		g.done(setting, score)
	}
}

// each calls f for 0 … n−1, each number on one of as many goroutines as workers, and waits for all. It
// stops at the end of ctx, or a goroutine at an error of f, and returns the error.
func each(ctx context.Context, workers, n int, f func(i int) error) error {
	var next atomic.Int64
	var group sync.WaitGroup
	errs := make([]error, min(workers, n))
	for w := range errs {
		group.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1) - 1)
				if i >= n {
					return
				}
				if errs[w] = ctx.Err(); errs[w] == nil {
					errs[w] = f(i)
				}
			}
		})
	}
	group.Wait()
	return cmp.Or(errs...)
}
