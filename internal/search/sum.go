package search

import (
	"fmt"
	"math"
	"slices"
)

// Sizes of the search for sums.
const (
	mostSumWeight    = 6.0
	clipSumWeight    = 1.2 // times the median, under links whose slope vanishes
	firstHits        = 100 // of functions; each of the good ones is completed
	firstQuadratic   = 12
	laterHits        = 6
	firstKept        = 12
	sumSpan          = 0.35 // how far an inner constant may be from its grid point, in logarithms
	completedAtOnce  = 25   // between looks at the budget
	completions      = 6    // columns that a first one is completed with, at most
	ownMultiple      = 2.0  // a multiple of its own function must be so much better
	worse            = 6.0  // the beam ends when its best is so much worse than the best so far
	exactSum         = 1e-9 // share of the square that is left by a law without noise
	sumFloor         = 1e-10
	replacedSums     = 2
	replacementTurns = 3
	replacementHits  = 3
	builtSums        = 6
	sameSum          = 1e-4
	betterSum        = 1e-3
	newColumn        = 1e-5 // share of a column that must be left beside the others
)

// sumBeam is how many sums of 1, 2, … columns are kept; later ones as the last.
var sumBeam = [...]int{7, 5, 3}

// sumOptions says which sums are looked for.
type sumOptions struct {
	kind, inner linkKind
	scaled      bool // the separable inputs are divided out
	terms, full int  // columns at most, and candidates that are fitted
	lib         libraryPart
	noConstant  bool // no constant in the base
	linear      bool // begins with all inputs, which can go again
	inputs      bool // columns of inputs alone, not of differences and sums
}

func (o sumOptions) link() link { return link{kind: o.kind, inner: o.inner} }

// partial is a sum of columns, its orthonormal base and its residual.
type partial struct {
	hits []hit
	problem
	crit float64
}

// sumSearch is the search for t = Σ c·B·G by sparse regression.
type sumSearch struct {
	s     *searcher
	l     *library
	o     sumOptions
	t     []float64
	w     []float64
	scale float64 // of w·t, so that the residual of nothing has mean square 1
	start partial // nothing, or the constant
	first partial // where the beam begins
	fixed int     // columns of start
	all   []partial
}

// sums looks for sums and returns the best criterion among them.
func (s *searcher) sums(o sumOptions) float64 {
	if !s.units.link[o.kind] || !s.units.link[o.inner] || s.over() {
		return math.Inf(1)
	}
	q, ok := s.newSumSearch(o)
	if !ok {
		return math.Inf(1)
	}
	q.beam()
	if sortPartials(q.all); !o.linear {
		q.replaceAll()
		q.promoteAll()
	}
	var out []guess
	for _, p := range q.all[:min(builtSums, len(q.all))] {
		how := fmt.Sprintf("sum of %d%s", len(p.hits), q.suffix())
		for _, e := range q.build(p) {
			out = append(out, guess{e: e, how: how})
		}
	}
	return s.batch(out, o.full)
}

func (q *sumSearch) suffix() string {
	if q.o.kind == linkNone {
		return ""
	}
	return " under " + q.o.link().name()
}

// powerLaw returns the values of the separable inputs' part on the screening rows.
func (s *searcher) powerLaw() []float64 {
	p := make([]float64, s.ns)
	for r := range p {
		p[r] = 1
	}
	for j, a := range s.exponent {
		if !s.sep[j] || a == 0 {
			continue
		}
		for r := range p {
			p[r] *= math.Pow(s.xs[j][r], a)
		}
	}
	return p
}

// newTarget returns a search with nothing but the target under its link, and the weights of its rows.
func (s *searcher) newTarget(o sumOptions) (*sumSearch, bool) {
	y, sigma := slices.Clone(s.ys), make([]float64, s.ns)
	for r := range sigma {
		sigma[r] = s.sigma
		if s.ws != nil {
			sigma[r] /= s.ws[r]
		}
	}
	if o.scaled {
		for r, p := range s.powerLaw() {
			y[r] /= p
			sigma[r] /= math.Abs(p)
		}
	}
	t, sg, ok := o.link().apply(y, sigma)
	if !ok {
		return nil, false
	}
	if o.inner != linkNone || o.kind >= linkAtanh {
		o.link().distrust(y, sigma, sg)
	}
	q := &sumSearch{s: s, o: o, t: t, w: make([]float64, s.ns)}
	q.weigh(sg)
	return q, true
}

func (s *searcher) newSumSearch(o sumOptions) (*sumSearch, bool) {
	q, ok := s.newTarget(o)
	if !ok {
		return nil, false
	}
	q.l = s.library(o)
	res := make([]float64, s.ns)
	for r := range res {
		res[r] = q.w[r] * q.t[r]
	}
	q.scale = 1 / math.Sqrt(dot(res, res)/float64(s.ns)+1e-300)
	for r := range res {
		res[r] *= q.scale
	}
	q.start = partial{problem: problem{w: q.w, res: res}}
	if !o.noConstant {
		if p, ok := q.add(q.start, hit{}); ok {
			q.start = p
			q.all = append(q.all, p)
		}
	}
	q.fixed = len(q.start.hits)
	q.first = q.start
	if o.linear {
		q.addInputs()
	}
	return q, true
}

// addInputs begins the beam with a column for each input: beside large linear terms, the residual
// shows the right constants of a function only without them.
func (q *sumSearch) addInputs() {
	for b, m := range q.l.b[:q.l.quadratic] {
		if len(m) == 1 && m[0].p == 1 && q.s.feats[m[0].feat].kind == featInput {
			if p, ok := q.add(q.first, hit{b: b}); ok {
				q.first = p
			}
		}
	}
}

// weigh sets the weights 1/σ, scaled to mean square 1 and limited.
func (q *sumSearch) weigh(sigma []float64) {
	ww := 1e-300
	for r, sg := range sigma {
		q.w[r] = 1 / sg
		ww += q.w[r] * q.w[r] / float64(len(sigma))
	}
	for r := range q.w {
		q.w[r] = min(q.w[r]/math.Sqrt(ww), mostSumWeight)
	}
	if links[q.o.kind].clip || links[q.o.inner].clip {
		c := clipSumWeight * median(q.w)
		for r := range q.w {
			q.w[r] = min(q.w[r], c)
		}
	}
}

// atomOf returns the function of a hit.
func (q *sumSearch) atomOf(h hit) atom {
	a := q.l.g[h.g]
	if h.c != 0 {
		a.c = h.c
	}
	return a
}

// function returns the values of the function of a hit.
func (q *sumSearch) function(h hit) []float64 {
	v := make([]float64, 2*q.s.ns)
	c, scratch := v[:q.s.ns:q.s.ns], v[q.s.ns:]
	if h.c == 0 {
		q.l.column(h.g, c)
	} else {
		q.s.values(q.atomOf(h), c, scratch)
	}
	return c
}

// columnOf returns w∘B∘G of a hit, scaled to length 1.
func (q *sumSearch) columnOf(h hit) ([]float64, bool) {
	c := q.function(h)
	for r := range c {
		c[r] *= q.w[r]
	}
	return c, weighted(c, q.l.bv[h.b], c)
}

// add returns the sum with one column more.
func (q *sumSearch) add(b partial, h hit) (partial, bool) {
	c, ok := q.columnOf(h)
	if !ok {
		return b, false
	}
	for range 2 {
		for _, u := range b.q {
			subtract(c, u, dot(u, c))
		}
	}
	left := dot(c, c)
	if !(left >= newColumn) {
		return b, false
	}
	for r := range c {
		c[r] /= math.Sqrt(left)
	}
	o := partial{hits: append(slices.Clone(b.hits), h)}
	o.problem = problem{w: q.w, res: slices.Clone(b.res), q: append(slices.Clone(b.q), c)}
	subtract(o.res, c, dot(c, o.res))
	size := 0.0
	for _, x := range o.hits {
		size += q.l.priceB[x.b] + q.l.priceG[x.g]
	}
	n := float64(q.s.ns)
	o.crit = n*math.Log(max(dot(o.res, o.res)/n, sumFloor)) + 2*math.Log(n)*float64(len(o.hits)) + pricePart*size
	q.s.meter.add(int64(q.s.ns * (4*len(b.q) + 6)))
	return o, true
}

// rebuild returns the sum of start and some hits.
func (q *sumSearch) rebuild(hits []hit) (partial, bool) {
	p := q.start
	for _, h := range hits {
		next, ok := q.add(p, h)
		if !ok {
			return p, false
		}
		p = next
	}
	return p, true
}

// without returns the sum without column i.
func (q *sumSearch) without(p partial, i int) (partial, bool) {
	return q.rebuild(slices.Delete(slices.Clone(p.hits[q.fixed:]), i-q.fixed, i-q.fixed+1))
}

// build makes formulas of a sum, with coefficients from the normal equations.
func (q *sumSearch) build(p partial) []expr {
	n := len(p.hits)
	c, ok := q.coefficients(p)
	if !ok {
		return nil
	}
	terms := make([]term, n)
	for i, x := range p.hits {
		terms[i] = term{c: c[i], b: q.l.b[x.b], g: q.atomOf(x)}
	}
	var e expr
	out := []expr{q.finish(&e, q.s.sumOf(&e, terms))}
	if f := q.pieces(terms); f != nil {
		out = append(out, f)
	}
	return out
}

// coefficients solves the normal equations of the columns of a sum.
func (q *sumSearch) coefficients(p partial) ([]float64, bool) {
	s, n := q.s, len(p.hits)
	cols, norm := make([][]float64, n), make([]float64, n)
	wt := make([]float64, s.ns)
	for r := range wt {
		wt[r] = q.w[r] * q.t[r]
	}
	h, c := make([]float64, n*n), make([]float64, n)
	for i, x := range p.hits {
		col := q.function(x)
		for r := range col {
			col[r] *= q.w[r] * q.l.bv[x.b][r]
		}
		norm[i] = math.Sqrt(dot(col, col) + 1e-300)
		cols[i] = col
		c[i] = dot(col, wt) / norm[i]
		for j := range i + 1 {
			h[i*n+j] = dot(col, cols[j]) / (norm[i] * norm[j])
		}
		h[i*n+i] += 1e-10
	}
	if n == 0 || !cholesky(h, n) {
		return nil, false
	}
	solve(h, n, c)
	for i := range c {
		c[i] /= norm[i]
	}
	return c, true
}

// finish undoes the link and multiplies by the separable inputs.
func (q *sumSearch) finish(e *expr, sum int) expr {
	root := q.o.link().undo(e, sum)
	if q.o.scaled {
		for j, a := range q.s.exponent {
			if q.s.sep[j] && a != 0 {
				root = e.mul(root, e.pow(e.variable(j), a, true))
			}
		}
	}
	return e.compact(root)
}

// term is c·B·G.
type term struct {
	c float64
	b mono
	g atom
}

// sumOf builds a sum of terms; none is 0.
func (s *searcher) sumOf(e *expr, terms []term) int {
	sum := -1
	for _, t := range terms {
		k := e.mul(e.par(t.c), s.buildTerm(e, t.b, t.g))
		if sum >= 0 {
			k = e.add(sum, k)
		}
		sum = k
	}
	if sum < 0 {
		return e.fixed(0)
	}
	return sum
}

// buildTerm is B·G; the exponents of monomials add up.
func (s *searcher) buildTerm(e *expr, b mono, g atom) int {
	if g.g != shapeMono {
		if len(b) == 0 {
			return s.buildAtom(e, g, false)
		}
		return e.mul(s.buildMono(e, b), s.buildAtom(e, g, false))
	}
	return s.buildMono(e, b.joined(g.m))
}

// joined returns the product of two power products.
func (m mono) joined(o mono) mono {
	m = slices.Clone(m)
	for _, f := range o {
		if k := slices.IndexFunc(m, func(x factor) bool { return x.feat == f.feat }); k >= 0 {
			m[k].p += f.p
		} else {
			m = append(m, f)
		}
	}
	return slices.DeleteFunc(m, func(f factor) bool { return f.p == 0 })
}
