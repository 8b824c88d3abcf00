package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// Exponentials, logarithms, roots and powers are in laws of decay, growth, diffusion and size. They are looked for in
// two ways, apart from the search for sums and with as much work:
//
//   - as terms of a sum, exp(w·x), exp(w·x²), log(x), √x and more of inputs x, times monomials or a function that the
//     law has: term by term, as all other terms are, and all at once, as P in the search for quotients;
//   - around a law: y = ±exp(L) and y = ±√L, with L found from ln |y| and y² and then fitted to y (enclosed.go). With
//     logarithms in L the first are also powers of any exponent: exp(a·log x + b) is x^a·e^b.

// transcendental returns the best law with exponentials or logarithms, fitted and pruned, or the law that was found
// without them where that is as good. The ways share the budget.
func (g *grower) transcendental(at state, budget *meter) state {
	best := at
	if !g.dictionary.has(model.Exp) || !g.dictionary.has(model.Log) {
		return best
	}
	var growers [2]grower // with few curves, and with many, among which the right ones are harder to see
	for i := range growers {
		growers[i] = *g
		d := newDictionary(g.score, g.criterion, g.units, false, g.dictionary.each)
		c := d.curved(i == 1)
		d.exponentials, d.powers = c.exponentials, c.powers
		if i == 1 {
			d.saturating = d.exponentials
		}
		d.offerWaves(at.law)
		growers[i].dictionary = d
	}
	few, many := &growers[0], &growers[1]
	nothing := &Law{inputs: at.law.inputs, out: affine{bias: fit.Mean(g.data.Y)}}
	ways := []struct {
		g   *grower
		law func(g *grower) (state, bool)
	}{
		{few, func(g *grower) (state, bool) { return g.sumOfCurves(curvesOf(g.data)) }},
		{few, func(g *grower) (state, bool) { return g.enclosed(exponential) }},
		{few, func(g *grower) (state, bool) { return g.enclosed(root) }},
		{few, func(g *grower) (state, bool) { return g.beginCurves(nothing), true }},
		{many, func(g *grower) (state, bool) { return g.beginCurves(nothing), true }},
	}
	for i, way := range ways {
		way.g.budget = budget.part(budget.left() / float64(len(ways)-i)) // what one leaves is for the others
		if next, found := way.law(way.g); found {
			if next = way.g.tidy(next); better(next.law, next.value, best.law, best.value) {
				best = next
			}
		}
	}
	return best
}

// sumOfCurves returns the best polynomial, or quotient of two, with the functions of a form in it.
func (g *grower) sumOfCurves(f *form) (state, bool) {
	best, _, ok := g.quotientOrSum(&form{inputs: f.inputs, functions: f.functions}, true, nil)
	return best, ok
}

// beginCurves grows laws from the most promising first terms, looks for sums and quotients of what they begin with and
// end with, such as x − x·exp(z), and returns the best.
func (g *grower) beginCurves(nothing *Law) state {
	best := g.fit(nothing)
	var made []state
	for i, next := range g.additions(best) {
		if i == starts || i > 0 && g.over() {
			break
		}
		first := g.settle(next)
		grown := g.grow(first)
		if made = append(made, first, grown); grown.value < best.value {
			best = grown
		}
	}
	for _, at := range made {
		f, ok := at.law.expand()
		if !ok || len(f.functions) == 0 || len(f.functions) > maxSummed || g.over() {
			continue
		}
		if sum, ok := g.sumOfCurves(f); ok && better(sum.law, sum.value, best.law, best.value) {
			best = sum
		}
	}
	return best
}

// maxSummed is up to how many functions of a law sums are looked for; in longer ones there is less of the truth.
const maxSummed = 4

// offerWaves adds the arguments of a law's sines and cosines to the dictionary.
func (d *dictionary) offerWaves(l *Law) {
	f, ok := l.expand()
	if !ok {
		return
	}
	for i, g := range f.functions {
		if f.periodic(i) {
			d.offerWave(f, g.arg.rest())
		}
	}
}

// tidy rewrites a law while it is short enough to be one.
func (g *grower) tidy(at state) state {
	const short = 10 // constants
	return g.rewriteShort(at, short)
}

// curvesOf returns a form with the logarithms and roots of the inputs that are never negative, and no terms.
func curvesOf(d fit.Data) *form {
	f := &form{inputs: len(d.X)}
	for j, x := range d.X {
		if slices.Min(x) >= 0 {
			log := f.function(model.Log, termOf(1, j))
			f.function(model.Exp, termOf(freeHalf, log))
		}
	}
	return f
}

// Curves of inputs: how much their arguments change by a standard deviation, and up to how many inputs there are any.
var curveSteps = []float64{-4, -2, -1, -0.5, -0.25, 0.25, 0.5, 1, 2, 4}

const (
	maxCurved    = 20
	maxQuotients = 4 // with quotients of inputs in exponentials
	maxPaired    = 6 // with roots of products of two inputs
)

// curves are functions of inputs that terms may be made of.
type curves struct {
	d                    *dictionary
	exponentials, powers []offer
}

// curved returns exponentials of inputs and of their squares, and logarithms and roots of inputs; if there may be many,
// also exponentials of products and quotients of up to three inputs, bells of single ones, logarithms and roots of
// inputs counted from below or above the data, and roots of products of two.
func (d *dictionary) curved(many bool) (c curves) {
	c.d = d
	inputs, multiplies := len(d.data.X), d.has(model.Product)
	if inputs > maxCurved {
		return c
	}
	nothing := &form{inputs: inputs}
	for j, x := range d.data.X {
		low, high := slices.Min(x), slices.Max(x)
		if low == high {
			continue
		}
		if multiplies {
			c.exponential(nothing, []int{j, j})
		}
		if !many || inputs > maxQuotients {
			c.exponential(nothing, []int{j})
		}
		if low >= 0 {
			c.logarithm(termOf(1, j))
		}
		if !many {
			continue
		}
		for _, part := range []float64{0.05, 0.3, 1.5} {
			c.logarithm(termOf(1, j).plus(number(part*(high-low)-low), 1))
			c.logarithm(termOf(-1, j).plus(number(part*(high-low)+high), 1))
		}
		for _, place := range []float64{0.25, 0.5, 0.75} {
			for _, width := range []float64{0.08, 0.2, 0.5} {
				if multiplies {
					c.bell(j, low+place*(high-low), width*(high-low))
				}
			}
		}
		for i := range j {
			if low >= 0 && slices.Min(d.data.X[i]) >= 0 && inputs <= maxPaired {
				c.root(termOf(1, i), termOf(1, j))
			}
		}
	}
	if many && inputs <= maxQuotients {
		d.signedProducts(3, c.exponential)
	}
	return c
}

// add adds a function of an argument over a form to a list, where it is finite on the data.
func (c *curves) add(list *[]offer, kind model.Unit, from *form, arg sum) {
	f := from.clone()
	values := c.d.values(f, sum{{1, []int{f.function(kind, arg)}}})
	if finite(values) {
		*list = append(*list, offer{kind: kind, from: from, arg: arg, sin: values})
	}
}

// finite reports whether all values are finite numbers.
func finite(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// exponential adds those of a product of factors of a form, at several rates.
func (c *curves) exponential(from *form, factors []int) {
	size := fit.StandardDeviation(c.d.values(from, sum{{1, factors}}))
	for _, step := range curveSteps {
		if size > 0 && !math.IsInf(size, 0) {
			c.add(&c.exponentials, model.Exp, from, termOf(step/size, factors...))
		}
	}
}

// bell adds exp(−(x − middle)²/2·width²) for input j.
func (c *curves) bell(j int, middle, width float64) {
	w := 1 / (2 * width * width)
	z := termOf(-w, j, j).plus(termOf(2*w*middle, j), 1).plus(number(-w*middle*middle), 1)
	c.add(&c.exponentials, model.Exp, &form{inputs: len(c.d.data.X)}, z)
}

// logarithm adds that of an argument over the inputs, and its root.
func (c *curves) logarithm(z sum) {
	c.add(&c.powers, model.Log, &form{inputs: len(c.d.data.X)}, z)
	c.root(z)
}

// freeHalf is where the exponents of roots in sums begin, which may become others: a half is held.
const freeHalf = half * (1 + 1e-9)

// root adds that of a product of arguments over the inputs.
func (c *curves) root(arguments ...sum) {
	logs := &form{inputs: len(c.d.data.X)}
	var z sum
	for _, a := range arguments {
		z = z.plus(termOf(freeHalf, logs.function(model.Log, a)), 1)
	}
	c.add(&c.powers, model.Exp, logs, z)
}

// signedProducts calls f with all products and quotients of at most some inputs, none of them twice, as factors of a
// form that has the reciprocals.
func (d *dictionary) signedProducts(most int, f func(from *form, factors []int)) {
	var next func(j int, from *form, factors []int)
	next = func(j int, from *form, factors []int) {
		if j == len(d.data.X) || len(factors) == most {
			if len(factors) > 0 {
				f(from, factors)
			}
			return
		}
		next(j+1, from, factors)
		if len(factors) > 0 && !d.has(model.Product) {
			return
		}
		next(j+1, from, append(slices.Clone(factors), j))
		if x := d.data.X[j]; d.has(model.Reciprocal) && (slices.Min(x) > 0 || slices.Max(x) < 0) {
			from = from.clone()
			next(j+1, from, append(slices.Clone(factors), from.function(model.Reciprocal, termOf(1, j))))
		}
	}
	next(0, &form{inputs: len(d.data.X)}, nil)
}

// ofExponentials returns exponentials of inputs, times monomials or a function of the form.
func (d *dictionary) ofExponentials(t *tangentSpace) []candidate {
	return d.ofOffers(t, d.exponentials)
}

// ofPowers returns logarithms and roots of inputs in the same way.
func (d *dictionary) ofPowers(t *tangentSpace) []candidate { return d.ofOffers(t, d.powers) }

// ofSaturations returns exponentials beside 1, times an input.
func (d *dictionary) ofSaturations(t *tangentSpace) (list []candidate) {
	for _, o := range d.saturating {
		for _, m := range d.multipliers()[1:] {
			floats.MulTo(d.left, o.sin, m.col)
			list = append(list, d.saturation(t, candidate{place: outUnit, factors: m.factors, kind: o.kind, from: o.from,
				arg: o.arg}, d.left, m.col))
		}
	}
	return list
}

// ofOffers returns functions from elsewhere, times monomials or a function of the form.
func (d *dictionary) ofOffers(t *tangentSpace, offers []offer) []candidate {
	list := d.singles(t, offers, d.monomials[:d.second])
	if !d.has(model.Product) {
		return list
	}
	for _, o := range offers {
		for i := range t.form.functions {
			factor := t.form.inputs + i
			if t.values[factor] != nil {
				floats.MulTo(d.left, o.sin, t.values[factor])
				list = append(list, d.single(t, candidate{place: outUnit, factors: []int{factor}, kind: o.kind, from: o.from,
					arg: o.arg}, d.left))
			}
		}
	}
	return list
}
