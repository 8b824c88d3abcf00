package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// Sizes of the search for waves of trees.
const (
	waveTrees   = 250 // without functions, of the first levels
	waveTurns   = 300 // phase, in radians, that a wave goes through at most over the middle half of the rows
	waveStep    = 0.5 // of the phase from one frequency to the next
	wavesOfTree = 2   // frequencies kept of a tree
	wavesRefind = 12  // whose frequency is refined
	wavesFull   = 6
)

// wave is a sine of a tree.
type wave struct {
	aim, tree int
	c         float64 // the frequency
	left      float64 // share of the aim's square that is left
}

// waves looks for aims that are waves of trees without functions, at frequencies up to many turns, where no smooth
// function shows: sin(c·x·y³).
func (s *searcher) waves(f *forest, aims []aim) {
	var trees [][]float64
	var exprs []expr
	ev := s.evaluator()
	defer s.release(ev)
	for i, t := range f.trees[:f.level[min(3, len(f.level)-1)]] {
		if len(trees) < waveTrees && f.algebraic(t) {
			var e expr
			root := f.build(&e, f.trees[i])
			if e = e.compact(root); ev.forward(e, s.xs, s.ns) {
				trees, exprs = append(trees, slices.Clone(ev.value(e))), append(exprs, e)
			}
		}
	}
	var few []int // the target itself, and its sine and cosine
	for k, a := range aims {
		if a.l.inner == linkNone && a.l.kind <= linkCos && a.l.kind != linkTan {
			few = append(few, k)
		}
	}
	found := make([][]wave, len(trees))
	s.spread(len(trees), func(i int) {
		if !s.over() {
			found[i] = s.scan(trees[i], i, aims, few)
		}
	})
	s.meter.add(int64(len(trees) * s.ns * (4 + 2*len(few)) * waveTurns * 2))
	all := cutWaves(slices.Concat(found...), wavesRefind)
	for _, w := range all {
		for _, k := range few {
			if k != w.aim { // far from the best frequency they tell little
				all = append(all, wave{k, w.tree, w.c, w.left})
			}
		}
	}
	out := make([][]guess, len(all))
	s.spread(len(all), func(i int) {
		w := all[i]
		out[i] = s.wavesOf(trees[w.tree], exprs[w.tree], &aims[w.aim], w.c)
	})
	s.batch(slices.Concat(out...), wavesFull)
}

// algebraic tells whether a tree has neither functions nor kinks nor constants.
func (f *forest) algebraic(t tree) bool {
	switch {
	case t.op == treeInput:
		return true
	case t.op >= treeMax || t.op == treeStep && (steps[t.step].flat || !steps[t.step].power):
		return false
	case t.op == treeStep:
		return f.algebraic(f.trees[t.a])
	}
	return f.algebraic(f.trees[t.a]) && f.algebraic(f.trees[t.b])
}

func cutWaves(w []wave, keep int) []wave {
	slices.SortStableFunc(w, func(a, b wave) int { return cmp.Compare(a.left, b.left) })
	return w[:min(len(w), keep)]
}

// scan returns the best frequencies of a tree, each the best among its neighbours. A step turns the sine and cosine of
// each row, which needs no further functions.
func (s *searcher) scan(u []float64, at int, aims []aim, few []int) []wave {
	sorted := slices.Sorted(slices.Values(u))
	reach := sorted[len(u)*3/4] - sorted[len(u)/4]
	if !(reach > 0) {
		return nil
	}
	step := waveStep / reach
	n := len(u)
	sin, cos := make([]float64, n), make([]float64, n)
	turnSin, turnCos := make([]float64, n), make([]float64, n)
	for r, x := range u {
		sin[r], cos[r] = math.Sincos(step * x)
		turnSin[r], turnCos[r] = sin[r], cos[r]
	}
	best := make([][]wave, len(few))
	target := make([][]float64, len(few))
	size := make([]float64, len(few))
	for i, k := range few {
		target[i], size[i] = aims[k].weighted()
	}
	for k := 1; k <= waveTurns/waveStep; k++ {
		for i, t := range target {
			a, b := dot(t, sin), dot(t, cos)
			w := wave{few[i], at, float64(k) * step, 1 - (a*a+b*b)/size[i]}
			if best[i] = append(best[i], w); len(best[i]) >= 16*wavesOfTree {
				best[i] = cutWaves(best[i], wavesOfTree)
			}
		}
		for r := range sin {
			sin[r], cos[r] = sin[r]*turnCos[r]+cos[r]*turnSin[r], cos[r]*turnCos[r]-sin[r]*turnSin[r]
		}
	}
	var out []wave
	for _, w := range best {
		out = append(out, cutWaves(w, wavesOfTree)...)
	}
	return out
}

// weighted returns w²·t about the mean, and what its products with a sine and cosine in phase come to in squares.
func (a *aim) weighted() (t []float64, size float64) {
	t = make([]float64, len(a.t))
	sum, mean := 0.0, 0.0
	for r, w := range a.w {
		sum += w * w
		mean += w * w * a.t[r]
	}
	mean /= sum
	all := 0.0
	for r, w := range a.w {
		d := a.t[r] - mean
		t[r] = w * w * d
		all += w * w * d * d
	}
	return t, all * sum / 2
}

// wavesOf returns the laws of a wave of a tree: sine and cosine, their squares and cubes, and with a phase.
func (s *searcher) wavesOf(u []float64, e expr, a *aim, c float64) []guess {
	left := func(c float64) float64 {
		cols := waveColumns(u, c)
		f := frame{r: slices.Clone(a.t)}
		multiply(f.r, a.w)
		for _, col := range cols {
			multiply(col, a.w)
			f.push(col)
		}
		f.settle()
		return f.total
	}
	sorted := slices.Sorted(slices.Values(u))
	near := waveStep / (sorted[len(u)*3/4] - sorted[len(u)/4])
	off, _ := minimise(func(d float64) float64 { return left(c + d) }, near)
	c += off
	b := leastSquares(waveColumns(u, c), a.t, a.w)
	var out []guess
	add := func(c, factor, shift float64, put func(q *expr, z int) int) {
		law := s.express(a, factor, shift, func(q *expr) int { return put(q, q.mul(q.par(c), q.insert(e))) })
		out = append(out, guess{e: law, how: "wave" + a.suffix()})
	}
	size := math.Hypot(b[0], b[1])
	for _, p := range []float64{1, 3} {
		add(c, b[0], b[2], func(q *expr, z int) int { return q.pow(q.call(formula.Sin, z), p, true) })
		add(c, b[1], b[2], func(q *expr, z int) int { return q.pow(q.call(formula.Cos, z), p, true) })
	}
	add(c/2, -2*b[1], b[2]+b[1], func(q *expr, z int) int { return q.pow(q.call(formula.Sin, z), 2, true) })
	phase := math.Atan2(b[1], b[0])
	add(c, size, b[2], func(q *expr, z int) int { return q.call(formula.Sin, q.add(q.par(phase), z)) })
	return out
}

// waveColumns are the sine, the cosine and the constant.
func waveColumns(u []float64, c float64) [][]float64 {
	cols := [][]float64{make([]float64, len(u)), make([]float64, len(u)), make([]float64, len(u))}
	for r, x := range u {
		cols[0][r], cols[1][r] = math.Sincos(c * x)
		cols[2][r] = 1
	}
	return cols
}
