package distill

import (
	"math"

	"github.com/eqlearner/eql/model"
)

// params returns pointers to the constants that may change, in a fixed order: for each unit and
// argument the weights and then the bias, last those of the output. Zero is not a constant but
// the absence of one. In each factor of a product, in each denominator, logarithm, magnitude and larger of z and 0 one
// weight is held: they are determined only up to a scale that their reader can carry, so canonical makes it 1, or −1.
// And an exponent, the weight of a logarithm in an exponential, that is a half to the last bit is held too: roots have
// no constant. Nor have whole powers of a law that was found as a formula, and columns of the table as its factors,
// counted from their zeros.
func (l *Law) params() []*float64 {
	var ps []*float64
	l.walk(func(_, _ int, p *float64, _ int) { ps = append(ps, p) })
	return ps
}

// outUnit and biasTerm stand for the output and the bias in [Law.walk].
const (
	outUnit  = -1
	biasTerm = -1
)

// place is where a constant is: a term, or biasTerm, of an argument of a unit, or of the output.
type place struct{ unit, arg, term int }

// places returns where the constants of [Law.params] are.
func (l *Law) places() []place {
	var list []place
	l.walk(func(unit, arg int, _ *float64, term int) { list = append(list, place{unit, arg, term}) })
	return list
}

// walk calls f for every constant that may change, in order.
func (l *Law) walk(f func(unit, arg int, p *float64, term int)) {
	none := func(int) bool { return false }
	visit := func(unit, arg int, a *affine, held func(term int) bool, bare bool) {
		for t := range a.terms {
			if !held(t) {
				f(unit, arg, &a.terms[t].w, t)
			}
		}
		if a.bias != 0 && (!bare || !l.fromZero(a)) {
			f(unit, arg, &a.bias, biasTerm)
		}
	}
	for i := range l.units {
		for k := range l.units[i].args {
			a := &l.units[i].args[k]
			held, bare := none, false
			switch l.units[i].kind {
			case model.Product, model.Reciprocal, model.Log, model.Abs, model.Max:
				one := a.held()
				held, bare = func(t int) bool { return t == one }, true
			case model.Exp:
				held = func(t int) bool { return l.isSimple(a.terms[t].w) && l.isLog(a.terms[t].from) }
			}
			visit(i, k, a, held, bare)
		}
	}
	visit(outUnit, 0, &l.out, none, false)
}

// half is the exponent of roots.
const half = 0.5

// isSimple reports whether an exponent has no constant: that of a root, and in a law that was found as a formula any
// multiple of ½, which the search for formulas leaves only where it is one.
func (l *Law) isSimple(p float64) bool {
	return math.Abs(p) == half || l.zeros != nil && 2*p == math.Round(2*p)
}

// largest returns the index of the term with the largest weight.
func (a *affine) largest() int {
	best := 0
	for t := range a.terms {
		if math.Abs(a.terms[t].w) > math.Abs(a.terms[best].w) {
			best = t
		}
	}
	return best
}

// held returns the index of the first term with weight 1 or −1, which canonical has put there, and the
// largest where there is none.
func (a *affine) held() int {
	for t := range a.terms {
		if math.Abs(a.terms[t].w) == 1 {
			return t
		}
	}
	return a.largest()
}

// Params returns the number of constants of the law, without those that only scale a factor.
func (l *Law) Params() int { return len(l.params()) }
