package distill

import (
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/internal/fit"
)

func TestGroupsByChance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const rows, groups = 60, 4
	d, level := fit.Data{X: [][]float64{make([]float64, rows)}, Y: make([]float64, rows)}, make([]int, rows)
	for i := range rows {
		level[i] = i % groups
		d.X[0][i] = r.Float64()
		d.Y[i] = 2*d.X[0][i] + 0.1*r.NormFloat64()
	}
	if p := GroupsByChance(d, level); p < 0.001 {
		t.Errorf("p = %g for groups that do not differ", p)
	}
	for i := range rows {
		d.Y[i] += 0.2 * float64(level[i])
	}
	if p := GroupsByChance(d, level); p > 1e-6 {
		t.Errorf("p = %g for groups that differ by two standard deviations of the noise", p)
	}
}
