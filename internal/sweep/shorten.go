package sweep

import (
	"cmp"
	"slices"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/internal/distill"
)

const (
	// comfortable is how many nodes of a formula a person reads gladly. A law may have more;
	// a formula that is not a law is not worth more.
	comfortable = 30
	// shortened is how many laws of a target are shortened, the best by the criterion.
	shortened = 4
	// grownForms is how many standard forms grow where no law is to be had, the best by the criterion.
	grownForms = 2
	// asGood is how many times as large the error of a standard form may be as that of a formula that the data contradict.
	asGood = 1.25
	// worthwhile is how many times as large the error of a short formula may be as that of the long one whose place it
	// takes.
	worthwhile = 10
)

// shorten replaces chosen formulas that are long and no laws by the best short one, where one predicts the
// validation rows no worse than the least squares line does, and not many times worse than the long one, unless it
// misses the outer rows and the long one predicts them. The short ones are a model of their own; what was chosen before
// stays in the table of models.
func (r *runner) shorten(res *Result) {
	m := &Model{Job: Job{ID: res.Baseline.ID, Layers: 1}, Short: true}
	var changed []int
	for i := range res.Chosen {
		c := &res.Chosen[i]
		m.Targets = append(m.Targets, c.TargetModel)
		if c.Evidence == nil || c.Complexity <= comfortable || mayBeLaw(c.Evidence) {
			continue
		}
		if best, ok := r.bestShort(res.Models, c, slices.Index(r.problem.targets, c.Target)); ok {
			m.Targets[i] = best
			changed = append(changed, i)
		}
	}
	if len(changed) == 0 {
		return
	}
	res.Baseline.ID++
	res.Models = slices.Insert(res.Models, slices.Index(res.Models, res.Baseline), m)
	for _, i := range changed {
		short := res.Chosen[i]
		short.Model, short.TargetModel = m, m.Targets[i]
		short.Evidence = r.evidence(res.Models, &short, i)
		if c := &res.Chosen[i]; !predictsBetter(c.Evidence, short.Evidence) {
			*c = short
		}
	}
}

// intoForms replaces chosen formulas that the data contradict by the best standard form that predicts nearly as well:
// of two approximations people know how far to trust the one with a name.
func (r *runner) intoForms(res *Result) {
	for i := range res.Chosen {
		c := &res.Chosen[i]
		if c.Evidence == nil || c.Evidence.Level != Fails || c.Model.Form != "" {
			continue
		}
		o := slices.Index(r.problem.targets, c.Target)
		for _, m := range res.Forms(o) {
			if t := m.Targets[o]; !t.beyond && t.Validation <= asGood*c.Validation {
				c.Model, c.TargetModel = m, t
				c.Evidence = r.evidence(res.Models, c, o)
				break
			}
		}
	}
}

// mayBeLaw reports whether a formula deserves its length: it holds, it meets the data to the last digit, or its
// residuals are noise and a test that would tell on the outer rows agrees. Then only more rows can decide.
func mayBeLaw(e *Evidence) bool {
	return e.Level == Holds || e.Exact || e.Level == Uncertain && e.Extrapolation.Telling() && !e.Structure.Fails()
}

// predictsBetter reports whether a long formula passes a test on the outer rows that would tell, and a short one fails
// its own.
func predictsBetter(long, short *Evidence) bool {
	return short != nil && long.Extrapolation.Telling() && !long.Extrapolation.Fails() && short.Extrapolation.Fails()
}

// bestShort returns the best short formula in place of a choice, and false where there is none that is good enough.
func (r *runner) bestShort(models []*Model, c *Choice, o int) (best TargetModel, ok bool) {
	baseline := baselineOf(models).Targets[o]
	long := func(t TargetModel) bool { return t.Complexity > comfortable }
	for _, t := range r.short(models, o, comfortable, long) {
		short := t.Formula != nil && !t.beyond && t.Complexity <= comfortable
		good := short && !t.loses(baseline) && t.Validation <= worthwhile*c.Validation
		if good && (best.Formula == nil || t.Criterion < best.Criterion) {
			best = t
		}
	}
	best.Units = c.Units
	return best, best.Formula != nil
}

// short returns the formulas of a target there are; what grows from nothing and has no more than a number of nodes; and
// what the best standard forms grow to, or, where there are none, or limits, what the best of the long formulas are
// shortened to.
func (r *runner) short(models []*Model, o, nodes int, isLong func(TargetModel) bool) []TargetModel {
	var pool, known []TargetModel
	for _, m := range models {
		if t := m.Targets[o]; t.Formula != nil {
			pool = append(pool, t)
			if t.form != nil && len(known) < grownForms {
				known = append(known, t)
			}
		}
	}
	for _, t := range r.replaced[o] { // a short one that was found beside the long one is as good as one that grows
		if t.Formula != nil {
			pool = append(pool, t)
		}
	}
	if r.brief {
		return pool
	}
	slices.SortStableFunc(pool, func(a, b TargetModel) int { return cmp.Compare(a.Criterion, b.Criterion) })
	long := slices.DeleteFunc(slices.Clone(pool), func(t TargetModel) bool { return !isLong(t) })
	long = slices.CompactFunc(long, func(a, b TargetModel) bool { return sameLaw(a.Formula, b.Formula) })
	long = long[:min(shortened, len(long))]
	if r.problem.limits.Any() {
		known = nil
	}
	ways := known
	if len(known) == 0 {
		ways = long
	}
	shorter := make([][]TargetModel, len(ways)+1)
	growth := r.growth(greedyWork, r.work, len(r.problem.targets)*(1+len(known)))
	r.all(len(shorter), func(i int) {
		var laws []*distill.Law
		switch {
		case i == len(ways):
			laws = growth.Short(r.problem.target(o), nodes)
		case len(known) > 0:
			laws = []*distill.Law{growth.Improve(ways[i].law, r.problem.target(o))}
		default:
			laws = distill.Shorten(ways[i].law, r.problem.target(o), nodes+slackNodes)
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

// undominated moves choices to a row of the table of models that is no longer than it and predicts the validation rows
// no worse, unless the rows trained on are clearly against that: on a few validation rows wrong formulas are ahead by
// chance. A standard form is left for a formula that is another function, as far as the data can tell, only if the
// criterion does not prefer the form; and no formula is left for one with more constants that the criterion does not
// prefer, unless it predicts better by more than two standard errors of the difference.
func (r *runner) undominated(res *Result) {
	for i := range res.Chosen {
		if c := &res.Chosen[i]; c.Evidence != nil && r.settings.Select == SelectBIC2 {
			r.moveFromBehind(res, c, i)
		}
	}
}

func (r *runner) moveFromBehind(res *Result, c *Choice, o int) {
	tried := map[*Model]bool{}
	for {
		tried[c.Model] = true
		next := inFront(res.Models, o, c.TargetModel, tried, func(t TargetModel) bool {
			return r.problem.sameFunction(t.law, c.law, c.Evidence.Noise/r.problem.unitOf(o), o)
		})
		if next == nil {
			return
		}
		c.Model, c.TargetModel = next, next.Targets[o]
		if c.Evidence = r.evidence(res.Models, c, o); c.Evidence == nil {
			return
		}
	}
}

// inFront returns the model with the best formula by the criterion that a formula is behind, of those that were not
// tried, nil where there is none. same reports whether one is the same function.
func inFront(models []*Model, o int, behind TargetModel, tried map[*Model]bool,
	same func(TargetModel) bool) (next *Model) {
	for _, m := range models {
		t := m.Targets[o]
		lead := t.Criterion - behind.Criterion
		if tried[m] || t.Formula == nil || t.beyond || !t.dominates(behind) || lead >= evidence.SmallestGap {
			continue
		}
		if behind.form != nil && t.form == nil && lead >= 0 && !same(t) {
			continue
		}
		if lead >= 0 && t.constants() > behind.constants() && !worse(behind.errors, t.errors, untold) {
			continue
		}
		if next == nil || t.Criterion < next.Targets[o].Criterion {
			next = m
		}
	}
	return next
}

// dominates reports whether a formula is better than another in complexity or in validation error, and in neither
// worse.
func (t TargetModel) dominates(other TargetModel) bool {
	if t.Complexity > other.Complexity || !(t.Validation <= other.Validation) { // negated: NaN is not better
		return false
	}
	smaller := t.Validation < other.Validation && other.Validation-t.Validation > equalErrors*other.Validation
	return t.Complexity < other.Complexity || smaller
}

// equalErrors is by how much, relatively, errors of formulas of equal length may differ for neither to be better.
const equalErrors = 1e-9
