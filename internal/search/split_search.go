package search

import (
	"math"
	"slices"
)

// Sizes of the searches for the functions of a split.
const (
	splitPart   = 0.4  // of the work that is left, which a split may take …
	leastSplit  = 4e8  // … or so much, if it is there …
	mostOfLeft  = 0.8  // … and what is left allows it
	joinPart    = 0.5  // of what one function takes, to join them
	splitRows   = 400  // of the search for one function
	leastFactor = 0.03 // rows where the other factors are below this share of their size tell nothing
	splitKept   = 4    // formulas of each function
	splitRanks  = 3    // the sum of the places of formulas that are tried together
	splitFull   = 6
	idlePart    = 3 // a function that changes the target by so many errors may be a constant
)

// partWork is the most work of the search for one function, the first and the second time.
var partWork = [...]float64{3e8, 6e8}

// splits looks for sums and products of functions of some inputs each, also under a link: where smooth functions leave
// little of the target, each is looked for alone.
func (s *searcher) splits() {
	if s.d < 2 || s.d > mostSplitInputs {
		return
	}
	s.splitPowers()
	var tried []split
	for _, q := range s.splitsThatFit() {
		if len(tried) == splitsTried || s.over() || s.done {
			return
		}
		if !slices.ContainsFunc(tried, func(t split) bool { return t.product == q.product && t.l.kind == q.l.kind }) {
			tried = append(tried, q)
			s.searchSplit(&q)
		}
	}
}

// splitWork is the work that a split may take.
func (s *searcher) splitWork() float64 {
	left := float64(s.meter.limit - s.meter.used.Load())
	return min(max(splitPart*left, leastSplit), mostOfLeft*left)
}

// splitPowers looks for splits of the target without the separable inputs.
func (s *searcher) splitPowers() {
	q := split{product: true, t: s.y, w: s.rootWeights()}
	powers, rest := block{}, block{}
	var law expr
	at := law.fixed(1)
	for j, sep := range s.sep {
		if !sep {
			rest.inputs = append(rest.inputs, j)
			continue
		}
		powers.inputs = append(powers.inputs, j)
		at = law.mul(at, law.pow(law.variable(j), s.exponent[j], true))
	}
	powers.found = []expr{law.compact(at)}
	ev := s.evaluator()
	defer s.release(ev)
	if len(powers.inputs) == 0 || len(rest.inputs) < 2 || !ev.forward(powers.found[0], s.x, s.n) {
		return
	}
	powers.values = slices.Clone(ev.value(powers.found[0]))
	q.blocks = []block{powers, rest}
	if q.search(s, 1, s.splitWork(), (*searcher).splits); q.blocks[1].found != nil {
		s.batch(q.guesses(), splitFull)
		s.checkDone()
	}
}

// searchSplit looks for the function of one block after the other, first briefly: those found before stand in the place
// of their polynomials, so that the others are seen better.
func (s *searcher) searchSplit(q *split) {
	most := s.splitWork()
	first := s.meter.used.Load()
	for _, work := range partWork {
		for i := range q.blocks {
			if s.over() {
				return
			}
			b := &q.blocks[i]
			left := most - float64(s.meter.used.Load()-first)
			if q.search(s, i, min(work*float64(len(b.inputs)), left/(float64(len(q.blocks)-i)+joinPart)),
				(*searcher).searchPart); b.found == nil {
				return
			}
			q.settle(s)
		}
		crit := s.batch(q.guesses(), splitFull)
		if s.checkDone(); s.done || crit > s.bestCriterion() {
			return
		}
	}
}

// searchPart looks for the function of a block: for that of several inputs it may go on in the same way, and for that
// of one it begins with trees and waves, so that long polynomials are not what is found.
func (s *searcher) searchPart() {
	first := []func(s *searcher){(*searcher).splits}
	if s.d == 1 {
		first = []func(s *searcher){(*searcher).trees, (*searcher).envelopes}
	}
	for _, run := range first {
		if run(s); s.done {
			return
		}
		if s.checkDone(); s.done {
			return
		}
	}
	s.runStages()
}

// search looks for the function of block i in some way.
func (q *split) search(s *searcher, i int, work float64, in func(s *searcher)) {
	b := &q.blocks[i]
	sub := newSearcher(s.ctx, q.data(s, i), Options{Work: max(work, 1), Spread: s.spread})
	if sub == nil || sub.d < len(b.inputs) {
		return
	}
	sub.units, sub.part = s.units, true
	sub.prepare()
	in(sub)
	s.meter.add(sub.meter.used.Load())
	before := b.found
	b.found = nil
	var inputs []expr
	for _, j := range b.inputs {
		inputs = append(inputs, input(j))
	}
	for _, c := range sub.pool[:min(splitKept, len(sub.pool))] {
		e := c.e
		if !q.product { // the split has one constant
			e = e.withoutConstant()
		}
		b.found = append(b.found, e.over(inputs))
	}
	b.found = append(b.found, before[:min(1, len(before))]...)
	if mean, sd := moments(b.values); len(b.found) > 0 && sd*q.reach(i) <= idlePart*math.Sqrt(q.mse) {
		b.found = slices.Insert(b.found, 1, expr{{op: opPar, c: mean}}) // the target may not depend on it
	}
}

// withoutConstant returns a sum without the constants among its terms.
func (e expr) withoutConstant() expr {
	r, sum := e.clone(), -1
	for _, i := range e.termsOf(e.root()) {
		switch {
		case e[i].op == opPar:
		case sum < 0:
			sum = i
		default:
			sum = r.add(sum, i)
		}
	}
	if sum < 0 {
		return e
	}
	return r.compact(sum)
}

// reach is what a change of the function of block i changes the target by.
func (q *split) reach(i int) float64 {
	v := slices.Clone(q.w)
	if q.product {
		multiply(v, q.others(i))
	}
	return math.Sqrt(dot(v, v) / float64(len(v)))
}

// data returns the rows of the function of block i: what the functions of the others leave of the target.
func (q *split) data(s *searcher, i int) Data {
	t, w := slices.Clone(q.t), slices.Clone(q.w)
	others := q.others(i)
	size := math.Sqrt(dot(others, others) / float64(s.n))
	for r, v := range others {
		switch {
		case !q.product:
			t[r] -= v
		case math.Abs(v) < leastFactor*size:
			w[r] = 0
		default:
			t[r], w[r] = (t[r]-q.shift)/v, w[r]*math.Abs(v)/size
		}
	}
	inputs := q.blocks[i].inputs
	d := Data{X: make([][]float64, len(inputs))}
	step := max(1, s.n/splitRows)
	for r := 0; r < s.n; r += step {
		if !(w[r] > 0) {
			continue
		}
		for k, j := range inputs {
			d.X[k] = append(d.X[k], s.x[j][r])
		}
		d.Y, d.W = append(d.Y, t[r]), append(d.W, w[r])
	}
	return d
}

// settle takes the values of the best formulas, and fits the other functions to these.
func (q *split) settle(s *searcher) {
	ev := s.evaluator()
	defer s.release(ev)
	for i := range q.blocks {
		if b := &q.blocks[i]; b.found != nil && ev.forward(b.found[0], s.x, s.n) {
			b.values = slices.Clone(ev.value(b.found[0]))
		}
	}
	if q.product {
		q.alternate(s)
	} else {
		q.fitSum(s)
	}
}

// guesses are the formulas of the target that those of the blocks make.
func (q *split) guesses() []guess {
	var out []guess
	pick := make([]int, len(q.blocks))
	var try func(i, left int)
	try = func(i, left int) {
		if i == len(q.blocks) {
			out = append(out, guess{e: q.joined(pick), how: q.name()})
			return
		}
		for k := range min(left+1, len(q.blocks[i].found)) {
			pick[i] = k
			try(i+1, left-k)
		}
	}
	try(0, splitRanks)
	return out
}

func (q *split) name() string {
	how := "sum of parts"
	if q.product {
		how = "product of parts"
	}
	if !q.l.plain() {
		how += " under " + q.l.name()
	}
	return how
}

// joined writes the target with one formula of each block.
func (q *split) joined(pick []int) expr {
	var e expr
	at := -1
	for i, k := range pick {
		f := e.insert(q.blocks[i].found[k])
		switch {
		case at < 0:
			at = f
		case q.product:
			at = e.mul(at, f)
		default:
			at = e.add(at, f)
		}
	}
	root := q.l.undo(&e, e.add(e.par(q.shift), at))
	return e.compact(root)
}
