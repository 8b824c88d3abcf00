package formula

import (
	"math"
	"slices"
)

// Expr is an immutable expression: a number, a variable, a sum, a product, a power or a
// function of expressions. Make one with the constructors, [Parse] or [ParseJSON]; no
// other package can add a kind of its own.
//
// Differences and quotients are not kinds: a - b is the sum of a and -1·b, and a/b is the
// product of a and b^-1. The text form writes them as a person would.
type Expr interface {
	// String returns the text form with all digits of the constants; [Parse] reads it
	// back to an equal expression.
	String() string

	hash() uint64 // equal for equal expressions
	size() int    // the complexity
}

// number is a finite constant.
type number float64

// variable is the name of an input.
type variable string

// sum has two terms or more, none of them a sum.
type sum struct {
	terms []Expr
	h     uint64
	n     int
}

// product has two factors or more, none of them a product. Its numerator comes first: the
// numbers, then the other factors; then its denominator in the same order, each factor a
// power with a negative number as exponent.
type product struct {
	factors []Expr
	h       uint64
	n       int
}

// power has neither 1 as exponent, nor -1 over a product or over a power of a number.
type power struct {
	base, exp Expr
	h         uint64
	n         int
}

// call is a function of as many expressions as its arity.
type call struct {
	f    Func
	args []Expr
	h    uint64
	n    int
}

var (
	_ Expr = number(0)
	_ Expr = variable("")
	_ Expr = (*sum)(nil)
	_ Expr = (*product)(nil)
	_ Expr = (*power)(nil)
	_ Expr = (*call)(nil)
)

func (x number) String() string   { return Print(x, Text, 0) }
func (x variable) String() string { return Print(x, Text, 0) }
func (x *sum) String() string     { return Print(x, Text, 0) }
func (x *product) String() string { return Print(x, Text, 0) }
func (x *power) String() string   { return Print(x, Text, 0) }
func (x *call) String() string    { return Print(x, Text, 0) }

// Equal reports whether a and b are the same expression, term by term and bit by bit.
// It does no algebra: x + y and y + x differ.
func Equal(a, b Expr) bool {
	if a.hash() != b.hash() {
		return false
	}
	switch a := a.(type) {
	case number:
		b, ok := b.(number)
		return ok && math.Float64bits(float64(a)) == math.Float64bits(float64(b))
	case variable:
		return a == b
	case *sum:
		b, ok := b.(*sum)
		return ok && (a == b || slices.EqualFunc(a.terms, b.terms, Equal))
	case *product:
		b, ok := b.(*product)
		return ok && (a == b || slices.EqualFunc(a.factors, b.factors, Equal))
	case *power:
		b, ok := b.(*power)
		return ok && (a == b || Equal(a.base, b.base) && Equal(a.exp, b.exp))
	case *call:
		b, ok := b.(*call)
		return ok && (a == b || a.f == b.f && slices.EqualFunc(a.args, b.args, Equal))
	}
	return false
}

// Vars returns the names of the variables of e, each once, in natural order: x2 before x10.
func Vars(e Expr) []string {
	seen := map[string]bool{}
	var names []string
	walk(e, func(x Expr) {
		if v, ok := x.(variable); ok && !seen[string(v)] {
			seen[string(v)] = true
			names = append(names, string(v))
		}
	})
	slices.SortFunc(names, compareNames)
	return names
}

// Substitute returns e with each variable that is a key of values replaced by its value,
// all at once: values are not searched for variables again.
func Substitute(e Expr, values map[string]Expr) Expr {
	if v, ok := e.(variable); ok {
		if to, ok := values[string(v)]; ok {
			return to
		}
		return e
	}
	return rebuild(e, func(x Expr) Expr { return Substitute(x, values) })
}

// children returns the direct parts of e, in the order of the text form.
func children(e Expr) []Expr {
	switch e := e.(type) {
	case *sum:
		return e.terms
	case *product:
		return e.factors
	case *power:
		return []Expr{e.base, e.exp}
	case *call:
		return e.args
	}
	return nil
}

// walk calls visit for e and all its parts, each before its own parts.
func walk(e Expr, visit func(Expr)) {
	visit(e)
	for _, x := range children(e) {
		walk(x, visit)
	}
}

// rebuild returns e with f applied to its direct parts, in order, through the constructors.
// It returns e itself when no part changed.
func rebuild(e Expr, f func(Expr) Expr) Expr {
	old := children(e)
	if len(old) == 0 {
		return e
	}
	parts := make([]Expr, len(old))
	same := true
	for i, x := range old {
		parts[i] = f(x)
		same = same && parts[i] == x
	}
	if same {
		return e
	}
	switch e := e.(type) {
	case *sum:
		return Add(parts...)
	case *product:
		return Mul(parts...)
	case *power:
		return Pow(parts[0], parts[1])
	case *call:
		return Call(e.f, parts...)
	}
	return e
}

func (x number) hash() uint64   { return mix(1, math.Float64bits(float64(x))) }
func (x variable) hash() uint64 { return hashString(string(x)) }
func (x *sum) hash() uint64     { return x.h }
func (x *product) hash() uint64 { return x.h }
func (x *power) hash() uint64   { return x.h }
func (x *call) hash() uint64    { return x.h }

// mix combines a hash with one more value (the finaliser of SplitMix64).
func mix(h, v uint64) uint64 {
	h ^= v + 0x9e3779b97f4a7c15 + h<<6 + h>>2
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

func hashAll(kind uint64, xs []Expr) uint64 {
	h := kind
	for _, x := range xs {
		h = mix(h, x.hash())
	}
	return h
}

// hashString is FNV-1a.
func hashString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
