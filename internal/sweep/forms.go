package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/forms"
	"github.com/eqlearner/eql/internal/units"
	"github.com/eqlearner/eql/model"
)

const (
	// spareRows is how many rows a form must have beyond its constants. From manyConstants on it must have rowsEach for
	// each: such forms are quotients of polynomials and sums of peaks or waves, which follow the noise of fewer rows.
	spareRows     = 2
	manyConstants = 5
	rowsEach      = 3
	// priceRows is how many rows there are at least where the price of a constant of a standard form is counted, 2·ln N.
	// In tables of 6 to 12 rows whose constants have intervals of 5 to 20 %, the true form is among the first three for 94
	// % of tables at this price, two or three less of a hundred at a tenth less and nine less at a third less;
	// leave-one-out without a price has it for 56 %, AIC's correction for few rows (Hurvich and Tsai 1989) for 86 %.
	priceRows = 100
	// rarePrice is what a form costs more that one science alone uses; twice as much and half as much change a form in
	// 100.
	rarePrice = 4
	// searchPrice is what a formula costs more, in a table that is cross-validated, that networks or searches found: they
	// look at some 600 times as many formulas as there are standard forms, 2·ln 600.
	searchPrice = 12.8
	// listedForms is how many forms of each target are kept as models.
	listedForms = 10
	// formRows is on how many rows forms are compared, and finishedForms how many of them are fitted to the end.
	formRows      = 300
	finishedForms = 20
	// farForm is how far beyond the best of them, or of other formulas, a form is fitted roughly, in the criterion: where
	// a form is not the law, the steps of a fit get small without end.
	farForm = 100
)

// formFit is a standard form with its constants fitted to a target, in the units of the table and for inputs counted
// from their origins.
type formFit struct {
	form      forms.Form
	named     fit.Named
	values    []float64
	criterion float64
	relative  bool // the errors of the target are in proportion to it
	far       bool // another form or formula fits much better
	// freed is the form with its periods as constants, where they are those of the calendar.
	freed *TargetModel
}

func (f *formFit) formula() formula.Expr { return f.named.Formula(f.values) }

// formsFor returns the standard forms of the inputs.
func (p *problem) formsFor(d fit.Data) []forms.Form {
	list := tableOf(len(p.inputs))
	if p.seconds > 0 {
		list = slices.Concat(list, forms.Calendar(p.seconds, d.X[0]))
	}
	return list
}

// fitForms fits the standard forms to rows of a target: see [fitForms].
func (p *problem) fitForms(d fit.Data, least float64) []*formFit {
	return fitForms(p.formsFor(d), p.inputs, d, least)
}

// tableOf returns the standard forms of so many inputs.
func tableOf(inputs int) []forms.Form {
	if inputs > 1 {
		return forms.Surfaces(inputs)
	}
	return forms.Curves()
}

// secondsOf returns how many seconds the unit of the only input is, where it is time by its cells, its unit or its
// name, and 0 otherwise.
func secondsOf(t Task, s Settings) float64 {
	if len(t.Inputs) != 1 {
		return 0
	}
	name := t.Inputs[0]
	text := s.UnitsOf[name]
	if c := t.Columns[name].Time; c != nil {
		text = c.Unit
	}
	u, err := units.Parse(text)
	ok := err == nil && text != ""
	if text == "" {
		u, ok = units.InName(name)
	}
	if seconds, isTime := u.Seconds(); ok && isTime {
		return seconds
	}
	return 0
}

// fitForms fits standard forms to a target, and returns the best by the criterion first. Forms that have no value on a
// row, whose constants the rows do not determine, or that leave too few rows beyond them, are left out. least is the
// mean square error of the best other formula, or +Inf.
func fitForms(table []forms.Form, inputs []string, d fit.Data, least float64) []*formFit {
	some := d.AtMost(formRows)
	fits := beginForms(table, inputs, d, func(f *formFit, from map[string]float64) bool {
		if p := len(f.named.Constants); p > d.Rows()-spareRows || p >= manyConstants && rowsEach*p > d.Rows() {
			return false
		}
		values, sse, err := f.named.Begin(f.form.Places(d.X, d.Y, from), some)
		f.set(values, sse, some, d.Rows())
		return err == nil
	})
	best := smallValue(criterionOf(some, d.Rows()), least, manyConstants)
	fits = slices.DeleteFunc(fits[:min(finishedForms, len(fits))], func(f *formFit) bool {
		f.far = f.criterion > min(fits[0].criterion, best)+farForm
		values, sse, err := f.named.Finish(f.values, some, f.far)
		f.set(values, sse, some, d.Rows())
		return err != nil
	})
	slices.SortStableFunc(fits, (*formFit).compare)
	return fits
}

// beginForms returns the forms that begin fits, the best by the criterion first. begin gets the constants of the form
// that another one begins from.
func beginForms(table []forms.Form, inputs []string, d fit.Data, begin func(f *formFit, from map[string]float64) bool,
) (fits []*formFit) {
	found := map[string]map[string]float64{}
	for _, form := range table {
		from, ok := found[form.From]
		if form.From != "" && !ok {
			continue
		}
		if f := newFormFit(form, inputs, d); begin(f, from) {
			found[form.Name] = f.byName()
			fits = append(fits, f)
		}
	}
	slices.SortStableFunc(fits, (*formFit).compare)
	return fits
}

// compare orders fits, the best by the criterion first.
func (f *formFit) compare(g *formFit) int { return cmp.Compare(f.criterion, g.criterion) }

func newFormFit(form forms.Form, inputs []string, d fit.Data) *formFit {
	e, constants := form.Expr(inputs)
	f := &formFit{form: form, named: fit.Named{Expr: e, Inputs: inputs}}
	bounds := form.Bounds(d.X)
	for _, name := range constants {
		c := formula.Parameter{Name: name, Start: math.NaN(), Low: math.Inf(-1), High: math.Inf(1)}
		if b, ok := bounds[name]; ok {
			c.Low, c.High = b[0], b[1]
		}
		f.named.Constants = append(f.named.Constants, c)
	}
	return f
}

// set takes over a fit to some of a number of rows.
func (f *formFit) set(values []float64, sse float64, some fit.Data, rows int) {
	f.values = values
	f.criterion = smallValue(criterionOf(some, rows), sse/float64(some.Rows()), len(values)) + price(f.form)
}

// criterionOf is the criterion of fits to some of a number of rows.
func criterionOf(some fit.Data, rows int) fit.Criterion {
	c := fit.NewCriterion(some)
	c.N = rows
	return c
}

// price is what a form costs besides its constants.
func price(form forms.Form) float64 {
	if form.Rare {
		return rarePrice
	}
	return 0
}

// weigh returns the rows with root weights in inverse proportion to the target where its errors are in proportion to
// it.
func (f *formFit) weigh(d fit.Data) fit.Data {
	if f.relative {
		sizes := make([]float64, d.Rows())
		for i, y := range d.Y {
			sizes[i] = math.Abs(y)
		}
		d.W, _ = fit.RootWeights(sizes)
	}
	return d
}

// smallCriterion is BIC2 with the price of a constant in a table of [priceRows] rows at least.
func smallCriterion(d fit.Data, sse float64, constants int) float64 {
	return smallValue(fit.NewCriterion(d), sse/float64(d.Rows()), constants)
}

func smallValue(c fit.Criterion, mse float64, constants int) float64 {
	return c.Value(mse, 0) + 2*math.Log(math.Max(float64(c.N), priceRows))*float64(constants)
}

// byName returns the values of the constants that do not enter linearly, with which a longer form begins.
func (f *formFit) byName() map[string]float64 {
	values := map[string]float64{}
	for i, linear := range f.named.Linear() {
		if !linear {
			values[f.named.Constants[i].Name] = f.values[i]
		}
	}
	return values
}

// standardForms returns the best standard forms of each target as models, by the criterion. A form that is among the
// best of several targets is one model; those that predict worse than the least squares line are left out. others are
// the models that there are.
func (r *runner) standardForms(line *Model, others []*Model) []*Model {
	models := []*Model{}
	if !r.settings.Refine || r.problem.indicators != nil { // groups have a form of their own
		return models
	}
	byText := map[string]*Model{}
	for o := range r.problem.targets {
		listed, least := 0, math.Inf(1)
		for _, m := range others {
			if t := m.Targets[o]; t.Formula != nil {
				least = min(least, t.residual*t.residual)
			}
		}
		unit := r.problem.unitOf(o)
		for _, f := range r.problem.fitForms(r.problem.rowsFromOrigins(o), least*unit*unit) {
			if r.late() {
				return models
			}
			t, ok := r.problem.formTarget(f, o, r.settings.Units)
			if !ok || t.loses(line.Targets[o]) {
				continue
			}
			m := byText[f.form.Text]
			if m == nil {
				m = r.problem.formModel(f.form.Name)
				byText[f.form.Text], models = m, append(models, m)
			}
			m.Targets[o] = t
			if listed++; listed == listedForms {
				break
			}
		}
		if t, ok := r.problem.relativePower(o, r.settings.Units); ok {
			m := r.problem.formModel(t.form.form.Name)
			m.Targets[o] = t
			models = append(models, m)
		}
	}
	return models
}

// formModel returns a model that has no formula for any target yet.
func (p *problem) formModel(name string) *Model {
	m := &Model{Job: Job{Layers: 1}, Form: name, Targets: make([]TargetModel, len(p.targets))}
	for o := range m.Targets {
		t := &m.Targets[o]
		t.Validation, t.Scaled, t.Criterion = math.Inf(1), math.Inf(1), math.Inf(1)
	}
	return m
}

// formTarget judges a form as [problem.setLaw] does a law. It is not ok where the form has units that laws may not
// have, or no value on a row.
func (p *problem) formTarget(f *formFit, o int, units []model.Unit) (t TargetModel, ok bool) {
	table := p.rowsFromOrigins(o)
	if table.Rows() > formRows {
		values, _, err := f.named.Finish(f.values, f.weigh(table), f.far)
		if err != nil {
			return t, false
		}
		f.values = values
	}
	e := f.formula()
	law, err := distill.Compose(p.inScaledUnits(e, o), p.inputs, units)
	if err != nil || !finite(e) || !p.hasValues(e) {
		return t, false
	}
	d := p.target(o)
	sse := law.SSE(d)
	if math.IsInf(sse, 0) {
		return t, false
	}
	constants := len(f.values)
	t = TargetModel{
		Formula: e, Complexity: formula.Complexity(e), Units: law.Units(), law: law, form: f,
		errors: p.formErrors(f, table, o), Criterion: smallCriterion(d, sse, constants) + price(f.form),
		residual: math.Sqrt(sse / float64(max(1, d.Rows()-constants))),
	}
	if t.Scaled = fit.RMS(t.errors); math.IsNaN(t.Scaled) {
		t.Scaled = math.Inf(1)
	}
	t.Validation, t.beyond = t.Scaled*p.unitOf(o), !p.within(e)
	t.Criterion += p.priceOfUnits(t.Formula, o)
	t.ofAllRows = t.Criterion
	t.exact = p.meets(&t, o)
	if f.form.Calendar {
		f.freed = &TargetModel{form: f}
		p.setLaw(f.freed, distill.Polish(law, d), o)
	}
	return t, true
}

// formErrors returns the errors of a form on the validation rows, or on those left out in cross-validation, in scaled
// units and times root weights.
func (p *problem) formErrors(f *formFit, table fit.Data, o int) []float64 {
	var errors []float64
	if p.folds != nil {
		errors = f.named.LeaveOut(f.values, table, p.foldsOf(o), f.weigh)
	} else {
		held := p.heldOut(o, func(int) model.Scale { return model.Scale{} })
		held.X = p.columnsFromOrigins(held.X)
		errors = held.Errors(f)
	}
	for i := range errors {
		errors[i] /= p.factorOf(o)
	}
	return errors
}

// Predict returns the values of the form for inputs counted from their origins.
func (f *formFit) Predict(x [][]float64, rows int) []float64 {
	y, err := evaluate(f.formula(), f.named.Inputs, x, rows)
	if err != nil { // it has other variables
		return slices.Repeat([]float64{math.NaN()}, rows)
	}
	return y
}

// formOf returns the best standard form of some of the rows as a law, nil where none suits.
func (r *runner) formOf(rows []int, o int) *distill.Law {
	if d := r.problem.rowsFromOrigins(o); len(r.forms) > 0 && d.Rows() == r.problem.target(o).Rows() {
		for _, f := range r.problem.fitForms(d.Take(rows), math.Inf(1)) {
			if law, err := distill.Compose(r.problem.inScaledUnits(f.formula(), o), r.problem.inputs,
				r.settings.Units); err == nil {
				return law
			}
		}
	}
	return nil
}

// simple returns the formula as those of networks and searches are written, for comparing forms.
func (t TargetModel) simple() formula.Expr {
	if t.form == nil {
		return t.Formula
	}
	return formula.Simplify(t.Formula)
}

// sameCurveFreed is [TargetModel.sameCurve] for a form of the calendar, of a formula to which its periods are
// constants.
func (t TargetModel) sameCurveFreed(form TargetModel) bool {
	return form.form != nil && form.form.freed != nil && t.sameCurve(*form.form.freed)
}

// sameCurve reports whether a formula is a standard form: both predict every row alike, or are one formula.
func (t TargetModel) sameCurve(form TargetModel) bool {
	const alike = 1e-3
	if form.form == nil || form.Formula == nil || t.Formula == nil {
		return false
	}
	if sameLaw(t.simple(), form.simple()) {
		return true
	}
	if len(t.errors) != len(form.errors) || t.law == nil || t.law.Params() != form.law.Params() {
		return false
	}
	size := alike * fit.RMS(form.errors)
	for i, e := range t.errors {
		if !(math.Abs(e-form.errors[i]) <= size) {
			return false
		}
	}
	return true
}
