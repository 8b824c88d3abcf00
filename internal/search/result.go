package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// What is done with the candidates in the end.
const (
	polished    = 10 // candidates that are fitted to the end
	polishNear  = 60 // … if their criterion is this near to the best
	polishSteps = 60
	refitSteps  = 10 // on all rows, where these are more than those of the search
	refitted    = 1  // candidates that are: their nodes take memory on all rows
	blockRows   = 4096
	priceOne    = 1 // of a constant that is ±1
)

// results fits the best candidates to the end and writes them as formulas.
func (s *searcher) results(d Data) []result {
	if len(s.pool) == 0 {
		return constantOf(d)
	}
	first := s.pool[0].crit
	top := s.pool[:min(polished, len(s.pool))]
	s.spread(len(top), func(i int) {
		if c := &top[i]; c.crit <= first+polishNear {
			s.polish(c)
		}
	})
	slices.SortStableFunc(s.pool, func(a, b candidate) int { return cmp.Compare(a.crit, b.crit) })
	x := s.allRows(d)
	found := make([]*result, len(s.pool))
	s.spread(len(s.pool), func(i int) { found[i] = s.result(s.pool[i], x, d, i) })
	var out []result
	seen := map[string]bool{}
	for _, f := range found {
		if f == nil {
			continue
		}
		if key := signature(f.e); !seen[key] {
			seen[key] = true
			out = append(out, *f)
		}
	}
	slices.SortStableFunc(out, func(a, b result) int { return cmp.Compare(a.criterion, b.criterion) })
	if len(out) == 0 {
		return constantOf(d)
	}
	return out
}

// allRows returns the columns of the inputs that vary.
func (s *searcher) allRows(d Data) [][]float64 {
	var x [][]float64
	for _, v := range d.X {
		if varies(v) {
			x = append(x, v)
		}
	}
	return x
}

// polish fits to the end, rounds and drops, and takes constants near ±1 for that.
func (s *searcher) polish(c *candidate) {
	c.sse = s.fit(c.e, polishSteps)
	c.crit = s.criterion(c.sse, c.e) + c.charge
	s.snap(c)
	for i := 0; i < len(c.e); i++ {
		n := c.e[i]
		if n.op != opPar || n.fixed || math.Abs(math.Abs(n.c)-1) >= nearOne {
			continue
		}
		e := c.e.clone()
		e[i].c, e[i].fixed = math.Copysign(1, n.c), true
		sse := s.fit(e, refitSteps)
		if k := s.criterion(sse, e) + c.charge + priceOne; sse < impossible && k < c.crit {
			c.e, c.sse, c.crit = e, sse, k
		}
	}
}

// result is what was found.
type result struct {
	e         expr
	formula   formula.Expr
	sse       float64 // on all rows, weighted
	criterion float64 // that of the search, on all rows
	how       string  // "product of 2", "sum of 3 under 1/y", …
}

// result writes a candidate as a formula, with its error on all rows. It is nil where some row
// has no value.
func (s *searcher) result(c candidate, x [][]float64, d Data, rank int) *result {
	e, y := c.e.fold(), d.Y
	if len(y) > s.n && rank < refitted {
		(&evaluator{}).fit(e, x, y, d.W, refitSteps)
	}
	sse, ok := s.errorOn(e, x, y, d.W)
	if !ok {
		return nil
	}
	n := float64(len(y))
	criterion := n*math.Log(max(sse/n, s.floor)) + 2*math.Log(n)*float64(e.parameters()) + e.price() + c.charge
	return &result{e, e.formula(s.names), sse, criterion, c.how}
}

// errorOn returns the sum of squares on all rows, block by block. It reports whether all have a
// value.
func (s *searcher) errorOn(e expr, x [][]float64, y, w []float64) (sse float64, ok bool) {
	ev := &evaluator{strict: true}
	block := make([][]float64, len(x))
	for from := 0; from < len(y); from += blockRows {
		to := min(from+blockRows, len(y))
		for j := range x {
			block[j] = x[j][from:to]
		}
		if !ev.forward(e, block, to-from) {
			return 0, false
		}
		var weights []float64
		if w != nil {
			weights = w[from:to]
		}
		sse += squares(y[from:to], ev.value(e), weights)
	}
	return sse, finite(sse)
}
