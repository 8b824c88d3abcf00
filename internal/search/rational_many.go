package search

import (
	"cmp"
	"math"
	"slices"
)

// Sizes of quotients of polynomials of several inputs.
const (
	mostOfRational  = 5    // inputs
	highestAbove    = 5    // degree of the numerator
	highestBelow    = 4    // and of the denominator
	totalOfRational = 8    // both together
	rationalTerms   = 150  // in both
	writtenTerms    = 30   // … of a quotient that is fitted as a formula
	noisyTerms      = 16   // … if it has errors
	rationalShare   = 0.02 // of the work that is left, at most
	exactRational   = 1e-9 // share of the spread that is left of a quotient without noise
	leftOutTried    = 4    // terms with the least values, of which one is left out

	rationalsShortened = 4 // the best by the criterion: one with more terms may end with fewer
)

// rationalsOfMany looks for a quotient of polynomials of several inputs as [searcher.rationals] does for one, with all
// monomials up to a degree above and below, and leaves out what is not needed.
func (s *searcher) rationalsOfMany() {
	if s.implicit(linkNone); s.d > mostOfRational {
		return
	}
	limit := s.meter.used.Load() + int64(rationalShare*float64(s.meter.limit-s.meter.used.Load()))
	var all []rationalOfMany
	exact := false
	for total := 2; total <= totalOfRational && !exact; total++ {
		for q := max(1, total-highestAbove); q <= min(highestBelow, total) && !exact; q++ {
			r := rationalOfMany{above: monomials(s.d, total-q), below: monomials(s.d, q)}
			terms := r.terms()
			if terms > rationalTerms || terms+spareRows > s.n || s.meter.used.Load()+s.rationalWork(terms) > limit {
				continue
			}
			if r.fit(s); r.mse < doneError*s.sd*s.sd {
				all = append(all, r)
				exact = r.exact(s)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b rationalOfMany) int { return cmp.Compare(a.crit, b.crit) })
	var out []guess
	for _, r := range all[:min(len(all), rationalsShortened)] {
		for shorter := true; shorter; {
			shorter = r.shorten(s) && s.meter.used.Load() < limit
		}
		if t := r.terms(); t <= noisyTerms || t <= writtenTerms && r.exact(s) {
			out = append(out, guess{e: r.written(), how: "quotient of polynomials"})
		}
	}
	s.batch(out, rationalsShortened)
}

// rationalWork is what the fit of a quotient of so many terms costs.
func (s *searcher) rationalWork(terms int) int64 { return int64(rationalRounds * s.n * terms * terms) }

// rationalOfMany is a quotient of sums of monomials of the inputs, by their exponents.
type rationalOfMany struct {
	above, below [][]int
	f            quotient // its factors are those of monomials divided by their sizes
	sizes        []float64
	mse, crit    float64
}

// products returns the values of monomials of columns.
func products(bases [][]float64, exponents [][]int) [][]float64 {
	out := make([][]float64, len(exponents))
	for i, e := range exponents {
		out[i] = slices.Repeat([]float64{1}, len(bases[0]))
		for j, k := range e {
			for range k {
				multiply(out[i], bases[j])
			}
		}
	}
	return out
}

func (r *rationalOfMany) terms() int { return len(r.above) + len(r.below) }

// fit fits the factors of all monomials, which are made as large as each other before.
func (r *rationalOfMany) fit(s *searcher) {
	columns := products(s.x, slices.Concat(r.above, r.below))
	r.sizes = nil
	for _, c := range columns {
		size := math.Sqrt(dot(c, c) / float64(len(c)))
		for i := range c {
			c[i] /= size
		}
		r.sizes = append(r.sizes, size)
	}
	r.f, r.mse = s.quotientOf(columns[:len(r.above)], columns[len(r.above):])
	n := float64(s.n)
	least := exactRational * exactRational * s.sd * s.sd
	r.crit = n*math.Log(max(r.mse, least)) + 2*math.Log(n)*float64(r.terms()-1)
}

func (r *rationalOfMany) exact(s *searcher) bool {
	return r.above != nil && r.mse <= exactRational*exactRational*s.sd*s.sd
}

// shorten leaves out the monomials with the least values, as many at once as the criterion lets go or one of a few,
// and reports whether there were any.
func (r *rationalOfMany) shorten(s *searcher) bool {
	order := make([]ranked, r.terms())
	for i := range order {
		order[i].at = i
		if order[i].cost = math.Abs(r.f.p[min(i, len(r.f.p)-1)]) / s.sd; i >= len(r.above) {
			order[i].cost = math.Abs(r.f.q[i-len(r.above)])
		}
	}
	sortRanked(order)
	for h := len(order) / 2; h > 1; h /= 2 {
		if r.shorter(s, order[:h]) {
			return true
		}
	}
	for _, o := range order[:min(leftOutTried, len(order))] {
		if r.shorter(s, []ranked{o}) {
			return true
		}
	}
	return false
}

// shorter leaves out some monomials if the criterion lets them go, and reports whether it does.
func (r *rationalOfMany) shorter(s *searcher, out []ranked) bool {
	var q rationalOfMany
	for i, e := range slices.Concat(r.above, r.below) {
		switch {
		case slices.ContainsFunc(out, func(o ranked) bool { return o.at == i }):
		case i < len(r.above):
			q.above = append(q.above, e)
		default:
			q.below = append(q.below, e)
		}
	}
	if len(q.above) == 0 || len(q.below) == 0 || s.over() {
		return false
	}
	if q.fit(s); !(q.crit < r.crit) {
		return false
	}
	*r = q
	return true
}

// written returns the quotient as an expression; the factor below that is largest is 1.
func (r *rationalOfMany) written() expr {
	c := slices.Concat(r.f.p, r.f.q)
	for k := range c {
		c[k] /= r.sizes[k]
	}
	top := len(r.above)
	for k := top; k < len(c); k++ {
		if math.Abs(c[k]) > math.Abs(c[top]) {
			top = k
		}
	}
	var e expr
	sum := func(exponents [][]int, from int) int {
		at := -1
		for i, x := range exponents {
			t := e.par(c[from+i] / c[top])
			if from+i == top {
				t = e.fixed(1)
			}
			for j, k := range x {
				if k > 0 {
					t = e.mul(t, e.pow(e.variable(j), float64(k), true))
				}
			}
			if at >= 0 {
				t = e.add(at, t)
			}
			at = t
		}
		return at
	}
	above := sum(r.above, 0)
	return e.compact(e.mul(above, e.pow(sum(r.below, len(r.above)), -1, true)))
}
