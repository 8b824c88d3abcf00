package sweep

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/search"
	"github.com/eqlearner/eql/internal/units"
	"github.com/eqlearner/eql/run"
)

const (
	// priceOfUnit is what a constant with a unit adds to the criterion: in BIC2, odds of 20 to 1 that a law needs none.
	priceOfUnit = 6
	// mostGroupings is how many ways to write a law without dimensions are searched in.
	mostGroupings = 3
)

// priceOfUnits is what a formula pays for its constants with units. One that does not agree with the units of the
// columns pays as if all its constants had some, and one more; where agreement is required it has no price. Formulas
// too long to be chosen pay without being checked.
func (p *problem) priceOfUnits(e formula.Expr, o int) float64 {
	if p.measured == nil {
		return 0
	}
	n := 1 + len(formula.Constants(e))
	if formula.Complexity(e) <= readable {
		constants, wrong := units.Check(e, p.targets[o], p.measured, nil)
		switch {
		case wrong == nil:
			n = 0
			for _, u := range constants {
				if !u.Dim.Zero() {
					n++
				}
			}
		case p.dimensions == run.DimensionsRequire:
			return math.Inf(1)
		}
	}
	return priceOfUnit * float64(n)
}

// fromItsZero reports whether the zero of a column means something, so that laws have no constants for another: it has
// a unit, which is none of time or of temperature.
func (p *problem) fromItsZero(column string) bool {
	u, ok := p.measured[column]
	return ok && !u.Dim.Zero() && !u.Dim.Is(units.Dim{2: 1}) && !u.Dim.Is(units.Dim{4: 1})
}

// measure adds the units of the constants of a formula to its evidence, or what does not agree. A special value of 1 is
// a part of the form and a pure number. Where agreement is required, all special values are.
func (p *problem) measure(e *Evidence, o int) {
	e.Mismatch = ""
	if p.measured == nil {
		return
	}
	at := placesOf(e.Constants, formula.Constants(e.Fitted))
	fixed := make([]bool, len(at))
	for i, k := range at {
		c := e.Constants[i]
		special := c.Snapped != c.Value && c.Snapped != 0
		fixed[k] = special && (math.Abs(c.Snapped) == 1 || p.dimensions == run.DimensionsRequire)
	}
	found, wrong := units.Check(e.Fitted, p.targets[o], p.measured, fixed)
	if wrong != nil {
		e.Mismatch = wrong.Error()
		return
	}
	e.Constants = slices.Clone(e.Constants)
	for i, k := range at {
		e.Constants[i].Unit = p.writer.Text(found[k])
	}
}

// writing returns how formulas of target o are written.
func (p *problem) writing(o int) fit.Writing {
	return fit.Writing{Simplify: p.simplify, Roles: func(e formula.Expr) []formula.Role {
		roles := formula.Roles(e)
		if p.measured == nil {
			return roles
		}
		found, wrong := units.Check(e, p.targets[o], p.measured, nil)
		return withUnits(roles, found, wrong)
	}}
}

// rolesIn returns the roles of the constants of a standard form.
func (p *problem) rolesIn(f *formFit, o int) []formula.Role {
	roles := f.named.Roles()
	if p.measured == nil {
		return roles
	}
	var names []string
	values := map[string]float64{}
	for k, c := range f.named.Constants {
		names, values[c.Name] = append(names, c.Name), f.values[k]
	}
	found, wrong := units.CheckNamed(f.named.Expr, p.targets[o], p.measured, names, values)
	return withUnits(roles, found, wrong)
}

// withUnits returns roles in which coefficients with units are quantities. Where the units do not agree, all stay.
func withUnits(roles []formula.Role, found []units.Unit, wrong *units.Mismatch) []formula.Role {
	for k, role := range roles {
		if wrong == nil && role == formula.Coefficient && !found[k].Dim.Zero() {
			roles[k] = fit.Quantity
		}
	}
	return roles
}

// placesOf returns which of the numbers of a formula each constant is, nil where they are not the same ones. Those of a
// standard form have an order of their own, and may stand in several places.
func placesOf(constants []evidence.Constant, values []float64) []int {
	const near = 0.5 // relatively, what special values of others may do to a constant
	if len(constants) != len(values) {
		return nil
	}
	var at []int
	for _, c := range constants {
		best, least := -1, near
		for k, v := range values {
			off := math.Abs(c.Value-v) / math.Max(math.Max(math.Abs(c.Value), math.Abs(v)), math.SmallestNonzeroFloat64)
			if off < least && !slices.Contains(at, k) {
				best, least = k, off
			}
		}
		if best < 0 {
			return nil
		}
		at = append(at, best)
	}
	return at
}

// refuse takes formulas out of the models that were chosen and do not agree with the units of the columns, where that
// is required, with all that are the same, and reports whether there were any. The line stays, so that there is an
// answer.
func (r *runner) refuse(res *Result) bool {
	if r.settings.Dimensions != run.DimensionsRequire {
		return false
	}
	refused := false
	for _, c := range res.Chosen {
		if c.Evidence == nil || c.Evidence.Mismatch == "" || c.Model.Baseline {
			continue
		}
		refused = true
		o := slices.Index(r.problem.targets, c.Target)
		begin := formula.Print(formula.Var(c.Target), formula.Text, 0) + " = "
		warning := fmt.Sprintf("%s%s is refused: %s; a special value has no unit, and a fitted constant may have one",
			begin, formula.Print(c.Formula, formula.Text, 4), c.Evidence.Mismatch)
		// the best one is enough
		if !slices.ContainsFunc(res.Warnings, func(w string) bool { return strings.HasPrefix(w, begin) }) {
			res.Warnings = append(res.Warnings, warning)
		}
		same := c.Model.Targets[o].Formula
		for _, m := range res.Models {
			if t := &m.Targets[o]; !m.Baseline && t.Formula != nil && sameLaw(t.Formula, same) {
				t.Formula, t.Criterion = nil, math.Inf(1)
			}
		}
	}
	return refused
}

// searchesInGroups are the searches for laws of a target in groups without dimension, one for each way to make groups.
func (r *runner) searchesInGroups(o int) []lawSearch {
	p := r.problem
	if p.measured == nil {
		return nil
	}
	dims := make([]units.Dim, len(p.inputs))
	for j, name := range p.inputs {
		dims[j] = p.measured[name].Dim
	}
	var list []lawSearch
	for _, g := range units.Groupings(dims, p.measured[p.targets[o]].Dim, mostGroupings) {
		list = append(list, func(ctx context.Context, d fit.Data, o int) []*distill.Law {
			return r.lawsOf(r.inGroups(ctx, d, g, o), d)
		})
	}
	return list
}

// inGroups searches in groups without dimension, and returns what it finds as formulas of the scaled inputs and target.
// Rows weigh what their errors do in the target itself.
func (r *runner) inGroups(ctx context.Context, d fit.Data, g units.Grouping, o int) []formula.Expr {
	p := r.problem
	x, values := unscaled(d.X, p.inScale)
	size, factor := powersOf(x, values, g.Target)
	in := search.Data{Y: slices.Clone(d.Y), W: make([]float64, len(d.Y))}
	scale := p.scaleOf(len(p.inputs) + o)
	for i, v := range d.Y {
		in.Y[i], in.W[i] = scale.Invert(v)/size[i], math.Abs(size[i])/p.unitOf(o)
		if d.W != nil {
			in.W[i] *= d.W[i]
		}
	}
	names, written := make([]string, len(g.Groups)), map[string]formula.Expr{}
	for k, powers := range g.Groups {
		names[k] = fmt.Sprintf("g%d", k+1)
		col, e := powersOf(x, values, powers)
		in.X, written[names[k]] = append(in.X, col), e
	}
	if slices.ContainsFunc(append(in.X, in.Y), notFinite) {
		return nil // an input that is divided by is zero, or one below a root negative
	}
	options := r.searchOptions(names, "searching in groups without dimension: ", searchWork/2)
	found := search.Find(ctx, in, options)
	var formulas []formula.Expr
	for _, f := range found[:min(len(found), searchCandidates)] {
		e := scaledBy(scale, formula.Mul(factor, formula.Substitute(f, written)))
		formulas = append(formulas, formula.Simplify(cleared(e)))
	}
	return formulas
}

// powersOf returns a product of powers of the inputs, on each row and as an expression.
func powersOf(x [][]float64, names []formula.Expr, powers []float64) ([]float64, formula.Expr) {
	values := slices.Repeat([]float64{1}, len(x[0]))
	var factors []formula.Expr
	for j, p := range powers {
		if p == 0 {
			continue
		}
		factors = append(factors, formula.Pow(names[j], formula.Const(p)))
		for i, v := range x[j] {
			values[i] *= math.Pow(v, p)
		}
	}
	return values, formula.Mul(factors...)
}

func notFinite(col []float64) bool {
	return slices.ContainsFunc(col, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}
