package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/eqlearner/eql/formula"
)

// candidate is a formula that was fitted to the rows of the search.
type candidate struct {
	e      expr
	sse    float64
	crit   float64
	how    string
	charge float64 // in the criterion, beside the price of the form
}

// Sizes of the pool and of fits.
const (
	poolSize        = 30
	quickSteps      = 12 // Levenberg–Marquardt on the quick rows
	longSteps       = 30 // … and on all rows of the search
	snapSteps       = 12
	nearHalfQuick   = 0.12 // an exponent that will be rounded is not counted as fitted …
	nearOneQuick    = 0.05 // … nor is a constant that may be ±1
	snapWithin      = 20   // candidates this near to the best are simplified
	rowsPerConstant = 2    // at least

	closeOnQuickRows = 24 // difference of the criterion that says little on them …
	mostClose        = 3  // … for so many times the guesses that are to be fitted
	creditFree       = 16 // … a free exponent counting for so much
)

// criterion is n·log MSE + 2·log n for each fitted constant + the price of the form.
func (s *searcher) criterion(sse float64, e expr) float64 {
	return s.criterionOn(s.n, sse, e)
}

// criterionOn is the criterion of all rows with the error on m of them. On few rows the constants take more of the
// error; it is infinite where they can take all of it.
func (s *searcher) criterionOn(m int, sse float64, e expr) float64 {
	n, constants := float64(s.n), float64(e.parameters())
	mse := sse / float64(m)
	if m < s.n {
		if constants >= float64(m) {
			return math.Inf(1)
		}
		mse *= (1 - constants/n) / (1 - constants/float64(m))
	}
	return n*math.Log(max(mse, s.floor)) + 2*math.Log(n)*constants + e.price()
}

func (s *searcher) best() *candidate {
	if len(s.pool) == 0 {
		return nil
	}
	return &s.pool[0]
}

// bestCriterion is that of the best candidate so far.
func (s *searcher) bestCriterion() float64 {
	if c := s.best(); c != nil {
		return c.crit
	}
	return math.Inf(1)
}

// batch fits guesses: all on the quick rows, then the full best, and more where the quick rows cannot tell them from
// the best, on all rows of the search, which it simplifies and puts into the pool. It returns the best criterion among
// them.
func (s *searcher) batch(guesses []guess, full int) float64 {
	best := math.Inf(1)
	if s.over() {
		return best
	}
	exprs, order := s.quick(guesses)
	var chosen []int
	last := math.Inf(1)
	for _, o := range order {
		if len(chosen) >= full && o.cost > order[0].cost+closeOnQuickRows || len(chosen) == mostClose*full {
			break
		}
		if math.Abs(o.cost-last) >= 1e-4 {
			last = o.cost
			chosen = append(chosen, o.at)
		}
	}
	out := make([]candidate, len(chosen))
	s.spread(len(chosen), func(i int) {
		e := exprs[chosen[i]]
		sse := s.fit(e, longSteps)
		g := guesses[chosen[i]]
		out[i] = candidate{e, sse, s.criterion(sse, e) + g.charge, g.how, g.charge}
	})
	limit := s.bestCriterion()
	for _, c := range out {
		if c.sse < impossible {
			limit = min(limit, c.crit)
		}
	}
	s.spread(len(out), func(i int) {
		c := &out[i]
		free := float64(c.e.freeExponents())
		if c.sse < impossible && (i < 2 || c.crit-creditFree*free < limit+snapWithin) {
			s.snap(c)
		}
	})
	for _, c := range out {
		if c.sse < impossible {
			best = min(best, c.crit)
			s.pool = append(s.pool, c)
		}
	}
	slices.SortStableFunc(s.pool, func(a, b candidate) int { return cmp.Compare(a.crit, b.crit) })
	s.pool = s.pool[:min(len(s.pool), poolSize)]
	return best
}

// quick fits the distinct guesses on the quick rows and ranks them.
func (s *searcher) quick(guesses []guess) ([]expr, []ranked) {
	exprs := make([]expr, len(guesses))
	seen := map[string]bool{}
	for i, g := range guesses {
		e := s.rooted(g.e).fold()
		if key := signature(e); !seen[key] && s.usable(e) && e.parameters()*rowsPerConstant <= s.n {
			seen[key] = true
			exprs[i] = e
		}
	}
	costs := make([]float64, len(guesses))
	s.spread(len(guesses), func(i int) {
		costs[i] = math.Inf(1)
		e := exprs[i]
		if e == nil {
			return
		}
		ev := s.evaluator()
		sse := ev.fit(e, s.xq, s.yq, s.wq, quickSteps)
		s.release(ev)
		if sse >= impossible {
			return
		}
		costs[i] = s.criterionOn(len(s.yq), sse, e) + guesses[i].charge
		for _, n := range e {
			likely := n.op == opPow && math.Abs(n.c-half(n.c)) < nearHalfQuick ||
				n.op == opPar && math.Abs(math.Abs(n.c)-1) < nearOneQuick
			if likely && !n.fixed {
				costs[i] -= 2 * math.Log(float64(s.n))
			}
		}
	})
	var order []ranked
	for i, c := range costs {
		if finite(c) {
			order = append(order, ranked{c, i})
		}
	}
	sortRanked(order)
	return exprs, order
}

// rooted returns e with √(x²) as x where the input x is positive.
func (s *searcher) rooted(e expr) expr {
	e = e.clone()
	for i, n := range e {
		if n.op != opPow || !n.fixed {
			continue
		}
		if in := e[n.a]; in.op == opPow && in.fixed && e[in.a].op == opVar && s.positive[e[in.a].a] {
			e[i].a, e[i].c = in.a, in.c*n.c
		}
	}
	return e
}

// usable tells whether all operations of e are among the functions of the search.
func (s *searcher) usable(e expr) bool {
	for _, n := range e {
		if n.op == opCall && s.units.without[n.f] || n.op == opMax && s.units.without[formula.Max] ||
			n.op == opPow && !s.units.root && !(n.fixed && whole(n.c)) {
			return false
		}
	}
	return true
}

// signature names an expression up to two digits of its constants.
func signature(e expr) string {
	var b []byte
	for _, n := range e {
		b = fmt.Appendf(b, "%d.%d.%d.%d.", n.op, n.f, n.a, n.b)
		b = append(strconv.AppendFloat(b, n.c, 'g', 2, 64), ';')
	}
	return string(b)
}

// fit fits e to all rows of the search.
func (s *searcher) fit(e expr, steps int) float64 {
	ev := s.evaluator()
	defer s.release(ev)
	return ev.fit(e, s.x, s.y, s.w, steps)
}

// Limits of simplification.
const (
	snapTogether = 0.15 // exponents this near to a multiple of ½ are rounded, all at once
	snapAlone    = 0.1  // … and then one by one
	mostSnaps    = 12
	mostDrops    = 20
)

// try takes e for c if its criterion is better.
func (s *searcher) try(c *candidate, e expr, steps int) bool {
	if e = e.fold(); !s.usable(e) {
		return false
	}
	sse := s.fit(e, steps)
	if sse >= impossible {
		return false
	}
	k := s.criterion(sse, e) + c.charge
	if !(k < c.crit-1e-9) {
		return false
	}
	c.e, c.sse, c.crit = e, sse, k
	return true
}

// snap rounds exponents, removes branches and ties factors, as long as the criterion falls.
func (s *searcher) snap(c *candidate) {
	e := c.e.clone()
	rounded := false
	for i := range e {
		if n := &e[i]; n.op == opPow && !n.fixed && math.Abs(n.c-half(n.c)) < snapTogether {
			n.c, n.fixed, rounded = half(n.c), true, true
		}
	}
	if rounded {
		s.try(c, e, snapSteps)
	}
	for range mostSnaps {
		if !s.snapOne(c) {
			break
		}
	}
	for range mostDrops {
		if !s.dropOne(c) {
			break
		}
	}
	for s.tieOne(c) {
	}
}

// snapOne rounds the exponent that is nearest to a multiple of ½.
func (s *searcher) snapOne(c *candidate) bool {
	at, least := -1, snapAlone
	for i, n := range c.e {
		if n.op == opPow && !n.fixed && math.Abs(n.c-half(n.c)) < least {
			at, least = i, math.Abs(n.c-half(n.c))
		}
	}
	if at < 0 {
		return false
	}
	e := c.e.clone()
	e[at].c, e[at].fixed = half(e[at].c), true
	return s.try(c, e, snapSteps)
}

// hopelessOnQuickRows is how much worse on the quick rows a simpler formula is that is not fitted
// to the others.
const hopelessOnQuickRows = 40

// dropOne replaces a sum or product by one of its parts.
func (s *searcher) dropOne(c *candidate) bool {
	ev := s.evaluator()
	defer s.release(ev)
	if !ev.forward(c.e, s.xq, len(s.yq)) {
		return false
	}
	limit := s.criterionOn(len(s.yq), squares(s.yq, ev.value(c.e), s.wq), c.e) + hopelessOnQuickRows
	for i, n := range c.e {
		if !n.op.binary() {
			continue
		}
		for _, part := range [2]int{n.b, n.a} {
			e := c.e.replace(i, part).fold()
			sse := ev.fit(e, s.xq, s.yq, s.wq, snapSteps)
			if sse < impossible && s.criterionOn(len(s.yq), sse, e) < limit && s.try(c, e, snapSteps) {
				return true
			}
		}
	}
	return false
}
