package paper

import (
	"context"
	"fmt"
	"math"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// fitQuick does what eql fit does on the rows that the protocol trains and validates on, as one
// table: quick holds rows out, starts and selects in its own way. Where each repetition has its own
// split, and its validation rows are scored, it gets the training rows alone. Repetition i has the
// seed seed+i.
func (r *runner) fitQuick(ctx context.Context, p *part) error {
	return p.do(ctx, p.weight, func() error {
		repetition := p.repetitions[0]
		o, err := p.set.quick(ctx, repetition, r.plan.Seed+uint64(repetition))
		if err != nil {
			return err
		}
		return p.keep(o)
	})
}

func (p *prepared) quick(ctx context.Context, repetition int, seed uint64) (Outcome, error) {
	data := p.data
	if p.plan.Resplit {
		data, _ = p.split(repetition)
	}
	settings := run.Quick(data.Rows(), len(p.problem.Inputs))
	settings.Extend, settings.Seed = p.plan.Quick.Extend, seed
	task := sweep.Task{Inputs: p.problem.Inputs, Targets: p.problem.Targets, Data: data}
	found, err := sweep.Run(ctx, task, settings, sweep.Options{Workers: 1})
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{Repetition: repetition, Candidates: len(found.Models)}
	squares := 0.0
	programs := make([]*formula.Program, len(found.Chosen))
	for t, c := range found.Chosen {
		if programs[t], err = formula.Compile(c.Formula, p.problem.Inputs); err != nil {
			return o, fmt.Errorf("the formula of %s: %w", c.Target, err)
		}
		o.Formulas = append(o.Formulas, writeFormula(c.Target, c.Formula, c.Complexity))
		squares += c.Validation * c.Validation / float64(len(found.Chosen))
		if c.Evidence != nil {
			if t > 0 {
				o.Choice += "; "
			}
			o.Choice += c.Target + " " + string(c.Evidence.Level)
		}
	}
	predict := func(x [][]float64) [][]float64 { return evaluate(programs, x) }
	o.Validation = number(math.Sqrt(squares))
	o.Errors, o.Slice = p.score(predict, repetition), numbers(predict(p.slice))
	return o, nil
}

// evaluate returns the values of programs for columns of inputs.
func evaluate(programs []*formula.Program, x [][]float64) [][]float64 {
	y := make([][]float64, len(programs))
	for t, program := range programs {
		y[t] = make([]float64, len(x[0]))
		program.EvalColumns(y[t], x)
	}
	return y
}

// quickCost is a guess at the seconds that a worker needs for a repetition of quick, whose search
// depends on what is found.
func (p *prepared) quickCost() float64 {
	return 3 + 3e-4*float64(p.data.Rows())*float64(len(p.problem.Targets))*float64(1+p.plan.Quick.Extend/3)
}
