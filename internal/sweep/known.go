package sweep

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/run"
)

// knownPart is the known part of a law of which one function is searched for. The form is solved for the function row
// by row, which makes it the target of an ordinary search. Formulas for it are put into the form, and all constants
// fitted again, before they are judged.
type knownPart struct {
	solved *fit.Solved
	form   formula.Expr        // with names for constants, also those of functions that were found before
	named  []formula.Parameter // these, with what they were fitted to as starts
	whole  *problem            // the target of the form from all its inputs, in the user's units
	size   float64             // geometric mean of ∂y/∂f over the rows trained on
	mu     sync.Mutex
	out    []bool // the outliers of the search that are left out of whole
	usable []int  // rows of whole that the function is searched for on, in the order of the search
}

// ReadKnown reads the form of the settings for a table with the given columns.
func ReadKnown(k run.Known, columns []string) (formula.Known, error) {
	known, err := formula.ParseKnown(k.Form, columns)
	if err != nil {
		return known, err
	}
	number := func(to *float64, from *float64) {
		if from != nil {
			*to = *from
		}
	}
	for _, said := range k.Constants {
		c := known.Constant(said.Name)
		if c == nil {
			return known, fmt.Errorf("the form %s has no constant %q", k.Form, said.Name)
		}
		number(&c.Start, said.Start)
		number(&c.Low, said.Low)
		number(&c.High, said.High)
		c.Integer = said.Integer
	}
	return known, nil
}

// runKnown is [Run] for settings with a form.
func runKnown(ctx context.Context, t Task, s Settings, opt Options) (*Result, error) {
	known, err := ReadKnown(*s.Known, slices.Concat(t.Inputs, t.Targets))
	if err != nil {
		return nil, err
	}
	if s.Dimensions == run.DimensionsRequire {
		return nil, fmt.Errorf("the units of %s are not known, so they cannot be required of its formula", known.Unknown[0])
	}
	s.Known, s.Dimensions = nil, run.DimensionsOff
	k, err := newKnownPart(ctx, known, t, s, opt)
	if err != nil {
		return nil, err
	}
	inner, err := k.task()
	if err != nil {
		return nil, err
	}
	res, err := Run(ctx, inner, s, opt)
	if res == nil {
		return nil, err
	}
	if dropped := k.whole.rows.Rows() - len(k.usable); dropped > 0 {
		res.Warnings = append(res.Warnings,
			fmt.Sprintf("%s left out of the search for %s: its factor is 0 there, or the form cannot be "+
				"solved for it; they count for the constants of the form only", plural(dropped, "row"), k.solved.Unknown[0]))
	}
	k.write(res)
	return res, err
}

func newKnownPart(ctx context.Context, known formula.Known, t Task, s Settings, opt Options) (*knownPart, error) {
	solved, err := fit.Solve(known)
	if err != nil {
		return nil, err
	}
	outer := s
	outer.Scale = ScaleNone
	k := &knownPart{solved: solved, form: known.Expr, named: slices.Clone(known.Constants)}
	task := Task{Inputs: known.Inputs, Targets: []string{known.Target}, Data: t.Data, Validation: t.Validation,
		Errors: t.Errors}
	k.whole, err = newProblem(task, outer)
	if err != nil {
		return nil, err
	}
	if len(known.Constants) == 0 && len(known.Unknown) == 1 {
		return k, nil
	}
	constants, values, err := solved.Smooth(k.rowsOf(k.whole.train))
	if err != nil {
		return nil, err
	}
	for i, c := range constants {
		k.named[i].Start = c
	}
	if len(known.Unknown) == 1 {
		return k, nil
	}
	return k, k.findOthers(ctx, values, s, opt)
}

// rowsOf returns the rows of a table as the form has them.
func (k *knownPart) rowsOf(t *datasets.Table) fit.Data {
	n := len(k.whole.inputs)
	return fit.Data{X: t.Cols[:n], Y: t.Cols[n]}
}

// starts returns the values of the constants of the form.
func (k *knownPart) starts() []float64 {
	var p []float64
	for _, c := range k.named {
		p = append(p, c.Start)
	}
	return p
}

// task returns the search for the unknown function. Its rows count as they do for the target of the form: an error of
// the function is multiplied by ∂y/∂f there.
func (k *knownPart) task() (Task, error) {
	t := Task{Inputs: k.solved.Unknown[0].Inputs, Targets: k.whole.targets, known: k}
	given := k.whole.errors[0]
	column := ErrorColumn{Column: formula.Placeholder("errors"), Weights: !given.known}
	t.Errors = map[string]ErrorColumn{t.Targets[0]: column}
	offset := 0
	for i, part := range []struct {
		from *datasets.Table
		to   **datasets.Table
	}{{k.whole.train, &t.Data}, {k.whole.validation, &t.Validation}} {
		if part.from == nil {
			continue
		}
		rows, err := k.solved.On(k.rowsOf(part.from), k.starts()[:len(k.solved.Constants)])
		if err != nil {
			return t, err
		}
		target, usable := rows.Of(0, [][]float64{nil})
		if len(usable)*2 < len(target) || len(usable) == 0 {
			return t, fmt.Errorf("the form can be solved for %s in %d of %d rows only (the others are outside of what it can "+
				"give, or the factor of %[1]s is 0)", k.solved.Unknown[0], len(usable), len(target))
		}
		var sigma []float64
		if given.sigma != nil {
			sigma = given.sigma[offset : offset+len(target)]
		}
		sigma = rows.Sigma(0, sigma)
		if column.Weights {
			sigma = weightsOf(sigma)
		}
		*part.to = k.columnsOf(part.from, k.solved.Unknown[0], target, column.Column, sigma).Take(usable)
		for _, row := range usable {
			k.usable = append(k.usable, offset+row)
		}
		if i == 0 {
			k.size = rows.Size(0, usable)
		}
		offset += len(target)
	}
	return t, nil
}

// weightsOf returns 1/σ².
func weightsOf(sigma []float64) []float64 {
	w := make([]float64, len(sigma))
	for i, v := range sigma {
		w[i] = 1 / (v * v)
	}
	return w
}

// columnsOf returns a table of the inputs of an unknown function, its values and their errors.
func (k *knownPart) columnsOf(
	from *datasets.Table, u formula.Unknown, values []float64, errorName string, errors []float64,
) *datasets.Table {
	t := &datasets.Table{}
	for _, name := range u.Inputs {
		col, _ := from.Col(name)
		t.Names, t.Cols = append(t.Names, name), append(t.Cols, col)
	}
	t.Names, t.Cols = append(t.Names, k.whole.targets[0], errorName), append(t.Cols, values, errors)
	return t
}

// fitted is a formula for an unknown function put into the form, with all constants fitted again.
type fitted struct {
	formula formula.Expr
	known   []bool // of its constants, those that are of the form or special values
}

// fit fits the constants of the form and of a formula for the unknown function together.
func (k *knownPart) fit(e formula.Expr) fitted {
	named, p := k.put(e)
	if fit, err := named.FitFrom(p, k.whole.inTable(0)); err == nil {
		p = fit.Values
	}
	moved := slices.Clone(p)
	for i, c := range named.Constants {
		if !c.Fixed() && !c.Integer {
			moved[i] += (math.Abs(p[i]) + 1e-3) * 1e-3 * (1 + float64(i)/7)
		}
	}
	for _, write := range []func(formula.Expr) formula.Expr{formula.Simplify,
		func(e formula.Expr) formula.Expr { return e }} {
		at, beside := write(named.Formula(p)), write(named.Formula(moved))
		a, b := formula.Constants(at), formula.Constants(beside)
		if len(a) == len(b) && formula.Equal(at, formula.WithConstants(beside, a)) {
			f := fitted{formula: at}
			for i := range a {
				f.known = append(f.known, a[i] == b[i])
			}
			return f
		}
	}
	return fitted{formula: formula.Simplify(named.Formula(p))}
}

// put returns the form with a formula in place of the unknown function, and its constants as they are. Special values
// of the formula are held.
func (k *knownPart) put(e formula.Expr) (fit.Named, []float64) {
	e, constants := openConstants(e, "")
	n := fit.Named{Inputs: k.whole.inputs, Constants: slices.Concat(k.named, constants)}
	n.Expr = formula.Substitute(k.form, map[string]formula.Expr{k.solved.Unknown[0].Var(): e})
	var p []float64
	for _, c := range n.Constants {
		p = append(p, c.Start)
	}
	return n, p
}

// into returns the form with a formula in place of the unknown function, and the constants of the form as they are.
func (k *knownPart) into(e formula.Expr) formula.Expr {
	n, p := k.put(e)
	return formula.Simplify(n.Formula(p))
}

// write puts what was found for the function into the form.
func (k *knownPart) write(res *Result) {
	res.Inputs, res.Train, res.Validation = k.whole.inputs, k.whole.train, k.whole.validation
	for _, m := range res.Models {
		for o := range m.Targets {
			if t := &m.Targets[o]; t.Formula != nil && t.Complexity <= MaxNodes {
				t.Formula = k.into(t.Formula)
				t.Complexity = formula.Complexity(t.Formula)
				t.Validation, t.Scaled = k.validation(t), k.validation(t)
			} else {
				t.Formula = nil
			}
		}
	}
	for i := range res.Chosen {
		k.writeChoice(&res.Chosen[i], res)
	}
	for _, m := range res.Models {
		for _, t := range m.Targets {
			if j := t.Judged; j != nil {
				c := Choice{TargetModel: TargetModel{Formula: j.Formula}, Evidence: j.Evidence}
				k.writeChoice(&c, res)
				j.Formula, j.Complexity = c.Formula, c.Complexity
			}
		}
	}
}

func (k *knownPart) writeChoice(c *Choice, res *Result) {
	f := k.fit(c.Formula)
	c.Formula, c.Complexity = f.formula, formula.Complexity(f.formula)
	c.Validation = k.validation(&c.TargetModel)
	c.Scaled = c.Validation
	e := c.Evidence
	if e == nil {
		return
	}
	e.Fitted = f.formula
	e.Constants = k.intervals(f, e.Constants)
	e.Line = res.Baseline.Targets[0].Validation
	if g := &e.Greedy; g.Formula != nil {
		g.Formula = k.into(g.Formula)
		g.Complexity = formula.Complexity(g.Formula)
		g.Validation = k.validation(&TargetModel{Formula: g.Formula, Validation: g.Validation})
	}
	e.Power = Power{} // it is of the function alone
}

// intervals returns the constants of a fitted formula with their intervals. Those that are known have no width, and
// special values of the function are as they were fitted to its values.
func (k *knownPart) intervals(f fitted, ofFunction []evidence.Constant) []evidence.Constant {
	c, err := fit.NewConfidence(f.formula, k.whole.inputs, k.whole.inTable(0), f.known)
	if err != nil {
		return nil
	}
	constants, held := c.Constants(0.95)
	for i, v := range constants {
		was := slices.IndexFunc(ofFunction, func(c evidence.Constant) bool {
			return c.Snapped != c.Value && c.Snapped == v.Value
		})
		if held[i] && was >= 0 {
			constants[i] = ofFunction[was]
		}
	}
	return constants
}

// validation returns the RMS of a formula on the rows that validate; in cross-validation it is that of the function, in
// units of the target.
func (k *knownPart) validation(t *TargetModel) float64 {
	if k.whole.validation == nil {
		return t.Validation
	}
	d := k.rowsOf(k.whole.validation)
	predicted, err := evaluate(t.Formula, k.whole.inputs, d.X, d.Rows())
	if err != nil {
		return math.Inf(1)
	}
	for i, y := range d.Y {
		predicted[i] -= y
	}
	if v := fit.RMS(predicted); !math.IsNaN(v) {
		return v
	}
	return math.Inf(1)
}

// whole returns the problem that a formula of inputs counted from their origins is judged in, and the formula there: of
// an unknown function that of the form.
func (p *problem) whole(e formula.Expr) (*problem, formula.Expr) {
	if p.known == nil {
		return p, e
	}
	k := p.known
	k.leaveOut(p.errors[0].out)
	return k.whole, k.fit(p.forTable(e)).formula
}

// leaveOut leaves rows out of what the form is fitted to and judged by, which are outliers of the search for the
// function. Laws may be judged at the same time, of the same outliers.
func (k *knownPart) leaveOut(out []bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if slices.Equal(out, k.out) {
		return
	}
	k.out = out
	e := k.whole.errors[0]
	e.out = nil
	if out != nil {
		e.out = make([]bool, k.whole.rows.Rows())
		for i, row := range k.usable {
			e.out[row] = out[i]
		}
	}
	k.whole.setErrors(0, e)
}
