package paper

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/eqlearner/eql/internal/baseline"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// Preset is how much of the protocol is run.
type Preset string

// The presets. Full is the paper's protocol to the letter, and the default wherever one is needed:
// only its numbers may stand beside the published ones. Short is a reduction that takes minutes.
const (
	Full  Preset = "full"
	Short Preset = "short"
)

// UnmarshalText reads full or short.
func (p *Preset) UnmarshalText(text []byte) error {
	if s := Preset(text); s != Full && s != Short {
		return fmt.Errorf("there is no preset %q (there are full, short)", text)
	}
	*p = Preset(text)
	return nil
}

// A Request is what a caller asks for; it determines the numbers.
type Request struct {
	Experiment  string   `json:"experiment"` // a name, or NAME/SET
	Preset      Preset   `json:"preset"`
	Repetitions int      `json:"repetitions"` // 0: as many as the preset has
	Seed        uint64   `json:"seed"`
	Methods     []Method `json:"methods"` // empty: all that the experiment has
	// DType is the precision that networks are trained in; nil: the preset's, which is float64 for
	// the full one and float32 for the short one. The paper does not state its own.
	DType *trainer.DType `json:"dtype,omitempty"`
}

// A Plan is an experiment with nothing left open: what is trained, on what, how often.
type Plan struct {
	Request
	Title   string       `json:"title"`
	Sets    []SetPlan    `json:"sets"`
	Figures []FigureKind `json:"figures"`
}

// SetPlan is the part of a plan about one data set. A method that is nil is not tried.
type SetPlan struct {
	Name      string                      `json:"name"`
	Problem   string                      `json:"problem"`
	Rows      int                         `json:"rows"` // drawn at random; 0: all
	Noise     *float64                    `json:"noise,omitempty"`
	Held      float64                     `json:"held"`
	Resplit   bool                        `json:"resplit,omitempty"`
	Bound     float64                     `json:"bound"`
	Instances bool                        `json:"instances,omitempty"`
	EQL       *sweep.Settings             `json:"eql,omitempty"`
	MLP       *sweep.Settings             `json:"mlp,omitempty"`
	SVR       *SVRGrid                    `json:"svr,omitempty"`
	Quick     *QuickPlan                  `json:"quick,omitempty"`
	Published map[Method]map[string]Value `json:"published,omitempty"`
}

// QuickPlan is [run.Quick] for the rows at hand, with the seeds seed, seed+1, …, without a time
// limit, and with at most Extend further rounds.
type QuickPlan struct {
	Extend      int `json:"extend"`
	Repetitions int `json:"repetitions"`
}

// Plan spells out what the request means, or says everything that is wrong with it.
func (r Request) Plan() (Plan, error) {
	e, err := Lookup(r.Experiment)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Request: r, Title: e.Title, Figures: e.Figures}
	if p.Preset == "" {
		p.Preset = Full
	}
	var errs []error
	if p.Preset != Full && p.Preset != Short {
		errs = append(errs, fmt.Errorf("there is no preset %q (there are full, short)", p.Preset))
	}
	for _, m := range r.Methods {
		if !slices.Contains(Methods(), m) {
			errs = append(errs, fmt.Errorf("there is no method %q (there are eql, mlp, svr, quick)", m))
		}
	}
	if r.Repetitions < 0 || r.Repetitions > maxRepetitions {
		errs = append(errs, fmt.Errorf("repetitions is %d, want 1 to %d", r.Repetitions, maxRepetitions))
	}
	reduction := e.Short
	if p.Preset == Full {
		reduction = Reduction{SVR: fullSVR()}
	}
	if p.Repetitions == 0 {
		p.Repetitions = override(e.Repetitions, reduction.Repetitions)
	}
	p.Experiment = e.Name
	p.Methods = nil
	for _, m := range Methods() {
		has := slices.ContainsFunc(e.Sets, func(s Set) bool { return s.has(m) })
		switch asked := slices.Contains(r.Methods, m); {
		case asked && !has:
			errs = append(errs, fmt.Errorf("%s compares no %s", e.Name, m))
		case has && (asked || len(r.Methods) == 0):
			p.Methods = append(p.Methods, m)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return Plan{}, err
	}
	for _, s := range e.Sets {
		if reduction.Sets == nil || slices.Contains(reduction.Sets, s.Name) {
			p.Sets = append(p.Sets, p.set(s, reduction))
		}
	}
	return p, nil
}

// maxRepetitions bounds what a run may ask for.
const maxRepetitions = 1000

func (s Set) has(m Method) bool {
	switch m {
	case MLP:
		return s.MLP != nil
	case SVR:
		return s.SVR
	case Quick:
		return s.Quick
	}
	return true
}

func (p Plan) set(s Set, r Reduction) SetPlan {
	sp := SetPlan{
		Name: s.Name, Problem: s.Problem, Rows: s.Rows, Noise: s.Noise, Held: s.Held, Resplit: s.Resplit,
		Bound: s.Bound, Instances: s.Instances, Published: s.Published,
	}
	if r.Rows > 0 && (sp.Rows == 0 || sp.Rows > r.Rows) {
		sp.Rows = r.Rows
	}
	for _, m := range p.Methods {
		if !s.has(m) {
			continue
		}
		switch m {
		case EQL:
			sp.EQL = p.settings(s, s.EQL, r, r.Width)
		case MLP:
			sp.MLP = p.settings(s, *s.MLP, r, r.MLPWidth)
		case SVR:
			sp.SVR = &r.SVR
		case Quick:
			sp.Quick = &QuickPlan{Repetitions: p.Repetitions}
			if p.Preset == Full {
				sp.Quick.Extend = run.Quick(1, 1).Extend
			} else if r.Quick > 0 {
				sp.Quick.Repetitions = min(r.Quick, p.Repetitions)
			}
		}
	}
	return sp
}

// settings returns the sweep of a grid over all repetitions, of which each is a restart; of one
// repetition where each has its own split.
func (p Plan) settings(s Set, g Grid, r Reduction, width []int) *sweep.Settings {
	c := run.Paper()
	c.Layers, c.Width, c.Lambda = among(g.Layers, r.Layers), among(g.Width, width), g.Lambda
	c.Units, c.Select, c.Seed = g.Units, g.Select, p.Seed
	if slices.Equal(g.Units, tanh) {
		c.Products = []int{0}
	}
	if r.Lambda != nil {
		c.Lambda = r.Lambda
	}
	if c.Restarts = p.Repetitions; s.Resplit {
		c.Restarts = 1
	}
	if slices.Contains(g.Units, model.Tanh) {
		c.Train = baseline.MLPConfig()
	}
	c.Train.Epochs, c.Train.Batch = override(g.Epochs, r.Epochs), g.Batch
	switch {
	case p.DType != nil:
		c.Train.DType = *p.DType
	case p.Preset == Short:
		c.Train.DType = trainer.Float32
	}
	return &c
}

// override returns the second number unless it is zero.
func override(n, by int) int {
	if by > 0 {
		return by
	}
	return n
}

// among returns those of a grid's values that a reduction leaves; an empty reduction leaves all,
// and so does one that names none of them.
func among(grid, reduced []int) []int {
	var left []int
	for _, v := range grid {
		if slices.Contains(reduced, v) {
			left = append(left, v)
		}
	}
	if left == nil {
		return grid
	}
	return left
}

// Command returns the command line that makes the run.
func (r Request) Command() string {
	var b strings.Builder
	name := r.Experiment
	if strings.ContainsAny(name, `*?[`) { // of a pattern, which the shell would take for files
		name = "'" + name + "'"
	}
	fmt.Fprintf(&b, "eql reproduce %s --preset %s --repetitions %d --seed %d", name, r.Preset, r.Repetitions, r.Seed)
	if len(r.Methods) > 0 {
		fmt.Fprintf(&b, " --methods %s", joinMethods(r.Methods))
	}
	if r.DType != nil {
		fmt.Fprintf(&b, " --dtype %s", *r.DType)
	}
	return b.String()
}

func joinMethods(methods []Method) string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = string(m)
	}
	return strings.Join(names, ",")
}

// equal reports whether two plans are one in everything that is saved of them.
func (p Plan) equal(q Plan) bool {
	a, errA := json.Marshal(p)
	b, errB := json.Marshal(q)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// differs returns what another request changes, in the words of the command line, or nothing.
func (r Request) differs(q Request) error {
	var errs []error
	say := func(what string, a, b any) {
		if x, y := fmt.Sprint(a), fmt.Sprint(b); x != y {
			errs = append(errs, fmt.Errorf("it was begun with %s %s, not %s", what, x, y))
		}
	}
	say("the experiment", r.Experiment, q.Experiment)
	say("--preset", r.Preset, q.Preset)
	say("--repetitions", r.Repetitions, q.Repetitions)
	say("--seed", r.Seed, q.Seed)
	say("--methods", joinMethods(r.Methods), joinMethods(q.Methods))
	say("--dtype", r.precision(), q.precision())
	return errors.Join(errs...)
}

func (r Request) precision() string {
	if r.DType == nil {
		return "as the preset has it"
	}
	return r.DType.String()
}

// Networks returns the number of networks that the protocol trains for a method on one data set.
// Those that only fill the lanes are not counted: they take no part in it.
func (s SetPlan) Networks(m Method, repetitions int) int {
	c := s.sweep(m)
	if c == nil {
		return 0
	}
	return len(c.Layers) * len(c.Width) * len(c.Lambda) * repetitions
}

// sweep returns the settings of a method that trains networks, nil for the others.
func (s SetPlan) sweep(m Method) *sweep.Settings {
	switch m {
	case EQL:
		return s.EQL
	case MLP:
		return s.MLP
	}
	return nil
}
