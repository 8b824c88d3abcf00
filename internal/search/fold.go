package search

import (
	"math"

	"github.com/eqlearner/eql/formula"
)

// fold returns e with constants joined: sums and products of constants, factors of factors, powers
// of powers, exp(c + x). An expression and its fold have the same value.
func (e expr) fold() expr {
	var r expr
	at := make([]int, len(e))
	for i, n := range e {
		switch n.op {
		case opAdd:
			at[i] = r.foldAdd(at[n.a], at[n.b])
		case opMul:
			at[i] = r.foldMul(at[n.a], at[n.b])
		case opPow:
			at[i] = r.foldPow(at[n.a], n)
		case opCall:
			at[i] = r.foldCall(at[n.a], n.f)
		default:
			at[i] = r.move(n, at)
		}
	}
	return r.compact(at[len(e)-1])
}

func (e expr) isPar(i int) bool { return e[i].op == opPar }

// isFixed tells whether node i is the number v for good.
func (e expr) isFixed(i int, v float64) bool { return e.isPar(i) && e[i].fixed && e[i].c == v }

// scaled tells whether node i is a product whose first factor is a constant.
func (e expr) scaled(i int) bool { return e[i].op == opMul && e.isPar(e[i].a) }

// parLike appends a constant that is fixed when both of its origins are.
func (e *expr) parLike(c float64, a, b int) int {
	return e.put(node{op: opPar, c: c, fixed: (*e)[a].fixed && (*e)[b].fixed})
}

func (e *expr) foldAdd(a, b int) int {
	n := *e
	switch {
	case n.isPar(a) && n.isPar(b):
		return e.parLike(n[a].c+n[b].c, a, b)
	case n.isFixed(a, 0):
		return b
	case n.isFixed(b, 0):
		return a
	}
	return e.add(a, b)
}

// foldMul brings the constants of a product together in front.
func (e *expr) foldMul(a, b int) int {
	n := *e
	if n.isPar(b) && !n.isPar(a) {
		a, b = b, a
	}
	switch {
	case n.isPar(a) && n.isPar(b):
		return e.parLike(n[a].c*n[b].c, a, b)
	case n.isFixed(a, 1):
		return b
	case n.isPar(a) && n.scaled(b):
		c := e.parLike(n[a].c*n[n[b].a].c, a, n[b].a)
		return e.mul(c, n[b].b)
	case n.isPar(a):
		return e.mul(a, b)
	case n.scaled(a) && n.scaled(b):
		in := e.mul(n[a].b, n[b].b)
		c := e.parLike(n[n[a].a].c*n[n[b].a].c, n[a].a, n[b].a)
		return e.mul(c, in)
	case n.scaled(a):
		return e.mul(n[a].a, e.mul(n[a].b, b))
	case n.scaled(b):
		return e.mul(n[b].a, e.mul(a, n[b].b))
	}
	return e.mul(a, b)
}

func (e *expr) foldPow(a int, x node) int {
	n := *e
	p := x.c
	if x.fixed && p == 0 {
		return e.fixed(1)
	}
	if x.fixed && p == 1 {
		return a
	}
	if n.isPar(a) {
		if v := math.Pow(n[a].c, p); finite(v) {
			return e.put(node{op: opPar, c: v, fixed: n[a].fixed && x.fixed})
		}
		return e.pow(a, p, x.fixed)
	}
	if !x.fixed {
		return e.pow(a, p, false)
	}
	// (x²)^½ is |x|, so powers join only where none of them loses a sign.
	if in := n[a]; in.op == opPow && in.fixed && (math.Mod(in.c, 2) != 0 || whole(p)) {
		return e.pow(in.a, in.c*p, true)
	}
	if n.scaled(a) {
		if c := n[n[a].a]; c.c != 0 && (c.c > 0 || whole(p)) {
			in := e.pow(n[a].b, p, true)
			return e.mul(e.put(node{op: opPar, c: math.Pow(c.c, p), fixed: c.fixed}), in)
		}
	}
	return e.pow(a, p, true)
}

func (e *expr) foldCall(a int, f formula.Func) int {
	n := *e
	if n.isPar(a) {
		if v := functionOf(f).value(n[a].c); finite(v) {
			return e.put(node{op: opPar, c: v, fixed: n[a].fixed})
		}
		return e.call(f, a)
	}
	if f == formula.Exp && n[a].op == opAdd && n.isPar(n[a].a) {
		c := n[n[a].a]
		if v := math.Exp(c.c); finite(v) && v > 0 {
			q := e.call(formula.Exp, n[a].b)
			return e.mul(e.put(node{op: opPar, c: v, fixed: c.fixed}), q)
		}
	}
	return e.call(f, a)
}
