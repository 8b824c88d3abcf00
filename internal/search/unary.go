package search

import (
	"github.com/eqlearner/eql/formula"
)

// function is a function of one argument with its slope where value(x) = y.
type function struct {
	value func(x float64) float64
	slope func(x, y float64) float64
}

// functionOf returns a function as the search computes it. Inverse sines and cosines go on beyond ±1, where noise takes
// the sine of a target.
func functionOf(f formula.Func) function {
	value, slope := f.Unary()
	if f == formula.Asin || f == formula.Acos {
		return function{
			func(x float64) float64 { return value(min(max(x, -1), 1)) },
			func(x, y float64) float64 { return slope(min(max(x, -flattest), flattest), y) },
		}
	}
	return function{value, slope}
}

// flattest is where the slope of the inverse sine stops growing; it has none at ±1.
const flattest = 0.99995

// formula returns e over the names of the inputs.
func (e expr) formula(names []string) formula.Expr {
	out := make([]formula.Expr, len(e))
	for i, n := range e {
		switch n.op {
		case opVar:
			out[i] = formula.Var(names[n.a])
		case opPar:
			out[i] = formula.Const(n.c)
		case opAdd:
			out[i] = formula.Add(out[n.a], out[n.b])
		case opMul:
			out[i] = formula.Mul(out[n.a], out[n.b])
		case opMax:
			out[i] = formula.Call(formula.Max, out[n.a], out[n.b])
		case opPow:
			out[i] = writePower(out[n.a], n.c)
		case opCall:
			out[i] = formula.Call(n.f, out[n.a])
			if n.f == formula.Abs {
				out[i] = e.magnitude(n.a, out)
			}
		}
	}
	return out[len(e)-1]
}

// magnitude writes |a| of node a as that of each of its factors: 1/|x| has no pole that changes sign.
func (e expr) magnitude(a int, out []formula.Expr) formula.Expr {
	product := formula.Const(1)
	for _, i := range chain(e, a, opMul) {
		f := formula.Call(formula.Abs, out[i])
		if n := e[i]; n.op == opPow {
			f = writePower(formula.Call(formula.Abs, out[n.a]), n.c)
		}
		product = formula.Mul(product, f)
	}
	return product
}

func writePower(x formula.Expr, p float64) formula.Expr {
	switch p {
	case 0.5:
		return formula.Call(formula.Sqrt, x)
	case -0.5:
		return formula.Pow(formula.Call(formula.Sqrt, x), formula.Const(-1))
	}
	return formula.Pow(x, formula.Const(p))
}
