package search

import (
	"math"
	"slices"
)

// Limits of what is taken off.
const (
	peelFrom    = 12 // candidates whose terms are taken off
	mostSplit   = 6  // of a sum that is taken apart
	longestTerm = 10 // nodes of a term
	mostPeeled  = 8
)

// peel takes single terms of the best sums off the target and looks for a product in what is
// left, also through a tangent.
func (s *searcher) peel() {
	var terms []expr
	for _, c := range s.pool[:min(peelFrom, len(s.pool))] {
		parts := termsOf(c.e)
		if len(parts) < 2 || len(parts) > mostSplit {
			continue
		}
		for _, part := range parts {
			t, ok := loosened(part)
			if key := pattern(t); ok && !s.peeled[key] {
				s.peeled[key] = true
				terms = append(terms, t)
			}
		}
	}
	ev := s.evaluator()
	defer s.release(ev)
	for _, t := range terms[:min(mostPeeled, len(terms))] {
		if s.done || s.over() {
			return
		}
		if !ev.forward(t, s.xs, s.ns) {
			continue
		}
		values := slices.Clone(ev.value(t))
		for _, k := range []linkKind{linkNone, linkTan} {
			s.linkedProducts(link{kind: k, term: t, values: values}, s.none, 1, 5, 4)
		}
		s.checkDone()
	}
}

// termsOf returns the terms of a sum, or of a product that has one sum among its factors.
func termsOf(e expr) []expr {
	factors := chain(e, e.root(), opMul)
	sum := -1
	for _, i := range factors {
		if e[i].op == opAdd {
			if sum >= 0 {
				return nil
			}
			sum = i
		}
	}
	if sum < 0 {
		return nil
	}
	var out []expr
	for _, k := range chain(e, sum, opAdd) {
		t := e.clone()
		for _, i := range factors {
			if i != sum {
				k = t.mul(k, i)
			}
		}
		out = append(out, t.compact(k).fold())
	}
	return out
}

// chain returns the nodes that the operation f joins in node i.
func chain(e expr, i int, f op) []int {
	if e[i].op != f {
		return []int{i}
	}
	return append(chain(e, e[i].b, f), chain(e, e[i].a, f)...)
}

// loosened gives a term a factor that is fitted. It refuses constants and long terms.
func loosened(t expr) (expr, bool) {
	if len(t) > longestTerm || len(t) == 1 && t[0].op == opPar {
		return t, false
	}
	if r := t[t.root()]; r.op == opMul && t.isPar(r.a) {
		t[r.a].fixed = false
		return t, true
	}
	root := t.root()
	t.mul(t.par(1), root)
	return t, true
}

// pattern names a term without the constant factors.
func pattern(t expr) string {
	t = t.clone()
	for i := range t {
		if t[i].op == opPar {
			t[i].c = 0
		}
	}
	return signature(t)
}

// offsets looks for products of y minus a constant; the constants are starting values.
func (s *searcher) offsets() {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range s.y {
		lo, hi = min(lo, v), max(hi, v)
	}
	var shifts []float64
	if lo > 0 {
		shifts = append(shifts, 0.6*lo, 0.2*lo)
	}
	if hi < 0 {
		shifts = append(shifts, 0.6*hi)
	}
	r := hi - lo
	for _, c := range append(shifts, lo-0.1*r, lo-0.4*r, hi+0.1*r, lo-1.2*r) {
		s.linkedProducts(link{shift: c}, s.none, 1, 6, 4)
	}
}
