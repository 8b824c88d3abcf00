package baseline

import "math"

// points are rows of inputs, row-major.
type points struct {
	n, dim int
	v      []float64
}

// newPoints returns the rows of columns.
func newPoints(cols [][]float64) points {
	p := points{n: len(cols[0]), dim: len(cols)}
	p.v = make([]float64, p.n*p.dim)
	for j, col := range cols {
		for i, v := range col {
			p.v[i*p.dim+j] = v
		}
	}
	return p
}

func (p points) row(i int) []float64 { return p.v[i*p.dim : (i+1)*p.dim] }

// rbf returns exp(−γ‖a − b‖²). The distance is summed from differences and not from products
// ‖a‖² + ‖b‖² − 2a·b, so that it is exact for near points and the same with a and b exchanged.
func rbf(gamma float64, a, b []float64) float64 {
	d := 0.0
	for k, v := range a {
		t := v - b[k]
		d += t * t
	}
	return math.Exp(-gamma * d)
}

// cache computes columns of a kernel matrix when they are asked for, and keeps those that were used
// last. It is for one goroutine.
type cache struct {
	points points
	gamma  float64
	slots  int         // how many columns it may hold, at least two
	cols   [][]float64 // by slot
	holds  []int       // the column in each slot
	used   []int       // when each slot was last used
	slot   []int       // of each column, −1 when it is not there
	now    int
}

func newCache(p points, gamma float64, bytes int) *cache {
	c := &cache{points: p, gamma: gamma, slots: max(2, min(p.n, bytes/8/p.n)), slot: make([]int, p.n)}
	for i := range c.slot {
		c.slot[i] = -1
	}
	return c
}

// column returns K(x_i, x_k) for all k. It is valid until the next but one call.
func (c *cache) column(i int) []float64 {
	c.now++
	s := c.slot[i]
	if s < 0 {
		s = c.room()
		c.slot[i], c.holds[s] = s, i
		col, x := c.cols[s], c.points.row(i)
		for k := range col {
			col[k] = rbf(c.gamma, c.points.row(k), x)
		}
	}
	c.used[s] = c.now
	return c.cols[s]
}

// room returns a slot for a new column: an unused one while there are any, then that whose last use
// is longest ago. The search takes less than computing a column.
func (c *cache) room() int {
	if len(c.cols) < c.slots {
		c.cols = append(c.cols, make([]float64, c.points.n))
		c.holds, c.used = append(c.holds, 0), append(c.used, 0)
		return len(c.cols) - 1
	}
	oldest := 0
	for s, when := range c.used {
		if when < c.used[oldest] {
			oldest = s
		}
	}
	c.slot[c.holds[oldest]] = -1
	return oldest
}
