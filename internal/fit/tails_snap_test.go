package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// TestSnapUnderTails draws tables of a law with two special values whose errors have Student's t with 2 degrees of
// freedom. With its weights they are as easy to see as under normal errors: there are two tests of 0.05 each.
func TestSnapUnderTails(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	const tables, rows, most = 200, 200, 30 // tables in which a constant is no special value
	law := formula.MustParse("-0.99*sin(1.01*x)")
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		name  string
		error func() float64
		heavy bool
	}{
		{"normal", rng.NormFloat64, false},
		{"Student's t", func() float64 {
			return rng.NormFloat64() / math.Hypot(rng.NormFloat64(), rng.NormFloat64()) * math.Sqrt2
		}, true},
	} {
		missed := 0
		for range tables {
			d := Data{X: [][]float64{make([]float64, rows)}, Y: make([]float64, rows)}
			for i := range rows {
				d.X[0][i] = 2*rng.Float64() - 1
				d.Y[i] = 0.01*c.error() - math.Sin(d.X[0][i])
			}
			to := d.ForTailsOf(law, []string{"x"}, formula.Simplify)
			if c.heavy && to.Tails == 0 {
				t.Fatalf("%s: no heavy tails are seen", c.name)
			}
			if _, snapped, _ := Snap(law, []string{"x"}, to, Plain); snapped.String() != "-sin(x)" {
				missed++
			}
		}
		t.Logf("%s: %d of %d", c.name, missed, tables)
		if missed > most {
			t.Errorf("%s: a constant is no special value in %d of %d tables, want %d at most", c.name, missed, tables, most)
		}
	}
}
