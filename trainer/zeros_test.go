package trainer

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/model"
)

// TestZerosAreHeld trains networks of which each lane lacks other units, through all phases: the
// units stay away, all else may grow, and a network reads off without them.
func TestZerosAreHeld(t *testing.T) {
	a := model.Uniform(2, 1, 3, 3, 2, paperUnits)
	for _, dtype := range []DType{Float32, Float64} {
		lanes := randomLanes(a, 8, 0.0001)
		for i := range lanes {
			lanes[i].Start.InitSparse(rand.New(rand.NewPCG(5, uint64(i))),
				model.Sparse{Reach: []float64{1, 1}, Inputs: 1, Removed: 0.5})
			lanes[i].Start.Release()
		}
		c := shortConfig(20)
		c.DType, c.HoldZeros, c.Mask = dtype, true, 0 // a mask would make zeros of its own
		r := mustFit(t, lanes, linearData(400), c, Options{})
		zeros := 0
		for e, n := range r.Networks {
			for l, m := range n.Weights {
				for row := range m.Rows {
					for k, w := range m.Row(row)[:m.Cols] {
						start := lanes[e].Start.Weights[l].Row(row)[k]
						if start == 0 {
							zeros++
						}
						if (start == 0) != (w == 0) {
							t.Fatalf("%s, lane %d, layer %d, row %d: weight %d is %g at the start and %g at the end",
								dtype, e, l, row, k, start, w)
						}
					}
				}
			}
			for l, active := range n.Active() {
				for k, on := range active {
					if on && !isRead(lanes[e].Start, l, k) {
						t.Errorf("lane %d: unit %d of layer %d was removed and is active", e, k, l)
					}
				}
			}
		}
		if zeros < 100 {
			t.Errorf("%s: only %d weights start at zero; the test tests nothing", dtype, zeros)
		}
		c.HoldZeros = false
		free := mustFit(t, lanes, linearData(400), c, Options{})
		grown := 0
		for e, n := range free.Networks {
			for l, m := range n.Weights {
				for i, w := range m.W {
					if lanes[e].Start.Weights[l].W[i] == 0 && w != 0 && (i+1)%(m.Cols+1) != 0 {
						grown++
					}
				}
			}
		}
		if grown == 0 {
			t.Errorf("%s: without holding no zero grows; the test tests nothing", dtype)
		}
	}
}

// isRead reports whether the layer above hidden layer l has a weight for its unit k.
func isRead(n *model.Network, l, k int) bool {
	m := n.Weights[l+1]
	for r := range m.Rows {
		if m.Row(r)[k] != 0 {
			return true
		}
	}
	return false
}

// TestScores holds the score of each lane to the loss of the returned network, computed one row at
// a time in float64. There are more rows than fill whole batches: the first ones count again.
func TestScores(t *testing.T) {
	a := model.Uniform(2, 1, 3, 2, 2, paperUnits)
	for _, rows := range []int{47, 7} {
		score := linearData(rows)
		score.Y[0][3] += 0.5 // not the data of training
		r := mustFit(t, randomLanes(a, 4, 0.001), linearData(100), shortConfig(3), Options{Score: score})
		batch := 20
		filled := (rows + batch - 1) / batch * batch
		for e, n := range r.Networks {
			want := 0.0
			p := n.Predict(score.X)[0]
			for i := range filled {
				d := p[i%rows] - score.Y[0][i%rows]
				want += d * d / float64(filled)
			}
			// Both are sums of a few hundred rounded terms.
			if got := r.Scores[e]; !(math.Abs(got-want) <= 1e-12*want) {
				t.Errorf("%d rows, lane %d: score %g, want %g", rows, e, got, want)
			}
		}
	}
}
