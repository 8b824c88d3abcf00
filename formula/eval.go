package formula

import (
	"fmt"
	"math"
)

// Eval returns the value of e at a point. It is an error when the point lacks a variable
// of e. Outside a function's domain the value is NaN or an infinity, without an error. To
// evaluate at many points, [Compile] once.
func Eval(e Expr, at map[string]float64) (float64, error) {
	for _, name := range Vars(e) {
		if _, ok := at[name]; !ok {
			return 0, unknownVariable(name)
		}
	}
	return eval(e, at), nil
}

func unknownVariable(name string) error {
	return fmt.Errorf("variable %s has no value (give one, or substitute it)", quoteName(name))
}

func eval(e Expr, at map[string]float64) float64 {
	switch e := e.(type) {
	case number:
		return float64(e)
	case variable:
		return at[string(e)]
	case *sum:
		s := eval(e.terms[0], at)
		for _, t := range e.terms[1:] {
			s += eval(t, at)
		}
		return s
	case *product:
		num, den := fraction(e)
		return evalProduct(num, at) / evalProduct(den, at)
	case *power:
		if inDenominator(e) {
			return 1 / eval(inverse(e), at)
		}
		return pow(eval(e.base, at), eval(e.exp, at))
	case *call:
		f := e.f.info()
		if f.pick != 0 {
			return picked(f.pick, eval(e.args[0], at), eval(e.args[1], at))
		}
		return f.value(eval(e.args[0], at))
	}
	panic("formula: unknown kind of expression")
}

func evalProduct(fs []Expr, at map[string]float64) float64 {
	p := 1.0
	for _, f := range fs {
		p *= eval(f, at)
	}
	return p
}

// pow is math.Pow, faster for the exponents that matter.
func pow(x, y float64) float64 {
	switch y {
	case 2:
		return x * x
	case 3:
		return x * x * x
	}
	return math.Pow(x, y)
}
