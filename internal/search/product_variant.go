package search

import (
	"math"
	"slices"
)

// triedPowers are the powers of the last function that are tried beside the fitted one.
var triedPowers = [...]float64{-2, -1, -0.5, 0.5, 1, 2}

// farPower is how far a tried power of a wave may be from the fitted one.
const farPower = 0.8

// variants returns a state with free exponents, and its variants without one of those of the inputs that the last
// function has, with rounded exponents, and with different powers of the last function. With free exponents many laws
// are as good as the true one within the noise: x^a·exp(c·x²) is near to exp(−k·x).
func (p *product) variants(from []atom) []fitted {
	atoms := slices.Clone(from)
	sse, b := p.solve(atoms)
	if sse >= impossible {
		return nil
	}
	n := float64(p.s.ns)
	price := p.priceOf(p.s.d+2*len(atoms)) + pricePerFactor*factors(atoms)
	out := []fitted{{atoms: atoms, b: b, score: n*math.Log(sse) + price}}
	last := atoms[len(atoms)-1]
	for j := range p.s.d {
		if !p.has(last, j) {
			continue
		}
		if sse, b := p.solveWithout(atoms, j); sse < impossible {
			out = append(out, fitted{atoms: atoms, b: b, score: n*math.Log(sse) + price - p.priceOf(1)})
		}
	}
	out = p.addRounded(out, atoms)
	if last.g == shapeExp || last.g == shapePair {
		return out
	}
	wave := last.shape().wave
	for _, pw := range triedPowers {
		if pw*b[len(b)-1] < 0 && !last.shape().mirrored || !whole(pw) && !p.s.units.root ||
			wave && (!whole(pw) || math.Abs(pw-b[len(b)-1]) > farPower) {
			continue
		}
		q := slices.Clone(atoms)
		a := &q[len(q)-1]
		a.p, a.chosen = pw, true
		if !wave && last.g != shapeLog && !last.held && !p.bestConstant(q) {
			continue
		}
		if p.refine(q, len(q)-1, p.variantSpan(*a)) < impossible {
			out = p.addRounded(out, q)
		}
	}
	return out
}

// has reports whether a function depends on an input.
func (p *product) has(a atom, input int) bool {
	return slices.ContainsFunc(a.m, func(f factor) bool { return p.s.feats[f.feat].has(input) })
}

func (p *product) variantSpan(a atom) float64 {
	switch {
	case a.shape().wave:
		return 0.08
	case a.g == shapeOnePlus && a.c < 0:
		return 0.3
	}
	return 0.5
}

func factors(atoms []atom) float64 {
	n := 0
	for _, a := range atoms {
		n += len(a.m) + 1
	}
	return float64(n)
}

// bestConstant looks for the inner constant of the last function afresh, its power being chosen.
func (p *product) bestConstant(q []atom) bool {
	a := &q[len(q)-1]
	best, at := impossible, a.c
	for _, c := range p.variantConstants(*a) {
		a.c = c
		if sse, _ := p.solve(q); sse < best {
			best, at = sse, c
		}
	}
	a.c = at
	return best < impossible
}

func (p *product) variantConstants(a atom) []float64 {
	if a.g != shapeOnePlus {
		var out []float64
		for _, f := range []float64{0.25, 0.5, 0.7, 1.4, 2, 4, 1} {
			out = append(out, a.c*f)
			if a.shape().mirrored {
				out = append(out, -a.c*f)
			}
		}
		return out
	}
	v := make([]float64, p.s.ns)
	p.s.monoValues(a.m, v)
	info, _ := stats(v, a.m)
	top := info.nearTop
	if !whole(a.p) {
		top = info.top
	}
	var out []float64
	for k := -6; k <= 6; k++ {
		c := math.Pow(10, float64(k)/3) / info.mean
		out = append(out, c)
		if c*top < 0.995 || p.crossing {
			out = append(out, -c)
		}
	}
	return append(out, -0.97/top, -1.03/info.least, -1.2/info.least, -2/info.least, a.c)
}

// Prices of variants with rounded exponents, beside those of the constants and pricePerFactor for each part of a
// function.
const (
	priceInput    = 4 // an input with an exponent, and each oddity of an exponent
	highExponent  = 3 // exponents beyond this are odd, and broken ones other than ½
	oddPowerPrice = 2 // in units of priceInput: a power of a function beyond 2, or broken other than ½
)

// addRounded appends the variant of atoms with rounded exponents, if there is one.
func (p *product) addRounded(out []fitted, from []atom) []fitted {
	atoms := slices.Clone(from)
	sse, b, ones := p.roundedFit(atoms)
	if sse >= impossible {
		return out
	}
	odd := 0
	for _, e := range b[1 : 1+p.s.d] {
		h := math.Abs(e)
		odd += btoi(e != 0) + btoi(h > highExponent || h != 0.5 && !whole(h))
	}
	for _, a := range atoms {
		odd += btoi(slices.ContainsFunc(a.m, func(f factor) bool { return !whole(f.p) }))
	}
	last, power := atoms[len(atoms)-1], math.Abs(b[len(b)-1])
	odd += btoi(last.g == shapeAtan)
	if last.g != shapeExp && (power > 2 || !whole(power) && power != 0.5) {
		odd += oddPowerPrice
	}
	n := float64(p.s.ns)
	constants := -ones
	for _, a := range atoms {
		constants += btoi(a.inner())
	}
	score := n*math.Log(sse) + p.priceOf(constants) + pricePerFactor*factors(atoms) + priceInput*float64(odd)
	return append(out, fitted{atoms, b, score, true})
}

// roundedPower rounds the power of a function; it is not 0 except for a plain feature.
func (p *product) roundedPower(a atom, v float64) float64 {
	step := 0.5
	if a.shape().wave || a.g == shapePair && p.s.signChanging(a.m) >= 0 || !p.s.units.root {
		step = 1
	}
	h := math.Round(v/step) * step
	if h == 0 && a.g != shapePair {
		h = math.Copysign(step, v)
	}
	return h
}

// mostFromOne is how far a constant that may be 1 is from it, in logarithms.
const mostFromOne = 0.3

// roundedFit rounds all exponents of the fit, and fits the constant factor and the inner constant of the last function
// to them. Inner constants become 1 or −1 where others are not worth their price; ones says how many.
func (p *product) roundedFit(atoms []atom) (sse float64, b []float64, ones int) {
	s := p.s
	sse, b = p.solve(atoms)
	if sse >= impossible {
		return impossible, nil, 0
	}
	for j := range s.d {
		b[1+j] = s.roundExponent(j, b[1+j])
	}
	powers := b[1+s.d:]
	for k, a := range atoms {
		if a.g != shapeExp && !a.chosen {
			powers[k] = p.roundedPower(a, powers[k])
		}
	}
	if sse = p.fitLast(atoms, b, true); !finite(sse) {
		return impossible, nil, 0
	}
	n := float64(s.ns)
	worth := math.Exp(p.priceOf(1) / n)
	last := len(atoms) - 1
	for k := range atoms {
		c, inner := atoms[k].c, atoms[last].c
		if atoms[k].shape().bare || atoms[k].held || !(math.Abs(math.Log(math.Abs(c))) < mostFromOne) {
			continue
		}
		before := slices.Clone(b)
		atoms[k].c = math.Copysign(1, c)
		if with := p.fitLast(atoms, b, k < last); with < worth*sse {
			sse = with
			ones++
			continue
		}
		atoms[last].c, atoms[k].c = inner, c
		copy(b, before)
	}
	return sse, b, ones
}

// fitLast fits the constant factor to what the other factors leave, and where it is free the inner constant of the last
// function. It returns the sum of squares, or impossible.
func (p *product) fitLast(atoms []atom, b []float64, free bool) float64 {
	s, last := p.s, len(atoms)-1
	y, powers := slices.Clone(p.wlt), b[1+s.d:]
	for j := range s.d {
		subtract(y, p.base[1+j], b[1+j])
	}
	for k, a := range atoms[:last] {
		c, ok := p.columnOf(a)
		if !ok {
			return impossible
		}
		subtract(y, c, powers[k])
	}
	f := lastFit{p: p, y: y, a: &atoms[last], power: powers[last], sc: s.scratch(), z: make([]float64, s.ns)}
	sse := f.run(free)
	b[0], powers[last] = f.constant, f.power
	return sse
}

// lastFit fits the constant factor and the inner constant of the last function to what the other
// factors leave of w·log|t|.
type lastFit struct {
	p        *product
	y        []float64
	a        *atom
	power    float64
	constant float64 // log C
	sc       scratch
	z        []float64
}

func (f *lastFit) run(free bool) float64 {
	s, w := f.p.s, f.p.w
	s.monoValues(f.a.m, f.sc.m)
	s.meter.add(int64(s.ns * (2*weightCall + 5) * goldenSteps))
	switch {
	case f.a.g == shapeExp: // linear in its constant
		o := f.sc.o
		f.p.column(*f.a, f.sc)
		subtract(o, w, dot(o, w)/dot(w, w))
		f.power = dot(o, f.y) / (dot(o, o) + 1e-300)
	case free && !f.a.shape().bare && !f.a.held:
		c, span := f.a.c, 0.3
		if f.a.shape().wave {
			span = 0.06
		}
		u, _ := minimise(func(u float64) float64 {
			f.a.c = c * math.Exp(u)
			return f.misfit()
		}, span)
		f.a.c = c * math.Exp(u)
	}
	return f.misfit()
}

// misfit returns the sum of squares with the best constant factor.
func (f *lastFit) misfit() float64 {
	if !f.p.column(*f.a, f.sc) {
		return impossible
	}
	copy(f.z, f.y)
	subtract(f.z, f.sc.o, f.power)
	f.constant = dot(f.z, f.p.w) / dot(f.p.w, f.p.w)
	subtract(f.z, f.p.w, f.constant)
	return dot(f.z, f.z)
}

// roundExponent rounds the exponent of input j: to a half where the input is positive.
func (s *searcher) roundExponent(j int, a float64) float64 {
	if s.signs[j] == positive && s.units.root {
		return half(a)
	}
	return math.Round(a)
}
