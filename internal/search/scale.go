package search

import (
	"cmp"
	"math"
	"slices"

	dims "github.com/eqlearner/eql/internal/units"
)

// Sizes of the search for scales.
const (
	fewScaled       = 6 // inputs, up to which the exponents of a scale reach scaleExponent, and 1 beyond
	scaleExponent   = 2
	mostScaled      = 9   // inputs
	scalesTried     = 100 // by their slopes
	scalesSearched  = 2   // ways to write the target with what the scales leave
	scaleTerms      = 130 // of the polynomials that are compared
	mostScaleDegree = 12  // and their degree
)

// A scale is a change of the inputs' units that the target follows: with input j multiplied by t^inputs[j], it is
// multiplied by t^target, for any t.
type scale struct {
	inputs []float64
	target float64
}

// scaled looks for scales, and for the target in the fewer inputs that they leave, as units of measurement do where
// they are known (Buckingham 1914). Most laws of physics have some.
func (s *searcher) scaled() {
	if slices.Contains(s.within, ofProducts) || slices.Contains(s.within, ofOneProduct) {
		return
	}
	q := s.newScaling()
	if q == nil {
		return
	}
	for _, r := range q.reductions(q.scales(), scalesSearched) {
		if s.searchReduced(r, (*searcher).runStages); s.done {
			return
		}
	}
}

// scaling is what scales are looked for with: a polynomial in the logarithms of the inputs, as far as they are
// positive, stands for the target, or for its logarithm if it has one sign.
type scaling struct {
	s       *searcher
	scaled  []int // inputs that are positive
	oneSign bool
	full    *surrogate
	sse     float64
	c       []float64
}

// newScaling returns nil where there is nothing to look for, or too few rows.
func (s *searcher) newScaling() *scaling {
	q := &scaling{s: s}
	for j, positive := range s.positive {
		if positive {
			q.scaled = append(q.scaled, j)
		}
	}
	if len(q.scaled) < 2 || len(q.scaled) > mostScaled {
		return nil
	}
	q.oneSign = !slices.ContainsFunc(s.y, func(v float64) bool { return !(v*s.y[0] > 0) })
	y, w := q.target(s.y, s.rootWeights())
	n, least := float64(len(y)), math.Inf(1)
	for degree := 2; degree <= s.degreeUpTo(mostScaleDegree, scaleTerms); degree++ {
		p := s.newSurrogate(y, w, degree)
		sse, c := p.fit(p.all())
		if crit := n*math.Log(sse) + math.Log(n)*float64(len(p.terms)); crit < least { // BIC
			q.full, q.sse, q.c, least = p, sse, c, crit
		}
	}
	if q.full == nil || q.sse > indexShare*variance(y, w) { // a polynomial that fits badly tells nothing
		return nil
	}
	return q
}

// target returns what the polynomials stand for, and root weights with which errors are those of y.
func (q *scaling) target(y, w []float64) (t, tw []float64) {
	if !q.oneSign {
		return y, w
	}
	t, tw = make([]float64, len(y)), make([]float64, len(y))
	for r, v := range y {
		a := math.Abs(v)
		t[r], tw[r] = math.Log(a), w[r]*a
	}
	return t, tw
}

// scales returns independent scales that the target follows; none where all are those of single inputs, which other
// stages know to be separable.
func (q *scaling) scales() (found []scale) {
	several := false
	for _, c := range q.candidates() {
		if q.s.over() {
			return nil
		}
		if next := append(slices.Clip(found), c); q.follows(next, len(found)) {
			found, several = next, several || c.several()
		}
	}
	if !several {
		return nil
	}
	return found
}

// several reports whether a scale has more than one input.
func (c scale) several() bool {
	first := slices.IndexFunc(c.inputs, func(p float64) bool { return p != 0 })
	return slices.ContainsFunc(c.inputs[first+1:], func(p float64) bool { return p != 0 })
}

// candidates returns scales, of the separable inputs first, then in the order of what they leave of the slopes of the
// polynomial: Σ aⱼ·xⱼ·∂y/∂xⱼ = b·y (Euler).
func (q *scaling) candidates() []scale {
	k := len(q.scaled)
	slopes := q.slopes()
	gram := make([]float64, (k+1)*(k+1))
	for i, a := range slopes {
		for j, b := range slopes {
			gram[i*(k+1)+j] = dot(a, b)
		}
	}
	type scored struct {
		scale
		left float64
	}
	var all []scored
	a := make([]float64, k)
	most := 1
	if k <= fewScaled {
		most = scaleExponent
	}
	eachPrimitive(a, most, func() {
		target, left := leftOf(gram, a)
		c := scale{make([]float64, q.s.d), target}
		for i, p := range q.scaled {
			c.inputs[p] = a[i]
		}
		all = append(all, scored{c, left})
	})
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(a.left, b.left) })
	var out []scale
	for j, separable := range q.s.sep {
		if separable {
			c := scale{make([]float64, q.s.d), q.s.exponent[j]}
			c.inputs[j] = 1
			out = append(out, c)
		}
	}
	for _, c := range all[:min(len(all), scalesTried)] {
		out = append(out, c.scale)
	}
	return out
}

// leftOf returns the exponent of the target that belongs to those of the inputs, a multiple of ½, and the share of the
// squares of the slopes that they leave, from the Gram matrix of the slopes and the target.
func leftOf(gram, a []float64) (target, left float64) {
	k := len(a)
	n := k + 1
	with, sum, size := 0.0, 0.0, 0.0
	for i, p := range a {
		with += p * gram[i*n+k]
		size += p * p * gram[i*n+i]
		for j, r := range a {
			sum += p * r * gram[i*n+j]
		}
	}
	target = half(with / gram[k*n+k])
	return target, (sum - 2*target*with + target*target*gram[k*n+k]) / size
}

// eachPrimitive calls f with a set to each vector of whole numbers up to most, without common divisor, the first of
// them positive.
func eachPrimitive(a []float64, most int, f func()) {
	var rec func(j, divisor int)
	rec = func(j, divisor int) {
		if j == len(a) {
			if divisor == 1 {
				f()
			}
			return
		}
		least := -most
		if divisor == 0 {
			least = 0
		}
		for p := least; p <= most; p++ {
			a[j] = float64(p)
			rec(j+1, commonDivisor(divisor, p))
		}
		a[j] = 0
	}
	rec(0, 0)
}

// slopes returns x·∂y/∂x of the inputs that are positive and, last, y, with their weights.
func (q *scaling) slopes() [][]float64 {
	s := q.s
	_, w := q.target(s.y, s.rootWeights())
	out := make([][]float64, 0, len(q.scaled)+1)
	for _, j := range q.scaled {
		v := q.full.slope(q.c, s.coords, j)
		for r := range v {
			v[r] *= w[r] / s.logSpread[j]
		}
		out = append(out, v)
	}
	if !q.oneSign { // otherwise the slopes are those of log y, and y is a factor of the weights
		multiply(w, s.y)
	}
	return append(out, w)
}

// slope returns the derivative of a model with all terms by one of its coordinates.
func (p *surrogate) slope(c []float64, coords [][]float64, by int) []float64 {
	d := &surrogate{}
	var factors []float64
	for i, e := range p.terms {
		if e[by] > 0 {
			lower := slices.Clone(e)
			lower[by]--
			d.terms, factors = append(d.terms, lower), append(factors, c[i]*float64(e[by]))
		}
	}
	return d.predict(factors, coords)
}

// follows reports whether the target follows all scales, of which it follows the first ones: whether they are
// independent, and a polynomial of what they leave fits no worse than one of all inputs. One of the same degree is a
// special case of that, and may be worse as far as chance goes; one of a higher degree has no more terms.
func (q *scaling) follows(scales []scale, before int) bool {
	list := q.reductions(scales, 1)
	if len(list) == 0 || len(list[0].columns) > q.s.d-before-1 {
		return false
	}
	d, ok := q.s.dataOf(list[0])
	if !ok {
		return false
	}
	if d.W == nil {
		d.W = q.s.rootWeights()
	}
	y, w := q.target(d.Y, d.W)
	degree, sse := total(q.full.terms[len(q.full.terms)-1]), q.sse
	if !q.oneSign { // of the target divided by other powers
		sse, _ = q.s.newSurrogate(y, w, degree).fit(q.full.all())
	}
	coords, _, _ := coordinates(d.X)
	n, m := float64(len(y)), float64(len(q.full.terms))
	least := chance(m-float64(choose(len(coords), degree)), n, m)
	for ; degree <= mostScaleDegree && choose(len(coords), degree) <= len(q.full.terms); degree++ {
		few := q.s.surrogateIn(coords, y, w, degree)
		left, _ := few.fit(few.all())
		if g := n * math.Log(left/sse); g < least {
			return true
		}
		least = 0 // with as many terms
	}
	return false
}

// reductions returns ways to write the target with fewer inputs, in which it follows the scales: some inputs serve as
// units of the others. There is none where the scales take all inputs or contradict each other.
func (q *scaling) reductions(scales []scale, most int) (out []reduced) {
	var target dims.Dim
	if len(scales) == 0 || len(scales) > len(target) {
		return nil
	}
	inputs := make([]dims.Dim, q.s.d)
	for k, c := range scales {
		target[k] = c.target
		for i, p := range c.inputs {
			inputs[i][k] = p
		}
	}
	for _, g := range dims.Groupings(inputs, target, most) {
		if len(g.Groups) == 0 {
			return nil
		}
		r := reduced{how: ofProducts, factor: powerProduct(g.Target)}
		for _, p := range g.Groups {
			r.columns = append(r.columns, powerProduct(p))
		}
		out = append(out, r)
	}
	return out
}
