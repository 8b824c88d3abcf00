package search

import (
	"math"
	"slices"
)

// nearlyTied is the relative difference up to which the factors of two terms may be one, but for the sign.
const nearlyTied = 0.02

// tieOne gives two terms of a sum one factor where theirs are nearly the same and the criterion falls: ½u² + ½v² has
// one constant and not two.
func (s *searcher) tieOne(c *candidate) bool {
	for root, n := range c.e {
		if n.op != opAdd || c.e.inSum(root) {
			continue
		}
		terms := c.e.termsOf(root)
		for i, a := range terms {
			for _, b := range terms[i+1:] {
				if c.e.nearlyTied(a, b) && s.try(c, c.e.tied(root, terms, a, b), snapSteps) {
					return true
				}
			}
		}
	}
	return false
}

// inSum tells whether node i is a term of a sum.
func (e expr) inSum(i int) bool {
	return slices.ContainsFunc(e, func(n node) bool { return n.op == opAdd && (n.a == i || n.b == i) })
}

// termsOf returns the terms of the sum that node i is.
func (e expr) termsOf(i int) []int {
	if e[i].op != opAdd {
		return []int{i}
	}
	return append(e.termsOf(e[i].a), e.termsOf(e[i].b)...)
}

// nearlyTied tells whether two terms have free factors of nearly the same size.
func (e expr) nearlyTied(a, b int) bool {
	if !e.scaled(a) || !e.scaled(b) {
		return false
	}
	x, y := e[e[a].a], e[e[b].a]
	return !x.fixed && !y.fixed && math.Abs(math.Abs(x.c)-math.Abs(y.c)) <= nearlyTied*math.Abs(x.c)
}

// tied returns e with the factor of term a of the sum at root also before term b.
func (e expr) tied(root int, terms []int, a, b int) expr {
	var r expr
	at := make([]int, len(e))
	for i, n := range e {
		if i != root {
			at[i] = r.move(n, at)
			continue
		}
		other := at[e[b].b]
		if e[e[a].a].c*e[e[b].a].c < 0 {
			other = r.mul(r.fixed(-1), other)
		}
		at[i] = r.mul(at[e[a].a], r.add(at[e[a].b], other))
		for _, t := range terms {
			if t != a && t != b {
				at[i] = r.add(at[i], at[t])
			}
		}
	}
	return r.compact(at[len(e)-1])
}
