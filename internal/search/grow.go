package search

import (
	"cmp"
	"math"
	"slices"
)

// Sizes of growth.
const (
	growRounds     = 3
	growBest       = 3  // candidates that grow in a round
	growLow        = 60 // monomials tried at nodes other than the root
	growHits       = 6  // at each node
	growKept       = 24
	growFull       = 4
	growGain       = 1.0  // of the criterion, or it ends
	tangentColumns = 1e-6 // share of a derivative that must be left beside the others
)

// growth adds terms at all nodes of the best candidates, as long as that helps.
func (s *searcher) growth() {
	for range growRounds {
		before := s.bestCriterion()
		for k := range growBest {
			if s.over() {
				return
			}
			if k < len(s.pool) {
				s.grow(s.pool[k])
			}
		}
		if s.checkDone(); s.done || s.bestCriterion() > before-growGain {
			return
		}
	}
}

// place is a column added at a node.
type place struct {
	node int
	hit
}

// grow tries a term at each node of a candidate. What it changes to first order is the column
// times the derivative with respect to the node, beside what the constants can change.
func (s *searcher) grow(c candidate) {
	ev := s.evaluator()
	defer s.release(ev)
	if !ev.forward(c.e, s.xs, s.ns) {
		return
	}
	ev.backward(c.e)
	l := s.library(sumOptions{lib: libFunctions})
	p, ok := s.tangent(c.e, ev)
	if !ok {
		return
	}
	var all []place
	for i, n := range c.e {
		if n.op == opPar || s.over() {
			continue
		}
		p.w = slices.Clone(ev.g[i])
		multiply(p.w, s.ws)
		norm := dot(p.w, p.w)
		if !(norm > 0) || !finite(norm) {
			continue
		}
		for r := range p.w {
			p.w[r] /= math.Sqrt(norm / float64(s.ns))
		}
		for _, h := range s.scoreAt(l, p, i == c.e.root()) {
			all = append(all, place{i, h})
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(b.gain, a.gain) })
	var out []guess
	for _, h := range all[:min(growKept, len(all))] {
		out = append(out, guess{s.grown(c.e, l, h), grownName(c.how), c.charge})
	}
	s.batch(out, growFull)
}

// grownName says once that a formula has grown.
func grownName(how string) string {
	if len(how) > 6 && how[len(how)-6:] == "grown" {
		return how
	}
	return how + ", grown"
}

// scoreAt scores the library at a node: all of it at the root, few monomials elsewhere.
func (s *searcher) scoreAt(l *library, p problem, root bool) []hit {
	if !root {
		few := *l
		few.b = l.b[:min(growLow, len(l.b))]
		few.low = min(l.low, len(few.b))
		l = &few
	}
	return s.score(l, p, libFunctions, growHits)
}

// tangent returns the residual of e beside the derivatives with respect to its constants.
func (s *searcher) tangent(e expr, ev *evaluator) (problem, bool) {
	f := frame{r: slices.Clone(s.ys)}
	subtract(f.r, ev.value(e), 1)
	multiply(f.r, s.ws)
	c := make([]float64, s.ns)
	for i, n := range e {
		if !n.fixed {
			ev.derivative(e, i, c)
			multiply(c, s.ws)
			f.push(c)
		}
	}
	f.settle()
	if !(f.total > 0) {
		return problem{}, false
	}
	for r := range f.r {
		f.r[r] /= math.Sqrt(f.total / float64(s.ns))
	}
	return problem{res: f.r, q: f.q}, true
}

// grown returns e with a term added to a node, at first with factor 0.
func (s *searcher) grown(e expr, l *library, h place) expr {
	var r expr
	at := make([]int, len(e))
	for i, n := range e {
		at[i] = r.move(n, at)
		if i == h.node {
			k := r.mul(r.par(0), s.buildTerm(&r, l.b[h.b], l.g[h.g]))
			at[i] = r.add(at[i], k)
		}
	}
	return r.compact(at[len(e)-1])
}
