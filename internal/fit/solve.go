package fit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eqlearner/eql/formula"
)

// Solved is a form y = F(x, f, g, …) solved for what is linear in its unknown functions:
//
//	link(y, x) = Σ factor_k(x, c)·f_k + rest(x, c)
//
// with named constants c. The link is y itself where the form is linear, and otherwise what undoes the functions and
// powers around its linear part.
type Solved struct {
	formula.Known
	Link    formula.Expr   // of the target and the columns
	Factors []formula.Expr // one an unknown function
	Rest    formula.Expr
}

// Solve solves a form for its unknown functions. The error says what cannot be solved, and what can.
func Solve(k formula.Known) (*Solved, error) {
	s := solver{k: k, place: map[string]int{}}
	for i, u := range k.Unknown {
		s.place[u.Var()] = i
	}
	core := formula.Fold(k.Expr, formula.Algebra[part]{
		Number:   func(v float64) part { return part{e: formula.Const(v)} },
		Variable: s.variable, Sum: s.sum, Product: s.product, Power: s.power, Call: s.call,
	})
	if s.err != nil {
		return nil, s.err
	}
	solved := &Solved{Known: k, Link: core.undo(formula.Var(k.Target))}
	zero := map[string]formula.Expr{}
	for _, u := range k.Unknown {
		zero[u.Var()] = formula.Const(0)
		solved.Factors = append(solved.Factors, formula.Simplify(formula.Diff(core.e, u.Var())))
	}
	solved.Rest = formula.Simplify(formula.Substitute(core.e, zero))
	for _, c := range k.Constants {
		if slices.Contains(formula.Vars(solved.Link), c.Name) {
			return nil, fmt.Errorf("the form cannot be solved for %s: constant %s stands outside of what is linear in it "+
				"(give its value in place of the name)", functions(k), c.Name)
		}
	}
	return solved, solved.identified()
}

// part is a part of a form. One with unknown functions is v where e, which is linear in them, is undo(v).
type part struct {
	e       formula.Expr
	unknown bool
	link    func(v formula.Expr) formula.Expr // nil: e is the part itself
}

func (p part) undo(v formula.Expr) formula.Expr {
	if p.link == nil {
		return v
	}
	return p.link(v)
}

// around returns a part of which p is the only one with unknown functions, from what undoes the rest.
func (p part) around(back func(v formula.Expr) formula.Expr) part {
	return part{p.e, true, func(v formula.Expr) formula.Expr { return p.undo(back(v)) }}
}

type solver struct {
	k     formula.Known
	place map[string]int
	err   error
}

// fail notes the first reason.
func (s *solver) fail(format string, args ...any) part {
	if s.err == nil {
		s.err = fmt.Errorf("the form cannot be solved for %s: %s (what can: sums of unknown functions with known factors, "+
			"and these within powers, exp, log, sqrt, tanh or sigmoid)", functions(s.k), fmt.Sprintf(format, args...))
	}
	return part{e: formula.Const(0)}
}

// functions lists the unknown functions.
func functions(k formula.Known) string {
	var names []string
	for _, u := range k.Unknown {
		names = append(names, u.String())
	}
	return strings.Join(names, " and ")
}

func (s *solver) variable(name string) part {
	_, unknown := s.place[name]
	return part{e: formula.Var(name), unknown: unknown}
}

// apart separates what has unknown functions from the rest.
func apart(parts []part) (unknown []part, rest []formula.Expr) {
	for _, p := range parts {
		if p.unknown {
			unknown = append(unknown, p)
		} else {
			rest = append(rest, p.e)
		}
	}
	return unknown, rest
}

func (s *solver) sum(terms []part) part {
	unknown, rest := apart(terms)
	linear := !slices.ContainsFunc(unknown, func(p part) bool { return p.link != nil })
	switch {
	case linear:
		for _, p := range unknown {
			rest = append(rest, p.e)
		}
		return part{e: formula.Add(rest...), unknown: len(unknown) > 0}
	case len(unknown) == 1:
		return unknown[0].around(func(v formula.Expr) formula.Expr { return formula.Sub(v, formula.Add(rest...)) })
	}
	return s.fail("a sum has several terms with them, and not all are linear")
}

func (s *solver) product(factors []part) part {
	unknown, rest := apart(factors)
	known := formula.Mul(rest...)
	switch {
	case len(unknown) == 0:
		return part{e: known}
	case len(unknown) > 1:
		return s.fail("they stand in several factors of a product")
	case unknown[0].link == nil:
		return part{e: formula.Mul(append(rest, unknown[0].e)...), unknown: true}
	}
	return unknown[0].around(func(v formula.Expr) formula.Expr { return formula.Div(v, known) })
}

func (s *solver) power(base, exponent part) part {
	switch {
	case !base.unknown && !exponent.unknown:
		return part{e: formula.Pow(base.e, exponent.e)}
	case base.unknown && exponent.unknown:
		return s.fail("they stand in a power and in its exponent")
	case base.unknown:
		return base.around(func(v formula.Expr) formula.Expr {
			return formula.Pow(v, formula.Div(formula.Const(1), exponent.e))
		})
	}
	return exponent.around(func(v formula.Expr) formula.Expr {
		return formula.Div(formula.Call(formula.Log, v), formula.Call(formula.Log, base.e))
	})
}

// undone are the functions that can be undone, and how.
var undone = map[formula.Func]func(v formula.Expr) formula.Expr{
	formula.Exp:  func(v formula.Expr) formula.Expr { return formula.Call(formula.Log, v) },
	formula.Log:  func(v formula.Expr) formula.Expr { return formula.Call(formula.Exp, v) },
	formula.Sqrt: func(v formula.Expr) formula.Expr { return formula.Pow(v, formula.Const(2)) },
	formula.Tanh: func(v formula.Expr) formula.Expr {
		ratio := formula.Div(formula.Add(formula.Const(1), v), formula.Sub(formula.Const(1), v))
		return formula.Mul(formula.Const(0.5), formula.Call(formula.Log, ratio))
	},
	formula.Sigmoid: func(v formula.Expr) formula.Expr {
		return formula.Call(formula.Log, formula.Div(v, formula.Sub(formula.Const(1), v)))
	},
}

func (s *solver) call(f formula.Func, args []part) part {
	back, ok := undone[f]
	switch {
	case !slices.ContainsFunc(args, func(p part) bool { return p.unknown }):
		_, known := apart(args)
		return part{e: formula.Call(f, known...)}
	case !ok:
		return s.fail("%s cannot be undone", f)
	}
	return args[0].around(back)
}

// identified reports an unknown function that can take up another one, or a constant: what it depends on together with
// what the other is multiplied by, in place of its own factor, is among its inputs.
func (s *Solved) identified() error {
	core := []formula.Expr{s.Rest}
	for i, u := range s.Unknown {
		core = append(core, formula.Mul(s.Factors[i], formula.Var(u.Var())))
	}
	whole := formula.Add(core...)
	for i, u := range s.Unknown {
		for j, other := range s.Unknown {
			ratio := formula.Mul(formula.Div(s.Factors[j], s.Factors[i]), formula.Var(other.Var()))
			if j != i && s.within(ratio, u) {
				return fmt.Errorf("%s can be a part of %s, so the data cannot tell them apart (leave it out)", other, u)
			}
		}
		for _, c := range s.Constants {
			if !c.Fixed() && s.within(formula.Div(formula.Diff(whole, c.Name), s.Factors[i]), u) {
				return fmt.Errorf("constant %s can be a part of %s, so the data cannot tell them apart (leave it out, or give "+
					"its value)", c.Name, u)
			}
		}
	}
	return nil
}

// within reports whether an expression depends on inputs of an unknown function alone.
func (s *Solved) within(e formula.Expr, u formula.Unknown) bool {
	for _, name := range formula.Vars(formula.Simplify(e)) {
		of := []string{name}
		if i := slices.IndexFunc(s.Unknown, func(k formula.Unknown) bool { return k.Var() == name }); i >= 0 {
			of = s.Unknown[i].Inputs
		} else if s.Constant(name) != nil {
			continue
		}
		if slices.ContainsFunc(of, func(input string) bool { return !slices.Contains(u.Inputs, input) }) {
			return false
		}
	}
	return true
}

// Rows are the values of a solved form on rows of a table.
type Rows struct {
	Link    []float64   // of the target
	Slope   []float64   // ∂link/∂y
	Factors [][]float64 // of each unknown function
	Rest    []float64
}

// On evaluates a solved form with constants on rows. The inputs of d are those of the form.
func (s *Solved) On(d Data, constants []float64) (*Rows, error) {
	put := map[string]formula.Expr{}
	for i, c := range s.Constants {
		put[c.Name] = formula.Const(constants[i])
	}
	names := append(slices.Clone(s.Inputs), s.Target)
	cols := append(slices.Clone(d.X), d.Y)
	var err error
	at := func(e formula.Expr) []float64 {
		v := make([]float64, d.Rows())
		program, cerr := formula.Compile(formula.Substitute(e, put), names)
		if cerr != nil {
			err = cerr
			return v
		}
		program.EvalColumns(v, cols)
		return v
	}
	r := &Rows{Link: at(s.Link), Slope: at(formula.Diff(s.Link, s.Target)), Rest: at(s.Rest)}
	for _, f := range s.Factors {
		r.Factors = append(r.Factors, at(f))
	}
	return r, err
}

// Of returns what is left for unknown function k when the others have these values, and the rows that say something
// about it: those in which its factor is not 0 and all is finite.
func (r *Rows) Of(k int, values [][]float64) (target []float64, usable []int) {
	target = make([]float64, len(r.Link))
	for i := range target {
		v := r.Link[i] - r.Rest[i]
		for j, of := range values {
			if j != k {
				v -= r.Factors[j][i] * of[i]
			}
		}
		target[i] = v / r.Factors[k][i]
		if !math.IsNaN(target[i]) && !math.IsInf(target[i], 0) && r.Factors[k][i] != 0 {
			usable = append(usable, i)
		}
	}
	return target, usable
}

// Sigma returns the standard deviations of values of unknown function k whose errors in y have those given, nil for 1.
func (r *Rows) Sigma(k int, y []float64) []float64 {
	sigma := make([]float64, len(r.Link))
	for i, slope := range r.Slope {
		sigma[i] = math.Abs(slope / r.Factors[k][i])
		if y != nil {
			sigma[i] *= y[i]
		}
	}
	return sigma
}

// Size returns the geometric mean of ∂y/∂f for unknown function k over some rows.
func (r *Rows) Size(k int, rows []int) float64 {
	sum := 0.0
	for _, i := range rows {
		sum += math.Log(math.Abs(r.Factors[k][i]/r.Slope[i])) / float64(len(rows))
	}
	return math.Exp(sum)
}
