package distill

import (
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/model"
)

// A Law is one output of a network without its layers: units in the order of computation, each
// with affine arguments over the inputs and all units before it. Linear units are gone, since a
// reader of a linear unit can read what that unit reads.
type Law struct {
	inputs int
	// zeros are the values of the inputs at which the columns of the table are 0, nil where they are not known. A column
	// that is a factor, or in a denominator or logarithm, has no constant of its own.
	zeros []float64
	units []unit // unit i is source inputs+i
	out   affine
}

type unit struct {
	kind model.Unit
	args []affine // as many as the kind's arity; each has at least one term
}

// affine is bias + Σ w·source, with terms in the order of their sources and no zero weights.
type affine struct {
	terms []term
	bias  float64
}

type term struct {
	from int // source: an input, or inputs + the index of a unit
	w    float64
}

// Read returns output o of a network as a law. The function is the same.
func Read(n *model.Network, o int) *Law {
	l := &Law{inputs: n.Arch.Inputs}
	y := make([]affine, n.Arch.Inputs)
	for j := range y {
		y[j] = source(j)
	}
	for i, m := range n.Weights {
		if i == len(n.Arch.Hidden) {
			l.out = mapRow(m.Row(o), y)
			break
		}
		layer := n.Arch.Hidden[i]
		next := make([]affine, layer.Width())
		for k := range next {
			kind, r := layer.Unit(k)
			args := make([]affine, kind.Arity())
			for a := range args {
				args[a] = mapRow(m.Row(r+a), y)
			}
			next[k] = l.add(kind, args)
		}
		y = next
	}
	return l.withoutUnread()
}

func source(from int) affine { return affine{terms: []term{{from, 1}}} }

func constant(c float64) affine { return affine{bias: c} }

// mapRow returns bias + Σ row[k]·y[k] for a row of weights with the bias last.
func mapRow(row []float64, y []affine) affine {
	sum := constant(row[len(y)])
	for k, a := range y {
		if row[k] != 0 {
			sum = sum.plus(a, row[k])
		}
	}
	return sum
}

// plus returns a + w·b.
func (a affine) plus(b affine, w float64) affine {
	sum := affine{bias: a.bias + w*b.bias, terms: make([]term, 0, len(a.terms)+len(b.terms))}
	i, j := 0, 0
	for i < len(a.terms) || j < len(b.terms) {
		switch {
		case j == len(b.terms) || i < len(a.terms) && a.terms[i].from < b.terms[j].from:
			sum.terms = append(sum.terms, a.terms[i])
			i++
		case i == len(a.terms) || b.terms[j].from < a.terms[i].from:
			if v := w * b.terms[j].w; v != 0 {
				sum.terms = append(sum.terms, term{b.terms[j].from, v})
			}
			j++
		default:
			if s := a.terms[i].w + w*b.terms[j].w; s != 0 {
				sum.terms = append(sum.terms, term{a.terms[i].from, s})
			}
			i++
			j++
		}
	}
	return sum
}

// add returns the value of a new unit: a source where the unit is needed, and an affine function
// of the arguments where it is linear or constant.
func (l *Law) add(kind model.Unit, args []affine) affine {
	isConstant := func(a affine) bool { return len(a.terms) == 0 }
	switch {
	case kind == model.Identity:
		return args[0]
	case kind == model.Product && isConstant(args[1]):
		return constant(0).plus(args[0], args[1].bias)
	case kind == model.Product && isConstant(args[0]):
		return constant(0).plus(args[1], args[0].bias)
	case isConstant(args[0]):
		return constant(kind.Value(args[0].bias, 0))
	}
	for i, u := range l.units {
		if u.kind == kind && slices.EqualFunc(u.args, args, affine.equal) {
			return source(l.inputs + i)
		}
	}
	l.units = append(l.units, unit{kind, args})
	return source(l.inputs + len(l.units) - 1)
}

func (a affine) equal(b affine) bool { return a.bias == b.bias && slices.Equal(a.terms, b.terms) }

// rebuilt returns the law after replace has been applied to the value of each unit: units that
// have become linear, constant or equal to another dissolve, and units that nothing reads go.
// replace may be nil.
func (l *Law) rebuilt(replace func(b *Law, i int, kind model.Unit, args []affine) affine) *Law {
	b := &Law{inputs: l.inputs, zeros: l.zeros}
	values := make([]affine, l.inputs, l.inputs+len(l.units))
	for j := range values {
		values[j] = source(j)
	}
	substitute := func(a affine) affine {
		sum := constant(a.bias)
		for _, t := range a.terms {
			if t.w != 0 {
				sum = sum.plus(values[t.from], t.w)
			}
		}
		return sum
	}
	for i, u := range l.units {
		args := make([]affine, len(u.args))
		for k, a := range u.args {
			args[k] = substitute(a)
		}
		if replace != nil {
			values = append(values, replace(b, i, u.kind, args))
		} else {
			values = append(values, b.add(u.kind, args))
		}
	}
	b.out = substitute(l.out)
	return b.withoutUnread()
}

// withoutUnread returns the law without the units that the output does not depend on.
func (l *Law) withoutUnread() *Law {
	read := make([]bool, l.inputs+len(l.units))
	mark := func(a affine) {
		for _, t := range a.terms {
			read[t.from] = true
		}
	}
	mark(l.out)
	for i := len(l.units) - 1; i >= 0; i-- {
		if read[l.inputs+i] {
			for _, a := range l.units[i].args {
				mark(a)
			}
		}
	}
	b := &Law{inputs: l.inputs, zeros: l.zeros}
	renamed := make([]int, len(read))
	for j := range l.inputs {
		renamed[j] = j
	}
	rename := func(a affine) affine {
		c := affine{bias: a.bias, terms: slices.Clone(a.terms)}
		for i := range c.terms {
			c.terms[i].from = renamed[c.terms[i].from]
		}
		return c
	}
	for i, u := range l.units {
		if !read[l.inputs+i] {
			continue
		}
		renamed[l.inputs+i] = l.inputs + len(b.units)
		args := make([]affine, len(u.args))
		for k, a := range u.args {
			args[k] = rename(a)
		}
		b.units = append(b.units, unit{u.kind, args})
	}
	b.out = rename(l.out)
	return b
}

// fromZero reports whether an affine function is a column of the table, with any factor.
func (l *Law) fromZero(a *affine) bool {
	const rounding = 1e-9
	if len(a.terms) != 1 || a.terms[0].from >= len(l.zeros) {
		return false
	}
	bias := -a.terms[0].w * l.zeros[a.terms[0].from]
	return math.Abs(a.bias-bias) <= rounding*math.Abs(bias)
}

func (l *Law) clone() *Law {
	c := &Law{inputs: l.inputs, zeros: l.zeros, units: slices.Clone(l.units), out: l.out.clone()}
	for i, u := range c.units {
		c.units[i].args = slices.Clone(u.args)
		for k, a := range u.args {
			c.units[i].args[k] = a.clone()
		}
	}
	return c
}

func (a affine) clone() affine { return affine{terms: slices.Clone(a.terms), bias: a.bias} }

// Size returns the number of nodes that the law has when it is written out as a tree, in which a
// unit stands once for each of its readers. It stops counting at a million.
func (l *Law) Size() int {
	const most = 1_000_000
	sizes := make([]int, l.inputs, l.inputs+len(l.units))
	for j := range sizes {
		sizes[j] = 1
	}
	of := func(a affine) int {
		n := 1
		for _, t := range a.terms {
			n = min(n+sizes[t.from]+3, most)
		}
		return n
	}
	for _, u := range l.units {
		n := 1
		for _, a := range u.args {
			n = min(n+of(a), most)
		}
		sizes = append(sizes, n)
	}
	return of(l.out)
}

func (l *Law) has(kind model.Unit) bool {
	return slices.ContainsFunc(l.units, func(u unit) bool { return u.kind == kind })
}

// Units returns the number of units that are not linear.
func (l *Law) Units() int { return len(l.units) }

// Expr writes the law as an expression in the user's units. names and in describe the inputs (in
// may be nil: no scaling), out the output. simplify is applied to every unit and to the whole.
func (l *Law) Expr(
	names []string, in []model.Scale, out model.Scale, simplify func(formula.Expr) formula.Expr,
) formula.Expr {
	values := make([]formula.Expr, l.inputs, l.inputs+len(l.units))
	for j := range values {
		values[j] = formula.Var(names[j])
		if in != nil && !in[j].Identity() {
			values[j] = formula.Div(formula.Sub(values[j], formula.Const(in[j].Shift)), formula.Const(in[j].Factor))
		}
	}
	write := func(a affine) formula.Expr {
		sum := []formula.Expr{formula.Const(a.bias)}
		for _, t := range a.terms {
			sum = append(sum, formula.Mul(formula.Const(t.w), values[t.from]))
		}
		return formula.Add(sum...)
	}
	for _, u := range l.units {
		if u.kind == model.Exp {
			values = append(values, simplify(l.power(u.args[0], values, write, simplify)))
			continue
		}
		args := make([]formula.Expr, len(u.args))
		for k, a := range u.args {
			args[k] = write(a)
		}
		values = append(values, simplify(u.kind.Expr(args...)))
	}
	e := write(l.out)
	if !out.Identity() {
		e = formula.Add(formula.Mul(formula.Const(out.Factor), e), formula.Const(out.Shift))
	}
	return simplify(e)
}
