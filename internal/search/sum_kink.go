package search

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// kinks looks for sums with |z| and the larger of z and a constant, and for products with the larger of two.
func (s *searcher) kinks() {
	larger := !s.units.without[formula.Max]
	if larger {
		s.larger()
		if s.checkDone(); s.done {
			return
		}
	}
	for _, l := range []linkKind{linkNone, linkInverse} {
		s.sums(sumOptions{kind: l, scaled: true, terms: 3, full: 6, lib: libKinks})
	}
	if s.checkDone(); s.done || !larger {
		return
	}
	if p, ok := s.newProduct(link{}); ok && !s.over() {
		p.kinked = true
		p.prepare(s.inactive())
		p.run(2, 8, 16)
	}
}

// cancelled is what is left of a term, beside the larger of the two that make it, when they cancel.
const cancelled = 0.1

// pieces writes a sum with a kink as the larger or smaller of the two sums that it is on either side: where these are
// short, constants that the sum has twice are one. It is nil when there is no kink, or several.
func (q *sumSearch) pieces(terms []term) expr {
	isKink := func(t term) bool { return t.g.shape().kink }
	k := slices.IndexFunc(terms, isKink)
	if k < 0 || slices.ContainsFunc(terms[k+1:], isKink) {
		return nil
	}
	t := terms[k]
	v := make([]float64, q.s.ns)
	if q.s.monoValues(t.b, v); signOf(v) != positive {
		return nil
	}
	rest := q.s.plus(nil, slices.Delete(slices.Clone(terms), k, k+1), 1)
	line := []term{{t.c * t.g.c, t.b.joined(t.g.m), atom{g: shapeMono, c: 1}}}
	one := []term{{t.c, t.b, atom{g: shapeMono, c: 1}}}
	var a, b []term
	switch t.g.g {
	case shapeAbs:
		a, b = q.s.plus(rest, line, 1), q.s.plus(rest, line, -1)
	case shapeAbove:
		a, b = rest, q.s.plus(q.s.plus(rest, line, 1), one, -1)
	case shapeBelow:
		a, b = rest, q.s.plus(q.s.plus(rest, line, -1), one, 1)
	}
	var e expr
	if t.c > 0 {
		return q.finish(&e, e.max(q.s.sumOf(&e, a), q.s.sumOf(&e, b)))
	}
	larger := e.max(q.s.sumOf(&e, scaledTerms(a, -1)), q.s.sumOf(&e, scaledTerms(b, -1)))
	return q.finish(&e, e.mul(e.fixed(-1), larger))
}

// plus returns terms + c·more, with differences and sums of inputs multiplied out; terms that cancel are left out.
func (s *searcher) plus(terms, more []term, c float64) []term {
	out := slices.Clone(terms)
	for _, t := range more {
		for _, t := range s.multipliedOut(t) {
			t.c *= c
			out = plusOne(out, t)
		}
	}
	return out
}

func plusOne(terms []term, t term) []term {
	i := slices.IndexFunc(terms, func(o term) bool {
		return t.g.g == shapeMono && o.g.g == shapeMono && slices.Equal(sortedMono(o.b), sortedMono(t.b))
	})
	if i < 0 {
		return append(terms, t)
	}
	if sum := terms[i].c + t.c; math.Abs(sum) > cancelled*max(math.Abs(terms[i].c), math.Abs(t.c)) {
		terms[i].c = sum
		return terms
	}
	return slices.Delete(terms, i, i+1)
}

// multipliedOut writes a monomial with all its factors in B, a difference or sum of inputs as two terms.
func (s *searcher) multipliedOut(t term) []term {
	if t.g.g != shapeMono {
		return []term{t}
	}
	t.b, t.g.m = t.b.joined(t.g.m), nil
	k := slices.IndexFunc(t.b, func(f factor) bool { return s.feats[f.feat].kind != featInput && f.p == 1 })
	if k < 0 {
		return []term{t}
	}
	pair := s.feats[t.b[k].feat]
	rest := slices.Delete(slices.Clone(t.b), k, k+1)
	first, second := t, t
	first.b, second.b = rest.joined(mono{{pair.i, 1}}), rest.joined(mono{{pair.j, 1}}) // inputs are the first features
	if pair.kind == featDifference {
		second.c = -t.c
	}
	return append(s.multipliedOut(first), s.multipliedOut(second)...)
}

func scaledTerms(terms []term, c float64) []term {
	out := slices.Clone(terms)
	for i := range out {
		out[i].c *= c
	}
	return out
}

func sortedMono(m mono) mono {
	return slices.SortedFunc(slices.Values(m), func(a, b factor) int { return a.feat - b.feat })
}
