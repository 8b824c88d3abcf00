package search

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/eqlearner/eql/internal/kernel"
)

// hit is a column B·G that explains some of a residual.
type hit struct {
	b, g int
	gain float64
	rank float64 // n·log of what is left, with the price of the form; more is better
	c    float64 // not 0: the inner constant of G, in place of that of the library
}

// Sizes of a score.
const (
	factorsPerTask  = 8   // monomials B of a task, whose columns share each tile of G
	hitsPerTask     = 400 // kept, by gain
	hitsRanked      = 1000
	functionsPerB   = 3    // hits with functions and the same B
	leastPart       = 1e-4 // share of a column beside the base, in float32
	sameGain        = 1e-5 // hits with gains this near are the same column
	kernelSpeed     = 8    // multiplications of the kernels that count as one
	pricePart       = 4.0  // of each unit of complexity
	leastResidual   = 1e-9
	factorsInColumn = 1e-300
)

// problem is a weighted linear regression on columns of a library: the residual of a part of its
// columns, which have the orthonormal base q.
type problem struct {
	w   []float64 // weights of the rows
	res []float64
	q   [][]float64
}

// score returns the best columns for a residual: among the first nb monomials, and the functions
// of the part. A column is (w∘B∘G); its products with residual and base are matrix products,
// (w∘B∘r)ᵀG.
func (s *searcher) score(l *library, p problem, use libraryPart, keep int) []hit {
	if use == libQuadratic {
		return s.rank(l, p, s.scoreColumn(l, p, 0, l.quadratic), keep)
	}
	type task struct{ from, to, lanes int }
	var tasks []task
	for b := 0; b < len(l.b); {
		t := task{b, min(b+factorsPerTask, len(l.b)), l.monomials}
		switch {
		case b == 0 && use >= libFunctions:
			t.to, t.lanes = 1, len(l.g)
		case b < l.low:
			if t.to = min(t.to, l.low); use >= libFunctions {
				t.lanes = l.shallow
			}
		}
		tasks = append(tasks, t)
		b = t.to
	}
	found := make([][]hit, len(tasks))
	s.spread(len(tasks), func(i int) {
		t := tasks[i]
		found[i] = s.scoreTask(l, p, t.from, t.to, t.lanes)
	})
	return s.rank(l, p, slices.Concat(found...), keep)
}

// scoreTask scores the columns of monomials from … to with the first lanes functions.
func (s *searcher) scoreTask(l *library, p problem, from, to, lanes int) []hit {
	n, nb, k := s.ns, to-from, 1+len(p.q)
	x, x2 := make([]float32, n*nb*k), make([]float32, n*nb)
	ok := make([]bool, nb)
	bb := make([]float64, n)
	for i := range nb {
		if ok[i] = weighted(bb, l.bv[from+i], p.w); !ok[i] {
			continue
		}
		for r, v := range bb {
			x2[r*nb+i] = float32(v * v)
			row := x[(r*nb+i)*k : (r*nb+i+1)*k]
			row[0] = float32(v * p.res[r])
			for j, q := range p.q {
				row[1+j] = float32(v * q[r])
			}
		}
	}
	z, z2 := make([]float32, nb*k*tileLanes), make([]float32, nb*tileLanes)
	top := topHits{}
	for t := 0; t*tileLanes < lanes; t++ {
		shape := kernel.Shape{Rows: 1, In: n, Batch: nb * k, Lanes: tileLanes}
		kernel.AffineForwardShared(z, l.tiles[t], x, shape)
		shape.Batch = nb
		kernel.AffineForwardShared(z2, l.squares[t], x2, shape)
		last := min(tileLanes, lanes-t*tileLanes)
		for i := range nb {
			if ok[i] {
				top.addTile(z[i*k*tileLanes:(i+1)*k*tileLanes], z2[i*tileLanes:(i+1)*tileLanes], last, from+i, t*tileLanes)
			}
		}
	}
	s.meter.add(int64(n * nb * (k + 1) * lanes / kernelSpeed))
	return top.cut()
}

// weighted writes w∘b, scaled to length 1, into o.
func weighted(o, b, w []float64) bool {
	for r := range o {
		o[r] = b[r] * w[r]
	}
	norm := dot(o, o)
	if !(norm > factorsInColumn) || !finite(norm) {
		return false
	}
	scale := 1 / math.Sqrt(norm)
	for r := range o {
		o[r] *= scale
	}
	return true
}

// topHits keeps the hits with the largest gains.
type topHits struct {
	hits  []hit
	least float32
}

// addTile adds the columns of one monomial and one tile: z has the products with the residual and
// with the base, norm those of the columns with themselves.
func (t *topHits) addTile(z, norm []float32, lanes, b, g0 int) {
	k := len(z) / tileLanes
	for g := range lanes {
		full := norm[g]
		left := full
		for j := 1; j < k; j++ {
			v := z[j*tileLanes+g]
			left -= v * v
		}
		if !(left > leastPart*full) {
			continue
		}
		gain := z[g] * z[g] / left
		if gain > t.least {
			t.hits = append(t.hits, hit{b: b, g: g0 + g, gain: float64(gain)})
			if len(t.hits) >= 4*hitsPerTask {
				t.cut()
				t.least = float32(t.hits[len(t.hits)-1].gain)
			}
		}
	}
}

// cut sorts the hits by gain and keeps the best.
func (t *topHits) cut() []hit {
	sortHits(t.hits)
	t.hits = t.hits[:min(len(t.hits), hitsPerTask)]
	return t.hits
}

func sortHits(h []hit) {
	slices.SortFunc(h, func(a, b hit) int {
		switch {
		case a.gain > b.gain:
			return -1
		case a.gain < b.gain:
			return 1
		}
		return cmp.Or(a.b-b.b, a.g-b.g)
	})
}

// scoreColumn scores one function with the first nb monomials.
func (s *searcher) scoreColumn(l *library, p problem, g, nb int) []hit {
	col, c := make([]float64, s.ns), make([]float64, s.ns)
	l.column(g, col)
	for r := range col {
		col[r] *= p.w[r]
	}
	var out []hit
	for b := range nb {
		if !weighted(c, l.bv[b], col) {
			continue
		}
		left := 1.0
		for _, q := range p.q {
			d := dot(q, c)
			left -= d * d
		}
		if left > leastPart {
			d := dot(p.res, c)
			out = append(out, hit{b: b, g: g, gain: d * d / left})
		}
	}
	s.meter.add(int64(s.ns * nb * (len(p.q) + 4)))
	return out
}

// rank orders hits by gain and complexity, and keeps the best that differ.
func (s *searcher) rank(l *library, p problem, hits []hit, keep int) []hit {
	sortHits(hits)
	hits = hits[:min(len(hits), hitsRanked)]
	n, total := float64(s.ns), max(dot(p.res, p.res), 1e-30)
	for i := range hits {
		h := &hits[i]
		h.rank = -n*math.Log(max(leastResidual, 1-h.gain/total)) - pricePart*(l.priceB[h.b]+l.priceG[h.g])
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.rank, a.rank) })
	var out []hit
	seen := map[string]bool{}
	functions := map[int]int{}
	last := math.Inf(-1)
	for _, h := range hits {
		if math.Abs(h.gain-last) < sameGain*h.gain {
			continue
		}
		key := strconv.Itoa(h.b) + ":" + structure(l.g[h.g])
		if seen[key] {
			continue
		}
		seen[key] = true
		if l.g[h.g].g != shapeMono {
			if functions[h.b] >= functionsPerB {
				continue
			}
			functions[h.b]++
		}
		last = h.gain
		if out = append(out, h); len(out) >= keep {
			break
		}
	}
	return out
}
