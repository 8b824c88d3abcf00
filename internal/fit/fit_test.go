package fit

import (
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// sample draws rows uniformly from [−1, 1] and computes the target from a formula, with noise.
func sample(seed uint64, rows int, names []string, truth string, noise float64) Data {
	rng := rand.New(rand.NewPCG(seed, 2))
	d := Data{Y: make([]float64, rows)}
	for range names {
		col := make([]float64, rows)
		for i := range col {
			col[i] = 2*rng.Float64() - 1
		}
		d.X = append(d.X, col)
	}
	p, err := formula.Compile(formula.MustParse(truth), names)
	if err != nil {
		panic(err)
	}
	p.EvalColumns(d.Y, d.X)
	for i := range d.Y {
		d.Y[i] += noise * rng.NormFloat64()
	}
	return d
}

// inShort returns how many of n slow cases are tested: with -short some of them.
func inShort(n, short int) int {
	if testing.Short() {
		return min(n, short)
	}
	return n
}

var x4 = []string{"x1", "x2", "x3", "x4"}
