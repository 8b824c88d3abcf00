package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Sizes of the search for products.
const (
	ridgesFirst   = 40 // directions kept by ridge screening, for the first function
	ridgesLater   = 24
	lessWeight    = 0.01 // rows with |t| below this share of the median weigh nothing
	lessSigma     = 3    // nor those below this many errors
	mostWeight    = 4.0
	nearZeroInput = 1e-3 // |x| below this share of the largest counts as this, in logarithms
	swapStates    = 5
	beamFirst     = 8
	beamLater     = 3
	fineTune      = 12 // states whose earlier functions are refined once more
)

// product is the search for t = C·Π xⱼ^aⱼ·Π g(c·m)^p in the logarithm.
type product struct {
	s        *searcher
	l        link
	t, sigma []float64
	w, lt    []float64   // weights of the rows of log|t|, and log|t|
	wlt      []float64   // w·lt
	base     [][]float64 // w, and w·log|xⱼ|
	gram     []float64   // of the base
	dirs     []mono
	axes     []axis
	crossing bool // t has both signs
	kinked   bool // functions with a kink are among those of the product
	last     []fitted
	scans    []waveScan // kept from one state to the next
}

// state is a set of functions with a score; less is better.
type state struct {
	atoms []atom
	score float64
}

// products looks for up to depth functions, keeps width states and fits full candidates at a time.
func (s *searcher) products(l link, inactive []bool, depth, width, full int) {
	p, ok := s.newProduct(l)
	if !ok || s.over() {
		return
	}
	if _, b := p.solve(nil); b != nil {
		s.batch(p.build(fitted{b: b}, "product"+p.suffix()), 1)
	}
	if l.plain() && s.best() != nil && s.plain() {
		if s.checkDone(); s.done {
			return
		}
	}
	p.prepare(inactive)
	p.run(depth, width, full)
}

// pairProducts looks, under a link, for products with the sum and the difference of two inputs and one function:
// (x + y)/(1 + z), z/√(x² − y²). Beside a function of its size, neither shows alone.
func (s *searcher) pairProducts(l link, width, full int) {
	p, ok := s.newProduct(l)
	if !ok || s.d > inputsWithSums {
		return
	}
	var beam []state
	inactive := s.inactive()
	for i := range s.d {
		for j := i + 1; j < s.d; j++ {
			var atoms []atom
			for k, f := range s.feats {
				if f.kind != featInput && f.has(i) && f.has(j) && s.signs[k] != mixed && !inactive[i] && !inactive[j] {
					atoms = append(atoms, atom{g: shapePair, m: mono{{k, 1}}, c: 1})
				}
			}
			if atoms != nil {
				beam = append(beam, state{atoms: atoms})
			}
		}
	}
	if len(beam) == 0 {
		return
	}
	p.prepare(inactive)
	next := p.extend(beam, 1, width)
	if !s.over() {
		p.fitStates(next, 1, full)
	}
}

func (p *product) suffix() string {
	if p.l.plain() {
		return ""
	}
	return " under " + p.l.name()
}

func (l link) plain() bool {
	return l.kind == linkNone && l.inner == linkNone && l.term == nil && l.factor == nil && l.shift == 0
}

// newProduct weighs the rows: a row of log|t| weighs |t|/σ.
func (s *searcher) newProduct(l link) (*product, bool) {
	sigma := make([]float64, s.ns)
	for r := range sigma {
		sigma[r] = s.sigma
		if s.ws != nil {
			sigma[r] /= s.ws[r]
		}
	}
	t, sg, ok := l.apply(s.ys, sigma)
	if !ok {
		return nil, false
	}
	p := &product{s: s, l: l, t: t, sigma: sg, w: make([]float64, s.ns), lt: make([]float64, s.ns)}
	med := median(t)
	up, down, ww := 0, 0, 1e-300
	for r, v := range t {
		a := math.Abs(v)
		if !(a > max(lessWeight*med, lessSigma*sg[r])) {
			continue
		}
		p.w[r], p.lt[r] = a/sg[r], math.Log(a)
		ww += p.w[r] * p.w[r] / float64(s.ns)
		up += btoi(v > 2*sg[r])
		down += btoi(v < -2*sg[r])
	}
	p.crossing = up > 2 && down > 2
	for r := range p.w {
		p.w[r] = min(p.w[r]/math.Sqrt(ww), mostWeight)
	}
	p.makeBase()
	return p, true
}

func (p *product) makeBase() {
	s := p.s
	p.base = [][]float64{p.w}
	for _, x := range s.xs {
		top := largest(x)
		c := make([]float64, s.ns)
		for r, v := range x {
			c[r] = p.w[r] * math.Log(max(math.Abs(v), nearZeroInput*top))
		}
		p.base = append(p.base, c)
	}
	p.wlt = make([]float64, s.ns)
	for r := range p.wlt {
		p.wlt[r] = p.w[r] * p.lt[r]
	}
	n := len(p.base)
	p.gram = make([]float64, n*n)
	for i := range n {
		for j := range n {
			p.gram[i*n+j] = dot(p.base[i], p.base[j])
		}
	}
}

func (p *product) prepare(inactive []bool) {
	s := p.s
	p.dirs = s.directions(s.active(inactive))
	p.axes = make([]axis, len(p.dirs))
	s.spreadBlocks(len(p.dirs), func(from, to int) {
		for k := from; k < to; k++ {
			p.axes[k] = s.axisOf(p.dirs[k])
		}
	})
	s.meter.add(int64(len(p.dirs) * s.ns * 2 * weightCall))
}

// run adds one function after the other, and for two, swaps: it keeps the second and looks for
// the first again.
func (p *product) run(depth, width, full int) {
	s := p.s
	passes := depth
	if depth == 2 {
		passes++
	}
	beam := []state{{}}
	for pass := 0; pass < passes && !s.over(); pass++ {
		if pass >= depth {
			if beam = p.swapped(); len(beam) == 0 {
				return
			}
		}
		next := p.extend(beam, pass, width)
		if s.over() {
			return
		}
		p.fitStates(next, pass, full)
		if s.checkDone(); s.done {
			// One function of y itself: short sums, which come next, may be shorter still.
			s.done = pass > 0 || !p.l.plain()
			return
		}
		beam = p.distinct(next, pass)
	}
}

// extend returns the best states with one function more.
func (p *product) extend(beam []state, pass, width int) []state {
	var next []state
	for _, st := range beam {
		if p.s.over() {
			break
		}
		next = append(next, p.screen(st, pass, width)...)
	}
	keep := width * 8
	if pass == 0 {
		keep = width * 32
	}
	next = bestStates(next, keep)
	if pass == 0 {
		return next
	}
	p.s.spread(min(fineTune, len(next)), func(i int) {
		q := &next[i]
		f := 0.0
		for k := range q.atoms {
			f = p.refine(q.atoms, k, fineSpan(q.atoms[k]))
		}
		if f < impossible {
			q.score = float64(p.s.ns)*math.Log(f) + pricePerFactor*float64(len(q.atoms[len(q.atoms)-1].m)+1)
		}
	})
	return bestStates(next, keep)
}

func fineSpan(a atom) float64 {
	if a.shape().wave {
		return 0.05
	}
	return 0.3
}

func bestStates(s []state, keep int) []state {
	slices.SortStableFunc(s, func(a, b state) int { return cmp.Compare(a.score, b.score) })
	return s[:min(keep, len(s))]
}

// fitStates makes formulas of the best variants of the states and fits them.
func (p *product) fitStates(states []state, pass, full int) {
	variants := make([][]fitted, len(states))
	p.s.spread(len(states), func(i int) { variants[i] = p.variants(states[i].atoms) })
	all := slices.Concat(variants...)
	slices.SortStableFunc(all, func(a, b fitted) int { return cmp.Compare(a.score, b.score) })
	p.last = all
	limit := [2]int{full / 2, full * 3} // free, rounded
	if pass == 0 {
		limit[1] = full * 5
	}
	var out []guess
	last := math.Inf(1)
	for _, v := range all {
		if math.Abs(v.score-last) < 1e-5 {
			continue
		}
		last = v.score
		kind := btoi(v.rounded)
		if limit[kind]--; limit[kind] < 0 {
			continue
		}
		out = append(out, p.build(v, fmt.Sprintf("product of %d%s", len(v.atoms), p.suffix()))...)
	}
	p.s.batch(out, full)
}

// swapped returns the best last functions, each alone.
func (p *product) swapped() []state {
	var out []state
	seen := map[string]bool{}
	for _, v := range p.last {
		if len(v.atoms) < 2 {
			continue
		}
		a := v.atoms[len(v.atoms)-1]
		key := structure(a)
		if a.chosen {
			key += fmt.Sprint("/", a.p)
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		if out = append(out, state{atoms: []atom{a}}); len(out) >= swapStates {
			break
		}
	}
	return out
}

// structure names an atom up to its constants, but for the sign: 1 + z and 1 − z are two functions.
func structure(a atom) string {
	var b strings.Builder
	if a.c < 0 {
		fmt.Fprint(&b, "−")
	}
	for _, f := range a.m {
		fmt.Fprintf(&b, "%d^%d ", f.feat, int(f.p))
	}
	fmt.Fprint(&b, int(a.g))
	return b.String()
}

// distinct returns the states that go on: of different structure, taken in turn from the best of
// free and of rounded exponents.
func (p *product) distinct(next []state, pass int) []state {
	var rounded []state
	for _, v := range p.last {
		if !v.rounded {
			continue
		}
		q := state{slices.Clone(v.atoms), v.score}
		for i := range q.atoms {
			q.atoms[i].chosen = false
		}
		if rounded = append(rounded, q); len(rounded) > 40 {
			break
		}
	}
	var mix []state
	for i := range max(len(rounded), len(next)) {
		if i < len(next) {
			mix = append(mix, next[i])
		}
		if i < len(rounded) {
			mix = append(mix, rounded[i])
		}
	}
	keep := beamLater
	if pass == 0 {
		keep = beamFirst
	}
	var out []state
	seen := map[string]bool{}
	for _, q := range mix {
		if key := structure(q.atoms[len(q.atoms)-1]); !seen[key] {
			seen[key] = true
			if out = append(out, q); len(out) >= keep {
				break
			}
		}
	}
	return out
}
