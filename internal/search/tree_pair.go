package search

import (
	"cmp"
	"math"
	"slices"
)

// Sizes and tolerances of pairs of trees, which are looked for where the target has no errors.
const (
	exactKey    = 1e-9 // difference of two keys that are the same
	exactPair   = 1e-8 // root mean square that is left, as a share of the aim's
	pairsOfLine = 1200 // trees of which straight lines of two are tried
	pairsKept   = 200  // for each aim
	pairsFitted = 12
)

// pairHit is an aim that two trees make.
type pairHit struct {
	aim  *aim
	op   treeOp
	a, b int32
	cost float64
}

// pairs looks for aims that are c·a·b, c·a/b, ±a ± b + c or a line of two trees, exactly. It meets in the middle: for
// each tree it looks the other up by what the two must make of two rows.
func (s *searcher) pairs(f *forest, aims []aim, rows []int) {
	if f.rows < 5 || s.over() {
		return
	}
	found := make([][]pairHit, len(aims))
	s.spread(len(aims), func(k int) {
		a := &aims[k]
		if a.nodes > 1 {
			return
		}
		p := pairsOf{f: f, aim: a, ones: slices.Repeat([]float64{1}, f.rows)}
		for _, r := range rows {
			p.t = append(p.t, a.t[r])
		}
		p.products()
		p.sums()
		p.lines()
		if a.l.plain() {
			p.shiftedProducts()
		}
		found[k] = p.hits
	})
	n := len(f.trees)
	s.meter.add(int64((len(aims)+len(pairShifts))*100*n + len(aims)*5*min(n, pairsOfLine)*min(n, pairsOfLine)))
	hits := slices.Concat(found...)
	slices.SortStableFunc(hits, func(a, b pairHit) int { return cmp.Compare(a.cost, b.cost) })
	tried := 2 * math.Log(float64(n)*float64(n)*float64(len(aims)))
	var out []guess
	for _, h := range hits[:min(len(hits), pairsFitted)] {
		if e := s.expressPair(f, h); e != nil {
			out = append(out, guess{e, "two trees" + h.aim.suffix(), max(0, tried-priceNode*float64(len(e)))})
		}
	}
	s.batch(out, treesFull)
}

// pairsOf is the search for the pairs of one aim.
type pairsOf struct {
	f    *forest
	aim  *aim
	t    []float64 // of the aim on the rows of the forest
	ones []float64 // the constant there
	hits []pairHit
}

// key is what a tree makes of two rows.
type key struct {
	v  float64
	at int32
}

// keys returns those of all trees for which there is one, sorted.
func (p *pairsOf) keys(of func(u []float64) float64) []key {
	var out []key
	for i := range p.f.trees {
		if v := of(p.f.at(int32(i))); finite(v) {
			out = append(out, key{v, int32(i)})
		}
	}
	slices.SortStableFunc(out, func(a, b key) int { return cmp.Compare(a.v, b.v) })
	return out
}

// within calls f for the keys that are v.
func within(keys []key, v float64, f func(at int32)) {
	d := exactKey * (1 + math.Abs(v))
	k, _ := slices.BinarySearchFunc(keys, v-d, func(a key, v float64) int { return cmp.Compare(a.v, v) })
	for ; k < len(keys) && keys[k].v <= v+d; k++ {
		f(keys[k].at)
	}
}

// products looks for t = c·a·b and t = c·a/b.
func (p *pairsOf) products() {
	i, j := p.f.rows/4, 3*p.f.rows/4
	of := func(u []float64) float64 { return math.Log(math.Abs(u[j] / u[i])) }
	whole := of(p.t)
	if !finite(whole) {
		return
	}
	keys := p.keys(of)
	for _, k := range keys {
		within(keys, whole-k.v, func(b int32) {
			if k.at <= b {
				p.check(treeMul, k.at, b)
			}
		})
		within(keys, k.v-whole, func(b int32) { p.check(treeDiv, k.at, b) })
	}
}

// pairShifts are constants that laws have beside a product.
var pairShifts = [...]float64{-5, -3, -2, -1, 1, 2, 3, 5}

// shiftedProducts looks for t = c·a·b + d and t = c·a/b + d with a constant d that is likely.
func (p *pairsOf) shiftedProducts() {
	t := p.t
	for _, d := range pairShifts {
		p.t = slices.Clone(t)
		for r := range p.t {
			p.t[r] -= d
		}
		p.products()
	}
	p.t = t
}

// sums looks for t = c + a + b, c + a − b and c − a − b.
func (p *pairsOf) sums() {
	i, j := p.f.rows/4, 3*p.f.rows/4
	of := func(u []float64) float64 { return u[j] - u[i] }
	whole := of(p.t)
	keys := p.keys(of)
	for _, k := range keys {
		for _, sign := range [2]float64{1, -1} {
			within(keys, sign*whole-k.v, func(b int32) {
				if k.at <= b {
					p.check(treeAdd, k.at, b)
				}
			})
		}
		within(keys, k.v-whole, func(b int32) { p.check(treeSub, k.at, b) })
	}
}

// check keeps a pair of which t is a straight line.
func (p *pairsOf) check(op treeOp, a, b int32) {
	if len(p.hits) >= pairsKept {
		return
	}
	u := make([]float64, p.f.rows)
	p.f.evalPair(tree{op: op, a: a, b: b}, u)
	if op == treeMul || op == treeDiv {
		p.keep(pairHit{op: op, a: a, b: b}, u)
	} else {
		p.keep(pairHit{op: op, a: a, b: b}, u, p.ones)
	}
}

// keep keeps a pair if t is u and v with factors.
func (p *pairsOf) keep(h pairHit, cols ...[]float64) {
	var fr frame
	fr.r = p.t
	for _, c := range cols {
		if !fr.push(c) {
			return
		}
	}
	fr.settle()
	if !(fr.total <= exactPair*exactPair*dot(p.t, p.t)) {
		return
	}
	h.aim = p.aim
	n := p.f.nodes(p.f.trees[h.a]) + p.f.nodes(p.f.trees[h.b])
	h.cost = float64(n + 2*p.aim.nodes)
	p.hits = append(p.hits, h)
}

// lines looks for t = c₁·a + c₂·b + c₃. On four rows the differences of the three columns lie in a plane.
func (p *pairsOf) lines() {
	n := min(len(p.f.trees), pairsOfLine)
	at := [4]int{0, p.f.rows / 3, 2 * p.f.rows / 3, p.f.rows - 1}
	differences := func(u []float64) (d [3]float64) {
		size := 0.0
		for k := range d {
			d[k] = u[at[k+1]] - u[at[0]]
			size = max(size, math.Abs(d[k]))
		}
		for k := range d {
			d[k] /= size
		}
		return d
	}
	t := differences(p.t)
	d := make([][3]float64, n)
	for i := range d {
		d[i] = differences(p.f.at(int32(i)))
	}
	for i, u := range d {
		x, y, z := u[1]*t[2]-u[2]*t[1], u[2]*t[0]-u[0]*t[2], u[0]*t[1]-u[1]*t[0]
		for j := i + 1; j < n && len(p.hits) < pairsKept; j++ {
			if v := &d[j]; math.Abs(x*v[0]+y*v[1]+z*v[2]) <= exactKey {
				a, b := p.f.at(int32(i)), p.f.at(int32(j))
				p.keep(pairHit{op: treeInput, a: int32(i), b: int32(j)}, a, b, p.ones)
			}
		}
	}
}

// expressPair writes the target of a pair, with factors that are to be fitted; nil where it has no values.
func (s *searcher) expressPair(f *forest, h pairHit) expr {
	if h.op == treeInput {
		return s.expressLine(f, h)
	}
	e, _ := s.lineOf(f, h.aim, tree{op: h.op, a: h.a, b: h.b})
	return e
}

// expressLine is expressPair for a line of two trees.
func (s *searcher) expressLine(f *forest, h pairHit) expr {
	ev := s.evaluator()
	defer s.release(ev)
	cols := [3][]float64{nil, nil, make([]float64, s.ns)}
	for k, i := range [2]int32{h.a, h.b} {
		var e expr
		root := f.build(&e, f.trees[i])
		e = e.compact(root)
		if !ev.forward(e, s.xs, s.ns) {
			return nil
		}
		cols[k] = slices.Clone(ev.value(e))
	}
	for r := range cols[2] {
		cols[2][r] = 1
	}
	c := leastSquares(cols[:], h.aim.t, h.aim.w)
	return s.express(h.aim, 1, c[2], func(q *expr) int {
		a := q.mul(q.par(c[0]), f.build(q, f.trees[h.a]))
		return q.add(a, q.mul(q.par(c[1]), f.build(q, f.trees[h.b])))
	})
}

// dependent is what is added to the squares of columns, as a share, so that they do not depend on one another.
const dependent = 1e-13

// leastSquares returns the factors of columns that come nearest to t, with root weights of the rows. Columns that
// depend on one another share a factor.
func leastSquares(cols [][]float64, t, w []float64) []float64 {
	n := len(cols)
	h, c, norm := make([]float64, n*n), make([]float64, n), make([]float64, n)
	u := make([][]float64, n)
	y := slices.Clone(t)
	multiply(y, w)
	for i := range cols {
		u[i] = slices.Clone(cols[i])
		multiply(u[i], w)
		norm[i] = math.Sqrt(dot(u[i], u[i]) + 1e-300)
		c[i] = dot(u[i], y) / norm[i]
		for j := range i + 1 {
			h[i*n+j] = dot(u[i], u[j]) / (norm[i] * norm[j])
		}
		h[i*n+i] += dependent
	}
	if !cholesky(h, n) {
		return make([]float64, n)
	}
	solve(h, n, c)
	for i := range c {
		c[i] /= norm[i]
	}
	return c
}
