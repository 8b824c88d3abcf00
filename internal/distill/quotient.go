package distill

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// A quotient of two polynomials is the law of much that saturates, resonates or is shared: enzymes, lenses,
// dividers of a voltage. No term added to a sum leads there step by step, but
//
//	y = P/Q  ⇔  y·m = P − y·(Q − m)
//
// is linear in the coefficients of P and Q when that of one monomial m of Q, the lead, is 1. Of all monomials
// the one that is needed least goes, one after the other, for each lead, and the error of P/Q decides how far.
//
// The linear problem is not quite that of y: its errors are those of y times Q, and the noise of y stands on
// both sides, which is less for smaller Q. So it is solved again with what the best quotient predicts in
// place of y, and rows weighted by 1/Q.
//
// Sources: Kaheman, Kutz and Brunton 2020, SINDy-PI, for one linear problem a lead; Sanathanan and Koerner
// 1963 for the weights.
type quotients struct {
	g      *grower
	base   *form // what the quotient is added to
	frames []frame
	rest   []float64 // of y on the rows of the score
	smooth []float64 // takes the place of rest in the linear problem
	sums   bool      // P alone will do
	in     *enclosed // that the quotient stands in; nil: nothing
	weight []float64 // of the rows
}

// Bounds of the search for quotients.
const (
	quotientColumns   = 90  // monomials of P and Q together
	sumColumns        = 200 // of P where there is no Q
	quotientLeads     = 16  // of Q, by degree
	quotientConstants = 14
	quotientTried     = 6 // that are fitted of each round
	quotientRounds    = 3
	quotientRidge     = 1e-13
)

// quotientDegrees are the degrees of P and Q that are looked at together.
// Those with Q = 1 are sums.
var quotientDegrees = [][2]int{{2, 0}, {3, 0}, {4, 0}, {0, 0}, {1, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 1}, {1, 3}, {3, 2},
	{2, 3}, {3, 3}, {4, 1}, {1, 4}, {4, 2}, {2, 4}, {4, 4}}

// quotient returns the best law that is a base and a quotient of polynomials with a division in it, fitted and
// pruned, and what the freedom to choose its monomials costs, as in [dictionary.candidates].
func (g *grower) quotient(base *form) (best state, choice float64, ok bool) {
	return g.quotientOrSum(base, false, nil)
}

// quotientOrSum is quotient, but where sums may be, a polynomial without a division will do, and the law is one in
// which the quotient stands, if it does.
func (g *grower) quotientOrSum(base *form, sums bool, in *enclosed) (best state, choice float64, ok bool) {
	if !g.dictionary.has(model.Reciprocal) || !g.dictionary.has(model.Product) {
		return state{}, 0, false
	}
	s := &quotients{g: g, base: base, rest: slices.Clone(g.score.Y), weight: g.score.RootWeights(), sums: sums, in: in}
	floats.Sub(s.rest, g.dictionary.values(base, base.out))
	s.smooth = s.rest
	powers := s.powers()
	s.frames = append([]frame{{}}, powers...)
	for _, f := range s.functions() {
		s.frames = append(s.frames, f)
		for _, p := range powers {
			p.functions, p.values = f.functions, f.values
			s.frames = append(s.frames, p)
		}
	}
	found := s.families()
	if in != nil {
		s.weight = in.weights(in.outer.Y)
	} else { // where P hardly varies, 1/Q is nearly in proportion to y
		s.weight = g.score.Weighed(fit.Magnitudes(s.rest))
	}
	found = append(found, s.families()...)
	for round := range quotientRounds {
		if round > 0 {
			found = s.families() // of what the best predicts
		}
		next, ok := s.fit(found)
		if !ok || best.law != nil && next.value >= best.value {
			break
		}
		best = next
	}
	if best.law == nil {
		return best, 0, false
	}
	l, _ := base.law()
	added := max(0, best.law.Params()-l.Params())
	return best, 2 * float64(added) * math.Log(float64(2*len(g.dictionary.monomials))), true
}

// quotient is P/Q, P = Σ w·column over the columns of P, Q = m − Σ w·column over those of Q.
type quotient struct {
	frame   frame
	p, q    []monomial
	lead    int // the column of m
	columns []int
	weights []float64
	value   float64 // of the criterion, before a fit of y
}

// families returns the best quotient of each frame, pair of degrees and lead.
func (s *quotients) families() []quotient {
	var found []quotient
	for _, frame := range s.frames {
		for _, degree := range quotientDegrees {
			if s.g.over() {
				return found
			}
			p := frame.monomials(s.g.dictionary, degree[0], frame.above)
			q := frame.monomials(s.g.dictionary, degree[1], frame.below)
			columns := len(p) + len(q)
			most := quotientColumns
			if degree[1] == 0 && len(q) == 1 && degree[0] > 0 {
				if most = sumColumns; !s.sums {
					continue
				}
			}
			if p == nil || q == nil || columns > min(most, len(s.rest)/2) {
				continue
			}
			f := s.family(p, q)
			leads := min(len(q), quotientLeads)
			rows, n, perLead := float64(len(s.rest)), float64(columns), float64(leads)
			s.g.budget.charge(n*n*(rows/2+perLead*n) + perLead*rows*quotientConstants*quotientConstants/2)
			for _, best := range collect(s.g.dictionary.each, leads, func(lead int) quotient { return f.withLead(lead, s) }) {
				if best.frame = frame; !math.IsInf(best.value, 0) {
					found = append(found, best)
				}
			}
		}
	}
	return found
}

// fit fits and prunes the most promising quotients, and goes on from the best.
func (s *quotients) fit(found []quotient) (best state, ok bool) {
	slices.SortStableFunc(found, func(a, b quotient) int { return cmp.Compare(a.value, b.value) })
	seen := map[string]bool{}
	var laws []*Law
	var frames []frame
	for _, q := range found {
		if name := q.name(); !seen[name] && len(laws) < quotientTried {
			seen[name] = true
			l, _ := q.addedTo(s.base).law()
			if s.in != nil {
				l = s.in.around(l)
			}
			laws, frames = append(laws, l), append(frames, q.frame)
		}
	}
	g := s.g
	if s.in != nil {
		g = s.in.g
	}
	for i, next := range finished(g, len(laws), func(i int, s search) state { return s.prune(s.fit(laws[i])) }) {
		if (s.sums || next.law.has(model.Reciprocal)) && (!ok || next.value < best.value) {
			best, ok = next, true
			s.frames = frames[i : i+1]
		}
	}
	if !ok {
		return best, false
	}
	d := s.g.score
	s.smooth = best.law.Predict(d.X, d.Rows())
	s.weight = d.RootWeights()
	if s.in != nil {
		s.weight = s.in.weights(s.smooth)
		s.smooth = s.in.inside(s.smooth)
	}
	floats.Sub(s.smooth, s.g.dictionary.values(s.base, s.base.out))
	best.law.denominators(d.X, d.Rows(), func(_, from int, z []float64) {
		for r, v := range z {
			s.weight[from+r] /= math.Abs(v)
		}
	})
	return best, true
}

// family is the linear problems of the quotients of two lists of monomials: columns are those of P, and those of
// Q times y.
type family struct {
	p, q []monomial
	gram *mat.SymDense // inner products of the columns, scaled to length 1
	size []float64     // their lengths
}

func (s *quotients) family(p, q []monomial) *family {
	f := &family{p: p, q: q}
	columns := mat.NewDense(len(p)+len(q), len(s.rest), nil)
	for k := range len(p) + len(q) {
		row := columns.RawRowView(k)
		if k < len(p) {
			floats.MulTo(row, p[k].col, s.weight)
		} else {
			floats.MulTo(row, q[k-len(p)].col, s.weight)
			floats.Mul(row, s.smooth)
		}
		size := floats.Norm(row, 2)
		if f.size = append(f.size, size); size > 0 {
			floats.Scale(1/size, row)
		}
	}
	f.gram = mat.NewSymDense(len(f.size), nil)
	f.gram.SymOuterK(1, columns)
	for k := range f.size {
		f.gram.SetSym(k, k, f.gram.At(k, k)+quotientRidge)
	}
	return f
}

// withLead returns the best quotient in which a monomial of Q has the weight 1; its value is +Inf when there is none.
func (f *family) withLead(lead int, s *quotients) quotient {
	best := quotient{value: math.Inf(1)}
	at := len(f.p) + lead
	p, denominator := make([]float64, len(s.rest)), make([]float64, len(s.rest))
	for e := f.regression(at); len(e.columns) > 0; e.leaveOut() {
		if len(e.columns) > quotientConstants {
			continue
		}
		q := quotient{p: f.p, q: f.q, lead: at, columns: slices.Clone(e.columns)}
		for i, k := range e.columns {
			q.weights = append(q.weights, e.w[i]*f.size[at]/f.size[k])
		}
		if q.judge(s, p, denominator); q.value < best.value {
			best = q
		}
	}
	return best
}

// judge sets the value of the criterion, +Inf for what is not finite or has a pole between the rows and, unless sums
// will do, for forms that are not divisions. p and denominator are scratch.
func (q *quotient) judge(s *quotients, p, denominator []float64) {
	clear(p)
	copy(denominator, q.q[q.lead-len(q.p)].col)
	zero, divides := true, len(q.factors(q.lead)) > 0
	for i, k := range q.columns {
		if k < len(q.p) {
			floats.AddScaled(p, q.weights[i], q.p[k].col)
			zero = false
		} else {
			floats.AddScaled(denominator, -q.weights[i], q.q[k-len(q.p)].col)
			divides = true
		}
	}
	q.value = math.Inf(1)
	if zero || !divides && !s.sums || slices.Min(denominator) <= 0 && slices.Max(denominator) >= 0 {
		return
	}
	floats.Div(p, denominator)
	y, w, criterion := s.rest, s.g.score, s.g.criterion
	if s.in != nil {
		y, w, criterion = s.in.outer.Y, s.in.outer, s.in.criterion
		for i, z := range p {
			p[i] = s.in.sign * s.in.value(z)
		}
	}
	floats.Sub(p, y)
	w.Weigh(p, 0)
	if v := criterion.Value(floats.Dot(p, p)/float64(len(y)), len(q.columns)); !math.IsNaN(v) {
		q.value = v
	}
}

// addedTo returns a form with the quotient, as P·(1/Q), added to it.
func (q *quotient) addedTo(base *form) *form {
	common := slices.Clone(q.factors(q.lead))
	for _, k := range q.columns {
		for _, factor := range common {
			if count(q.factors(k), factor) < count(common, factor) {
				common, _ = without(common, factor)
			}
		}
	}
	rest := func(k int) []int {
		factors, _ := withoutAll(q.factors(k), common)
		return slices.Clone(factors)
	}
	f := base.clone()
	denominator := termOf(1, rest(q.lead)...)
	for i, k := range q.columns {
		if k >= len(q.p) {
			denominator = denominator.plus(termOf(-q.weights[i], rest(k)...), 1)
		}
	}
	reciprocal := f.function(model.Reciprocal, denominator)
	for i, k := range q.columns {
		if k < len(q.p) {
			f.out = f.out.plus(termOf(q.weights[i], append(rest(k), reciprocal)...), 1)
		}
	}
	return f
}

// factors returns the inputs that are multiplied in the monomial of a column.
func (q *quotient) factors(k int) []int {
	if k < len(q.p) {
		return q.p[k].factors
	}
	return q.q[k-len(q.p)].factors
}

// name names the monomials of P and of Q.
func (q *quotient) name() string {
	var names []string
	for _, k := range slices.Sorted(slices.Values(append([]int{q.lead}, q.columns...))) {
		names = append(names, fmt.Sprint(k < len(q.p), q.factors(k)))
	}
	return strings.Join(names, " ")
}
