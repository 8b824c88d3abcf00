package baseline

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/trainer"
)

func TestMLPArch(t *testing.T) {
	for _, c := range []struct {
		layers, k int
		want      string
	}{{2, 5, "3-[5tanh]-2"}, {4, 10, "3-[10tanh]-[10tanh]-[10tanh]-2"}} {
		if got := MLP(3, 2, c.layers, c.k).String(); got != c.want {
			t.Errorf("L=%d, k=%d: %s, want %s", c.layers, c.k, got, c.want)
		}
	}
}

// TestMLPConfig: the penalty has the window of the paper's schedule, nothing is masked, and the rest is
// the paper's configuration.
func TestMLPConfig(t *testing.T) {
	got, paper := MLPConfig(), trainer.PaperConfig()
	if err := got.Validate(); err != nil {
		t.Fatal(err)
	}
	for step := range 100 {
		p, want := got.Schedule.At(step, 100), paper.Schedule.At(step, 100)
		if p.Penalty != want.Penalty || p.Mask {
			t.Errorf("step %d of 100: %+v, want penalty %v and no mask", step, p, want.Penalty)
		}
	}
	got.Schedule, got.Mask = paper.Schedule, paper.Mask
	if !reflect.DeepEqual(got, paper) {
		t.Errorf("%+v differs from the paper's %+v", got, paper)
	}
}

// square is y = x² on [−1, 1].
func square(rng *rand.Rand, rows int) trainer.Data {
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = 2*rng.Float64() - 1
		y[i] = x[i] * x[i]
	}
	return trainer.Data{X: [][]float64{x}, Y: [][]float64{y}}
}

func trainMLP(t *testing.T, rng *rand.Rand, a model.Arch, lambda float64, data trainer.Data,
	c trainer.Config) []*model.Network {
	t.Helper()
	var lanes []trainer.Lane
	for range 4 {
		n := model.New(a)
		n.Init(rng)
		lanes = append(lanes, trainer.Lane{Start: n, Lambda: lambda})
	}
	r, err := trainer.Fit(context.Background(), lanes, data, c, trainer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Networks
}

// TestMLPLearns: the variance of x² is 4/45, so a line leaves an RMS of 0.298. A tenth of it needs the
// hidden units.
func TestMLPLearns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	data, c := square(rng, 200), MLPConfig()
	c.Epochs, c.LearnRate = 400, 0.01
	for lane, n := range trainMLP(t, rng, MLP(1, 1, 2, 10), 1e-4, data, c) {
		sum := 0.0
		for i, f := range n.Predict(data.X)[0] {
			sum += (f - data.Y[0][i]) * (f - data.Y[0][i])
		}
		if rms := math.Sqrt(sum / 200); !(rms < 0.03) {
			t.Errorf("lane %d: RMS is %g, want below 0.03", lane, rms)
		}
	}
}

// TestMLPKeepsSmallWeights: a strong penalty makes weights small, and without a mask none becomes zero.
// The same networks with the paper's schedule for equations have zeros and no small weights.
func TestMLPKeepsSmallWeights(t *testing.T) {
	for _, masked := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(1, 2))
		data, c := square(rng, 200), MLPConfig()
		c.Epochs = 600
		if masked {
			c.Mask, c.Schedule = trainer.PaperConfig().Mask, trainer.PaperSchedule()
		}
		zero, small := 0, 0
		for _, n := range trainMLP(t, rng, MLP(1, 1, 3, 10), 1e-3, data, c) {
			z, s := smallWeights(n)
			zero, small = zero+z, small+s
		}
		if masked != (zero > 0) || masked != (small == 0) {
			t.Errorf("masked %v: %d weights are zero and %d others below 0.001", masked, zero, small)
		}
		t.Logf("masked %v: %d weights are zero and %d others below 0.001", masked, zero, small)
	}
}

// smallWeights counts the weights that are zero and those that are not but below the paper's mask.
func smallWeights(n *model.Network) (zero, small int) {
	for _, m := range n.Weights {
		for r := range m.Rows {
			for _, w := range m.Row(r)[:m.Cols] {
				if w == 0 {
					zero++
				} else if math.Abs(w) < 0.001 {
					small++
				}
			}
		}
	}
	return zero, small
}
