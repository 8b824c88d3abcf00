package sweep

import (
	"fmt"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/model"
)

// withoutConstants takes the columns out that have nothing to teach: constant inputs, with a
// warning, and constant targets, whose law is their value.
func withoutConstants(t Task) (rest Task, constants map[string]float64, warnings []string) {
	constants = map[string]float64{}
	rest = t
	rest.Inputs, rest.Targets = nil, nil
	for _, name := range t.Inputs {
		if v, ok := constantColumn(t, name); ok {
			warnings = append(warnings, fmt.Sprintf("input %q is %g in every row; it is left out", name, v))
		} else {
			rest.Inputs = append(rest.Inputs, name)
		}
	}
	for _, name := range t.Targets {
		if v, ok := constantColumn(t, name); ok {
			constants[name] = v
			warnings = append(warnings, fmt.Sprintf("target %q is %g in every row; that is its formula", name, v))
		} else {
			rest.Targets = append(rest.Targets, name)
		}
	}
	if len(rest.Inputs) == 0 {
		for _, name := range rest.Targets {
			col, _ := t.Data.Col(name)
			constants[name] = mean(col)
		}
		if len(rest.Targets) > 0 {
			warnings = append(warnings, "no input varies, so the mean is the best there is")
		}
		rest.Targets = nil
	}
	return rest, constants, warnings
}

func constantColumn(t Task, name string) (float64, bool) {
	col, ok := t.Data.Col(name)
	if !ok || len(col) == 0 {
		return 0, false
	}
	return col[0], !slices.ContainsFunc(col, func(x float64) bool { return x != col[0] })
}

func mean(col []float64) float64 {
	sum := 0.0
	for _, x := range col {
		sum += x / float64(len(col))
	}
	return sum
}

// withConstants adds the choices for constant targets to a result, and puts the choices in the
// order of the targets.
func withConstants(res *Result, targets []string, constants map[string]float64) *Result {
	for name, v := range constants {
		res.Chosen = append(res.Chosen,
			Choice{Target: name, TargetModel: TargetModel{Formula: formula.Const(v), Complexity: 1}})
	}
	slices.SortFunc(res.Chosen, func(a, b Choice) int {
		return slices.Index(targets, a.Target) - slices.Index(targets, b.Target)
	})
	return res
}

// linearModel returns the least squares line through all inputs as a model: a network of the
// read-out alone.
func linearModel(p *problem) *Model {
	a := model.Arch{Inputs: len(p.inputs), Outputs: len(p.targets)}
	n := model.New(a)
	n.Inputs, n.Outputs, n.InScale, n.OutScale = p.inputs, p.targets, p.inScale, p.outScale
	for o := range p.targets {
		copy(n.Weights[0].Row(o), distill.Linear(p.target(o)).Coefficients())
	}
	return &Model{Job: Job{Arch: a, Layers: 1}, Network: n, Baseline: true}
}

func rowsWarning(rows int) string {
	there := fmt.Sprintf("there are only %d rows", rows)
	if rows == 1 {
		there = "there is only one row"
	}
	return there + " to train on; the formula may be one of many that fit"
}
