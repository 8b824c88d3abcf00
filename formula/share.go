package formula

import (
	"fmt"
	"slices"
)

// Share writes several formulas so that what they have in common is written once: a formula that is
// part of another stands in it by its name, and other common parts become definitions of their own,
// named p1, p2, …. Common is what is equal to the last bit: a part, or some terms of a sum, or
// some factors of a product. Parts come before the formulas, and every name is defined before it
// is used; otherwise the order stays. Without a gain in complexity, summed over all formulas and
// parts, shorter is false and the formulas are returned as they are.
//
// The most useful part is taken first, which need not lead to the shortest way of all. Formulas of
// more than 600 nodes together, which nobody reads, stay as they are.
func Share(formulas []Named) (shared []Named, shorter bool) {
	const most = 600
	s := sharing{slices.Clone(formulas), len(formulas)}
	if s.size() > most {
		return formulas, false
	}
	for s.step() {
		shorter = true
	}
	if !shorter {
		return formulas, false
	}
	return s.ordered(), true
}

// sharing is a set of definitions on their way: first the formulas, then the parts.
type sharing struct {
	all      []Named
	formulas int
}

// step takes out the part that makes the whole shortest, and reports whether there is one.
func (s *sharing) step() bool {
	before := s.size()
	var best []Named
	for _, part := range s.candidates() {
		next := s.with(part)
		if n := (&sharing{next, s.formulas}).size(); n < before {
			before, best = n, next
		}
	}
	if best == nil {
		return false
	}
	s.all = best
	return true
}

// size counts the nodes of all definitions, and the name of a part as one.
func (s *sharing) size() int {
	n := len(s.all) - s.formulas
	for _, d := range s.all {
		n += Complexity(d.Expr)
	}
	return n
}

// candidates returns what two definitions have in common.
func (s *sharing) candidates() []Expr {
	found := make([][]Expr, len(s.all))
	for i, d := range s.all {
		walk(d.Expr, func(e Expr) {
			if e.size() > 1 && !isConstant(e) {
				found[i] = append(found[i], e)
			}
		})
	}
	var common []Expr
	add := func(e Expr) {
		if !slices.ContainsFunc(common, func(c Expr) bool { return Equal(c, e) }) {
			common = append(common, e)
		}
	}
	for i := range found {
		for _, a := range found[i] {
			for j := range i {
				for _, b := range found[j] {
					if c := inCommon(a, b); c != nil {
						add(c)
					}
				}
			}
		}
	}
	return common
}

func isConstant(e Expr) bool { return len(Vars(e)) == 0 }

// inCommon returns a when it equals b, the terms or factors that two sums or two products share
// when there are two or more, and otherwise nil.
func inCommon(a, b Expr) Expr {
	if Equal(a, b) {
		return a
	}
	x, y, join := operands(a, b)
	var shared []Expr
	for _, e := range x {
		if i := slices.IndexFunc(y, func(o Expr) bool { return Equal(e, o) }); i >= 0 {
			shared = append(shared, e)
			y = slices.Delete(slices.Clone(y), i, i+1)
		}
	}
	if len(shared) < 2 {
		return nil
	}
	return join(shared...)
}

// operands returns the terms of two sums or the factors of two products, and what joins them.
func operands(a, b Expr) (x, y []Expr, join func(...Expr) Expr) {
	switch a := a.(type) {
	case *sum:
		if b, ok := b.(*sum); ok {
			return a.terms, b.terms, Add
		}
	case *product:
		if b, ok := b.(*product); ok {
			return a.factors, b.factors, Mul
		}
	}
	return nil, nil, nil
}

// with returns the definitions with a part written by its name: that of the first definition which
// is the part, or a new one.
func (s *sharing) with(part Expr) []Named {
	own := slices.IndexFunc(s.all, func(d Named) bool { return Equal(d.Expr, part) })
	next := slices.Clone(s.all)
	if own < 0 {
		own = len(next)
		next = append(next, Named{s.newName(), part})
	}
	name := Var(next[own].Name)
	for i := range next {
		if i != own {
			next[i].Expr = replacePart(next[i].Expr, part, name)
		}
	}
	return next
}

// replacePart returns e with every occurrence of a part replaced by its name.
func replacePart(e, part, name Expr) Expr {
	if Equal(e, part) {
		return name
	}
	if x, y, join := operands(e, part); join != nil {
		rest := slices.Clone(x)
		for _, p := range y {
			i := slices.IndexFunc(rest, func(o Expr) bool { return Equal(p, o) })
			if i < 0 {
				rest = nil
				break
			}
			rest = slices.Delete(rest, i, i+1)
		}
		if len(rest) > 0 {
			return join(append([]Expr{name}, rest...)...)
		}
	}
	return rebuild(e, func(x Expr) Expr { return replacePart(x, part, name) })
}

// newName returns the first of p1, p2, … that names nothing yet.
func (s *sharing) newName() string {
	taken := map[string]bool{}
	for _, d := range s.all {
		taken[d.Name] = true
		for _, v := range Vars(d.Expr) {
			taken[v] = true
		}
	}
	for i := 1; ; i++ {
		if name := fmt.Sprintf("p%d", i); !taken[name] {
			return name
		}
	}
}

// ordered returns the parts and then the formulas, each behind those that it uses.
func (s *sharing) ordered() []Named {
	var order []Named
	placed := map[string]bool{}
	var place func(d Named)
	place = func(d Named) {
		if placed[d.Name] {
			return
		}
		placed[d.Name] = true
		for _, v := range Vars(d.Expr) {
			if i := slices.IndexFunc(s.all, func(o Named) bool { return o.Name == v }); i >= 0 {
				place(s.all[i])
			}
		}
		order = append(order, d)
	}
	for _, d := range s.all[s.formulas:] {
		place(d)
	}
	for _, d := range s.all[:s.formulas] {
		place(d)
	}
	return order
}
