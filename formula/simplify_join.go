package formula

import (
	"math"
	"slices"
)

// joined returns e, when it is a sum, with the sines and cosines of one argument joined, with sigmoids turned around,
// and with other functions in the place of one and a constant, or of two exponentials, where that is shorter.
func joined(e Expr) Expr {
	s, ok := e.(*sum)
	if !ok {
		return e
	}
	e = shorter(e, joinSines(s))
	if s, ok = e.(*sum); ok {
		e = shorter(e, turnSigmoids(s))
	}
	if s, ok = e.(*sum); ok {
		e = shorter(e, withConstant(s))
	}
	if s, ok = e.(*sum); ok {
		e = shorter(e, exponentials(s))
	}
	return e
}

// wave is rest·Σ aᵢ·sin(arg + φᵢ) = rest·(Σsᵢ·sin(arg) + Σcᵢ·cos(arg)).
type wave struct {
	rest, arg Expr
	s, c      part
	terms     []Expr
}

// part is Σ aᵢ·cos φᵢ, or Σ aᵢ·sin φᵢ.
type part struct {
	coefs []float64
	slack float64 // largest change of a coefficient for a relative one of its phase
}

// add adds the coefficient v, whose derivative by the phase φ is slope.
func (p *part) add(v, slope, phase float64) {
	if v != 0 {
		p.coefs = append(p.coefs, v)
	}
	p.slack = max(p.slack, math.Abs(slope*phase))
}

// total is the sum, and 0 where the rounding of phases explains it.
func (p *part) total() (sum float64, ok bool) {
	if len(p.coefs) == 0 {
		return 0, true
	}
	sum, ok = total(p.coefs)
	if math.Abs(sum) <= cancelled*p.slack {
		return 0, ok
	}
	return sum, ok
}

// joinSines writes each group of sines and cosines of the same argument, with the same other
// factors, as one sine with a phase or as one sine and one cosine.
func joinSines(s *sum) Expr {
	terms := make([]Expr, 0, len(s.terms))
	var waves []*wave
	index := map[uint64][]*wave{}
	together := false
	for _, t := range s.terms {
		w := newWave(t)
		if w == nil {
			terms = append(terms, t)
			continue
		}
		h := mix(w.rest.hash(), w.arg.hash())
		if i := slices.IndexFunc(index[h], w.isLike); i >= 0 {
			index[h][i].add(w)
			together = true
			continue
		}
		index[h] = append(index[h], w)
		waves = append(waves, w)
	}
	if !together {
		return s
	}
	for _, w := range waves {
		terms = append(terms, w.shortest())
	}
	return normalSum(terms)
}

// newWave returns the wave that a term is, or nil if it has not exactly one sine or cosine.
func newWave(t Expr) *wave {
	a, fs := coefficient(t)
	var w *wave
	for i, f := range fs {
		c, ok := f.(*call)
		if !ok || c.f != Sin && c.f != Cos {
			continue
		}
		if w != nil {
			return nil
		}
		arg, phase := splitPhase(c.args[0])
		sin, cos := math.Sincos(phase)
		w = &wave{arg: arg, terms: []Expr{t}}
		if c.f == Sin {
			w.s.add(a*cos, -a*sin, phase)
			w.c.add(a*sin, a*cos, phase)
		} else { // cos(A+φ) = cos φ·cos A - sin φ·sin A
			w.s.add(-a*sin, -a*cos, phase)
			w.c.add(a*cos, -a*sin, phase)
		}
		w.rest = Mul(append(append([]Expr{}, fs[:i]...), fs[i+1:]...)...)
	}
	return w
}

// isLike reports whether two waves can be added.
func (w *wave) isLike(o *wave) bool { return Equal(w.rest, o.rest) && Equal(w.arg, o.arg) }

// add adds a wave that is like w.
func (w *wave) add(o *wave) {
	w.s = part{append(w.s.coefs, o.s.coefs...), max(w.s.slack, o.s.slack)}
	w.c = part{append(w.c.coefs, o.c.coefs...), max(w.c.slack, o.c.slack)}
	w.terms = append(w.terms, o.terms...)
}

// shortest returns the shortest way to write a wave.
func (w *wave) shortest() Expr {
	if len(w.terms) == 1 {
		return w.terms[0]
	}
	sin, finiteSin := w.s.total()
	cos, finiteCos := w.c.total()
	amplitude := math.Hypot(sin, cos)
	if !finiteSin || !finiteCos || math.IsInf(amplitude, 0) {
		return Add(w.terms...)
	}
	times := func(a float64, f Func, phase float64) Expr {
		return normalProduct([]Expr{number(a), w.rest, normalPeriodic(f, withPhase(w.arg, phase))})
	}
	best := normalSum([]Expr{times(sin, Sin, 0), times(cos, Cos, 0)})
	if min(math.Abs(sin), math.Abs(cos)) > phaseTolerance*amplitude { // else the phase is taken for a quarter turn
		best = shorter(best, times(amplitude, Sin, math.Atan2(cos, sin)))
	}
	if len(w.terms) == 2 {
		best = shorter(Add(w.terms...), best)
	}
	return best
}

// turnSigmoids applies sigmoid(-x) = 1 - sigmoid(x) to single terms, first come first served.
func turnSigmoids(s *sum) Expr {
	const tries = 40 // each takes as long as the sum
	for i, t := range s.terms[:min(tries, len(s.terms))] {
		turned := turnSigmoid(t)
		if turned == nil {
			continue
		}
		rest := append([]Expr{turned}, s.terms[:i]...)
		next := normalSum(append(rest, s.terms[i+1:]...))
		if next.size() >= s.size() {
			continue
		}
		if again, ok := next.(*sum); ok {
			return turnSigmoids(again)
		}
		return next
	}
	return s
}

// turnSigmoid turns a·sigmoid(x) into a - a·sigmoid(-x); it returns nil for other terms.
func turnSigmoid(t Expr) Expr {
	a, fs := coefficient(t)
	if len(fs) != 1 {
		return nil
	}
	c, ok := fs[0].(*call)
	if !ok || c.f != Sigmoid {
		return nil
	}
	return Add(number(a), scale(-a, Call(Sigmoid, negate(c.args[0]))))
}
