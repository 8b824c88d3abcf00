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
	Model    int
	Formula  formula.Expr
	choice   sweep.Choice
	evidence Evidence
}

// ByHand returns what was chosen by hand, by target, as the result has it: a run that was resumed may have given the
// model another id.
func (r *Run) ByHand() (map[string]sweep.ByHand, error) {
	byHand, err := r.Store.ReadByHand()
	if err != nil {
		return nil, err
	}
	for target, hand := range byHand {
		i := slices.IndexFunc(r.Report.Models,
			func(m Model) bool { return m.ID == hand.Model && m.Formula[target] == hand.Formula })
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

// Take makes the formula of a model the one of a target, with its own evidence where it was judged: rows of the table
// are. [Run.Own] keeps the run's own choice.
func (r *Run) Take(target string, id int) error {
	i := slices.IndexFunc(r.Found.Chosen, func(c sweep.Choice) bool { return c.Target == target && c.Model != nil })
	if i < 0 {
		return fmt.Errorf("%s%q does not depend on any input, so no model is for it", r.at(), target)
	}
	c := &r.Found.Chosen[i]
	own, changed := r.Own[target]
	if !changed {
		own = Own{c.Model.ID, c.Formula, *c, r.Report.Evidence[target]}
	}
	if id == own.Model {
		*c = own.choice
		delete(r.Own, target)
		r.keepEvidence(target, own.evidence, c.Evidence != nil)
	} else if err := r.other(c, id); err != nil {
		return err
	} else {
		if r.Own == nil {
			r.Own = map[string]Own{}
		}
		r.Own[target] = own
	}
	r.Report.Chosen[target], r.Report.Formula[target] = id, c.Formula.String()
	err := Outcome{Found: r.Found, Tests: r.Tests, Path: r.Path}.score(&r.Report)
	r.Report.RMSScaled = nil // is not known of other formulas
	return err
}

// other makes the formula of a model a choice, with the evidence that it has.
func (r *Run) other(c *sweep.Choice, id int) error {
	m, err := r.Model(id)
	if err != nil {
		return err
	}
	t := m.Targets[slices.Index(r.Found.Targets, c.Target)]
	if t.Formula == nil {
		return r.noFormula(id, c.Target)
	}
	c.Model, c.TargetModel, c.Evidence = m, t, nil
	if j := t.Judged; j != nil {
		c.Formula, c.Complexity, c.Evidence = j.Formula, j.Complexity, j.Evidence
		r.keepEvidence(c.Target, writeEvidence(j.Evidence, r.Report.Inputs), true)
		return nil
	}
	r.keepEvidence(c.Target, Evidence{}, false)
	return nil
}

// keepEvidence puts the evidence for a target into the report, where there is some.
func (r *Run) keepEvidence(target string, e Evidence, judged bool) {
	delete(r.Report.Evidence, target)
	if judged {
		if r.Report.Evidence == nil {
			r.Report.Evidence = map[string]Evidence{}
		}
		r.Report.Evidence[target] = e
	}
}

// Hand returns what choice.json keeps of a model that is chosen for a target.
func (r *Run) Hand(target string, id int) sweep.ByHand {
	hand := sweep.ByHand{Model: id}
	for _, m := range r.Report.Models {
		if m.ID == id {
			hand.Formula = m.Formula[target]
		}
	}
	return hand
}

// at begins an error with the folder, where there is one.
func (r *Run) at() string {
	if r.Store == nil {
		return ""
	}
	return r.Store.Dir() + ": "
}

// Model returns the model of an id.
func (r *Run) Model(id int) (*sweep.Model, error) {
	i := slices.IndexFunc(r.Found.Models, func(m *sweep.Model) bool { return m.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("%sthere is no model %d; the models are 0 to %d", r.at(), id, len(r.Found.Models)-1)
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
	return fmt.Errorf("%smodel %d has no formula for %q; it diverged, or its network is too dense to be written as one",
		r.at(), id, target)
}
