package formula

import (
	"cmp"
	"strings"
)

// compareNames is the natural order: runs of digits compare as numbers, so x2 < x10.
func compareNames(a, b string) int {
	whole := cmp.Compare(a, b)
	for a != "" && b != "" {
		da, db := digitRun(a), digitRun(b)
		if da > 0 && db > 0 {
			na, nb := strings.TrimLeft(a[:da], "0"), strings.TrimLeft(b[:db], "0")
			if c := cmp.Or(cmp.Compare(len(na), len(nb)), cmp.Compare(na, nb)); c != 0 {
				return c
			}
			a, b = a[da:], b[db:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), whole)
}

// digitRun returns the length of the digits at the beginning of s.
func digitRun(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// compareTerms is the order of the terms of a simplified sum, whatever their coefficients:
// monomials first, by their variables and then with the higher power first; constants last.
//
//	x1^2 + x1*x2 + x2 - x3*x4 + sin(x1) + 2
func compareTerms(a, b Expr) int {
	if c := cmp.Compare(termRank(a), termRank(b)); c != 0 {
		return c
	}
	ca, fa := coefficient(a)
	cb, fb := coefficient(b)
	return cmp.Or(compareFactorLists(fa, fb), cmp.Compare(ca, cb))
}

func compareFactorLists(a, b []Expr) int {
	for i := range min(len(a), len(b)) {
		if c := compareFactors(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(b), len(a))
}

// termRank is 0 for products of variables, 1 for other terms and 2 for numbers.
func termRank(t Expr) int {
	if _, ok := t.(number); ok {
		return 2
	}
	_, fs := coefficient(t)
	for _, f := range fs {
		base, _ := basePower(f)
		if _, ok := base.(variable); !ok {
			return 1
		}
	}
	return 0
}

// compareFactors is the order of the factors of a simplified product: numbers, variables,
// functions, sums, other powers.
func compareFactors(a, b Expr) int {
	ba, na := basePower(a)
	bb, nb := basePower(b)
	return cmp.Or(
		cmp.Compare(factorRank(ba), factorRank(bb)),
		compareParts(ba, bb),
		cmp.Compare(nb, na))
}

func factorRank(base Expr) int {
	switch base.(type) {
	case number:
		return 0
	case variable:
		return 1
	case *call:
		return 2
	case *sum:
		return 3
	}
	return 4
}

// compareParts is a total order over expressions of the same factorRank.
func compareParts(a, b Expr) int {
	if a == b {
		return 0
	}
	switch a := a.(type) {
	case number:
		if b, ok := b.(number); ok {
			return cmp.Compare(a, b)
		}
	case variable:
		if b, ok := b.(variable); ok {
			return compareNames(string(a), string(b))
		}
	case *call:
		if b, ok := b.(*call); ok {
			return cmp.Or(cmp.Compare(a.f, b.f), compareTermLists(a.args, b.args))
		}
	case *sum:
		if b, ok := b.(*sum); ok {
			return compareTermLists(a.terms, b.terms)
		}
	case *power:
		if b, ok := b.(*power); ok {
			return cmp.Or(compareTerms(a.base, b.base), compareTerms(a.exp, b.exp))
		}
	case *product:
		if b, ok := b.(*product); ok {
			return compareFactorLists(a.factors, b.factors)
		}
	}
	return cmp.Compare(factorRank(a), factorRank(b))
}

func compareTermLists(a, b []Expr) int {
	for i := range min(len(a), len(b)) {
		if c := compareTerms(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// coefficient splits a term into its leading number and the factors after it.
func coefficient(t Expr) (float64, []Expr) {
	switch t := t.(type) {
	case number:
		return float64(t), nil
	case *product:
		if c, ok := t.factors[0].(number); ok {
			return float64(c), t.factors[1:]
		}
		return 1, t.factors
	}
	return 1, []Expr{t}
}

// basePower splits a factor into base and whole exponent: f = base^n. Powers that are not
// whole are bases themselves.
func basePower(f Expr) (Expr, int) {
	if p, ok := f.(*power); ok {
		if n, ok := wholeNumber(p.exp); ok {
			return p.base, n
		}
	}
	return f, 1
}
