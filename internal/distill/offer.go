package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
)

// offer is a function from elsewhere, or for waves an argument.
type offer struct {
	kind     model.Unit
	from     *form
	arg      sum
	sin, cos []float64 // of the argument of a wave; the function itself, and nil
}

// nested is a product of functions from elsewhere and inputs, in which a wave may be.
type nested struct {
	from    *form
	factors []int
	table   table
}

// offer adds the functions of a form to the dictionary: of sines and cosines the arguments, with
// and without what is small in them, and sigmoids of these, which waves of waves imitate; others as
// they are; and, for the waves of unknown frequency that may be in them, each function and its products
// with an input.
func (d *dictionary) offer(f *form) {
	for i, g := range f.functions {
		d.offerNested(f, f.inputs+i)
		if !f.periodic(i) {
			if d.offersOf(false) < maxOffers {
				d.offers = append(d.offers, offer{kind: g.kind, from: f, arg: g.arg,
					sin: d.values(f, sum{{1, []int{f.inputs + i}}})})
			}
			continue
		}
		d.offerWave(f, g.arg.rest())
		if main := d.mainPart(f, g.arg.rest()); len(main) < len(g.arg.rest()) {
			d.offerWave(f, main)
		}
	}
}

// maxOffers bounds the waves that networks bring into a dictionary, and other functions.
const maxOffers = 16

// offersOf returns how many waves are offered, or other functions.
func (d *dictionary) offersOf(waves bool) int {
	n := 0
	for _, o := range d.offers {
		if (o.cos != nil) == waves {
			n++
		}
	}
	return n
}

func (d *dictionary) offerWave(f *form, arg sum) {
	if len(arg) == 0 || !d.waves() || d.offersOf(true) >= maxOffers {
		return
	}
	z := d.values(f, arg)
	spread := fit.StandardDeviation(z)
	for _, o := range d.offers {
		// The same argument twice: sines of both are the same to a few hundredths.
		if o.cos != nil && len(o.arg) == len(arg) {
			diff := d.values(o.from, o.arg)
			floats.Sub(diff, z)
			if fit.StandardDeviation(diff) < 0.03*spread {
				return
			}
		}
	}
	if floats.HasNaN(z) {
		return
	}
	d.offerSteps(f, arg, z)
	o := offer{kind: model.Sin, from: f, arg: arg, sin: z, cos: make([]float64, len(z))}
	kernel.Sin(o.sin, o.cos)
	d.offers = append(d.offers, o)
}

// maxSteps bounds the sigmoids that networks bring into a dictionary.
const maxSteps = 150

// offerSteps adds sigmoids of an argument of another form with the values z.
func (d *dictionary) offerSteps(f *form, arg sum, z []float64) {
	for _, o := range d.sigmoids(arg, z) {
		if len(d.steps) < maxSteps {
			o.from = f
			d.steps = append(d.steps, o)
		}
	}
}

// offerNested adds a function of a form, and its products with an input, to be scanned. Of a wave it
// adds those of half its argument too: an even function of a wave, such as cos(x·sin z), looks like
// waves of 2z, since cos 2z = 1 − 2 sin²z.
func (d *dictionary) offerNested(f *form, function int) {
	if !d.waves() {
		return
	}
	add := func(f *form, factors []int) {
		if len(d.nested) >= maxNested {
			return
		}
		if u := d.values(f, sum{{1, factors}}); !floats.HasNaN(u) && fit.StandardDeviation(u) > 0 {
			d.nested = append(d.nested, nested{f, factors, newTable(u, nestedSize)})
		}
	}
	offer := func(f *form, function int) {
		add(f, []int{function})
		for _, m := range d.multipliers()[1:] {
			add(f, append(slices.Clone(m.factors), function))
		}
	}
	offer(f, function)
	if i := function - f.inputs; f.periodic(i) {
		z := f.sineArgument(i).plus(number(math.Pi/2), -1) // as a cosine
		half := f.clone()
		offer(half, half.function(model.Sin, z.scaled(0.5)))
		offer(half, half.function(model.Cos, z.scaled(0.5)))
	}
}

// smallPart is the size below which a term of an argument may be there by mistake, relative to
// the largest, both as standard deviations.
const smallPart = 0.25

// mainPart returns an argument without its small terms.
func (d *dictionary) mainPart(f *form, arg sum) sum {
	sizes := make([]float64, len(arg))
	for i, t := range arg {
		sizes[i] = fit.StandardDeviation(d.values(f, sum{t}))
	}
	var main sum
	for i, t := range arg {
		if sizes[i] >= smallPart*slices.Max(sizes) {
			main = append(main, t)
		}
	}
	return main
}
