package fit

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// Groups are rows of one target in groups. A form of the inputs may have constants of its own for each of them.
type Groups struct {
	Inputs     []string // the names of the columns of each group's data
	Indicators []string // for each group, the name of an input that is 1 in its rows and 0 in all others
	Data       []Data
}

// criterion returns the criterion of all rows.
func (g Groups) criterion() Criterion {
	var all Data
	for _, d := range g.Data {
		all.Y, all.W, all.Sigma = append(all.Y, d.Y...), append(all.W, d.W...), d.Sigma
	}
	return NewCriterion(all)
}

// Fit fits the constants of a formula of the inputs to the groups. Each constant is one for all groups, or has a value
// of its own in each: the search begins with all of one kind, and then with all of the other, and changes the kind of
// one constant after the other as long as BIC2 over all rows falls. A value of its own is a constant in each group, so
// what is shared costs less. The formula that is returned has the indicators among its variables; the score is its
// BIC2, +Inf without a fit.
func (g Groups) Fit(e formula.Expr) (formula.Expr, float64) {
	f, err := g.newFit(e)
	if err != nil || f.constants == 0 {
		return e, math.Inf(1)
	}
	own := f.climb(f.separately(slices.Repeat([]bool{true}, f.constants)))
	shared := f.climb(f.together(own, slices.Repeat([]bool{false}, f.constants)))
	if shared.score <= own.score {
		own = shared
	}
	return f.formula(own), own.score
}

// groupFit fits one form to several groups.
type groupFit struct {
	Groups
	open      formula.Expr // with names for its constants
	names     []string
	constants int
	parts     []*expression // the form on the rows of each group
	begin     []float64     // the constants of the form as it was given
	total     Criterion
}

// groupState is a form fitted to groups.
type groupState struct {
	own    []bool      // of each constant, whether it has a value in each group
	values [][]float64 // of each group, the values of all constants
	score  float64     // BIC2
}

func (g Groups) newFit(e formula.Expr) (*groupFit, error) {
	open, names, begin := formula.Open(e, "")
	f, err := g.newFitOf(open, names)
	if err == nil {
		f.begin, f.total = begin, g.criterion()
	}
	return f, err
}

// newFitOf prepares a form whose constants have names.
func (g Groups) newFitOf(open formula.Expr, names []string) (*groupFit, error) {
	f := &groupFit{Groups: g, open: open, names: names, constants: len(names)}
	for _, d := range g.Data {
		x, err := newParametric(f.open, f.names, g.Inputs, d)
		if err != nil {
			return nil, err
		}
		f.parts = append(f.parts, x)
	}
	return f, nil
}

// How far a form is fitted to groups.
const (
	groupSteps = 40
	groupTol   = 1e-9
)

// separately fits all constants to each group: from those of the form, and from those of the other groups.
func (f *groupFit) separately(own []bool) groupState {
	s := groupState{own: own, values: make([][]float64, len(f.parts))}
	best := make([]float64, len(f.parts))
	for g, x := range f.parts {
		s.values[g], best[g] = x.bestFrom(f.begin)
	}
	middle := f.middle(s)
	for g, x := range f.parts {
		if p, sse := x.bestFrom(middle); sse < best[g] {
			s.values[g], best[g] = p, sse
		}
	}
	s.score = f.score(s)
	return s
}

// bestFrom fits the constants from each of some starts and returns the best with its SSE.
func (x *expression) bestFrom(starts ...[]float64) (best []float64, sse float64) {
	sse = math.Inf(1)
	for _, start := range starts {
		if p, eq := Levenberg(x, start, groupSteps, groupTol); best == nil || eq.SSE < sse {
			best, sse = p, eq.SSE
		}
	}
	return best, sse
}

// middle returns the median of each constant over the groups.
func (f *groupFit) middle(s groupState) []float64 {
	middle := make([]float64, f.constants)
	for k := range middle {
		var of []float64
		for _, p := range s.values {
			of = append(of, p[k])
		}
		slices.Sort(of)
		middle[k] = (of[(len(of)-1)/2] + of[len(of)/2]) / 2
	}
	return middle
}

// climb changes the kind of one constant at a time, that which lowers the score most, until none does.
func (f *groupFit) climb(s groupState) groupState {
	for {
		best := s
		for k := range s.own {
			own := slices.Clone(s.own)
			own[k] = !own[k]
			if next := f.together(s, own); next.score < best.score {
				best = next
			}
		}
		if !(best.score < s.score) {
			return s
		}
		s = best
	}
}

// together fits all constants to all groups, those that are shared from their middle.
func (f *groupFit) together(from groupState, own []bool) groupState {
	t := &groupProblem{groupFit: f, own: own, at: f.places(own)}
	middle := f.middle(from)
	p := make([]float64, t.at.count())
	for g, at := range t.at {
		for k, i := range at {
			if p[i] = middle[k]; own[k] {
				p[i] = from.values[g][k]
			}
		}
	}
	p, _ = Levenberg(t, p, groupSteps, groupTol)
	s := groupState{own: own, values: make([][]float64, len(f.parts))}
	for g := range f.parts {
		s.values[g] = t.of(p, g)
	}
	s.score = f.score(s)
	return s
}

// score returns the criterion of a state.
func (f *groupFit) score(s groupState) float64 {
	sse := 0.0
	for g, x := range f.parts {
		sse += x.SSE(s.values[g])
	}
	return f.total.Value(sse/float64(f.total.N), f.places(s.own).count())
}

// groupPlaces says where the constants of each group stand among all that are fitted.
type groupPlaces [][]int

func (p groupPlaces) count() int {
	last := p[len(p)-1]
	return 1 + slices.Max(append(slices.Clone(last), slices.Max(p[0])))
}

// places gives each shared constant one place, and after these each of the others a place in each group.
func (f *groupFit) places(own []bool) groupPlaces {
	p := make(groupPlaces, len(f.parts))
	next := 0
	for g := range p {
		p[g] = make([]int, f.constants)
	}
	for k, isOwn := range own {
		if isOwn {
			continue
		}
		for g := range p {
			p[g][k] = next
		}
		next++
	}
	for g := range p {
		for k, isOwn := range own {
			if isOwn {
				p[g][k] = next
				next++
			}
		}
	}
	return p
}

// groupProblem is the least squares problem of constants of which some are shared.
type groupProblem struct {
	*groupFit
	own []bool
	at  groupPlaces
}

// of returns the constants of a group.
func (t *groupProblem) of(p []float64, g int) []float64 {
	q := make([]float64, t.constants)
	for k, i := range t.at[g] {
		q[k] = p[i]
	}
	return q
}

func (t *groupProblem) Ended() bool { return t.parts[0].Ended() }

func (t *groupProblem) SSE(p []float64) float64 {
	sum := 0.0
	for g, x := range t.parts {
		sum += x.SSE(t.of(p, g))
	}
	return sum
}

func (t *groupProblem) Normal(p []float64) groupEquations {
	shared := 0
	for _, own := range t.own {
		if !own {
			shared++
		}
	}
	sum := groupEquations{shared: newNormal(shared), own: make([]Normal, len(t.parts)),
		between: make([][]float64, len(t.parts))}
	for g, x := range t.parts {
		eq := x.Normal(t.of(p, g))
		sum.shared.SSE += eq.SSE
		sum.own[g] = newNormal(t.constants - shared)
		sum.between[g] = make([]float64, shared*(t.constants-shared))
		first := len(p) // the place of the first constant of the group's own
		for k, own := range t.own {
			if own {
				first = min(first, t.at[g][k])
			}
		}
		for k, i := range t.at[g] {
			to, place := &sum.shared, i
			if t.own[k] {
				to, place = &sum.own[g], i-first
			}
			to.JTR[place] += eq.JTR[k]
			for l := k; l < t.constants; l++ {
				v, j := eq.JTJ.Data[k*t.constants+l], t.at[g][l]
				switch {
				case t.own[k] && t.own[l]:
					to.JTJ.Data[place*to.JTJ.N+j-first] += v
				case !t.own[k] && !t.own[l]:
					to.JTJ.Data[place*to.JTJ.N+j] += v
				case t.own[k]:
					sum.between[g][place*shared+j] += v
				default:
					sum.between[g][(j-first)*shared+i] += v
				}
			}
		}
	}
	return sum
}

// formula returns a fitted form as a formula of the inputs and the indicators: a constant with a value in each group
// is the sum of the values times the indicators.
func (f *groupFit) formula(s groupState) formula.Expr {
	put := map[string]formula.Expr{}
	for k, name := range f.names {
		put[name] = formula.Const(s.values[0][k])
		if s.own[k] {
			var terms []formula.Expr
			for g, indicator := range f.Indicators {
				terms = append(terms, formula.Mul(formula.Const(s.values[g][k]), formula.Var(indicator)))
			}
			put[name] = formula.Add(terms...)
		}
	}
	return formula.Substitute(f.open, put)
}
