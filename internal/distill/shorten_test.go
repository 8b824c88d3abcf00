package distill_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// A dense network of 3 inputs is shortened. Every law must be within the size asked for, smaller
// than the one before, and the last must be a single constant or close to it; the errors grow.
func TestShortenLeadsToShorterLaws(t *testing.T) {
	const rows, nodes = 400, 30
	rng := rand.New(rand.NewPCG(1, 2))
	n := model.New(model.Uniform(3, 1, 2, 2, 2, []model.Unit{model.Identity, model.Sin, model.Sigmoid, model.Product}))
	n.Init(rng)
	d := fit.Data{X: make([][]float64, 3)}
	for range rows {
		x := [3]float64{rng.Float64()*2 - 1, rng.Float64()*2 - 1, rng.Float64()*2 - 1}
		for j, v := range x {
			d.X[j] = append(d.X[j], v)
		}
		d.Y = append(d.Y, math.Exp(x[0])*x[1]-math.Abs(x[2])) // no law of these units
	}
	laws := distill.Shorten(distill.Read(n, 0), d, nodes)
	if len(laws) < 3 {
		t.Fatalf("%d laws, want a way of several", len(laws))
	}
	first, last := laws[0], laws[len(laws)-1]
	params := math.MaxInt
	for _, l := range laws {
		if l.Size() > nodes {
			t.Errorf("a law of %d nodes, want at most %d", l.Size(), nodes)
		}
		if l.Params() >= params {
			t.Errorf("%d constants after %d", l.Params(), params)
		}
		params = l.Params()
	}
	if first.SSE(d) > 0.5*last.SSE(d) {
		t.Errorf("SSE %.3g with %d constants and %.3g with %d: the longer law should fit better",
			first.SSE(d), first.Params(), last.SSE(d), last.Params())
	}
	if last.Params() > 2 {
		t.Errorf("the last law has %d constants", last.Params())
	}
}

// Shortening a law that is in the data keeps its terms until nothing else is left to remove.
func TestShortenRemovesWhatIsNotThereFirst(t *testing.T) {
	const rows = 300
	rng := rand.New(rand.NewPCG(3, 4))
	arch := model.Uniform(2, 1, 2, 1, 0, []model.Unit{model.Identity})
	n := model.New(arch)
	n.Init(rng)
	d := fit.Data{X: make([][]float64, 2)}
	for range rows {
		a, b := rng.Float64()*2-1, rng.Float64()*2-1
		d.X[0], d.X[1] = append(d.X[0], a), append(d.X[1], b)
		d.Y = append(d.Y, 2*a+0.001*rng.NormFloat64()) // x2 and the bias do nothing
	}
	for _, l := range distill.Shorten(distill.Read(n, 0), d, 30) {
		if l.Params() == 1 {
			if rms := math.Sqrt(l.SSE(d) / rows); rms > 0.002 {
				t.Errorf("error %.3g with one constant, want the noise", rms)
			}
			return
		}
	}
	t.Error("no law of one constant")
}
