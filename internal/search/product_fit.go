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

// columns returns those of the functions whose power is fitted, and takes the others off y.
func (p *product) columns(atoms []atom, y []float64) (cols [][]float64, free []int, ok bool) {
	for k, a := range atoms {
		c, ok := p.columnOf(a)
		if !ok {
			return nil, nil, false
		}
		if a.chosen {
			subtract(y, c, a.p)
		} else {
			cols, free = append(cols, c), append(free, k)
		}
	}
	return cols, free, true
}

// solve fits the exponents of the inputs, and the powers that are not chosen, in the logarithm. It
// returns the sum of squares, or impossible.
func (p *product) solve(atoms []atom) (sse float64, b []float64) { return p.solveWithout(atoms, -1) }

// solveWithout is solve with the exponent of an input held at 0; −1: of none.
func (p *product) solveWithout(atoms []atom, input int) (sse float64, b []float64) {
	y := slices.Clone(p.wlt)
	cols, free, ok := p.columns(atoms, y)
	if !ok {
		return impossible, nil
	}
	nb, n := len(p.base), len(p.base)+len(cols)
	h, c := make([]float64, n*n), make([]float64, n)
	for i := range n {
		var u []float64
		if i < nb {
			u = p.base[i]
			copy(h[i*n:i*n+nb], p.gram[i*nb:(i+1)*nb])
		} else {
			u = cols[i-nb]
			for j, v := range p.base {
				h[i*n+j] = dot(u, v)
			}
			for j := range i - nb + 1 {
				h[i*n+nb+j] = dot(u, cols[j])
			}
		}
		h[i*n+i] = h[i*n+i]*(1+1e-10) + 1e-300
		c[i] = dot(u, y)
	}
	if k := 1 + input; k > 0 {
		for i := range n {
			h[i*n+k], h[k*n+i] = 0, 0
		}
		h[k*n+k], c[k] = 1, 0
	}
	p.s.meter.add(int64(p.s.ns * (len(atoms)*(2*weightCall+nb+len(cols)) + nb)))
	x := slices.Clone(c)
	if !cholesky(h, n) {
		return impossible, nil
	}
	solve(h, n, x)
	yy := dot(y, y)
	if sse = yy - dot(x, c); !finite(sse) {
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
	if atoms[k].shape().bare || atoms[k].held {
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
