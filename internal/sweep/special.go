package sweep

import (
	"slices"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// specialContenders is of how many formulas of a target, the best by the criterion, special values are looked for at a
// time.
const specialContenders = 4

// A constantsOf has the constants of a law in the user's units, with their special values.
type constantsOf struct {
	fitted, snapped formula.Expr // see [fit.Snap]
	constants       []evidence.Constant
	roles           []formula.Role // of the constants
}

// constantsOf returns what is known of the constants of a formula of target o from rows of the table.
func (r *runner) constantsOf(mine TargetModel, o int, d fit.Data) constantsOf {
	var c constantsOf
	d.X = r.problem.columnsFromOrigins(d.X)
	w := r.problem.writing(o)
	switch {
	case mine.form != nil:
		c.roles = r.problem.rolesIn(mine.form, o)
		c.fitted, c.snapped, c.constants = mine.form.named.Snap(mine.form.values, mine.form.weigh(d),
			r.settings.Snap == SnapOff, c.roles)
		return c
	case r.settings.Snap == SnapAuto:
		c.fitted, c.snapped, c.constants = fit.Snap(mine.Formula, r.problem.inputs, d, w)
	default:
		c.fitted, c.constants = fit.Intervals(mine.Formula, r.problem.inputs, d, w.Simplify)
		c.snapped = c.fitted
	}
	c.roles = w.Roles(c.fitted)
	return c
}

// saved returns by how much special values make a formula better than its criterion says, in which each constant has
// the price of a free one.
func (c *constantsOf) saved(price float64) float64 {
	sum := 0.0
	for k, v := range c.constants {
		if k < len(c.roles) {
			sum += fit.Saved(v, c.roles[k], price)
		}
	}
	return sum
}

// weighSpecial finds out by how much special values make those formulas better that may be the best with them.
func (r *runner) weighSpecial(models []*Model) {
	r.all(len(r.problem.targets), func(o int) {
		var list []*TargetModel
		for _, m := range models {
			list = append(list, &m.Targets[o])
		}
		r.weighSpecialOf(list, o)
	})
}

// weighSpecialOf is weighSpecial for some formulas of a target. Standard forms are left as they are: with special
// values they are others of their list.
func (r *runner) weighSpecialOf(list []*TargetModel, o int) {
	list = slices.DeleteFunc(list, func(t *TargetModel) bool { return !t.choosable() || t.beyond || t.form != nil })
	if r.settings.Snap != SnapAuto || !r.settings.Refine || len(list) < 2 {
		return
	}
	slices.SortStableFunc(list, func(a, b *TargetModel) int { return a.compare(*b) })
	price := r.problem.priceOfConstant(o)
	d := r.problem.inTable(o).AtMost(fit.SearchRows)
	var first []*TargetModel // of each law
	for _, t := range list {
		inReach := t.exact == list[0].exact && t.Criterion-price*float64(t.law.Params()) <= list[0].value()
		known := slices.ContainsFunc(first, func(f *TargetModel) bool { return f.law == t.law })
		if inReach && !known && len(first) < specialContenders {
			first = append(first, t)
		}
	}
	saved := make([]float64, len(first))
	r.spread(len(first), func(i int) {
		if first[i].weighed || r.late() {
			saved[i] = first[i].saved
			return
		}
		c := r.constantsOf(*first[i], o, d)
		saved[i] = c.saved(price)
	})
	for _, t := range list {
		if i := slices.IndexFunc(first, func(f *TargetModel) bool { return f.law == t.law }); i >= 0 {
			t.saved, t.weighed = saved[i], true
		}
	}
}

// priceOfConstant is what a free constant costs in the criterion of a target.
func (p *problem) priceOfConstant(o int) float64 {
	c := fit.NewCriterion(p.target(o))
	if p.folds != nil {
		c.N = max(c.N, priceRows)
	}
	return c.Price()
}
