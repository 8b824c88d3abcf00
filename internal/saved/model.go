package saved

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
)

// Model is one model of the run.
type Model struct {
	ID         int               `json:"id"`
	Formula    map[string]string `json:"formula"` // without targets whose formula is too large to list
	Lambda     float64           `json:"lambda"`
	Layers     int               `json:"layers"`
	Width      int               `json:"width"`
	Seed       int               `json:"seed"` // the restart
	Sparsity   int               `json:"sparsity"`
	Complexity int               `json:"complexity"`
	Validation *float64          `json:"validation_rms"`
	Diverged   bool              `json:"diverged"`
	Baseline   bool              `json:"baseline,omitempty"` // the least squares line
	Greedy     bool              `json:"greedy,omitempty"`   // grown without a network
	Short      bool              `json:"short,omitempty"`    // shortened from others
	Form       string            `json:"form,omitempty"`     // the name of a standard form

	// Target has what the sums above hide; runs of earlier versions lack it.
	Target map[string]Target `json:"target,omitempty"`
}

// Target is what a model says about one target.
type Target struct {
	Complexity int      `json:"complexity"`
	Validation *float64 `json:"validation_rms"`
	Criterion  *float64 `json:"criterion,omitempty"` // by which formulas are chosen; missing where it is not finite
	Judged     *Judged  `json:"judged,omitempty"`    // of the rows of the table that were not chosen
}

// Judged is a formula as if it had been chosen; see [sweep.Judged].
type Judged struct {
	Formula  string   `json:"formula"` // with special values
	Evidence Evidence `json:"evidence"`
}

func writeJudged(j *sweep.Judged, inputs []string) *Judged {
	if j == nil {
		return nil
	}
	return &Judged{j.Formula.String(), writeEvidence(j.Evidence, inputs)}
}

func readJudged(saved *Judged, inputs []string) (*sweep.Judged, error) {
	if saved == nil {
		return nil, nil
	}
	e, err := formula.Parse(saved.Formula)
	if err != nil {
		return nil, err
	}
	j := &sweep.Judged{Formula: e, Complexity: formula.Complexity(e)}
	j.Evidence, err = readEvidence(saved.Evidence, inputs)
	return j, err
}

func writeModel(m *sweep.Model, inputs, targets []string) Model {
	r := Model{
		ID: m.ID, Formula: map[string]string{}, Lambda: m.Lambda, Layers: m.Layers, Width: m.Width, Seed: m.Restart,
		Sparsity: m.Sparsity(), Complexity: m.Complexity(), Validation: number(m.Validation()),
		Diverged: m.Diverged != nil, Baseline: m.Baseline, Greedy: m.Greedy, Short: m.Short, Form: m.Form,
		Target: map[string]Target{},
	}
	for o, t := range m.Targets {
		r.Target[targets[o]] = Target{t.Complexity, number(t.Validation), number(t.Criterion), writeJudged(t.Judged, inputs)}
		if t.Formula != nil && formula.Complexity(t.Formula) <= sweep.MaxNodes {
			r.Formula[targets[o]] = t.Formula.String()
		}
	}
	return r
}

// readModels fills in the models, with their networks.
func (rep *Report) readModels(res *sweep.Result, networks []*sweep.Model) error {
	trained := map[int]*sweep.Model{}
	for _, m := range networks {
		trained[m.ID] = m
	}
	var errs []error
	for _, saved := range rep.Models {
		m, err := readModel(saved, trained[saved.ID], res.Inputs, res.Targets)
		errs = append(errs, err)
		res.Models = append(res.Models, m)
		switch {
		case m.Baseline:
			res.Baseline = m
		case m.Greedy:
			res.Greedy = m
		}
	}
	return errors.Join(errs...)
}

// readModel returns a model with its network, nil when it has none.
func readModel(saved Model, network *sweep.Model, inputs, targets []string) (*sweep.Model, error) {
	m := &sweep.Model{
		Job: sweep.Job{ID: saved.ID, Layers: saved.Layers, Width: saved.Width, Lambda: saved.Lambda,
			Restart: saved.Seed},
		Baseline: saved.Baseline, Greedy: saved.Greedy, Short: saved.Short, Form: saved.Form,
	}
	var errs []error
	// A later round that was cut off may have reached the id of a model without a network.
	if trained := !saved.Baseline && !saved.Greedy && !saved.Short && saved.Form == ""; network != nil && trained {
		m.Job, m.Network, m.Loss, m.Diverged = network.Job, network.Network, network.Loss, network.Diverged
		if !slices.Equal(m.Network.Outputs, targets) {
			errs = append(errs, fmt.Errorf("model %d is of a network with other targets", saved.ID))
		}
	}
	for _, target := range targets {
		t := sweep.TargetModel{Validation: value(saved.Validation, math.Inf(1)), Criterion: math.Inf(1)}
		if text, ok := saved.Formula[target]; ok {
			e, err := formula.Parse(text)
			if err != nil {
				errs = append(errs, fmt.Errorf("model %d: %w", saved.ID, err))
				continue
			}
			t.Formula, t.Complexity = e, formula.Complexity(e)
		}
		if own, ok := saved.Target[target]; ok {
			t.Complexity, t.Validation = own.Complexity, value(own.Validation, math.Inf(1))
			t.Criterion = value(own.Criterion, math.Inf(1))
			var err error
			if t.Judged, err = readJudged(own.Judged, inputs); err != nil {
				errs = append(errs, fmt.Errorf("the judgement of model %d: %w", saved.ID, err))
			}
		}
		m.Targets = append(m.Targets, t)
	}
	return m, errors.Join(errs...)
}
