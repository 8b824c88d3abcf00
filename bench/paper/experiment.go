package paper

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/model"
)

// Method is a way to learn a function from rows, a row of the tables.
type Method string

// The methods: the equation learner by the paper's protocol, its two baselines, and our preset
// quick, which has nothing of the protocol but the data.
const (
	EQL   Method = "eql"
	MLP   Method = "mlp"
	SVR   Method = "svr"
	Quick Method = "quick"
)

// Methods returns all methods in the order of the tables.
func Methods() []Method { return []Method{EQL, MLP, SVR, Quick} }

// UnmarshalText reads a method's name.
func (m *Method) UnmarshalText(text []byte) error {
	if !slices.Contains(Methods(), Method(text)) {
		return fmt.Errorf("there is no method %q (there are eql, mlp, svr, quick)", text)
	}
	*m = Method(text)
	return nil
}

// Title returns the method's name in tables.
func (m Method) Title() string {
	if m == Quick {
		return "eql quick"
	}
	return strings.ToUpper(string(m))
}

// The test sets. Not every problem has all of them.
const (
	Interpolation = "interpolation"
	Near          = "near"
	Far           = "far"
)

// Tests returns the test sets in the order of the tables.
func Tests() []string { return []string{Interpolation, Near, Far} }

// An Experiment is a section of the paper: one or more data sets on which methods are compared.
type Experiment struct {
	Name        string
	Title       string   // one line
	Repetitions int      // as published
	Chosen      []string // what the paper leaves open, and what was chosen; printed with the tables
	Sets        []Set
	Short       Reduction
	Figures     []FigureKind
}

// A Set is a data set with all that is tried on it.
type Set struct {
	Name      string
	Problem   string   // of package datasets
	Rows      int      // drawn at random from the problem's; 0: all
	Noise     *float64 // standard deviation; nil: the problem's
	Held      float64  // fraction of the rows for validation
	Resplit   bool     // each repetition has a split of its own, and its validation rows stand for interpolation
	EQL       Grid
	MLP       *Grid // nil: not compared
	SVR       bool
	Quick     bool
	Bound     float64 // a repetition succeeds when its error on the far set, without noise, is at most this
	Instances bool    // every network is scored on the test sets, after the selection
	Published map[Method]map[string]Value
}

// A Grid is the networks of one repetition: every combination of layers, width and λ.
type Grid struct {
	Layers []int // the paper's L, which counts the read-out
	Width  []int // units of each unary type, and products; of an MLP the paper's k
	Units  []model.Unit
	Lambda []float64
	Epochs int
	Batch  int
	Select sweep.Select
}

// Networks returns the number of networks of one repetition.
func (g Grid) Networks() int { return len(g.Layers) * len(g.Width) * len(g.Lambda) }

// Value is a published number: a mean and, unless it is negative, a standard deviation.
type Value struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
}

// alone is the standard deviation of a number that was published without one.
const alone = -1

// String writes the value as the paper does, 0.016±0.007.
func (v Value) String() string {
	if v.SD < 0 {
		return fmt.Sprintf("%g", v.Mean)
	}
	return fmt.Sprintf("%g ± %g", v.Mean, v.SD)
}

// SVRGrid is the settings of support vector regression that are tried. Each output has a machine
// of its own, all with the setting whose validation error over all outputs is lowest.
type SVRGrid struct {
	C       []float64 `json:"c"`
	Gamma   []float64 `json:"gamma"`
	Epsilon []float64 `json:"epsilon"`
	// Rows bounds the training rows of the grid, evenly drawn; FinalRows those of the machine that
	// is scored, 0 meaning all.
	Rows      int `json:"rows"`
	FinalRows int `json:"final_rows,omitempty"`
}

// Reduction is what the short preset makes of an experiment: lists and numbers that take the
// place of the paper's where they are not empty or zero. Validation and selection stay as they are.
type Reduction struct {
	Repetitions int
	Sets        []string // that are run at all
	Rows        int      // at most, drawn at random
	Epochs      int
	Layers      []int // of those of the grid
	Width       []int // of the equation learner, of those of the grid
	MLPWidth    []int // of the MLP, of those of the grid
	Lambda      []float64
	SVR         SVRGrid
	Quick       int // repetitions of quick; 0: as many as of the others
}

// Lookup returns the experiment of a name, or of NAME/SET with that set alone. SET may also be several, separated by
// commas, and patterns as those of [path.Match].
func Lookup(name string) (Experiment, error) {
	first, second, some := strings.Cut(name, "/")
	var names []string
	for _, e := range Experiments() {
		names = append(names, e.Name)
		if e.Name != first {
			continue
		}
		if !some {
			return e, nil
		}
		sets, err := e.setsOf(second)
		if err != nil {
			return Experiment{}, err
		}
		if len(sets) == 1 {
			second = sets[0].Name
		}
		e.Name, e.Sets, e.Short.Sets = first+"/"+second, sets, nil
		return e, nil
	}
	return Experiment{}, fmt.Errorf("there is no experiment %q (there are %s)", name, strings.Join(names, ", "))
}

// setsOf returns the data sets that a list of names and patterns names, in their own order.
func (e Experiment) setsOf(list string) ([]Set, error) {
	chosen := make([]bool, len(e.Sets))
	for pattern := range strings.SplitSeq(list, ",") {
		found := false
		for i, s := range e.Sets {
			if ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(s.Name)); err == nil && ok {
				chosen[i], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("experiment %s has no data set %q (there are %s)",
				e.Name, pattern, strings.Join(e.setNames(), ", "))
		}
	}
	var sets []Set
	for i, s := range e.Sets {
		if chosen[i] {
			sets = append(sets, s)
		}
	}
	return sets, nil
}

func (e Experiment) setNames() []string {
	var names []string
	for _, s := range e.Sets {
		names = append(names, s.Name)
	}
	return names
}

// FigureKind is a figure of the paper.
type FigureKind string

// The figures.
const (
	Slices  FigureKind = "slices"  // each output along x1 = x2 = …, of the law and of each method
	Drawing FigureKind = "network" // a learned network
	Fit     FigureKind = "fit"     // data of one input, what the methods make of it, and their errors
	Scatter FigureKind = "scatter" // all networks over validation error and sparsity
	Heat    FigureKind = "heat"    // errors over rows and noise
)
