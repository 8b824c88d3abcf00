package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
)

// scans look for sines whose frequency nobody knows yet, and for sigmoids:
//
//	m·sin(ωx + φ),  m·sin(ωx ± ηx′ + φ)  for inputs x, x′ and m = 1 or an input
//	sin(ωx ± ηx′x″ + φ)  for inputs x, x′, x″ where there are few
//	m·sin(ωu + φ)  for u = xx′, a function, a function times an input, or a product of functions
//	inside the argument of a function: sin(ωx + φ)
//	m·sigmoid((x − a)/b), sigmoid((u − a)/b) for u = xx′ or a function
//
// Least squares over a grid of frequencies, as in a periodogram: with the residual r⟂ of the form
// (see [tangentSpace]), m·sin(ωx) and m·cos(ωx) together gain nearly (r⟂·m·sin)² + (r⟂·m·cos)² over half
// of m·m, which costs one product with a table of sines. Only the peaks are then scored exactly.
// For two inputs the sums over rows of r⟂·m·sin(ωx)·cos(ηx′) and its like are one product of two
// tables, and sin(ωx ± ηx′) = sin ωx·cos ηx′ ± cos ωx·sin ηx′.
type scans struct {
	inputs   []table
	products []table // of the products of two inputs
	sigmoids []offer // of an input
	steep    []offer // sigmoids of a product of two inputs
}

// table holds sines and cosines of multiples of a column: rows are frequencies.
type table struct {
	omega    []float64
	sin, cos blas64.General
}

// The grid: multiples of 0.8 over half the range of a column, between which the frequency of a
// wave is never farther off than what costs 3 % of its amplitude.
const (
	gridStep   = 0.8
	gridSize   = 40 // of a single input: five periods in its half range
	planeSize  = 20 // of each of two inputs; see [dictionary.lookForFast]
	nestedSize = 24 // of anything else
	lowGrid    = 2  // frequencies that are always scored: at low ones sums of rows mislead
	peaks      = 2  // further ones
)

// frequency returns the lowest frequency of the grid, which all others are multiples of.
func frequency(col []float64) float64 {
	half := (slices.Max(col) - slices.Min(col)) / 2
	return gridStep / math.Max(half, math.SmallestNonzeroFloat64)
}

func newTable(col []float64, size int) table {
	lowest := frequency(col)
	size = resolved(col, size)
	n := len(col)
	t := table{
		sin: blas64.General{Rows: size, Cols: n, Stride: n, Data: make([]float64, size*n)},
		cos: blas64.General{Rows: size, Cols: n, Stride: n, Data: make([]float64, size*n)},
	}
	for g := range size {
		omega := float64(g+1) * lowest
		t.omega = append(t.omega, omega)
		floats.ScaleTo(t.row(t.sin, g), omega, col)
	}
	kernel.Sin(t.sin.Data, t.cos.Data)
	return t
}

// resolved returns how many frequencies of the grid a column can tell apart: with k different values
// there is nothing to be known of more than k/2 periods.
func resolved(col []float64, size int) int {
	values := map[float64]bool{}
	for _, x := range col {
		if values[x] = true; math.Pi/2*float64(len(values)-1) >= gridStep*float64(size) {
			return size
		}
	}
	return max(1, int(math.Pi/2*float64(len(values)-1)/gridStep))
}

func (t table) row(m blas64.General, g int) []float64 { return m.Data[g*m.Stride : g*m.Stride+m.Cols] }

func newScans(d *dictionary) *scans {
	s := &scans{}
	for j, x := range d.data.X {
		if d.waves() {
			s.inputs = append(s.inputs, newTable(x, gridSize))
		}
		s.sigmoids = append(s.sigmoids, d.sigmoids(termOf(1, j), x)...)
	}
	for _, m := range d.products() {
		if d.waves() {
			s.products = append(s.products, newTable(m.col, nestedSize))
		}
		s.steep = append(s.steep, d.sigmoids(termOf(1, m.factors...), m.col)...)
	}
	return s
}

// products returns the products of two inputs, where there are few.
func (d *dictionary) products() []monomial {
	if d.second > d.first {
		return d.monomials[d.first:d.second]
	}
	return nil
}

// sigmoids returns sigmoids of an argument with the values u, of different places and widths.
func (d *dictionary) sigmoids(arg sum, u []float64) []offer {
	low, high := slices.Min(u), slices.Max(u)
	half := (high - low) / 2
	if !(half > 0) || math.IsInf(half, 0) {
		return nil
	}
	var list []offer
	for _, kind := range []model.Unit{model.Sigmoid, model.Tanh} {
		if !d.has(kind) {
			continue
		}
		for _, slope := range []float64{2, 4, 8} {
			for _, place := range []float64{-0.5, 0, 0.5} {
				w := slope / half
				center := (low+high)/2 + place*half
				z := make([]float64, len(u))
				for r, v := range u {
					z[r] = w * (v - center)
				}
				if kind == model.Sigmoid {
					kernel.Sigmoid(z, make([]float64, len(z)))
				} else {
					kernel.Tanh(z, make([]float64, len(z)))
				}
				list = append(list, offer{kind: kind, arg: arg.scaled(w).plus(number(-w*center), 1), sin: z})
			}
		}
	}
	return list
}

// ofInputs scans sines of one input, times nothing or an input.
func (s *scans) ofInputs(d *dictionary, t *tangentSpace) []candidate {
	var list []candidate
	for j, tab := range s.inputs {
		for _, m := range d.multipliers() {
			list = append(list, d.scan(t, outUnit, m.factors, tab, nil, []int{j}, m.col)...)
		}
	}
	return list
}

// nested scans sines of products of two inputs and of what contains functions, times nothing or an
// input.
func (s *scans) nested(d *dictionary, t *tangentSpace) []candidate {
	if !d.waves() {
		return nil
	}
	var list []candidate
	scan := func(tab table, of []int) {
		for _, m := range d.multipliers() {
			list = append(list, d.scan(t, outUnit, m.factors, tab, nil, of, m.col)...)
		}
	}
	for i, m := range d.products() {
		scan(s.products[i], m.factors)
	}
	count := 0
	for i := t.form.inputs; i < len(t.values); i++ {
		if t.values[i] == nil {
			continue
		}
		scan(newTable(t.values[i], nestedSize), []int{i})
		if !d.has(model.Product) {
			continue
		}
		for j, v := range t.values[:i+1] {
			if v != nil && count < maxNested {
				col := make([]float64, len(v))
				floats.MulTo(col, v, t.values[i])
				scan(newTable(col, nestedSize), []int{j, i})
				count++
			}
		}
	}
	return list
}

// maxNested bounds the arguments made of functions.
const maxNested = 90

// within scans sines of one input inside the arguments of the form's functions.
func (s *scans) within(d *dictionary, t *tangentSpace) []candidate {
	var list []candidate
	for i, adjoint := range t.adjoints {
		if adjoint == nil {
			continue
		}
		for j, tab := range s.inputs {
			list = append(list, d.scan(t, i, nil, tab, nil, []int{j}, adjoint)...)
		}
	}
	return list
}

// scan returns the waves of one argument at the lowest frequencies and at the highest peaks. The
// argument is ω·Π of, in another form unless from is nil, and the term Π factors·wave, with the
// derivative m·wave.
func (d *dictionary) scan(
	t *tangentSpace, place int, factors []int, tab table, from *form, of []int, m []float64,
) []candidate {
	n := len(m)
	r := make([]float64, n)
	floats.MulTo(r, t.along, m)
	power, c := make([]float64, len(tab.omega)), make([]float64, len(tab.omega))
	x := blas64.Vector{N: n, Inc: 1, Data: r}
	blas64.Gemv(blas.NoTrans, 1, tab.sin, x, 0, blas64.Vector{N: len(power), Inc: 1, Data: power})
	blas64.Gemv(blas.NoTrans, 1, tab.cos, x, 0, blas64.Vector{N: len(c), Inc: 1, Data: c})
	for g := range power {
		power[g] = power[g]*power[g] + c[g]*c[g]
	}
	var list []candidate
	for _, g := range tallest(power) {
		floats.MulTo(d.left, m, tab.row(tab.sin, g))
		floats.MulTo(d.right, m, tab.row(tab.cos, g))
		list = append(list, d.wave(t, place, factors, from, termOf(tab.omega[g], of...), d.left, d.right))
	}
	// One peak is one candidate: the others would be chosen only to end up where it does.
	return slices.DeleteFunc(list, func(k candidate) bool { return math.IsInf(k.change, 1) })
}

// tallest returns the lowest frequencies and the highest of the other local maxima.
func tallest(power []float64) []int {
	var list []int
	for g := range min(lowGrid, len(power)) {
		list = append(list, g)
	}
	for range peaks {
		best := -1
		for g := lowGrid; g < len(power); g++ {
			top := power[g] >= power[g-1] && (g+1 == len(power) || power[g] > power[g+1])
			if top && !slices.Contains(list, g) && (best < 0 || power[g] > power[best]) {
				best = g
			}
		}
		if best >= 0 {
			list = append(list, best)
		}
	}
	return list
}

// steps scores sigmoids: of an input, times nothing or an input, of products of two inputs, and of
// functions.
func (s *scans) steps(d *dictionary, t *tangentSpace) []candidate {
	list := append(d.singles(t, s.sigmoids, d.multipliers()), d.singles(t, s.steep, d.monomials[:1])...)
	for i := t.form.inputs; i < len(t.values); i++ {
		if t.values[i] != nil {
			list = append(list, d.singles(t, d.sigmoids(termOf(1, i), t.values[i]), d.monomials[:1])...)
		}
	}
	return list
}

// waveCost is what a sine and its cosine cost, in multiplications.
const waveCost = 8

// cost returns about how many multiplications the scans take for each row.
func (s *scans) cost(d *dictionary, functions int, exact float64) float64 {
	inputs, multipliers := len(s.inputs), len(d.multipliers())
	few := float64(2 * (lowGrid + peaks))
	work := float64(len(s.sigmoids)*multipliers+len(s.steep)) * exact
	if inputs > 0 {
		work += float64(functions*len(s.sigmoids)/inputs) * (exact + waveCost)
	}
	work += float64(inputs*(multipliers+functions)) * (2*gridSize + few*exact)
	if pairs := inputs * (inputs - 1) / 2; pairs <= maxPlanes {
		work += float64(pairs) * (float64(4*d.planes*d.planes+4*(multipliers-1)*planeSize*planeSize) +
			float64(multipliers)*4*exact)
	}
	if inputs <= maxChirps {
		work += float64(inputs*len(s.products)) * (4*nestedSize*nestedSize + 4*exact)
	}
	nested := min(maxNested, functions*(inputs+functions))
	work += float64(nested) * nestedSize * waveCost
	return work + float64((len(s.products)+nested)*multipliers)*(2*nestedSize+few*exact)
}
