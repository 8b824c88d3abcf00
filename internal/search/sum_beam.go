package search

import (
	"cmp"
	"math"
	"slices"
)

func sortPartials(p []partial) {
	slices.SortStableFunc(p, func(a, b partial) int { return cmp.Compare(a.crit, b.crit) })
}

// beam adds one column after the other to the best sums.
func (q *sumSearch) beam() {
	quadratic := q.o.lib == libQuadratic
	beam := []partial{q.first}
	for k := range q.o.terms {
		var next []partial
		for _, b := range beam {
			if q.s.over() {
				return
			}
			keep := laterHits
			switch {
			case k == 0 && quadratic:
				keep = firstQuadratic
			case k == 0:
				keep = firstHits
			}
			hits := q.s.score(q.l, b.problem, q.o.lib, keep)
			if k == 0 && !quadratic {
				q.completeAll(b, hits)
			}
			for _, h := range hits[:min(len(hits), firstKept)] {
				if o, ok := q.add(b, h); ok {
					next = append(next, o)
				}
			}
		}
		if len(next) == 0 {
			return
		}
		beam = distinctPartials(next, sumBeam[min(k, len(sumBeam)-1)])
		best := impossible
		for _, a := range q.all {
			best = min(best, a.crit)
		}
		q.all = append(q.all, beam...)
		if k > 0 && beam[0].crit > best+worse || dot(beam[0].res, beam[0].res) < exactSum*float64(q.s.ns) {
			return
		}
	}
}

// distinctPartials returns the best whose criteria differ.
func distinctPartials(next []partial, keep int) []partial {
	sortPartials(next)
	var out []partial
	for _, p := range next {
		if slices.ContainsFunc(out, func(z partial) bool { return math.Abs(z.crit-p.crit) < sameSum }) {
			continue
		}
		if out = append(out, p); len(out) >= keep {
			break
		}
	}
	return out
}

// completeAll completes each good first column by a sparse quadratic and multiples of its own
// function.
func (q *sumSearch) completeAll(b partial, hits []hit) {
	found := make([]partial, len(hits))
	for from := 0; from < len(hits) && !q.s.over(); from += completedAtOnce {
		q.s.spread(min(completedAtOnce, len(hits)-from), func(i int) {
			i += from
			if o, ok := q.add(b, hits[i]); ok {
				found[i] = q.refine(q.complete(o, hits[i]), b, hits[i])
			}
		})
	}
	for _, p := range found {
		if len(p.hits) > 1 {
			q.all = append(q.all, p)
		}
	}
}

// refine improves the inner constant of the first function of a sum that began with b, and completes
// the better function again.
func (q *sumSearch) refine(p, b partial, first hit) partial {
	a := q.atomOf(first)
	at := slices.IndexFunc(p.hits, func(h hit) bool { return h.b == first.b && h.g == first.g })
	if a.shape().bare && a.g != shapeExp || at < q.fixed || len(p.hits) < 2 {
		return p
	}
	hits := slices.Clone(p.hits[q.fixed:])
	h := &hits[at-q.fixed]
	u, least := minimise(func(u float64) float64 {
		h.c = a.c * math.Exp(u)
		if z, ok := q.rebuild(hits); ok {
			return z.crit
		}
		return impossible
	}, sumSpan)
	if !(least < p.crit-betterSum) {
		return p
	}
	h.c = a.c * math.Exp(u)
	better, ok := q.rebuild(hits)
	if !ok {
		return p
	}
	if o, ok := q.add(b, *h); ok {
		if again := q.complete(o, *h); again.crit < better.crit {
			return again
		}
	}
	return better
}

func (q *sumSearch) complete(o partial, first hit) partial {
	best := o
	for turn := range completions {
		h := q.s.score(q.l, o.problem, libQuadratic, 1)
		if q.l.g[first.g].g != shapeMono {
			own := q.s.rank(q.l, o.problem, q.s.scoreColumn(q.l, o.problem, first.g, q.l.low), 1)
			if len(own) > 0 && (len(h) == 0 || own[0].rank > h[0].rank+ownMultiple) {
				h = own
			}
		}
		if len(h) == 0 {
			break
		}
		next, ok := q.add(o, h[0])
		if !ok {
			break
		}
		if o = next; o.crit < best.crit {
			best = o
		} else if turn > 1 {
			break
		}
	}
	return q.prune(best)
}

// prune takes columns out as long as the criterion falls.
func (q *sumSearch) prune(p partial) partial {
	for i := q.fixed; i < len(p.hits) && len(p.hits) > 2; i++ {
		if z, ok := q.without(p, i); ok && z.crit < p.crit {
			p, i = z, q.fixed-1
		}
	}
	return p
}

// replaceAll takes each column of the best sums out and looks for it again.
func (q *sumSearch) replaceAll() {
	for k := range min(replacedSums, len(q.all)) {
		cur := q.all[k]
		for range replacementTurns {
			if q.s.over() {
				break
			}
			better, ok := q.replace(cur)
			if !ok {
				break
			}
			cur = better
		}
		if cur.crit < q.all[k].crit-betterSum {
			q.all = append(q.all, cur)
		}
	}
	sortPartials(q.all)
}

// replace goes once through the columns, and reports whether that helped.
func (q *sumSearch) replace(cur partial) (partial, bool) {
	better := false
	for i := q.fixed; i < len(cur.hits) && len(cur.hits) > 1; i++ {
		if q.s.over() {
			return cur, false
		}
		o, ok := q.without(cur, i)
		if !ok {
			continue
		}
		if o.crit < cur.crit-betterSum {
			return o, true
		}
		use := q.o.lib // a library with functions is large: a monomial is replaced by monomials
		if q.l.g[cur.hits[i].g].g == shapeMono {
			use = min(use, libMonomials)
		}
		for _, h := range q.s.score(q.l, o.problem, use, replacementHits) {
			if z, ok := q.add(o, h); ok && z.crit < cur.crit-betterSum {
				cur, better = z, true
			}
		}
	}
	return cur, better
}
