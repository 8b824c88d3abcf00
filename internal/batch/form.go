package batch

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// FormOf returns a formula with c1, c2, … in the place of its constants, which tables with one law have in common.
// Signs and the order of terms do not matter, and what has no factor has one that is 1.
func FormOf(e formula.Expr) string {
	shape := scaled(formula.Fold(e, forms)).expr
	names := make([]string, len(formula.Constants(shape)))
	vars := formula.Vars(shape)
	next := 1
	for i := range names {
		for slices.Contains(vars, fmt.Sprintf("c%d", next)) {
			next++
		}
		names[i] = fmt.Sprintf("c%d", next)
		next++
	}
	return formula.Print(formula.Parametrize(shape, names), formula.Text, 0)
}

// shape is a part of a formula in whose form all constants are [slot].
type shape struct {
	expr  formula.Expr
	value float64 // of a number, NaN for others
	ready bool    // it is a constant, or has a factor that is one, or is a sum, whose terms have
}

// slot stands for any constant: a number that is no whole one, which would be a part of the form as an exponent.
var slot = formula.Const(2.5)

// forms turns a formula into its form.
var forms = formula.Algebra[shape]{
	Number:   func(v float64) shape { return shape{slot, v, true} },
	Variable: func(name string) shape { return shape{formula.Var(name), math.NaN(), false} },
	Sum: func(terms []shape) shape {
		constants := 0
		terms = slices.DeleteFunc(slices.Clone(terms), func(t shape) bool {
			if !math.IsNaN(t.value) {
				constants++
			}
			return !math.IsNaN(t.value) && constants > 1
		})
		for i := range terms {
			terms[i] = scaled(terms[i])
		}
		return shape{formula.Add(sorted(terms)...), math.NaN(), true}
	},
	Product: func(factors []shape) shape {
		rest := slices.DeleteFunc(slices.Clone(factors), func(f shape) bool { return !math.IsNaN(f.value) })
		product := formula.Mul(sorted(rest)...)
		if len(rest) < len(factors) {
			return shape{formula.Mul(slot, product), math.NaN(), true}
		}
		return shape{product, math.NaN(), false}
	},
	Power: func(base, exponent shape) shape {
		if !math.IsNaN(base.value) && !math.IsNaN(exponent.value) { // as in x/3
			return shape{slot, math.Pow(base.value, exponent.value), true}
		}
		if v := exponent.value; v == math.Trunc(v) { // false for NaN
			return shape{formula.Pow(base.expr, formula.Const(v)), math.NaN(), false}
		}
		return shape{formula.Pow(base.expr, exponent.expr), math.NaN(), false}
	},
	Call: func(f formula.Func, args []shape) shape {
		exprs := make([]formula.Expr, len(args))
		for i, x := range args {
			exprs[i] = scaled(x).expr
		}
		return shape{formula.Call(f, exprs...), math.NaN(), false}
	},
}

// scaled gives a part a constant factor, unless it has one.
func scaled(s shape) shape {
	if s.ready {
		return s
	}
	return shape{formula.Mul(slot, s.expr), math.NaN(), true}
}

// sorted returns the expressions of parts in the order of their text.
func sorted(parts []shape) []formula.Expr {
	exprs := make([]formula.Expr, len(parts))
	for i, p := range parts {
		exprs[i] = p.expr
	}
	slices.SortStableFunc(exprs, func(a, b formula.Expr) int { return cmp.Compare(a.String(), b.String()) })
	return exprs
}
