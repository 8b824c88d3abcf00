package fit

import (
	"fmt"

	"github.com/eqlearner/eql/formula"
)

// GroupWidths returns, of each group, half the 95 % interval of each constant of a formula that differs between groups,
// in the order of [formula.ByGroup]. It is 0 of a value that held reports, which was chosen and not fitted, and
// infinite of one that the data leaves open. Without such constants, or where the rows tell no intervals, it returns
// nil.
func GroupWidths(e formula.Expr, inputs, indicators []string, d Data, held func(v float64) bool) [][]float64 {
	const probability = 0.95
	g, ok := formula.ByGroup(e, indicators)
	if !ok {
		return nil
	}
	open, names, values := formula.Open(g.Form, "shared ")
	shared := len(names)
	put := map[string]formula.Expr{}
	for k, name := range g.Names {
		var terms []formula.Expr
		for i, indicator := range indicators {
			own := formula.Placeholder(fmt.Sprint("own ", k, " ", i))
			names, values = append(names, own), append(values, g.Values[i][k])
			terms = append(terms, formula.Mul(formula.Var(own), formula.Var(indicator)))
		}
		put[name] = formula.Add(terms...)
	}
	x, err := newParametric(formula.Substitute(open, put), names, inputs, d)
	if err != nil {
		return nil
	}
	for i, v := range values {
		x.fixed[i] = held(v)
	}
	c, err := x.confidence(values)
	if err != nil {
		return nil
	}
	constants, _ := c.Constants(probability)
	widths := make([][]float64, len(indicators))
	for at, constant := range constants[shared:] {
		i := at % len(indicators)
		widths[i] = append(widths[i], (constant.High-constant.Low)/2)
	}
	return widths
}
