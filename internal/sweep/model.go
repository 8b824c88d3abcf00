package sweep

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/trainer"
)

// A Model is a trained network and the formulas read from it, one a target.
type Model struct {
	Job
	Network  *model.Network         // as trained
	Loss     []float64              // of the minibatches in scaled units, at the epochs of [CurveEpoch]; may be empty
	Diverged *trainer.DivergedError // nil if it trained to the end
	Baseline bool                   // the least squares line; no network was trained
	Greedy   bool                   // laws grown without a network, which is nil; see [distill.Growth]
	Short    bool                   // formulas that were shortened; there is no network
	Form     string                 // the name of a standard form without a network; "" for all others
	Targets  []TargetModel
}

// TargetModel is what a model says about one target.
type TargetModel struct {
	Formula    formula.Expr // nil when too large to be one, or not finite
	Complexity int          // of the formula; a bound when there is none
	Units      int          // active hidden units that the target depends on
	Validation float64      // RMS in the user's units; +Inf when not finite
	Scaled     float64      // the same in scaled units
	// Criterion is BIC2 on the training rows, of the cross-validated error when that validates, with the price of units;
	// +Inf when it is not finite.
	Criterion float64
	// ofAllRows is the criterion of the error on all rows, where Criterion may be that of the cross-validated one.
	ofAllRows float64
	Judged    *Judged // the formula as if it had been chosen; nil for one that was, and where it was not judged

	law                *distill.Law
	form               *formFit  // of a standard form
	errors             []float64 // of the validation rows, in scaled units
	saved              float64   // by which special values make the formula better than its criterion says
	weighed            bool      // saved is known
	residual           float64   // RMS on the training rows with those that the constants leave free, in scaled units
	polished, improved bool      // the law is finished on all rows, and as good as growing makes it
	revised            bool      // [runner.revise] has looked at it
	beyond             bool      // the formula is beyond the limits of the settings
	exact              bool      // the formula meets the rows to the last digit, see [exact]

	raw   formula.Expr // the network as trained, where it is small enough to have the form of a law; see [Support]
	own   *distill.Law // what the network led to by itself, before the search went on from there
	grown bool         // the search went on from it to another law
}

// Validation returns the RMS over validation rows and targets, in the user's units.
func (m *Model) Validation() float64 {
	return overTargets(m.Targets, func(t TargetModel) float64 { return t.Validation })
}

// Scaled returns the RMS over validation rows and targets, in scaled units.
func (m *Model) Scaled() float64 {
	return overTargets(m.Targets, func(t TargetModel) float64 { return t.Scaled })
}

func overTargets(targets []TargetModel, of func(TargetModel) float64) float64 {
	errors := make([]float64, len(targets))
	for o, t := range targets {
		errors[o] = of(t)
	}
	return fit.RMS(errors)
}

// Complexity returns the number of nodes of all formulas together.
func (m *Model) Complexity() int {
	n := 0
	for _, t := range m.Targets {
		n += t.Complexity
	}
	return n
}

// Sparsity returns the paper's s, the number of active hidden units of the trained network; of laws
// without one it is the number of their units.
func (m *Model) Sparsity() int {
	if m.Network != nil {
		return m.Network.Sparsity()
	}
	n := 0
	for _, t := range m.Targets {
		n += t.Units
	}
	return n
}

// trained reports whether the model is a network that was trained.
func (m *Model) trained() bool { return !m.Baseline && !m.Greedy && !m.Short && m.Form == "" }

// baselineOf returns the least squares line among models.
func baselineOf(models []*Model) *Model {
	return models[slices.IndexFunc(models, func(m *Model) bool { return m.Baseline })]
}

// MaxNodes is how large a formula may be to be simplified and listed, and maxChosen to be written
// at all. A network without a penalty has millions of paths from input to output.
const (
	MaxNodes  = 3000
	maxChosen = 100_000
)

// promise is how much larger than the round's best the validation error of a network may be for a
// law to be searched for in it. Among the worse ones hardly any is near a law, and the search is
// slowest there.
const promise = 3

// tellingRows is from how many rows on an error that is no better than the mean's says something.
const tellingRows = 30

// promising returns, for each target, the validation error that a network of a round must not
// exceed for a law to be searched for in it. One that predicts rows held out no better than the mean has
// found nothing. Where few are held out the search is short, and its fits make a law even of that.
func (p *problem) promising(models []*Model) []float64 {
	bar := make([]float64, len(p.targets))
	for o := range bar {
		bar[o] = math.Inf(1)
		if p.validation != nil && p.validation.Rows() >= tellingRows {
			bar[o] = p.meanError(o)
		}
		for _, m := range models {
			if m.Diverged != nil {
				continue
			}
			if e := promise * p.networkError(m.Network, o); e < bar[o] {
				bar[o] = e
			}
		}
	}
	return bar
}

// networkError returns the RMS of a network as trained on the rows of [problem.scoreRows], in scaled
// units.
func (p *problem) networkError(n *model.Network, o int) float64 {
	cols := p.scoreRows().Cols
	inputs := len(p.inputs)
	errors := n.Predict(cols[:inputs])[o]
	scale := p.scaleOf(inputs + o)
	for i := range errors {
		errors[i] = scale.Apply(errors[i]) - scale.Apply(cols[inputs+o][i])
	}
	return fit.RMS(errors)
}

// meanError returns the RMS of the mean of the training rows on the same rows.
func (p *problem) meanError(o int) float64 {
	inputs := len(p.inputs)
	middle, scale := mean(p.scaled.Y[o]), p.scaleOf(inputs+o)
	var errors []float64
	for _, y := range p.scoreRows().Cols[inputs+o] {
		errors = append(errors, middle-scale.Apply(y))
	}
	return fit.RMS(errors)
}

// maxScoreRows is how many rows networks are compared on.
const maxScoreRows = 1000

// scoreRows returns the rows that networks are compared on: those that validate, or those trained
// on when none are held out, or so many spread over them.
func (p *problem) scoreRows() *datasets.Table {
	t, from := p.validation, p.train.Rows()
	if t == nil {
		t, from = p.train, 0
	}
	if some := p.explained(from, t.Rows()); len(some) > 0 && len(some) < t.Rows() {
		t = t.Take(some)
	}
	if rows := t.Rows(); rows > maxScoreRows {
		t = t.Take(fit.Spread(rows, maxScoreRows))
	}
	return t
}

// examine fills in what a network says about each target: a law refined from it where the
// settings ask for that and its error is below the bar, the network itself otherwise.
func (p *problem) examine(m *Model, s Settings, bar []float64) {
	m.Targets = make([]TargetModel, len(p.targets))
	for o := range p.targets {
		t := &m.Targets[o]
		t.Validation, t.Scaled, t.Criterion = math.Inf(1), math.Inf(1), math.Inf(1)
		if m.Diverged != nil {
			continue
		}
		t.Units = m.Network.Output(o).Sparsity()
		law := distill.Read(m.Network, o)
		if s.Refine && !m.Baseline {
			if !(p.networkError(m.Network, o) <= bar[o]) {
				continue
			}
			if law.Size() <= comparedNodes {
				t.raw = p.written(law, o, formula.Simplify)
			}
			law = distill.Refine(law, p.target(o))
			t.own = law
		}
		p.setLaw(t, law, o)
	}
}

// comparedNodes is how large a network may be, written out, for its form to be compared with that of a formula.
const comparedNodes = 300

// setLaw judges a law and writes it as a formula. A law that has no value on a row that it is to explain is none: its
// criterion is infinite, and it has no formula.
func (p *problem) setLaw(t *TargetModel, law *distill.Law, o int) {
	t.law = law
	t.saved, t.weighed = 0, false
	t.Complexity = law.Size()
	t.Formula = nil
	if t.Complexity <= maxChosen {
		simplify := formula.Simplify
		if t.Complexity > MaxNodes {
			simplify = func(e formula.Expr) formula.Expr { return e }
		}
		if e := p.written(law, o, simplify); finite(e) && p.hasValues(e) {
			t.Formula = p.regrouped(e)
			t.Complexity = p.complexity(t.Formula)
			t.beyond = !p.within(t.Formula)
		}
	}
	d := p.target(o)
	sse := law.SSE(d)
	t.residual = math.Sqrt(sse / float64(max(1, d.Rows()-law.Params())))
	t.exact = p.meets(t, o)
	t.errors = p.validationErrors(law, t.exact, o)
	if t.Scaled = fit.RMS(t.errors); math.IsNaN(t.Scaled) {
		t.Scaled = math.Inf(1)
	}
	t.Validation = t.Scaled * p.unitOf(o)
	mse := sse / float64(d.Rows())
	if p.folds != nil {
		mse = t.Scaled * t.Scaled // a handful of rows is fitted by any formula with enough constants
	}
	t.Criterion = fit.NewCriterion(d).Value(mse, law.Params())
	switch {
	case t.Formula == nil:
		t.Criterion = math.Inf(1)
	case p.folds != nil:
		t.ofAllRows = smallCriterion(d, sse, law.Params())
		t.Criterion = math.Max(t.Criterion, t.ofAllRows)
		if law.Units() > 0 { // a line of some of the inputs needs no search
			t.Criterion += searchPrice
			t.ofAllRows += searchPrice
		}
	}
	if t.Formula != nil {
		price := p.priceOfUnits(t.Formula, o)
		t.Criterion += price
		t.ofAllRows += price
	}
}

// unitOf returns how large a scaled unit of a target is in the user's units. Of an unknown function it is what the unit
// makes of the target of the form.
func (p *problem) unitOf(o int) float64 {
	unit := p.factorOf(o)
	if p.known != nil {
		unit *= p.known.size
	}
	return unit
}

// factorOf returns what targets were divided by when they were scaled.
func (p *problem) factorOf(o int) float64 {
	if f := p.scaleOf(len(p.inputs) + o).Factor; f != 0 {
		return f
	}
	return 1
}

// rowsPerConstant is how many rows there must be for each constant in cross-validation, but of an exact law.
const rowsPerConstant = 2

// validationErrors returns the errors of a law on the validation rows, or of the refitted law on
// the rows left out in cross-validation, in scaled units and times root weights.
func (p *problem) validationErrors(law *distill.Law, exact bool, o int) []float64 {
	if p.folds != nil {
		rest := p.train.Rows() * (folds - 1) / folds
		if law.Params() >= rest || !exact && rowsPerConstant*law.Params() > rest {
			// Refitted to four fifths of the rows it would stay where it is, and remember the rest.
			return []float64{math.Inf(1)}
		}
		return law.CrossValidate(p.target(o), p.foldsOf(o))
	}
	return p.heldOut(o, p.scaleOf).Errors(law)
}

// finite reports whether all constants of an expression are finite numbers.
func finite(e formula.Expr) bool {
	for _, c := range formula.Constants(e) {
		if math.IsNaN(c) || math.IsInf(c, 0) {
			return false
		}
	}
	return true
}
