package search

import (
	"cmp"
	"math"
	"slices"
)

// Sizes of the search for sparse quotients.
const (
	implicitDegree  = 3  // of the monomials above and below
	implicitTerms   = 7  // above and below together
	implicitBeam    = 60 // sets of each number of terms
	implicitColumns = 150
	implicitTried   = 3 // quotients of each number of terms, and 1 where m is not 1
	implicitLead    = 2 // degree of m
	implicitLinked  = 3 // inputs, with which the target may be under a link …
	linkedTerms     = 5 // … and terms of a quotient then
)

// implicitLinks are the links under which a target may be a quotient.
var implicitLinks = []linkKind{linkCos, linkSin, linkSquare}

// linkedQuotients looks for quotients of few terms, of few inputs, that are the target under a link.
func (s *searcher) linkedQuotients() {
	if s.d <= implicitLinked {
		for _, kind := range implicitLinks {
			s.implicit(kind)
			s.implicitWith(waveBasis, kind)
		}
	}
}

// termsUnder is the most terms of a quotient that the target is under a link: fewer than of the target itself.
func termsUnder(kind linkKind, most int) int {
	if kind == linkNone {
		return most
	}
	return linkedTerms
}

// implicit looks for quotients of sparse polynomials: y·m = P + y·R, which is P/(m − R), for each of some monomials m,
// by sparse regression of y·m on monomials and on y times the others (Kaheman, Kutz and Brunton 2020). All terms at
// once would have poles among the rows; sets of few terms are found one term after the other. What they make is then
// fitted as a quotient. y is the target under the link.
func (s *searcher) implicit(kind linkKind) {
	degree := implicitDegree
	for choose(s.d, degree) > implicitColumns/2 {
		degree--
	}
	if degree < 1 || s.over() || !s.units.link[kind] {
		return
	}
	l := link{kind: kind}
	t, w, ok := s.linked(l)
	if !ok {
		return
	}
	terms := termsUnder(kind, implicitTerms)
	q := newSparseQuotient(s, monomials(s.d, degree), s.x, t, w)
	var out []guess
	for lead, e := range q.above {
		if total(e) > implicitLead || s.over() {
			continue
		}
		q.lead = len(q.above) + lead
		tried := 1
		if lead == 0 {
			tried = implicitTried
		}
		for _, set := range q.sets(terms, implicitBeam, tried) {
			if e := q.written(set); e != nil {
				l.undo(&e, e.root())
				out = append(out, guess{e: e, how: "sparse quotient"})
			}
		}
	}
	s.batch(out, terms)
}

// sparseQuotient is the regression of one column on the others: monomials, and y times monomials.
type sparseQuotient struct {
	s     *searcher
	above [][]int     // exponents of inputs or of functions of them, the first of 1
	cols  [][]float64 // times the root weights, scaled to length 1
	gram  []float64   // of the columns
	size  []float64
	lead  int // the column that is y·m
}

// newSparseQuotient returns the regression on monomials of the bases, columns over some rows, with the target and the
// root weights of these.
func newSparseQuotient(s *searcher, above [][]int, bases [][]float64, y, w []float64) *sparseQuotient {
	q := &sparseQuotient{s: s, above: above}
	columns := products(bases, above)
	for _, c := range columns[:len(above)] {
		v := slices.Clone(c)
		multiply(v, y)
		columns = append(columns, v)
	}
	for _, c := range columns {
		multiply(c, w)
		size := math.Sqrt(dot(c, c) + 1e-300)
		for r := range c {
			c[r] /= size
		}
		q.size = append(q.size, size)
	}
	q.cols = columns
	n := len(columns)
	q.gram = make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			q.gram[i*n+j] = dot(columns[i], columns[j])
			q.gram[j*n+i] = q.gram[i*n+j]
		}
	}
	s.meter.add(int64(len(y) * n * n / 2))
	return q
}

// solve returns the share of the square of y·m that a set leaves, divided by that of the square of m which is left of
// the denominator, and the factors of the set. Where columns depend on each other, y times what is nearly zero is left
// nearly as zero, whatever y is.
func (q *sparseQuotient) solve(set []int) (left float64, c []float64) {
	const ridge = 1e-11
	n, k := len(q.size), len(set)
	h, c := make([]float64, k*k), make([]float64, k)
	for i, a := range set {
		for j, b := range set {
			h[i*k+j] = q.gram[a*n+b]
		}
		h[i*k+i] += ridge
		c[i] = q.gram[a*n+q.lead]
	}
	b := slices.Clone(c)
	if !cholesky(h, k) {
		return 1, nil
	}
	solve(h, k, c)
	q.s.meter.add(int64(k * k * k / 3))
	return max(1-dot(b, c), 1e-16) / q.denominator(set, c), c
}

// denominator returns the share of the square of m that m − R is.
func (q *sparseQuotient) denominator(set []int, c []float64) float64 {
	n, above := len(q.size), len(q.above)
	m := q.lead - above
	at, factor := []int{m}, []float64{1} // of columns of length 1, that of m being 1
	for i, k := range set {
		if k >= above {
			k -= above
			at = append(at, k)
			factor = append(factor, -c[i]*q.size[q.lead]/q.size[above+k]*q.size[k]/q.size[m])
		}
	}
	sum := 0.0
	for i, a := range at {
		for j, b := range at {
			sum += factor[i] * factor[j] * q.gram[a*n+b]
		}
	}
	return sum
}

// error returns the mean square error of y, times its weights, with the quotient of a set. That of y·m, which solve
// returns, says little of rows in which the denominator is small.
func (q *sparseQuotient) error(set []int) float64 {
	_, c := q.solve(set)
	if c == nil {
		return math.Inf(1)
	}
	above, sum := len(q.above), 0.0
	lead := q.lead - above
	for r := range q.cols[0] {
		rest, below := q.cols[q.lead][r], q.cols[lead][r]*q.size[lead]
		for i, k := range set {
			rest -= c[i] * q.cols[k][r]
			if k >= above {
				below -= c[i] * q.size[q.lead] / q.size[k] * q.cols[k-above][r] * q.size[k-above]
			}
		}
		e := rest * q.size[q.lead] * q.cols[0][r] * q.size[0] / below // the first column is the weights
		sum += e * e
	}
	if q.s.meter.add(int64(len(q.cols[0]) * (2*len(set) + 4))); !finite(sum) {
		return math.Inf(1)
	}
	return max(sum/float64(len(q.cols[0])), q.s.floor)
}

// sets returns the best sets of each number of terms, as many as wanted, by a beam of so many.
func (q *sparseQuotient) sets(terms, width, wanted int) (out [][]int) {
	beam := [][]int{nil}
	for range terms {
		if beam = q.longer(beam, width); len(beam) == 0 {
			break
		}
		out = append(out, beam[:min(wanted, len(beam))]...)
	}
	return out
}

// longer returns the best sets with one term more.
func (q *sparseQuotient) longer(beam [][]int, width int) [][]int {
	type scored struct {
		set  []int
		left float64
	}
	var all []scored
	for _, set := range beam {
		for k := range q.size {
			if k == q.lead || slices.Contains(set, k) {
				continue
			}
			next := append(slices.Clone(set), k)
			slices.Sort(next)
			if left, c := q.solve(next); c != nil {
				all = append(all, scored{next, left})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(a.left, b.left) })
	all = slices.CompactFunc(all, func(a, b scored) bool { return slices.Equal(a.set, b.set) })
	var out [][]int
	for _, a := range all[:min(width, len(all))] {
		out = append(out, a.set)
	}
	return out
}

// written returns the quotient of a set, or nil where it has nothing above or m alone below.
func (q *sparseQuotient) written(set []int) expr {
	_, c := q.solve(set)
	var e expr
	up, down := -1, putPowers(&e, q.above[q.lead-len(q.above)])
	for i, k := range set {
		v := c[i] * q.size[q.lead] / q.size[k]
		if k < len(q.above) {
			t := e.mul(e.par(v), putPowers(&e, q.above[k]))
			if up >= 0 {
				t = e.add(up, t)
			}
			up = t
		} else {
			down = e.add(down, e.mul(e.par(-v), putPowers(&e, q.above[k-len(q.above)])))
		}
	}
	if up < 0 || e[down].op != opAdd {
		return nil
	}
	return e.compact(e.mul(up, e.pow(down, -1, true)))
}
