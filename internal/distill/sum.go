package distill

import (
	"slices"
)

func number(c float64) sum { return termOf(c) }

// termOf returns a sum of one term, whose factors may be in any order.
func termOf(w float64, factors ...int) sum {
	if w == 0 {
		return nil
	}
	return sum{{w, slices.Sorted(slices.Values(factors))}}
}

func (t product) equal(u product) bool { return t.w == u.w && slices.Equal(t.factors, u.factors) }

// plus returns s + w·b.
func (s sum) plus(b sum, w float64) sum {
	total := make(sum, 0, len(s)+len(b))
	i, j := 0, 0
	for i < len(s) || j < len(b) {
		order := 0
		switch {
		case j == len(b):
			order = -1
		case i == len(s):
			order = 1
		default:
			order = slices.Compare(s[i].factors, b[j].factors)
		}
		switch {
		case order < 0:
			total = append(total, s[i])
			i++
		case order > 0:
			if v := w * b[j].w; v != 0 {
				total = append(total, product{v, b[j].factors})
			}
			j++
		default:
			if v := s[i].w + w*b[j].w; v != 0 {
				total = append(total, product{v, s[i].factors})
			}
			i++
			j++
		}
	}
	return total
}

// times returns s·b. It reports false when there are more than 150 terms to write down.
func (s sum) times(b sum) (sum, bool) {
	var total sum
	for _, t := range s {
		row := make(sum, 0, len(b))
		for _, u := range b {
			row = append(row, termOf(t.w*u.w, append(slices.Clone(t.factors), u.factors...)...)...)
		}
		slices.SortFunc(row, func(a, b product) int { return slices.Compare(a.factors, b.factors) })
		if total = total.plus(row, 1); len(total) > maxTerms {
			return nil, false
		}
	}
	return total, true
}

// scaled returns w·s.
func (s sum) scaled(w float64) sum { return sum(nil).plus(s, w) }

// constant returns the term without factors.
func (s sum) constant() float64 {
	if len(s) > 0 && len(s[0].factors) == 0 { // the first in the order
		return s[0].w
	}
	return 0
}

// rest returns the sum without the term without factors.
func (s sum) rest() sum {
	if len(s) > 0 && len(s[0].factors) == 0 {
		return s[1:]
	}
	return s
}

// find returns the term with the given factors.
func (s sum) find(factors []int) (product, bool) {
	slices.Sort(factors)
	for _, t := range s {
		if slices.Equal(t.factors, factors) {
			return t, true
		}
	}
	return product{}, false
}

// sorted returns the terms in the order that sums have.
func (s sum) sorted() sum {
	slices.SortFunc(s, func(a, b product) int { return slices.Compare(a.factors, b.factors) })
	return s
}

// without returns factors with one taken out, in a new slice, and whether it was there.
func without(factors []int, one int) ([]int, bool) {
	k := slices.Index(factors, one)
	if k < 0 {
		return factors, false
	}
	return slices.Delete(slices.Clone(factors), k, k+1), true
}

// withoutAll returns factors without each of some, and whether they were all there.
func withoutAll(factors, some []int) (rest []int, ok bool) {
	rest = factors
	for _, one := range some {
		if rest, ok = without(rest, one); !ok {
			return nil, false
		}
	}
	return rest, true
}

func count(list []int, v int) int {
	n := 0
	for _, x := range list {
		if x == v {
			n++
		}
	}
	return n
}
