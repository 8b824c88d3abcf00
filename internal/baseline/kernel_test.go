package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := [][]float64{make([]float64, 9), make([]float64, 9)}
	for i := range 9 {
		x[0][i], x[1][i] = rng.NormFloat64(), rng.NormFloat64()
	}
	p := newPoints(x)
	c := newCache(p, 0.7, 3*9*8)
	for range 200 {
		i := rng.IntN(9)
		col := c.column(i)
		for k, v := range col {
			d := math.Hypot(x[0][i]-x[0][k], x[1][i]-x[1][k])
			if want := math.Exp(-0.7 * d * d); !near(v, want, 1e-14) {
				t.Fatalf("K[%d,%d] is %g, want %g", i, k, v, want)
			}
		}
	}
	if len(c.cols) != 3 {
		t.Errorf("the cache holds %d columns, want the 3 that there is memory for", len(c.cols))
	}
}

// TestCacheDropsTheOldest marks columns to see which are computed anew.
func TestCacheDropsTheOldest(t *testing.T) {
	c := newCache(newPoints([][]float64{{1, 2, 3, 4}}), 1, 3*4*8)
	const mark = -5
	for _, i := range []int{0, 1, 2} {
		c.column(i)[0] = mark
	}
	c.column(0) // 1 is now the oldest
	c.column(3)
	if c.slot[1] != -1 {
		t.Error("column 1 is still there")
	}
	for _, i := range []int{0, 2} {
		if c.column(i)[0] != mark {
			t.Errorf("column %d was computed anew", i)
		}
	}
}

// TestCacheKeepsTwo: a step needs two columns at once, however little memory there is.
func TestCacheKeepsTwo(t *testing.T) {
	c := newCache(newPoints([][]float64{{1, 2, 4, 8}}), 1, 0)
	for i := range 4 {
		a := c.column(i)
		kept := slices.Clone(a)
		c.column((i + 1) % 4)
		if !slices.Equal(a, kept) {
			t.Errorf("column %d was lost to the next", i)
		}
	}
	if len(c.cols) != 2 {
		t.Errorf("the cache holds %d columns, want 2", len(c.cols))
	}
}
