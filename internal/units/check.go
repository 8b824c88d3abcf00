package units

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eqlearner/eql/formula"
)

// Mismatch says which part of a formula does not agree with the units of its columns.
type Mismatch struct {
	Term string // the part
	Have Dim    // its dimension
	Want Dim    // what the place asks for
	Of   string // the place: "y", "the sum x + t", "exp"
}

func (m *Mismatch) Error() string {
	if m.Want.Zero() && m.Of != "" && strings.HasPrefix(m.Of, "in ") {
		return fmt.Sprintf("the term %s has the unit %s, and %s it must have none", m.Term, Unit{m.Have, 1}, m.Of)
	}
	return fmt.Sprintf("the term %s has the unit %s, and %s has %s", m.Term, Unit{m.Have, 1}, m.Of, Unit{m.Want, 1})
}

// Check asks whether a formula for target agrees with the units of the columns; a column that is not among them is a
// pure number. fixed says which of the constants, in the order of [formula.Constants], are pure numbers for certain;
// nil: none is. It returns the unit of each constant, pure wherever the formula allows that, or the first term that
// does not agree.
func Check(e formula.Expr, target string, columns map[string]Unit, fixed []bool) ([]Unit, *Mismatch) {
	open, names, values := formula.Open(e, "")
	c := checker{columns: columns, constants: map[string]int{}, values: map[string]float64{},
		shown: map[string]formula.Expr{}}
	for i, v := range values {
		c.values[names[i]], c.shown[names[i]] = v, formula.Const(v)
		if i >= len(fixed) || !fixed[i] {
			c.constants[names[i]] = i
		}
	}
	return c.check(open, target, len(values))
}

// CheckNamed is [Check] for a form in which constants have names. Their values matter where they are exponents.
func CheckNamed(
	e formula.Expr, target string, columns map[string]Unit, constants []string, values map[string]float64,
) ([]Unit, *Mismatch) {
	c := checker{columns: columns, constants: map[string]int{}, values: values}
	for i, name := range constants {
		c.constants[name] = i
	}
	return c.check(e, target, len(constants))
}

// checker collects what a formula says of the units of its constants.
type checker struct {
	columns   map[string]Unit
	constants map[string]int          // unknowns, by name
	values    map[string]float64      // of names that stand for numbers
	shown     map[string]formula.Expr // in messages in place of these
	system    system
	wrong     *Mismatch // the first
}

// measured is what is known of a part: its unit is that of the equation, with unknowns.
type measured struct {
	equation
	expr     formula.Expr
	number   float64    // the value of a number, NaN for all else
	constant bool       // it is a constant alone
	terms    []measured // of a sum
	logs     []measured // arguments of logarithms in terms of it, which a constant beside them may make pure
}

func (c *checker) check(e formula.Expr, target string, constants int) ([]Unit, *Mismatch) {
	c.system.unknowns = constants
	whole := formula.Fold(e, formula.Algebra[measured]{
		Number:   func(v float64) measured { return c.known(Pure, formula.Const(v), v) },
		Variable: c.variable,
		Sum:      c.sum,
		Product:  c.product,
		Power:    c.power,
		Call:     c.call,
	})
	terms := whole.terms
	if terms == nil {
		terms = []measured{whole}
	}
	want := c.known(c.columns[target].or(Pure), formula.Var(target), math.NaN())
	c.pureLogs(whole.logs)
	for _, t := range terms {
		c.same(t, want, formula.Var(target).String())
	}
	if c.wrong != nil {
		return nil, c.wrong
	}
	return c.system.solve(), nil
}

// or returns the unit, or another where it is none.
func (u Unit) or(v Unit) Unit {
	if u.Size == 0 {
		return v
	}
	return u
}

func (c *checker) known(u Unit, e formula.Expr, number float64) measured {
	return measured{equation: equation{make([]float64, c.system.unknowns), u.Dim, math.Log(u.Size)}, expr: e,
		number: number}
}

func (c *checker) variable(name string) measured {
	number, ok := c.values[name]
	if !ok {
		number = math.NaN()
	}
	k, unknown := c.constants[name]
	if !unknown {
		return c.known(c.columns[name].or(Pure), formula.Var(name), number)
	}
	m := c.known(Pure, formula.Var(name), number)
	m.of[k], m.constant = 1, true
	return m
}

// same adds that a part has the unit of another, which stands at the place of.
func (c *checker) same(m, want measured, of string) {
	e := m.minus(want.equation, 1)
	e.dim, e.size = Dim{}.Times(e.dim, -1), -e.size
	if !c.system.add(e) && c.wrong == nil {
		c.wrong = &Mismatch{Term: c.text(m.expr), Have: c.solved(m), Want: c.solved(want), Of: of}
	}
}

// solved is the dimension of a part as far as the equations determine it.
func (c *checker) solved(m measured) Dim {
	trial := system{c.system.unknowns, slices.Clone(c.system.rows), slices.Clone(c.system.pivots)}
	d := m.dim
	for k, u := range trial.solve() {
		d = d.Times(u.Dim, m.of[k])
	}
	return d
}

func (c *checker) text(e formula.Expr) string {
	return formula.Print(formula.Substitute(e, c.shown), formula.Text, 4)
}

// pure adds that a part has no dimension, in what is named.
func (c *checker) pure(m measured, in string) {
	c.same(m, c.known(Pure, nil, math.NaN()), "in "+in)
}

func (c *checker) pureLogs(logs []measured) {
	for _, z := range logs {
		c.pure(z, "log")
	}
}

// settle says that nothing stands beside a part: the terms of a sum have one unit, and its logarithms are of pure
// numbers.
func (c *checker) settle(m measured) measured {
	for _, t := range m.terms[min(1, len(m.terms)):] {
		c.same(t, m.terms[0], c.text(m.terms[0].expr)+" beside it")
	}
	c.pureLogs(m.logs)
	m.terms, m.logs = nil, nil
	return m
}

func (c *checker) sum(terms []measured) measured {
	exprs := make([]formula.Expr, len(terms))
	free := false
	var logs []measured
	for i, t := range terms {
		exprs[i] = t.expr
		free = free || t.constant
		logs = append(logs, t.logs...)
	}
	if free { // a·log(x) + b: the unit that x is counted in goes into b
		logs = nil
	}
	m := terms[0]
	return measured{equation: m.equation, expr: formula.Add(exprs...), number: math.NaN(), terms: terms, logs: logs}
}

func (c *checker) product(factors []measured) measured {
	m := c.known(Pure, nil, math.NaN())
	exprs := make([]formula.Expr, len(factors))
	for i, f := range factors {
		if f.terms != nil {
			f = c.settle(f)
		}
		exprs[i] = f.expr
		m.equation = m.minus(f.equation, -1)
		m.logs = append(m.logs, f.logs...)
	}
	m.expr = formula.Mul(exprs...)
	return m
}

func (c *checker) power(base, exponent measured) measured {
	base, exponent = c.settle(base), c.settle(exponent)
	e := formula.Pow(base.expr, exponent.expr)
	c.pure(exponent, "the exponent of "+c.text(e))
	if math.IsNaN(exponent.number) {
		c.pure(base, "the base of "+c.text(e))
		return c.known(Pure, e, math.NaN())
	}
	return c.scaled(base, exponent.number, e)
}

// scaled is a part to a power that is a number.
func (c *checker) scaled(base measured, p float64, e formula.Expr) measured {
	m := c.known(Pure, e, math.NaN())
	m.equation = m.minus(base.equation, -p)
	return m
}

func (c *checker) call(f formula.Func, args []measured) measured {
	exprs := make([]formula.Expr, len(args))
	for i, a := range args {
		args[i] = c.settle(a)
		exprs[i] = a.expr
	}
	x, e := args[0], formula.Call(f, exprs...)
	switch f {
	case formula.Abs, formula.Min, formula.Max:
		for _, other := range args[1:] {
			c.same(other, x, c.text(x.expr)+" beside it")
		}
		return c.scaled(x, 1, e)
	case formula.Sqrt:
		return c.scaled(x, 0.5, e)
	case formula.Log:
		m := c.known(Pure, e, math.NaN())
		m.logs = []measured{x}
		return m
	}
	c.pure(x, c.text(e))
	return c.known(Pure, e, math.NaN())
}
