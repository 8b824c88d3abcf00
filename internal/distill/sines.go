package distill

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/model"
)

// merged returns the form in which, once in each sum where both stand with the same other factors, sines i and j
// of nearly the same argument are one:
//
//	A·sin(z + a) + B·sin(z + b) = C·sin(z + c),  C·e^{ic} = A·e^{ia} + B·e^{ib}
func (f *form) merged(i, j int) (*form, bool) {
	if !f.periodic(i) || !f.periodic(j) || !alike(f.functions[i].arg, f.functions[j].arg, 0.2) {
		return nil, false
	}
	zi, zj := f.sineArgument(i), f.sineArgument(j)
	a, b := zi.constant(), zj.constant()
	g := f.clone()
	found := false
	for k := range len(f.functions) + 1 {
		s := g.sums()[k]
		for _, t := range s {
			rest, ok := without(t.factors, f.inputs+i)
			partner, both := s.find(append(slices.Clone(rest), f.inputs+j))
			if !ok || !both || slices.Contains(rest, f.inputs+j) {
				continue
			}
			sine := t.w*math.Sin(a) + partner.w*math.Sin(b)
			cosine := t.w*math.Cos(a) + partner.w*math.Cos(b)
			z := zi
			if math.Abs(partner.w) > math.Abs(t.w) {
				z = zj
			}
			one := g.function(model.Sin, z.rest().plus(number(math.Atan2(sine, cosine)), 1))
			next := s.plus(sum{t, partner}.sorted(), -1).plus(termOf(math.Hypot(sine, cosine), append(rest, one)...), 1)
			g.set(k, next)
			found = true
			break
		}
	}
	return g, found
}

// alike reports whether two arguments have the same terms with weights that differ by at most a
// fraction, apart from the constant.
func alike(a, b sum, within float64) bool {
	a, b = a.rest(), b.rest()
	return slices.EqualFunc(a, b, func(t, u product) bool {
		return slices.Equal(t.factors, u.factors) && math.Abs(t.w-u.w) <= within*math.Max(math.Abs(t.w), math.Abs(u.w))
	})
}

// maxTrig bounds the products and sums of sines that are rewritten in one form.
const maxTrig = 12

// productsAsSums returns, for each term with two sines, the form in which their product is a sum:
//
//	sin a·sin b = (cos(a−b) − cos(a+b))/2
func (f *form) productsAsSums() []*form {
	var list []*form
	for k, s := range f.sums() {
		for _, t := range s {
			i, j, rest, ok := f.twoSines(t.factors)
			if !ok || len(list) == maxTrig {
				continue
			}
			a, b := f.sineArgument(i), f.sineArgument(j)
			g := f.clone()
			half := g.call(model.Cos, a.plus(b, -1)).plus(g.call(model.Cos, a.plus(b, 1)), -1)
			if value, ok := termOf(t.w/2, rest...).times(half); ok {
				g.set(k, s.plus(sum{t}, -1).plus(value, 1))
				list = append(list, g)
			}
		}
	}
	return list
}

// sumsAsProducts returns, for each two terms of a sum that differ in a sine and have nearly the
// same weight w or opposite ones, the form in which they are a product:
//
//	w·sin a + w·sin b = 2w·sin((a+b)/2)·cos((a−b)/2)
//	w·sin a − w·sin b = 2w·cos((a+b)/2)·sin((a−b)/2)
func (f *form) sumsAsProducts() []*form {
	var list []*form
	for k, s := range f.sums() {
		for p, t := range s {
			for _, u := range s[p+1:] {
				i, j, rest, ok := f.differInASine(t.factors, u.factors)
				if !ok || math.Abs(math.Abs(t.w)-math.Abs(u.w)) > 0.15*math.Abs(t.w) || len(list) == maxTrig {
					continue
				}
				a, b := f.sineArgument(i), f.sineArgument(j)
				half, diff := a.plus(b, 1).scaled(0.5), a.plus(b, -1).scaled(0.5)
				g := f.clone()
				first, second := model.Sin, model.Cos
				if t.w > 0 != (u.w > 0) {
					first, second = model.Cos, model.Sin
				}
				w := math.Copysign(math.Abs(t.w)+math.Abs(u.w), t.w)
				value, ok1 := termOf(w, rest...).times(g.call(first, half))
				value, ok2 := value.times(g.call(second, diff))
				if ok1 && ok2 {
					g.set(k, s.plus(sum{t, u}, -1).plus(value, 1))
					list = append(list, g)
				}
			}
		}
	}
	return list
}

// twoSines returns the first two sines or cosines among factors, and the others.
func (f *form) twoSines(factors []int) (i, j int, rest []int, ok bool) {
	var sines []int
	for _, factor := range factors {
		if k := factor - f.inputs; k >= 0 && f.periodic(k) && len(sines) < 2 {
			sines = append(sines, k)
		} else {
			rest = append(rest, factor)
		}
	}
	if len(sines) < 2 {
		return 0, 0, nil, false
	}
	return sines[0], sines[1], rest, true
}

// differInASine reports whether two lists of factors are equal but for a sine or cosine in each.
func (f *form) differInASine(a, b []int) (i, j int, rest []int, ok bool) {
	if len(a) != len(b) {
		return 0, 0, nil, false
	}
	left := slices.Clone(b)
	only := -1
	for _, factor := range a {
		if next, ok := without(left, factor); ok {
			left = next
			rest = append(rest, factor)
		} else if only >= 0 {
			return 0, 0, nil, false
		} else {
			only = factor
		}
	}
	if only < f.inputs || len(left) != 1 || left[0] < f.inputs {
		return 0, 0, nil, false
	}
	i, j = only-f.inputs, left[0]-f.inputs
	return i, j, rest, f.periodic(i) && f.periodic(j)
}

func (f *form) periodic(i int) bool {
	return f.functions[i].kind == model.Sin || f.functions[i].kind == model.Cos
}

// sineArgument returns the argument that function i has as a sine: cos z = sin(z + π/2).
func (f *form) sineArgument(i int) sum {
	arg := f.functions[i].arg
	if f.functions[i].kind == model.Cos {
		return arg.plus(number(math.Pi/2), 1)
	}
	return arg
}
