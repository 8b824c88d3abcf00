package sweep

import (
	"context"

	"github.com/eqlearner/eql/formula"
)

// Judged is a row of the table of a target as if it had been chosen: the formula with special values, and the evidence
// for it. The search in halves of the rows is not asked for it.
type Judged struct {
	Formula    formula.Expr
	Complexity int
	Evidence   *Evidence
}

// judgeRows judges the rows of the tables that were not chosen. Formulas that are too long to be chosen for a person
// are left out, and so is all of it when the run was interrupted or has no time left.
func (r *runner) judgeRows(ctx context.Context, res *Result) {
	if !r.settings.Refine || res.Ended == EndedInterrupted || ctx.Err() != nil || r.brief || r.late() {
		return
	}
	type row struct {
		target *TargetModel
		o      int
	}
	var rows []row
	chosen := map[*TargetModel]bool{}
	for _, c := range res.Chosen {
		for o, target := range res.Targets {
			if c.Target == target && c.Model != nil {
				chosen[&c.Model.Targets[o]] = true
			}
		}
	}
	for o := range res.Targets {
		for _, m := range res.Front(o) {
			if t := &m.Targets[o]; !chosen[t] && t.law != nil && t.Complexity <= readable {
				rows = append(rows, row{t, o})
			}
		}
	}
	judged := make([]*Judged, len(rows))
	r.all(len(rows), func(i int) {
		if r.late() {
			return
		}
		t, o := *rows[i].target, rows[i].o
		found := r.tests(t, o)
		if r.late() {
			return
		}
		judged[i] = &Judged{found.snapped, r.problem.complexity(found.snapped), r.weigh(res.Models, t, found, o)}
	})
	if r.late() {
		return
	}
	for i, row := range rows {
		row.target.Judged = judged[i]
	}
}
