package fit

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/formula"
)

// Named is a form of a law whose constants have names.
type Named struct {
	Expr      formula.Expr
	Inputs    []string // the names of the columns of the data
	Constants []formula.Parameter
}

// NamedFit is what the fit of a form gives.
type NamedFit struct {
	Values []float64 // of the constants, in their order
	Held   []bool    // whether each is fixed, whole, or at a bound, which holds it
	*Confidence
}

// Formula returns the form with constants put in.
func (f Named) Formula(values []float64) formula.Expr {
	put := map[string]formula.Expr{}
	for i, c := range f.Constants {
		put[c.Name] = formula.Const(values[i])
	}
	return formula.Substitute(f.Expr, put)
}

// Fit fits the constants of a form to the data by least squares.
//
// Constants that enter linearly and have no start are solved for at given values of the others. These are tried at the
// places of a low-discrepancy sequence of magnitudes from 1e-3 to 1e3 and both signs; the constants of the best places
// then go on together by Levenberg–Marquardt. The same form and data give the same result. At a bound a constant
// is held as long as the fit would leave it. Whole numbers are found by [Named.wholeNumbers].
func (f Named) Fit(d Data) (*NamedFit, error) {
	some := d.AtMost(SearchRows)
	starts, err := f.starts(some)
	if err != nil {
		return nil, err
	}
	x, err := newParametric(f.Expr, f.names(), f.Inputs, some)
	if err != nil {
		return nil, err
	}
	best, _ := f.best(x, starts)
	if f.hasIntegers() {
		best = f.wholeNumbers(x, best, starts)
	}
	if best == nil {
		if at := f.noValueAt(some, starts); at != "" {
			return nil, fmt.Errorf("the form has no finite value at %s (leave out such rows, or give constants a start)", at)
		}
		return nil, errors.New("the form has no finite value on the rows from any start (give constants a start)")
	}
	return f.FitFrom(best, d)
}

// noValueAt returns the inputs of the first row at which the form has no finite value from any of some starts, nor with
// constants that are all alike; "" without one.
func (f Named) noValueAt(d Data, starts [][]float64) string {
	const some = 16
	forms := []formula.Expr{
		f.Formula(slices.Repeat([]float64{1}, len(f.Constants))), f.Formula(slices.Repeat([]float64{0.7}, len(f.Constants))),
	}
	for _, p := range starts[:min(some, len(starts))] {
		p = slices.Clone(p)
		for i, v := range p {
			if math.IsNaN(v) || math.IsInf(v, 0) { // it was solved for on these rows
				p[i] = 1
			}
		}
		forms = append(forms, f.Formula(p))
	}
	used := formula.Vars(f.Expr)
	for i := range d.Y {
		at := map[string]float64{}
		var said []string
		for j, name := range f.Inputs {
			if at[name] = d.X[j][i]; slices.Contains(used, name) {
				said = append(said, fmt.Sprintf("%s = %g", name, at[name]))
			}
		}
		if !slices.ContainsFunc(forms, func(e formula.Expr) bool {
			v, err := formula.Eval(e, at)
			return err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
		}) {
			return strings.Join(said, ", ")
		}
	}
	return ""
}

// best returns the constants that fit best of those that starts lead to, nil where none has finite values, and their
// SSE.
func (f Named) best(x *expression, starts [][]float64) (best []float64, least float64) {
	least = math.Inf(1)
	for _, p := range starts {
		q, sse := f.within(x, p, startSteps, startTol)
		better := !x.same(sse, least) || x.same(least, sse) && plainer(q, best)
		if !math.IsInf(sse, 0) && (best == nil || better) {
			best, least = q, sse
		}
	}
	return best, least
}

// plainer reports whether constants p are smaller in size than q together, or as large with fewer below zero. Where
// several fit alike, as frequencies beyond what rows at equal distances can tell apart, the plainest are meant.
func plainer(p, q []float64) bool {
	const equal = 1e-6
	sum := func(values []float64) (size float64, below int) {
		for _, v := range values {
			size += math.Abs(v)
			if v < 0 {
				below++
			}
		}
		return size, below
	}
	a, belowA := sum(p)
	b, belowB := sum(q)
	return a < b*(1-equal) || a <= b*(1+equal) && belowA < belowB
}

// How far each start is followed before the best goes on.
const (
	startSteps = 60
	startTol   = 1e-8
)

// FitFrom is [Named.Fit] from given constants.
func (f Named) FitFrom(p []float64, d Data) (*NamedFit, error) {
	x, err := newParametric(f.Expr, f.names(), f.Inputs, d)
	if err != nil {
		return nil, err
	}
	p, sse := f.within(x, p, refitSteps, refitTol)
	if math.IsInf(sse, 0) {
		return nil, errors.New("the form has no finite value on some of the rows")
	}
	if q := x.exactly(p, x.Normal(p)); slices.Equal(q, f.clamped(q)) {
		p = q
	}
	c, err := x.confidence(p)
	return &NamedFit{Values: p, Held: slices.Clone(x.fixed), Confidence: c}, err
}

func (f Named) names() []string {
	var names []string
	for _, c := range f.Constants {
		names = append(names, c.Name)
	}
	return names
}

// clamped returns constants within their bounds, whole where they are to be.
func (f Named) clamped(p []float64) []float64 {
	q := slices.Clone(p)
	for i, c := range f.Constants {
		q[i] = min(max(q[i], c.Low), c.High)
		if c.Integer {
			q[i] = min(max(math.Round(q[i]), math.Ceil(c.Low)), math.Floor(c.High))
		}
	}
	return q
}

// within is [Levenberg] within bounds: a constant at a bound is fixed while the SSE falls beyond it, and each step ends
// at the bounds. It returns the SSE, infinite where there is no value, and leaves fixed what is held.
func (f Named) within(x *expression, p []float64, steps int, tol float64) ([]float64, float64) {
	p = f.clamped(p)
	mu := 1e-3
	for range steps {
		eq := f.holdBounds(x, p)
		next, nextMu, ok := f.descend(x, p, eq, mu)
		if !ok || x.Ended() {
			return p, eq.SSE
		}
		p, mu = next, nextMu
		if after := x.SSE(p); !(eq.SSE-after > tol*eq.SSE) {
			break
		}
	}
	return p, f.holdBounds(x, p).SSE
}

// holdBounds fixes whole numbers and the constants at bounds that the fit would leave, and returns the normal equations
// of the others.
func (f Named) holdBounds(x *expression, p []float64) Normal {
	for i, c := range f.Constants {
		x.fixed[i] = c.Integer || c.Fixed() // their derivatives need not be finite
	}
	eq := x.Normal(p)
	held := false
	for i, c := range f.Constants {
		out := p[i] <= c.Low && eq.JTR[i] >= 0 || p[i] >= c.High && eq.JTR[i] <= 0
		held = held || out && !x.fixed[i]
		x.fixed[i] = x.fixed[i] || out
	}
	if held {
		return x.Normal(p)
	}
	return eq
}

// descend looks for a damping μ whose step, cut at the bounds, lowers the SSE.
func (f Named) descend(x *expression, p []float64, eq Normal, mu float64) (next []float64, nextMu float64, ok bool) {
	for range 12 {
		if step, solved := eq.step(mu); solved {
			floats.Add(step, p)
			if next = f.clamped(step); x.SSE(next) < eq.SSE {
				return next, math.Max(mu/5, 1e-12), true
			}
		}
		mu *= 8
	}
	return nil, mu, false
}
