package sweep

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/forms"
	"github.com/eqlearner/eql/model"
)

// A power law casts doubt on a formula whose error it falls short of by this factor, beyond
// chance; or whose median relative error it halves, for a target that ranges over a decade or more.
const (
	clearly    = 0.8
	relatively = 0.5
	decade     = 10
)

// power fits a power law to the training rows and validates it as the formula was.
func (p *problem) power(o int, d fit.Data, mine TargetModel, snap Snap) Power {
	law, ok := fit.Power(d)
	if !ok {
		return Power{}
	}
	held := d
	var errors []float64
	if p.folds != nil {
		errors = law.CrossValidate(d, p.foldsOf(o))
	} else {
		held = p.heldOut(o, func(int) model.Scale { return model.Scale{} })
		errors = held.Errors(law)
	}
	w := Power{Formula: law.Expr(p.inputs), Validation: fit.RMS(errors)}
	if snap == SnapAuto {
		w.Formula = law.Snap(p.inputs, d)
	}
	values, err := evaluate(w.Formula, p.inputs, d.X, d.Rows()) // parts may be beyond the range of numbers: 0*year^178
	if err != nil || !allFinite(append(values, w.Validation)) || len(mine.errors) != len(errors) ||
		len(formula.Vars(w.Formula)) == 0 {
		return Power{} // with special values nothing but a number may be left
	}
	factor := p.factorOf(o)
	own := make([]float64, len(errors))
	for i, v := range mine.errors {
		own[i] = v * factor
	}
	if mine.Scaled > fit.NewCriterion(p.target(o)).Floor { // below it both err by the arithmetic
		w.Better = w.Validation < clearly*factor*mine.Scaled && worse(own, errors, 1) ||
			held.W == nil && span(held.Y) >= decade && medianRelative(errors, held.Y) < relatively*medianRelative(own, held.Y)
	}
	return w
}

// span returns how many times as large the largest of y is as the smallest, in size.
func span(y []float64) float64 {
	low, high := math.Inf(1), 0.0
	for _, v := range y {
		low, high = math.Min(low, math.Abs(v)), math.Max(high, math.Abs(v))
	}
	return high / low
}

func medianRelative(errors, y []float64) float64 {
	relative := make([]float64, len(y))
	for i, v := range y {
		relative[i] = errors[i] / v
	}
	return fit.MedianSize(relative)
}

// relativePower returns the power law of the inputs for errors in proportion to the target, where these are more likely
// than errors of one size.
func (p *problem) relativePower(o int, units []model.Unit) (t TargetModel, ok bool) {
	law, ok := fit.Power(p.inTable(o))
	if !ok || p.errors[o].sigma != nil || !law.Relative() ||
		slices.ContainsFunc(p.origins, func(origin float64) bool { return origin != 0 }) {
		return t, false
	}
	e := law.Expr(p.inputs)
	f := &formFit{relative: true, named: fit.Named{Inputs: p.inputs}}
	f.form.Name = "power law, relative errors"
	var names []string
	f.named.Expr, names, f.values = formula.Open(e, "")
	for _, name := range names {
		f.named.Constants = append(f.named.Constants,
			formula.Parameter{Name: name, Start: math.NaN(), Low: math.Inf(-1), High: math.Inf(1)})
	}
	return p.formTarget(f, o, units)
}

// preferPower answers with the power law where the verdict would name it as better. It reports whether it did.
func (r *runner) preferPower(res *Result) {
	for i := range res.Chosen {
		c := &res.Chosen[i]
		o := slices.Index(r.problem.targets, c.Target)
		if c.Evidence == nil || !c.Evidence.Power.Better {
			continue
		}
		best := -1
		for k, m := range r.forms {
			if f := m.Targets[o].form; f != nil && !m.Targets[o].beyond && (f.relative || forms.IsPower(f.form)) &&
				(best < 0 || f.relative) {
				best = k
			}
		}
		if best >= 0 {
			c.Model, c.TargetModel = r.forms[best], r.forms[best].Targets[o]
			c.Evidence = r.evidence(res.Models, c, o)
		}
	}
}
