package model

import "github.com/eqlearner/eql/formula"

// Formulas reads the network off as one expression an output, simplified, over the column names
// and in the user's units.
func (n *Network) Formulas() []formula.Expr {
	y := make([]formula.Expr, n.Arch.Inputs)
	for j, name := range n.Inputs {
		y[j] = formula.Var(name)
		if s := n.inScale(j); !s.Identity() {
			y[j] = formula.Div(formula.Sub(y[j], formula.Const(s.Shift)), formula.Const(s.Factor))
		}
	}
	for l, m := range n.Weights {
		z := make([]formula.Expr, m.Rows)
		for r := range z {
			z[r] = affine(m.Row(r), y)
		}
		if l == len(n.Arch.Hidden) {
			y = z
			break
		}
		layer := n.Arch.Hidden[l]
		y = make([]formula.Expr, layer.Width())
		for k := range y {
			u, r := layer.Unit(k)
			if n.outgoing(l, k) != 0 {
				y[k] = formula.Simplify(u.Expr(z[r : r+u.Arity()]...))
			}
		}
	}
	for o, e := range y {
		if s := n.outScale(o); !s.Identity() {
			e = formula.Add(formula.Mul(formula.Const(s.Factor), e), formula.Const(s.Shift))
		}
		y[o] = formula.Simplify(e)
	}
	return y
}

// affine returns the expression of one row of weights over the inputs y; inputs with weight
// zero are not looked at.
func affine(row []float64, y []formula.Expr) formula.Expr {
	var terms []formula.Expr
	for k, e := range y {
		if row[k] != 0 {
			terms = append(terms, formula.Mul(formula.Const(row[k]), e))
		}
	}
	if b := row[len(y)]; b != 0 || len(terms) == 0 {
		terms = append(terms, formula.Const(b))
	}
	return formula.Add(terms...)
}
