package distill

import (
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/model"
)

// Laws of all units, of which weights were taken out as pruning does, become canonical laws of the same function.
func TestCanonicalWithoutWeights(t *testing.T) {
	const inputs, rows = 2, 20
	finite := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 9))
		d := sample(seed, rows, x4[:inputs], "0", 0)
		l := &Law{inputs: inputs}
		some := func() affine {
			a := constant(float64(rng.IntN(3)) - 1)
			for from := range inputs + len(l.units) {
				if rng.IntN(2) == 0 {
					a = a.plus(source(from), rng.NormFloat64())
				}
			}
			return a
		}
		for range 1 + rng.IntN(4) {
			kind := model.LawUnits()[rng.IntN(len(model.LawUnits()))]
			args := make([]affine, kind.Arity())
			for k := range args {
				args[k] = some()
			}
			l.units = append(l.units, unit{kind, args})
		}
		l.out = some()
		ps := l.params()
		for range rng.IntN(len(ps) + 1) {
			*ps[rng.IntN(len(ps))] = 0
		}
		want := l.Predict(d.X, rows)
		got := l.canonical().Predict(d.X, rows)
		if diff := maxDifference(got, want); diff > 1e-6 { // false where a unit has no value
			t.Errorf("seed %d: the canonical law differs by %g", seed, diff)
		} else if diff <= 1e-6 {
			finite++
		}
	}
	if finite < 500 {
		t.Errorf("only %d laws had values in all rows", finite)
	}
}
