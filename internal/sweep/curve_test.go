package sweep

import (
	"math"
	"testing"

	"github.com/eqlearner/eql/trainer"
)

// TestCurves adds the losses of runs of several lengths, whose loss is the epoch, and expects each
// point at the epoch that CurveEpoch says, the last at the end.
func TestCurves(t *testing.T) {
	for _, epochs := range []int{1, 7, 99, 100, 101, 250, 9999} {
		c := make(curves, 2)
		for e := 1; e <= epochs; e++ {
			other := float64(e)
			if e > epochs/2 {
				other = math.NaN() // this lane diverged half-way
			}
			c.add(trainer.Event{Epoch: e, Epochs: epochs, Losses: []float64{float64(e), other}})
		}
		if len(c[0]) != min(CurvePoints, epochs) || len(c[1]) > len(c[0])/2 {
			t.Errorf("%d epochs: %d points, and %d of the lane that diverged", epochs, len(c[0]), len(c[1]))
		}
		for lane := range c {
			for i, loss := range c[lane] {
				if want := CurveEpoch(i, epochs); loss != fourDigits(float64(want)) {
					t.Errorf("%d epochs, lane %d: point %d is of epoch %g, want %d", epochs, lane, i, loss, want)
				}
			}
		}
		if last := CurveEpoch(len(c[0])-1, epochs); last != epochs {
			t.Errorf("%d epochs: the last point is of epoch %d", epochs, last)
		}
	}
}

// TestCurveWithoutItsBeginning stays empty: its points would be at the wrong epochs.
func TestCurveWithoutItsBeginning(t *testing.T) {
	c := make(curves, 1)
	for e := 51; e <= 100; e++ {
		c.add(trainer.Event{Epoch: e, Epochs: 100, Losses: []float64{1}})
	}
	if len(c[0]) != 0 {
		t.Errorf("the curve is %v", c[0])
	}
}

// TestStoreKeepsCurves reads a run again, and one of a version that kept none.
func TestStoreKeepsCurves(t *testing.T) {
	data := table(t, 60, 0.01, map[string]string{"p": "a*b"})
	tk, s := task(data, "p"), short()
	s.Layers, s.Train.Epochs, s.Extend = []int{2}, 30, 0
	dir := t.TempDir() + "/run"
	store := create(t, dir, tk, s)
	r := mustRun(t, tk, s, Options{Store: store})
	store.Close()
	for i, m := range reopen(t, dir).Finished() {
		if len(m.Loss) != 30 || m.Loss[29] != r.Models[i].Loss[29] || !(m.Loss[29] < m.Loss[0]) {
			t.Errorf("network %d has the curve %v, want 30 points that fall", m.ID, m.Loss)
		}
	}
}
