package formula

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// GroupForm is a formula for rows in groups: one form, with some constants that are other numbers in each group.
type GroupForm struct {
	Form   Expr        // with a variable for each of these constants
	Names  []string    // of these variables: k, or k1, k2, …
	Values [][]float64 // of each group, the values of the constants in the order of Names
}

// ByGroup reads a formula that depends on indicators as one form of the other variables: what depends on indicators
// and on nothing else becomes a constant with a value in each group. An indicator is 1 in the rows of its group and 0
// in all others, and each row is of one group. ByGroup returns false for a formula that does not depend on indicators.
func ByGroup(e Expr, indicators []string) (GroupForm, bool) {
	r := groupReader{indicators: indicators}
	form := r.constant(Fold(e, Algebra[groupPart]{
		Number: func(v float64) groupPart { return groupPart{e: Const(v), alone: true} },
		Variable: func(name string) groupPart {
			is := slices.Contains(indicators, name)
			return groupPart{Var(name), is, is}
		},
		Sum:     func(terms []groupPart) groupPart { return r.joined(terms, Add) },
		Product: func(factors []groupPart) groupPart { return r.joined(factors, Mul) },
		Power: func(base, exponent groupPart) groupPart {
			return r.apart(func(e ...Expr) Expr { return Pow(e[0], e[1]) }, base, exponent)
		},
		Call: func(f Func, args []groupPart) groupPart {
			return r.apart(func(e ...Expr) Expr { return Call(f, e...) }, args...)
		},
	}))
	return r.form(form, Vars(e)), len(r.constants) > 0
}

// groupPart is a part of a formula.
type groupPart struct {
	e       Expr
	depends bool // on an indicator
	alone   bool // it depends on no other variable
}

type groupReader struct {
	indicators []string
	constants  []Expr // of the indicators
}

// placeholder is the variable of constant k while a formula is read.
func placeholder(k int) string { return Placeholder(strconv.Itoa(k)) }

// constant returns a part, as a variable when it depends on indicators alone.
func (r *groupReader) constant(p groupPart) Expr {
	if !p.alone || !p.depends {
		return p.e
	}
	k := slices.IndexFunc(r.constants, func(c Expr) bool { return Equal(c, p.e) })
	if k < 0 {
		k = len(r.constants)
		r.constants = append(r.constants, p.e)
	}
	return Var(placeholder(k))
}

// joined joins the terms of a sum or the factors of a product. Those that depend on indicators alone are one constant,
// with the numbers among them.
func (r *groupReader) joined(parts []groupPart, join func(...Expr) Expr) groupPart {
	var alone, others []Expr
	all := groupPart{alone: true}
	own := false
	for _, p := range parts {
		all.depends, all.alone = all.depends || p.depends, all.alone && p.alone
		own = own || p.depends && p.alone
		if p.alone {
			alone = append(alone, p.e)
			continue
		}
		others = append(others, p.e)
	}
	switch {
	case all.alone:
		all.e = join(alone...)
	case own:
		all.e = join(append([]Expr{r.constant(groupPart{join(alone...), true, true})}, others...)...)
	default:
		all.e = join(append(alone, others...)...)
	}
	return all
}

// apart joins parts of which each that depends on indicators alone is a constant of its own.
func (r *groupReader) apart(join func(...Expr) Expr, parts ...groupPart) groupPart {
	all := groupPart{alone: true}
	for _, p := range parts {
		all.depends, all.alone = all.depends || p.depends, all.alone && p.alone
	}
	var es []Expr
	for _, p := range parts {
		if !all.alone {
			p.e = r.constant(p)
		}
		es = append(es, p.e)
	}
	all.e = join(es...)
	return all
}

// form names the constants of a formula, by names that are not among those taken, and evaluates them in each group.
func (r *groupReader) form(e Expr, taken []string) GroupForm {
	g := GroupForm{Names: groupNames(len(r.constants), taken), Values: make([][]float64, len(r.indicators))}
	values := map[string]Expr{}
	for k, c := range r.constants {
		values[placeholder(k)] = Var(g.Names[k])
		for i := range r.indicators {
			g.Values[i] = append(g.Values[i], valueIn(c, r.indicators, i))
		}
	}
	g.Form = Substitute(e, values)
	return g
}

// valueIn returns the value of an expression of indicators in a group, NaN where it has none.
func valueIn(e Expr, indicators []string, group int) float64 {
	at := map[string]float64{}
	for i, name := range indicators {
		at[name] = 0
		if i == group {
			at[name] = 1
		}
	}
	v, err := Eval(e, at)
	if err != nil {
		return math.NaN()
	}
	return v
}

// groupNames returns n names that are not among those taken: k, or k1, k2, …
func groupNames(n int, taken []string) []string {
	for prefix := "k"; ; prefix += "k" {
		names := make([]string, n)
		for k := range names {
			if names[k] = prefix; n > 1 {
				names[k] = fmt.Sprint(prefix, k+1)
			}
		}
		if !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(taken, name) }) {
			return names
		}
	}
}

// Expr returns the form as a formula of the indicators: each of the constants is the sum of its values times these.
func (g GroupForm) Expr(indicators []string) Expr {
	values := map[string]Expr{}
	for k, name := range g.Names {
		var terms []Expr
		for i, indicator := range indicators {
			terms = append(terms, Mul(Const(g.Values[i][k]), Var(indicator)))
		}
		values[name] = Add(terms...)
	}
	return Substitute(g.Form, values)
}

// Regroup writes a formula that depends on indicators with the fewest constants that differ between groups: the
// formulas of the groups are simplified, and what is the same number in all of them is one constant. The formula is
// returned as it is when those of the groups differ in more than constants.
func Regroup(e Expr, indicators []string) Expr {
	var all [][]float64
	var first Expr
	for i := range indicators {
		of := ofGroup(e, indicators, i)
		if first == nil {
			first = of
		}
		cs := Constants(of)
		if len(cs) != len(Constants(first)) || !Equal(of, WithConstants(first, cs)) {
			return e
		}
		all = append(all, cs)
	}
	if first == nil {
		return e
	}
	g := GroupForm{Values: make([][]float64, len(indicators))}
	names, shared := make([]string, len(all[0])), map[string]Expr{}
	for k := range names {
		names[k] = placeholder(k)
		if same(all, k) {
			shared[names[k]] = Const(all[0][k])
			continue
		}
		g.Names = append(g.Names, names[k])
		for i := range all {
			g.Values[i] = append(g.Values[i], all[i][k])
		}
	}
	g.Form = Substitute(Parametrize(first, names), shared)
	return g.Expr(indicators)
}

// same reports whether constant k is one number in all groups but for the arithmetic's errors.
func same(constants [][]float64, k int) bool {
	const rounding = 1e-9
	low, high := math.Inf(1), math.Inf(-1)
	for _, cs := range constants {
		low, high = math.Min(low, cs[k]), math.Max(high, cs[k])
	}
	return high-low <= rounding*math.Max(math.Abs(low), math.Abs(high))
}

// ofGroup returns the formula of one group, simplified, with constant factors of a sum in its terms: the constants of
// x*(4*x^2 + k) say more than those of 4*x*(x^2 + k). A constant term of an exponent is a factor: 2*exp(k - x) has one
// constant too many.
func ofGroup(e Expr, indicators []string, group int) Expr {
	values := map[string]Expr{}
	for i, name := range indicators {
		values[name] = Const(0)
		if i == group {
			values[name] = Const(1)
		}
	}
	return distributed(Simplify(withFactors(Simplify(Substitute(e, values)))))
}

// withFactors makes factors of the constant terms of exponents.
func withFactors(e Expr) Expr {
	return Fold(e, Algebra[Expr]{
		Number:   Const,
		Variable: Var,
		Sum:      func(terms []Expr) Expr { return Add(terms...) },
		Product:  func(factors []Expr) Expr { return Mul(factors...) },
		Power:    Pow,
		Call: func(f Func, args []Expr) Expr {
			exponent, isSum := args[0].(*sum)
			if f != Exp || !isSum {
				return Call(f, args...)
			}
			factor := 1.0
			rest := slices.DeleteFunc(slices.Clone(exponent.terms), func(term Expr) bool {
				n, isNumber := term.(number)
				if isNumber {
					factor *= math.Exp(float64(n))
				}
				return isNumber
			})
			if factor == 0 || math.IsInf(factor, 0) || len(rest) == 0 {
				return Call(f, args...)
			}
			return Mul(Const(factor), Call(Exp, Add(rest...)))
		},
	})
}

// distributed takes constant factors of a sum into its terms.
func distributed(e Expr) Expr {
	return Fold(e, Algebra[Expr]{
		Number:   Const,
		Variable: Var,
		Sum:      func(terms []Expr) Expr { return Add(terms...) },
		Power:    Pow,
		Call:     func(f Func, args []Expr) Expr { return Call(f, args...) },
		Product: func(factors []Expr) Expr {
			factor, isNumber := factors[0].(number)
			i := slices.IndexFunc(factors, func(f Expr) bool { _, is := f.(*sum); return is })
			if !isNumber || i < 0 {
				return Mul(factors...)
			}
			var terms []Expr
			for _, term := range factors[i].(*sum).terms {
				terms = append(terms, Mul(factor, term))
			}
			rest := slices.Clone(factors)
			rest[i] = Add(terms...)
			return Mul(rest[1:]...)
		},
	})
}
