package units

import (
	"cmp"
	"math"
	"slices"
)

// A Grouping writes a law y = f(x) without dimensions: y/Π x^target is a function of the groups Π x^p.
type Grouping struct {
	Target []float64   // exponents of the inputs, with which they have the unit of the target
	Groups [][]float64 // exponents of the inputs in each group
}

const (
	mostInputs    = 16 // beyond it choices of inputs are too many
	fractionPrice = 4  // of an exponent that is not whole, beside its size
)

// Groupings returns ways to write a law without dimensions, those with the smallest exponents first, at most most. Each
// takes as many inputs as there are independent dimensions for units; every other input makes a group with them.
// There is none where no input has a dimension, or where those of the inputs do not make that of the target.
func Groupings(inputs []Dim, target Dim, most int) []Grouping {
	if len(inputs) > mostInputs {
		return nil
	}
	var s system
	rank := 0
	for _, d := range inputs {
		rank += btoi(independent(&s, d))
	}
	if rank == 0 {
		return nil
	}
	type scored struct {
		Grouping
		price float64
	}
	var all []scored
	for _, units := range choices(len(inputs), rank) {
		if g, price, ok := grouping(inputs, target, units); ok {
			all = append(all, scored{g, price})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(a.price, b.price) })
	var list []Grouping
	for _, g := range all[:min(most, len(all))] {
		list = append(list, g.Grouping)
	}
	return list
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// independent adds a dimension to those of a system and reports whether it is none of their products of powers.
func independent(s *system, d Dim) bool {
	if s.unknowns == 0 {
		s.unknowns = len(bases)
	}
	before := len(s.rows)
	s.add(equation{of: slices.Clone(d[:])})
	return len(s.rows) > before
}

// choices returns all sets of k of n numbers, in order.
func choices(n, k int) [][]int {
	var list [][]int
	var extend func(set []int, from int)
	extend = func(set []int, from int) {
		if len(set) == k {
			list = append(list, slices.Clone(set))
			return
		}
		for j := from; j < n; j++ {
			extend(append(set, j), j+1)
		}
	}
	extend(nil, 0)
	return list
}

// grouping makes groups with the inputs of a set as units, if these are independent and all exponents halves.
func grouping(inputs []Dim, target Dim, set []int) (g Grouping, price float64, ok bool) {
	powers := func(d Dim) []float64 { // of the inputs of the set, that have a dimension together
		s := system{unknowns: len(set)}
		for b := range bases {
			e := equation{of: make([]float64, len(set))}
			for k, j := range set {
				e.of[k] = inputs[j][b]
			}
			e.dim[0] = d[b]
			if !s.add(e) {
				return nil
			}
		}
		if len(s.rows) < len(set) {
			return nil
		}
		p := make([]float64, len(inputs))
		for i, r := range s.rows {
			p[set[s.pivots[i]]] = r.dim[0]
		}
		return p
	}
	if g.Target = powers(target); g.Target == nil {
		return g, 0, false
	}
	price, ok = priceOf(g.Target)
	for j, d := range inputs {
		if slices.Contains(set, j) {
			continue
		}
		p := powers(d)
		if p == nil {
			return g, 0, false
		}
		for k := range p {
			p[k] = -p[k]
		}
		p[j] = 1
		more, whole := priceOf(p)
		price, ok = price+more, ok && whole
		g.Groups = append(g.Groups, p)
	}
	return g, price, ok
}

// priceOf rounds exponents to halves and adds up their sizes; it reports whether they are halves.
func priceOf(p []float64) (price float64, ok bool) {
	for k, v := range p {
		p[k] = math.Round(2*v) / 2
		if math.Abs(p[k]-v) > 1e-6 {
			return 0, false
		}
		price += math.Abs(p[k])
		if p[k] != math.Trunc(p[k]) {
			price += fractionPrice
		}
	}
	return price, true
}
