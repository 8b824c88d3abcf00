package formula

import (
	"math"
	"slices"
)

// Drop removes terms of sums, anywhere in e, that matter little for the given rows: the
// smallest first, as long as the value changes by less than tol RMS in total. It returns
// what is left, simplified, and by how much it really differs from e over the rows (RMS).
// There is one column a variable, all of one length; rows for which e has no finite value
// do not count. When a variable of e has no column, Drop returns e and NaN.
func Drop(e Expr, vars []string, cols [][]float64, tol float64) (Expr, float64) {
	rows := 0
	if len(cols) > 0 {
		rows = len(cols[0])
	}
	d := dropper{vars: vars, cols: cols, want: make([]float64, rows), got: make([]float64, rows)}
	p, err := Compile(e, vars)
	if err != nil {
		return e, math.NaN()
	}
	p.EvalColumns(d.want, cols)
	best := Simplify(e)
	change := d.change(best)
	for {
		next, c := d.pass(best, tol)
		if next == nil {
			return best, change
		}
		best, change = next, c
	}
}

// dropper measures expressions against the values of the original.
type dropper struct {
	vars      []string
	cols      [][]float64
	want, got []float64
}

// pass drops what can be dropped when every term is tried once; it returns nil when nothing
// can.
func (d *dropper) pass(e Expr, tol float64) (Expr, float64) {
	type candidate struct {
		term   int
		change float64
	}
	var list []candidate
	for i := range countTerms(e) {
		c := d.change(without(e, map[int]bool{i: true}))
		if c < tol {
			list = append(list, candidate{i, c})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		if a.change < b.change {
			return -1
		}
		if a.change > b.change {
			return 1
		}
		return 0
	})
	var best Expr
	var change float64
	gone := map[int]bool{}
	for _, c := range list {
		gone[c.term] = true
		next := Simplify(without(e, gone))
		n := d.change(next)
		if !(n < tol) || next.size() >= e.size() {
			delete(gone, c.term)
			continue
		}
		best, change = next, n
	}
	return best, change
}

// change returns the RMS difference to the original; +Inf if a finite value was lost.
func (d *dropper) change(e Expr) float64 {
	p, err := Compile(e, d.vars)
	if err != nil {
		return math.Inf(1) // cannot be: e has no variable that the original lacks
	}
	p.EvalColumns(d.got, d.cols)
	sum, n := 0.0, 0
	for i, w := range d.want {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			continue
		}
		diff := d.got[i] - w
		sum += diff * diff
		n++
	}
	switch {
	case math.IsNaN(sum):
		return math.Inf(1)
	case n == 0:
		return 0
	}
	return math.Sqrt(sum / float64(n))
}

// countTerms returns the number of terms of all sums in e.
func countTerms(e Expr) int {
	n := 0
	walk(e, func(x Expr) {
		if s, ok := x.(*sum); ok {
			n += len(s.terms)
		}
	})
	return n
}

// without returns e without the terms whose numbers are in gone. Terms are numbered in the
// order in which walk meets their sums.
func without(e Expr, gone map[int]bool) Expr {
	next := 0
	var strip func(Expr) Expr
	strip = func(x Expr) Expr {
		s, ok := x.(*sum)
		if !ok {
			return rebuild(x, strip)
		}
		first := next
		next += len(s.terms)
		var kept []Expr
		for i, t := range s.terms {
			if t = strip(t); !gone[first+i] { // stripped all the same, to count its terms
				kept = append(kept, t)
			}
		}
		return Add(kept...)
	}
	return strip(e)
}
