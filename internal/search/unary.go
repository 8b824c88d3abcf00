package search

import (
	"math"

	"github.com/eqlearner/eql/formula"
)

// function is a function of one argument.
type function struct {
	value func(x float64) float64
	slope func(x, y float64) float64 // where value(x) = y
	needs string                     // the name in Options.Units
	write func(x formula.Expr) formula.Expr
	arc   bool // package formula has no such function, so it is not searched
}

// unary is the table of the functions. Arcs have a row because the search knows what to do with
// them; their write stays empty until package formula can say them.
var unary = [...]function{
	opExp: {value: math.Exp, slope: func(_, y float64) float64 { return y }, needs: "exp", write: call(formula.Exp)},
	opLog: {value: math.Log, slope: func(x, _ float64) float64 { return 1 / x }, needs: "log", write: call(formula.Log)},
	opSin: {value: math.Sin, slope: func(x, _ float64) float64 { return math.Cos(x) }, needs: "sin",
		write: call(formula.Sin)},
	opCos: {value: math.Cos, slope: func(x, _ float64) float64 { return -math.Sin(x) }, needs: "cos",
		write: call(formula.Cos)},
	opTanh: {value: math.Tanh, slope: func(_, y float64) float64 { return 1 - y*y }, needs: "tanh",
		write: call(formula.Tanh)},
	opCosh: {value: math.Cosh, slope: func(x, _ float64) float64 { return math.Sinh(x) }, needs: "exp", write: writeCosh},
	opAsin: {value: clampedAsin, slope: slopeAsin, needs: "asin", arc: true},
	opAtan: {value: math.Atan, slope: func(x, _ float64) float64 { return 1 / (1 + x*x) }, needs: "atan", arc: true},
}

// steepest is where 1 − x² stops in the slope of the inverse sine, which has none at ±1.
const steepest = 1e-4

// clampedAsin goes on as ±π/2 beyond ±1, where noise takes the sine of a target.
func clampedAsin(x float64) float64 { return math.Asin(min(max(x, -1), 1)) }

func slopeAsin(x, _ float64) float64 { return 1 / math.Sqrt(max(1-x*x, steepest)) }

func call(f formula.Func) func(formula.Expr) formula.Expr {
	return func(x formula.Expr) formula.Expr { return formula.Call(f, x) }
}

// writeCosh is (exp x + exp −x)/2.
func writeCosh(x formula.Expr) formula.Expr {
	s := formula.Add(formula.Call(formula.Exp, x), formula.Call(formula.Exp, formula.Neg(x)))
	return formula.Mul(formula.Const(0.5), s)
}

// formula returns e over the names of the inputs. It is nil when a function has no written form.
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
		case opPow:
			out[i] = writePower(out[n.a], n.c)
		default:
			f := unary[n.op]
			if f.write == nil {
				return nil
			}
			out[i] = f.write(out[n.a])
		}
	}
	return out[len(e)-1]
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
