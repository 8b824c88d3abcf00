package search

import (
	"cmp"
	"math"
	"slices"
)

// Limits of the exponent vectors.
const (
	fewInputs       = 6 // up to so many inputs exponents reach ±2 and five factors
	factorsFew      = 5
	factorsMany     = 3
	pairFactorsFew  = 3 // factors beside and with a difference, up to inputsWithSums inputs
	pairFactorsMany = 2
	mostDirections  = 6000
)

// directions returns the primitive exponent vectors over the active features: exponents without
// common divisor, the first positive. Where they are too many, it leaves out those with most
// factors.
func (s *searcher) directions(active []int) []mono {
	inputs := 0
	for _, f := range active {
		if s.feats[f].kind == featInput {
			inputs++
		}
	}
	d := directionsOf{s: s, active: slices.Clone(active), factors: factorsMany, exponent: 1, pairs: pairFactorsMany}
	if inputs <= fewInputs {
		d.factors, d.exponent = factorsFew, 2
	}
	if inputs <= inputsWithSums {
		d.pairs = pairFactorsFew
	}
	slices.SortStableFunc(d.active, func(a, b int) int { // those that change sign first
		return btoi(s.signs[b] == mixed) - btoi(s.signs[a] == mixed)
	})
	for ; d.factors > 0; d.factors-- {
		d.out = nil
		if d.extend(0, nil, 0); len(d.out) <= mostDirections {
			break
		}
	}
	return d.out[:min(len(d.out), mostDirections)]
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// directionsOf is the state of the enumeration.
type directionsOf struct {
	s        *searcher
	active   []int
	factors  int // at most
	exponent int // at most
	pairs    int // factors of a direction that has a difference or sum
	out      []mono
}

func (d *directionsOf) extend(from int, m mono, pairs int) {
	if len(d.out) > mostDirections {
		return
	}
	if len(m) > 0 && primitive(m) {
		d.out = append(d.out, m)
	}
	if len(m) >= d.factors {
		return
	}
	for q := from; q < len(d.active); q++ {
		f := d.active[q]
		pr := pairs + btoi(d.s.feats[f].kind != featInput)
		if pr > 1 || pr == 1 && len(m) >= d.pairs || d.s.clash(m, f) {
			continue
		}
		for e := -d.exponent; e <= d.exponent; e++ {
			if e == 0 || e < 0 && (len(m) == 0 || d.s.signs[f] == mixed) {
				continue
			}
			d.extend(q+1, m.with(factor{f, float64(e)}), pr)
		}
	}
}

// clash tells whether m has an input of the pair f, or a pair with the input f.
func (s *searcher) clash(m mono, f int) bool {
	F := s.feats[f]
	for _, x := range m {
		H := s.feats[x.feat]
		pairOfInput := F.kind != featInput && H.kind == featInput && F.has(H.i)
		inputOfPair := F.kind == featInput && H.kind != featInput && H.has(F.i)
		if pairOfInput || inputOfPair {
			return true
		}
	}
	return false
}

func primitive(m mono) bool {
	g := 0
	for _, f := range m {
		g = commonDivisor(g, int(f.p))
	}
	return g == 1
}

func commonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// axis is the coordinate along a direction: log|m|, or m itself where it changes sign, scaled to
// −1 … 1.
type axis struct {
	u   []float64
	log bool
}

func (s *searcher) axisOf(m mono) axis {
	a := axis{u: make([]float64, s.ns), log: s.signChanging(m) < 0}
	s.monoValues(m, a.u)
	lo, hi := math.Inf(1), math.Inf(-1)
	for r, v := range a.u {
		if a.log {
			v = math.Log(math.Abs(v))
			a.u[r] = v
		}
		lo, hi = min(lo, v), max(hi, v)
	}
	c, h := (hi+lo)/2, (hi-lo)/2+1e-300
	for r := range a.u {
		a.u[r] = (a.u[r] - c) / h
	}
	return a
}

// legendre are the polynomials of degree 1 to 4 that ridge screening projects on.
var legendre = [...]func(x float64) float64{
	func(x float64) float64 { return x },
	func(x float64) float64 { return 1.5*x*x - 0.5 },
	func(x float64) float64 { return 2.5*x*x*x - 1.5*x },
	func(x float64) float64 { return (35*x*x*x*x - 30*x*x + 3) / 8 },
}

// frame is what an atom is judged in: an orthonormal base, and the residual of the target beside
// it.
type frame struct {
	q     [][]float64
	r     []float64
	total float64 // r·r
}

// independent is the least share of a column's square that must be left beside a base.
const independent = 1e-7

// push orthonormalises a copy of c into the base. It reports whether c brings anything new.
func (f *frame) push(c []float64) bool {
	c = slices.Clone(c)
	n0 := dot(c, c)
	for range 2 { // twice is enough (Kahan)
		for _, q := range f.q {
			subtract(c, q, dot(q, c))
		}
	}
	n1 := dot(c, c)
	if !(n1 > independent*n0) || !finite(n1) {
		return false
	}
	scale := 1 / math.Sqrt(n1)
	for r := range c {
		c[r] *= scale
	}
	f.q = append(f.q[:len(f.q):len(f.q)], c)
	return true
}

// settle takes the base off the residual.
func (f *frame) settle() {
	f.r = slices.Clone(f.r)
	for _, q := range f.q {
		subtract(f.r, q, dot(q, f.r))
	}
	f.total = dot(f.r, f.r)
}

// left returns the square of the part of c beside the base, or 0 when nothing is.
func (f *frame) left(c []float64) float64 {
	n0 := dot(c, c)
	n1 := n0
	for _, q := range f.q {
		d := dot(q, c)
		n1 -= d * d
	}
	if !(n1 > independent*n0) || !finite(n1) {
		return 0
	}
	return n1
}

// ranked is a place with what it costs; less is better.
type ranked struct {
	cost float64
	at   int
}

func sortRanked(r []ranked) {
	slices.SortFunc(r, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.at, b.at))
	})
}

// pricePerFactor is what each factor of a direction must explain, in nats.
const pricePerFactor = 3.0

// ridges ranks the directions by how much a smooth function of each explains, whatever function
// it is, and returns the best.
func (p *product) ridges(f frame, keep int) []ranked {
	s := p.s
	out := make([]ranked, len(p.dirs))
	s.spreadBlocks(len(p.dirs), func(from, to int) {
		c := make([]float64, s.ns)
		for k := from; k < to; k++ {
			gain := p.ridge(f, p.axes[k], c)
			explained := float64(s.ns) * math.Log(f.total/max(f.total-gain, 1e-3*f.total))
			out[k] = ranked{pricePerFactor*float64(len(p.dirs[k])) - explained, k}
		}
	})
	s.meter.add(int64(len(p.dirs) * s.ns * (2*len(f.q) + 15) * 4))
	sortRanked(out)
	return out[:min(keep, len(out))]
}

// ridge returns what polynomials along an axis explain.
func (p *product) ridge(f frame, a axis, c []float64) float64 {
	gain := 0.0
	g := frame{q: f.q}
	for k, poly := range legendre {
		if k == 0 && a.log {
			continue // in the base
		}
		for r, x := range a.u {
			c[r] = p.w[r] * poly(x)
		}
		before := len(g.q)
		if g.push(c); len(g.q) > before {
			d := dot(g.q[before], f.r)
			gain += d * d
		}
	}
	return gain
}
