package sweep

import (
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/run"
)

// Elsewhere judges formulas of one target of a table that were not searched for there, as a law that other tables have.
type Elsewhere struct {
	r    *runner
	o    int
	line *Model
	own  *Model // the formula that was found in the table itself
}

// NewElsewhere makes a target ready, whose errors are taken to be what they are by the formula that was found for it.
// Constants of a judged formula become no special values: a law has the same in all tables.
func NewElsewhere(t Task, s Settings, target string, own formula.Expr) (*Elsewhere, error) {
	s.Snap, s.Known = SnapOff, nil
	rest, _, _ := withoutConstants(t)
	o := slices.Index(rest.Targets, target)
	if o < 0 {
		return nil, fmt.Errorf("the target %q does not vary, or there is no input that does", target)
	}
	p, err := newProblem(rest, s)
	if err != nil {
		return nil, err
	}
	e := &Elsewhere{r: newRunner(p, s, Options{Workers: 1}), o: o}
	law, err := e.law(own)
	if err != nil {
		return nil, fmt.Errorf("the formula that was found for %q: %w", target, err)
	}
	e.r.assess(o, func(d fit.Data) (*distill.Law, []*distill.Law) { return distill.Polish(law, d), nil })
	e.line = e.r.baseline()
	e.own = p.formModel("")
	e.own.Short = true
	p.setLaw(&e.own.Targets[o], law, o)
	return e, nil
}

// law returns a formula of the table as a law.
func (e *Elsewhere) law(of formula.Expr) (*distill.Law, error) {
	p := e.r.problem
	put := map[string]formula.Expr{}
	for j, origin := range p.origins {
		if origin != 0 {
			put[p.inputs[j]] = formula.Add(formula.Var(p.inputs[j]), formula.Const(origin))
		}
	}
	law, err := distill.Compose(p.inScaledUnits(formula.Substitute(of, put), e.o), p.inputs, e.r.settings.Units)
	if err == nil && math.IsInf(law.SSE(p.target(e.o)), 0) {
		err = fmt.Errorf("%s has no value on some of the rows", of)
	}
	return law, err
}

// Inputs returns the columns that vary.
func (e *Elsewhere) Inputs() []string { return e.r.problem.inputs }

// Data returns the rows that constants are fitted to, in the units of the table.
func (e *Elsewhere) Data() fit.Data { return e.r.problem.inTable(e.o) }

// Weigh returns the evidence for a formula that so many other tables led to, and its error on the validation rows. The
// formula that was found in the table itself is its rival.
func (e *Elsewhere) Weigh(of formula.Expr, others int) (ev *Evidence, validation float64, err error) {
	law, err := e.law(of)
	if err != nil {
		return nil, 0, err
	}
	var mine TargetModel
	if e.r.problem.setLaw(&mine, law, e.o); mine.Formula == nil {
		return nil, 0, fmt.Errorf("%s has no value on some of the rows", of)
	}
	t := e.r.tests(mine, e.o)
	ev = e.r.weigh([]*Model{e.own, e.line}, mine, t, e.o)
	ev.Support.Tables = others
	ev.Support.Ways += others
	if e.r.settings.Dimensions == run.DimensionsRequire && ev.Mismatch != "" {
		return nil, 0, fmt.Errorf("it contradicts the units of the columns: %s", ev.Mismatch)
	}
	ev.Verdict = verdict(ev, &t.suspicions)
	ev.Fitted = e.r.problem.forTable(ev.Fitted)
	return ev, mine.Validation, nil
}
