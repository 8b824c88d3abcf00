package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/internal/kernel"
)

// treeHit is a tree of which an aim is about a straight line. Less is better: the share of the target's square that is
// left, times what its form costs.
type treeHit struct {
	aim, at int // places of the aim, and of the tree among all
	t       tree
	score   float64
}

// compare returns the pairs of a tree and an aim that leave least.
func (s *searcher) compare(f *forest, aims []aim) []treeHit {
	all := slices.Concat(f.trees, f.last)
	found := make([][][]treeHit, (len(all)+tileLanes-1)/tileLanes) // by tile and aim
	v := newAimColumns(aims, f.rows)
	for from := 0; from < len(found) && !s.over(); from += tilesAtOnce {
		n := min(tilesAtOnce, len(found)-from)
		s.spread(n, func(i int) {
			i += from
			found[i] = f.compareTile(all[i*tileLanes:min(len(all), (i+1)*tileLanes)], i*tileLanes, aims, v)
		})
		s.meter.add(int64(n * tileLanes * f.rows * (weightCall + 3*len(aims)/kernelSpeed)))
	}
	var out []treeHit
	for k := range aims {
		var hits []treeHit
		for _, tile := range found {
			if tile != nil {
				hits = append(hits, tile[k]...)
			}
		}
		hits = cutTreeHits(hits, aims[k].keep())
		out = append(out, hits...)
	}
	return out
}

// keep is how many trees of an aim are kept: an aim of two links is one of many.
func (a *aim) keep() int { return treesSieved >> (2 * a.nodes) }

// cutTreeHits sorts hits and keeps the best.
func cutTreeHits(h []treeHit, keep int) []treeHit {
	slices.SortFunc(h, func(a, b treeHit) int {
		return cmp.Or(cmp.Compare(a.score, b.score), a.at-b.at, a.aim-b.aim)
	})
	return h[:min(len(h), keep)]
}

// aimColumns are the weights of all aims, and these times t, as the kernel takes them.
type aimColumns struct{ plain, squares []float32 }

func newAimColumns(aims []aim, rows int) aimColumns {
	n := len(aims)
	v := aimColumns{make([]float32, rows*2*n), make([]float32, rows*n)}
	for k, a := range aims {
		for r := range rows {
			w := a.some.w2[r] / a.some.all // so that Σw²t² is 1
			v.plain[r*2*n+2*k] = float32(w)
			v.plain[r*2*n+2*k+1] = float32(w * a.some.t[r])
			v.squares[r*n+k] = float32(w)
		}
	}
	return v
}

// compareTile compares up to tileLanes trees with all aims, and returns the best of each; from is the place of the
// first tree among all.
func (f *forest) compareTile(trees []tree, from int, aims []aim, v aimColumns) [][]treeHit {
	n := len(aims)
	u, u2 := make([]float32, (f.rows+1)*tileLanes), make([]float32, (f.rows+1)*tileLanes)
	ok := make([]bool, len(trees))
	o := make([]float64, f.rows)
	for i, t := range trees {
		if ok[i] = f.eval(t, o); !ok[i] {
			continue
		}
		mean, sd := moments(o)
		for r, x := range o {
			z := float32((x - mean) / sd)
			u[r*tileLanes+i], u2[r*tileLanes+i] = z, z*z
		}
	}
	z, z2 := make([]float32, 2*n*tileLanes), make([]float32, n*tileLanes)
	kernel.AffineForwardShared(z, u, v.plain, kernel.Shape{Rows: 1, In: f.rows, Batch: 2 * n, Lanes: tileLanes})
	kernel.AffineForwardShared(z2, u2, v.squares, kernel.Shape{Rows: 1, In: f.rows, Batch: n, Lanes: tileLanes})
	form := make([]float64, len(trees)) // what the form of each costs
	for i, t := range trees {
		if ok[i] {
			form[i] = math.Exp(priceNode * float64(f.nodes(t)) / float64(f.rows))
		}
	}
	out := make([][]treeHit, n)
	for k, a := range aims {
		su, st, uu := z[2*k*tileLanes:], z[(2*k+1)*tileLanes:], z2[k*tileLanes:]
		sum, limit := a.some.sum/a.some.all, math.Inf(1)
		size := a.some.all * math.Exp(priceNode*float64(a.nodes)/float64(f.rows))
		var hits []treeHit
		for i, t := range trees {
			if !ok[i] {
				continue
			}
			m, cov, square := float64(su[i]), float64(st[i]), float64(uu[i])
			left := square - m*m/sum
			if !(left > smallVarying*square) {
				continue
			}
			score := max(1-cov*cov/left, leastShare) * size * form[i]
			if !(score < limit) {
				continue
			}
			if hits = append(hits, treeHit{k, from + i, t, score}); len(hits) >= 4*hitsPerTile {
				hits = cutTreeHits(hits, hitsPerTile)
				limit = hits[len(hits)-1].score
			}
		}
		out[k] = slices.Clone(cutTreeHits(hits, hitsPerTile))
	}
	return out
}

// nodes counts the operations and inputs of a tree.
func (f *forest) nodes(t tree) int {
	switch t.op {
	case treeInput:
		return 1
	case treeStep:
		return 1 + f.nodes(f.trees[t.a])
	}
	return 1 + f.nodes(f.trees[t.a]) + f.nodes(f.trees[t.b])
}
