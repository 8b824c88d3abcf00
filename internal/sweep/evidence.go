package sweep

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/search"
	"github.com/eqlearner/eql/run"
)

// maxEvidenceRows bounds the rows that constants are fitted to for their intervals.
const maxEvidenceRows = 1_000_000

// judge adds the evidence to the choices, and special values where the settings ask for them.
func (r *runner) judge(res *Result) {
	r.all(len(res.Chosen), func(i int) {
		c := &res.Chosen[i]
		if o := slices.Index(r.problem.targets, c.Target); c.Model != nil && c.Formula != nil && o >= 0 {
			c.Evidence = r.evidence(res.Models, c, o)
		}
	})
}

// tested is what the data alone says of a law.
type tested struct {
	constantsOf
	groups        [][]float64 // see [evidence.Evidence]
	law           *distill.Law
	power         Power
	extrapolation evidence.Extrapolation
	structure     evidence.Structure // of the formula as it is printed, as the rest
	exact         bool
	edges         []Edge
	errors        evidence.Errors
	suspicions    suspicions
}

// test returns what the data says of the law of a choice. It is the same as last time when the law is. When there is no
// time left for tests it is nil.
func (r *runner) test(mine TargetModel, o int) *tested {
	if r.tested[o].law != mine.law {
		t := r.tests(mine, o)
		if r.late() {
			return nil
		}
		r.tested[o] = *t
	}
	return &r.tested[o]
}

// tests returns what the data says of a law; only a part of it when there is no time left.
func (r *runner) tests(mine TargetModel, o int) *tested {
	d := r.problem.inTable(o)
	t := &tested{
		law: mine.law, power: r.problem.power(o, d, mine, r.settings.Snap),
		extrapolation: distill.Extrapolate(mine.law, r.problem.target(o)),
	}
	if r.late() {
		return t
	}
	weighed := r.forTails(mine, d)
	t.constantsOf = r.constantsOf(mine, o, weighed)
	if r.late() {
		return t
	}
	if !r.problem.hasValues(t.snapped) {
		t.snapped = t.fitted
	}
	if within := r.problem.withinLimits(t.snapped, t.fitted, mine.Formula); within != t.snapped {
		t.snapped, t.constants = within, unsnapped(t.constants)
	}
	if mine.form == nil && leavesDoubt(t.extrapolation) {
		t.extrapolation = r.problem.withSpecialHeld(t, o)
	}
	t.groups = r.problem.groupWidths(t, d)
	constants := mine.law.Params()
	if mine.form != nil { // which a law may need more for
		constants = len(mine.form.values)
	}
	t.look(r.problem, o, constants)
	t.errors.Tails = weighed.Tails
	return t
}

// leavesDoubt reports whether a test on the outer rows is passed by laws that are wrong far from the data.
func leavesDoubt(x evidence.Extrapolation) bool {
	return x.Defined && !x.Fails() && (!x.Telling() || x.Inner > evidence.FirstInner || x.Doubt > largestDoubt)
}

// withSpecialHeld returns the test on the outer rows that holds constants at their special values, where all are but
// one, as the formula that is printed has them; where that tells nothing either, or fails, that of all constants.
func (p *problem) withSpecialHeld(t *tested, o int) evidence.Extrapolation {
	open, all, values := formula.Open(t.fitted, "")
	if len(all) != len(t.constants) {
		return t.extrapolation // some are listed that the formula does not have
	}
	special, put := 0, map[string]formula.Expr{}
	held := &fit.Partial{Form: fit.Named{Inputs: p.inputs}}
	for k, first := range formula.Tied(t.fitted) {
		switch c := t.constants[k]; {
		case c.Snapped != c.Value:
			put[all[k]] = formula.Const(c.Snapped)
			special++
		case first < k:
			put[all[k]] = formula.Var(all[first])
		default:
			held.Form.Constants = append(held.Form.Constants, formula.Parameter{Name: all[k]})
			held.Values = append(held.Values, values[k])
		}
	}
	if special == 0 || held.Params() != 1 { // with more that are fitted it may be an imitation
		return t.extrapolation
	}
	held.Form.Expr = p.inScaledUnits(formula.Substitute(open, put), o)
	if x := distill.ExtrapolateHeld(t.law, held, p.target(o)); x.Telling() && !x.Fails() {
		return x
	}
	return t.extrapolation
}

// forTails returns rows of the table with weights that suit errors of heavy tails, where those of a formula have them.
// Least squares would let the few rows that are far off decide. A law whose formula was refused has no errors to go by.
func (r *runner) forTails(mine TargetModel, d fit.Data) fit.Data {
	if r.settings.Outliers == "" || r.settings.Outliers == run.OutliersKeep || mine.Formula == nil {
		return d
	}
	since := d
	since.X = r.problem.columnsFromOrigins(d.X)
	weighed := since.ForTailsOf(mine.Formula, r.problem.inputs, r.problem.simplify)
	weighed.X = d.X
	return weighed
}

// unsnapped returns constants that became no special values.
func unsnapped(constants []evidence.Constant) []evidence.Constant {
	constants = slices.Clone(constants)
	for k := range constants {
		constants[k].Snapped = constants[k].Value
	}
	return constants
}

// look adds what the formula as it is printed, and the law itself, show.
func (t *tested) look(p *problem, o, constants int) {
	d := p.target(o)
	whole, e := p.whole(t.snapped)
	rows := whole.judged(o)
	y, predicted := whole.observedOn(rows.rows, e, o)
	t.structure = p.structure(whole, rows, y, predicted, o)
	t.errors = whole.errorsOf(e, t.law.Params(), o)
	t.exact = exact(y, predicted, whole.complexity(e), t.law.Params())
	t.edges = whole.edges(e)
	t.suspicions = suspicions{
		params: constants, rows: p.train.Rows(), jumps: t.law.Jumps(d), faint: t.law.Faint(d),
		vague:     len(t.edges) > 0 && t.law.VaguePole(d),
		redundant: len(t.constants) == 0 && len(formula.Constants(t.fitted)) > 0, open: t.open(t.law.Open(d)),
		told: told(t.law, d) - evidence.Bits(t.constants), nodes: p.complexity(t.snapped),
	}
}

// told returns how many bits rows tell of a law, whose errors are what it leaves of them.
func told(l *distill.Law, d fit.Data) float64 {
	n := d.Rows()
	noise := math.Sqrt(l.SSE(d) / float64(max(1, n-l.Params())))
	return search.Told(d.X, l.Predict(d.X, n), d.W, noise)
}

// structure tests for structure what a formula leaves of the rows that it is judged on.
func (p *problem) structure(whole *problem, rows judged, y, predicted []float64, o int) evidence.Structure {
	s := fit.Residuals(whole.near.judged(whole.errors[o].out), y, predicted, rows.w)
	if p.slopes { // which no test here can tell from structure; where they lead to is tested instead
		s.Defined = false
	}
	return s
}

// contradicted reports whether a test that asks for a law alone speaks against it, which is fitted to some rows: on the
// outer ones, or of structure. Where these are a part of the rows, no others have a say.
func (p *problem) contradicted(law *distill.Law, d fit.Data, o int) bool {
	if distill.Extrapolate(law, d).Fails() {
		return true
	}
	if d.Rows() < p.target(o).Rows() {
		return fit.Residuals(fit.NewLayout(d.X), d.Y, law.Predict(d.X, d.Rows()), d.W).Fails()
	}
	whole, e := p.whole(p.written(law, o, p.simplify))
	rows := whole.judged(o)
	y, predicted := whole.observedOn(rows.rows, e, o)
	return p.structure(whole, rows, y, predicted, o).Fails()
}

// evidence returns the evidence for a choice, whose formula gets the special values that it found; nil when there is no
// time left to test it.
func (r *runner) evidence(models []*Model, c *Choice, o int) *Evidence {
	mine := c.TargetModel // with the constants as fitted
	t := r.test(mine, o)
	if t == nil {
		return nil
	}
	c.Formula, c.Complexity = t.snapped, r.problem.complexity(t.snapped)
	e := r.weigh(models, mine, t, o)
	if r.settings.Dimensions == run.DimensionsRequire && e.Mismatch != "" && c.Model.Baseline {
		plain := *t // the line is what is left when all else is refused
		plain.snapped, plain.constants = t.fitted, unsnapped(t.constants)
		c.Formula, c.Complexity = plain.snapped, r.problem.complexity(plain.snapped)
		e = r.weigh(models, mine, &plain, o)
	}
	if e.Code == unsupported || e.Code == switching {
		e.Support.Halves = r.halves(mine.law, e, o)
		e.Verdict = verdict(e, &t.suspicions)
	}
	return e
}

// weigh returns what speaks for and against a formula: what the data says of it, and the other models.
func (r *runner) weigh(models []*Model, mine TargetModel, t *tested, o int) *Evidence {
	p := r.problem
	e := &Evidence{
		Line:   baselineOf(models).Targets[o].Validation,
		Fitted: t.fitted, Constants: t.constants, Groups: t.groups, Power: t.power, Extrapolation: t.extrapolation,
		Structure: t.structure, Exact: t.exact, Edges: t.edges, Errors: t.errors,
	}
	if r.greedy != nil {
		g := r.greedy.Targets[o]
		same := g.Formula != nil &&
			(sameLaw(g.Formula, mine.Formula) || g.law == mine.law || g.sameCurve(mine) || g.sameCurveFreed(mine))
		e.Greedy = Greedy{Formula: g.Formula, Complexity: g.Complexity, Validation: g.Validation, Agrees: same}
	}
	p.measure(e, o)
	noise := r.noise(models, e.Structure.Noise/p.unitOf(o), o)
	e.Noise = noise * p.unitOf(o)
	e.Support = p.support(models, mine, e.Greedy.Agrees, noise, o)
	e.Gap = r.gap(models, mine, t, noise, o)
	e.Explained = 1 - mine.Scaled*mine.Scaled/p.variance(o)
	e.Verdict = verdict(e, &t.suspicions)
	return e
}

// open returns the constants that the data leaves open: coefficients and exponents whose interval holds zero, and where
// the law in its own units has such a constant too, any. In the user's units a phase far from the data is open in any
// law.
func (t *tested) open(inOwnUnits bool) []evidence.Constant {
	var asked []evidence.Constant
	for k, c := range t.constants {
		if inOwnUnits || k < len(t.roles) && t.roles[k] != formula.Frequency && t.roles[k] != formula.Phase {
			asked = append(asked, c)
		}
	}
	return fit.Undetermined(asked)
}

// gap returns by how much the criterion of the best formula that predicts something else outside the data is larger. An
// exact formula has no rivals but exact ones. Each constant that is a special value speaks for the formula: constants
// of an imitation are none but by chance.
func (r *runner) gap(models []*Model, mine TargetModel, t *tested, noise float64, o int) float64 {
	others := slices.Clone(r.replaced[o])
	for _, m := range models {
		if !m.Baseline {
			others = append(others, m.Targets[o])
		}
	}
	gap := math.Inf(1)
	for _, other := range others {
		if other.Formula == nil || mine.exact && !other.exact {
			continue
		}
		lead := other.value() - mine.Criterion
		if r.problem.folds != nil && lead < 0 && mine.mayReplace(other) {
			lead = other.valueOfAllRows() - mine.ofAllRows
		}
		if lead < gap && !sameLaw(other.Formula, mine.Formula) && r.problem.differ(other.law, mine.law, noise, o) {
			gap = lead
		}
	}
	rows := min(r.problem.train.Rows(), maxEvidenceRows)
	for k, c := range t.constants {
		odds := 1.0
		if k < len(t.roles) { // a factor that is 1 is left out of the formula as fitted
			odds = fit.OddsAgainst(c, t.roles[k])
		}
		gap += specialGain(c, odds, rows)
	}
	return gap
}

// specialGain is how much cheaper a special value is than a free constant. It saves the price of the constant or, where
// the data determines it better than rows of noise do, the odds that a constant there is special by chance. It costs
// what it takes to say which special value it is.
func specialGain(c evidence.Constant, odds float64, rows int) float64 {
	saved := -2 * math.Log(odds)
	if c.Snapped != c.Value {
		saved = math.Max(saved, 2*math.Log(float64(rows)))
	}
	return math.Max(0, saved-2*math.Log(specialValues))
}

// specialValues is how many special values a constant may be, about.
const specialValues = 40

// variance returns the variance of a target, weighted, in scaled units.
func (p *problem) variance(o int) float64 {
	s := p.spreadOf(o)
	return s * s
}

// spreadOf returns the standard deviation of a target about its mean, both weighted, in scaled units.
func (p *problem) spreadOf(o int) float64 {
	d := p.target(o)
	if d.W == nil {
		return spread(d.Y)
	}
	return d.Spread()
}

// meets reports whether the formula of a target is exact. A part of a known form is not asked: what it explains are
// not the rows of the table.
func (p *problem) meets(t *TargetModel, o int) bool {
	if p.known != nil || t.Formula == nil || !(t.residual <= largestStep*p.spreadOf(o)) {
		return false
	}
	y, predicted := p.observedOn(p.judged(o).rows, t.Formula, o)
	return exact(y, predicted, t.Complexity, t.law.Params())
}

// largestStep is what the last decimal of a target may be, in its standard deviations, for a formula to be exact.
const largestStep = 1e-3

const (
	bitsOfNode = 8 // at most, to say which node of a formula it is
	exactSpare = 20
)

// exact reports whether a formula meets a target to the last digit: the errors are those of the arithmetic, or smaller
// than half of the last decimal that the target is written with. Each row without a constant of its own then bears out
// as many bits as the error is smaller than the spread, and there must be more of them than it takes to write the
// formula down.
func exact(y, predicted []float64, nodes, constants int) bool {
	largest := 0.0
	for i := range y {
		largest = math.Max(largest, math.Abs(y[i]-predicted[i]))
	}
	sd := spread(y)
	limit := fit.ArithmeticError * sd
	if step := fit.Step(y); step < largestStep*sd {
		limit = math.Max(limit, step*(0.5+1e-6))
	}
	bits := float64(len(y)-constants) * math.Log2(sd/math.Max(limit, largest))
	return largest <= limit && bits > float64(bitsOfNode*nodes+exactSpare)
}
