package search

import (
	"cmp"
	"math"
	"slices"
)

// Sizes of the fits that tell whether a target is a sum or a product of functions of some inputs each.
const (
	mostSplitInputs = 8
	mostBlockTerms  = 80   // of a block of several inputs
	mostSplitTerms  = 200  // of all blocks
	hopelessSplit   = 0.3  // of the variance: left by low degrees under links and beside several inputs at once
	splitShare      = 0.02 // of the target's variance that a split may leave
	splitNoise      = 2    // … and times the variance of its errors, where rows are few
	tinyShare       = 1e-5 // of the target's variance, which is little in any case
	alternations    = 20   // of the fit of a product, at most
	littleAlternate = 1e-2 // gain of one, as a share, that ends them
	startDegree     = 2    // of the polynomials that the fit of a product begins with
	splitsTried     = 2
)

// splitDegrees are those of the polynomials that stand for the functions of a split.
var splitDegrees = [...]int{4, 8, 14, 24, 48}

// splitLinks are the links under which a target may be a sum; a sum under a logarithm is a product.
var splitLinks = []linkKind{linkNone, linkInverse, linkSquare, linkExp, linkInverseSquare, linkRoot, linkTan, linkSin}

// block is a function of some inputs: at first a polynomial, then perhaps a formula.
type block struct {
	inputs []int
	cols   [][]float64 // the polynomials on the rows of the search, the first is 1
	low    []int       // those that the fit of a product may begin with
	values []float64
	found  []expr // what the function may be, the best first
}

// split says that the target under a link is a sum of the functions of blocks, or their product and a constant.
type split struct {
	l       link
	product bool
	blocks  []block
	t, w    []float64 // the target under the link, and root weights with which its errors are those of the target itself
	shift   float64   // beside a product
	mse     float64
	crit    float64
}

// partitions returns the ways to divide the inputs into blocks: each alone, and one against all others.
func (s *searcher) partitions() [][][]int {
	var alone []([]int)
	for j := range s.d {
		alone = append(alone, []int{j})
	}
	out := [][][]int{alone}
	if s.d > 2 {
		for j := range s.d {
			var rest []int
			for k := range s.d {
				if k != j {
					rest = append(rest, k)
				}
			}
			out = append(out, [][]int{{j}, rest})
		}
	}
	return out
}

// alwaysTried reports whether blocks are one of the partitions, or all inputs.
func alwaysTried(part [][]int) bool {
	several := 0 // blocks of more than one input
	for _, inputs := range part {
		several += btoi(len(inputs) > 1)
	}
	return len(part) < 2 || several == 0 || several == 1 && len(part) == 2
}

// splitsThatFit returns the splits that leave little of the target, the best first.
func (s *searcher) splitsThatFit() []split {
	type task struct {
		part    [][]int
		kind    linkKind
		product bool
	}
	var tasks []task
	parts := s.partitions()
	add := func(kind linkKind, product bool) {
		for _, part := range parts {
			tasks = append(tasks, task{part, kind, product})
		}
		if part := s.together(kind, product); !alwaysTried(part) {
			tasks = append(tasks, task{part, kind, product})
		}
	}
	add(linkNone, true)
	for _, kind := range splitLinks {
		if s.units.link[kind] {
			add(kind, false)
		}
	}
	found := make([]*split, len(tasks))
	s.spread(len(tasks), func(i int) {
		if s.ctx.Err() == nil {
			found[i] = s.splitOf(tasks[i].part, tasks[i].kind, tasks[i].product)
		}
	})
	var out []split
	for _, q := range found {
		if q != nil && q.fits(s) {
			out = append(out, *q)
		}
	}
	slices.SortStableFunc(out, func(a, b split) int { return cmp.Compare(a.crit, b.crit) })
	return out
}

// fits reports whether a split leaves little of the target, and nothing of it that a surrogate finds.
func (q *split) fits(s *searcher) bool {
	switch {
	case q.mse <= tinyShare*s.sd*s.sd:
		return true
	case s.degreeTelling() == 0:
		return q.mse <= min(splitShare*s.sd*s.sd, splitNoise*s.sigma*s.sigma)
	case q.mse > splitShare*s.sd*s.sd:
		return false
	}
	left := q.left()
	for r := range left {
		left[r] *= q.w[r]
		if s.w != nil {
			left[r] /= s.w[r]
		}
	}
	return !s.structured(left)
}

// left returns what the functions of all blocks leave of the target under the link.
func (q *split) left() []float64 {
	v := q.others(-1)
	for r, t := range q.t {
		v[r] = t - q.shift - v[r]
	}
	return v
}

// splitOf fits a split with polynomials of rising degree until these do not help; nil where there are too few rows or
// the target has no such link.
func (s *searcher) splitOf(part [][]int, kind linkKind, product bool) *split {
	l := link{kind: kind}
	t, w, ok := s.linked(l)
	if !ok {
		return nil
	}
	var best *split
	for _, degree := range splitDegrees {
		q := &split{l: l, product: product, t: t, w: w}
		terms := 1
		for _, inputs := range part {
			b := s.newBlock(inputs, degree)
			q.blocks = append(q.blocks, b)
			terms += len(b.cols) - 1
		}
		if 2*terms > s.n || terms > mostSplitTerms {
			break
		}
		if q.fit(s); !finite(q.mse) {
			break
		}
		n := float64(s.n)
		q.mse *= n / (n - float64(terms))
		q.crit = n*math.Log(max(q.mse, s.floor)) + math.Log(n)*float64(terms)
		if best == nil || q.crit < best.crit-1 {
			best = q
		} else if blind := len(part) == s.d && kind == linkNone; !blind || best.mse <= splitShare*s.sd*s.sd {
			break // beside each other, high degrees may show waves of which low ones see nothing
		}
		if (len(part) < s.d || kind != linkNone) && best.mse > hopelessSplit*s.sd*s.sd {
			break
		}
	}
	return best
}

// linked returns the target under a link, and root weights of the rows with which errors there are those of the target.
func (s *searcher) linked(l link) (t, w []float64, ok bool) {
	if t, w, ok = l.apply(s.y, slices.Repeat([]float64{1}, s.n)); !ok {
		return nil, nil, false
	}
	for r := range w {
		w[r] = 1 / w[r]
	}
	if links[l.kind].clip {
		most := clipSumWeight * median(w)
		for r := range w {
			w[r] = min(w[r], most)
		}
	}
	multiply(w, s.w)
	return t, w, true
}

// newBlock returns a block with the products of Chebyshev polynomials of its inputs, up to a degree that their number
// allows.
func (s *searcher) newBlock(inputs []int, degree int) block {
	for len(inputs) > 1 && choose(len(inputs), degree) > mostBlockTerms {
		degree--
	}
	var x [][]float64
	for _, j := range inputs {
		x = append(x, s.x[j])
	}
	powers := monomials(len(inputs), degree)
	b := block{inputs: inputs, cols: chebyshevProducts(x, powers, degree)}
	for at, e := range powers {
		if total(e) <= startDegree {
			b.low = append(b.low, at)
		}
	}
	return b
}

// chebyshevProducts returns products of Chebyshev polynomials of columns in their ranges: the degrees of each product,
// of which none is above a highest one.
func chebyshevProducts(x [][]float64, degrees [][]int, highest int) [][]float64 {
	single := make([][][]float64, len(x))
	for j, col := range x {
		r := rangeOf(col)
		half := math.Max(r.half, math.SmallestNonzeroFloat64)
		single[j] = make([][]float64, highest+1)
		for k := range single[j] {
			single[j][k] = make([]float64, len(col))
		}
		for row, v := range col {
			for k, c := range chebyshev((v-r.middle)/half, highest) {
				single[j][k][row] = c
			}
		}
	}
	out := make([][]float64, len(degrees))
	for i, e := range degrees {
		out[i] = slices.Repeat([]float64{1}, len(x[0]))
		for j, k := range e {
			if k > 0 {
				multiply(out[i], single[j][k])
			}
		}
	}
	return out
}

// fit fits the functions of all blocks that are no formulas, and the mean square error.
func (q *split) fit(s *searcher) {
	if q.product {
		q.start(s)
		q.alternate(s)
		return
	}
	q.fitSum(s)
}

// fitSum fits the functions of a sum. One that is a formula keeps its values but for a factor.
func (q *split) fitSum(s *searcher) {
	cols := [][]float64{slices.Repeat([]float64{1}, s.n)}
	for _, b := range q.blocks {
		cols = append(cols, b.free()...)
	}
	c := leastSquares(cols, q.t, q.w)
	s.meter.add(int64(s.n * len(cols) * (len(cols) + 3) / 2))
	at := 1
	for i := range q.blocks {
		b := &q.blocks[i]
		v := make([]float64, s.n)
		for _, col := range b.free() {
			subtract(v, col, -c[at])
			at++
		}
		b.values = v
	}
	q.shift = c[0]
	q.measure(s)
}

// free returns the columns of a block that are fitted in a sum: its polynomials but 1, or the values of its formula.
func (b *block) free() [][]float64 {
	if b.found != nil {
		return [][]float64{b.values}
	}
	return b.cols[1:]
}

// start sets the functions of a product to the polynomials of low degree whose product goes best with the target.
func (q *split) start(s *searcher) {
	t := slices.Clone(q.t)
	mean, _ := weightedMoments(t, q.w)
	for r := range t {
		t[r] = (t[r] - mean) * q.w[r] * q.w[r]
	}
	most := -1.0
	at := make([]int, len(q.blocks))
	var try func(i int, v []float64)
	try = func(i int, v []float64) {
		if i < len(q.blocks) {
			for _, at[i] = range q.blocks[i].low {
				u := slices.Clone(v)
				multiply(u, q.blocks[i].cols[at[i]])
				try(i+1, u)
			}
			return
		}
		s.meter.add(int64(3 * s.n))
		_, sd := weightedMoments(v, q.w)
		if g := math.Abs(dot(t, v)) / sd; sd > leastSpread && g > most {
			most = g
			for i := range q.blocks {
				q.blocks[i].values = q.blocks[i].cols[at[i]]
			}
		}
	}
	try(0, slices.Repeat([]float64{1}, s.n))
}

// alternate fits the function of one block of a product after the other, with the others as they are, and a constant.
// A function that is a formula keeps its values but for a factor.
func (q *split) alternate(s *searcher) {
	last := math.Inf(1)
	for range alternations {
		free := false
		for i := range q.blocks {
			if q.blocks[i].found == nil {
				q.refit(s, i, q.blocks[i].cols)
				free = true
			}
		}
		if !free {
			q.refit(s, 0, [][]float64{q.blocks[0].values})
		}
		q.measure(s)
		if !(q.mse < (1-littleAlternate)*last) {
			return
		}
		last = q.mse
	}
}

// refit fits the function of block i of a product, which is made of some columns, and the constant.
func (q *split) refit(s *searcher, i int, of [][]float64) {
	others := q.others(i)
	cols := [][]float64{slices.Repeat([]float64{1}, s.n)}
	for _, c := range of {
		v := slices.Clone(c)
		multiply(v, others)
		cols = append(cols, v)
	}
	c := leastSquares(cols, q.t, q.w)
	s.meter.add(int64(s.n * len(cols) * (len(cols) + 5) / 2))
	q.shift = c[0]
	q.blocks[i].values = combined(c[1:], of)
}

// others returns the product or sum of the functions of all blocks but i.
func (q *split) others(i int) []float64 {
	v := make([]float64, len(q.t))
	if q.product {
		v = slices.Repeat([]float64{1}, len(q.t))
	}
	for k, b := range q.blocks {
		switch {
		case k == i:
		case q.product:
			multiply(v, b.values)
		default:
			subtract(v, b.values, -1)
		}
	}
	return v
}

// measure sets the mean square error.
func (q *split) measure(s *searcher) {
	left := q.left()
	multiply(left, q.w)
	q.mse = dot(left, left) / float64(s.n)
}
