package distill

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/model"
)

// asOtherWaves returns the forms in which terms that begin like another wave are that wave. Short pieces of
// waves and polynomials differ little, so the criterion decides which it is, in the end on all rows (see
// [Growth.finish]).
func (f *form) asOtherWaves() []*form {
	return slices.Concat(f.polynomialsAsWaves(), f.wavesWithSquares(), f.wavesTimesInput())
}

// polynomialsAsWaves returns, for each two terms of a sum that differ in the square of an input and have
// opposite signs, the forms in which they are the beginning of a wave:
//
//	c − d·x² ≈ c·cos ωx,         ω² = 2d/c
//	c·x − d·x³ ≈ (c/ω)·sin ωx,   ω² = 6d/c
func (f *form) polynomialsAsWaves() []*form {
	var list []*form
	for k, s := range f.sums() {
		for _, t := range s {
			for _, u := range s {
				x, ok := f.squareMore(t.factors, u.factors)
				if !ok || !(u.w/t.w < 0) {
					continue
				}
				wave := func(kind model.Unit, rest []int, w, omega float64) {
					g := f.clone()
					if value, ok := termOf(w, rest...).times(g.call(kind, termOf(omega, x))); ok && len(list) < maxTrig {
						g.set(k, s.plus(sum{t, u}.sorted(), -1).plus(value, 1))
						list = append(list, g)
					}
				}
				wave(model.Cos, t.factors, t.w, math.Sqrt(-2*u.w/t.w))
				if rest, ok := without(t.factors, x); ok {
					omega := math.Sqrt(-6 * u.w / t.w)
					wave(model.Sin, rest, t.w/omega, omega)
				}
			}
		}
	}
	return list
}

// wavesWithSquares returns, for each cosine of an input beside the square of that input, the form in which
// they are one cosine with the same second and fourth derivative at zero:
//
//	b·cos ωx + d·x² ≈ C·cos Ωx + b − C,    CΩ² = bω² − 2d,    CΩ⁴ = bω⁴
func (f *form) wavesWithSquares() []*form {
	var list []*form
	for _, t := range f.inputWaves() {
		u, ok := f.sums()[t.sum].find(append(slices.Clone(t.rest), t.x, t.x))
		b := t.w * t.sin
		second, fourth := b*t.omega*t.omega-2*u.w, b*math.Pow(t.omega, 4)
		if !ok || !(second*fourth > 0) || len(list) == maxTrig {
			continue
		}
		squared := fourth / second
		c := second / squared
		g := f.clone()
		if value, ok := termOf(c, t.rest...).times(g.call(model.Cos, termOf(math.Sqrt(squared), t.x))); ok {
			g.set(t.sum, f.sums()[t.sum].plus(sum{t.product, u}.sorted(), -1).plus(value, 1).plus(termOf(b-c, t.rest...), 1))
			list = append(list, g)
		}
	}
	return list
}

// inputWave is a term w·Π rest·sin(ωx + φ) of a sum, with an input x.
type inputWave struct {
	product
	sum      int // of [form.sums]
	rest     []int
	x        int
	omega    float64
	sin, cos float64 // of φ
}

func (f *form) inputWaves() []inputWave {
	var list []inputWave
	for k, s := range f.sums() {
		for _, t := range s {
			for i, g := range f.functions {
				rest, ok := without(t.factors, f.inputs+i)
				arg := g.arg.rest()
				if !ok || !f.periodic(i) || len(arg) != 1 || len(arg[0].factors) != 1 || arg[0].factors[0] >= f.inputs {
					continue
				}
				sin, cos := math.Sincos(f.sineArgument(i).constant())
				list = append(list, inputWave{t, k, rest, arg[0].factors[0], arg[0].w, sin, cos})
			}
		}
	}
	return list
}

// squareMore returns the input whose square is all that b has and a has not.
func (f *form) squareMore(a, b []int) (x int, ok bool) {
	if len(b) != len(a)+2 {
		return 0, false
	}
	left := b
	for _, factor := range a {
		if left, ok = without(left, factor); !ok {
			return 0, false
		}
	}
	return left[0], left[0] == left[1] && left[0] < f.inputs
}

// wavesTimesInput returns, for each cosine of an input times that input, and for each sine of an input, the
// form in which it is the other, with the same first and third derivative at zero:
//
//	x·cos ωx ≈ sin(Ωx)/Ω,    Ω² = 3ω²
func (f *form) wavesTimesInput() []*form {
	var list []*form
	for _, t := range f.inputWaves() {
		g := f.clone()
		shorter, has := without(t.rest, t.x)
		var value sum
		var ok bool
		switch {
		case has && math.Abs(t.cos) < nearlyZero:
			omega := math.Sqrt(3) * t.omega
			value, ok = termOf(t.w*t.sin/omega, shorter...).times(g.call(model.Sin, termOf(omega, t.x)))
		case math.Abs(t.sin) < nearlyZero:
			wave := g.call(model.Cos, termOf(t.omega/math.Sqrt(3), t.x))
			value, ok = termOf(t.w*t.cos*t.omega, append(slices.Clone(t.rest), t.x)...).times(wave)
		default:
			continue
		}
		if ok && len(list) < maxTrig {
			g.set(t.sum, f.sums()[t.sum].plus(sum{t.product}, -1).plus(value, 1))
			list = append(list, g)
		}
	}
	return list
}

// nearlyZero is the size below which the sine or cosine of a phase counts as none.
const nearlyZero = 0.1

// bend is the angle at the ends of an input's range at which a wave that was taken for a line begins to be
// fitted.
const bend = 2

// linesAsWaves returns, for each term of an argument that is an input alone, the form in which it is the
// beginning of a wave:
//
//	w·x ≈ (w/ω)·sin ωx
//
// A function that flattens, such as a sigmoid, hides most of the wave in its argument, and what then is left
// of it looks like other terms.
func (g *grower) linesAsWaves(f *form) []*form {
	var list []*form
	for i, function := range f.functions {
		for _, t := range function.arg {
			if len(t.factors) != 1 || t.factors[0] >= f.inputs || len(list) == maxTrig {
				continue
			}
			x := t.factors[0]
			omega := bend / gridStep * frequency(g.data.X[x])
			other := f.clone()
			wave := other.call(model.Sin, termOf(omega, x))
			other.set(i+1, function.arg.plus(sum{t}, -1).plus(wave, t.w/omega))
			list = append(list, other)
		}
	}
	return list
}
