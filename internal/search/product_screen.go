package search

import (
	"cmp"
	"math"
	"slices"
)

// Sizes of the screening of functions. Within the noise many functions of a direction fit alike, so
// that a list half as long loses laws by chance.
const (
	perDirection  = 24  // functions kept of one direction, and of those held at 1 or −1
	waveScans     = 400 // directions whose frequencies are scanned
	waveFactors   = 3   // … with at most so many factors
	waveDegree    = 4   // … and exponents that add up to this at most
	wavesKept     = 8
	nearZeroValue = 1e-3 // |g| below this share of its largest counts as this, in logarithms
	nearZeroShare = 5    // more than one row in so many near a zero: no logarithm
	farAway       = 1e-12
)

// exponents are the powers of a direction that functions are tried on.
var exponents = [...]float64{1, -1, 2, -2, 0.5, -0.5}

// column writes w·log|g| of an atom into sc.o, from the values of m in sc.m. It reports whether that
// is possible; for an exponential it is w·m.
func (p *product) column(a atom, sc scratch) bool {
	o := sc.o
	copy(o, sc.m)
	if a.g == shapeExp {
		for r := range o {
			o[r] *= p.w[r]
		}
		return true
	}
	a.apply(o, sc.t)
	top := 0.0
	for _, v := range o {
		if !finite(v) {
			return false
		}
		top = max(top, math.Abs(v))
	}
	if top == 0 {
		return false
	}
	near := 0
	for r, v := range o {
		v = math.Abs(v)
		if v < nearZeroValue*top {
			v = nearZeroValue * top
			near++
		}
		o[r] = v
	}
	logarithms(o)
	for r := range o {
		o[r] *= p.w[r]
	}
	return near*nearZeroShare < len(o)
}

// columnOf is column with the values of m computed.
func (p *product) columnOf(a atom) ([]float64, bool) {
	sc := p.s.scratch()
	p.s.monoValues(a.m, sc.m)
	ok := p.column(a, sc)
	return sc.o, ok
}

// frames are what atoms are judged in: beside the base and the functions of a state, and where a
// direction has a feature that changes sign, beside the power of that feature too.
type frames struct {
	plain frame
	pair  map[int]frame
}

func (p *product) framesOf(st state) frames {
	f := frame{r: slices.Clone(p.wlt)}
	for _, b := range p.base {
		f.push(b)
	}
	for _, a := range st.atoms {
		c, ok := p.columnOf(a)
		switch {
		case !ok:
		case a.chosen:
			subtract(f.r, c, a.p)
		default:
			f.push(c)
		}
	}
	f.settle()
	out := frames{plain: f, pair: map[int]frame{}}
	for k, sg := range p.s.signs {
		if sg != mixed {
			continue
		}
		g := f
		if c, ok := p.columnOf(atom{g: shapePair, m: mono{{k, 1}}, c: 1}); ok {
			g.push(c)
		}
		g.settle()
		out.pair[k] = g
	}
	return out
}

// of returns the frame for m, the functions that come with it, and what they cost.
func (f frames) of(p *product, m mono, st state) (frame, []atom, float64) {
	k := p.s.signChanging(m)
	if k < 0 {
		return f.plain, st.atoms, 0
	}
	g := f.pair[k]
	n := float64(p.s.ns)
	price := n*math.Log(g.total/f.plain.total) + 2*math.Log(n)
	return g, append(slices.Clone(st.atoms), atom{g: shapePair, m: mono{{k, 1}}, c: 1}), price
}

// screen returns the best states that have one function more than st.
func (p *product) screen(st state, pass, width int) []state {
	keep, wide, refined := ridgesLater, width*8, width*6
	if pass == 0 {
		keep, wide, refined = ridgesFirst, width*40, width*32
	}
	f := p.framesOf(st)
	if !(f.plain.total > 0) {
		return nil
	}
	var all []state
	best := p.ridges(f.plain, keep)
	found := make([][]state, len(best))
	p.s.spread(len(best), func(i int) { found[i] = p.functions(p.dirs[best[i].at], f, st) })
	if p.s.over() {
		return nil
	}
	all = append(slices.Concat(found...), p.waves(f, st)...)
	all = bestStates(all, wide)
	n := float64(p.s.ns)
	p.s.spread(len(all), func(i int) {
		q := &all[i]
		last := len(q.atoms) - 1
		if sse := p.refine(q.atoms, last, span(q.atoms[last])); sse < impossible {
			q.score = p.price(q.atoms[last]) - n*math.Log(f.plain.total/max(sse, farAway*f.plain.total))
		}
	})
	all = bestStates(all, refined)
	for i := range all {
		all[i].score += n * math.Log(f.plain.total)
	}
	return all
}

// price is what the form of a function costs, in nats, and its inner constant.
func (p *product) price(a atom) float64 {
	return pricePerFactor*float64(len(a.m)+btoi(a.g != shapeExp)) + p.priceOf(btoi(a.inner()))
}

// priceOf is what constants cost, as in the criterion.
func (p *product) priceOf(constants int) float64 {
	return 2 * math.Log(float64(p.s.ns)) * float64(constants)
}

// inner reports whether an atom has a constant beside its power, or in its place.
func (a atom) inner() bool { return a.g == shapeExp || !a.shape().bare && !a.held }

// span is how far the inner constant may be from its grid point, in logarithms.
func span(a atom) float64 {
	switch {
	case a.shape().wave:
		return 0.1
	case a.g == shapeOnePlus && a.c < 0:
		return 0.3
	}
	return 0.5
}

// scratch is the memory of one task: values of a power product, a column, and slopes.
type scratch struct{ m, o, t []float64 }

func (s *searcher) scratch() scratch {
	v := make([]float64, 3*s.ns)
	return scratch{v[:s.ns:s.ns], v[s.ns : 2*s.ns : 2*s.ns], v[2*s.ns:]}
}

// gain returns the score of an atom in a frame; ok is false when it brings nothing new.
func (p *product) gain(a atom, f *frame, sc scratch) (float64, bool) {
	if !p.column(a, sc) {
		return 0, false
	}
	left := f.left(sc.o)
	if left <= 0 {
		return 0, false
	}
	d := dot(sc.o, f.r)
	n := float64(p.s.ns)
	return p.price(a) - n*math.Log(f.total/max(f.total-d*d/left, farAway*f.total)), true
}

// eachFunction calls f with all functions of powers of a direction and the constants to try in each. The values of the
// power are in sc then.
func (p *product) eachFunction(dir mono, sc scratch, f func(g shapeKind, m mono, grid []float64)) {
	for _, pw := range exponents {
		m := dir.times(pw)
		if !p.s.allowed(m) {
			continue
		}
		p.s.monoValues(m, sc.m)
		info, ok := stats(sc.m, m)
		if !ok {
			continue
		}
		info.power, info.crossing = pw, p.crossing
		info.pair = len(m) == 1 && p.s.feats[m[0].feat].kind != featInput
		for g := range shapeCount {
			if shapes[g].grid == nil || !p.s.units.shape[g] || shapes[g].kink && (!p.kinked || pw != 1) {
				continue // a power of the larger of two is the larger of their powers
			}
			f(g, m, shapes[g].grid(info))
		}
	}
}

// functions tries all functions of powers of a direction, and keeps the best constant of each.
func (p *product) functions(dir mono, f frames, st state) []state {
	fr, before, extra := f.of(p, dir, st)
	sc := p.s.scratch()
	var out []state
	tried := 0
	p.eachFunction(dir, sc, func(g shapeKind, m mono, grid []float64) {
		best := [4]state{} // of a constant above and below zero, and of 1 and −1
		try := func(a atom) {
			tried++
			of := &best[btoi(a.c < 0)+2*btoi(a.held)]
			if score, ok := p.gain(a, &fr, sc); ok && (of.atoms == nil || score+extra < of.score) {
				*of = state{[]atom{a}, score + extra}
			}
		}
		for _, c := range grid {
			try(atom{g: g, m: m, c: c})
		}
		if shape := shapes[g]; !shape.bare {
			try(atom{g: g, m: m, c: 1, held: true})
			if math.Abs(shape.value(-1)) != math.Abs(shape.value(1)) {
				try(atom{g: g, m: m, c: -1, held: true})
			}
		}
		for _, q := range best {
			if q.atoms != nil {
				out = append(out, state{append(slices.Clone(before), q.atoms[0]), q.score})
			}
		}
	})
	p.s.meter.add(int64(tried * p.s.ns * (2*weightCall + len(fr.q) + 2)))
	slices.SortStableFunc(out, func(a, b state) int { return cmp.Compare(a.score, b.score) })
	var kept [2]int
	return slices.DeleteFunc(out, func(q state) bool {
		k := &kept[btoi(q.atoms[len(q.atoms)-1].held)]
		*k++
		return *k > perDirection
	})
}

// allowed tells whether the power product has values on all rows: features with both signs take
// whole positive powers only. Roots must be among the functions of the search.
func (s *searcher) allowed(m mono) bool {
	for _, f := range m {
		if s.signs[f.feat] == mixed && (f.p < 0 || !whole(f.p)) || !whole(f.p) && !s.units.root {
			return false
		}
	}
	return true
}

// waves scans the frequencies of sine and cosine of all directions with few factors, which leave
// no smooth ridge.
func (p *product) waves(f frames, st state) []state {
	if !p.s.units.shape[shapeSin] && !p.s.units.shape[shapeCos] {
		return nil
	}
	if p.scans == nil {
		p.scans = p.waveScans()
	}
	found := make([]state, len(p.scans))
	p.s.spread(len(found), func(i int) { found[i] = p.scan(&p.scans[i], f, st) })
	found = slices.DeleteFunc(found, func(q state) bool { return q.atoms == nil })
	return bestStates(found, wavesKept)
}
