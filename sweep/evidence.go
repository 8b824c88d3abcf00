package sweep

import (
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/distill"
	"github.com/eqlearner/eql/formula"
)

// Level is how far a formula can be trusted outside the data.
type Level string

// The levels.
const (
	Holds            Level = "holds outside the data as far as can be told"
	Uncertain        Level = "uncertain"
	DoNotExtrapolate Level = "do not extrapolate"
)

// Evidence is what speaks for and against a formula.
type Evidence struct {
	Level  Level
	Reason string // for a level below Holds

	Fitted    formula.Expr       // before special values were put in
	Constants []distill.Constant // of Fitted, in the order of formula.Constants
	// Gap is how much larger BIC2 is for the best formula that predicts differently; +Inf when
	// there is none. A constant that turned out to be a special value counts less than a free one.
	Gap float64
	// Agree of Networks trained networks, each from its own start, lead to this formula.
	Agree, Networks int
	Explained       float64 // fraction of the target's variance on the validation rows, R²
	Line            float64 // validation RMS of the least squares line
	Power           Power   // the power law of the inputs that are positive
	Greedy          Greedy  // the formula that was grown without a network
	Extrapolation   distill.Extrapolation
}

// Power is a power law of the inputs and how well it predicts.
type Power struct {
	Formula    formula.Expr // nil where the signs of the data allow none
	Validation float64      // RMS, in the user's units
	Better     bool         // it beats the formula clearly
}

// Greedy is the formula that was grown without a network, a baseline and a candidate at once.
type Greedy struct {
	Formula    formula.Expr // nil when the run ended before there was one
	Complexity int          // its number of nodes
	Validation float64      // RMS, in the user's units
	Agrees     bool         // it is the formula that was chosen
}

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
	law             *distill.Law
	fitted, snapped formula.Expr // see [distill.Snap]
	constants       []distill.Constant
	power           Power
	extrapolation   distill.Extrapolation
}

// test returns what the data says of the law of a choice. It is the same as last time when the law is.
func (r *runner) test(c *Choice, o int) *tested {
	t := &r.tested[o]
	if t.law == c.law {
		return t
	}
	d := r.problem.inTable(o)
	*t = tested{law: c.law, power: r.problem.power(o, d, c.TargetModel, r.settings.Snap), extrapolation: distill.Extrapolate(c.law, r.problem.target(o))}
	d.X = r.problem.sinceOrigins(d.X)
	t.fitted, t.snapped, t.constants = distill.Snap(c.Formula, r.problem.inputs, d)
	return t
}

func (r *runner) evidence(models []*Model, c *Choice, o int) *Evidence {
	p := r.problem
	e := &Evidence{Gap: math.Inf(1), Line: models[len(models)-1].Targets[o].Validation}
	mine := c.TargetModel // with the constants as fitted
	if r.greedy != nil {
		g := r.greedy.Targets[o]
		e.Greedy = Greedy{g.Formula, g.Complexity, g.Validation, g.Formula != nil && sameLaw(g.Formula, mine.Formula)}
	}
	t := r.test(c, o)
	e.Fitted, e.Constants, e.Power, e.Extrapolation = t.fitted, t.constants, t.power, t.extrapolation
	c.Formula = t.fitted
	if r.settings.Snap == SnapAuto {
		c.Formula, c.Complexity = t.snapped, formula.Complexity(t.snapped)
	}
	others := slices.Clone(r.replaced[o])
	for _, m := range models {
		t := m.Targets[o]
		if m.Baseline || t.Formula == nil {
			continue
		}
		same := sameLaw(t.Formula, mine.Formula)
		if m.trained() {
			e.Networks++
			if same {
				e.Agree++
			}
		}
		if !same {
			others = append(others, t)
		}
	}
	for _, t := range others {
		if t.Criterion-mine.Criterion < e.Gap && !sameLaw(t.Formula, mine.Formula) && p.differ(t.law, mine.law, o) {
			e.Gap = t.Criterion - mine.Criterion
		}
	}
	rows := min(p.train.Rows(), maxEvidenceRows)
	for _, k := range e.Constants {
		if k.Snapped != k.Value {
			e.Gap += snappedGain(rows)
		}
	}
	e.Explained = 1 - mine.Scaled*mine.Scaled/p.variance(o)
	var open []distill.Constant
	if mine.law.Open(p.target(o)) {
		open = distill.Undetermined(e.Constants)
	}
	e.Level, e.Reason = verdict(e, suspicions{open, mine.law.Jumps(p.target(o)), mine.law.Faint(p.target(o)), c.Complexity > comfortable}, mine.law.Params(), rows)
	return e
}

// A power law casts doubt on a formula whose error it falls short of by this factor, beyond
// chance; or whose median relative error it halves, for a target that ranges over a decade or more.
const (
	clearly    = 0.8
	relatively = 0.5
	decade     = 10
)

// power fits a power law to the training rows and validates it as the formula was.
func (p *problem) power(o int, d distill.Data, mine TargetModel, snap Snap) Power {
	law, ok := distill.Power(d)
	if !ok {
		return Power{}
	}
	n := len(p.inputs)
	y := p.train.Cols[n+o]
	var errors []float64
	if p.folds != nil {
		errors = law.CrossValidate(d, p.folds)
	} else {
		y = p.validation.Cols[n+o]
		errors = law.Predict(p.validation.Cols[:n], len(y))
		for i := range y {
			errors[i] -= y[i]
		}
	}
	w := Power{Formula: law.Expr(p.inputs), Validation: rms(errors)}
	if snap == SnapAuto {
		w.Formula = law.Snap(p.inputs, d)
	}
	if math.IsNaN(w.Validation) || math.IsInf(w.Validation, 0) || len(mine.errors) != len(errors) || len(formula.Vars(w.Formula)) == 0 {
		return Power{} // with special values nothing but a number may be left
	}
	factor := p.unitOf(o)
	own := make([]float64, len(errors))
	for i, v := range mine.errors {
		own[i] = v * factor
	}
	if mine.Scaled > distill.NewCriterion(p.target(o)).Floor { // below it both err by the arithmetic
		w.Better = w.Validation < clearly*mine.Validation && worse(own, errors, 1) ||
			span(y) >= decade && medianRelative(errors, y) < relatively*medianRelative(own, y)
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
		relative[i] = math.Abs(errors[i] / v)
	}
	slices.Sort(relative)
	return relative[len(relative)/2]
}

// snappedGain is how much cheaper a special value is than a free constant: the price of the
// constant less that of saying which of some forty values it is.
func snappedGain(rows int) float64 {
	return math.Max(0, 2*math.Log(float64(rows))-2*math.Log(40))
}

// inTable returns the training rows of a target as they are in the table.
func (p *problem) inTable(o int) distill.Data {
	n := len(p.inputs)
	d := distill.Data{X: p.train.Cols[:n], Y: p.train.Cols[n+o]}
	if rows := d.Rows(); rows > maxEvidenceRows {
		return d.Take(distill.Spread(rows, maxEvidenceRows))
	}
	return d
}

// variance returns the variance of a target in scaled units.
func (p *problem) variance(o int) float64 {
	s := spread(p.scaled.Y[o])
	return s * s
}

// differ reports whether two laws are different functions as far as the data can tell them apart,
// in a box of one and a half times the data's size: their predictions there differ by more than
// three times the noise.
func (p *problem) differ(a, b *distill.Law, o int) bool {
	d := p.target(o)
	const most, stretch = 500, 1.5
	rows := distill.Spread(d.Rows(), min(most, d.Rows()))
	x := make([][]float64, len(d.X))
	for j, col := range d.X {
		middle := mean(col)
		for _, i := range rows {
			x[j] = append(x[j], middle+stretch*(col[i]-middle))
		}
	}
	pa, pb := a.Predict(x, len(rows)), b.Predict(x, len(rows))
	for i := range pa {
		pa[i] -= pb[i]
	}
	noise := math.Sqrt(b.SSE(d) / float64(d.Rows()))
	return !(rms(pa) <= 3*math.Max(noise, distill.NewCriterion(d).Floor))
}

// settled reports whether further networks would hardly change the formula: it holds, or it is only
// uncertain and was found in two ways, by networks and without one, or by most networks.
func (e *Evidence) settled() bool {
	found := e.Greedy.Agrees && e.Agree > 0 || e.Agree*4 > e.Networks*3
	return e.Level == Holds || e.Level == Uncertain && found
}

// twice reports whether the formula was found in two ways, by two networks, or by one and without any.
func (e *Evidence) twice() bool {
	return e.Agree >= 2 || e.Agree == 1 && e.Greedy.Agrees
}

// SmallestGap is the difference of BIC2 below which another formula is nearly as good; 10 is called decisive
// between two models, in the usual criterion.
const SmallestGap = 20

// Below these the verdict is not the best.
const (
	leastExplained  = 0.5   // of the variance
	leastRows       = 8     // a constant
	negligibleDoubt = 0.001 // standard deviations of the target, in a box of twice the size
	smallDoubt      = 0.01
	largestDoubt    = 0.05
	mostFaint       = 2 // terms smaller than the noise
)

// allSnapped reports whether every constant is a special value, which chance does not make.
func allSnapped(constants []distill.Constant) bool {
	for _, c := range constants {
		if c.Snapped == c.Value {
			return false
		}
	}
	return true
}

// mostDoubt is how large the doubt may be that remains after a test: with one on inner rows far
// from the outer ones there is no bound here, with inner rows next to them it must be small, and
// with a test that tells nothing negligible.
func mostDoubt(x distill.Extrapolation) float64 {
	switch {
	case !x.Telling():
		return negligibleDoubt
	case x.Inner > distill.FirstInner:
		return smallDoubt
	}
	return math.Inf(1)
}

// SaysLittle reports whether the test on the outer rows may pass by chance: the constants fitted to the inner
// rows are so uncertain that much would be within it.
func (e *Evidence) SaysLittle() bool {
	return e.Extrapolation.Doubt > mostDoubt(e.Extrapolation) && !allSnapped(e.Constants)
}

// suspicions are what in a law itself speaks against it.
type suspicions struct {
	open  []distill.Constant // that the data leaves open
	jumps bool               // see [distill.Law.Jumps]
	faint int                // see [distill.Law.Faint]
	long  bool               // as it is printed, more than a person reads gladly
}

// verdict weighs the evidence.
func verdict(e *Evidence, s suspicions, params, rows int) (Level, string) {
	x := e.Extrapolation
	switch {
	case params == 0 || len(formula.Vars(e.Fitted)) == 0:
		return DoNotExtrapolate, "no dependence on the inputs was found"
	case !(e.Explained >= leastExplained):
		return DoNotExtrapolate, fmt.Sprintf("the formula explains %.0f %% of the variance", 100*math.Max(0, e.Explained))
	case e.Power.Better:
		return DoNotExtrapolate, "a power law predicts better: " + formula.Print(e.Power.Formula, formula.Text, 4)
	case x.Fails():
		return DoNotExtrapolate, fmt.Sprintf("fitted to the inner rows, it misses the outer ones by %.0f %% more than it should", 100*(x.Ratio/x.Limit-1))
	case s.jumps:
		return Uncertain, "a sigmoid in it is nearly a switch, which may stand for a step or a kink that the units cannot express"
	case rows < leastRows*params:
		constants := "constants"
		if params == 1 {
			constants = "constant"
		}
		return Uncertain, fmt.Sprintf("%d rows are few for %d %s", rows, params, constants)
	case !x.Defined:
		return Uncertain, "there are too few rows to test it on the outer ones"
	case len(s.open) > 0:
		return Uncertain, fmt.Sprintf("the data leaves the constant %.3g open", s.open[0].Value)
	case e.SaysLittle():
		return Uncertain, "the inner rows say too little about its constants for a test on the outer ones"
	case x.Doubt > largestDoubt:
		return Uncertain, fmt.Sprintf("its constants are known too roughly: at twice the size of the data their errors alone make %.0f %% of the target's spread", 100*x.Doubt)
	case e.Gap < 0:
		return Uncertain, "a longer formula, which predicts differently outside, fits better"
	case e.Gap < SmallestGap:
		return Uncertain, "another formula, which predicts differently outside, fits nearly as well"
	case !e.twice() && s.long:
		return Uncertain, fmt.Sprintf("it is long, and %d of %d networks arrived at it", e.Agree, e.Networks)
	case s.faint >= mostFaint:
		return Uncertain, fmt.Sprintf("%d of its terms are smaller than the noise, and may be there to mend a form that is not right", s.faint)
	}
	return Holds, ""
}
