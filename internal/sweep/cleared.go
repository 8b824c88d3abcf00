package sweep

import (
	"maps"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// cleared writes the sums of a formula without denominators that are powers of inputs: 1 + (y/x)² as (x² + y²)/x².
func cleared(e formula.Expr) formula.Expr {
	return formula.Fold(e, formula.Algebra[monomial]{
		Number:   func(v float64) monomial { return monomial{rest: formula.Const(v), number: v, isNumber: true} },
		Variable: func(name string) monomial { return monomial{map[string]float64{name: 1}, formula.Const(1), 1, false} },
		Sum:      sumOf,
		Product:  productOf,
		Power:    powerOf,
		Call:     callOf,
	}).expr()
}

func callOf(f formula.Func, args []monomial) monomial {
	list := make([]formula.Expr, len(args))
	for i, a := range args {
		list[i] = a.expr()
	}
	return monomial{rest: formula.Call(f, list...)}
}

// monomial is a product of powers of inputs and of what is none.
type monomial struct {
	powers   map[string]float64
	rest     formula.Expr
	number   float64 // where that is all
	isNumber bool
}

// times returns the product with powers of inputs.
func (m monomial) times(powers map[string]float64, p float64) monomial {
	sum := maps.Clone(m.powers)
	if sum == nil {
		sum = map[string]float64{}
	}
	for name, q := range powers {
		sum[name] += p * q
	}
	return monomial{powers: sum, rest: m.rest}
}

func (m monomial) expr() formula.Expr {
	var factors []formula.Expr
	for _, name := range slices.Sorted(maps.Keys(m.powers)) {
		if p := m.powers[name]; p != 0 {
			factors = append(factors, formula.Pow(formula.Var(name), formula.Const(p)))
		}
	}
	return formula.Mul(append([]formula.Expr{m.rest}, factors...)...)
}

func sumOf(terms []monomial) monomial {
	lowest := map[string]float64{}
	for _, t := range terms {
		for name, p := range t.powers {
			lowest[name] = math.Min(lowest[name], p)
		}
	}
	sum := make([]formula.Expr, len(terms))
	for i, t := range terms {
		sum[i] = t.times(lowest, -1).expr()
	}
	return monomial{powers: lowest, rest: formula.Add(sum...)}
}

func productOf(factors []monomial) monomial {
	product := monomial{rest: formula.Const(1)}
	for _, f := range factors {
		product = product.times(f.powers, 1)
		product.rest = formula.Mul(product.rest, f.rest)
	}
	return product
}

// powerOf takes inputs out of whole powers; those of others may be negative.
func powerOf(base, exponent monomial) monomial {
	if p := exponent.number; exponent.isNumber && p == math.Trunc(p) {
		return monomial{rest: formula.Pow(base.rest, formula.Const(p))}.times(base.powers, p)
	}
	return monomial{rest: formula.Pow(base.expr(), exponent.expr())}
}
