package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/internal/kernel"
)

// Sizes of the search for two functions at once.
const (
	pairDirections = 60   // at most
	pairAtoms      = 4000 // columns, of which all pairs are compared
	alikeColumns   = 0.97 // cosine of neighbours in a grid above which one stands for both
	pairsRefined   = 64
	pairTurns      = 2
	leastApart     = 1e-4 // share of the second column beside the first
	leastBeside    = 1e-7 // share of a column beside the base
)

// productPairs looks for products of two functions among all pairs of those of few directions. One after the other is
// quicker, but the first need not show alone: in (1 + x·y)/√(1 − x²) it hides behind powers of x and y.
func (s *searcher) productPairs(full int) {
	p, ok := s.newProduct(link{})
	if !ok || s.over() {
		return
	}
	p.prepare(s.inactive())
	if len(p.dirs) > pairDirections {
		return
	}
	states := p.bestPairs(p.framesOf(state{}).plain)
	s.spread(len(states), func(i int) {
		q := &states[i]
		least := 0.0
		for range pairTurns {
			for k, a := range q.atoms {
				least = p.refine(q.atoms, k, span(a))
			}
		}
		if q.score = math.Inf(1); least < impossible {
			q.score = float64(s.ns)*math.Log(least) + p.price(q.atoms[0]) + p.price(q.atoms[1])
		}
	})
	if !s.over() {
		p.fitStates(bestStates(states, full*8), 1, full)
	}
}

// pairColumn is what is left of an atom's column beside the base, made of length 1.
type pairColumn struct {
	a    atom
	kind int // of its structure
	v    []float64
	with float64 // its product with the residual
}

// bestPairs returns the pairs that leave least, one of each two structures.
func (p *product) bestPairs(f frame) []state {
	cols := p.pairColumns(f)
	kinds := map[string]int{}
	for i := range cols {
		key := structure(cols[i].a)
		if _, ok := kinds[key]; !ok {
			kinds[key] = len(kinds)
		}
		cols[i].kind = kinds[key]
	}
	with := p.pairsOf(cols, len(kinds))
	best := map[[2]int]columnPair{} // of two kinds
	for _, list := range with {
		for _, q := range list {
			of := [2]int{cols[q.i].kind, cols[q.j].kind}
			slices.Sort(of[:])
			if q.gain > best[of].gain {
				best[of] = q
			}
		}
	}
	n, all := float64(p.s.ns), make([]columnPair, 0, len(best))
	for _, q := range best {
		q.score = p.price(cols[q.i].a) + p.price(cols[q.j].a) + n*math.Log(max(f.total-q.gain, farAway*f.total))
		all = append(all, q)
	}
	slices.SortFunc(all, func(a, b columnPair) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j))
	})
	var out []state
	for _, q := range all[:min(len(all), pairsRefined)] {
		out = append(out, state{[]atom{cols[q.i].a, cols[q.j].a}, q.score})
	}
	return out
}

// columnPair says what two columns take off the residual together.
type columnPair struct {
	i, j        int
	gain, score float64
}

// pairsOf returns the best pairs of each column with those before it, one of each kind. Products of columns are
// products of matrices.
func (p *product) pairsOf(cols []pairColumn, kinds int) [][]columnPair {
	n, k := p.s.ns, len(cols)
	x := make([]float32, n*k)
	for i, c := range cols {
		for r, v := range c.v {
			x[r*k+i] = float32(v)
		}
	}
	tiles := (k + tileLanes - 1) / tileLanes
	found := make([][]columnPair, tiles)
	p.s.spread(tiles, func(t int) {
		from, to := t*tileLanes, min(k, (t+1)*tileLanes)
		w := make([]float32, (n+1)*tileLanes) // the last row stays 0
		z := make([]float32, k*tileLanes)
		for i := from; i < to; i++ {
			for r, v := range cols[i].v {
				w[r*tileLanes+i-from] = float32(v)
			}
		}
		kernel.AffineForwardShared(z, w, x, kernel.Shape{Rows: 1, In: n, Batch: k, Lanes: tileLanes})
		for i := from; i < to; i++ {
			found[t] = append(found[t], pairsWith(cols, i, kinds, z[i-from:])...)
		}
	})
	p.s.meter.add(int64(k * k * n / kernelSpeed))
	return found
}

// pairsWith returns the best pairs of column i with those before it, whose products with it are every tileLanes-th of
// z.
func pairsWith(cols []pairColumn, i, kinds int, z []float32) []columnPair {
	best := make([]columnPair, kinds)
	a := cols[i].with
	for j, b := range cols[:i] {
		c := float64(z[j*tileLanes])
		left := 1 - c*c
		if left < leastApart {
			continue
		}
		gain := (a*a + b.with*b.with - 2*c*a*b.with) / left
		if q := &best[b.kind]; gain > q.gain {
			*q = columnPair{i: i, j: j, gain: gain}
		}
	}
	return slices.DeleteFunc(best, func(q columnPair) bool { return q.gain == 0 })
}

// pairColumns returns the columns of all functions of all directions, thinned where neighbours in a grid are alike.
func (p *product) pairColumns(f frame) []pairColumn {
	found := make([][]pairColumn, len(p.dirs))
	p.s.spread(len(p.dirs), func(i int) { found[i] = p.columnsAlong(p.dirs[i], f) })
	all := slices.Concat(found...)
	return all[:min(len(all), pairAtoms)]
}

func (p *product) columnsAlong(dir mono, f frame) []pairColumn {
	sc := p.s.scratch()
	var out []pairColumn
	tried := 0
	p.eachFunction(dir, sc, func(g shapeKind, m mono, grid []float64) {
		if shapes[g].wave {
			return
		}
		slices.Sort(grid)
		var last []float64
		for _, c := range grid {
			tried++
			a := atom{g: g, m: m, c: c}
			if !p.column(a, sc) {
				continue
			}
			v := slices.Clone(sc.o)
			if !f.takeOff(v) || last != nil && math.Abs(dot(v, last)) > alikeColumns {
				continue
			}
			last = v
			out = append(out, pairColumn{a: a, v: v, with: dot(v, f.r)})
		}
	})
	p.s.meter.add(int64(tried * p.s.ns * (2*weightCall + 2*len(f.q) + 4)))
	return out
}

// takeOff takes the base off a column and makes it of length 1. It reports whether enough of it is left.
func (f *frame) takeOff(v []float64) bool {
	full := dot(v, v)
	for _, q := range f.q {
		subtract(v, q, dot(v, q))
	}
	left := dot(v, v)
	if !(left > leastBeside*full) {
		return false
	}
	scale := 1 / math.Sqrt(left)
	for r := range v {
		v[r] *= scale
	}
	return true
}
