package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/internal/distill"
)

// A Choice is the formula chosen for one target.
type Choice struct {
	Target string
	TargetModel
	Model    *Model    // nil for a constant target
	Evidence *Evidence // nil where no law was searched for
}

// pick selects by a rule:
//
//   - rank and validation choose one network for all targets;
//   - bic2 chooses a formula for each target.
func pick(p *problem, models []*Model, rule Select) []Choice {
	choices := make([]Choice, len(p.targets))
	var network *Model
	switch rule {
	case SelectRank:
		network = byRank(models)
	case SelectValidation:
		network = byValidation(models)
	}
	for o, target := range p.targets {
		m := network
		if rule == SelectBIC2 {
			m = byCriterion(p, models, o)
		}
		t := m.Targets[o]
		choices[o] = Choice{Target: target, TargetModel: t, Model: m}
	}
	return choices
}

// candidates returns the trained networks that the protocol ranks.
func candidates(models []*Model) []*Model {
	var c []*Model
	for _, m := range models {
		if m.trained() && !m.Padding && !math.IsInf(m.Scaled(), 0) {
			c = append(c, m)
		}
	}
	return c
}

// byRank is the paper's rule, see [RankNorms]; of equal norms it takes the smaller validation error.
// Without any finite instance it is the baseline.
func byRank(models []*Model) *Model {
	c := candidates(models)
	validation, sparsity := make([]float64, len(c)), make([]float64, len(c))
	for i, m := range c {
		validation[i], sparsity[i] = m.Scaled(), float64(m.Sparsity())
	}
	norms := RankNorms(validation, sparsity)
	best := baselineOf(models)
	bestNorm := math.Inf(1)
	for i, m := range c {
		if !m.written() {
			continue
		}
		if norms[i] < bestNorm || norms[i] == bestNorm && m.Scaled() < best.Scaled() {
			best, bestNorm = m, norms[i]
		}
	}
	return best
}

// RankNorms returns r_v² + r_s² of each of several instances, whose smallest the paper's rule selects
// (Martius and Lampert 2016, §3.3): r_v is the rank by validation error, r_s that by sparsity,
// both from 1, and equal values share the best rank.
func RankNorms(validation, sparsity []float64) []float64 {
	v, s := ranks(validation), ranks(sparsity)
	norms := make([]float64, len(v))
	for i := range norms {
		norms[i] = v[i]*v[i] + s[i]*s[i]
	}
	return norms
}

// ranks returns the rank of each value, from 1; equal values share the best rank.
func ranks(values []float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	r := make([]float64, len(values))
	for i, v := range values {
		at, _ := slices.BinarySearch(sorted, v)
		r[i] = float64(at + 1)
	}
	return r
}

func byValidation(models []*Model) *Model {
	best := baselineOf(models)
	for _, m := range candidates(models) {
		if m.written() && m.Scaled() < best.Scaled() {
			best = m
		}
	}
	return best
}

// written reports whether the model has a formula for each target. The others are dense networks
// that no rule with a sense for simplicity would choose, and could not be shown.
func (m *Model) written() bool {
	return !slices.ContainsFunc(m.Targets, func(t TargetModel) bool { return t.Formula == nil })
}

// byCriterion chooses the formula of target o that is best by [TargetModel.compare], among those that predict the
// validation rows no worse than the least squares line does; of those with as many constants that the criterion cannot
// tell from it, one with the fewest terms below the noise, and of these the shortest; of standard forms the one that
// predicts best. Where rows are few and cross-validated, one with no more constants takes the place of the best by
// [TargetModel.mayReplace].
func byCriterion(p *problem, models []*Model, o int) *Model {
	baseline := baselineOf(models)
	var fit []*Model
	if !baseline.Targets[o].beyond {
		fit = append(fit, baseline)
	}
	for _, m := range models {
		t := m.Targets[o]
		wins := t.choosable() && !t.loses(baseline.Targets[o])
		if !t.beyond && (wins || m.Short && p.limits.Any()) {
			fit = append(fit, m)
		}
	}
	if len(fit) == 0 {
		return baseline
	}
	least := func(list []*Model, than func(a, b TargetModel) int) *Model {
		return slices.MinFunc(list, func(a, b *Model) int { return than(a.Targets[o], b.Targets[o]) })
	}
	best, value := least(fit, TargetModel.compare), TargetModel.value
	if p.folds != nil {
		than := best.Targets[o]
		alike := slices.DeleteFunc(slices.Clone(fit), func(m *Model) bool { return !m.Targets[o].mayReplace(than) })
		if len(alike) > 0 {
			value = TargetModel.valueOfAllRows
			best = least(alike, func(a, b TargetModel) int { return cmp.Compare(value(a), value(b)) })
		}
	}
	near := slices.DeleteFunc(slices.Clone(fit), func(m *Model) bool {
		return m != best && (m.Targets[o].exact != best.Targets[o].exact ||
			m.Targets[o].constants() != best.Targets[o].constants() ||
			!(value(m.Targets[o]) <= value(best.Targets[o])+indistinct))
	})
	faint := map[*distill.Law]int{}
	for _, m := range near {
		if law := m.Targets[o].law; law != nil && len(near) > 1 {
			faint[law] = law.Faint(p.target(o))
		}
	}
	chosen := least(near, func(a, b TargetModel) int {
		if a.form != nil && b.form != nil {
			return cmp.Compare(a.Validation, b.Validation)
		}
		return cmp.Or(cmp.Compare(faint[a.law], faint[b.law]), cmp.Compare(a.Complexity, b.Complexity),
			cmp.Compare(a.Criterion, b.Criterion))
	})
	for _, m := range fit { // a person writes it as the standard form is written
		if chosen.Form == "" && chosen.Targets[o].sameCurve(m.Targets[o]) {
			return m
		}
	}
	return chosen
}

// indistinct is a difference of criteria that says nothing: with as many constants a sigmoid of a small argument is as
// good as the line that it imitates, and in one of two cases better (Kass and Raftery 1995: differences below 2).
const indistinct = 2

// readable is how many nodes a formula may have to be chosen for a person: the longest of the
// built-in laws have about seventy. Longer ones are in the table, and are never laws.
const readable = 100

// constants returns the number of constants of the law, -1 without one.
func (t TargetModel) constants() int {
	if t.law == nil {
		return -1
	}
	return t.law.Params()
}

// untold is up to how many standard errors of the difference, over the rows, cross-validation does not tell that a
// formula predicts worse than another. One row alone, such as the first of a decay, makes just above one standard
// error, however far it is off.
const untold = 2

// mayReplace reports whether a formula is better on all rows than another one with no fewer constants, and
// cross-validation does not tell that it predicts worse.
func (t TargetModel) mayReplace(other TargetModel) bool {
	return t.exact == other.exact && t.constants() <= other.constants() &&
		t.valueOfAllRows() < other.valueOfAllRows() && !worse(t.errors, other.errors, untold)
}

// valueOfAllRows is the criterion of the error on all rows with what special values save.
func (t TargetModel) valueOfAllRows() float64 { return t.ofAllRows - t.saved }

// value is BIC2 with what special values save, as far as that was looked for.
func (t TargetModel) value() float64 { return t.Criterion - t.saved }

// compare is negative where the first formula is the better one: it is exact and the other is not, or else its BIC2 is
// lower, of which special values are a part. BIC2 counts no errors below its floor, which are large beside those of the
// arithmetic.
func (t TargetModel) compare(other TargetModel) int {
	if t.exact != other.exact && t.Formula != nil && other.Formula != nil {
		if t.exact {
			return -1
		}
		return 1
	}
	return cmp.Compare(t.value(), other.value())
}

// choosable reports whether a person can read the formula.
func (t TargetModel) choosable() bool { return t.Formula != nil && t.Complexity <= readable }

// loses reports whether a formula predicts the validation rows worse than the least squares line
// does, by more than the standard error of the difference. For a formula that is the line without
// some of its terms it takes three of them: by chance alone the terms that say nothing help on those
// rows in one case of six by more than one, in one of a thousand by more than three.
func (t TargetModel) loses(line TargetModel) bool {
	if t.law != nil && t.law.Units() == 0 {
		return worse(t.errors, line.errors, 3)
	}
	return worse(t.errors, line.errors, 1)
}

// worse reports whether the mean square of errors a is larger than that of b, on the same rows,
// by more than a number of standard errors of the difference.
func worse(a, b []float64, standardErrors float64) bool {
	if len(a) != len(b) {
		return len(a) < len(b) // one of the two could not be validated
	}
	n := float64(len(a))
	d := make([]float64, len(a))
	mean := 0.0
	for i := range a {
		d[i] = a[i]*a[i] - b[i]*b[i]
		mean += d[i] / n
	}
	variance := 0.0
	for _, v := range d {
		variance += (v - mean) * (v - mean) / n
	}
	return !(mean <= standardErrors*math.Sqrt(variance/n)) // negated: NaN is worse
}

// Front returns the models whose formula for target o no other beats in both complexity and
// validation error, simplest first, and the one that was chosen. A formula that was judged is not beaten by one that
// the rows trained on are clearly against: such rows, which validate better by chance, are left out.
func (r *Result) Front(o int) []*Model {
	var chosen Choice
	for _, c := range r.Chosen {
		if c.Target == r.Targets[o] {
			chosen = c
		}
	}
	var c []*Model
	for _, m := range r.Models {
		if t := m.Targets[o]; t.Formula != nil && !t.beyond && !math.IsInf(t.Validation, 0) {
			c = append(c, m)
		}
	}
	slices.SortStableFunc(c, func(a, b *Model) int {
		return cmp.Or(cmp.Compare(a.Targets[o].Complexity, b.Targets[o].Complexity),
			cmp.Compare(a.Targets[o].Validation, b.Targets[o].Validation))
	})
	var front []*Model
	best := math.Inf(1)
	for _, m := range c {
		t := m.Targets[o]
		switch {
		case m == chosen.Model:
			front, best = append(front, m), math.Min(best, t.Validation)
		case chosen.Evidence != nil &&
			(t.dominates(chosen.TargetModel) || sameLaw(t.Formula, chosen.Model.Targets[o].Formula)):
		case t.Validation < best:
			front, best = append(front, m), t.Validation
		}
	}
	return front
}

// Forms returns the models that are standard forms of target o, the best by the criterion first.
func (r *Result) Forms(o int) []*Model {
	list := slices.DeleteFunc(slices.Clone(r.Models),
		func(m *Model) bool { return m.Form == "" || m.Targets[o].Formula == nil || m.Targets[o].beyond })
	slices.SortStableFunc(list,
		func(a, b *Model) int { return cmp.Compare(a.Targets[o].Criterion, b.Targets[o].Criterion) })
	return list
}
