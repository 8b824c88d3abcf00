package search

import (
	"cmp"
	"maps"
	"slices"
)

const (
	promotedHits  = 4 // functions that take the place of powers of an input
	promotedTerms = 4 // of short sums, of which the best of each length is looked at beside the best
)

// promoteAll looks in the best sums for terms that differ in the powers of one input, or one with such a power, and
// puts functions of that input in their place: x·B + B/x² may stand for (1 − cos x)·B, of which no sum of few monomials
// and functions of monomials would tell, since functions have factors B of low degree alone.
func (q *sumSearch) promoteAll() {
	if q.o.lib == libQuadratic {
		return
	}
	sums := slices.Clone(q.all[:min(replacedSums, len(q.all))])
	for n := 1; n <= promotedTerms; n++ {
		if i := slices.IndexFunc(q.all, func(p partial) bool { return len(p.hits) == q.fixed+n }); i >= replacedSums {
			sums = append(sums, q.all[i])
		}
	}
	for _, p := range sums {
		for better, ok := q.promote(p); ok && !q.s.over(); better, ok = q.promote(better) {
			q.all = append(q.all, better)
		}
	}
	sortPartials(q.all)
}

// promote returns the best sum with functions of an input in the place of its powers beside the same factors, and
// reports whether it is better than the sum.
func (q *sumSearch) promote(p partial) (best partial, better bool) {
	best = p
	for f := range q.s.feats {
		groups := q.besides(p, f)
		for _, at := range slices.Sorted(maps.Keys(groups)) {
			group := groups[at]
			if q.s.over() {
				return best, false
			}
			rest := p.hits[q.fixed:]
			rest = slices.DeleteFunc(slices.Clone(rest), func(h hit) bool { return slices.Contains(group, h) })
			base, ok := q.rebuild(rest)
			if !ok {
				continue
			}
			for _, h := range q.functionsOf(base, f, at) {
				z, ok := q.add(base, h)
				if !ok {
					continue
				}
				if with, ok := q.add(z, hit{b: at}); ok && with.crit < z.crit {
					z = with
				}
				if z.crit < best.crit-betterSum {
					best, better = z, true
				}
			}
		}
	}
	return best, better
}

// besides returns the terms of a sum of monomials with a power of a feature, by what they are besides.
func (q *sumSearch) besides(p partial, feat int) map[int][]hit {
	groups := map[int][]hit{}
	for _, h := range p.hits[q.fixed:] {
		if q.l.g[h.g].g != shapeMono {
			continue
		}
		whole := q.l.b[h.b].joined(q.l.g[h.g].m)
		rest := slices.DeleteFunc(slices.Clone(whole), func(f factor) bool { return f.feat == feat })
		if len(rest) == len(whole) {
			continue
		}
		if at := slices.IndexFunc(q.l.b, rest.same); at >= 0 {
			groups[at] = append(groups[at], h)
		}
	}
	return groups
}

// functionsOf returns the best columns of functions of one feature times monomial b for what a sum leaves.
func (q *sumSearch) functionsOf(p partial, feat, b int) []hit {
	var hits []hit
	for g, a := range q.l.g {
		if a.g != shapeMono && len(a.m) == 1 && a.m[0].feat == feat {
			hits = append(hits, hit{b: b, g: g})
		}
	}
	gain := make([]float64, len(hits))
	q.s.spreadBlocks(len(hits), func(from, to int) {
		for i := from; i < to; i++ {
			if z, ok := q.add(p, hits[i]); ok {
				gain[i] = p.crit - z.crit
			}
		}
	})
	order := make([]int, len(hits))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(gain[j], gain[i]) })
	var out []hit
	for _, i := range order[:min(promotedHits, len(order))] {
		out = append(out, hits[i])
	}
	return out
}

// same reports whether two power products are the same, in whatever order.
func (m mono) same(o mono) bool {
	if len(m) != len(o) {
		return false
	}
	for _, f := range m {
		if !slices.Contains(o, f) {
			return false
		}
	}
	return true
}
