package search

import (
	"math"
	"slices"
)

// libraryPart says which columns of the library a search uses.
type libraryPart int

const (
	libQuadratic libraryPart = iota // monomials of degree 2 and less
	libMonomials                    // monomials × monomials
	libFunctions                    // monomials × functions
	libKinks                        // monomials × functions with a kink, in a library of their own
)

// Sizes of a library.
const (
	tileLanes     = 256       // columns of a tile: a tile and its squares stay in the cache
	mostColumns   = 30_000    // of functions: 48 MB with their squares
	mostFactors   = 1200      // monomials that functions are multiplied with
	mostProducts  = 1_500_000 // products of two monomials
	deepMonomials = 250       // monomials of many factors that waves and exponentials take
	largestValue  = 1e15
)

// library holds the columns of sums: every B·G, B monomials by degree, G monomials or functions.
// Functions of many factors come last, and beside the constant only.
type library struct {
	b  []mono
	g  []atom
	bv [][]float64 // columns of b

	tiles, squares [][]float32 // columns of g and their squares: rows × lanes, and a row of zeros

	monomials int // of g
	shallow   int // of g: those before the functions of many factors
	quadratic int // of b: degree 2 and less, or more where there are inputs alone
	low       int // of b: those that are multiplied with functions

	priceB, priceG []float64 // complexity
}

// library returns the columns of the inputs that are not separable, or of all.
func (s *searcher) library(o sumOptions) *library {
	without, key := s.none, libraryKey{kinks: o.lib == libKinks, inputs: o.inputs}
	if o.scaled || !s.anySeparable() {
		without, key.scaled = s.sep, true
	}
	if s.libs[key] == nil {
		if key.inputs {
			s.libs[key] = s.libraryOfInputs(without)
		} else {
			s.libs[key] = s.makeLibrary(without, key.kinks)
		}
	}
	return s.libs[key]
}

// libraryKey says which library it is.
type libraryKey struct{ scaled, kinks, inputs bool }

// libraryOfInputs returns the monomials of up to three inputs and the fourth degree, or the third of many inputs,
// without differences, functions and roots.
func (s *searcher) libraryOfInputs(without []bool) *library {
	l := &library{}
	active := slices.DeleteFunc(s.active(without), func(f int) bool { return s.feats[f].kind != featInput })
	degree, exps := 3.0, []float64{1, 2, -1}
	if len(active) <= fewInputs {
		degree, exps = 4, append(exps, -2)
	}
	l.b = append([]mono{nil}, s.powers(active, 3, exps, 0)...)
	l.b = slices.DeleteFunc(l.b, func(m mono) bool { return m.degree() > degree })
	s.fillMonomials(l, degree, degree)
	l.addColumns(s, []atom{{g: shapeMono, c: 1}})
	l.monomials, l.shallow, l.priceG = 1, 1, []float64{0}
	return l
}

func (s *searcher) makeLibrary(without []bool, kinks bool) *library {
	l := &library{}
	active := s.active(without)
	d := 0
	for _, f := range active {
		d += btoi(s.feats[f].kind == featInput)
	}
	s.monomialsOf(l, active, d)
	atoms := []atom{{g: shapeMono, c: 1}}
	for _, m := range l.b[1:] {
		if len(m) <= byInputs(d, 5, 3, 2) {
			atoms = append(atoms, atom{g: shapeMono, m: m, c: 1})
		}
	}
	atoms = atoms[:min(len(atoms), max(1, mostProducts/len(l.b)))]
	l.addColumns(s, atoms)
	l.monomials = len(l.g)
	exps := []float64{1, -1}
	if kinks && d <= 2 {
		exps = []float64{1, -1, 2, 3}
	}
	inner := s.powers(active, byInputs(d, fewInputs, 2, 1), exps, 1)
	l.addColumns(s, s.terms(inner, false, kinks))
	l.shallow = len(l.g)
	if !kinks {
		l.addColumns(s, s.terms(s.deep(active, d), true, false))
	}
	for _, a := range l.g {
		l.priceG = append(l.priceG, complexity(a.m)+2*float64(btoi(a.g != shapeMono)))
	}
	return l
}

// byInputs is few up to limit inputs, and many beyond.
func byInputs(d, limit, few, many int) int {
	if d <= limit {
		return few
	}
	return many
}

// complexity is the size of a power product.
func complexity(m mono) float64 {
	c := 0.0
	for _, f := range m {
		c += 1 + 0.3*math.Abs(f.p)
	}
	return c
}

func (m mono) degree() float64 {
	d := 0.0
	for _, f := range m {
		d += math.Abs(f.p)
	}
	return d
}

// monomialsOf fills b: power products of inputs, powers of differences and sums, and roots of products.
func (s *searcher) monomialsOf(l *library, active []int, d int) {
	var inputs []int
	for _, f := range active {
		if s.feats[f].kind == featInput {
			inputs = append(inputs, f)
		}
	}
	exps := []float64{1, 2, -1}
	if d <= fewInputs {
		exps = append(exps, -2)
	}
	l.b = append([]mono{nil}, s.powers(inputs, byInputs(d, 4, 3, 2), exps, 0)...)
	for _, f := range active {
		if s.feats[f].kind != featInput {
			l.b = append(l.b, mono{{f, 1}}, mono{{f, 2}})
		}
	}
	l.b = append(l.b, s.roots(inputs, d)...)
	s.fillMonomials(l, 2, float64(byInputs(d, 4, 3, byInputs(d, fewInputs, 2, 1))))
}

// fillMonomials computes the columns of the monomials, the first in degree first: quadratic is the degree of sparse
// quadratics, and low that of the monomials that functions are multiplied with.
func (s *searcher) fillMonomials(l *library, quadratic, low float64) {
	slices.SortStableFunc(l.b, func(a, b mono) int { return int(a.degree() - b.degree()) })
	l.b = l.b[:min(len(l.b), mostFactors)]
	for _, m := range l.b {
		l.quadratic += btoi(m.degree() <= quadratic)
		l.low += btoi(m.degree() <= low)
		v := make([]float64, s.ns)
		s.monoValues(m, v)
		l.bv = append(l.bv, v)
		l.priceB = append(l.priceB, complexity(m))
	}
}

// roots returns the roots of products of two inputs.
func (s *searcher) roots(inputs []int, d int) []mono {
	var out []mono
	if !s.units.root || d > fewInputs {
		return nil
	}
	for k, i := range inputs {
		for _, j := range inputs[k+1:] {
			if s.signs[i] == positive && s.signs[j] == positive {
				out = append(out, mono{{i, 0.5}, {j, 0.5}})
			}
		}
	}
	return out
}

// mostPowers stops the enumeration of power products.
const mostPowers = 20_000

// powers returns the power products of up to most features with the given exponents, with up to
// pairs differences or sums among them.
func (s *searcher) powers(active []int, most int, exps []float64, pairs int) []mono {
	var out []mono
	var rec func(from int, m mono, pr int)
	rec = func(from int, m mono, pr int) {
		if len(m) >= most {
			return
		}
		for q := from; q < len(active) && len(out) < mostPowers; q++ {
			f := active[q]
			pair := s.feats[f].kind != featInput
			if pr+btoi(pair) > pairs {
				continue
			}
			for _, e := range exps {
				if e < 0 && (pair || s.signs[f] == mixed) {
					continue
				}
				x := m.with(factor{f, e})
				out = append(out, x)
				rec(q+1, x, pr+btoi(pair))
			}
		}
	}
	rec(0, nil, 0)
	return out
}

// deep returns power products of many factors.
func (s *searcher) deep(active []int, d int) []mono {
	var out []mono
	for _, m := range s.powers(active, byInputs(d, 5, 4, 3), []float64{1, -1}, 1) {
		if len(m) < byInputs(d, fewInputs, 3, 2) || !slices.ContainsFunc(m, func(f factor) bool { return f.p > 0 }) {
			continue
		}
		if out = append(out, m); len(out) == deepMonomials {
			break
		}
	}
	return out
}

// terms returns the functions of power products with their grids of constants: those with a kink, or the others.
func (s *searcher) terms(ms []mono, deep, kinks bool) []atom {
	var out []atom
	v := make([]float64, s.ns)
	for _, m := range ms {
		s.monoValues(m, v)
		info, ok := stats(v, m)
		if !ok {
			continue
		}
		info.deep = deep
		for g := range shapeCount {
			if row := shapes[g]; row.terms == nil || row.kink != kinks || !s.units.shape[g] ||
				deep && !row.wave && g != shapeExp {
				continue
			}
			for _, c := range shapes[g].terms(info) {
				out = append(out, atom{g: g, m: m, c: c})
			}
		}
	}
	return out
}

// addColumns appends the atoms that have values on all rows.
func (l *library) addColumns(s *searcher, atoms []atom) {
	atoms = atoms[:min(len(atoms), max(0, mostColumns-len(l.g)))]
	cols := make([][]float32, len(atoms))
	s.spreadBlocks(len(atoms), func(from, to int) {
		o, t := make([]float64, s.ns), make([]float64, s.ns)
		for i := from; i < to; i++ {
			s.values(atoms[i], o, t)
			if c := make([]float32, s.ns); narrow(c, o) {
				cols[i] = c
			}
		}
	})
	s.meter.add(int64(len(atoms) * s.ns * weightCall))
	for i, c := range cols {
		if c != nil {
			l.store(atoms[i], c)
		}
	}
}

func narrow(c []float32, o []float64) bool {
	for r, v := range o {
		if !(math.Abs(v) <= largestValue) {
			return false
		}
		c[r] = float32(v)
	}
	return true
}

// store puts a column into its lane of the last tile.
func (l *library) store(a atom, c []float32) {
	lane := len(l.g) % tileLanes
	if lane == 0 {
		size := (len(c) + 1) * tileLanes
		l.tiles = append(l.tiles, make([]float32, size))
		l.squares = append(l.squares, make([]float32, size))
	}
	l.g = append(l.g, a)
	t, q := l.tiles[len(l.tiles)-1], l.squares[len(l.squares)-1]
	for r, v := range c {
		t[r*tileLanes+lane], q[r*tileLanes+lane] = v, v*v
	}
}

// column writes column g into o.
func (l *library) column(g int, o []float64) {
	t, lane := l.tiles[g/tileLanes], g%tileLanes
	for r := range o {
		o[r] = float64(t[r*tileLanes+lane])
	}
}
