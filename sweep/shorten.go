package sweep

import (
	"cmp"
	"slices"

	"github.com/eqlearner/eql/distill"
)

const (
	// comfortable is how many nodes of a formula a person reads gladly. A law may have more;
	// what is no law is not worth more.
	comfortable = 30
	// shortened is how many laws of a target are shortened, the best by the criterion.
	shortened = 4
)

// shorten replaces chosen formulas that are long and do not hold by the best short one, where one
// predicts the validation rows no worse than the least squares line. What was chosen before stays
// in the table of models.
func (r *runner) shorten(res *Result) {
	baseline := res.Models[len(res.Models)-1]
	for i := range res.Chosen {
		c := &res.Chosen[i]
		if c.Evidence == nil || c.Evidence.Level == Holds || c.Complexity <= comfortable {
			continue
		}
		o := slices.Index(r.problem.targets, c.Target)
		var best TargetModel
		for _, t := range r.short(res.Models, o) {
			if t.Formula != nil && t.Complexity <= comfortable && !t.loses(baseline.Targets[o]) &&
				(best.Formula == nil || t.Criterion < best.Criterion) {
				best = t
			}
		}
		if best.Formula == nil {
			continue
		}
		best.Units = c.Units
		c.TargetModel = best
		c.Evidence = r.evidence(res.Models, c, o)
	}
}

// short returns the formulas of a target there are, what the best of them are shortened to, and what
// grows from nothing and is short.
func (r *runner) short(models []*Model, o int) []TargetModel {
	var pool []TargetModel
	for _, m := range models {
		if t := m.Targets[o]; t.Formula != nil {
			pool = append(pool, t)
		}
	}
	slices.SortStableFunc(pool, func(a, b TargetModel) int { return cmp.Compare(a.Criterion, b.Criterion) })
	long := slices.DeleteFunc(slices.Clone(pool), func(t TargetModel) bool { return t.Complexity <= comfortable })
	long = slices.CompactFunc(long, func(a, b TargetModel) bool { return sameLaw(a.Formula, b.Formula) })
	long = long[:min(shortened, len(long))]
	shorter := make([][]TargetModel, len(long)+1)
	growth := r.growth(greedyWork, r.work, len(r.problem.targets))
	r.all(len(shorter), func(i int) {
		var laws []*distill.Law
		if i < len(long) {
			laws = distill.Shorten(long[i].law, r.problem.target(o), comfortable+slackNodes)
		} else {
			laws = growth.Short(r.problem.target(o), comfortable)
		}
		for _, law := range laws {
			var t TargetModel
			r.problem.setLaw(&t, law, o)
			shorter[i] = append(shorter[i], t)
		}
	})
	return append(pool, slices.Concat(shorter...)...)
}

// slackNodes is by how much the size of a law may exceed that of its formula: simplifying removes
// factors of one and the like.
const slackNodes = 10
