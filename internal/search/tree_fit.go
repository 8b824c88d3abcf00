package search

import (
	"math"
	"slices"
)

// Sizes of the comparison of trees with aims.
const (
	treeRows      = 64  // on which all are compared
	tilesAtOnce   = 128 // between two looks at the budget
	hitsPerTile   = 4   // trees kept of a tile for each aim
	treesSieved   = 128 // of y itself, compared on the screening rows; a quarter with each link
	treesFitted   = 24  // fitted to the quick rows
	treesFull     = 6   // … and to all
	treesLoose    = 10  // fitted with constants inside, too
	linksTried    = 6   // of which sums are looked for
	productsTried = 2   // and products
	leastShare    = 1e-7
	smallVarying  = 1e-5 // of a column in float32, as a share of its square
)

// trees looks for laws that are a straight line of a small tree under a link, or under a link of a link: with the
// separable inputs divided out, with those that multiply the best formulas so far, and of all inputs where they are
// few.
func (s *searcher) trees() {
	var sets [][]float64
	add := func(powers []float64) {
		if !slices.ContainsFunc(sets, func(p []float64) bool { return slices.Equal(p, powers) }) {
			sets = append(sets, powers)
		}
	}
	separable := make([]float64, s.d)
	for j, sep := range s.sep {
		if sep && finite(s.exponent[j]) {
			separable[j] = s.exponent[j]
		}
	}
	add(separable)
	for _, c := range s.pool[:min(multiplied, len(s.pool))] {
		add(c.e.powers(s.d))
	}
	sets = sets[:min(len(sets), setsTried)]
	if s.d <= fewInputsOfTrees {
		add(make([]float64, s.d))
	}
	for _, powers := range sets {
		if !s.done && !s.over() {
			s.treesOf(powers)
		}
	}
}

// powers returns the exponents of the inputs that e is multiplied with and that occur nowhere else in it.
func (e expr) powers(d int) []float64 {
	out := make([]float64, d)
	uses := make([]int, len(e))
	for _, n := range e {
		if n.op.inner() {
			uses[n.a]++
			if n.op.binary() {
				uses[n.b]++
			}
		}
	}
	for _, i := range chain(e, e.root(), opMul) {
		p := 1.0
		if n := e[i]; n.op == opPow && n.fixed {
			i, p = n.a, n.c
		}
		if e[i].op == opVar && uses[i] == 1 {
			out[e[i].a] = p
		}
	}
	return out
}

// Limits of the inputs that are divided out.
const (
	multiplied       = 6 // formulas that are looked at for inputs that multiply them
	setsTried        = 3
	fewInputsOfTrees = 3 // up to which trees of all inputs are tried in any case
)

func (s *searcher) treesOf(powers []float64) {
	rows := make([]int, min(treeRows, s.ns))
	for i := range rows {
		rows[i] = i * s.ns / len(rows)
	}
	var inputs []int
	var x [][]float64
	for j := range s.d {
		if powers[j] != 0 {
			continue
		}
		inputs = append(inputs, j)
		c := make([]float64, len(rows))
		for i, r := range rows {
			c[i] = s.xs[j][r]
		}
		x = append(x, c)
	}
	if len(inputs) == 0 {
		return
	}
	aims := s.aims(powers, rows)
	if len(aims) == 0 || s.over() {
		return
	}
	f := s.newForest(inputs, x)
	hits := s.compare(f, aims)
	s.fitTrees(f, aims, hits)
	if s.checkDone(); s.part {
		return
	}
	if !s.done {
		s.pairs(f, aims, rows)
		s.checkDone()
	}
	if !s.done {
		s.waves(f, aims)
		s.checkDone()
	}
	if !s.done && len(inputs) == s.d {
		s.likelyLinks(aims)
	}
}

// likelyLinks looks for sums and products under the links that other stages have not, where trees did best.
func (s *searcher) likelyLinks(aims []aim) {
	order := make([]ranked, len(aims))
	for k, a := range aims {
		order[k] = ranked{a.best, k}
	}
	sortRanked(order)
	tried := 0
	for _, o := range order {
		a := aims[o.at]
		if a.l.inner == linkNone && a.l.kind < linkAtanh {
			continue // other stages have
		}
		if tried++; tried > linksTried || s.done || s.over() {
			return
		}
		s.tell("sums and products under " + a.l.name())
		for _, without := range []bool{false, true} {
			s.sums(sumOptions{kind: a.l.kind, inner: a.l.inner, terms: 8, full: 3, lib: libQuadratic, noConstant: without})
		}
		if s.checkDone(); !s.done && tried <= productsTried {
			s.linkedProducts(a.l, s.none, 1, 6, 4)
			s.checkDone()
		}
	}
}

// fitTrees compares the best on the screening rows and fits the best of these.
func (s *searcher) fitTrees(f *forest, aims []aim, hits []treeHit) {
	exprs := make([]expr, len(hits))
	s.spread(len(hits), func(i int) { exprs[i], hits[i].score = s.lineOf(f, &aims[hits[i].aim], hits[i].t) })
	order := make([]ranked, len(hits))
	for i, h := range hits {
		order[i] = ranked{h.score, i}
		aims[h.aim].best = min(aims[h.aim].best, h.score)
	}
	sortRanked(order)
	tried := math.Log(float64(len(f.trees)+len(f.last)) * float64(len(aims)))
	var out []guess
	last := math.Inf(-1)
	for _, o := range order {
		if !finite(o.cost) || len(out) >= treesFitted {
			break
		}
		if o.cost-last < sameTree {
			continue
		}
		last = o.cost
		e := exprs[o.at]
		g := guess{e: e, how: "tree" + aims[hits[o.at].aim].suffix(), charge: max(0, 2*tried-priceNode*float64(len(e)))}
		out = append(out, g)
		if len(out) < 2*treesLoose {
			g.e = loose(e)
			out = append(out, g)
		}
	}
	s.batch(out, treesFull)
}

// sameTree is the difference of costs at which two trees are the same law.
const sameTree = 1e-6

func (a *aim) suffix() string {
	if a.l.plain() {
		return ""
	}
	return " under " + a.l.name()
}

// lineOf returns the law of a tree and an aim, and what it costs on the screening rows.
func (s *searcher) lineOf(f *forest, a *aim, t tree) (expr, float64) {
	ev := s.evaluator()
	defer s.release(ev)
	var e expr
	root := f.build(&e, t)
	e = e.compact(root)
	if !ev.forward(e, s.xs, s.ns) {
		return nil, math.Inf(1)
	}
	c, d := a.line(ev.value(e))
	law := s.express(a, c, d, func(q *expr) int { return q.insert(e) })
	if !ev.forward(law, s.xs, s.ns) {
		return nil, math.Inf(1)
	}
	n := float64(s.ns)
	return law, n*math.Log(max(squares(s.ys, ev.value(law), s.ws)/n, s.floor)) + law.price()
}

// loose returns e with a fitted factor at the argument of each function and at each term of a sum.
func loose(e expr) expr {
	var r expr
	at := make([]int, len(e))
	scaled := func(i int) int {
		if r.isPar(i) || r.scaled(i) && !r[r[i].a].fixed {
			return i
		}
		return r.mul(r.par(1), i)
	}
	for i, n := range e {
		switch n.op {
		case opCall:
			at[i] = r.call(n.f, scaled(at[n.a]))
		case opAdd:
			a := at[n.a]
			if r.isPar(a) && r[a].fixed {
				a = r.par(r[a].c)
			}
			at[i] = r.add(a, scaled(at[n.b]))
		default:
			at[i] = r.move(n, at)
		}
	}
	return r.compact(at[len(e)-1])
}
