package search

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/kernel"
)

// waveScan holds log|g| for all frequencies of sine and cosine along one direction, which do not
// depend on the state.
type waveScan struct {
	m     mono
	atoms []atom
	lanes int
	tile  []float32 // rows × lanes, the weighted mean taken off, and a row of zeros
	norm  []float64 // squares of the weighted columns
}

// waveScans lists the directions whose frequencies are scanned: few factors, small exponents.
func (p *product) waveScans() []waveScan {
	out := []waveScan{}
	for _, m := range p.dirs {
		if len(m) > waveFactors {
			continue
		}
		degree, negative := 0.0, 0
		for _, x := range m {
			degree += math.Abs(x.p)
			negative += btoi(x.p < 0)
		}
		if degree > waveDegree || negative == len(m) {
			continue
		}
		if out = append(out, waveScan{m: m}); len(out) == waveScans {
			break
		}
	}
	return out
}

// fill computes the columns of a scan.
func (w *waveScan) fill(p *product) {
	sc := p.s.scratch()
	p.s.monoValues(w.m, sc.m)
	w.norm = []float64{}
	info, ok := stats(sc.m, w.m)
	if !ok || info.hi-info.lo < 1e-9 {
		return
	}
	var cols [][]float64
	ww := dot(p.w, p.w) + 1e-300
	for _, c := range scanWave(info) {
		for _, g := range []shapeKind{shapeSin, shapeCos} {
			a := atom{g: g, m: w.m, c: c}
			if !p.s.units.shape[g] || !p.column(a, sc) {
				continue
			}
			col := slices.Clone(sc.o)
			subtract(col, p.w, dot(col, p.w)/ww)
			cols, w.atoms, w.norm = append(cols, col), append(w.atoms, a), append(w.norm, dot(col, col))
		}
	}
	p.s.meter.add(int64(len(cols) * p.s.ns * 2 * weightCall))
	w.lanes = (len(cols) + kernel.Block - 1) / kernel.Block * kernel.Block
	w.tile = make([]float32, (p.s.ns+1)*w.lanes)
	for k, col := range cols {
		for r, v := range col {
			w.tile[r*w.lanes+k] = float32(v)
		}
	}
}

// scan returns the state with the best wave along a direction; without atoms when there is none.
func (p *product) scan(w *waveScan, f frames, st state) state {
	if w.norm == nil {
		w.fill(p)
	}
	best := state{score: math.Inf(1)}
	if len(w.atoms) == 0 {
		return best
	}
	fr, before, extra := f.of(p, w.m, st)
	n, k := p.s.ns, 1+len(fr.q)
	x, z := make([]float32, n*k), make([]float32, k*w.lanes)
	for r := range n {
		x[r*k] = float32(fr.r[r])
		for j, q := range fr.q {
			x[r*k+1+j] = float32(q[r])
		}
	}
	kernel.AffineForwardShared(z, w.tile, x, kernel.Shape{Rows: 1, In: n, Batch: k, Lanes: w.lanes})
	p.s.meter.add(int64(n * k * (1 + w.lanes/kernelSpeed)))
	at := -1
	for i, norm := range w.norm {
		left := norm
		for j := 1; j < k; j++ {
			v := float64(z[j*w.lanes+i])
			left -= v * v
		}
		if !(left > leastPart*norm) {
			continue
		}
		d := float64(z[i])
		explained := float64(n) * math.Log(fr.total/max(fr.total-d*d/left, farAway*fr.total))
		if score := p.price(w.atoms[i]) - explained + extra; score < best.score {
			best.score, at = score, i
		}
	}
	if at >= 0 {
		best.atoms = append(slices.Clone(before), w.atoms[at])
	}
	return best
}

// besideWave divides the target by the waves of the best product and looks for a product in what is left. A wave is
// found by its zeros, whatever follows its height; what it is multiplied by shows once its frequency is fitted.
func (s *searcher) besideWave() {
	c := s.best()
	if c == nil {
		return
	}
	wave := c.e.waves()
	if wave == nil {
		return
	}
	ev := s.evaluator()
	defer s.release(ev)
	if ev.forward(wave, s.xs, s.ns) {
		s.linkedProducts(link{factor: wave, values: slices.Clone(ev.value(wave))}, s.none, 1, 8, 4)
	}
}

// waves returns the product of those factors of e that are sines and cosines or powers of these; nil where none is.
func (e expr) waves() expr {
	out, product := e.clone(), -1
	for _, i := range chain(e, e.root(), opMul) {
		at := e[i]
		if at.op == opPow {
			at = e[at.a]
		}
		if at.op != opCall || at.f != formula.Sin && at.f != formula.Cos {
			continue
		}
		if product >= 0 {
			i = out.mul(product, i)
		}
		product = i
	}
	if product < 0 {
		return nil
	}
	return out.compact(product)
}
