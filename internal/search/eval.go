package search

import (
	"math"

	"github.com/eqlearner/eql/formula"
)

// Weights of operations for the budget, in multiplications.
const (
	weightCall = 10 // exp, log, sin, …
	weightBack = 2  // the reverse pass of a node beside its value
)

// rootsBelowZero is the share of rows on which the argument of a root may be negative during the
// search: noise takes the argument of a root that reaches zero below it.
const rootsBelowZero = 1.0 / 25

// evaluator computes values and derivatives of expressions. It keeps its memory from one call to
// the next and must not be shared.
type evaluator struct {
	v, g   [][]float64 // values and adjoints of the nodes
	strict bool        // no root of a negative number, no inverse sine beyond ±1
	work   int64       // multiplications so far
}

func (ev *evaluator) grow(nodes, n int) {
	for len(ev.v) < nodes {
		ev.v = append(ev.v, nil)
		ev.g = append(ev.g, nil)
	}
	for i := range nodes {
		if cap(ev.v[i]) < n {
			ev.v[i] = make([]float64, n)
			ev.g[i] = make([]float64, n)
		}
		ev.v[i], ev.g[i] = ev.v[i][:n], ev.g[i][:n]
	}
}

// forward computes the values of all nodes on n rows of x. It reports whether e can be evaluated
// on these rows.
func (ev *evaluator) forward(e expr, x [][]float64, n int) bool {
	ev.grow(len(e), n)
	for i, nd := range e {
		if !ev.node(nd, ev.v[i], x) {
			return false
		}
	}
	for _, y := range ev.v[e.root()] {
		if !finite(y) {
			return false
		}
	}
	return true
}

// value is the column of values after forward.
func (ev *evaluator) value(e expr) []float64 { return ev.v[e.root()] }

// node computes one node into o.
func (ev *evaluator) node(nd node, o []float64, x [][]float64) bool {
	ev.work += int64(len(o))
	switch nd.op {
	case opVar:
		copy(o, x[nd.a])
	case opPar:
		for r := range o {
			o[r] = nd.c
		}
	case opAdd:
		a, b := ev.v[nd.a][:len(o)], ev.v[nd.b][:len(o)]
		for r := range o {
			o[r] = a[r] + b[r]
		}
	case opMul:
		a, b := ev.v[nd.a][:len(o)], ev.v[nd.b][:len(o)]
		for r := range o {
			o[r] = a[r] * b[r]
		}
	case opPow:
		return ev.powers(o, ev.v[nd.a], nd.c)
	case opMax:
		a, b := ev.v[nd.a][:len(o)], ev.v[nd.b][:len(o)]
		for r := range o {
			o[r] = max(a[r], b[r])
		}
	case opCall:
		return ev.call(nd.f, o, ev.v[nd.a])
	}
	return true
}

func (ev *evaluator) call(f formula.Func, o, a []float64) bool {
	ev.work += weightCall * int64(len(o))
	value := functionOf(f).value
	arc := ev.strict && (f == formula.Asin || f == formula.Acos)
	for r := range o {
		if f == formula.Log && !(a[r] > 0) || arc && math.Abs(a[r]) > 1 {
			return false
		}
		o[r] = value(a[r])
	}
	return true
}

// powers computes o = a^p.
func (ev *evaluator) powers(o, a []float64, p float64) bool {
	a = a[:len(o)]
	switch {
	case p == 2:
		for r := range o {
			o[r] = a[r] * a[r]
		}
	case p == -1:
		for r := range o {
			o[r] = 1 / a[r]
		}
	case p == -2:
		for r := range o {
			o[r] = 1 / (a[r] * a[r])
		}
	case p == 0.5:
		return ev.roots(o, a)
	case whole(p):
		ev.work += weightCall * int64(len(o))
		for r := range o {
			o[r] = math.Pow(a[r], p)
		}
	default:
		ev.work += 2 * weightCall * int64(len(o))
		for r := range o {
			if !(a[r] > 0) {
				return false
			}
			o[r] = math.Exp(p * math.Log(a[r]))
		}
	}
	return true
}

func (ev *evaluator) roots(o, a []float64) bool {
	negative := 0
	for r := range o {
		if a[r] < 0 {
			o[r] = 0
			negative++
		} else {
			o[r] = math.Sqrt(a[r])
		}
	}
	if ev.strict {
		return negative == 0
	}
	return float64(negative) <= rootsBelowZero*float64(len(o))
}

// power is a^p, quick for the exponents of laws.
func power(a, p float64) float64 {
	switch p {
	case 1:
		return a
	case 2:
		return a * a
	case -1:
		return 1 / a
	case -2:
		return 1 / (a * a)
	case 3:
		return a * a * a
	case 0.5:
		return math.Sqrt(a)
	case -0.5:
		return 1 / math.Sqrt(a)
	}
	return math.Pow(a, p)
}

// backward computes the derivative of the value of e with respect to the value of each of its
// nodes, after forward on the same rows.
func (ev *evaluator) backward(e expr) {
	for i := range e {
		clear(ev.g[i])
	}
	for r := range ev.g[e.root()] {
		ev.g[e.root()][r] = 1
	}
	for i := e.root(); i >= 0; i-- {
		if e[i].op.inner() {
			ev.back(e[i], i)
		}
	}
}

// back adds what node i hands to its arguments.
func (ev *evaluator) back(nd node, i int) {
	q := ev.g[i]
	n := len(q)
	a, ga, o := ev.v[nd.a][:n], ev.g[nd.a][:n], ev.v[i][:n]
	ev.work += weightBack * int64(n)
	switch nd.op {
	case opAdd:
		gb := ev.g[nd.b][:n]
		for r := range q {
			ga[r] += q[r]
			gb[r] += q[r]
		}
	case opMul:
		b, gb := ev.v[nd.b][:n], ev.g[nd.b][:n]
		for r := range q {
			ga[r] += q[r] * b[r]
			gb[r] += q[r] * a[r]
		}
	case opMax:
		b, gb := ev.v[nd.b][:n], ev.g[nd.b][:n]
		for r := range q {
			if a[r] > b[r] {
				ga[r] += q[r]
			} else {
				gb[r] += q[r]
			}
		}
	case opPow:
		backPower(ga, q, a, o, nd.c)
	case opCall:
		ev.work += weightCall * int64(n)
		slope := functionOf(nd.f).slope
		for r := range q {
			ga[r] += q[r] * slope(a[r], o[r])
		}
	}
}

// flattestRoot keeps the slope of a root finite near zero, as a share of its size.
const flattestRoot = 1e-6

func backPower(ga, q, a, o []float64, p float64) {
	if p == 0.5 {
		least := flattestRoot*math.Abs(o[0]) + 1e-9
		for r := range q {
			if a[r] > 0 {
				ga[r] += q[r] * 0.5 / max(o[r], least)
			}
		}
		return
	}
	for r := range q {
		if a[r] != 0 {
			ga[r] += q[r] * p * o[r] / a[r]
		}
	}
}

// derivative writes the derivative of e with respect to the constant of node i into out, after
// backward.
func (ev *evaluator) derivative(e expr, i int, out []float64) {
	g := ev.g[i]
	if e[i].op != opPow {
		copy(out, g)
		return
	}
	a, v := ev.v[e[i].a], ev.v[i]
	ev.work += weightCall * int64(len(g))
	for r := range g {
		out[r] = 0
		if a[r] > 0 {
			out[r] = g[r] * v[r] * math.Log(a[r])
		}
	}
}
