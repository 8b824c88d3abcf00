package batch

import (
	"fmt"
	"math"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// Row is what was learned of a target of a table, or why nothing was.
type Row struct {
	Table      string         `json:"table"`
	Target     string         `json:"target,omitempty"`
	Rows       int            `json:"rows"`
	Formula    string         `json:"formula,omitempty"` // with all digits
	Text       string         `json:"text,omitempty"`    // the formula as people read it
	Complexity int            `json:"complexity"`
	Form       string         `json:"form,omitempty"` // the formula with a letter in the place of each constant
	Validation *float64       `json:"validation_rms"`
	R2         *float64       `json:"r2"` // on all rows of the table
	Verdict    evidence.Level `json:"verdict,omitempty"`
	Sentence   string         `json:"sentence,omitempty"` // the verdict in words
	Ended      run.Ended      `json:"ended"`              // [Failed] where there is an error
	Seconds    float64        `json:"seconds"`
	Error      string         `json:"error,omitempty"`
	Warnings   []string       `json:"warnings,omitempty"`
}

// Failed is how a table ended that could not be learned from.
const Failed run.Ended = "failed"

// LineOf returns the line of a table that was learned from.
func LineOf(name string, t *datasets.Table, r *sweep.Result, seconds float64) (Line, error) {
	l := Line{Table: name, Seconds: seconds, Warnings: r.Warnings}
	for _, c := range r.Chosen {
		predicted, err := predict(c.Formula, t, r.Inputs)
		if err != nil {
			return l, fmt.Errorf("the formula of %q: %w", c.Target, err)
		}
		y, _ := t.Col(c.Target) // it was learned
		row := Row{
			Table: name, Target: c.Target, Rows: t.Rows(), Formula: c.Formula.String(),
			Text:       formula.Print(c.Formula, formula.Text, sweep.Digits(c.Formula, r.Train, r.Inputs, c.Target)),
			Complexity: c.Complexity, Form: FormOf(c.Formula), Validation: finite(c.Validation),
			R2: finite(sweep.ErrorsOf(predicted, y).R2), Ended: r.Ended, Seconds: seconds,
		}
		if e := c.Evidence; e != nil {
			row.Verdict, row.Sentence = e.Level, e.Sentence()
		}
		l.Rows = append(l.Rows, row)
		l.Sketches = append(l.Sketches, sketch(c.Formula, c.Target, t, predicted))
	}
	return l, nil
}

// predict evaluates a formula on the rows of a table.
func predict(e formula.Expr, t *datasets.Table, inputs []string) ([]float64, error) {
	x, err := t.Select(inputs...)
	if err != nil {
		return nil, err
	}
	p, err := formula.Compile(e, inputs)
	if err != nil {
		return nil, err
	}
	predicted := make([]float64, t.Rows())
	p.EvalColumns(predicted, x.Cols)
	return predicted, nil
}

func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
