package run

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/trainer"
)

// Init is how networks start.
type Init string

// The starts: see [model.Network.Init] and [model.Network.InitSparse], with one input for a
// nonlinear row of the first layer; mixed: one input in half of the networks and two in the others,
// so that sines of sums are found as well.
const (
	InitPaper  Init = "paper"
	InitSparse Init = "sparse"
	InitMixed  Init = "mixed"
)

// UnmarshalText reads paper, sparse or mixed.
func (i *Init) UnmarshalText(text []byte) error {
	return choose(i, "start", string(text), InitPaper, InitSparse, InitMixed)
}

// Select is the rule by which one of many models is chosen.
type Select string

// The rules. Rank and validation choose one network for all targets, BIC2 a formula for each target.
const (
	SelectRank       Select = "rank"       // by the ranks of validation error and of the number of active units
	SelectValidation Select = "validation" // by validation error alone
	SelectBIC2       Select = "bic2"       // by the BIC with twice the price of a constant
)

// UnmarshalText reads rank, validation or bic2.
func (s *Select) UnmarshalText(text []byte) error {
	return choose(s, "rule of selection", string(text), SelectRank, SelectValidation, SelectBIC2)
}

// Snap is whether constants that the data allows to be special values become them.
type Snap string

// The choices.
const (
	SnapAuto Snap = "auto"
	SnapOff  Snap = "off"
)

// UnmarshalText reads auto or off.
func (s *Snap) UnmarshalText(text []byte) error {
	return choose(s, "way of snapping", string(text), SnapAuto, SnapOff)
}

// Scaling is whether columns are scaled for training.
type Scaling string

// The scalings: by datasets.AutoScale, or not at all.
const (
	ScaleAuto Scaling = "auto"
	ScaleNone Scaling = "none"
)

// UnmarshalText reads auto or none.
func (s *Scaling) UnmarshalText(text []byte) error {
	return choose(s, "scaling", string(text), ScaleAuto, ScaleNone)
}

func choose[S ~string](to *S, what, text string, names ...S) error {
	if !slices.Contains(names, S(text)) {
		list := make([]string, len(names))
		for i, n := range names {
			list[i] = string(n)
		}
		return fmt.Errorf("unknown %s %q (there are %s)", what, text, strings.Join(list, ", "))
	}
	*to = S(text)
	return nil
}

// Settings is everything that determines the result of a run, apart from the data. Where a list
// has several values, every combination is trained.
type Settings struct {
	Preset   string         `json:"preset"`             // the one the settings started from; for the record
	Layers   []int          `json:"layers"`             // the paper's L: hidden layers and the read-out
	Width    []int          `json:"width"`              // units of each unary type in a hidden layer
	Products []int          `json:"products,omitempty"` // of a hidden layer; empty: as many as the width
	Units    []model.Unit   `json:"units"`
	Lambda   []float64      `json:"lambda"`   // λ of the L1 penalty
	Restarts int            `json:"restarts"` // networks of each combination, with different starts
	Extend   int            `json:"extend"`   // further rounds while a formula does not hold; 0: the grid only
	Train    trainer.Config `json:"train"`
	Init     Init           `json:"init"`
	Halving  Halving        `json:"halving"`
	Select   Select         `json:"select"`
	Refine   bool           `json:"refine"`
	Snap     Snap           `json:"snap"`
	Scale    Scaling        `json:"scale"`
	Split    float64        `json:"split"` // fraction of the rows held out for validation; 0: cross-validation in 5 folds
	Seed     uint64         `json:"seed"`
	Errors   Errors         `json:"errors,omitempty"`   // how sizes of errors compare; "": absolute
	Outliers Outliers       `json:"outliers,omitempty"` // what happens to rows that a law does not explain; "": keep
	Limits   Limits         `json:"limits,omitzero"`    // of formulas
	// the form whose unknown functions are searched for; nil: the whole law is
	Known *Known `json:"known,omitempty"`

	// UnitsOf has units of columns, such as m/s^2, and Dimensions says what they are for; empty: [DimensionsPrefer]. A
	// column without a unit is a pure number.
	UnitsOf    map[string]string `json:"units_of,omitempty"`
	Dimensions Dimensions        `json:"dimensions,omitempty"`
}

// fewRows is the number of rows below which none are held out: cross-validation uses all.
const fewRows = 100

// heldOut is the paper's fraction of rows for validation.
const heldOut = 0.1

func defaultSplit(rows int) float64 {
	if rows < fewRows {
		return 0
	}
	return heldOut
}

// Paper returns the protocol of Martius and Lampert 2016, §3.3 and §4, to the letter. A tenth of the
// rows is held out however few they are: cross-validation refits constants, which the protocol
// does not.
func Paper() Settings {
	return Settings{
		Preset: "paper",
		Layers: []int{2, 3}, Width: []int{10},
		Units:    paperUnits(),
		Lambda:   []float64{1e-7, 5e-7, 1e-6, 5e-6, 1e-5, 5e-5, 1e-4, 5e-4, 1e-3}, // 10^{-7, -6.3, …}
		Restarts: 10,
		Train:    trainer.PaperConfig(),
		Init:     InitPaper, Select: SelectRank, Snap: SnapOff, Scale: ScaleNone, Split: heldOut,
	}
}

// Quick returns the settings that find laws in seconds on a table with the given number of rows
// and inputs: short training of many networks, from starts with frequencies of a few periods, and
// then a fit that makes exact what training found roughly.
//
// Measured on the paper's problems (bench/results): networks that see 9000 minibatches contain
// the right units, a rate of 0.003 in place of 0.001 saves two thirds of the steps, and λ between
// 1e-4 and 2e-3 is what leaves few units without bending them. One hidden layer finds sums of
// products and functions of one input; two find the rest.
func Quick(rows, inputs int) Settings {
	s := Settings{
		Preset: "quick",
		Layers: []int{2, 3}, Width: []int{min(max(6, inputs), 16)}, Products: []int{4},
		Units:    quickUnits(),
		Restarts: 2,
		Extend:   6,
		Train:    trainer.PaperConfig(),
		Init:     InitMixed, Halving: Halving{Starts: 4, Part: 0.15}, Select: SelectBIC2, Refine: true, Snap: SnapAuto,
		Scale: ScaleAuto, Split: defaultSplit(rows),
		Errors: ErrorsAuto, Outliers: OutliersAuto,
	}
	for i := range 8 {
		s.Lambda = append(s.Lambda, math.Round(1e-4*math.Pow(16, float64(i)/7)*1e6)/1e6)
	}
	s.Train.DType, s.Train.LearnRate = trainer.Float32, 0.003
	const steps = 9000
	perEpoch := max(1, rows/s.Train.Batch)
	s.Train.Epochs = max(1, steps/perEpoch)
	return s
}

// quickUnits are those of the paper and those of laws alone.
func quickUnits() []model.Unit {
	isTrained := func(u model.Unit) bool { return u.Trained() }
	return append(paperUnits(), slices.DeleteFunc(model.LawUnits(), isTrained)...)
}

func paperUnits() []model.Unit {
	return []model.Unit{model.Identity, model.Sin, model.Cos, model.Sigmoid, model.Product}
}

// Validate reports every invalid setting, joined into one error. Names are those of the flags.
func (s Settings) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if len(s.Layers) == 0 || len(s.Width) == 0 || len(s.Lambda) == 0 || len(s.Units) == 0 {
		bad("layers, width, lambda and units need at least one value each")
	}
	for _, l := range s.Layers {
		if l < 2 || l > MaxLayers {
			bad("layers is %d, want 2 to %d (the linear output layer counts as one)", l, MaxLayers)
		}
	}
	for _, w := range s.Width {
		if w < 1 || w > MaxWidth {
			bad("width is %d, want 1 to %d", w, MaxWidth)
		}
	}
	for _, v := range s.Products {
		if v < 0 || v > MaxWidth {
			bad("products is %d, want 0 to %d", v, MaxWidth)
		}
	}
	for _, l := range s.Lambda {
		if !(l >= 0) || math.IsInf(l, 0) {
			bad("lambda is %g, want a number of at least 0", l)
		}
	}
	if s.Restarts < 1 || s.Restarts > maxJobs {
		bad("restarts is %d, want 1 to %d", s.Restarts, maxJobs)
	} else if n := s.Combinations() * s.Restarts; n > maxJobs {
		bad("the grid has %d networks, want at most %d; leave values or restarts out", n, maxJobs)
	}
	if !(s.Split >= 0 && s.Split < 1) {
		bad("split is %g, want at least 0 and below 1", s.Split)
	} else if s.Split == 0 && !s.Refine {
		bad("split is 0 (cross-validation), which needs refine on; hold rows out, such as by split 0.1, or leave refine on")
	}
	errs = append(errs, new(Init).UnmarshalText([]byte(s.Init)), new(Select).UnmarshalText([]byte(s.Select)),
		new(Snap).UnmarshalText([]byte(s.Snap)), new(Scaling).UnmarshalText([]byte(s.Scale)))
	if s.Errors != "" {
		errs = append(errs, new(Errors).UnmarshalText([]byte(s.Errors)))
	}
	if s.Outliers != "" {
		errs = append(errs, new(Outliers).UnmarshalText([]byte(s.Outliers)))
	}
	if s.Known != nil && !s.Refine {
		bad("a form with unknown functions needs refine on")
	}
	if s.Known != nil && s.Errors == ErrorsRelative {
		bad("relative errors cannot be combined with a form with unknown functions; name a column of standard " +
			"deviations by sigma")
	}
	if err := s.Limits.validate(s); err != nil {
		errs = append(errs, err)
	}
	if err := s.Halving.validate(); err != nil {
		errs = append(errs, err)
	}
	errs = append(errs, s.checkUnits())
	if s.Extend < 0 || s.Extend > maxExtend {
		bad("extend is %d, want 0 to %d", s.Extend, maxExtend)
	}
	return errors.Join(append(errs, s.Train.Validate())...)
}

// OfEachArch returns how many networks of each architecture are trained, and with the further
// restarts that fill the last lanes how many there are in all.
func (s Settings) OfEachArch() (networks, padded int) {
	networks = len(s.Lambda) * s.Restarts
	return networks, (networks + padTo - 1) / padTo * padTo
}

// padTo is what the number of networks of one architecture is padded to: the lanes of the
// widest kernel, whatever the kernel in use, so that the set of networks does not depend on the
// machine.
const padTo = trainer.MaxVector

// Bounds of what a run may ask for; far beyond what is useful, and within memory.
const (
	MaxLayers = 10
	MaxWidth  = 1000
	maxJobs   = 100_000
	maxExtend = 1000
)

// Combinations returns how many combinations of architecture and λ the grid has.
func (s Settings) Combinations() int {
	return len(s.Layers) * len(s.Width) * max(1, len(s.Products)) * len(s.Lambda)
}
