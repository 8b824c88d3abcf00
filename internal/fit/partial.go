package fit

// Partial is a form some of whose constants are fitted, from the values that they have; the form holds the others.
type Partial struct {
	Form   Named
	Values []float64
}

// Params returns how many constants are fitted.
func (p *Partial) Params() int { return len(p.Values) }

// Fit returns the form with its constants fitted to rows in so many steps, and the normal equations there. It is nil
// where the form cannot be computed on rows.
func (p *Partial) Fit(d Data, steps int, tol float64) (*Partial, Normal) {
	x, err := newParametric(p.Form.Expr, p.Form.names(), p.Form.Inputs, d)
	if err != nil {
		return nil, Normal{}
	}
	values, eq := Levenberg(x, p.Values, steps, tol)
	return &Partial{p.Form, values}, eq
}

// SSE returns the sum of the squared errors of rows, times their weights.
func (p *Partial) SSE(d Data) float64 { return p.Normal(d).SSE }

// Normal returns the normal equations of rows.
func (p *Partial) Normal(d Data) Normal {
	_, eq := p.Fit(d, 0, 0)
	return eq
}
