package search

import (
	"math"
	"slices"
)

// fitted is a state with coefficients: log C, the exponents of the inputs, and the powers of the
// functions.
type fitted struct {
	atoms   []atom
	b       []float64
	score   float64
	rounded bool // the exponents are multiples of ½
}

// Steps of golden section: the interval shrinks a thousandfold.
const goldenSteps = 14

const golden = 0.6180339887

// minimise returns where f is least between −span and span, by golden section.
func minimise(f func(u float64) float64, span float64) (u, least float64) {
	lo, hi := -span, span
	x1, x2 := hi-golden*(hi-lo), lo+golden*(hi-lo)
	f1, f2 := f(x1), f(x2)
	for range goldenSteps {
		if f1 < f2 {
			hi, x2, f2 = x2, x1, f1
			x1 = hi - golden*(hi-lo)
			f1 = f(x1)
		} else {
			lo, x1, f1 = x1, x2, f2
			x2 = lo + golden*(hi-lo)
			f2 = f(x2)
		}
	}
	if f1 < f2 {
		return x1, f1
	}
	return x2, f2
}

// solve fits the exponents of the inputs, and the powers that are not chosen, in the logarithm. It
// returns the sum of squares, or impossible.
func (p *product) solve(atoms []atom) (sse float64, b []float64) {
	y := slices.Clone(p.wlt)
	var cols [][]float64
	var free []int
	for k, a := range atoms {
		c, ok := p.columnOf(a)
		if !ok {
			return impossible, nil
		}
		if a.chosen {
			subtract(y, c, a.p)
		} else {
			cols, free = append(cols, c), append(free, k)
		}
	}
	nb, n := len(p.base), len(p.base)+len(cols)
	h, c := make([]float64, n*n), make([]float64, n)
	for i := range nb {
		copy(h[i*n:i*n+nb], p.gram[i*nb:(i+1)*nb])
		c[i] = dot(p.base[i], y)
	}
	for i, u := range cols {
		for j, v := range p.base {
			h[(nb+i)*n+j] = dot(u, v)
		}
		for j := range i + 1 {
			h[(nb+i)*n+nb+j] = dot(u, cols[j])
		}
		c[nb+i] = dot(u, y)
	}
	for i := range n {
		h[i*n+i] = h[i*n+i]*(1+1e-10) + 1e-300
	}
	p.s.meter.add(int64(p.s.ns * (len(atoms)*(2*weightCall+nb+len(cols)) + nb)))
	x := slices.Clone(c)
	if !cholesky(h, n) {
		return impossible, nil
	}
	solve(h, n, x)
	yy := dot(y, y)
	sse = yy - dot(x, c)
	if !finite(sse) {
		return impossible, nil
	}
	b = make([]float64, nb+len(atoms))
	copy(b, x[:nb])
	for k, a := range atoms {
		b[nb+k] = a.p
	}
	for i, k := range free {
		b[nb+k] = x[nb+i]
	}
	return max(sse, 1e-14*yy), b
}

// refine improves the inner constant of atom k on a logarithmic scale.
func (p *product) refine(atoms []atom, k int, span float64) float64 {
	sse, _ := p.solve(atoms)
	if atoms[k].shape().bare {
		return sse
	}
	c := atoms[k].c
	u, least := minimise(func(u float64) float64 {
		atoms[k].c = c * math.Exp(u)
		f, _ := p.solve(atoms)
		return f
	}, span)
	if sse < least {
		u, least = 0, sse
	}
	atoms[k].c = c * math.Exp(u)
	return least
}

// triedPowers are the powers of the last function that are tried beside the fitted one.
var triedPowers = [...]float64{-2, -1, -0.5, 0.5, 1, 2}

// farPower is how far a tried power of a wave may be from the fitted one.
const farPower = 0.8

// variants returns a state with free exponents, and its variants with rounded exponents and
// different powers of the last function. With free exponents many laws are as good as the true
// one within the noise.
func (p *product) variants(from []atom) []fitted {
	atoms := slices.Clone(from)
	sse, b := p.solve(atoms)
	if sse >= impossible {
		return nil
	}
	n := float64(p.s.ns)
	score := n*math.Log(sse) + 2*math.Log(n)*float64(p.s.d+2*len(atoms)) + pricePerFactor*factors(atoms)
	out := []fitted{{atoms: atoms, b: b, score: score}}
	out = p.addRounded(out, atoms)
	last := atoms[len(atoms)-1]
	if last.g == shapeExp || last.g == shapePair {
		return out
	}
	wave := last.shape().wave
	for _, pw := range triedPowers {
		if pw*b[len(b)-1] < 0 || !whole(pw) && !p.s.units.root || wave && (!whole(pw) || math.Abs(pw-b[len(b)-1]) > farPower) {
			continue
		}
		q := slices.Clone(atoms)
		a := &q[len(q)-1]
		a.p, a.chosen = pw, true
		if !wave && last.g != shapeLog && !p.bestConstant(q) {
			continue
		}
		if p.refine(q, len(q)-1, p.variantSpan(*a)) < impossible {
			out = p.addRounded(out, q)
		}
	}
	return out
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

// Prices of variants with rounded exponents, beside two log n for each function and
// pricePerFactor for each of its parts.
const (
	priceInput    = 4 // an input with an exponent, and each oddity of an exponent
	highExponent  = 3 // exponents beyond this are odd, and broken ones other than ½
	oddPowerPrice = 2 // in units of priceInput: a power of a function beyond 2, or broken other than ½
)

// addRounded appends the variant of atoms with rounded exponents, if there is one.
func (p *product) addRounded(out []fitted, from []atom) []fitted {
	atoms := slices.Clone(from)
	sse, b := p.roundedFit(atoms)
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
	score := n*math.Log(sse) + 2*math.Log(n)*float64(len(atoms)) + pricePerFactor*factors(atoms) + priceInput*float64(odd)
	return append(out, fitted{atoms, b, score, true})
}

// roundedPower rounds the power of a function; it is not 0 except for a plain feature.
func (p *product) roundedPower(a atom, v float64) float64 {
	step := 0.5
	if a.shape().wave || a.g == shapePair || !p.s.units.root {
		step = 1
	}
	h := math.Round(v/step) * step
	if h == 0 && a.g != shapePair {
		h = math.Copysign(step, v)
	}
	return h
}

// roundedFit rounds all exponents of the fit, and fits the constant factor and the inner constant
// of the last function to them.
func (p *product) roundedFit(atoms []atom) (sse float64, b []float64) {
	s := p.s
	sse, b = p.solve(atoms)
	if sse >= impossible {
		return impossible, nil
	}
	for j := range s.d {
		b[1+j] = s.roundExponent(j, b[1+j])
	}
	last := len(atoms) - 1
	y := slices.Clone(p.wlt)
	for j := range s.d {
		subtract(y, p.base[1+j], b[1+j])
	}
	for k, a := range atoms {
		if a.g != shapeExp && !a.chosen {
			b[1+s.d+k] = p.roundedPower(a, b[1+s.d+k])
		}
		if k == last {
			break
		}
		c, ok := p.columnOf(a)
		if !ok {
			return impossible, nil
		}
		subtract(y, c, b[1+s.d+k])
	}
	ww := dot(p.w, p.w)
	sc, z := s.scratch(), make([]float64, s.ns)
	s.monoValues(atoms[last].m, sc.m)
	// misfit leaves log C in b[0].
	misfit := func(a atom, pw float64) float64 {
		if !p.column(a, sc) {
			return impossible
		}
		copy(z, y)
		subtract(z, sc.o, pw)
		b[0] = dot(z, p.w) / ww
		subtract(z, p.w, b[0])
		return dot(z, z)
	}
	a, pw := &atoms[last], &b[1+s.d+last]
	s.meter.add(int64(s.ns * (2*weightCall + 5) * goldenSteps))
	switch {
	case a.g == shapeExp: // linear in its constant
		p.column(*a, sc)
		subtract(sc.o, p.w, dot(sc.o, p.w)/ww)
		*pw = dot(sc.o, y) / (dot(sc.o, sc.o) + 1e-300)
	case !a.shape().bare:
		c, span := a.c, 0.3
		if a.shape().wave {
			span = 0.06
		}
		u, _ := minimise(func(u float64) float64 {
			a.c = c * math.Exp(u)
			return misfit(*a, *pw)
		}, span)
		a.c = c * math.Exp(u)
	}
	if sse = misfit(*a, *pw); !finite(sse) {
		return impossible, nil
	}
	return sse, b
}

// roundExponent rounds the exponent of input j: to a half where the input is positive.
func (s *searcher) roundExponent(j int, a float64) float64 {
	if s.signs[j] == positive && s.units.root {
		return half(a)
	}
	return math.Round(a)
}
