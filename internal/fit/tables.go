package fit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
)

// Tables are groups whose rows are measured apart: each has errors of a size of its own, and pays for its constants by
// the number of its own rows. A form has all its constants in each, but for those that all tables have in common.
type Tables struct {
	Inputs []string
	Data   []Data
}

// Apart fits a form whose constants have names to one table, from each of some starts, and returns the constants of
// the best fit with its BIC2; +Inf without a fit.
func Apart(open formula.Expr, names, inputs []string, d Data, starts [][]float64) ([]float64, float64) {
	x, err := newParametric(open, names, inputs, d)
	if err != nil {
		return nil, math.Inf(1)
	}
	p, sse := x.bestFrom(starts...)
	if math.IsInf(sse, 0) {
		return nil, math.Inf(1)
	}
	return p, NewCriterion(d).Value(sse/float64(d.Rows()), len(names))
}

// Independent returns a form without constants that can be traded against others on some rows: each of these is put in
// as the number that it is at p. Constants that are 1 go first, which are factors that a formula does not have. kept
// are the places of those that are left.
func Independent(open formula.Expr, names, inputs []string, d Data, p []float64) (form formula.Expr, kept []int) {
	x, err := newParametric(open, names, inputs, d)
	if err != nil {
		return open, nil
	}
	for {
		c, ok := x.covariance(p, x.Normal(p))
		if !ok || len(c.null) == 0 {
			break
		}
		first := -1
		for k, i := range c.of {
			if c.open(k) && (first < 0 || p[i] == 1 && p[first] != 1) {
				first = i
			}
		}
		x.fixed[first] = true
	}
	put := map[string]formula.Expr{}
	for i, name := range names {
		if x.fixed[i] {
			put[name] = formula.Const(p[i])
		} else {
			kept = append(kept, i)
		}
	}
	return formula.Substitute(open, put), kept
}

// How much constants that tables have in common may cost: the probability of more by chance, in any one table, and in
// all of them together.
const (
	apartInOne = 0.05
	apartInAll = 0.05
)

// Together finds the constants of a form that all tables have in common, beginning with the values of each table. A
// constant becomes one number where BIC2 falls and no table speaks against it: the residuals grow no more than those of
// a table with one constant less, by the F test, in any table, with as many tables as there are, and in all of them by
// Fisher's method.
func (t Tables) Together(open formula.Expr, names []string, values [][]float64) (Common, error) {
	groups := Groups{Inputs: t.Inputs}
	for g, d := range t.Data {
		x, err := newParametric(open, names, t.Inputs, d)
		if err != nil {
			return Common{}, err
		}
		size, _ := d.noise(x.SSE(values[g]), len(names))
		if floor := NewCriterion(d).Floor; !(size > floor) || math.IsInf(size, 0) {
			size = floor
		}
		d.W = d.RootWeights()
		for i := range d.W {
			d.W[i] /= size // so that errors are 1 in all tables
		}
		groups.Data = append(groups.Data, d)
	}
	f, err := groups.newFitOf(open, names)
	if err != nil {
		return Common{}, err
	}
	apart := groupState{own: slices.Repeat([]bool{true}, len(names)), values: values}
	apart.score = f.scoreApart(apart)
	s := apart
	for {
		best := s
		for k, own := range s.own {
			if !own {
				continue
			}
			next := slices.Clone(s.own)
			next[k] = false
			if state := f.together(s, next); f.agree(apart, &state) && state.score < best.score {
				best = state
			}
		}
		if !(best.score < s.score) {
			break
		}
		s = best
	}
	return f.common(s), nil
}

// Common is a form fitted to tables that have some constants in common.
type Common struct {
	Is     []bool      // of each constant, whether all tables have it in common
	Errors []float64   // its standard error; 0 of the others, +Inf where the rows leave it open
	Values [][]float64 // of each table, all constants
}

// common writes a state with the standard errors of what is shared.
func (f *groupFit) common(s groupState) Common {
	c := Common{Errors: make([]float64, f.constants), Values: s.values}
	t := &groupProblem{groupFit: f, own: s.own, at: f.places(s.own)}
	p := make([]float64, t.at.count())
	for g, at := range t.at {
		for k, i := range at {
			p[i] = s.values[g][k]
		}
	}
	rest, _, ok := t.Normal(p).reduced(0)
	var inverse mat.SymDense
	if ok && rest.JTJ.N > 0 {
		chol, factorized := rest.Factorize(0)
		ok = factorized && !Fails(chol.InverseTo(&inverse))
	}
	for k, own := range s.own {
		c.Is = append(c.Is, !own)
		if i := t.at[0][k]; !own && ok {
			c.Errors[k] = math.Sqrt(inverse.At(i, i)) // errors of the rows are 1
		} else if !own {
			c.Errors[k] = math.Inf(1)
		}
	}
	return c
}

// agree reports whether no table speaks against the constants that are shared in a state, and gives it its score.
func (f *groupFit) agree(apart groupState, s *groupState) bool {
	s.score = f.scoreApart(*s)
	shared, fisher := 0.0, 0.0
	for _, own := range s.own {
		if !own {
			shared++
		}
	}
	for g, x := range f.parts {
		free := float64(x.data.Rows() - f.constants)
		before, after := x.SSE(apart.values[g]), x.SSE(s.values[g])
		if math.IsInf(after, 0) || free < 1 {
			return false
		}
		before = math.Max(before, free) // errors of the size of the floor are no evidence
		p := distuv.F{D1: shared, D2: free}.Survival(math.Max(after-before, 0) / shared / (before / free))
		if p < apartInOne/float64(len(f.parts)) {
			return false
		}
		fisher -= 2 * math.Log(p)
	}
	return distuv.ChiSquared{K: 2 * float64(len(f.parts))}.Survival(fisher) >= apartInAll
}

// scoreApart returns the sum of BIC2 over tables, without what the rows of each add whatever the constants. A constant
// that all have in common costs as one of all rows.
func (f *groupFit) scoreApart(s groupState) float64 {
	own, sum, rows := 0, 0.0, 0
	for _, is := range s.own {
		if is {
			own++
		}
	}
	for g, x := range f.parts {
		c := Criterion{N: x.data.Rows(), Floor: 1e-150}
		sum += c.Value(x.SSE(s.values[g])/float64(c.N), own)
		rows += c.N
	}
	return sum + float64(f.constants-own)*Criterion{N: rows}.Price()
}

// IntervalsApart returns the constants of a form in one table with their 95 % intervals; those that are held, which
// other tables decide together, have none. An error is that of [NewConfidence].
func IntervalsApart(
	open formula.Expr, names, inputs []string, d Data, p []float64, held []bool,
) ([]evidence.Constant, error) {
	x, err := newParametric(open, names, inputs, d)
	if err != nil {
		return nil, err
	}
	copy(x.fixed, held)
	c, err := x.confidence(p)
	if err != nil {
		return nil, err
	}
	constants, _ := c.Constants(0.95)
	return constants, nil
}
