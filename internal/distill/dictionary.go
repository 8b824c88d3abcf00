package distill

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// A dictionary is what terms are made of, on the rows that candidates are scored on:
//
//   - monomials of the inputs, up to the fourth degree where there are few inputs, and up to the sixth
//     for one or two;
//   - the functions of the form, and sine and cosine of their arguments, times monomials up to
//     the second degree; products of two functions;
//   - the same of arguments and functions that come from elsewhere (see [dictionary.offer]);
//   - further terms inside the arguments of the form's functions;
//   - sines of unknown frequency, found by scans (scan.go), and sigmoids of unknown place;
//   - exponentials, logarithms and roots of inputs (curves.go), where they are asked for.
type dictionary struct {
	data         fit.Data
	criterion    fit.Criterion
	units        []model.Unit
	monomials    []monomial // by degree, the constant first
	degree       int        // the highest of them
	second       int        // how many of monomials multiply functions
	first        int        // how many of them are the constant and the inputs
	offers       []offer
	steps        []offer  // sigmoids of arguments from elsewhere
	nested       []nested // arguments from elsewhere whose frequency is to be found
	scans        *scans   // nil: no sines of unknown frequency, and no sigmoids
	planes       int      // how many frequencies of each of two inputs are looked at together
	exponentials []offer  // of inputs and their squares; nil: none
	saturating   []offer  // exponentials that may stand beside 1
	powers       []offer  // logarithms and roots of inputs; nil: none
	spectra      []int    // how many frequencies of each input are looked at for fast waves; nil: none
	each         each
	left         []float64 // scratch, as right
	right        []float64
}

// own returns the dictionary with scratch of its own, for another goroutine.
func (d *dictionary) own() *dictionary {
	o := *d
	o.left, o.right = make([]float64, d.data.Rows()), make([]float64, d.data.Rows())
	return &o
}

// monomial is a product of inputs with its values.
type monomial struct {
	factors []int
	col     []float64
}

// Largest numbers of monomials: degrees are added while they stay below.
const (
	maxMonomials   = 170 // 5 inputs: degree 4; 8: degree 3; 16: degree 2
	maxHigh        = 28  // of a degree above the fourth; 2 inputs: degree 6
	maxMultipliers = 28  // 6 inputs: degree 2
)

func newDictionary(d fit.Data, c fit.Criterion, units []model.Unit, scan bool, each each) *dictionary {
	dict := (&dictionary{data: d, criterion: c, units: units, planes: planeSize, each: each}).own()
	ones := make([]float64, d.Rows())
	for r := range ones {
		ones[r] = 1
	}
	dict.monomials = []monomial{{nil, ones}}
	dict.first, dict.second = 1, 1
	begin := 0
	for degree := 1; degree <= 6; degree++ {
		end := len(dict.monomials)
		for _, m := range dict.monomials[begin:end] {
			low := 0
			if len(m.factors) > 0 {
				low = m.factors[len(m.factors)-1]
			}
			for j := low; j < len(d.X); j++ {
				next := monomial{factors: append(slices.Clone(m.factors), j), col: make([]float64, d.Rows())}
				floats.MulTo(next.col, m.col, d.X[j])
				dict.monomials = append(dict.monomials, next)
			}
		}
		begin, dict.degree = end, degree
		count := len(dict.monomials)
		if degree == 1 {
			dict.first = count
		}
		if degree <= 2 && count <= maxMultipliers {
			dict.second = count
		}
		// The next degree has count·(inputs + degree + 1)/(degree + 1) monomials and those below.
		next := count * (len(d.X) + degree + 1) / (degree + 1)
		if next > maxMonomials || degree >= 4 && next > maxHigh || !dict.has(model.Product) {
			break
		}
	}
	if !dict.has(model.Product) {
		dict.second = 1
	}
	if scan {
		dict.scans = newScans(dict)
	}
	return dict
}

func (d *dictionary) has(u model.Unit) bool { return slices.Contains(d.units, u) }

// allows reports whether all units of a law are allowed, or are in the law that it is made of. Sines and cosines are
// one kind.
func (d *dictionary) allows(l, from *Law) bool {
	return !slices.ContainsFunc(l.units, func(u unit) bool {
		if d.has(u.kind) || from.has(u.kind) {
			return false
		}
		wave := u.kind == model.Sin || u.kind == model.Cos
		return !wave || !d.waves() && !from.has(model.Sin) && !from.has(model.Cos)
	})
}

// waves reports whether terms may have sines and cosines.
func (d *dictionary) waves() bool { return d.has(model.Sin) || d.has(model.Cos) }

// multipliers returns what a new wave of the inputs may be multiplied with, besides nothing.
func (d *dictionary) multipliers() []monomial {
	if d.has(model.Product) && len(d.data.X) <= 6 {
		return d.monomials[:d.first]
	}
	return d.monomials[:1]
}

// values returns a sum over a form on the rows.
func (d *dictionary) values(f *form, s sum) []float64 {
	g := f.clone()
	g.out = s
	l, _ := g.law()
	return l.Predict(d.data.X, d.data.Rows())
}

// candidates returns the terms that are predicted to lower the criterion, best first.
//
// To choose among m terms of a class costs 2·ln m, which is about what the best of m useless ones
// gains by chance: the extended criterion of Chen and Chen 2008.
func (d *dictionary) candidates(t *tangentSpace) []candidate {
	classes := []func(*dictionary, *tangentSpace) []candidate{
		(*dictionary).plain, (*dictionary).ofFunctions, (*dictionary).pairs, (*dictionary).offered, (*dictionary).inside,
		(*dictionary).ofNested, (*dictionary).ofSteps, (*dictionary).fast, (*dictionary).ofExponentials,
		(*dictionary).ofPowers, (*dictionary).ofSaturations,
	}
	if s := d.scans; s != nil {
		classes = append(classes, s.ofInputs, s.planes, s.chirps, s.nested, s.within, s.steps)
	}
	lists := collect(d.each, len(classes), func(i int) []candidate { return classes[i](d.own(), t.own()) })
	var all []candidate
	for class, list := range lists {
		for _, k := range list {
			k.class, k.choice = class, 2*math.Log(float64(max(len(list), k.among)))
			if k.change += k.choice; k.change < 0 {
				all = append(all, k)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.change, b.change) })
	return all
}

// plain returns the monomials.
func (d *dictionary) plain(t *tangentSpace) []candidate {
	var list []candidate
	for _, m := range d.monomials {
		list = append(list, d.single(t, candidate{place: outUnit, factors: m.factors}, m.col))
	}
	return list
}

// ofFunctions returns the functions of the form, as they are and with another phase, times
// monomials.
func (d *dictionary) ofFunctions(t *tangentSpace) []candidate {
	var list []candidate
	for i, g := range t.form.functions {
		factor := t.form.inputs + i
		if t.values[factor] == nil {
			continue
		}
		for _, m := range d.monomials[:d.second] {
			floats.MulTo(d.left, t.values[factor], m.col)
			list = append(list, d.single(t, candidate{place: outUnit, factors: append(slices.Clone(m.factors), factor)}, d.left))
			if g.kind != model.Sin && g.kind != model.Cos {
				continue
			}
			// (sin)′ = cos and (cos)′ = −sin of the whole argument.
			floats.MulTo(d.right, t.slopes[i], m.col)
			s, c := d.left, d.right
			if g.kind == model.Cos {
				floats.Scale(-1, d.right)
				s, c = d.right, d.left
			}
			list = append(list, d.wave(t, outUnit, m.factors, nil, g.arg, s, c))
		}
	}
	return list
}

// pairs returns the products of two functions of the form.
func (d *dictionary) pairs(t *tangentSpace) []candidate {
	var list []candidate
	if !d.has(model.Product) {
		return nil
	}
	for i := t.form.inputs; i < len(t.values); i++ {
		for j := i; j < len(t.values); j++ {
			if t.values[i] != nil && t.values[j] != nil {
				floats.MulTo(d.left, t.values[i], t.values[j])
				list = append(list, d.single(t, candidate{place: outUnit, factors: []int{i, j}}, d.left))
			}
		}
	}
	return list
}

// offered returns the functions from elsewhere, times monomials.
func (d *dictionary) offered(t *tangentSpace) []candidate {
	var list []candidate
	for _, o := range d.offers {
		multipliers := d.monomials[:d.second]
		if o.cos == nil && d.second > d.first {
			multipliers = d.monomials[:d.first]
		}
		for _, m := range multipliers {
			floats.MulTo(d.left, o.sin, m.col)
			if o.cos == nil {
				list = append(list, d.single(t, candidate{place: outUnit, factors: m.factors, kind: o.kind, from: o.from,
					arg: o.arg}, d.left))
				continue
			}
			floats.MulTo(d.right, o.cos, m.col)
			list = append(list, d.wave(t, outUnit, m.factors, o.from, o.arg, d.left, d.right))
		}
	}
	return list
}

// ofSteps returns the sigmoids from elsewhere, times nothing or an input.
func (d *dictionary) ofSteps(t *tangentSpace) []candidate {
	return d.singles(t, d.steps, d.multipliers())
}

// singles returns functions as they are, times each of some monomials.
func (d *dictionary) singles(t *tangentSpace, offers []offer, multipliers []monomial) []candidate {
	var list []candidate
	for _, o := range offers {
		for _, m := range multipliers {
			floats.MulTo(d.left, o.sin, m.col)
			list = append(list, d.single(t, candidate{place: outUnit, factors: m.factors, kind: o.kind, from: o.from,
				arg: o.arg}, d.left))
		}
	}
	return list
}

// ofNested scans the waves of products from elsewhere, times nothing or an input.
func (d *dictionary) ofNested(t *tangentSpace) []candidate {
	var list []candidate
	for _, n := range d.nested {
		for _, m := range d.multipliers() {
			list = append(list, d.scan(t, outUnit, m.factors, n.table, n.from, n.factors, m.col)...)
		}
	}
	return list
}

// inside returns further terms for the arguments of the form's functions: monomials up to the
// second degree, other functions, and those times an input. A weight inside has the derivative
// z̄·Π factors, with z̄ that of the output in the argument.
func (d *dictionary) inside(t *tangentSpace) []candidate {
	var list []candidate
	for i := range t.form.functions {
		if t.adjoints[i] == nil {
			continue
		}
		add := func(factors []int, col []float64) {
			floats.MulTo(d.left, t.adjoints[i], col)
			list = append(list, d.single(t, candidate{place: i, factors: factors}, d.left))
		}
		for _, m := range d.monomials[1:max(d.first, d.second)] {
			add(m.factors, m.col)
		}
		for j := range t.form.functions {
			factor := t.form.inputs + j
			if t.values[factor] == nil || t.form.dependsOn(j, i) {
				continue
			}
			add([]int{factor}, t.values[factor])
			for _, m := range d.multipliers()[1:] {
				floats.MulTo(d.right, t.values[factor], m.col)
				add(append(slices.Clone(m.factors), factor), d.right)
			}
		}
	}
	return list
}

// cost returns about how many multiplications it takes to score all candidates.
func (d *dictionary) cost(t *tangentSpace) float64 {
	exact := float64(t.q.Rows + 4) // of a column
	functions := len(t.form.functions)
	columns := len(d.monomials) + functions*(3*d.second+functions+d.first+functions*d.first)
	columns += 2*len(d.offers)*d.second + len(d.steps)*d.first
	columns += (len(d.exponentials)+len(d.powers))*(d.second+functions) + 2*len(d.saturating)*d.first
	rows := float64(d.data.Rows())
	work := float64(columns) * exact * rows
	work += float64(len(d.nested)*len(d.multipliers())) * (2*nestedSize + 2*(lowGrid+peaks)*exact) * rows
	if d.scans != nil {
		work += d.scans.cost(d, functions, exact) * rows
	}
	for _, size := range d.spectra {
		work += float64(max(0, size-gridSize)) * spectrumCost * math.Min(rows, spectrumRows)
	}
	return work
}
