package search

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// op is what a node of an expression computes.
type op uint8

// The operations.
const (
	opVar op = iota
	opPar
	opAdd
	opMul
	opMax // the larger of two
	opPow
	opCall // a function of one argument
)

func (o op) binary() bool { return o == opAdd || o == opMul || o == opMax }
func (o op) inner() bool  { return o > opPar } // has an argument

// node is one operation: a and b are the places of its arguments, which come before it. The
// place of an input stands in a.
type node struct {
	op    op
	a, b  int
	c     float64 // a constant (opPar) or an exponent (opPow)
	fixed bool    // c is not fitted
	f     formula.Func
}

// expr is an expression: nodes in an order in which arguments come first. The last is its value.
type expr []node

func (e *expr) put(n node) int {
	*e = append(*e, n)
	return len(*e) - 1
}

// variable returns the node of input j, which occurs once at most.
func (e *expr) variable(j int) int {
	for i, n := range *e {
		if n.op == opVar && n.a == j {
			return i
		}
	}
	return e.put(node{op: opVar, a: j, fixed: true})
}

func (e *expr) par(c float64) int   { return e.put(node{op: opPar, c: c}) }
func (e *expr) fixed(c float64) int { return e.put(node{op: opPar, c: c, fixed: true}) }
func (e *expr) add(a, b int) int    { return e.put(node{op: opAdd, a: a, b: b, fixed: true}) }
func (e *expr) mul(a, b int) int    { return e.put(node{op: opMul, a: a, b: b, fixed: true}) }
func (e *expr) max(a, b int) int    { return e.put(node{op: opMax, a: a, b: b, fixed: true}) }
func (e *expr) call(f formula.Func, a int) int {
	return e.put(node{op: opCall, f: f, a: a, fixed: true})
}

// pow returns the node of a^p; an exponent that is not fixed is fitted.
func (e *expr) pow(a int, p float64, fixed bool) int {
	if fixed && p == 1 {
		return a
	}
	return e.put(node{op: opPow, a: a, c: p, fixed: fixed})
}

func (e expr) root() int { return len(e) - 1 }

func (e expr) clone() expr { return append(expr(nil), e...) }

// insert appends the nodes of f and returns the place of its value.
func (e *expr) insert(f expr) int {
	at := make([]int, len(f))
	for i, n := range f {
		at[i] = e.move(n, at)
	}
	return at[len(f)-1]
}

// move appends a node of another expression whose nodes before it are at the given places.
func (e *expr) move(n node, at []int) int {
	if n.op == opVar {
		return e.variable(n.a)
	}
	if n.op.inner() {
		n.a = at[n.a]
	}
	if n.op.binary() {
		n.b = at[n.b]
	}
	return e.put(n)
}

// compact returns the part of e that the value of node root needs.
func (e expr) compact(root int) expr {
	live := make([]bool, root+1)
	live[root] = true
	for i := root; i >= 0; i-- {
		if n := e[i]; live[i] && n.op.inner() {
			live[n.a] = true
			if n.op.binary() {
				live[n.b] = true
			}
		}
	}
	at := make([]int, root+1)
	var r expr
	for i, l := range live {
		if !l {
			continue
		}
		n := e[i]
		if n.op.inner() {
			n.a = at[n.a]
		}
		if n.op.binary() {
			n.b = at[n.b]
		}
		at[i] = r.put(n)
	}
	return r
}

// replace returns e with each use of node i replaced by an earlier node.
func (e expr) replace(i, by int) expr {
	if i == e.root() {
		return e.compact(by)
	}
	r := e.clone()
	for k := i + 1; k < len(r); k++ {
		if n := &r[k]; n.op.inner() {
			if n.a == i {
				n.a = by
			}
			if n.op.binary() && n.b == i {
				n.b = by
			}
		}
	}
	return r.compact(r.root())
}

// parameters counts the constants that are fitted.
func (e expr) parameters() int {
	p := 0
	for _, n := range e {
		if !n.fixed {
			p++
		}
	}
	return p
}

// freeExponents counts the exponents that are fitted.
func (e expr) freeExponents() int {
	p := 0
	for _, n := range e {
		if n.op == opPow && !n.fixed {
			p++
		}
	}
	return p
}

// Prices of what a law seldom has, in the unit of the criterion: nats times two. The prototype
// settled them on 59 laws.
const (
	priceNode         = 4 // each operation, input and constant
	priceExponent     = 3 // an exponent other than ±1, ±2 and ½
	priceHighPower    = 4 // an exponent beyond 3
	priceFraction     = 4 // a broken exponent other than ±½
	priceRootOfInput  = 3
	pricePowerOfTerms = 8 // a power beyond 2 of something that is not an input
	priceRare         = 4 // a function that few laws have
)

// rare are the functions that few laws have.
var rare = []formula.Func{formula.Asin, formula.Acos, formula.Atan, formula.Tan, formula.Sinh, formula.Abs}

func (n node) isRare() bool { return n.op == opMax || n.op == opCall && slices.Contains(rare, n.f) }

// price is what the form of e costs, whatever its constants.
func (e expr) price() float64 {
	k := priceNode * float64(len(e))
	for _, n := range e {
		if n.isRare() {
			k += priceRare
		}
		if n.op != opPow || !n.fixed && e[n.a].op < opAdd {
			continue // that of an input may be any number
		}
		p := math.Abs(n.c)
		if p != 1 && p != 2 && p != 0.5 {
			k += priceExponent
		}
		if p > 3 {
			k += priceHighPower
		}
		if !whole(p) && p != 0.5 {
			k += priceFraction
		}
		if p == 0.5 && e[n.a].op == opVar {
			k += priceRootOfInput
		}
		if p > 2 && e[n.a].op >= opAdd {
			k += pricePowerOfTerms
		}
	}
	return k
}

func whole(p float64) bool { return p == math.Trunc(p) }

// half rounds to a multiple of ½.
func half(p float64) float64 { return math.Round(2*p) / 2 }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
