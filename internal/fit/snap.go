package fit

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

const (
	zeroWithin = 2    // standard errors
	snapOdds   = 0.05 // that a constant is not a special value, at most
	byOthers   = 3    // as many times the odds change at most for what the other constants of the formula are
	costly     = 0.05 // p of tests of whether special values make the fit worse
	// rare is the p of that test where all constants of a formula are special values, wholeConstants or more.
	rare           = 0.001
	wholeConstants = 3
)

// Snap fits the constants of a formula to the data and replaces those that are special values, as
// far as the data supports it. It returns the formula as fitted, the formula with special values,
// simplified, and what is known of each constant, in the order of [formula.Constants] of the first. Constants that
// can be traded against others are taken out of both before: see [reduce].
//
// First constants within two standard errors of zero go, whose terms pruning did not see because the
// scaled units have other constants. The rest are snapped one at a time, the most certain first, and the
// others fitted again with it held, because they were estimated together. One that makes the fit significantly worse
// alone is snapped with those that are likeliest beside it, where that mends the fit. A value is taken when
//
//   - the odds against it are at most 1 to 20: see [special]. They are lower in a formula whose other constants are
//     special values, and higher in one whose others are not, up to three times;
//   - the SSE grows by no more than the confidence interval of the constant allows. In 95 % of formulas all true
//     special values are within such intervals together;
//   - the formula does not fit significantly worse with all special values that it has by then (F-test, p < 0.05, or
//     0.001 where these are all its constants, and several);
//   - no prediction moves by more than the noise, if the constant is a frequency or an exponent. Their errors grow
//     towards the ends of the data.
//
// The noise is always that of the fit without special values.
//
// inputs are the names of the columns d.X. Everything is in the user's units. A formula with other variables, or
// that is not finite on the data, is returned as it is. Formulas are simplified as w says: what it writes decides
// what constants there are.
func Snap(
	e formula.Expr, inputs []string, d Data, w Writing,
) (fitted, snapped formula.Expr, constants []evidence.Constant) {
	e, x, p, eq := fitAll(e, inputs, d, w.Simplify)
	if x == nil {
		return e, e, nil
	}
	fitted, constants = x.with(e, p), x.intervals(p, eq)
	q := x.putSpecial(p, eq, ofConstants(x, w.Roles(e)), constants)
	return fitted, w.Simplify(x.with(e, q)), ofFormula(x, constants)
}

// Writing says how formulas are written, and the role of each of their constants, in the order of [formula.Constants].
type Writing struct {
	Simplify Simplify
	Roles    func(formula.Expr) []formula.Role
}

// Plain is how formulas are written that have no groups and no units.
var Plain = Writing{formula.Simplify, formula.Roles}

// putSpecial returns the constants of a fit with special values where the data supports them, and updates what is known
// of each.
func (x *expression) putSpecial(p []float64, eq Normal, roles []formula.Role, constants []evidence.Constant) []float64 {
	all := fit{p, eq}
	s := snapping{x: x, roles: roles, sse: all.eq.SSE, free: len(p), widen: 1}
	if s.exact(all.eq.SSE) && x.noise > 0 {
		s.widen = math.Max(1, x.largest(p)/x.noise)
	}
	at := s.snap(s.drop(all))
	if x.free() > 0 && x.free() < len(p) { // others may be zero once these are right
		at = s.drop(at)
	}
	for i, c := range x.intervals(at.p, at.eq) {
		if x.fixed[i] {
			constants[i].Snapped = at.p[i]
		} else {
			constants[i] = c
		}
	}
	return at.p
}

// Simplify writes a formula in a simpler way: [formula.Simplify], or with more in view.
type Simplify func(formula.Expr) formula.Expr

// fitAll fits the constants of a formula, simplified with them and without those that can be traded against others. It
// returns e and nil when there is nothing to fit.
func fitAll(e formula.Expr, inputs []string, d Data, simplify Simplify) (formula.Expr, *expression, []float64, Normal) {
	const steps, tol = 20, 1e-10
	x, p, err := newExpression(e, inputs, d)
	if err != nil || len(p) == 0 || math.IsInf(x.SSE(p), 0) {
		return e, nil, nil, Normal{}
	}
	p, eq := Levenberg(x, p, steps, tol)
	// Simplifying turns phases and the like into others, so it comes before what is listed, not only before printing.
	simple := simplify(x.with(e, p))
	c, ok := x.covariance(p, eq)
	redundant := ok && len(c.null) > 0
	if redundant {
		simple = reduce(simple, inputs, d.AtMost(SearchRows))
	}
	y, q, err := newExpression(simple, inputs, d)
	if err == nil && len(q) > 0 && (len(q) == len(p) || redundant && len(q) < len(p)) {
		if q, again := Levenberg(y, q, steps, tol); x.same(eq.SSE, again.SSE) {
			e, x, p, eq = simple, y, q, again
		}
	}
	x.estimateNoise(eq)
	for {
		tied, y, q, again := x.tieFrequencies(e, inputs, p, eq)
		if y == nil {
			return e, x, p, eq
		}
		e, x, p, eq = tied, y, q, again
	}
}

// tieFrequencies returns a formula with one frequency in the place of two that are the same within two standard errors,
// of arguments that are then equal, and its fit: a sine and a cosine of one angle have one. It returns nil where there
// are none, or where the fit becomes significantly worse.
func (x *expression) tieFrequencies(
	e formula.Expr, inputs []string, p []float64, eq Normal,
) (tied formula.Expr, y *expression, q []float64, after Normal) {
	roles, se := ofConstants(x, formula.Roles(e)), x.standardErrors(p, eq)
	for i := range p {
		for j := range i {
			apart := math.Hypot(se[i], se[j])
			if roles[i] != formula.Frequency || roles[j] != formula.Frequency || !(apart > 0) || math.IsInf(apart, 1) ||
				math.Abs(p[i]-p[j]) > zeroWithin*apart {
				continue
			}
			same := slices.Clone(p)
			same[i] = (p[i]*se[j]*se[j] + p[j]*se[i]*se[i]) / (apart * apart)
			same[j] = same[i]
			tied = x.with(e, same)
			y, q, err := newExpression(tied, inputs, x.data)
			if err != nil || len(q) >= len(p) {
				continue
			}
			q, after = Levenberg(y, q, 20, 1e-10)
			if y.noise, y.known = x.noise, x.known; after.SSE-eq.SSE <= zeroWithin*zeroWithin*x.noise*x.noise {
				return tied, y, q, after
			}
		}
	}
	return nil, nil, nil, Normal{}
}

// snapping puts special values into a formula.
type snapping struct {
	x     *expression
	roles []formula.Role
	sse   float64 // of the fit with all constants free
	free  int     // its constants
	// widen is by how much special values are looked for farther away than standard errors say. The errors of
	// noise-free data are those of the digits it is given to, which are not of one size: those of the rows of the
	// largest targets, which decide, are above the noise over all rows, up to the largest of all.
	widen float64
}

// fit is fitted constants and the normal equations there.
type fit struct {
	p  []float64
	eq Normal
}

// refit fits the constants that are not held.
func (s *snapping) refit(p []float64) fit {
	q, eq := Levenberg(s.x, p, 10, 1e-10)
	return fit{q, eq}
}

// drop returns the constants with those fixed at zero that are not needed: those that no row shows, since without them
// the errors are within the rounding of the target, and then the most doubtful first, while the formula does not fit
// significantly worse. One that others depend on, as the amplitude of a wave is one
// on which its frequency does, stays; so does a phase that the data hardly knows, which is near a half turn
// by chance.
func (s *snapping) drop(at fit) fit {
	const vaguePhase = 0.05 // of a half turn
	x := s.x
	tried := make([]bool, len(at.p))
	vague := func(i int, se float64) bool {
		return math.IsInf(se, 0) || s.roles[i] == formula.Phase && 2*zeroWithin*se/math.Pi >= vaguePhase
	}
	if x.data.rounded(at.eq.SSE) {
		for i, v := range at.p {
			q := slices.Clone(at.p)
			if q[i] = 0; !x.fixed[i] && v != 0 && x.data.rounded(x.SSE(q)) {
				x.fixed[i] = true
				at = fit{q, x.Normal(q)}
			}
		}
	}
	for {
		se := x.standardErrors(at.p, at.eq)
		worst, doubt := -1, 1./zeroWithin
		for i, v := range at.p {
			if !x.fixed[i] && !tried[i] && !vague(i, se[i]) && se[i]/math.Abs(v) > doubt {
				worst, doubt = i, se[i]/math.Abs(v)
			}
		}
		if worst < 0 || x.Ended() {
			return at
		}
		tried[worst] = true
		without := s.refit(x.hold(at.p, at.eq, worst, 0))
		infinite := func(v float64) bool { return math.IsInf(v, 0) }
		if slices.ContainsFunc(x.standardErrors(without.p, without.eq), infinite) || s.significantlyWorse(without.eq.SSE) {
			x.fixed[worst] = false
			continue
		}
		at = without
	}
}

// snap returns the constants with those fixed that have a special value.
func (s *snapping) snap(at fit) fit {
	refused := make([]bool, len(at.p))
	for count := 0; ; {
		next, more := s.next(at, count, refused, false)
		if more == 0 {
			return s.whole(at)
		}
		at, count = next, count+more
	}
}

// next returns the fit with the next special value and those that must come with it, of which count are there by now,
// and how many they are: 0 for none. Of two constants that are known together far better than each alone, one at its
// value makes the fit worse than both. Along is for those that must come with it: the likeliest, and no others.
func (s *snapping) next(at fit, count int, refused []bool, along bool) (next fit, more int) {
	x := s.x
	for {
		se := x.standardErrors(at.p, at.eq)
		c := s.likeliest(at.p, se, count, refused)
		if c.constant < 0 || x.Ended() {
			return at, 0
		}
		before := slices.Clone(x.fixed)
		held := x.hold(at.p, at.eq, c.constant, c.value)
		if math.IsInf(x.SSE(held), 0) {
			x.fixed[c.constant] = false
			if all, ok := s.snapRest(at.p, se, snapOdds); ok && !s.significantlyWorse(all.eq.SSE) {
				more = x.free()
				for i := range x.fixed {
					x.fixed[i] = true
				}
				return all, more
			}
		} else if next = s.refit(held); !s.costs(c, at, next) {
			if !s.significantlyWorse(next.eq.SSE) {
				return next, 1
			}
			next, more = s.next(next, count+1, slices.Clone(refused), true)
			if more > 0 {
				return next, more + 1
			}
			if along {
				copy(x.fixed, before)
				return at, 0
			}
		}
		copy(x.fixed, before)
		refused[c.constant] = true
	}
}

// whole returns the fit with all constants at special values, where those that are left are likely to have one each and
// the formula has several: chance hardly makes a formula without any other constant, so it may fit worse, but for what
// happens in one data set of a thousand.
func (s *snapping) whole(at fit) fit {
	x := s.x
	if x.free() == 0 || s.free < wholeConstants || x.Ended() {
		return at
	}
	all, ok := s.snapRest(at.p, x.standardErrors(at.p, at.eq), byOthers*snapOdds)
	if !ok || s.worse(all.eq.SSE, s.free, rare) {
		return at
	}
	for i, role := range s.roles {
		if !x.fixed[i] && endsMove(role) && x.farthest(at.p, all.p) > x.noise {
			return at
		}
	}
	for i := range x.fixed {
		x.fixed[i] = true
	}
	return all
}

// A specialValue is a special value for a constant.
type specialValue struct {
	constant int
	value    float64
	odds     float64 // against it: see [special]
	z        float64 // standard errors that the constant moves by
}

// likeliest returns the free constant that is most likely a special value, and the constant -1 when none is likely
// enough. Count constants are special values by now.
func (s *snapping) likeliest(p, se []float64, count int, refused []bool) specialValue {
	candidates := make([]specialValue, len(p))
	ordinary := 0 // constants that seem to be no special values
	for i := range p {
		if s.x.fixed[i] {
			continue
		}
		candidates[i] = s.special(i, p, s.widen*se[i])
		if refused[i] || candidates[i].odds >= snapOdds {
			ordinary++
		}
	}
	best := specialValue{constant: -1, odds: snapOdds}
	for i, c := range candidates {
		if s.x.fixed[i] || refused[i] {
			continue
		}
		others := ordinary
		if c.odds >= snapOdds {
			others-- // it does not count against itself
		}
		c.odds *= math.Min(byOthers, math.Max(1./byOthers, float64(others+1)/float64(count+1)))
		if c.odds < best.odds {
			best = c
		}
	}
	return best
}

// special returns the special value that constant i most likely is, or the value of another constant that is
// fixed already, in the same role and up to the sign. Laws have one coefficient in several places, so this one value is
// likelier than all others. The odds are infinite when there is neither.
func (s *snapping) special(i int, p []float64, se float64) specialValue {
	best := specialValue{constant: i, odds: math.Inf(1)}
	if v, odds, ok := special(p[i], se, s.roles[i]); ok {
		best.value, best.odds = v, odds
	}
	size := max(se, relativeError*math.Abs(p[i]))
	for j, v := range p {
		if s.x.fixed[j] && v != 0 && s.roles[j] == s.roles[i] {
			v = math.Copysign(v, p[i])
			if odds := oddsAgainst((v-p[i])/size, size/math.Abs(v)); odds < best.odds {
				best.value, best.odds = v, odds
			}
		}
	}
	best.z = (best.value - p[i]) / size
	return best
}

// endsMove reports whether the error of a constant grows towards the ends of the data.
func endsMove(role formula.Role) bool { return role == formula.Frequency || role == formula.Exponent }

// snapRest returns the constants with all that are free at special values, where the odds against each are below most.
// One by one they might have led through roots of numbers below zero.
func (s *snapping) snapRest(p, se []float64, most float64) (all fit, ok bool) {
	q := slices.Clone(p)
	for i, v := range p {
		if s.x.fixed[i] {
			continue
		}
		value, odds, ok := special(v, s.widen*se[i], s.roles[i])
		if !ok || odds >= most {
			return fit{}, false
		}
		q[i] = value
	}
	all = fit{q, s.x.Normal(q)}
	return all, !math.IsInf(all.eq.SSE, 0)
}
