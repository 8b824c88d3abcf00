package saved

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/internal/trajectory"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// Report is a result as a run folder keeps it, and as eql fit --json prints it, there without the seconds of
// training and searching. Numbers have all
// their digits; what is not finite is null.
type Report struct {
	// Format is the version of this object, [Format]; 0 in runs that were saved before there was one.
	Format     int                 `json:"format"`
	Formula    map[string]string   `json:"formula"`
	Complexity int                 `json:"complexity"`
	Sparsity   int                 `json:"sparsity"` // active hidden units behind the formulas
	RMS        RMS                 `json:"rms"`
	Whole      *Whole              `json:"whole,omitempty"`      // where the rows are a sample of more
	RMSScaled  *float64            `json:"rms_scaled,omitempty"` // validation, in scaled units; where scales differ
	Models     []Model             `json:"models"`
	Settings   run.Settings        `json:"settings"`
	Inputs     []string            `json:"inputs"`
	Targets    []string            `json:"targets"`
	Columns    map[string]Column   `json:"columns,omitempty"` // what their numbers mean, where they were not plain numbers
	Chosen     map[string]int      `json:"chosen"`            // target -> id of the model its formula is from
	Warnings   []string            `json:"warnings,omitempty"`
	Trajectory *Trajectory         `json:"trajectory,omitempty"` // where the targets are derivatives along one
	Evidence   map[string]Evidence `json:"evidence,omitempty"`   // of each target's formula
	TimedOut   bool                `json:"timed_out"`
	Ended      run.Ended           `json:"ended,omitempty"`  // why no more was trained
	Rounds     []run.Round         `json:"rounds,omitempty"` // what was
	Seconds    float64             `json:"seconds"`
	Training   float64             `json:"training_seconds,omitempty"`  // of these
	Searching  float64             `json:"searching_seconds,omitempty"` // for laws, of these
	// where networks were trained: cpu, cuda, or "cpu and cuda"
	Device string `json:"device"`
	Card   string `json:"card,omitempty"`
	Kernel string `json:"kernel"`
}

// Column says how the cells of a column became numbers.
type Column struct {
	Meaning string          `json:"meaning"` // of the numbers, for people: days since 2024-01-01
	Coding  datasets.Coding `json:"coding"`
}

// Whole says how formulas that were learned from a sample do on the table that it was drawn from.
type Whole struct {
	sweep.Whole
	Scored int      `json:"scored"` // rows, 0 where the pass failed or was interrupted
	RMS    *float64 `json:"rms"`    // of the rows scored, over rows and targets
}

// RMS holds root mean square errors over samples and targets, in the user's units.
type RMS struct {
	Train      *float64            `json:"train"`
	Validation *float64            `json:"validation"`
	Test       map[string]*float64 `json:"test"`
}

// Format is the version of [Report] that this program writes. It reads this one and those before. Since 1, a verdict is
// a word, with a code for its reason and a sentence beside it. A new key does not raise it; what changes or takes away
// a key does.
const Format = 1

// devices says where the networks of a run were trained, and by which card.
func devices(found *sweep.Result) (device, card string) {
	networks, onCard := 0, 0
	for _, m := range found.Models {
		if m.Baseline || m.Greedy || m.Short || m.Form != "" {
			continue
		}
		networks++
		if m.Device == trainer.CUDA {
			onCard++
		}
	}
	switch onCard {
	case 0:
		return "cpu", ""
	case networks:
		device = "cuda"
	default:
		device = "cpu and cuda"
	}
	if name, err := trainer.Card(); err == nil { // of this process; a run may have gone on from another's
		card = name
	}
	return device, card
}

// Outcome is what a report is made from.
type Outcome struct {
	Found    *sweep.Result
	Settings run.Settings
	Columns  map[string]datasets.Coding
	Tests    []sweep.DataFile // that the formulas are scored on
	Whole    *Whole           // nil where the rows are all there are
	Path     *trajectory.Path // that targets are derivatives along, nil where they are not
	Seconds  float64
}

// Formulas returns the chosen formulas.
func Formulas(found *sweep.Result) map[string]formula.Expr {
	formulas := map[string]formula.Expr{}
	for _, c := range found.Chosen {
		formulas[c.Target] = c.Formula
	}
	return formulas
}

// Report scores the formulas and returns all of it in the form that is printed and kept.
func (w Outcome) Report() (*Report, error) {
	found := w.Found
	rep := &Report{
		Format: Format, Formula: map[string]string{}, Chosen: map[string]int{}, Settings: w.Settings, Inputs: found.Inputs,
		Warnings: found.Warnings, TimedOut: found.Ended == run.EndedByTime, Ended: found.Ended, Rounds: found.Rounds,
		Seconds: w.Seconds, Training: found.Training.Seconds(), Searching: found.Searching.Seconds(), Kernel: kernel.Name(),
		Models: []Model{}, Whole: w.Whole,
	}
	rep.Device, rep.Card = devices(found)
	for name, coding := range w.Columns {
		if rep.Columns == nil {
			rep.Columns = map[string]Column{}
		}
		rep.Columns[name] = Column{coding.Meaning(), coding}
	}
	if w.Settings.Refine {
		rep.Evidence = map[string]Evidence{}
	}
	for _, c := range found.Chosen {
		rep.Targets = append(rep.Targets, c.Target)
		rep.Formula[c.Target] = c.Formula.String()
		rep.Complexity += c.Complexity
		rep.Sparsity += c.Units
		if c.Model != nil {
			rep.Chosen[c.Target] = c.Model.ID
		}
		if c.Evidence != nil {
			rep.Evidence[c.Target] = writeEvidence(c.Evidence, found.Inputs)
		}
	}
	for _, m := range found.Models {
		rep.Models = append(rep.Models, writeModel(m, found.Inputs, found.Targets))
	}
	return rep, w.score(rep)
}

// score fills in the errors of the chosen formulas.
func (w Outcome) score(rep *Report) error {
	found, formulas := w.Found, Formulas(w.Found)
	validation, scaled := 0.0, 0.0
	for _, c := range found.Chosen {
		validation += c.Validation * c.Validation / float64(len(found.Chosen))
		scaled += c.Scaled * c.Scaled / float64(len(found.Chosen))
	}
	rep.RMS = RMS{Validation: number(math.Sqrt(validation)), Test: map[string]*float64{}}
	if scaled != validation {
		rep.RMSScaled = number(math.Sqrt(scaled))
	}
	train, err := learned(found.Train, formulas, found.Inputs)
	if err != nil {
		return err
	}
	rep.RMS.Train = number(train)
	if found.Validation != nil {
		v, err := learned(found.Validation, formulas, found.Inputs)
		if err != nil {
			return err
		}
		rep.RMS.Validation = number(v)
	}
	followed, err := Follow(w.Path, formulas)
	if err != nil {
		return err
	}
	rep.Trajectory = writeTrajectory(followed)
	for _, t := range w.Tests {
		v, err := sweep.Score(formulas, t.Table, found.Inputs, rep.Targets)
		if err != nil {
			return err
		}
		rep.RMS.Test[t.Name] = number(v)
	}
	return nil
}

// learned returns the RMS on the rows that were learned from or held out. Their tables lack constant targets, whose
// formulas have no error.
func learned(t *datasets.Table, formulas map[string]formula.Expr, inputs []string) (float64, error) {
	targets := slices.DeleteFunc(slices.Sorted(maps.Keys(formulas)),
		func(name string) bool { return !slices.Contains(t.Names, name) })
	rms, err := sweep.Score(formulas, t, inputs, targets)
	return rms * math.Sqrt(float64(len(targets))/float64(len(formulas))), err
}

// Printed is the object that eql fit --json prints. Programs rely on its keys.
type Printed struct {
	Report
	// the formulas with what they have in common written once, where that is shorter
	Shared []Definition `json:"shared,omitempty"`
	// Groups has, for each target whose constants differ between groups, the form and these constants.
	Groups map[string]PrintedGroups `json:"groups,omitempty"`
}

// Definition is a formula, or a part of several, each defined before it is used.
type Definition struct {
	Name    string `json:"name"`
	Formula string `json:"formula"`
}

// Print returns a report as it is printed, with the formulas that it has.
func (rep *Report) Print(formulas map[string]formula.Expr) Printed {
	p := Printed{Report: *rep}
	p.Training, p.Searching = 0, 0 // left out: Seconds is the one key whose value is another each time
	var named []formula.Named
	for _, target := range rep.Targets {
		named = append(named, formula.Named{Name: target, Expr: formulas[target]})
	}
	if shared, shorter := formula.Share(named); shorter {
		for _, d := range shared {
			p.Shared = append(p.Shared, Definition{d.Name, d.Expr.String()})
		}
	}
	codings := map[string]datasets.Coding{}
	for name, c := range rep.Columns {
		codings[name] = c.Coding
	}
	p.Groups = printedGroupsOf(formulas, rep.Evidence, codings)
	return p
}

// number returns x for JSON, which has no infinities.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// value returns a number of JSON, or what stands for a missing one.
func value(x *float64, missing float64) float64 {
	if x == nil {
		return missing
	}
	return *x
}

// Result returns what a report says, in the types of package sweep. networks are those that the run has trained; the
// tables stay nil.
func (rep *Report) Result(networks []*sweep.Model) (*sweep.Result, error) {
	res := &sweep.Result{
		Inputs: rep.Inputs, Warnings: rep.Warnings, Rounds: rep.Rounds, Ended: rep.Ended,
		Training: seconds(rep.Training), Searching: seconds(rep.Searching),
	}
	if rep.TimedOut {
		res.Ended = run.EndedByTime // earlier versions kept only this
	}
	for _, target := range rep.Targets {
		if _, ok := rep.Chosen[target]; ok {
			res.Targets = append(res.Targets, target)
		}
	}
	if err := rep.readModels(res, networks); err != nil {
		return nil, err
	}
	if len(res.Targets) > 1 && len(rep.Models) > 0 && rep.Models[0].Target == nil {
		res.Warnings = append(slices.Clip(res.Warnings),
			"The run is of an earlier version, which kept the validation errors of its models over all targets only.")
	}
	return res, rep.readChoices(res)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// readChoices fills in the choices, from models that are read.
func (rep *Report) readChoices(res *sweep.Result) error {
	var errs []error
	for _, target := range rep.Targets {
		c, err := rep.readChoice(target, res)
		errs = append(errs, err)
		res.Chosen = append(res.Chosen, c)
	}
	return errors.Join(errs...)
}

func (rep *Report) readChoice(target string, res *sweep.Result) (sweep.Choice, error) {
	c := sweep.Choice{Target: target}
	if id, ok := rep.Chosen[target]; ok {
		i := slices.IndexFunc(res.Models, func(m *sweep.Model) bool { return m.ID == id })
		if i < 0 {
			return c, fmt.Errorf("there is no model %d, which %q was chosen from", id, target)
		}
		c.Model = res.Models[i]
		c.TargetModel = c.Model.Targets[slices.Index(res.Targets, target)]
	}
	text, ok := rep.Formula[target]
	if !ok {
		return c, fmt.Errorf("there is no formula for %q", target)
	}
	var err error
	if c.Formula, err = formula.Parse(text); err != nil {
		return c, fmt.Errorf("the formula of %q: %w", target, err)
	}
	for _, name := range formula.Vars(c.Formula) {
		if !slices.Contains(rep.Inputs, name) {
			return c, fmt.Errorf("the formula of %q uses %q, which is not an input", target, name)
		}
	}
	c.Complexity = formula.Complexity(c.Formula)
	if saved, ok := rep.Evidence[target]; ok && c.Model != nil {
		if c.Evidence, err = readEvidence(saved, rep.Inputs); err != nil {
			return c, fmt.Errorf("the evidence for %q: %w", target, err)
		}
	}
	return c, nil
}
