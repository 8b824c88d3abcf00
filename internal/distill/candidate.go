package distill

import (
	"math"

	"github.com/eqlearner/eql/model"
)

// A candidate is a term that may be added to a form: w·Π factors, one of which may be a new
// function. With a new wave it is Π factors·(w₁·sin z + w₂·cos z), which is a sine with a phase.
type candidate struct {
	place   int        // the function whose argument the term joins, or outUnit
	factors []int      // of the form
	kind    model.Unit // of a new function among the factors; Identity: there is none
	from    *form      // the form that arg is over; nil: the form itself
	arg     sum        // of the new function; of a wave without the phase that the weights add
	weights [2]float64 // w₁ and w₂, as predicted
	beside  []int      // with an exponential: Π beside has the weight w₂, for 1 − exp(z) times something
	params  int        // constants that it adds
	gain    float64    // what it takes off the SSE, as predicted
	change  float64    // of the criterion, as predicted, with choice
	choice  float64    // what the freedom to choose this term costs; see [dictionary.candidates]
	among   int        // terms that it is the best of; 0: its class has them all
	class   int
}

// with returns the form with a candidate added.
func (f *form) with(c candidate) *form {
	g := f.clone()
	factors := append([]int(nil), c.factors...)
	w := c.weights[0]
	if c.kind != model.Identity {
		arg, kind := g.adopt(c.from, c.arg), c.kind
		if kind == model.Sin {
			// w₁·sin z + w₂·cos z = √(w₁² + w₂²)·sin(z + atan2(w₂, w₁))
			w = math.Hypot(c.weights[0], c.weights[1])
			arg = arg.plus(number(math.Atan2(c.weights[1], c.weights[0])), 1)
		}
		factors = append(factors, g.function(kind, arg))
	}
	k := c.place + 1 // of sums: outUnit is −1
	s := g.sums()[k].plus(termOf(w, factors...), 1)
	if c.beside != nil {
		s = s.plus(termOf(c.weights[1], c.beside...), 1)
	}
	g.set(k, s)
	return g
}

// wave returns the best way to add Π factors·(w₁·sin z + w₂·cos z): the sine, the cosine or both.
// s and c are what the term's derivatives in w₁ and w₂ are on the rows.
func (d *dictionary) wave(t *tangentSpace, place int, factors []int, from *form, arg sum, s, c []float64) candidate {
	onlySin, onlyCos, both := t.two(s, c)
	best := candidate{change: math.Inf(1)}
	for i, f := range []fall{onlySin, onlyCos, both} {
		if !(f.gain > 0) {
			continue
		}
		k := candidate{place: place, factors: factors, kind: model.Sin, from: from, arg: arg, weights: f.weights,
			gain: f.gain}
		k.params = 1 + len(arg.rest())
		if i == 2 || arg.constant() != 0 {
			k.params++
		}
		if k.change = d.change(t, k); k.change < best.change {
			best = k
		}
	}
	return best
}

// single returns a term with one weight, in which the derivative is col.
func (d *dictionary) single(t *tangentSpace, k candidate, col []float64) candidate {
	f := t.one(col)
	k.weights, k.gain = f.weights, f.gain
	k.params = 1
	if k.kind != model.Identity {
		k.params += len(k.arg)
	}
	if k.change = math.Inf(1); k.gain > 0 {
		k.change = d.change(t, k)
	}
	return k
}

// saturation returns a term Π factors·(w₁·f(z) + w₂), in which f(z) and 1, times the factors, have the given values.
func (d *dictionary) saturation(t *tangentSpace, k candidate, f, one []float64) candidate {
	_, _, both := t.two(f, one)
	k.weights, k.gain, k.beside, k.params = both.weights, both.gain, k.factors, 2+len(k.arg)
	if k.change = math.Inf(1); k.gain > 0 {
		k.change = d.change(t, k)
	}
	return k
}

// change predicts what a candidate does to the criterion.
func (d *dictionary) change(t *tangentSpace, k candidate) float64 {
	n := float64(t.data.Rows())
	return d.criterion.Value(math.Max(t.sse-k.gain, 0)/n, k.params) - d.criterion.Value(t.sse/n, 0)
}
