package fit

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// Neighbours are the first of all others sorted by distance, in inputs divided by their spread; of equal distances the
// earlier row comes first.
func TestNeighbours(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, c := range []struct {
		name  string
		value func() float64
	}{
		{"scattered", rng.NormFloat64},
		{"on a lattice, with ties", func() float64 { return float64(rng.IntN(4)) }},
		{"all the same", func() float64 { return 1 }},
	} {
		x := [][]float64{nil, nil, nil}
		for range 60 {
			for j := range x {
				x[j] = append(x[j], c.value()*[]float64{1, 100, 1e-6}[j])
			}
		}
		rows := Spread(60, 40)
		of := Neighbours(x, rows, 5)
		for a := range rows {
			distance := func(b int) float64 {
				d := 0.0
				for _, col := range x {
					if s := StandardDeviation(col); s > 0 {
						v := col[rows[a]]*(1/s) - col[rows[b]]*(1/s)
						d += v * v
					}
				}
				return d
			}
			var others []int
			for b := range rows {
				if b != a {
					others = append(others, b)
				}
			}
			slices.SortStableFunc(others, func(b, c int) int { return cmp.Compare(distance(b), distance(c)) })
			if !slices.Equal(of[a], others[:5]) {
				t.Fatalf("%s: the neighbours of %d are %v, want %v", c.name, a, of[a], others[:5])
			}
		}
	}
}
