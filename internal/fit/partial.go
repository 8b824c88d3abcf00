package fit

import "github.com/eqlearner/eql/formula"

// Partial is a formula of which some constants are fitted and the others held at what they are.
type Partial struct {
	open   formula.Expr // over the inputs and the names of the constants that are fitted
	names  []string
	inputs []string
	values []float64
}

// NewPartial returns a formula over inputs, which are the columns of the rows that it is fitted to, and over constants
// with names and values.
func NewPartial(open formula.Expr, names []string, values []float64, inputs []string) *Partial {
	return &Partial{open: open, names: names, inputs: inputs, values: values}
}

// Params returns how many constants are fitted.
func (p *Partial) Params() int { return len(p.values) }

// Fit returns the formula with its constants fitted to rows in so many steps, and the normal equations there. It is nil
// where the formula cannot be computed on rows.
func (p *Partial) Fit(d Data, steps int, tol float64) (*Partial, Normal) {
	x, err := newParametric(p.open, p.names, p.inputs, d)
	if err != nil {
		return nil, Normal{}
	}
	q := *p
	var eq Normal
	q.values, eq = Levenberg(x, p.values, steps, tol)
	return &q, eq
}

// SSE returns the sum of the squared errors of rows, times their weights.
func (p *Partial) SSE(d Data) float64 { return p.Normal(d).SSE }

// Normal returns the normal equations of rows.
func (p *Partial) Normal(d Data) Normal {
	_, eq := p.Fit(d, 0, 0)
	return eq
}
