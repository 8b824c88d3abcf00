package distill

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/model"
)

// Powers are exponentials with logarithms in them, exp(w·log z) = z^w: what follows tells them apart, writes them, and
// tries whole exponents.

// isLog reports whether a source is a logarithm.
func (l *Law) isLog(from int) bool {
	return from >= l.inputs && l.units[from-l.inputs].kind == model.Log
}

// power writes exp(z) with the logarithms in z as powers, exp(w·log(x) + rest) = x^w·exp(rest), of sums whose first
// term has the coefficient 1, so that the others can be special values, and with squares completed, exp(a·x² + b·x) =
// exp(a·(x + b/2a)²)·exp(−b²/4a). values has the expressions of the units before it, write those of arguments.
func (l *Law) power(
	z affine, values []formula.Expr, write func(affine) formula.Expr, simplify func(formula.Expr) formula.Expr,
) formula.Expr {
	rest := affine{bias: z.bias}
	var factors []formula.Expr
	for _, t := range z.terms {
		if i := t.from - l.inputs; l.isLog(t.from) {
			c, base := formula.SplitCoefficient(write(l.units[i].args[0]))
			factors = append(factors, formula.Const(math.Pow(c, t.w)), formula.Pow(simplify(base), formula.Const(t.w)))
		} else {
			rest.terms = append(rest.terms, t)
		}
	}
	var squares []formula.Expr
	for _, t := range slices.Clone(rest.terms) {
		x, ok := l.square(t.from)
		if !ok {
			continue
		}
		k := slices.IndexFunc(rest.terms, func(u term) bool { return u.from == x })
		if k < 0 {
			continue
		}
		b := rest.terms[k].w
		middle := formula.Add(values[x], formula.Const(b/(2*t.w)))
		squares = append(squares, formula.Mul(formula.Const(t.w), middle, middle))
		rest.bias -= b * b / (4 * t.w)
		rest.terms = slices.DeleteFunc(rest.terms, func(u term) bool { return u.from == x || u.from == t.from })
	}
	if len(squares) > 0 {
		factors = append(factors, formula.Call(formula.Exp,
			formula.Add(append(squares, write(affine{terms: rest.terms}))...)), formula.Const(math.Exp(rest.bias)))
	} else if len(rest.terms) > 0 || rest.bias != 0 {
		factors = append(factors, formula.Call(formula.Exp, write(rest)))
	}
	return formula.Mul(factors...)
}

// square returns the input that a source is the square of.
func (l *Law) square(from int) (input int, ok bool) {
	i := from - l.inputs
	if i < 0 || l.units[i].kind != model.Product {
		return 0, false
	}
	a, b := l.units[i].args[0], l.units[i].args[1]
	if len(a.terms) != 1 || !a.equal(b) || a.bias != 0 || a.terms[0].w != 1 || a.terms[0].from >= l.inputs {
		return 0, false
	}
	return a.terms[0].from, true
}

// wholePowers returns, for each exponential with a term w·log(z) in which w is nearly a whole number n, the form in
// which it is zⁿ times the exponential of the rest.
func (f *form) wholePowers() []*form {
	const within, highest = 0.1, 4
	var list []*form
	for i, g := range f.functions {
		if g.kind != model.Exp {
			continue
		}
		for _, t := range g.arg {
			n := int(math.Round(t.w))
			if n == 0 || max(n, -n) > highest || math.Abs(t.w-float64(n)) > within || len(t.factors) != 1 ||
				!f.isLog(t.factors[0]) {
				continue
			}
			h := f.clone()
			z := f.functions[t.factors[0]-f.inputs].arg
			if n < 0 {
				z = h.call(model.Reciprocal, z)
			}
			value, ok := h.call(model.Exp, g.arg.plus(sum{t}, -1)), true
			for range max(n, -n) {
				if ok {
					value, ok = value.times(z)
				}
			}
			if ok {
				if other, ok := h.substituted(i, value); ok {
					list = append(list, other)
				}
			}
		}
	}
	return list
}

// isLog reports whether a factor is a logarithm.
func (f *form) isLog(factor int) bool {
	return factor >= f.inputs && f.functions[factor-f.inputs].kind == model.Log
}
