package saved

import (
	"fmt"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// Own is what a run itself chose for a target for which a person chose something else.
type Own struct {
	Model   int
	Formula formula.Expr
}

// ByHand returns what was chosen by hand, by target, as the result has it: a run that was resumed may have given the
// model another id.
func (r *Run) ByHand() (map[string]sweep.ByHand, error) {
	byHand, err := r.Store.ReadByHand()
	if err != nil {
		return nil, err
	}
	for target, hand := range byHand {
		i := slices.IndexFunc(r.Report.Models, func(m Model) bool { return m.ID == hand.Model && m.Formula[target] == hand.Formula })
		if i < 0 {
			i = slices.IndexFunc(r.Report.Models, func(m Model) bool { return m.Formula[target] == hand.Formula })
		}
		if _, isTarget := r.Report.Chosen[target]; i < 0 || hand.Formula == "" || !isTarget {
			return nil, &run.StaleChoiceError{Dir: r.Store.Dir(), Target: target, Model: hand.Model}
		}
		byHand[target] = sweep.ByHand{Model: r.Report.Models[i].ID, Formula: hand.Formula}
	}
	return byHand, nil
}

// TakeByHand puts what was chosen by hand in place of the run's own choice.
func (r *Run) TakeByHand() error {
	byHand, err := r.ByHand()
	if err != nil {
		return err
	}
	for target, hand := range byHand {
		if err := r.Take(target, hand.Model); err != nil {
			return err
		}
	}
	return nil
}

// Take makes the formula of a model the one of a target: formula and model, and no evidence, since no other formula was
// judged. [Run.Own] keeps the run's own choice.
func (r *Run) Take(target string, id int) error {
	i := slices.IndexFunc(r.Found.Chosen, func(c sweep.Choice) bool { return c.Target == target && c.Model != nil })
	if i < 0 {
		return fmt.Errorf("%s: %q does not depend on any input, so no model is for it", r.Store.Dir(), target)
	}
	m, err := r.Model(id)
	if err != nil {
		return err
	}
	t := m.Targets[slices.Index(r.Found.Targets, target)]
	if t.Formula == nil {
		return r.noFormula(id, target)
	}
	c := &r.Found.Chosen[i]
	if _, before := r.Own[target]; !before {
		if r.Own == nil {
			r.Own = map[string]Own{}
		}
		r.Own[target] = Own{c.Model.ID, c.Formula}
	}
	c.Model, c.TargetModel, c.Evidence = m, t, nil
	r.Report.Chosen[target], r.Report.Formula[target] = id, t.Formula.String()
	delete(r.Report.Evidence, target)
	config := r.Store.Config()
	w := Outcome{Found: r.Found, Settings: config.Settings, Tests: config.Tests}
	err = w.score(&r.Report)
	r.Report.RMSScaled = nil // is not known of other formulas
	return err
}

// Model returns the model of an id.
func (r *Run) Model(id int) (*sweep.Model, error) {
	i := slices.IndexFunc(r.Found.Models, func(m *sweep.Model) bool { return m.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("%s: there is no model %d; the models are 0 to %d", r.Store.Dir(), id, len(r.Found.Models)-1)
	}
	return r.Found.Models[i], nil
}

// Formulas returns the formula of a model for each target of the run.
func (r *Run) Formulas(id int) (map[string]formula.Expr, error) {
	m, err := r.Model(id)
	if err != nil {
		return nil, err
	}
	formulas := map[string]formula.Expr{}
	for _, target := range r.Report.Targets {
		o := slices.Index(r.Found.Targets, target)
		if o < 0 || m.Targets[o].Formula == nil {
			return nil, r.noFormula(id, target)
		}
		formulas[target] = m.Targets[o].Formula
	}
	return formulas, nil
}

func (r *Run) noFormula(id int, target string) error {
	return fmt.Errorf("%s: model %d has no formula for %q; it diverged, or its network is too dense to be written as one",
		r.Store.Dir(), id, target)
}
