package sweep

import (
	"context"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// conclude finishes the laws there are, chooses, and judges what is chosen, and does so again where that gives rows
// back that were left out. It reports whether there was time for it; if not, the result is not to be used.
func (r *runner) conclude(ctx context.Context, res *Result, trained []*Model, baseline *Model, id int) bool {
	done := r.concludeOnce(ctx, res, trained, baseline, id)
	if done && r.settings.Refine && r.readmit(res) {
		done = r.concludeOnce(ctx, res, trained, baseline, id)
	}
	return done
}

func (r *runner) concludeOnce(ctx context.Context, res *Result, trained []*Model, baseline *Model, id int) bool {
	if r.late() {
		return false
	}
	began := r.clock()
	defer func() {
		r.concluded = r.clock() - began
		r.concluding += r.concluded
	}()
	slices.SortFunc(trained, func(a, b *Model) int { return a.ID - b.ID })
	res.Models = trained[:len(trained):len(trained)]
	if r.greedy != nil {
		r.greedy.ID = id
		id++
		res.Models = append(res.Models, r.greedy)
	}
	if r.assessed || r.forms == nil { // the line is judged as all others are
		*baseline, r.assessed = *r.baseline(), false
		r.forms = r.standardForms(baseline, res.Models)
	}
	baseline.ID = id
	for _, m := range r.forms {
		m.ID = baseline.ID
		baseline.ID++
		res.Models = append(res.Models, m)
	}
	res.Models = append(res.Models, baseline)
	res.Baseline, res.Greedy = baseline, r.greedy
	if r.settings.Refine {
		r.finish(res.Models)
	}
	r.choose(res)
	if r.settings.Refine && !r.brief && !r.late() {
		if r.revise(res) {
			r.choose(res)
		}
		for asked := true; asked; {
			var changed bool
			if asked, changed = r.searchOn(ctx, res); changed {
				r.choose(res)
			}
		}
	}
	if r.settings.Refine {
		r.preferPower(res)
	}
	return !r.late()
}

// settledAll reports whether to search no further: every formula holds, or leaves a doubt that only more rows could
// settle.
func (r *runner) settledAll(res *Result) bool {
	return !slices.ContainsFunc(res.Chosen, func(c Choice) bool { return c.Evidence == nil || !settled(c.Evidence) })
}

// choose chooses a formula for each target and judges it, and chooses again where one is refused.
func (r *runner) choose(res *Result) {
	for again := true; again && !r.late(); {
		r.limit(res)
		r.weighSpecial(res.Models)
		res.Chosen = pick(r.problem, res.Models, r.settings.Select)
		if !r.settings.Refine {
			return
		}
		r.judge(res)
		again = r.refuse(res)
	}
}

// asFitted puts the least squares line, as it was fitted, in the place of chosen formulas that are that line or depend
// on nothing. A run that was interrupted before it found a law cannot tell whether a special value means anything.
func (r *runner) asFitted(res *Result, baseline *Model) {
	for i := range res.Chosen {
		c := &res.Chosen[i]
		o := slices.Index(r.problem.targets, c.Target)
		if c.Evidence == nil || baseline.Targets[o].beyond ||
			c.law != baseline.Targets[o].law && len(formula.Vars(c.Formula)) > 0 {
			continue
		}
		c.Model, c.TargetModel = baseline, baseline.Targets[o]
		e := r.evidence(res.Models, c, o)
		if e == nil {
			continue
		}
		e.Verdict = Verdict{Level: Uncertain, Code: "interrupted", Kind: Untested,
			Reason: "the run was interrupted before it found a law; this is linear regression"}
		e.Constants = unsnapped(e.Constants)
		c.Evidence, c.Formula, c.Complexity = e, e.Fitted, r.problem.complexity(e.Fitted)
	}
}

// baseline is the least squares line through all inputs. Where that has no value on some row, because it exceeds the
// largest number, the mean stands for it: there is always a formula to choose.
func (r *runner) baseline() *Model {
	m := linearModel(r.problem)
	r.problem.examine(m, r.settings, nil)
	if !m.written() {
		for o := range m.Targets {
			if row := m.Network.Weights[0].Row(o); m.Targets[o].Formula == nil {
				clear(row)
				row[len(row)-1] = fit.Mean(r.problem.target(o).Y)
			}
		}
		r.problem.examine(m, r.settings, nil)
	}
	if r.problem.folds != nil { // it competes with the standard forms
		for o := range m.Targets {
			d := r.problem.target(o)
			m.Targets[o].Criterion = smallCriterion(d, m.Targets[o].law.SSE(d), m.Targets[o].law.Params())
			m.Targets[o].ofAllRows = m.Targets[o].Criterion
		}
	}
	return m
}

// close makes the formulas that were chosen what is shown: those that a person reads, and what is said of rows. It
// reports whether there was time for all of it; what there was none for is left out.
func (r *runner) close(ctx context.Context, res *Result, baseline *Model) bool {
	began := r.clock()
	for _, change := range []func(*Result){r.undominated, r.shorten, r.intoForms, func(res *Result) {
		if r.refuse(res) {
			r.choose(res)
		}
	}} {
		models, chosen := slices.Clone(res.Models), slices.Clone(res.Chosen)
		if !r.late() {
			change(res)
		}
		if r.late() {
			res.Models, res.Chosen = models, chosen
		}
	}
	if res.Ended == EndedInterrupted {
		r.asFitted(res, baseline)
	}
	r.judgeRows(ctx, res)
	res.Training, res.Searching = r.training, r.searching+r.concluding+r.clock()-began
	return !r.late()
}
