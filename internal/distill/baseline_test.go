package distill

import (
	"math"
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

// Groups that decay at different rates from the same place, about the same mean, differ in their slopes; groups with
// other inputs of one curve do not differ.
func TestGroupsOfRates(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const rows, groups = 54, 3
	d, level := fit.Data{X: [][]float64{make([]float64, rows)}, Y: make([]float64, rows)}, make([]int, rows)
	for i := range rows {
		level[i] = i % groups
		d.X[0][i] = 10 * float64(i/groups) / (rows/groups - 1)
		d.Y[i] = 40*math.Exp(-[]float64{0.21, 0.3, 0.38}[level[i]]*d.X[0][i]) + 0.25*r.NormFloat64()
	}
	if p := GroupsByChance(d, level); p > 1e-5 {
		t.Errorf("p = %g for groups of different rates", p)
	}
	for i := range rows {
		d.X[0][i] = float64(level[i]) + r.Float64()
		d.Y[i] = d.X[0][i]*d.X[0][i] + 0.1*r.NormFloat64()
	}
	if p := GroupsByChance(d, level); p < 0.001 {
		t.Errorf("p = %g for parts of one curve", p)
	}
	if p := GroupsByChance(d.Take([]int{0, 1, 2, 3}), level[:4]); p < 0.001 {
		t.Errorf("p = %g for four rows", p)
	}
}
