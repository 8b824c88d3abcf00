package baseline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eqlearner/eql/trainer"
)

// pendulumData is the paper's pendulum, y1 = x2/9.81 and y2 = −sin x1 on [−2, 2]² with noise of 0.01.
func pendulumData(seed uint64, rows int) trainer.Data {
	rng := rand.New(rand.NewPCG(seed, 0))
	d := trainer.Data{X: [][]float64{make([]float64, rows), make([]float64, rows)},
		Y: [][]float64{make([]float64, rows), make([]float64, rows)}}
	for i := range rows {
		d.X[0][i], d.X[1][i] = 4*rng.Float64()-2, 4*rng.Float64()-2
		d.Y[0][i] = d.X[1][i]/9.81 + 0.01*rng.NormFloat64()
		d.Y[1][i] = -math.Sin(d.X[0][i]) + 0.01*rng.NormFloat64()
	}
	return d
}

// TestScoreIsFitAndPredict compares scores with fits of one output after the other, with memory for
// the whole kernel matrix and for a few columns.
func TestScoreIsFitAndPredict(t *testing.T) {
	train, validation := pendulumData(1, 90), pendulumData(2, 40)
	for _, s := range []SVR{
		{C: 0.1, Gamma: 0.1, Epsilon: 0.01}, {C: 10, Gamma: 0.1, Epsilon: 0.1},
		{C: 10, Gamma: 0.5, Epsilon: 0.01}, {C: 10, Gamma: 0.5, Epsilon: 0.01, CacheBytes: 5000},
	} {
		got, err := s.Score(context.Background(), train, validation)
		if err != nil {
			t.Fatal(err)
		}
		want, sum := Score{Converged: true}, 0.0
		for o, y := range train.Y {
			m := problem{x: train.X, y: y}.fit(t, s)
			want.Support += m.Support()
			want.Iterations += m.Iterations()
			for k, f := range m.Predict(validation.X) {
				sum += (f - validation.Y[o][k]) * (f - validation.Y[o][k])
			}
		}
		if want.RMS = math.Sqrt(sum / 80); got != want {
			t.Errorf("%+v: score %+v, want %+v", s, got, want)
		}
	}
}

func TestScoreSaysWhatDidNotConverge(t *testing.T) {
	s := SVR{C: 10, Gamma: 0.5, Epsilon: 0.01, MaxIterations: 3}
	got, err := s.Score(context.Background(), pendulumData(1, 90), pendulumData(2, 40))
	if err != nil || got.Converged || got.Iterations != 6 {
		t.Errorf("got %+v, %v; want two fits stopped after 3 iterations each", got, err)
	}
}

func TestScoreIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := SVR{C: 1, Gamma: 1}.Score(ctx, pendulumData(1, 90), pendulumData(2, 40))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestScoreRefuses(t *testing.T) {
	good := trainer.Data{X: [][]float64{{1, 2}}, Y: [][]float64{{3, 4}}}
	setting := SVR{C: 1, Gamma: 1}
	for _, c := range []struct {
		name              string
		train, validation trainer.Data
		setting           SVR
		want              string
	}{
		{"bad setting", good, good, SVR{C: 1}, "gamma is 0"},
		{"inputs", good, trainer.Data{X: [][]float64{{1}, {2}}, Y: [][]float64{{3}}}, setting,
			"training has 1 inputs and 1 outputs, validation 2 and 1"},
		{"no training", trainer.Data{}, good, setting, "training: there are 0 input and 0 target columns"},
		{"no validation rows", good, trainer.Data{X: [][]float64{{}}, Y: [][]float64{{}}}, setting,
			"validation: there are no rows"},
		{"not finite", trainer.Data{X: good.X, Y: [][]float64{{3, 4}, {math.Inf(1), 0}}}, good, setting,
			"training: target column 2, row 1: +Inf is not finite"},
	} {
		if _, err := c.setting.Score(context.Background(), c.train, c.validation); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", c.name, err, c.want)
		}
	}
}
