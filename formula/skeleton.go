package formula

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Skeleton is a formula without its constants: what formulas of one form have in common.
type Skeleton struct {
	Form   Expr      // with a variable for each constant
	Names  []string  // of these variables: c1, c2, … in the order of the text, without the names of columns
	Values []float64 // the constants of the formula that the skeleton is of; 1 for a factor that it does not have
}

// String returns the form as text.
func (s Skeleton) String() string { return Print(s.Form, Text, 0) }

// SkeletonOf returns the skeleton of a formula. Signs and the order of terms do not matter, and a term, or an argument
// of a function, without a factor has one that is 1. Whole exponents are a part of the form.
func SkeletonOf(e Expr) Skeleton {
	k := &skeletonReader{}
	shape := k.scaled(Fold(e, Algebra[bone]{
		Number:   func(v float64) bone { return bone{number: v} },
		Variable: func(name string) bone { return bone{e: Var(name)} },
		Sum:      k.sum, Product: k.product, Power: k.power, Call: k.call,
	}))
	marked := map[string]Expr{}
	for i := range k.values {
		marked[placeholder(i)] = Const(marker + float64(i))
	}
	shape = Substitute(shape, marked)
	s := Skeleton{}
	vars, next := Vars(shape), 1
	for _, mark := range Constants(shape) {
		for slices.Contains(vars, fmt.Sprintf("c%d", next)) {
			next++
		}
		s.Names, s.Values = append(s.Names, fmt.Sprintf("c%d", next)), append(s.Values, k.values[int(mark-marker)])
		next++
	}
	s.Form = Parametrize(shape, s.Names)
	return s
}

// marker stands for a constant while a skeleton is read: no whole number, which would be a part of the form as an
// exponent.
const marker = 2.5

// bone is a part of a formula whose constants have been taken out.
type bone struct {
	e      Expr    // nil for a number
	number float64 // its value
	ready  bool    // it has a factor that is a constant, or is a sum, whose terms have
}

type skeletonReader struct{ values []float64 }

// slot returns the variable of a new constant.
func (k *skeletonReader) slot(v float64) Expr {
	k.values = append(k.values, v)
	return Var(placeholder(len(k.values) - 1))
}

// plain returns a part as it is.
func (k *skeletonReader) plain(b bone) Expr {
	if b.e == nil {
		return k.slot(b.number)
	}
	return b.e
}

// scaled gives a part a constant factor, unless it has one.
func (k *skeletonReader) scaled(b bone) Expr {
	if b.e == nil || b.ready {
		return k.plain(b)
	}
	return Mul(k.slot(1), b.e)
}

func (k *skeletonReader) sum(terms []bone) bone {
	total, numbers := 0.0, 0
	var rest []Expr
	for _, t := range terms {
		if t.e == nil {
			total += t.number
			numbers++
			continue
		}
		rest = append(rest, k.scaled(t))
	}
	switch {
	case len(rest) == 0:
		return bone{number: total}
	case numbers > 0:
		rest = append(rest, k.slot(total))
	}
	return bone{e: Add(k.sorted(rest)...), ready: true}
}

func (k *skeletonReader) product(factors []bone) bone {
	total, ready := 1.0, false
	var rest []Expr
	for _, f := range factors {
		if f.e == nil {
			total *= f.number
			ready = true
			continue
		}
		rest = append(rest, f.e)
	}
	switch {
	case len(rest) == 0:
		return bone{number: total}
	case ready:
		return bone{e: Mul(k.slot(total), Mul(k.sorted(rest)...)), ready: true}
	}
	return bone{e: Mul(k.sorted(rest)...)}
}

func (k *skeletonReader) power(base, exponent bone) bone {
	switch {
	case base.e == nil && exponent.e == nil: // as in x/3
		return bone{number: math.Pow(base.number, exponent.number)}
	case exponent.e == nil && exponent.number == math.Trunc(exponent.number):
		return bone{e: Pow(base.e, Const(exponent.number))}
	}
	return bone{e: Pow(k.plain(base), k.plain(exponent))}
}

func (k *skeletonReader) call(f Func, args []bone) bone {
	exprs := make([]Expr, len(args))
	for i, x := range args {
		exprs[i] = k.scaled(x)
	}
	return bone{e: Call(f, exprs...)}
}

// sorted returns parts in the order of their texts, in which all constants are alike.
func (k *skeletonReader) sorted(parts []Expr) []Expr {
	alike := map[string]Expr{}
	for i := range k.values {
		alike[placeholder(i)] = Const(marker)
	}
	text := map[Expr]string{}
	for _, p := range parts {
		text[p] = Substitute(p, alike).String()
	}
	slices.SortStableFunc(parts, func(a, b Expr) int { return cmp.Compare(text[a], text[b]) })
	return parts
}
