package sweep

import (
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// Formulas and rows have one of three systems of coordinates. All conversions between them are in this file.
//
//	              formulas                                rows
//	scaled        [distill.Law]                           [problem.target], problem.scaled
//	from origins  [TargetModel].Formula while Run works   [problem.rowsFromOrigins], problem.rows
//	of the table  all that [Run] returns                  [problem.inTable], problem.train
//
// Those from origins have the units of the table, but inputs are counted from their origins: (year - 2000). Laws become
// formulas by [problem.written], and formulas laws by [problem.inScaledUnits] and [distill.Compose]. [Result.forTable],
// at the end of [Run], turns everything into formulas of the table.

// scaleOf returns the scale of column j of the tables.
func (p *problem) scaleOf(j int) model.Scale {
	switch {
	case p.inScale == nil:
		return model.Scale{}
	case j < len(p.inputs):
		return p.inScale[j]
	}
	return p.outScale[j-len(p.inputs)]
}

func scaledColumn(col []float64, s model.Scale) []float64 {
	if s.Identity() {
		return col
	}
	scaled := make([]float64, len(col))
	for i, x := range col {
		scaled[i] = s.Apply(x)
	}
	return scaled
}

// scalesFromOrigins returns the scales of the inputs for columns that are counted from their origins.
func (p *problem) scalesFromOrigins() []model.Scale {
	scales := slices.Clone(p.inScale)
	for j := range scales {
		scales[j].Shift -= p.origins[j]
	}
	return scales
}

// zeros returns the values of the scaled inputs at which those from origins are 0.
func (p *problem) zeros() []float64 {
	scales := p.scalesFromOrigins()
	zeros := make([]float64, len(scales))
	for j, s := range scales {
		if !s.Identity() {
			zeros[j] = s.Apply(0)
		}
	}
	return zeros
}

// unscaled returns scaled columns as they were before scales, which are nil without scaling, and these as expressions
// of the scaled ones.
func unscaled(columns [][]float64, scales []model.Scale) (x [][]float64, values []formula.Expr) {
	x, values = make([][]float64, len(columns)), make([]formula.Expr, len(columns))
	for j, name := range inputNames(len(columns)) {
		x[j], values[j] = columns[j], formula.Var(name)
		if scales == nil || scales[j].Identity() {
			continue
		}
		x[j] = make([]float64, len(columns[j]))
		for i, v := range columns[j] {
			x[j][i] = scales[j].Invert(v)
		}
		values[j] = formula.Add(formula.Mul(formula.Const(scales[j].Factor), values[j]), formula.Const(scales[j].Shift))
	}
	return x, values
}

// columnsFromOrigins returns columns of inputs counted from their origins.
func (p *problem) columnsFromOrigins(cols [][]float64) [][]float64 {
	since := slices.Clone(cols)
	for j, origin := range p.origins {
		if origin != 0 {
			since[j] = scaledColumn(cols[j], model.Scale{Shift: origin, Factor: 1})
		}
	}
	return since
}

// inTable returns the training rows of a target as they are in the table.
func (p *problem) inTable(o int) fit.Data {
	n := len(p.inputs)
	d := fit.Data{X: p.train.Cols[:n], Y: p.train.Cols[n+o], Done: p.done}
	d.W, d.Sigma = p.rootWeights(o, 1)
	return p.used(o, d).AtMost(maxEvidenceRows)
}

// rowsFromOrigins returns the training rows of a target in the units of the table, inputs counted from their origins.
func (p *problem) rowsFromOrigins(o int) fit.Data {
	d := p.inTable(o)
	d.X = p.columnsFromOrigins(d.X)
	return d
}

// written returns a law of a target as a formula of inputs counted from their origins.
func (p *problem) written(law *distill.Law, o int, simplify func(formula.Expr) formula.Expr) formula.Expr {
	return law.Expr(p.inputs, p.scalesFromOrigins(), p.scaleOf(len(p.inputs)+o), simplify)
}

// inScaledUnits returns a formula of inputs counted from their origins as one of the scaled inputs, for the scaled
// target.
func (p *problem) inScaledUnits(e formula.Expr, o int) formula.Expr {
	put := map[string]formula.Expr{}
	for j, s := range p.scalesFromOrigins() {
		if !s.Identity() {
			put[p.inputs[j]] = formula.Add(formula.Mul(formula.Const(s.Factor), formula.Var(p.inputs[j])),
				formula.Const(s.Shift))
		}
	}
	e = formula.Substitute(e, put)
	if out := p.scaleOf(len(p.inputs) + o); !out.Identity() {
		e = formula.Mul(formula.Const(1/out.Factor), formula.Sub(e, formula.Const(out.Shift)))
	}
	return e
}

// forTable returns a formula of inputs that are counted from their origins as one of those of the table.
func (p *problem) forTable(e formula.Expr) formula.Expr {
	values := map[string]formula.Expr{}
	for j, origin := range p.origins {
		if origin != 0 {
			values[p.inputs[j]] = formula.Sub(formula.Var(p.inputs[j]), formula.Const(origin))
		}
	}
	return formula.Substitute(e, values)
}

// forTable writes the formulas of a result for the inputs of the table.
func (r *Result) forTable(p *problem) {
	if !slices.ContainsFunc(p.origins, func(origin float64) bool { return origin != 0 }) {
		return
	}
	write := func(e *formula.Expr, complexity *int) {
		if *e != nil {
			*e = p.forTable(*e)
			*complexity = p.complexity(*e)
		}
	}
	judged := func(e *Evidence) {
		if e != nil {
			e.Fitted = p.forTable(e.Fitted)
			write(&e.Greedy.Formula, &e.Greedy.Complexity)
		}
	}
	for _, m := range r.Models {
		for o := range m.Targets {
			t := &m.Targets[o]
			write(&t.Formula, &t.Complexity)
			if j := t.Judged; j != nil {
				write(&j.Formula, &j.Complexity)
				judged(j.Evidence)
			}
		}
	}
	for i := range r.Chosen {
		write(&r.Chosen[i].Formula, &r.Chosen[i].Complexity)
		judged(r.Chosen[i].Evidence)
	}
}
