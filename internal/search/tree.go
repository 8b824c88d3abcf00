package search

import (
	"math"

	"github.com/eqlearner/eql/formula"
)

// treeOp is what a node of a tree computes.
type treeOp uint8

const (
	treeInput treeOp = iota // a is the input
	treeStep                // a step of a
	treeAdd
	treeSub
	treeMul
	treeDiv
	treeMax
	treeMin
)

// tree is an expression of the inputs without fitted constants; a and b are places in a forest.
type tree struct {
	op   treeOp
	step uint8
	a, b int32
}

// step is an operation of one argument in trees.
type step struct {
	needs []formula.Func
	value func(u float64) float64 // NaN where it has none
	build func(e *expr, u int) int
	flat  bool // a·step + b is a·u + b: of use below other steps only
	power bool
}

// steps are the rows that trees are made of, beside the operations of two arguments.
var steps = []step{
	powerStep(2), powerStep(3), powerStep(-1), powerStep(0.5), powerStep(1.5),
	{value: func(u float64) float64 { return 1 + u }, flat: true,
		build: func(e *expr, u int) int { return e.add(e.fixed(1), u) }},
	{value: func(u float64) float64 { return 1 - u }, flat: true,
		build: func(e *expr, u int) int { return e.add(e.fixed(1), e.mul(e.fixed(-1), u)) }},
	callStep(formula.Exp), callStep(formula.Log), callStep(formula.Sin), callStep(formula.Cos), callStep(formula.Tan),
	callStep(formula.Tanh), callStep(formula.Sinh), callStep(formula.Cosh), callStep(formula.Asin),
	callStep(formula.Acos), callStep(formula.Atan), callStep(formula.Abs),
}

func powerStep(p float64) step {
	var needs []formula.Func
	if !whole(p) {
		needs = need(formula.Sqrt)
	}
	return step{needs: needs, power: true, value: func(u float64) float64 { return power(u, p) },
		build: func(e *expr, u int) int { return e.pow(u, p, true) }}
}

func callStep(f formula.Func) step {
	value, _ := f.Unary()
	return step{needs: need(f), value: value, build: func(e *expr, u int) int { return e.call(f, u) }}
}

// Sizes of a forest.
const (
	treeLevels     = 5       // at most; each operation adds one, and one of two arguments the levels of both
	mostTrees      = 400_000 // of a level; a level that has more is left out
	mostOfPart     = 20_000  // … where the target is that of a part of a law
	largestTree    = 1e12    // no value is larger
	leastVariation = 1e-9    // of the values of a tree, as a share of the largest
)

// forest holds all small trees of some inputs with their values on some rows, by level. Trees of equal values are
// kept once. The trees of the last level are many and have no values: they are made when they are asked for.
type forest struct {
	s      *searcher
	inputs []int
	x      [][]float64
	rows   int
	steps  []uint8
	trees  []tree
	values []float64
	level  []int // where the levels begin, and the last ends
	last   []tree
	seen   map[uint64]bool
}

// newForest makes the trees of some inputs, given their columns.
func (s *searcher) newForest(inputs []int, x [][]float64) *forest {
	f := &forest{s: s, inputs: inputs, x: x, rows: len(x[0]), level: []int{0}, seen: map[uint64]bool{}}
	for i, st := range steps {
		if s.units.have(st.needs) {
			f.steps = append(f.steps, uint8(i))
		}
	}
	var next []tree
	for j := range inputs {
		next = append(next, tree{op: treeInput, a: int32(j)})
	}
	most := mostTrees
	if s.part {
		most = mostOfPart
	}
	for k := 1; ; k++ {
		if f.store(next); k+1 > treeLevels || f.count(k+1) > most || s.over() {
			return f
		}
		if f.count(k+2) > most || k+2 > treeLevels {
			f.last = f.grown(k+1, true)
			return f
		}
		next = f.grown(k+1, false)
	}
}

// of returns the places of level k.
func (f *forest) of(k int) (from, to int) { return f.level[k-1], f.level[k] }

func (f *forest) size(k int) int { return f.level[k] - f.level[k-1] }

// count estimates how many trees level k has, from those below.
func (f *forest) count(k int) int {
	known := len(f.level) - 1
	size := func(i int) int {
		if i <= known {
			return f.size(i)
		}
		n := len(f.steps) * f.size(known)
		for j := 1; 2*j <= i; j++ {
			n += binaryOps * f.size(j) * f.size(i-j) / (1 + btoi(2*j == i))
		}
		return n
	}
	n := len(f.steps) * size(k-1)
	for i := 1; 2*i <= k; i++ {
		n += binaryOps * size(i) * size(k-i) / (1 + btoi(2*i == k))
	}
	return n
}

const binaryOps = 8

// grown returns the trees of level k, made of those below. The last level leaves out what differs from another tree
// by a factor and a constant only.
func (f *forest) grown(k int, last bool) []tree {
	var out []tree
	from, to := f.of(k - 1)
	for _, i := range f.steps {
		if last && steps[i].flat {
			continue
		}
		for a := from; a < to; a++ {
			out = append(out, tree{treeStep, i, int32(a), 0})
		}
	}
	for i := 1; 2*i <= k; i++ {
		fromA, toA := f.of(i)
		fromB, toB := f.of(k - i)
		for a := fromA; a < toA; a++ {
			for b := max(fromB, a+1); b < toB; b++ {
				out = f.pairs(out, int32(a), int32(b), last)
			}
		}
	}
	return out
}

// pairs appends what two trees make.
func (f *forest) pairs(out []tree, a, b int32, last bool) []tree {
	out = append(out, tree{treeAdd, 0, a, b}, tree{treeSub, 0, a, b}, tree{treeMul, 0, a, b}, tree{treeDiv, 0, a, b},
		tree{treeDiv, 0, b, a})
	if !last {
		out = append(out, tree{treeSub, 0, b, a})
	}
	if !f.s.units.without[formula.Max] {
		out = append(out, tree{treeMax, 0, a, b}, tree{treeMin, 0, a, b})
	}
	return out
}

// store computes the values of trees and keeps those with values that no other tree has.
func (f *forest) store(next []tree) {
	values := make([]float64, len(next)*f.rows)
	ok := make([]bool, len(next))
	f.s.spreadBlocks(len(next), func(from, to int) {
		for i := from; i < to; i++ {
			ok[i] = f.eval(next[i], values[i*f.rows:(i+1)*f.rows])
		}
	})
	f.s.meter.add(int64(len(next) * f.rows * weightCall))
	for i, t := range next {
		if v := values[i*f.rows : (i+1)*f.rows]; ok[i] && f.isNew(v) {
			f.trees, f.values = append(f.trees, t), append(f.values, v...)
		}
	}
	f.level = append(f.level, len(f.trees))
}

// isNew tells whether no tree has had these values, but for their last digits.
func (f *forest) isNew(v []float64) bool {
	h := uint64(14695981039346656037)
	for _, x := range v {
		h ^= uint64(math.Float32bits(float32(x)))
		h *= 1099511628211
		h ^= h >> 29
	}
	if f.seen[h] {
		return false
	}
	f.seen[h] = true
	return true
}

// at returns the values of a stored tree.
func (f *forest) at(i int32) []float64 { return f.values[int(i)*f.rows : (int(i)+1)*f.rows] }

// eval writes the values of a tree into o. It reports whether all are finite and they differ.
func (f *forest) eval(t tree, o []float64) bool {
	switch t.op {
	case treeInput:
		copy(o, f.x[t.a])
	case treeStep:
		value := steps[t.step].value
		for r, u := range f.at(t.a) {
			o[r] = value(u)
		}
	default:
		f.evalPair(t, o)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range o {
		if !(math.Abs(v) <= largestTree) {
			return false
		}
		lo, hi = min(lo, v), max(hi, v)
	}
	return hi-lo > leastVariation*max(hi, -lo)
}

func (f *forest) evalPair(t tree, o []float64) {
	a, b := f.at(t.a), f.at(t.b)
	b = b[:len(a)]
	o = o[:len(a)]
	for r := range a {
		switch t.op {
		case treeAdd:
			o[r] = a[r] + b[r]
		case treeSub:
			o[r] = a[r] - b[r]
		case treeMul:
			o[r] = a[r] * b[r]
		case treeDiv:
			o[r] = a[r] / b[r]
		case treeMax:
			o[r] = max(a[r], b[r])
		case treeMin:
			o[r] = min(a[r], b[r])
		}
	}
}

// build appends a tree to an expression.
func (f *forest) build(e *expr, t tree) int {
	switch t.op {
	case treeInput:
		return e.variable(f.inputs[t.a])
	case treeStep:
		return steps[t.step].build(e, f.build(e, f.trees[t.a]))
	}
	a, b := f.build(e, f.trees[t.a]), f.build(e, f.trees[t.b])
	minus := func(i int) int { return e.mul(e.fixed(-1), i) }
	switch t.op {
	case treeAdd:
		return e.add(a, b)
	case treeSub:
		return e.add(a, minus(b))
	case treeMul:
		return e.mul(a, b)
	case treeDiv:
		return e.mul(a, e.pow(b, -1, true))
	case treeMax:
		return e.max(a, b)
	}
	return minus(e.max(minus(a), minus(b)))
}
