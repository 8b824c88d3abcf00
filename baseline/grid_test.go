package baseline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eqlearner/eql/trainer"
)

// pendulumData is the paper's pendulum, y1 = x2/9.81 and y2 = −sin x1 on [−2, 2]² with noise of 0.01.
func pendulumData(seed uint64, rows int) trainer.Data {
	rng := rand.New(rand.NewPCG(seed, 0))
	d := trainer.Data{X: [][]float64{make([]float64, rows), make([]float64, rows)}, Y: [][]float64{make([]float64, rows), make([]float64, rows)}}
	for i := range rows {
		d.X[0][i], d.X[1][i] = 4*rng.Float64()-2, 4*rng.Float64()-2
		d.Y[0][i] = d.X[1][i]/9.81 + 0.01*rng.NormFloat64()
		d.Y[1][i] = -math.Sin(d.X[0][i]) + 0.01*rng.NormFloat64()
	}
	return d
}

// smallGrid has 2×2×2 settings, one of them with too little memory for the matrix.
func smallGrid() []SVR {
	var grid []SVR
	for _, gamma := range []float64{0.1, 0.5} {
		for _, c := range []float64{0.1, 10} {
			for _, eps := range []float64{0.01, 0.1} {
				grid = append(grid, SVR{C: c, Gamma: gamma, Epsilon: eps})
			}
		}
	}
	grid[5].CacheBytes = 5000
	return grid
}

func mustGrid(t *testing.T, grid []SVR, workers int, done func(int, Score)) []Score {
	t.Helper()
	scores, err := GridSVR(context.Background(), pendulumData(1, 90), pendulumData(2, 40), grid, workers, done)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

// TestGridIsFitAndPredict compares the scores with single fits.
func TestGridIsFitAndPredict(t *testing.T) {
	train, validation := pendulumData(1, 90), pendulumData(2, 40)
	for i, got := range mustGrid(t, smallGrid(), 2, nil) {
		s := smallGrid()[i]
		want, sum := Score{Converged: true}, 0.0
		for o, y := range train.Y {
			m := problem{x: train.X, y: y}.fit(t, s)
			want.Support += m.Support()
			want.Iterations += m.Iterations()
			for k, f := range m.Predict(validation.X) {
				sum += (f - validation.Y[o][k]) * (f - validation.Y[o][k])
			}
		}
		want.RMS = math.Sqrt(sum / 80)
		// The sums over outputs are in another order.
		if !near(got.RMS, want.RMS, 1e-14) || got.Support != want.Support || got.Iterations != want.Iterations || !got.Converged {
			t.Errorf("%+v: score %+v, want %+v", s, got, want)
		}
	}
}

// TestGridIsDeterministic: the scores do not depend on the workers nor on what else is in the grid, and
// done hears of each setting once.
func TestGridIsDeterministic(t *testing.T) {
	grid := smallGrid()
	want := mustGrid(t, grid, 1, nil)
	heard := make([]int, len(grid))
	got := mustGrid(t, grid, 7, func(i int, s Score) {
		heard[i]++
		if s != want[i] {
			t.Errorf("done heard %+v of setting %d, want %+v", s, i, want[i])
		}
	})
	if !slices.Equal(got, want) {
		t.Errorf("7 workers: %+v, 1 worker: %+v", got, want)
	}
	for i, n := range heard {
		if n != 1 {
			t.Errorf("done heard %d times of setting %d", n, i)
		}
	}
	for i, s := range grid {
		if alone := mustGrid(t, []SVR{s}, 2, nil); alone[0] != want[i] {
			t.Errorf("setting %d alone scores %+v, in the grid %+v", i, alone[0], want[i])
		}
	}
}

// TestGridIsCancelled stops after three settings: what done heard until then is what it hears anyway, and
// no more settings are begun.
func TestGridIsCancelled(t *testing.T) {
	want := mustGrid(t, smallGrid(), 1, nil)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	heard := 0
	scores, err := GridSVR(ctx, pendulumData(1, 90), pendulumData(2, 40), smallGrid(), 1, func(i int, s Score) {
		if s != want[i] {
			t.Errorf("done heard %+v of setting %d, want %+v", s, i, want[i])
		}
		if heard++; heard == 3 {
			cancel()
		}
	})
	if scores != nil || !errors.Is(err, context.Canceled) || heard != 3 {
		t.Errorf("got %v and %v after %d settings, want no scores and %v after 3", scores, err, heard, context.Canceled)
	}
}

func TestGridRefuses(t *testing.T) {
	good := trainer.Data{X: [][]float64{{1, 2}}, Y: [][]float64{{3, 4}}}
	grid := []SVR{{C: 1, Gamma: 1}}
	for _, c := range []struct {
		name              string
		train, validation trainer.Data
		grid              []SVR
		workers           int
		want              string
	}{
		{"no settings", good, good, nil, 1, "the grid has no settings"},
		{"bad setting", good, good, []SVR{{C: 1, Gamma: 1}, {C: 1}}, 1, "setting 2: gamma is 0"},
		{"workers", good, good, grid, 0, "workers is 0, want at least 1"},
		{"inputs", good, trainer.Data{X: [][]float64{{1}, {2}}, Y: [][]float64{{3}}}, grid, 1, "training has 1 inputs and 1 outputs, validation 2 and 1"},
		{"no training", trainer.Data{}, good, grid, 1, "training: there are 0 input and 0 target columns"},
		{"no validation rows", good, trainer.Data{X: [][]float64{{}}, Y: [][]float64{{}}}, grid, 1, "validation: there are no rows"},
		{"not finite", trainer.Data{X: good.X, Y: [][]float64{{3, 4}, {math.Inf(1), 0}}}, good, grid, 1, "training: target column 2, row 1: +Inf is not finite"},
	} {
		if _, err := GridSVR(context.Background(), c.train, c.validation, c.grid, c.workers, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", c.name, err, c.want)
		}
	}
}
