package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// Sizes of the scan for waves whose argument has a term of the second degree.
const (
	mostScanned   = 300 // rows, spread over all
	turnStep      = 1.2 // change of the phase at the ends of the range from one frequency to the next
	secondSteps   = 20  // frequencies of the term of the second degree, whose sign the phase has
	firstSteps    = 15  // frequencies of each of the others, on both sides of zero
	frequencies   = secondSteps * (2*firstSteps + 1) * (2*firstSteps + 1)
	wavesRefined  = 6    // highest points of a scan that are fitted
	visiblePart   = 1e-3 // share of the target's spread that a term beside the wave must have
	mostQuadratic = 3    // inputs
)

// pairWave is a wave beside a quadratic of two inputs counted from the middle, u and v: its argument is α·m + β·u +
// γ·v, m being u·v, u² or v².
type pairWave struct {
	i, j    int // the inputs
	m       int // the product of inputs a and b of [pairWave.factors]
	at      [3]float64
	power   float64
	middles [2]float64
}

// factors returns which of the two inputs are multiplied in the term of the second degree.
func (w pairWave) factors() (a, b int) {
	f := [3][2]int{{0, 1}, {0, 0}, {1, 1}}[w.m]
	return f[0], f[1]
}

// quadraticWaves looks for a wave of the second degree in two inputs, as sin((x1 − 1)·(x2 − 2)), beside a quadratic:
// what a quadratic leaves is projected on the waves of a grid of frequencies, whose highest points are fitted.
func (s *searcher) quadraticWaves() {
	if s.d < 2 || s.d > mostQuadratic || s.units.without[formula.Sin] {
		return
	}
	var guesses []guess
	for i := range s.d {
		for j := i + 1; j < s.d; j++ {
			for m := range 3 {
				for _, w := range s.scanPair(pairWave{i: i, j: j, m: m}) {
					guesses = append(guesses, guess{e: s.wave(w), how: "wave of the second degree", charge: 2 * math.Log(frequencies)})
				}
			}
		}
	}
	if len(guesses) > 0 {
		s.batch(guesses, len(guesses)/2)
	}
}

// scanPair returns the highest points of a scan, some of which may be side by side.
func (s *searcher) scanPair(w pairWave) []pairWave {
	rows := min(s.n, mostScanned)
	var u [2][]float64
	for k, j := range [2]int{w.i, w.j} {
		r := rangeOf(s.x[j])
		w.middles[k] = r.middle
		u[k] = make([]float64, rows)
		for r := range rows {
			u[k][r] = s.x[j][r*s.n/rows] - w.middles[k]
		}
	}
	a, b := w.factors()
	product := make([]float64, rows)
	y := make([]float64, rows)
	for r := range rows {
		product[r], y[r] = u[a][r]*u[b][r], s.y[r*s.n/rows]
	}
	steps := [3]float64{turnStep / largest(product), turnStep / largest(u[0]), turnStep / largest(u[1])}
	if !finite(steps[0]) || !finite(steps[1]) || !finite(steps[2]) {
		return nil
	}
	columns := quadraticIn(u, rows)
	for k, c := range leastSquares(columns, y, slices.Repeat([]float64{1}, rows)) {
		subtract(y, columns[k], c)
	}
	found := make([][]pairWave, secondSteps)
	s.spread(secondSteps, func(i int) {
		found[i] = scanned(w, float64(i+1)*steps[0], steps, product, u, y)
	})
	s.meter.add(int64(frequencies * rows))
	all := slices.Concat(found...)
	slices.SortStableFunc(all, func(p, q pairWave) int { return cmp.Compare(q.power, p.power) })
	return all[:min(wavesRefined, len(all))]
}

// scanned returns the highest points of a scan at one frequency of the second degree. The waves of a row follow from
// each other by rotations.
func scanned(w pairWave, alpha float64, steps [3]float64, product []float64, u [2][]float64,
	left []float64) []pairWave {
	n := len(left)
	turn := make([]complex128, n)
	for r := range turn {
		sin, cos := math.Sincos(steps[2] * u[1][r])
		turn[r] = complex(cos, sin)
	}
	at := make([]complex128, n)
	var best []pairWave
	for i := -firstSteps; i <= firstSteps; i++ {
		beta := float64(i) * steps[1]
		for r := range at {
			sin, cos := math.Sincos(alpha*product[r] + beta*u[0][r] - firstSteps*steps[2]*u[1][r])
			at[r] = complex(left[r]*cos, left[r]*sin)
		}
		for k := -firstSteps; k <= firstSteps; k++ {
			var sum complex128
			for r, v := range at {
				sum += v
				at[r] = v * turn[r]
			}
			w.at, w.power = [3]float64{alpha, beta, float64(k) * steps[2]}, real(sum)*real(sum)+imag(sum)*imag(sum)
			best = insertWave(best, w)
		}
	}
	return best
}

// insertWave keeps the highest points, in their order.
func insertWave(best []pairWave, w pairWave) []pairWave {
	k := len(best)
	for k > 0 && best[k-1].power < w.power {
		k--
	}
	if k == wavesRefined {
		return best
	}
	best = slices.Insert(best, k, w)
	return best[:min(len(best), wavesRefined)]
}

// quadraticIn returns the columns 1, u, v, u², u·v and v².
func quadraticIn(u [2][]float64, n int) [][]float64 {
	c := make([][]float64, 6)
	for k := range c {
		c[k] = make([]float64, n)
	}
	for r := range n {
		p, q := u[0][r], u[1][r]
		c[0][r], c[1][r], c[2][r], c[3][r], c[4][r], c[5][r] = 1, p, q, p*p, p*q, q*q
	}
	return c
}

// wave returns the wave of a point of a scan beside the quadratic, both fitted to all rows.
func (s *searcher) wave(w pairWave) expr {
	var u [2][]float64
	for k, j := range [2]int{w.i, w.j} {
		u[k] = make([]float64, s.n)
		for r, v := range s.x[j] {
			u[k][r] = v - w.middles[k]
		}
	}
	a, b := w.factors()
	columns := append(quadraticIn(u, s.n), make([]float64, s.n), make([]float64, s.n))
	for r := range s.n {
		columns[6][r], columns[7][r] = math.Sincos(w.at[0]*u[a][r]*u[b][r] + w.at[1]*u[0][r] + w.at[2]*u[1][r])
	}
	c := leastSquares(columns, s.y, slices.Repeat([]float64{1}, s.n))
	var e expr
	x := [2]int{e.variable(w.i), e.variable(w.j)}
	linear := w.at[1:]
	phase := math.Atan2(c[7], c[6]) + w.at[0]*w.middles[a]*w.middles[b] - linear[0]*w.middles[0] - linear[1]*w.middles[1]
	inner := e.add(e.mul(e.par(w.at[0]), e.mul(x[a], x[b])), e.par(math.Remainder(phase, 2*math.Pi)))
	inner = e.add(inner, e.mul(e.par(linear[0]-w.at[0]*shifted(w, 0)), x[0]))
	inner = e.add(inner, e.mul(e.par(linear[1]-w.at[0]*shifted(w, 1)), x[1]))
	sum := e.mul(e.par(math.Hypot(c[6], c[7])), e.call(formula.Sin, inner))
	return e.compact(e.quadratic(sum, x, w.middles, c, u, visiblePart*s.sd))
}

// shifted returns what the term of the second degree, written for inputs from zero, adds to the frequency of an input.
func shifted(w pairWave, k int) float64 {
	switch a, b := w.factors(); {
	case a != b:
		return w.middles[1-k]
	case a == k:
		return 2 * w.middles[k]
	}
	return 0
}

// quadratic adds the quadratic with the coefficients c of 1, u, v, u², u·v and v² to a sum, in inputs from zero.
func (e *expr) quadratic(sum int, x [2]int, mid [2]float64, c []float64, u [2][]float64, least float64) int {
	p, q := mid[0], mid[1]
	constant := c[0] - c[1]*p - c[2]*q + c[3]*p*p + c[4]*p*q + c[5]*q*q
	sizes := [2]float64{largest(u[0]) + math.Abs(p), largest(u[1]) + math.Abs(q)}
	for _, t := range []struct {
		c    float64
		a, b int
	}{{c[1] - 2*c[3]*p - c[4]*q, 0, -1}, {c[2] - 2*c[5]*q - c[4]*p, 1, -1}, {c[3], 0, 0}, {c[4], 0, 1}, {c[5], 1, 1}} {
		top, at := sizes[t.a], x[t.a]
		if t.b >= 0 {
			top, at = top*sizes[t.b], e.mul(x[t.a], x[t.b])
		}
		if math.Abs(t.c)*top >= least {
			sum = e.add(sum, e.mul(e.par(t.c), at))
		}
	}
	return e.add(sum, e.par(constant))
}
