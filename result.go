package eql

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/saved"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// Result is what a run found: a formula for each target, with the evidence for it and the table of other formulas.
type Result struct {
	Targets  []string                // in the order of the run
	Inputs   []string                // columns that formulas may use; those that do not vary are left out
	Formulas map[string]formula.Expr // the chosen formula of each target
	RMS      RMS                     // errors of these formulas together
	Settings run.Settings            // what determined the result, besides the data
	Warnings []string                // what lowers trust in the result without stopping the run
	Rounds   []run.Round             // what was trained
	Ended    run.Ended               // why nothing more was trained
	Seconds  float64                 // how long it took
	Kept     bool                    // the folder had this result already, and [Resume] added nothing

	// Columns says how cells became the numbers of columns that were not plain numbers.
	Columns map[string]datasets.Coding

	found  *sweep.Result
	report *saved.Report
	there  *saved.Run // both of these, and what they are from
}

// RMS holds root mean square errors over rows and targets, in the units of the table. An error that is not known, or
// not finite, is NaN.
type RMS struct {
	Train      float64            // on the rows that formulas were fitted to
	Validation float64            // on the rows held out, or by cross-validation, see CrossValidated
	Test       map[string]float64 // on each table of [WithTest]
	Whole      float64            // on all rows of the table that the one learned from is a sample of, see [SampleOf]
	// CrossValidated is whether Validation is by cross-validation. It then weights rows by their errors and leaves
	// outliers out, which all other errors include unweighted.
	CrossValidated bool
}

// newResult returns the result of a run.
func newResult(there *saved.Run) *Result {
	r := &Result{there: there}
	r.fill()
	return r
}

// fill takes over what the run says.
func (r *Result) fill() {
	found, report := r.there.Found, &r.there.Report
	*r = Result{
		Targets: report.Targets, Inputs: found.Inputs, Formulas: saved.Formulas(found), Settings: report.Settings,
		Warnings: found.Warnings, Rounds: found.Rounds, Ended: found.Ended, Seconds: report.Seconds,
		RMS: RMS{
			Train: orNaN(report.RMS.Train), Validation: orNaN(report.RMS.Validation), Test: map[string]float64{},
			Whole: math.NaN(), CrossValidated: found.Validation == nil,
		},
		Kept:  r.Kept,
		found: found, report: report, there: r.there,
	}
	for name, v := range report.RMS.Test {
		r.RMS.Test[name] = orNaN(v)
	}
	if report.Whole != nil {
		r.RMS.Whole = orNaN(report.Whole.RMS)
	}
	for name, c := range report.Columns {
		if r.Columns == nil {
			r.Columns = map[string]datasets.Coding{}
		}
		r.Columns[name] = c.Coding
	}
}

// kept returns the result that the folder of a run has.
func kept(there *saved.Run) *Result {
	r := newResult(there)
	r.Kept = true
	return r
}

func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// Load reads the result in the folder of a run, finished or interrupted. A formula that was chosen by hand, by eql
// choose, is the formula of its target.
func Load(dir string) (*Result, error) {
	there, err := saved.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := there.TakeByHand(); err != nil {
		return nil, err
	}
	return newResult(there), nil
}

// Verdict tells how far the formula of a target can be trusted outside the data. It is the zero value if nothing was
// judged: for a target that does not vary, without [run.Settings.Refine], and for a name that is not a target.
func (r *Result) Verdict(target string) evidence.Verdict {
	if e := r.Evidence(target); e != nil {
		return e.Verdict
	}
	return evidence.Verdict{}
}

// Evidence returns the tests of a target's formula and its intervals, nil if it was not judged.
func (r *Result) Evidence(target string) *evidence.Evidence {
	if c := r.choice(target); c != nil {
		return c.Evidence
	}
	return nil
}

// choice returns what was chosen for a target, nil for a name that is not a target.
func (r *Result) choice(target string) *sweep.Choice {
	i := slices.IndexFunc(r.found.Chosen, func(c sweep.Choice) bool { return c.Target == target })
	if i < 0 {
		return nil
	}
	return &r.found.Chosen[i]
}

// Equation writes the formula of a target as text, with as many digits as its predictions need.
func (r *Result) Equation(target string) string {
	e := r.Formulas[target]
	if e == nil {
		return ""
	}
	return formula.Print(formula.Var(target), formula.Text, 0) + " = " +
		formula.Print(e, formula.Text, r.Digits(target, e))
}

// Digits returns how many significant digits the constants of a formula for a target need in print: six, or as many
// more as keep the rounded formula within a twentieth of the formula's own error on the rows that it was fitted to.
func (r *Result) Digits(target string, e formula.Expr) int {
	return sweep.Digits(e, r.found.Train, r.Inputs, target)
}

// Read reads a file in the same way as the data of the run, with the columns that the formulas need: dates, words and
// amounts become the same numbers. A word that the run has not seen is an error.
func (r *Result) Read(path string, opt datasets.Options) (*datasets.Table, error) {
	opt.AllNeeded = true
	var columns []string
	for _, name := range r.Inputs {
		uses := func(e formula.Expr) bool { return slices.Contains(formula.Vars(e), name) }
		if slices.ContainsFunc(slices.Collect(maps.Values(r.Formulas)), uses) {
			columns = append(columns, name)
		}
	}
	return datasets.LoadAs(path, columns, r.Columns, opt)
}

// Predict returns the values of each target's formula on the rows of a table that has the inputs of the formulas; NaN
// where a formula has no value. Intervals are of [Result.Predictor].
func (r *Result) Predict(t *datasets.Table) (map[string][]float64, error) {
	y := map[string][]float64{}
	for target, e := range r.Formulas {
		inputs := formula.Vars(e)
		used, err := t.Select(inputs...)
		if err != nil {
			return nil, fmt.Errorf("predicting %q: %w", target, err)
		}
		p, err := formula.Compile(e, inputs)
		if err != nil {
			return nil, fmt.Errorf("predicting %q: %w", target, err)
		}
		y[target] = make([]float64, t.Rows())
		p.EvalColumns(y[target], used.Cols)
	}
	return y, nil
}

// Predictor returns what predicts a target with its formula and intervals. Constants that became special values, and
// numbers that inputs are counted from, count as known.
func (r *Result) Predictor(target string) (*Predictor, error) {
	c := r.choice(target)
	if c == nil {
		return nil, errNoTarget(target)
	}
	var special []float64
	var errors evidence.Errors
	if c.Evidence != nil {
		special, errors = sweep.SpecialValues(c.Evidence.Constants), c.Evidence.Errors
	}
	return NewPredictorWith(c.Formula, target, r.found.Train, special, errors)
}

func errNoTarget(target string) error { return fmt.Errorf("there is no target %q", target) }

// A Model is a row of the table of formulas of a target.
type Model struct {
	ID         int
	Formula    formula.Expr // nil when it is too large to list
	Complexity int          // nodes of the formula
	Validation float64      // RMS on the rows held out, in the units of the target; +Inf when it is not finite
	Origin     Origin
	Form       string // the name of a standard form; "" for all others
	Chosen     bool   // it is the formula of the target
	// Evidence belongs to the formula with special values. Rows of the front have it; it is nil for formulas that were
	// not judged.
	Evidence *evidence.Evidence
}

// Origin is how a model was found.
type Origin string

// The origins.
const (
	FromNetwork Origin = "network" // read off a trained network
	FromSearch  Origin = "search"  // grown without a network
	FromForm    Origin = "form"    // a standard form whose constants were fitted
	FromOthers  Origin = "others"  // shortened from other formulas
	FromLine    Origin = "line"    // the least squares line
)

// Chosen returns the row of a target's formula. A target that does not vary has a formula from no model, whose ID is
// -1; for a name that is not a target Formula is nil.
func (r *Result) Chosen(target string) Model {
	c := r.choice(target)
	if c == nil {
		return Model{ID: -1}
	}
	m := Model{ID: -1, Formula: c.Formula, Complexity: c.Complexity, Validation: c.Validation, Chosen: true,
		Evidence: c.Evidence}
	if c.Model != nil {
		m.ID, m.Origin, m.Form = c.Model.ID, originOf(c.Model), c.Model.Form
	}
	return m
}

// Models returns all models of a target by id, nil for a target that does not vary.
func (r *Result) Models(target string) []Model {
	return r.models(target, func(int) []*sweep.Model { return r.found.Models })
}

// Front returns the models of a target that no other beats in both complexity and validation error, simplest first, and
// the chosen one. A model that validates better than the chosen one, but fits the training rows clearly worse, is left
// out, because it validates better by chance.
func (r *Result) Front(target string) []Model { return r.models(target, r.found.Front) }

// StandardForms returns the models of a target that are standard forms of curves, the best by the criterion first.
func (r *Result) StandardForms(target string) []Model { return r.models(target, r.found.Forms) }

func (r *Result) models(target string, of func(o int) []*sweep.Model) []Model {
	o := slices.Index(r.found.Targets, target)
	if o < 0 {
		return nil
	}
	var list []Model
	for _, m := range of(o) {
		t := m.Targets[o]
		row := Model{ID: m.ID, Formula: t.Formula, Complexity: t.Complexity, Validation: t.Validation, Origin: originOf(m),
			Form: m.Form}
		if c := r.choice(target); c.Model == m {
			row.Chosen, row.Evidence = true, c.Evidence
		} else if t.Judged != nil {
			row.Evidence = t.Judged.Evidence
		}
		list = append(list, row)
	}
	return list
}

func originOf(m *sweep.Model) Origin {
	switch {
	case m.Baseline:
		return FromLine
	case m.Greedy:
		return FromSearch
	case m.Short:
		return FromOthers
	case m.Form != "":
		return FromForm
	}
	return FromNetwork
}

// Choose chooses the formula of a model for a target, in this result alone. A row of [Result.Front] has its own
// evidence and special values; other models have neither. With the model that the run chose, Choose returns to the
// choice of the run.
func (r *Result) Choose(target string, model int) error {
	if err := r.there.Take(target, model); err != nil {
		return err
	}
	r.fill()
	return nil
}

// MarshalJSON returns the object that eql fit --json prints.
func (r *Result) MarshalJSON() ([]byte, error) {
	if r.report == nil {
		return nil, errors.New("the result is not one of Fit, Resume or Load")
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(r.report.Print(r.Formulas))
	return b.Bytes(), err
}
