package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/evidence"
)

// noisyTable is a target of two inputs with noise of some kind.
func noisyTable(rng *rand.Rand, rows int, f func(a, b float64) float64,
	noise func(f float64) float64) (x [][]float64, y, truth []float64) {
	x = make([][]float64, 2)
	for range rows {
		a, b := rng.Float64(), 2*rng.Float64()-1
		x[0], x[1] = append(x[0], a), append(x[1], b)
		v := f(a, b)
		truth, y = append(truth, v), append(y, noise(v))
	}
	return x, y, truth
}

// The residuals of the right formula fail once in a thousand tables, whatever the noise.
func TestResidualsOfTheTruthHaveNoStructure(t *testing.T) {
	law := func(a, b float64) float64 { return 3*a*a + 2*b + 6 }
	for _, noise := range []struct {
		name string
		of   func(rng *rand.Rand, f float64) float64
	}{
		{"normal", func(rng *rand.Rand, f float64) float64 { return f + 0.1*rng.NormFloat64() }},
		{"in proportion", func(rng *rand.Rand, f float64) float64 { return f * (1 + 0.1*rng.NormFloat64()) }},
		{"growing with the square", func(rng *rand.Rand, f float64) float64 { return f + 0.01*f*f*rng.NormFloat64() }},
		{"lognormal", func(rng *rand.Rand, f float64) float64 { return f * math.Exp(0.1*rng.NormFloat64()-0.005) }},
		{"t with two degrees", func(rng *rand.Rand, f float64) float64 {
			return f + 0.1*rng.NormFloat64()/math.Sqrt(rng.ExpFloat64())
		}},
		{"outliers", func(rng *rand.Rand, f float64) float64 {
			if rng.Float64() < 0.02 {
				return f + 20*rng.NormFloat64()
			}
			return f + 0.1*rng.NormFloat64()
		}},
		{"rounded", func(_ *rand.Rand, f float64) float64 { return math.Round(f) }},
		{"rounded to odd multiples", func(_ *rand.Rand, f float64) float64 { return 0.3 + 0.77*math.Round((f-0.3)/0.77) }},
		{"rounded to halves", func(_ *rand.Rand, f float64) float64 { return math.Round(2*f) / 2 }},
		{"normal, then rounded", func(rng *rand.Rand, f float64) float64 { return math.Round(f + 0.3*rng.NormFloat64()) }},
		{"rounded finely", func(_ *rand.Rand, f float64) float64 { return math.Round(1e3*f) / 1e3 }},
	} {
		for _, rows := range []int{40, 300, 2000} {
			t.Run(fmt.Sprintf("%s/rows=%d", noise.name, rows), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(rows), 1))
				tables := inShort(8000/rows, 800/rows)
				failed := 0
				for range tables {
					x, y, truth := noisyTable(rng, rows, law, func(f float64) float64 { return noise.of(rng, f) })
					if s := Residuals(NewLayout(x), y, truth, nil); s.Fails() {
						failed++
					}
				}
				// Five times the stated rate, or two tables, are left to chance and to small samples.
				if most := max(2, tables/200); failed > most {
					t.Errorf("%d of %d tables fail, want at most %d", failed, tables, most)
				}
			})
		}
	}
}

// A part that a formula misses shows, also where it is smaller than the noise, and the order of the rows says where.
func TestResidualsOfAnApproximationHaveStructure(t *testing.T) {
	for _, c := range []struct {
		name   string
		missed func(a, b float64) float64
		noise  float64
		order  int
	}{
		{"without noise", func(a, _ float64) float64 { return 1e-4 * math.Sin(9*a) }, 0, 0},
		{"half the noise, one input", func(_, b float64) float64 { return 0.05 * math.Sin(5*b) }, 0.1, 1},
		{"both inputs", func(a, b float64) float64 { return 0.2 * math.Sin(20*a) * math.Sin(9*b) }, 0.1,
			evidence.AmongNeighbours},
		{"of the prediction", func(a, b float64) float64 { return 0.3 * math.Cos(5*(a+b)) }, 0.1, evidence.AlongPrediction},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 1))
			x, y, truth := noisyTable(rng, 1000, func(a, b float64) float64 { return a + b + c.missed(a, b) },
				func(f float64) float64 { return f + c.noise*rng.NormFloat64() })
			for i := range truth {
				truth[i] = x[0][i] + x[1][i]
			}
			s := Residuals(NewLayout(x), y, truth, nil)
			if !s.Fails() || s.Order != c.order {
				t.Errorf("Z = %.2f, limit %.2f, order %d; want a failure in order %d", s.Z, s.Limit, s.Order, c.order)
			}
		})
	}
}

func TestStep(t *testing.T) {
	for _, c := range []struct {
		y    []float64
		want float64
	}{
		{[]float64{1, 2, 7}, 1},
		{[]float64{10, 25, -5}, 5},
		{[]float64{0.25, 1, -0.5}, 0.25},
		{[]float64{0.1, 0.3}, 0.1},
		{[]float64{math.Pi, 1}, 0},
		{[]float64{1e-9, 3e-9}, 1e-9},
		{[]float64{1e20, 3e20}, 1e20},
	} {
		if got := Step(c.y); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("%v: step %g, want %g", c.y, got, c.want)
		}
	}
}
