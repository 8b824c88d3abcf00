package fit

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

// A fit from many places: how many of the best are followed, and how far apart they must be.
const (
	placesFollowed = 3
	followedSteps  = 20
	followedTol    = 1e-5
	tooNear        = 1e-3 // relative difference of the SSE of two places that lead to the same
)

var errNoValue = errors.New("the form has no finite value on the rows from any start")

// Begin fits the constants of a form roughly from the best of some places, which have values of constants by name;
// those that a place lacks enter linearly and are solved for. It returns the constants and the SSE.
func (f Named) Begin(places []map[string]float64, d Data) (p []float64, sse float64, err error) {
	v, err := f.projected(d)
	if err != nil {
		return nil, 0, err
	}
	best, least := []float64(nil), math.Inf(1)
	for _, start := range v.bestPlaces(places) {
		if q, sse := v.follow(start, followedSteps, followedTol); sse < least {
			best, least = q, sse
		}
	}
	if best == nil {
		return nil, 0, errNoValue
	}
	return best, least, nil
}

// Finish fits the constants of a form to the end, from those of [Named.Begin]; roughly, it stops where a step gains
// less than 1e-5 of the SSE. It is an error when the data does not determine them.
func (f Named) Finish(p []float64, d Data, roughly bool) (q []float64, sse float64, err error) {
	tol := FitTol
	if roughly {
		tol = followedTol
	}
	if q, sse, err = f.fitOn(p, d, refitSteps, tol); err != nil {
		return nil, 0, err
	}
	for i, role := range f.Roles() {
		if role == formula.Phase {
			q[i] = math.Remainder(q[i], 2*math.Pi)
		}
	}
	if !f.determined(q, d) {
		return nil, 0, errors.New("the data do not determine the constants of the form")
	}
	return q, sse, nil
}

// determined reports whether the data determines what makes the form another than a shorter one: no constant is at the
// end of its range, and the standard errors of those that do not enter linearly are smaller than they are. Phases, and
// places within two bounds, may be near zero.
func (f Named) determined(p []float64, d Data) bool {
	x, err := newParametric(f.Expr, f.names(), f.Inputs, d)
	if err != nil || f.atBound(p) {
		return false
	}
	eq := x.Normal(p)
	x.estimateNoise(eq)
	roles, linear := f.Roles(), f.Linear()
	for i, se := range x.standardErrors(p, eq) {
		c := f.Constants[i]
		place := !math.IsInf(c.Low, 0) && !math.IsInf(c.High, 0)
		if math.IsInf(se, 0) || !linear[i] && !place && roles[i] != formula.Phase && !(se < math.Abs(p[i])) {
			return false
		}
	}
	return true
}

// atBound reports whether a constant is at the end of its range.
func (f Named) atBound(p []float64) bool {
	for i, c := range f.Constants {
		if p[i] <= c.Low || p[i] >= c.High {
			return true
		}
	}
	return false
}

// fitOn fits the constants to the data by variable projection, from given ones.
func (f Named) fitOn(p []float64, d Data, steps int, tol float64) ([]float64, float64, error) {
	v, err := f.projected(d)
	if err != nil {
		return nil, 0, err
	}
	p, sse := v.follow(p, steps, tol)
	if math.IsInf(sse, 0) {
		return nil, 0, errors.New("the form has no finite value on some of the rows")
	}
	return p, sse, nil
}

// projected is the fit of a form by variable projection: after each step the constants that enter linearly are solved
// for.
type projected struct {
	Named
	x  *expression
	pr *projection
}

func (f Named) projected(d Data) (*projected, error) {
	x, err := newParametric(f.Expr, f.names(), f.Inputs, d)
	pr, err2 := newProjection(f, d)
	return &projected{f, x, pr}, cmp.Or(err, err2)
}

// follow is [Levenberg] for the constants that do not enter linearly, within their bounds, and solves for the others at
// each step (Ruhe and Wedin 1980, algorithm 2). Steps of exponentials of a large argument would be lost without.
func (v *projected) follow(p []float64, steps int, tol float64) ([]float64, float64) {
	p = v.pr.solve(v.clamped(p))
	mu, least := 1e-3, v.x.SSE(p)
	for range steps {
		if v.x.Ended() {
			break
		}
		next, sse, nextMu := v.lower(p, balanced(v.x.Normal(p)), mu, least)
		if next == nil {
			break
		}
		gain := least - sse
		p, mu, least = next, nextMu, sse
		if !(gain > tol*least) {
			break
		}
	}
	return p, least
}

// lower looks for a damping μ whose step lowers the SSE, and returns nil where there is none.
func (v *projected) lower(p []float64, eq scaled, mu, sse float64) (next []float64, after, nextMu float64) {
	for range 10 {
		if step, solved := eq.step(mu); solved {
			floats.Div(step, eq.scale)
			floats.Add(step, p)
			next = v.pr.solve(v.clamped(step))
			if after = v.x.SSE(next); after < sse {
				return next, after, math.Max(mu/8, 1e-12)
			}
		}
		mu *= 8
	}
	return nil, sse, mu
}

// scaled are normal equations in constants times their scales, which make the diagonal of JᵀJ one: the constants of a
// form have sizes of many orders.
type scaled struct {
	Normal
	scale []float64
}

func balanced(eq Normal) scaled {
	n := eq.JTJ.N
	s := scaled{eq, make([]float64, n)}
	for i := range n {
		if s.scale[i] = math.Sqrt(eq.JTJ.Data[i*n+i]); s.scale[i] == 0 {
			s.scale[i] = 1
		}
	}
	for i := range n {
		eq.JTR[i] /= s.scale[i]
		for j := i; j < n; j++ {
			eq.JTJ.Data[i*n+j] /= s.scale[i] * s.scale[j]
		}
	}
	return s
}

// bestPlaces returns the constants at the places with the least SSE, with the linear ones solved for, one of each that
// are nearly the same.
func (v *projected) bestPlaces(places []map[string]float64) [][]float64 {
	type start struct {
		p   []float64
		sse float64
	}
	var all []start
	for _, place := range places {
		p := v.pr.solve(v.clamped(v.at(place)))
		if sse := v.x.SSE(p); !math.IsInf(sse, 0) {
			all = append(all, start{p, sse})
		}
	}
	slices.SortStableFunc(all, func(a, b start) int { return cmp.Compare(a.sse, b.sse) })
	var best [][]float64
	last := math.Inf(-1)
	for _, s := range all {
		if len(best) < placesFollowed && s.sse > last*(1+tooNear) {
			best, last = append(best, s.p), s.sse
		}
	}
	return best
}

// at returns the constants at a place; those that it lacks are 1.
func (v *projected) at(place map[string]float64) []float64 {
	p := make([]float64, len(v.Constants))
	for i, c := range v.Constants {
		value, ok := place[c.Name]
		if p[i] = value; !ok {
			p[i] = 1
		}
	}
	return p
}

// LeaveOut returns the error of each row, times its root weight, as predicted by the form with its constants fitted to
// the rows of the other folds, from the given ones; NaN where it then has no value. For the fits weigh may give rows
// other weights.
func (f Named) LeaveOut(p []float64, d Data, folds [][]int, weigh func(Data) Data) []float64 {
	return CrossValidate(d, folds, func(rest, held Data) []float64 {
		predicted := slices.Repeat([]float64{math.NaN()}, held.Rows())
		q, _, err := f.fitOn(p, weigh(rest), FitSteps, FitTol)
		if err != nil {
			return predicted
		}
		if program, err := formula.Compile(f.Formula(q), f.Inputs); err == nil {
			program.EvalColumns(predicted, held.X)
		}
		return predicted
	})
}

// Snap is [Snap] for the constants of a form, with the role of each, in their order. The formulas keep the shape of the
// form, unless a constant becomes zero. With free no constant is replaced.
func (f Named) Snap(
	p []float64, d Data, free bool, roles []formula.Role,
) (fitted, snapped formula.Expr, constants []evidence.Constant) {
	const steps, tol = 20, 1e-10
	at := f.Formula(p)
	x, err := newParametric(f.Expr, f.names(), f.Inputs, d)
	if err != nil || math.IsInf(x.SSE(p), 0) {
		return at, at, nil
	}
	p, eq := Levenberg(x, p, steps, tol)
	x.estimateNoise(eq)
	fitted, constants = f.Formula(p), x.intervals(p, eq)
	if free {
		return fitted, fitted, constants
	}
	q := x.putSpecial(p, eq, roles, constants)
	if snapped = f.Formula(q); slices.Contains(q, 0) {
		snapped = formula.Simplify(snapped)
	}
	return fitted, snapped, constants
}

// Roles returns the role of each constant, of several places that of the first.
func (f Named) Roles() []formula.Role {
	roles := make([]formula.Role, len(f.Constants))
	const mark = 1.00390625e6 // no number of a form, and exact
	put := map[string]formula.Expr{}
	for i, c := range f.Constants {
		put[c.Name] = formula.Const(mark + float64(i))
	}
	e := formula.Substitute(f.Expr, put)
	of := formula.Roles(e)
	for k, v := range formula.Constants(e) {
		for i := len(roles) - 1; i >= 0; i-- {
			if math.Abs(v) == mark+float64(i) {
				roles[i] = max(roles[i], of[k])
			}
		}
	}
	return roles
}
