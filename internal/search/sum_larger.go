package search

import (
	"cmp"
	"math"
	"slices"
)

// Sizes of the search for the larger of two sums.
const (
	largerInputs  = 6 // not separable
	largerColumns = 10
	largerRounds  = 20
	largerFull    = 4 // of all that are fitted
	largerBuilt   = 3 // of each degree, and of the larger and the smaller
	rowsOfSide    = 3 // beyond the columns that either side must have
)

// largerAt are the quantiles at which inputs and the target divide the rows in the beginning.
var largerAt = []float64{0.25, 0.5, 0.75}

// larger looks for the larger or the smaller of two sums of monomials, such as max(0.25, 0.5 + 1.5*x + 0.6*y): each row
// belongs to the side that is larger there, each side is fitted to its rows, and so on (Magnani and Boyd 2009). The
// separable inputs are divided out.
func (s *searcher) larger() {
	q, ok := s.newTarget(sumOptions{scaled: true})
	if !ok {
		return
	}
	active := slices.DeleteFunc(s.active(s.inactive()), func(k int) bool { return s.feats[k].kind != featInput })
	if len(active) > largerInputs {
		return
	}
	var list []guess
	for degree := 1; degree <= 2; degree++ {
		columns := []mono{nil}
		for _, m := range s.powers(active, degree, []float64{1, 2}, 0) {
			if m.degree() <= float64(degree) {
				columns = append(columns, m)
			}
		}
		if len(columns) > largerColumns || s.over() {
			break
		}
		t := twoSums{q: q, monos: columns}
		for _, m := range columns {
			v := make([]float64, s.ns)
			s.monoValues(m, v)
			t.cols = append(t.cols, v)
		}
		list = append(list, t.guesses(active)...)
	}
	s.batch(list, largerFull)
}

// twoSums is the search with some columns.
type twoSums struct {
	q     *sumSearch
	monos []mono
	cols  [][]float64
}

// halves are two sums: factors of the columns, of which 0 stands for none.
type halves struct {
	c   [2][]float64
	sse float64
}

// guesses returns the best formulas from all starts.
func (t *twoSums) guesses(active []int) (list []guess) {
	s := t.q.s
	var starts [][]bool
	divide := func(v []float64) {
		sorted := slices.Sorted(slices.Values(v))
		for _, at := range largerAt {
			side := make([]bool, len(v))
			for r := range v {
				side[r] = v[r] > sorted[int(at*float64(len(v)-1))]
			}
			starts = append(starts, side)
		}
	}
	divide(t.q.t)
	for _, k := range active {
		divide(s.fv[k])
	}
	for _, sign := range []float64{1, -1} {
		found := make([]*halves, len(starts))
		s.spread(len(starts), func(i int) { found[i] = t.settle(starts[i], sign) })
		found = slices.DeleteFunc(found, func(h *halves) bool { return h == nil })
		slices.SortStableFunc(found, func(a, b *halves) int { return cmp.Compare(a.sse, b.sse) })
		found = slices.CompactFunc(found, func(a, b *halves) bool { return a.sse == b.sse })
		for _, h := range found[:min(largerBuilt, len(found))] {
			list = append(list, guess{e: t.build(h, sign), how: "larger of two sums",
				charge: 2 * math.Log(float64(2*len(starts)))})
		}
	}
	return list
}

// settle fits either side to its rows until no row changes sides; sign is −1 for the smaller of two. It is nil where a
// side has too few rows.
func (t *twoSums) settle(side []bool, sign float64) *halves {
	s, h := t.q.s, &halves{}
	side = slices.Clone(side)
	for range largerRounds {
		for k := range h.c {
			if h.c[k] = t.fit(side, k == 1); h.c[k] == nil {
				return nil
			}
		}
		h.sse = 0
		changed := false
		for r := range side {
			a, b := t.value(h.c[0], r), t.value(h.c[1], r)
			if up := sign*b > sign*a; up != side[r] {
				side[r], changed = up, true
			}
			if side[r] {
				a = b
			}
			e := t.q.w[r] * (t.q.t[r] - a)
			h.sse += e * e
		}
		s.meter.add(int64(s.ns * len(t.cols) * len(t.cols) * len(t.cols)))
		if !changed {
			break
		}
	}
	return h
}

func (t *twoSums) value(c []float64, r int) (v float64) {
	for k, f := range c {
		if f != 0 {
			v += f * t.cols[k][r]
		}
	}
	return v
}

// fit returns the factors of the columns on the rows of a side, without those that the criterion does not want; nil
// where these are too few.
func (t *twoSums) fit(side []bool, of bool) []float64 {
	var rows []int
	for r, k := range side {
		if k == of {
			rows = append(rows, r)
		}
	}
	if len(rows) < len(t.cols)+rowsOfSide {
		return nil
	}
	x, y, w := take(t.cols, t.q.t, t.q.w, rows)
	n := float64(len(rows))
	try := func(use []int) (c []float64, crit float64) {
		var cols [][]float64
		for _, k := range use {
			cols = append(cols, x[k])
		}
		left, c := slices.Clone(y), make([]float64, len(x))
		for i, f := range leastSquares(cols, y, w) {
			subtract(left, cols[i], f)
			c[use[i]] = f
		}
		multiply(left, w)
		return c, n*math.Log(dot(left, left)+1e-300) + 2*math.Log(n)*float64(len(use))
	}
	use := make([]int, len(x))
	for i := range use {
		use[i] = i
	}
	c, crit := try(use)
	for len(use) > 1 {
		drop := -1
		for i := range use {
			if next, k := try(slices.Delete(slices.Clone(use), i, i+1)); k < crit {
				c, crit, drop = next, k, i
			}
		}
		if drop < 0 {
			break
		}
		use = slices.Delete(use, drop, drop+1)
	}
	return c
}

// build writes the larger of two sums, and the smaller one as minus the larger of their negatives.
func (t *twoSums) build(h *halves, sign float64) expr {
	var e expr
	var at [2]int
	for k, c := range h.c {
		var terms []term
		for i, f := range c {
			if f != 0 {
				terms = append(terms, term{sign * f, t.monos[i], atom{g: shapeMono, c: 1}})
			}
		}
		at[k] = t.q.s.sumOf(&e, terms)
	}
	root := e.max(at[0], at[1])
	if sign < 0 {
		root = e.mul(e.fixed(-1), root)
	}
	return t.q.finish(&e, root)
}
