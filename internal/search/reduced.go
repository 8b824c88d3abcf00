package search

import (
	"math"
	"slices"
)

// Sizes of the search in fewer inputs.
const (
	reducedPart = 0.4 // of the work that is left, which a search in fewer inputs may take …
	mostReduced = 5e9 // … up to so much
	reducedKept = 6   // formulas of it
)

// Ways to reduce a table, of which each is taken once.
const (
	withoutPowers = "product with powers"
	ofOneProduct  = "function of one product"
	ofProducts    = "function of fewer products"
	ofAngle       = "cosine of an angle"
)

// reduced is the same table with fewer inputs: the target divided by a factor, as a function of some columns.
type reduced struct {
	how     string
	factor  expr   // nil: 1
	columns []expr // in the place of the inputs
}

// withoutPowers is the table without the inputs that are separable. ok is false where there are none, or no others.
func (s *searcher) withoutPowers() (r reduced, ok bool) {
	r = reduced{how: withoutPowers, factor: powerProduct(s.exponent)}
	for j, sep := range s.sep {
		if !sep {
			r.columns = append(r.columns, input(j))
		}
	}
	return r, r.factor != nil && len(r.columns) > 0
}

func input(j int) expr { return expr{{op: opVar, a: j, fixed: true}} }

// searchReduced looks for the target in fewer inputs, in some way.
func (s *searcher) searchReduced(r reduced, in func(s *searcher)) {
	if s.over() {
		return
	}
	d, ok := s.dataOf(r)
	if !ok {
		return
	}
	left := float64(s.meter.limit - s.meter.used.Load())
	sub := newSearcher(s.ctx, d, Options{Work: max(1, min(reducedPart*left, mostReduced)), Spread: s.spread})
	if sub == nil || sub.d < len(r.columns) {
		return
	}
	sub.units, sub.within = s.units, append(slices.Clip(s.within), r.how)
	sub.prepare()
	in(sub)
	s.meter.add(sub.meter.used.Load())
	var out []guess
	for _, c := range sub.pool[:min(reducedKept, len(sub.pool))] {
		e := c.e.over(r.columns)
		if root := e.root(); r.factor != nil {
			e.mul(e.insert(r.factor), root)
		}
		out = append(out, guess{e: s.unturned(e.collected()), how: r.how + ", " + c.how})
	}
	s.batch(out, reducedKept)
	s.checkDone()
}

// dataOf returns the rows of the search with the columns as inputs. It reports whether all have values.
func (s *searcher) dataOf(r reduced) (d Data, ok bool) {
	ev := s.evaluator()
	defer s.release(ev)
	for _, c := range r.columns {
		if !ev.forward(c, s.x, s.n) {
			return d, false
		}
		d.X = append(d.X, slices.Clone(ev.value(c)))
	}
	if d.Y, d.W = s.y, s.w; r.factor == nil {
		return d, true
	}
	if !ev.forward(r.factor, s.x, s.n) {
		return d, false
	}
	d.Y, d.W = slices.Clone(s.y), s.rootWeights()
	for k, f := range ev.value(r.factor) {
		d.Y[k] /= f
		d.W[k] *= math.Abs(f)
	}
	return d, !slices.ContainsFunc(d.Y, func(y float64) bool { return !finite(y) })
}

// over returns e with formulas of other inputs in the place of its own.
func (e expr) over(inputs []expr) expr {
	var r expr
	bases := make([]int, len(inputs))
	for j, in := range inputs {
		bases[j] = r.insert(in)
	}
	return e.onto(r, bases)
}

// onto returns e with nodes of r in the place of its inputs.
func (e expr) onto(r expr, bases []int) expr {
	at := make([]int, len(e))
	for i, n := range e {
		if n.op == opVar {
			at[i] = bases[n.a]
		} else {
			at[i] = r.move(n, at)
		}
	}
	return r.compact(at[len(e)-1])
}

// powerProduct returns the product of inputs with exponents, or nil where all are 0.
func powerProduct(exponents []float64) expr {
	var e expr
	if at := putPowers(&e, exponents); e[at].op != opPar {
		return e.compact(at)
	}
	return nil
}

// putPowers appends the product of inputs with exponents, which is 1 where all are 0.
func putPowers[T int | float64](e *expr, exponents []T) int {
	at := -1
	for j, p := range exponents {
		switch {
		case p == 0:
		case at < 0:
			at = e.pow(e.variable(j), float64(p), true)
		default:
			at = e.mul(at, e.pow(e.variable(j), float64(p), true))
		}
	}
	if at < 0 {
		return e.fixed(1)
	}
	return at
}

// collected returns e with the powers of each input in a product together: h·ω³·(T/(h·ω)) is ω²·T.
func (e expr) collected() expr {
	var r expr
	at := make([]int, len(e))
	for i, n := range e {
		if n.op != opMul {
			at[i] = r.move(n, at)
			continue
		}
		powers := map[int]float64{}
		var inputs, others []int
		e.factors(i, 1, func(f int, p float64) {
			if e[f].op != opVar {
				others = append(others, r.pow(at[f], p, true))
				return
			}
			if _, ok := powers[e[f].a]; !ok {
				inputs = append(inputs, e[f].a)
			}
			powers[e[f].a] += p
		})
		for _, j := range inputs {
			if p := powers[j]; p != 0 {
				others = append(others, r.pow(r.variable(j), p, true))
			}
		}
		if len(others) == 0 {
			others = []int{r.fixed(1)}
		}
		at[i] = others[0]
		for _, k := range others[1:] {
			at[i] = r.mul(at[i], k)
		}
	}
	return r.compact(at[len(e)-1])
}

// factors calls f for the factors of the product that node i is to the power p, and their powers.
func (e expr) factors(i int, p float64, f func(i int, p float64)) {
	switch n := e[i]; {
	case n.op == opMul:
		e.factors(n.a, p, f)
		e.factors(n.b, p, f)
	case n.op == opPow && n.fixed && whole(p) && (e[n.a].op == opVar || e[n.a].op == opMul && whole(n.c)):
		e.factors(n.a, p*n.c, f)
	default:
		f(i, p)
	}
}
