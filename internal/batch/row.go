package batch

import (
	"fmt"
	"math"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// Row is what was learned of a target of a table, or why nothing was.
type Row struct {
	Table      string `json:"table"`
	Target     string `json:"target,omitempty"`
	Rows       int    `json:"rows"`
	Formula    string `json:"formula,omitempty"` // with all digits
	Text       string `json:"text,omitempty"`    // the formula as people read it
	Complexity int    `json:"complexity"`
	Form       string `json:"form,omitempty"` // the formula with a letter in the place of each constant
	// the number of the law in the summary that the formula is, from 1
	Law int `json:"law,omitempty"`
	// the formula that the table led to by itself, of one that has a law
	Own        string         `json:"own,omitempty"`
	OwnVerdict evidence.Level `json:"own_verdict,omitempty"` // the verdict on that
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
func LineOf(name string, t *datasets.Table, r *eql.Result) (Line, error) {
	l := Line{Table: name, Seconds: r.Seconds, Warnings: r.Warnings}
	for _, target := range r.Targets {
		m := r.Chosen(target)
		predicted, err := predict(m.Formula, t, r.Inputs)
		if err != nil {
			return l, fmt.Errorf("the formula of %q: %w", target, err)
		}
		y, _ := t.Col(target) // it was learned
		row := Row{
			Table: name, Target: target, Rows: t.Rows(), Formula: m.Formula.String(),
			Text:       formula.Print(m.Formula, formula.Text, r.Digits(target, m.Formula)),
			Complexity: m.Complexity, Form: formula.SkeletonOf(m.Formula).String(), Validation: finite(m.Validation),
			R2: finite(sweep.ErrorsOf(predicted, y).R2), Ended: r.Ended, Seconds: r.Seconds,
		}
		if e := r.Evidence(target); e != nil {
			row.Verdict, row.Sentence = e.Level, e.Sentence()
		}
		l.Rows = append(l.Rows, row)
		l.Sketches = append(l.Sketches, sketch(m.Formula, target, t, predicted))
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
