package sweep

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
)

// findOthers finds all unknown functions of a form but the one with the most inputs, in place of which are their values
// on the rows trained on. That one is left for networks. Each is found, without networks, from what the others leave:
// at first from the values, then from formulas for all.
func (k *knownPart) findOthers(ctx context.Context, values [][]float64, s Settings, opt Options) error {
	unknown := k.solved.Unknown
	main := 0
	for i, u := range unknown {
		if len(u.Inputs) > len(unknown[main].Inputs) {
			main = i
		}
	}
	found := make([]formula.Expr, len(unknown))
	find := func(i int) (err error) {
		if found[i], err = k.grown(ctx, i, values, s, opt); err == nil {
			d := k.rowsOf(k.whole.train)
			values[i], err = evaluate(found[i], k.whole.inputs, d.X, d.Rows())
		}
		return err
	}
	order := []int{}
	for i := range unknown {
		if i != main {
			order = append(order, i)
		}
	}
	for _, i := range slices.Concat(order, []int{main}, order) {
		if err := find(i); err != nil {
			return err
		}
	}
	return k.takeOthers(main, found)
}

// grown returns the formula that is chosen for an unknown function of those that are found without networks, as a
// formula for any target is, with special values put in.
func (k *knownPart) grown(
	ctx context.Context, i int, values [][]float64, s Settings, opt Options,
) (formula.Expr, error) {
	u := k.solved.Unknown[i]
	rows, err := k.solved.On(k.rowsOf(k.whole.train), k.starts())
	if err != nil {
		return nil, err
	}
	target, usable := rows.Of(i, values)
	column := formula.Placeholder("errors")
	data := k.columnsOf(k.whole.train, u, target, column, weightsOf(rows.Sigma(i, k.whole.errors[0].sigma))).Take(usable)
	s.Split = 0
	p, err := newProblem(Task{
		Inputs: u.Inputs, Targets: k.whole.targets, Data: data,
		Errors: map[string]ErrorColumn{k.whole.targets[0]: {Column: column, Weights: true}},
	}, s)
	if err != nil {
		return nil, err
	}
	r := newRunner(p, s, Options{Workers: opt.Workers})
	for _, round := range rounds(s, len(u.Inputs), 1) {
		r.expect(round)
	}
	m, tasks := r.greedyModel(ctx)
	tasks[0]()
	models := []*Model{r.baseline(), m}
	for _, law := range r.generalSearch(ctx, p.target(0), 0) {
		found := &Model{Job: Job{Layers: 1}, Targets: make([]TargetModel, 1)}
		p.setLaw(&found.Targets[0], law, 0)
		models = append(models, found)
	}
	r.weighSpecial(models)
	best := byCriterion(p, models, 0).Targets[0]
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case best.Formula == nil:
		return nil, fmt.Errorf("no formula with a value on every row was found for %s", u)
	}
	return p.forTable(r.test(best, 0).snapped), nil
}

// takeOthers puts the formulas of all unknown functions but one into the form. Their constants are fitted again with
// those of the form, but for special values.
func (k *knownPart) takeOthers(main int, found []formula.Expr) error {
	open, closed := map[string]formula.Expr{}, map[string]formula.Expr{}
	for i, u := range k.solved.Unknown {
		if i == main {
			continue
		}
		e, constants := openConstants(found[i], u.Name)
		k.named = append(k.named, constants...)
		open[u.Var()], closed[u.Var()] = e, found[i]
	}
	single := k.solved.Known
	single.Expr = formula.Substitute(single.Expr, closed)
	single.Unknown = single.Unknown[main : main+1]
	k.form = formula.Substitute(k.form, open)
	var err error
	k.solved, err = fit.Solve(single)
	return err
}

// openConstants returns a formula as a form, with the constants of that, whose names begin alike. Special values are
// held.
func openConstants(e formula.Expr, prefix string) (form formula.Expr, constants []formula.Parameter) {
	roles := formula.Roles(e)
	form, names, values := formula.Open(e, prefix)
	for i, v := range values {
		c := formula.Parameter{Name: names[i], Start: v, Low: math.Inf(-1), High: math.Inf(1)}
		if fit.Special(v, roles[i]) {
			c.Fix(v)
		}
		constants = append(constants, c)
	}
	return form, constants
}
