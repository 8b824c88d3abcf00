package distill

import (
	"math"
	"math/bits"
	"slices"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// simplify tries to replace units by simpler ones, one at a time, each with a refit and a
// pruning, and keeps what lowers the criterion, until nothing does.
//
// Training often uses a short piece of a sine, cosine or sigmoid as a straight line or a
// parabola: it fits inside the data and is wrong outside. Pruning cannot see that, since no
// single constant of such a unit is small.
func (s search) simplify(at state) state {
	for i := 0; i < len(at.law.units); {
		best := at
		for _, candidate := range replacements(at.law, i) {
			if s.over() {
				return best
			}
			if next, ok := s.try(candidate, at.value); ok && next.value < best.value {
				best = next
			}
		}
		if best.law == at.law {
			i++
			continue
		}
		at, i = best, 0
	}
	return at
}

// try fits and prunes what may take the place of a law with the given value of the criterion. It
// reports false when the first steps of the fit, or the fit, leave too much for pruning to make good.
func (s search) try(l *Law, value float64) (state, bool) {
	first := s
	first.steps = min(s.steps, firstSteps)
	next := first.fit(l)
	if next.value > value+2*hopeless*s.criterion.Price() {
		return next, false
	}
	if next = s.fit(next.law); next.value > value+hopeless*s.criterion.Price() {
		return next, false
	}
	return s.prune(next), true
}

// hopeless is how many constants pruning would have to take out of a replacement, beyond what its
// fit lost, for it to be worth trying.
const hopeless = 10

// replacements returns the laws in which unit i has become something simpler.
func replacements(l *Law, i int) []*Law {
	u := l.units[i]
	if u.kind == model.Product {
		return nil
	}
	laws := []*Law{
		l.replaced(i, func(_ *Law, z affine) affine { return tangent(u.kind, z) }),
		l.replaced(i, func(b *Law, z affine) affine { return parabola(b, u.kind, z) }),
	}
	for j := range i {
		if merged, ok := merge(l, j, i); ok {
			laws = append(laws, merged)
		}
	}
	return laws
}

// replaced returns the law with the value of unit i made by f from its argument.
func (l *Law) replaced(i int, f func(b *Law, z affine) affine) *Law {
	return l.rebuilt(func(b *Law, k int, kind model.Unit, args []affine) affine {
		if k == i {
			return f(b, args[0])
		}
		return b.add(kind, args)
	})
}

// tangent is the unit's first-order expansion at the bias b of its argument: f(b) + f′(b)·(z−b).
func tangent(kind model.Unit, z affine) affine {
	d, _ := kind.Derivative(z.bias, 0)
	if math.Abs(d) < 1e-3 {
		d = 1e-3 // keep the inputs: the refit finds their weights
	}
	slope := constant(0).plus(affine{terms: z.terms}, d)
	slope.bias = kind.Value(z.bias, 0)
	return slope
}

// parabola is the second-order expansion, with the square as a product.
func parabola(b *Law, kind model.Unit, z affine) affine {
	const h = 1e-4
	up, _ := kind.Derivative(z.bias+h, 0)
	down, _ := kind.Derivative(z.bias-h, 0)
	second := (up - down) / (2 * h)
	linear := affine{terms: z.terms}
	square := b.add(model.Product, []affine{linear, linear})
	return tangent(kind, z).plus(square, second/2)
}

// merge returns the law in which sine or cosine i is expressed by unit j, when both have nearly
// the same argument up to the phase: A·sin(z+a) + B·sin(z+b) is one sine of z.
func merge(l *Law, j, i int) (*Law, bool) {
	u, v := l.units[j], l.units[i]
	periodic := func(k model.Unit) bool { return k == model.Sin || k == model.Cos }
	if !periodic(u.kind) || !periodic(v.kind) || len(u.args[0].terms) != len(v.args[0].terms) {
		return nil, false
	}
	for t, a := range u.args[0].terms {
		b := v.args[0].terms[t]
		if a.from != b.from || math.Abs(a.w-b.w) > 0.2*math.Max(math.Abs(a.w), math.Abs(b.w)) {
			return nil, false
		}
	}
	phase := func(u unit) float64 {
		if u.kind == model.Cos {
			return u.args[0].bias + math.Pi/2
		}
		return u.args[0].bias
	}
	// Only the output's reading of both is merged; then the sum is exact for equal arguments.
	var amplitude [2]float64
	for _, t := range l.out.terms {
		switch t.from {
		case l.inputs + j:
			amplitude[0] = t.w
		case l.inputs + i:
			amplitude[1] = t.w
		}
	}
	if amplitude[0] == 0 || amplitude[1] == 0 {
		return nil, false
	}
	s := amplitude[0]*math.Sin(phase(u)) + amplitude[1]*math.Sin(phase(v))
	c := amplitude[0]*math.Cos(phase(u)) + amplitude[1]*math.Cos(phase(v))
	m := l.clone()
	m.units[j].kind = model.Sin
	m.units[j].args[0].bias = math.Atan2(s, c)
	for t := range m.out.terms {
		switch m.out.terms[t].from {
		case l.inputs + j:
			m.out.terms[t].w = math.Hypot(s, c)
		case l.inputs + i:
			m.out.terms[t].w = 0
		}
	}
	return m.rebuilt(nil), true
}

// collapse tries to explain all that depends on the same one or two inputs by a single unit of
// their linear combination. Training may build a sigmoid out of nested sines, which is as good
// inside the data and wrong outside, and no single step of simplify leads from there to it.
func (s search) collapse(at state) state {
	for _, support := range at.law.supports() {
		best := at
		for _, candidate := range s.collapsed(at.law, support) {
			if s.over() {
				return best
			}
			next := s.fit(candidate)
			if next.value > at.value+hopeless*s.criterion.Price() {
				continue
			}
			if next = s.prune(next); next.value < best.value {
				best = next
			}
		}
		if best.law != at.law {
			return s.collapse(best) // the supports have changed
		}
	}
	return at
}

// maxSupport is the largest number of inputs that collapse looks at together.
const maxSupport = 2

// supports returns the different sets of inputs, as bit masks of at most maxSupport bits, that
// units read by the output depend on, where there is something to collapse: a unit of units, or
// several units of the same inputs.
func (l *Law) supports() []uint64 {
	if l.inputs > 64 {
		return nil
	}
	of := l.support()
	count := map[uint64]int{}
	var order []uint64
	for _, t := range l.out.terms {
		i := t.from - l.inputs
		if i < 0 || bits.OnesCount64(of[t.from]) > maxSupport {
			continue
		}
		if count[of[t.from]] == 0 {
			order = append(order, of[t.from])
		}
		count[of[t.from]]++
		for _, a := range l.units[i].args {
			for _, t2 := range a.terms {
				if t2.from >= l.inputs {
					count[of[t.from]]++
				}
			}
		}
	}
	return slices.DeleteFunc(order, func(m uint64) bool { return count[m] < 2 })
}

// support returns, for each source, the inputs it depends on.
func (l *Law) support() []uint64 {
	of := make([]uint64, l.inputs, l.inputs+len(l.units))
	for j := range of {
		of[j] = 1 << j
	}
	for _, u := range l.units {
		var m uint64
		for _, a := range u.args {
			for _, t := range a.terms {
				m |= of[t.from]
			}
		}
		of = append(of, m)
	}
	return of
}

// collapsed returns laws in which the output reads, of all units with the given support, only one
// new unit, with different kinds and starts. A straight line in the same inputs stays possible.
func (s search) collapsed(l *Law, support uint64) []*Law {
	of := l.support()
	base := l.clone()
	base.out.terms = slices.DeleteFunc(base.out.terms,
		func(t term) bool { return t.from >= l.inputs && of[t.from] == support })
	base = base.withoutUnread()
	amplitude := fit.StandardDeviation(s.data.Y)
	var laws []*Law
	for _, kind := range []model.Unit{model.Sigmoid, model.Sin} {
		for _, steepness := range []float64{1.5, 4} {
			for _, sign := range signs(support) {
				c := base.clone()
				arg := affine{bias: 0.1}
				k := 0
				for j := range l.inputs {
					if support&(1<<j) != 0 {
						arg.terms = append(arg.terms, term{j, sign[k] * steepness / math.Max(fit.StandardDeviation(s.data.X[j]), 1e-6)})
						k++
					}
				}
				c.units = append(c.units, unit{kind, []affine{arg}})
				c.out.terms = append(c.out.terms, term{l.inputs + len(c.units) - 1, amplitude})
				laws = append(laws, c)
			}
		}
	}
	return laws
}

// signs returns the signs to try for the weights of the inputs of a support; that of the first is
// free to choose, since the output's weight can turn it.
func signs(support uint64) [][]float64 {
	if bits.OnesCount64(support) < 2 {
		return [][]float64{{1}}
	}
	return [][]float64{{1, 1}, {1, -1}}
}
