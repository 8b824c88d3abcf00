package formula

import (
	"math"
	"slices"
)

// joined returns e, when it is a sum, with the sines and cosines of one argument joined and
// with sigmoids turned around, where that is shorter.
func joined(e Expr) Expr {
	s, ok := e.(*sum)
	if !ok {
		return e
	}
	e = shorter(e, joinSines(s))
	if s, ok = e.(*sum); ok {
		e = shorter(e, turnSigmoids(s))
	}
	return e
}

// wave is rest·Σ aᵢ·sin(arg + φᵢ) = rest·(s·sin(arg) + c·cos(arg)).
type wave struct {
	rest, arg Expr
	s, c      float64
	peak      float64 // largest |aᵢ|
	terms     []Expr
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
		arg, phase := splitPhase(c.arg)
		sin, cos := math.Sincos(phase)
		w = &wave{arg: arg, s: a * cos, c: a * sin, peak: math.Abs(a), terms: []Expr{t}}
		if c.f == Cos { // cos(A+φ) = cos φ·cos A - sin φ·sin A
			w.s, w.c = -a*sin, a*cos
		}
		w.rest = Mul(append(append([]Expr{}, fs[:i]...), fs[i+1:]...)...)
	}
	return w
}

// isLike reports whether two waves can be added.
func (w *wave) isLike(o *wave) bool { return Equal(w.rest, o.rest) && Equal(w.arg, o.arg) }

// add adds a wave that is like w.
func (w *wave) add(o *wave) {
	w.s, w.c, w.peak = w.s+o.s, w.c+o.c, max(w.peak, o.peak)
	w.terms = append(w.terms, o.terms...)
}

// shortest returns the shortest way to write a wave.
func (w *wave) shortest() Expr {
	if len(w.terms) == 1 {
		return w.terms[0]
	}
	for _, part := range []*float64{&w.s, &w.c} {
		if math.Abs(*part) <= cancelled*w.peak {
			*part = 0
		}
	}
	amplitude := math.Hypot(w.s, w.c)
	if math.IsInf(amplitude, 0) {
		return Add(w.terms...)
	}
	times := func(a float64, f Func, phase float64) Expr {
		return normalProduct([]Expr{number(a), w.rest, normalPeriodic(f, withPhase(w.arg, phase))})
	}
	best := normalSum([]Expr{times(w.s, Sin, 0), times(w.c, Cos, 0)})
	best = shorter(best, times(amplitude, Sin, math.Atan2(w.c, w.s)))
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
	return Add(number(a), scale(-a, Call(Sigmoid, negate(c.arg))))
}
