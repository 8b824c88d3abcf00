package search

import (
	"math"
	"slices"
)

// interactionDegree is the highest degree of the polynomials that tell which inputs act together.
const interactionDegree = 4

// together returns the inputs in blocks, so that the target under a link is, as far as a surrogate can tell, a sum of
// functions of one block each; of a product its logarithm. Two inputs are in one block where the surrogate needs terms
// that have both, or where others lead from one to the other. It is nil where there is no such surrogate.
func (s *searcher) together(kind linkKind, product bool) [][]int {
	degree := s.degree(interactionDegree)
	if degree < 2 {
		return nil
	}
	var t, w []float64
	if product {
		t, w, _ = s.logarithm()
	} else {
		ok := false
		if t, w, ok = s.linked(link{kind: kind}); !ok {
			return nil
		}
	}
	p := s.newSurrogate(t, w, degree)
	full, _ := p.fit(p.all())
	n, m := float64(len(t)), float64(len(p.terms))
	block := make([]int, s.d)
	for j := range block {
		block[j] = j
	}
	for i := range s.d {
		for j := range i {
			if block[i] == block[j] {
				continue
			}
			apart := slices.DeleteFunc(p.all(), func(q int) bool { return p.terms[q][i] > 0 && p.terms[q][j] > 0 })
			sse, _ := p.fit(apart)
			if n*math.Log(sse/full) > chance(m-float64(len(apart)), n, m) {
				of := block[j]
				for k, b := range block {
					if b == of {
						block[k] = block[i]
					}
				}
			}
		}
	}
	s.meter.add(int64(s.d * (s.d - 1) / 2 * len(p.terms) * len(p.terms) * len(p.terms) / 3))
	var out [][]int
	for b := range s.d {
		var inputs []int
		for j := range s.d {
			if block[j] == b {
				inputs = append(inputs, j)
			}
		}
		if inputs != nil {
			out = append(out, inputs)
		}
	}
	return out
}
