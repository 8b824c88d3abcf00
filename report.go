package eql

import (
	"maps"
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/sweep"
)

// Report is a result as eql fit --json prints it and as a run folder keeps it. Numbers have all
// their digits; what is not finite is null.
type Report struct {
	Formula    map[string]string `json:"formula"`
	Complexity int               `json:"complexity"`
	Sparsity   int               `json:"sparsity"` // active hidden units behind the formulas
	RMS        ReportRMS         `json:"rms"`
	RMSScaled  *float64          `json:"rms_scaled,omitempty"` // validation, in scaled units; where scales differ
	Models     []ReportModel     `json:"models"`
	Settings   sweep.Settings    `json:"settings"`
	Inputs     []string          `json:"inputs"`
	Targets    []string          `json:"targets"`
	Chosen     map[string]int    `json:"chosen"` // target -> id of the model its formula is from
	Warnings   []string          `json:"warnings,omitempty"`
	TimedOut   bool              `json:"timed_out"`
	Seconds    float64           `json:"seconds"`
	Device     string            `json:"device"`
	Kernel     string            `json:"kernel"`
}

// ReportRMS holds root mean square errors over samples and targets, in the user's units.
type ReportRMS struct {
	Train      *float64            `json:"train"`
	Validation *float64            `json:"validation"`
	Test       map[string]*float64 `json:"test,omitempty"`
}

// ReportModel is one model of the run.
type ReportModel struct {
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
}

// Report scores the result and returns it in the form that is printed and kept.
func (r *Result) Report() (*Report, error) {
	found := r.Sweep
	rep := &Report{
		Formula: map[string]string{}, Chosen: map[string]int{}, Settings: r.Settings, Inputs: found.Inputs,
		Warnings: found.Warnings, TimedOut: found.TimedOut, Seconds: r.Seconds, Device: "cpu", Kernel: kernel.Name(),
		RMS: ReportRMS{Test: map[string]*float64{}},
	}
	validation, scaled := 0.0, 0.0
	for _, c := range found.Chosen {
		rep.Targets = append(rep.Targets, c.Target)
		rep.Formula[c.Target] = c.Formula.String()
		rep.Complexity += c.Complexity
		rep.Sparsity += c.Units
		validation += c.Validation * c.Validation / float64(len(found.Chosen))
		scaled += c.Scaled * c.Scaled / float64(len(found.Chosen))
		if c.Model != nil {
			rep.Chosen[c.Target] = c.Model.ID
		}
	}
	rep.RMS.Validation = number(math.Sqrt(validation))
	if scaled != validation {
		rep.RMSScaled = number(math.Sqrt(scaled))
	}
	train, err := r.score(found.Train)
	if err != nil {
		return nil, err
	}
	rep.RMS.Train = number(train)
	for _, t := range r.tests {
		v, err := sweep.Score(r.Formulas, t.Table, found.Inputs, rep.Targets)
		if err != nil {
			return nil, err
		}
		rep.RMS.Test[t.Name] = number(v)
	}
	for _, m := range found.Models {
		rep.Models = append(rep.Models, reportModel(m, found.Targets))
	}
	return rep, nil
}

// score returns the RMS on the rows that were learned from or held out. Their tables lack constant
// targets, whose formulas have no error.
func (r *Result) score(t *datasets.Table) (float64, error) {
	targets := slices.DeleteFunc(slices.Sorted(maps.Keys(r.Formulas)), func(name string) bool { return !slices.Contains(t.Names, name) })
	rms, err := sweep.Score(r.Formulas, t, r.Sweep.Inputs, targets)
	return rms * math.Sqrt(float64(len(targets))/float64(len(r.Formulas))), err
}

func reportModel(m *sweep.Model, targets []string) ReportModel {
	r := ReportModel{
		ID: m.ID, Formula: map[string]string{}, Lambda: m.Lambda, Layers: m.Layers, Width: m.Width, Seed: m.Restart,
		Sparsity: m.Sparsity(), Complexity: m.Complexity(), Validation: number(m.Validation()),
		Diverged: m.Diverged != nil, Baseline: m.Baseline,
	}
	for o, t := range m.Targets {
		if t.Formula != nil && formula.Complexity(t.Formula) <= sweep.MaxNodes {
			r.Formula[targets[o]] = t.Formula.String()
		}
	}
	return r
}

// number returns x for JSON, which has no infinities.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
