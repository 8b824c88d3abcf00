package eql

import (
	"maps"
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// Report is a result as a run folder keeps it, and as eql fit --json prints it, there without the seconds of
// training and searching. Numbers have all
// their digits; what is not finite is null.
type Report struct {
	// Format is the version of this object, [ReportFormat]; 0 in runs that were saved before there was one.
	Format     int                       `json:"format"`
	Formula    map[string]string         `json:"formula"`
	Complexity int                       `json:"complexity"`
	Sparsity   int                       `json:"sparsity"` // active hidden units behind the formulas
	RMS        ReportRMS                 `json:"rms"`
	RMSScaled  *float64                  `json:"rms_scaled,omitempty"` // validation, in scaled units; where scales differ
	Models     []ReportModel             `json:"models"`
	Settings   run.Settings              `json:"settings"`
	Inputs     []string                  `json:"inputs"`
	Targets    []string                  `json:"targets"`
	Columns    map[string]ReportColumn   `json:"columns,omitempty"` // what their numbers mean, where they were not plain numbers
	Chosen     map[string]int            `json:"chosen"`            // target -> id of the model its formula is from
	Warnings   []string                  `json:"warnings,omitempty"`
	Evidence   map[string]ReportEvidence `json:"evidence,omitempty"` // of each target's formula
	TimedOut   bool                      `json:"timed_out"`
	Ended      run.Ended                 `json:"ended,omitempty"`  // why no more was trained
	Rounds     []run.Round               `json:"rounds,omitempty"` // what was
	Seconds    float64                   `json:"seconds"`
	Training   float64                   `json:"training_seconds,omitempty"`  // of these
	Searching  float64                   `json:"searching_seconds,omitempty"` // for laws, of these
	Device     string                    `json:"device"`                      // where networks were trained: cpu, cuda, or "cpu and cuda"
	Card       string                    `json:"card,omitempty"`
	Kernel     string                    `json:"kernel"`
}

// ReportColumn says how the cells of a column became numbers.
type ReportColumn struct {
	Meaning string          `json:"meaning"` // of the numbers, for people: days since 2024-01-01
	Coding  datasets.Coding `json:"coding"`
}

// ReportRMS holds root mean square errors over samples and targets, in the user's units.
type ReportRMS struct {
	Train      *float64            `json:"train"`
	Validation *float64            `json:"validation"`
	Test       map[string]*float64 `json:"test"`
}

// ReportFormat is the version of [Report] that this program writes. It reads this one and those before. Since 1, a verdict is
// a word, with a code for its reason and a sentence beside it.
const ReportFormat = 1

// ReportEvidence is what speaks for and against the formula of a target; see [evidence.Evidence].
type ReportEvidence struct {
	Verdict   evidence.Level   `json:"verdict"`        // holds, uncertain or fails
	Code      evidence.Code    `json:"code,omitempty"` // of the reason, for programs
	Kind      evidence.Kind    `json:"kind,omitempty"` // of the reason
	Reason    string           `json:"reason,omitempty"`
	Sentence  string           `json:"sentence,omitempty"` // level, kind and reason, for people
	Fitted    string           `json:"fitted"`             // the formula before special values were put in
	Constants []ReportConstant `json:"constants"`
	Gap       *float64         `json:"gap"` // null: no other formula comes near
	ReportSupport
	Explained *float64         `json:"explained"`
	Line      *float64         `json:"line_rms"`
	Power     *ReportPower     `json:"power_law,omitempty"`
	Greedy    *ReportGreedy    `json:"greedy,omitempty"`
	Outer     *ReportOuter     `json:"outer,omitempty"`     // missing where there are too few rows
	Residuals *ReportResiduals `json:"residuals,omitempty"` // missing where there are too few rows, or no errors
	Noise     *float64         `json:"noise"`               // of the target, estimated from above
	Exact     bool             `json:"exact,omitempty"`     // the formula meets the data to the last digit
	Edges     []ReportEdge     `json:"edges,omitempty"`     // where the formula has no value, the nearest to the data first
	Errors    *evidence.Errors `json:"errors,omitempty"`    // what errors are taken to be; missing where they are equal and no row was left out
}

// ReportEdge is a place where a formula has no value, in the data or up to twice their size; see [evidence.Edge].
type ReportEdge struct {
	Kind   string              `json:"kind"`   // pole, logarithm, root or overflow
	Of     string              `json:"of"`     // the denominator, or the argument of the logarithm or the root
	Inside bool                `json:"inside"` // in the box of the data
	Among  bool                `json:"among"`  // with rows on both sides
	Place  map[string]*float64 `json:"place"`  // of the inputs that it depends on
	Beyond map[string]*float64 `json:"beyond"` // the range of the data
}

// ReportSupport is how a formula was found; see [evidence.Support].
type ReportSupport struct {
	Networks int             `json:"networks"`
	Trained  int             `json:"as_trained"` // networks that had the form of the formula before their constants were refitted
	Agree    int             `json:"agree"`      // networks that led to it by themselves
	Grown    int             `json:"grown"`      // networks from whose parts the search grew it
	Ways     int             `json:"ways"`       // independent ways to it
	Halves   evidence.Answer `json:"halves,omitempty"`
}

// ReportResiduals is the test of the residuals for structure; see [evidence.Structure].
type ReportResiduals struct {
	Z     *float64 `json:"z"`
	Limit *float64 `json:"limit"`
	Order string   `json:"order"` // of the rows with the largest Z: the name of an input, "prediction" or "neighbours"
}

// ReportPower is the power law that was fitted for comparison.
type ReportPower struct {
	Formula    string   `json:"formula"`
	Validation *float64 `json:"validation_rms"`
}

// ReportGreedy is the formula that was grown without a network.
type ReportGreedy struct {
	Formula    string   `json:"formula"`
	Complexity int      `json:"complexity"`
	Validation *float64 `json:"validation_rms"`
	Agrees     bool     `json:"agrees"` // it is the chosen formula
}

// ReportConstant is a constant of a fitted formula: 95 % interval, and the special value that it
// became, if it did.
type ReportConstant struct {
	Value   *float64 `json:"value"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Snapped *float64 `json:"snapped,omitempty"`
}

// ReportOuter is the test on the outer rows; see [evidence.Extrapolation].
type ReportOuter struct {
	Ratio     *float64 `json:"ratio"`
	Inflation *float64 `json:"inflation"`
	Limit     *float64 `json:"limit"`
	Doubt     *float64 `json:"doubt"`
	Inner     *float64 `json:"inner"` // fraction of the rows fitted to
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
	Greedy     bool              `json:"greedy,omitempty"`   // grown without a network
	Short      bool              `json:"short,omitempty"`    // shortened from others

	// Target has what the sums above hide; runs of earlier versions lack it.
	Target map[string]ReportTarget `json:"target,omitempty"`
}

// ReportTarget is what a model says about one target.
type ReportTarget struct {
	Complexity int      `json:"complexity"`
	Validation *float64 `json:"validation_rms"`
}

// devices says where the networks of a run were trained, and by which card.
func devices(found *sweep.Result) (device, card string) {
	networks, onCard := 0, 0
	for _, m := range found.Models {
		if m.Baseline || m.Greedy || m.Short {
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

// Report scores the result and returns it in the form that is printed and kept.
func (r *Result) Report() (*Report, error) {
	found := r.Sweep
	rep := &Report{
		Format: ReportFormat, Formula: map[string]string{}, Chosen: map[string]int{}, Settings: r.Settings, Inputs: found.Inputs,
		Warnings: found.Warnings, TimedOut: found.Ended == run.EndedByTime, Ended: found.Ended, Rounds: found.Rounds,
		Seconds: r.Seconds, Training: found.Training.Seconds(), Searching: found.Searching.Seconds(), Kernel: kernel.Name(),
		RMS: ReportRMS{Test: map[string]*float64{}}, Models: []ReportModel{},
	}
	rep.Device, rep.Card = devices(found)
	for name, coding := range r.columns {
		if rep.Columns == nil {
			rep.Columns = map[string]ReportColumn{}
		}
		rep.Columns[name] = ReportColumn{coding.Meaning(), coding}
	}
	validation, scaled := 0.0, 0.0
	if r.Settings.Refine {
		rep.Evidence = map[string]ReportEvidence{}
	}
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
		if c.Evidence != nil {
			rep.Evidence[c.Target] = reportEvidence(c.Evidence, found.Inputs)
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
	if found.Validation != nil {
		v, err := r.score(found.Validation)
		if err != nil {
			return nil, err
		}
		rep.RMS.Validation = number(v)
	}
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

func reportEvidence(e *evidence.Evidence, inputs []string) ReportEvidence {
	r := ReportEvidence{
		Verdict: e.Level, Code: e.Code, Kind: e.Kind, Reason: e.Reason, Sentence: e.Sentence(),
		Fitted: e.Fitted.String(), Gap: number(e.Gap), ReportSupport: ReportSupport(e.Support), Noise: number(e.Noise), Exact: e.Exact,
		Explained: number(e.Explained), Line: number(e.Line), Constants: []ReportConstant{},
	}
	for _, c := range e.Constants {
		rc := ReportConstant{Value: number(c.Value), Low: number(c.Low), High: number(c.High)}
		if c.Snapped != c.Value {
			rc.Snapped = number(c.Snapped)
		}
		r.Constants = append(r.Constants, rc)
	}
	if !e.Errors.Plain() {
		r.Errors = &e.Errors
	}
	if w := e.Power; w.Formula != nil {
		r.Power = &ReportPower{Formula: w.Formula.String(), Validation: number(w.Validation)}
	}
	if g := e.Greedy; g.Formula != nil {
		r.Greedy = &ReportGreedy{Formula: g.Formula.String(), Complexity: g.Complexity, Validation: number(g.Validation), Agrees: g.Agrees}
	}
	if x := e.Extrapolation; x.Defined {
		r.Outer = &ReportOuter{Ratio: number(x.Ratio), Inflation: number(x.Inflation), Limit: number(x.Limit), Doubt: number(x.Doubt), Inner: number(x.Inner)}
	}
	for _, x := range e.Edges {
		edge := ReportEdge{Kind: x.Kind.String(), Of: x.Critical.String(), Inside: x.Inside, Among: x.Among, Place: map[string]*float64{}, Beyond: map[string]*float64{}}
		for k, name := range x.Inputs {
			edge.Place[name], edge.Beyond[name] = number(x.Place[k]), number(x.Beyond[k])
		}
		r.Edges = append(r.Edges, edge)
	}
	if s := e.Structure; s.Defined {
		r.Residuals = &ReportResiduals{number(s.Z), number(s.Limit), s.Along(inputs)}
	}
	return r
}

func reportModel(m *sweep.Model, targets []string) ReportModel {
	r := ReportModel{
		ID: m.ID, Formula: map[string]string{}, Lambda: m.Lambda, Layers: m.Layers, Width: m.Width, Seed: m.Restart,
		Sparsity: m.Sparsity(), Complexity: m.Complexity(), Validation: number(m.Validation()),
		Diverged: m.Diverged != nil, Baseline: m.Baseline, Greedy: m.Greedy, Short: m.Short, Target: map[string]ReportTarget{},
	}
	for o, t := range m.Targets {
		r.Target[targets[o]] = ReportTarget{Complexity: t.Complexity, Validation: number(t.Validation)}
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
