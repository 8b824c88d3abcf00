package paper

import (
	"fmt"
	"strings"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/model"
)

// An Outcome is what one repetition of a method on a data set came to.
type Outcome struct {
	Set        string      `json:"set"`
	Method     Method      `json:"method"`
	Repetition int         `json:"repetition"`
	Choice     string      `json:"choice"`     // the settings that were selected
	Candidates int         `json:"candidates"` // among which it was selected
	Validation *float64    `json:"validation"` // RMS; null: not finite
	Sparsity   *int        `json:"sparsity,omitempty"`
	Errors     []TestError `json:"errors"`
	Formulas   []Formula   `json:"formulas,omitempty"`
	Note       string      `json:"note,omitempty"`

	// What figures need, and result.json leaves out.
	Slice     [][]*float64   `json:"slice,omitempty"` // by output; null: not finite
	Network   *model.Network `json:"network,omitempty"`
	Instances []Scored       `json:"instances,omitempty"`
}

// TestError is the error on a test set, against targets with noise and without; null where it is
// not finite.
type TestError struct {
	Test  string   `json:"test"`
	Noisy *float64 `json:"noisy"`
	Clean *float64 `json:"clean"`
}

// Formula is what was learned of one target.
type Formula struct {
	Target string `json:"target"`
	Text   string `json:"text"`
}

// Scored is a network of the grid: what selection knew, what it is, and, where the experiment asks
// for it, its errors.
type Scored struct {
	ID         int         `json:"id"` // in the store
	Layers     int         `json:"layers"`
	Width      int         `json:"width"`
	Lambda     float64     `json:"lambda"`
	Validation *float64    `json:"validation"`
	Sparsity   int         `json:"sparsity"`
	Errors     []TestError `json:"errors,omitempty"`
	Formulas   []Formula   `json:"formulas,omitempty"` // short ones
	Chosen     bool        `json:"chosen,omitempty"`
}

// number returns x, or null in JSON when it is not finite.
func number(x float64) *float64 {
	if !finite(x) {
		return nil
	}
	return &x
}

// numbers is number for columns.
func numbers(cols [][]float64) [][]*float64 {
	out := make([][]*float64, len(cols))
	for o, col := range cols {
		for _, x := range col {
			out[o] = append(out[o], number(x))
		}
	}
	return out
}

// Formulas of more nodes than these are not written out: in the list of what repetitions learned,
// and in that of all networks.
const (
	longFormula     = 2000
	instanceFormula = 60
	digits          = 6 // significant digits of constants in formulas
)

// writeFormula returns a formula as text, or how large it is.
func writeFormula(target string, e formula.Expr, complexity int) Formula {
	if e == nil || complexity > longFormula {
		return Formula{target, fmt.Sprintf("(more than %d nodes)", min(complexity, longFormula))}
	}
	return Formula{target, formula.Print(e, formula.Text, digits)}
}

// lawText reads a law such as "y1 = x2/9.81".
func lawText(text string) (target string, right formula.Expr, err error) {
	target, r, ok := strings.Cut(text, " = ")
	if !ok {
		return "", nil, fmt.Errorf("the law %q has no equals sign", text)
	}
	right, err = formula.Parse(r)
	return target, right, err
}

// errorOn returns the error of an outcome on a test set, +Inf in place of null, and whether there
// is that test set.
func (o Outcome) errorOn(test string, clean bool) (float64, bool) {
	for _, e := range o.Errors {
		if e.Test == test {
			if clean {
				return orInf(e.Clean), true
			}
			return orInf(e.Noisy), true
		}
	}
	return 0, false
}
