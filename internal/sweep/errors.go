package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// rowErrors is what the errors of a target's rows are taken to be. Lists are of [problem.rows].
type rowErrors struct {
	kind   evidence.ErrorKind
	column string
	floor  float64   // of relative errors
	sigma  []float64 // standard deviations on a common scale, in the user's units; nil: all are the same
	known  bool      // the scale of sigma is known
	out    []bool    // outliers; nil: none
}

// readErrors takes the errors from the columns that tell them.
func (p *problem) readErrors(t Task) error {
	if p.origin == nil {
		for i := range p.rows.Rows() {
			if n := p.train.Rows(); i >= n {
				i = n - i - 1
			}
			p.origin = append(p.origin, i)
		}
	}
	p.errors, p.data = make([]rowErrors, len(p.targets)), make([]fit.Data, len(p.targets))
	for o, target := range p.targets {
		var e rowErrors
		if c, ok := t.Errors[target]; ok {
			sigma, err := p.sigmas(t, c)
			if err != nil {
				return err
			}
			e = rowErrors{kind: evidence.ErrorsGiven, column: c.Column, sigma: sigma, known: true}
			if c.Weights {
				e.kind, e.known = evidence.ErrorsWeighted, false
			}
		}
		p.setErrors(o, e)
	}
	return nil
}

// sigmas returns the standard deviations that a column tells, of all rows.
func (p *problem) sigmas(t Task, c ErrorColumn) ([]float64, error) {
	var sigma []float64
	for _, i := range p.origin {
		from := t.Data
		if i < 0 {
			from, i = t.Validation, -i-1
		}
		col, ok := from.Col(c.Column)
		if !ok {
			_, err := from.Select(c.Column)
			return nil, err
		}
		s := col[i]
		if c.Weights {
			s = 1 / math.Sqrt(s)
		}
		sigma = append(sigma, s)
	}
	return sigma, nil
}

// withErrorColumns returns the rows of train with the columns that tell errors behind them.
func (p *problem) withErrorColumns(t Task) *datasets.Table {
	train := &datasets.Table{Names: slices.Clone(p.train.Names), Cols: slices.Clone(p.train.Cols)}
	for _, target := range p.targets {
		c, told := t.Errors[target]
		col, _ := t.Data.Col(c.Column)
		if !told || slices.Contains(train.Names, c.Column) {
			continue
		}
		rows := (&datasets.Table{Names: []string{c.Column}, Cols: [][]float64{col}}).Take(p.origin[:p.train.Rows()])
		train.Names, train.Cols = append(train.Names, c.Column), append(train.Cols, rows.Cols[0])
	}
	return train
}

// setErrors takes the errors of a target for what fits and judges its laws.
func (p *problem) setErrors(o int, e rowErrors) {
	p.errors[o] = e
	d := fit.Data{X: p.scaled.X, Y: p.scaled.Y[o]}
	d.W, d.Sigma = p.rootWeights(o, p.factorOf(o))
	p.data[o] = p.used(o, d)
}

// rootWeights returns those of the rows of train that are no outliers, with geometric mean 1, and the standard
// deviation of a row of weight 1 in units of some size, 0 where it is not known.
func (p *problem) rootWeights(o int, unit float64) (w []float64, sigma float64) {
	e := p.errors[o]
	if e.sigma == nil {
		return nil, 0
	}
	w = make([]float64, p.train.Rows())
	for i, s := range e.sigma[:len(w)] {
		w[i] = p.common(o) / s
	}
	if e.known {
		sigma = p.common(o) / unit
	}
	return w, sigma
}

// common returns the geometric mean of the standard deviations of the rows of train that are no outliers.
func (p *problem) common(o int) float64 {
	e := p.errors[o]
	var some []float64
	for _, i := range p.kept(o, p.train.Rows()) {
		some = append(some, e.sigma[i])
	}
	_, common := fit.RootWeights(some)
	return common
}

// kept returns the first rows that are no outliers of a target.
func (p *problem) kept(o, rows int) []int {
	list := make([]int, 0, rows)
	for i := range rows {
		if out := p.errors[o].out; out == nil || !out[i] {
			list = append(list, i)
		}
	}
	return list
}

// explained returns which of some rows are outliers of no target, counted from the first of them.
func (p *problem) explained(first, rows int) []int {
	list := make([]int, 0, rows)
	for i := range rows {
		if !slices.ContainsFunc(p.errors, func(e rowErrors) bool { return e.out != nil && e.out[first+i] }) {
			list = append(list, i)
		}
	}
	return list
}

// used returns data of the rows of train without outliers.
func (p *problem) used(o int, d fit.Data) fit.Data {
	if p.errors[o].out == nil {
		return d
	}
	return d.Take(p.kept(o, d.Rows()))
}

// foldsOf returns the folds of the rows of [problem.target].
func (p *problem) foldsOf(o int) [][]int {
	if p.errors[o].out == nil {
		return p.folds
	}
	return foldsAmong(p.folds, p.kept(o, p.train.Rows()))
}

// judged is the rows of a target, trained on and validating, that its laws are judged by.
type judged struct {
	rows *datasets.Table // inputs counted from their origins, and targets
	w    []float64       // root weights, or nil
	from []int           // of [problem.rows]
}

func (p *problem) judged(o int) judged {
	j := judged{rows: p.rows, from: p.kept(o, p.rows.Rows())}
	e := p.errors[o]
	if e.out != nil {
		j.rows = p.rows.Take(j.from)
	}
	if e.sigma != nil {
		common := p.common(o)
		for _, i := range j.from {
			j.w = append(j.w, common/e.sigma[i])
		}
	}
	return j
}

// heldOut returns the validation rows of a target, without outliers, in the units of the scales of their columns.
func (p *problem) heldOut(o int, scaleOf func(column int) model.Scale) fit.Data {
	n, trained := len(p.inputs), p.train.Rows()
	d := fit.Data{Y: scaledColumn(p.validation.Cols[n+o], scaleOf(n+o))}
	for j, col := range p.validation.Cols[:n] {
		d.X = append(d.X, scaledColumn(col, scaleOf(j)))
	}
	e := p.errors[o]
	if e.sigma != nil {
		common := p.common(o)
		for _, s := range e.sigma[trained:] {
			d.W = append(d.W, common/s)
		}
	}
	if e.out == nil {
		return d
	}
	var rows []int
	for i := range d.Y {
		if !e.out[trained+i] {
			rows = append(rows, i)
		}
	}
	return d.Take(rows)
}

// mostSize is the largest size of an outlier that is told, in standard deviations.
const mostSize = 1e9

// errorsOf says what the errors of a target are taken to be, for a formula of inputs counted from their origins.
func (p *problem) errorsOf(f formula.Expr, constants, o int) evidence.Errors {
	e := p.errors[o]
	r := evidence.Errors{Kind: cmp.Or(e.kind, evidence.ErrorsEqual), Column: e.column, Floor: e.floor,
		Rows: p.rows.Rows(), Used: p.rows.Rows()}
	y, predicted := p.observed(f, o)
	squares, used := 0.0, p.kept(o, len(y))
	scale := func(i int) float64 {
		if e.sigma == nil {
			return 1
		}
		return e.sigma[i]
	}
	for _, i := range used {
		z := (y[i] - predicted[i]) / scale(i)
		squares += z * z
	}
	r.Used = len(used)
	r.Size = math.Sqrt(squares / float64(max(1, r.Used-constants)))
	r.Known = e.known && fit.Allows(squares, r.Used-constants)
	for i, out := range e.out {
		if !out {
			continue
		}
		from := evidence.Outlier{Row: p.origin[i], Value: y[i], Predicted: predicted[i]}
		if off := math.Abs(y[i] - predicted[i]); off > 0 {
			from.Size = math.Min(mostSize, off/(r.Size*scale(i)))
		}
		if from.Row < 0 {
			from.Row, from.Validation = -from.Row-1, true
		}
		r.Outliers = append(r.Outliers, from)
	}
	slices.SortStableFunc(r.Outliers, func(a, b evidence.Outlier) int { return cmp.Compare(b.Size, a.Size) })
	return r
}
