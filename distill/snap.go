package distill

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/eqlearner/eql/formula"
)

// A Constant is one constant of a formula, with what the data says about it.
type Constant struct {
	Value   float64 // as fitted
	Low     float64 // 95 % confidence interval; infinite where the data says nothing
	High    float64
	Snapped float64 // the special value that stands in its place, or Value
}

// Special values, per role: multiples of the spacings, simplest first. A phase is likely a
// fraction of a turn, a frequency a multiple of π, also for degrees, or a round number, a coefficient a
// fraction, and some have π from areas and from turns; an exponent is likely a half of a whole number.
var specialSpacings = [...][]float64{
	formula.Coefficient: {1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 8, 1. / 10, math.Pi / 4, math.Pi / 3, 1 / (2 * math.Pi)},
	formula.Frequency:   {1, math.Pi, 1. / 2, math.Pi / 2, math.Pi / 3, math.Pi / 4, 1. / 10, math.Pi / 180},
	formula.Exponent:    {1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 10},
	formula.Phase:       {math.Pi / 2, math.Pi / 4, math.Pi / 3, math.Pi / 6, 1. / 2, math.Pi / 8, math.Pi / 12},
}

const (
	zeroWithin  = 2    // standard errors
	snapWithin  = 2.6  // the same, of a special value
	sameWithin  = 4    // the same, of a value that another constant has
	snapChance  = 0.05 // expected number of equally simple values that near by chance
	snapReject  = 0.01 // p of the joint F-test below which snapping is undone
	snapLargest = 40   // spacings; a multiple beyond is not simple
	onesSpread  = 4    // one is as near by chance as to a number anywhere below this
	// relativeError is the least error that a constant is taken to have, relative to its size:
	// without noise the standard error is that of the arithmetic.
	relativeError = 1e-9
)

// special returns the simplest special value near v and the number of values as simple that
// chance would put that near; ok is false when there is none. A coefficient or a frequency below
// 0.01 or from 100 on may be one times a power of ten, which is what other units make of it.
func special(v, se float64, role formula.Role) (value, chance float64, ok bool) {
	const small, large = 0.01, 100
	size := math.Abs(v)
	if role == formula.Phase || size == 0 || math.IsInf(size, 0) || size >= small && size < large {
		return simple(v, se, role)
	}
	// A power of ten below 1 is not exact, so it is divided by its inverse.
	k := int(math.Floor(math.Log10(size)))
	if k > 0 {
		unit := math.Pow10(k)
		value, chance, ok = simple(v/unit, se/unit, role)
		return value * unit, chance, ok
	}
	unit := math.Pow10(-k)
	value, chance, ok = simple(v*unit, se*unit, role)
	return value / unit, chance, ok
}

// multiple returns k·spacing, of 1/10 and its like without the error of a fraction: 3/10 is 0.3.
func multiple(k, spacing float64) float64 {
	if parts := math.Round(1 / spacing); 1/parts == spacing {
		return k / parts
	}
	return k * spacing
}

// simple is [special] without powers of ten.
func simple(v, se float64, role formula.Role) (value, chance float64, ok bool) {
	window := snapWithin * max(se, relativeError*math.Abs(v))
	if math.IsInf(window, 0) {
		return 0, 0, false
	}
	if one := math.Copysign(1, v); role != formula.Phase && math.Abs(one-v) <= window {
		return one, 2 * window / onesSpread, true // no other number is as frequent in laws
	}
	if half := math.Round(2*v) / 2; role == formula.Exponent && half != 0 && math.Abs(half-v) <= window {
		return half, 2 * window / onesSpread, true // nor are other exponents as frequent as halves
	}
	density := 0.0
	for _, spacing := range specialSpacings[role] {
		density += 1 / spacing
		k := math.Round(v / spacing)
		if k == 0 || math.Abs(k) > snapLargest {
			continue // see [expression.drop] for zero
		}
		if value = multiple(k, spacing); math.Abs(value-v) <= window {
			return value, 2 * window * density, true
		}
	}
	if role != formula.Frequency {
		return 0, 0, false
	}
	// A whole period: near v there are 2π/v² of them to a unit of frequency.
	period := math.Round(2 * math.Pi / v)
	density += 2 * math.Pi / (v * v)
	value = 2 * math.Pi / period
	return value, 2 * window * density, period != 0 && math.Abs(period) <= snapLargest && math.Abs(value-v) <= window
}

// Snap fits the constants of a formula to the data and replaces those that are special values, as
// far as the data supports it. It returns the formula as fitted, the formula with special values,
// simplified, and what is known of each constant, in the order of [formula.Constants] of e.
//
// First constants within two standard errors of zero go, whose terms pruning did not see because the
// scaled units have other constants. The rest are snapped one at a time, the most certain first, and the
// others fitted again with it held, because they were estimated together. A value is taken when it is the
// simplest within 2.6 standard errors and fewer than 0.05 equally simple ones would be that near by
// chance, or when another constant in the same role has it and it is within 4. If the formula then fits
// significantly worse (F-test of all snapped constants, p < 0.01), the least certain are given back until
// it does not.
//
// inputs are the names of the columns d.X. Everything is in the user's units. A formula with other variables, or
// that is not finite on the data, is returned as it is.
func Snap(e formula.Expr, inputs []string, d Data) (fitted, snapped formula.Expr, constants []Constant) {
	x, p, err := newExpression(e, inputs, d)
	if err != nil || len(p) == 0 || math.IsInf(x.sse(p), 0) {
		return e, e, nil
	}
	p, eq := levenberg(x, p, 20, 1e-10)
	se := x.standardErrors(eq)
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: math.Max(1, float64(d.Rows()-len(p)))}.Quantile(0.975)
	for i, v := range p {
		constants = append(constants, Constant{Value: v, Low: v - half*se[i], High: v + half*se[i], Snapped: v})
	}
	fitted = formula.WithConstants(e, p)
	roles := formula.Roles(e)
	q := x.snap(roles, x.drop(roles, p, eq), eq.sse)
	if x.free() > 0 && x.free() < len(q) { // others may be zero once these are right
		q, eq = levenberg(x, q, 10, 1e-10)
		q = x.drop(roles, q, eq)
	}
	for i := range q {
		if x.fixed[i] {
			constants[i].Snapped = q[i]
		}
	}
	return fitted, formula.Simplify(formula.WithConstants(e, q)), constants
}

// drop returns the constants with those fixed at zero that are not needed: the most doubtful first, while
// the formula does not fit significantly worse. One that others depend on, as the amplitude of a wave is one
// on which its frequency does, stays; so does a phase that the data hardly knows, which is near a half turn
// by chance.
func (x *expression) drop(roles []formula.Role, p []float64, eq normal) []float64 {
	free, sse := x.free(), eq.sse
	tried := make([]bool, len(p))
	vague := func(i int, se float64) bool {
		return math.IsInf(se, 0) || roles[i] == formula.Phase && 2*zeroWithin*se/math.Pi >= snapChance
	}
	for {
		se := x.standardErrors(eq)
		worst, doubt := -1, 1./zeroWithin
		for i, v := range p {
			if !x.fixed[i] && !tried[i] && !vague(i, se[i]) && se[i]/math.Abs(v) > doubt {
				worst, doubt = i, se[i]/math.Abs(v)
			}
		}
		if worst < 0 {
			return p
		}
		tried[worst] = true
		q, without := levenberg(x, x.hold(p, eq, worst, 0), 10, 1e-10)
		if slices.ContainsFunc(x.standardErrors(without), func(v float64) bool { return math.IsInf(v, 0) }) || x.significantlyWorse(q, sse, free, free-x.free()) {
			x.fixed[worst] = false
			continue
		}
		p, eq = q, without
	}
}

// snap returns the constants with those fixed that have a special value.
func (x *expression) snap(roles []formula.Role, p []float64, sse float64) []float64 {
	free := len(p)
	dropped := free - x.free()
	q := slices.Clone(p)
	type step struct {
		constant int
		before   []float64
	}
	var steps []step
	for {
		q2, eq := levenberg(x, q, 10, 1e-10)
		se := x.standardErrors(eq)
		best, bestChance, bestValue := -1, snapChance, 0.0
		take := func(i int, v, chance float64, ok bool) {
			if ok && chance < bestChance && !x.fixed[i] {
				best, bestChance, bestValue = i, chance, v
			}
		}
		for i := range q2 {
			v, chance, ok := special(q2[i], se[i], roles[i])
			take(i, v, chance, ok)
		}
		ordinary := best >= 0
		for i := range q2 {
			if !ordinary { // farther off than the others, so they come last and are the first to be given back
				v, chance, ok := x.repeated(i, q2, se[i], roles)
				take(i, v, chance, ok)
			}
		}
		if best < 0 {
			if len(steps) > 0 {
				q = q2
			}
			break
		}
		held := x.hold(q2, eq, best, bestValue)
		if math.IsInf(x.sse(held), 0) {
			x.fixed[best] = false
			if all, ok := x.snapRest(roles, q2, se); ok && !x.significantlyWorse(all, sse, free, free) {
				for i := range x.fixed {
					x.fixed[i] = true
				}
				return all
			}
			q = q2
			break
		}
		steps = append(steps, step{best, q2})
		q = held
	}
	for len(steps) > 0 && x.significantlyWorse(q, sse, free, dropped+len(steps)) {
		last := steps[len(steps)-1]
		steps = steps[:len(steps)-1]
		x.fixed[last.constant] = false
		q, _ = levenberg(x, last.before, 10, 1e-10)
	}
	return q
}

// snapRest returns the constants with all that are free at special values, where all have one. One by one they might have led
// through roots of numbers below zero.
func (x *expression) snapRest(roles []formula.Role, p, se []float64) (all []float64, ok bool) {
	all = slices.Clone(p)
	for i, v := range p {
		if x.fixed[i] {
			continue
		}
		value, chance, ok := special(v, se[i], roles[i])
		if !ok || chance >= snapChance {
			return nil, false
		}
		all[i] = value
	}
	return all, !math.IsInf(x.sse(all), 0)
}

// repeated returns the value of a constant that is fixed already, in the same role and up to the sign,
// which constant i is near. Laws have one coefficient in several places, so this one value is likelier
// than all others and may be farther off: of 100 constants one is
// by chance farther than 2.6 standard errors, and of 16,000 one farther than 4.
func (x *expression) repeated(i int, q []float64, se float64, roles []formula.Role) (value, chance float64, ok bool) {
	window := sameWithin * max(se, relativeError*math.Abs(q[i]))
	for j, v := range q {
		if v = math.Copysign(v, q[i]); x.fixed[j] && roles[j] == roles[i] && math.Abs(v-q[i]) <= window {
			return v, 2 * window / math.Abs(v), true
		}
	}
	return 0, 0, false
}

// significantlyWorse is the F-test of k constants being what they were set to, in a fit with
// free constants and the given SSE before. Errors at the level of the arithmetic are none.
func (x *expression) significantlyWorse(q []float64, sse float64, free, k int) bool {
	dof := float64(x.data.Rows() - free)
	after := x.sse(q)
	floor := float64(x.data.Rows()) * math.Pow(NewCriterion(x.data).Floor, 2)
	if dof <= 0 || after <= max(sse, floor) {
		return false
	}
	f := (after - sse) / float64(k) / (sse / dof)
	return !(distuv.F{D1: float64(k), D2: dof}.Survival(f) >= snapReject) // NaN where f is infinite
}

// Undetermined returns the constants whose interval is wider than twice their size, which the data
// leaves open.
func Undetermined(constants []Constant) []Constant {
	var open []Constant
	for _, c := range constants {
		if !(c.High-c.Low < 2*math.Abs(c.Value)) && c.Snapped == c.Value {
			open = append(open, c)
		}
	}
	slices.SortFunc(open, func(a, b Constant) int { return cmp.Compare(a.Value, b.Value) })
	return open
}
