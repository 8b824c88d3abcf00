package sweep

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/run"
)

// TestRobustForms draws tables in which one row is off by ten standard deviations of the target. The best form of a
// robust fit explains all rows but this one.
func TestRobustForms(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	const rows, tables = 40, 5
	laws := []struct {
		name      string
		low, high []float64
		of        func(x []float64) float64
	}{
		{"Hill", []float64{1}, []float64{60}, func(x []float64) float64 { return 90 / (1 + math.Pow(12/x[0], 1.6)) }},
		{"Arrhenius", []float64{280, 0.2}, []float64{420, 2},
			func(x []float64) float64 { return 21 * math.Exp(-1255/x[0]) * x[1] }},
	}
	for _, law := range laws {
		for seed := range uint64(tables) {
			rng := rand.New(rand.NewPCG(seed, 9))
			n := len(law.low)
			names, cols := append(inputNames(n), "y"), make([][]float64, n+1)
			for range rows {
				x := make([]float64, n)
				for j := range x {
					x[j] = law.low[j] + (law.high[j]-law.low[j])*rng.Float64()
					cols[j] = append(cols[j], x[j])
				}
				cols[n] = append(cols[n], law.of(x))
			}
			size := spread(cols[n])
			for i := range cols[n] {
				cols[n][i] += size / 50 * rng.NormFloat64()
			}
			off := rng.IntN(rows)
			cols[n][off] += math.Copysign(10*size, rng.NormFloat64())
			table, err := datasets.New(names, cols)
			if err != nil {
				t.Fatal(err)
			}
			s := run.Quick(rows, n)
			p, err := newProblem(Task{Data: table, Inputs: names[:n], Targets: names[n:]}, s)
			if err != nil {
				t.Fatal(err)
			}
			r := &runner{problem: p, settings: s}
			laws := r.robustForms(0, p.errors[0])
			if len(laws) == 0 {
				t.Errorf("%s, table %d: no form", law.name, seed)
				continue
			}
			out := p.outliersOf(0, p.errors[0], laws[0])
			if want := slices.Index(p.origin, off); out == nil || count(out) != 1 || !out[want] {
				t.Errorf("%s, table %d: the outliers are %v, want row %d", law.name, seed, out, want)
			}
		}
	}
}

func count(marks []bool) (n int) {
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}
