package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/gradcheck"
)

// sample is an expression with all operations, whose arguments stay inside the domains for inputs
// between ½ and 2.
func sample() expr {
	var e expr
	x, y := e.variable(0), e.variable(1)
	z := e.mul(e.par(0.3), e.mul(x, e.pow(y, 1.7, false)))
	sum := e.call(formula.Exp, z)
	for _, f := range []formula.Func{formula.Log, formula.Sin, formula.Cos, formula.Tanh, formula.Cosh, formula.Atan,
		formula.Sinh, formula.Abs} {
		sum = e.add(sum, e.call(f, e.mul(e.par(0.4), e.add(z, x))))
	}
	for _, f := range []formula.Func{formula.Asin, formula.Acos, formula.Tan} {
		sum = e.add(sum, e.call(f, e.mul(e.par(0.2), x)))
	}
	for _, p := range []float64{2, -1, -2, 0.5, -0.5, 3} {
		sum = e.add(sum, e.pow(e.add(e.par(0.7), z), p, true))
	}
	sum = e.add(sum, e.max(z, e.mul(e.par(0.9), x)))
	return e.compact(sum)
}

func points(n int, seed uint64) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := [][]float64{make([]float64, n), make([]float64, n)}
	for r := range n {
		x[0][r], x[1][r] = 0.5+1.5*rng.Float64(), 0.5+1.5*rng.Float64()
	}
	return x
}

func TestDerivatives(t *testing.T) {
	e := sample()
	var at []int
	var c []float64
	for i, n := range e {
		if !n.fixed {
			at, c = append(at, i), append(c, n.c)
		}
	}
	x := points(5, 1)
	for r := range 5 {
		row := [][]float64{{x[0][r]}, {x[1][r]}}
		ev := &evaluator{}
		value := func(c []float64) float64 {
			f := e.clone()
			for k, i := range at {
				f[i].c = c[k]
			}
			ev.forward(f, row, 1)
			return ev.value(f)[0]
		}
		value(c)
		ev.backward(e)
		grad, d := make([]float64, len(at)), make([]float64, 1)
		for k, i := range at {
			ev.derivative(e, i, d)
			grad[k] = d[0]
		}
		gradcheck.Check(t, value, grad, c, 1e-7)
	}
}

func TestFoldKeepsTheValue(t *testing.T) {
	var e expr
	x := e.variable(0)
	y := e.mul(e.mul(x, e.par(3)), e.mul(e.fixed(2), e.variable(1)))
	y = e.mul(y, e.pow(e.mul(e.par(2), e.pow(x, 2, true)), 1.5, true))
	y = e.add(e.fixed(0), e.mul(e.fixed(1), e.call(formula.Exp, e.add(e.par(0.5), y))))
	y = e.add(y, e.pow(e.add(e.par(1), e.par(2)), 2, true))
	for _, e := range []expr{e.compact(y), sample()} {
		f := e.fold()
		if len(f) > len(e) || len(f) >= len(e) && f.parameters() >= e.parameters() && len(e) < 25 {
			t.Errorf("fold made %d nodes of %d", len(f), len(e))
		}
		rows := points(20, 2)
		a, b := &evaluator{}, &evaluator{}
		if !a.forward(e, rows, 20) || !b.forward(f, rows, 20) {
			t.Fatal("no value")
		}
		for r, want := range a.value(e) {
			if got := b.value(f)[r]; math.Abs(got-want) > 1e-12*math.Abs(want) {
				t.Errorf("fold has value %v, want %v", got, want)
			}
		}
	}
}

func TestFormulaHasTheValue(t *testing.T) {
	var e expr
	x, y := e.variable(0), e.variable(1)
	s := e.add(e.pow(x, 0.5, true), e.pow(y, -0.5, true))
	s = e.add(s, e.mul(e.par(-2), e.call(formula.Cosh, e.pow(x, 2.5, true))))
	e = e.compact(e.mul(s, e.pow(y, -2, true)))
	rows := points(10, 3)
	ev := &evaluator{}
	ev.forward(e, rows, 10)
	f := e.formula([]string{"x", "y"})
	for r, want := range ev.value(e) {
		got, err := formula.Eval(f, map[string]float64{"x": rows[0][r], "y": rows[1][r]})
		if err != nil || math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("%v has value %v, want %v (%v)", f, got, want, err)
		}
	}
}

func TestReplace(t *testing.T) {
	var e expr
	x, y := e.variable(0), e.variable(1)
	s := e.add(x, y)
	e = e.compact(e.mul(e.call(formula.Sin, s), s))
	got := e.replace(2, 0)
	if text := got.formula([]string{"x", "y"}).String(); text != "sin(x)*x" {
		t.Errorf("got %s, want sin(x)*x", text)
	}
}
