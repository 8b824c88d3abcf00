package distill

import (
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/model"
)

// Compose returns an expression of the inputs as a law, whose units are those of networks: whole powers are products and
// reciprocals, other powers exponentials of logarithms. names are those of the inputs, in order, and units those that the
// law may have besides products. The error names what the expression has and the law may not.
func Compose(e formula.Expr, names []string, units []model.Unit) (*Law, error) {
	c := &composer{law: &Law{inputs: len(names)}, names: names, units: units}
	value := formula.Fold(e, formula.Algebra[composed]{
		Number:   func(v float64) composed { return composed{affine: constant(v)} },
		Variable: c.variable,
		Sum:      c.sum,
		Product:  c.product,
		Power:    c.power,
		Call:     c.call,
	})
	c.law.out = c.plain(value)
	if c.err != nil {
		return nil, c.err
	}
	return c.law.withoutUnread().canonical(), nil
}

type composer struct {
	law   *Law
	names []string
	units []model.Unit
	err   error
}

// unit returns the value of a unit.
func (c *composer) unit(kind model.Unit, z affine) affine {
	if !slices.Contains(c.units, kind) {
		c.err = fmt.Errorf("%s is not among the units", kind)
		return constant(0)
	}
	return c.law.add(kind, []affine{z})
}

// composed is a value: affine, or, where log is set, the exponential of log, of which products make one.
type composed struct {
	affine affine
	log    *affine
}

// plain returns a value as an affine function of units.
func (c *composer) plain(v composed) affine {
	if v.log == nil {
		return v.affine
	}
	return c.unit(model.Exp, *v.log)
}

func (c *composer) variable(name string) composed {
	j := slices.Index(c.names, name)
	if j < 0 {
		c.err = fmt.Errorf("%q is no input", name)
		return composed{}
	}
	return composed{affine: source(j)}
}

func (c *composer) sum(terms []composed) composed {
	total := constant(0)
	for _, t := range terms {
		total = total.plus(c.plain(t), 1)
	}
	return composed{affine: total}
}

func (c *composer) product(factors []composed) composed {
	value, exponent, powers := constant(1), constant(0), 0
	for _, f := range factors {
		if f.log != nil {
			exponent = exponent.plus(*f.log, 1)
			powers++
			continue
		}
		value = c.law.add(model.Product, []affine{value, f.affine})
	}
	switch {
	case powers == 0:
		return composed{affine: value}
	case len(value.terms) == 0 && value.bias == 1:
		return composed{log: &exponent}
	}
	return composed{affine: c.law.add(model.Product, []affine{value, c.plain(composed{log: &exponent})})}
}

// highestWhole is the highest power that is written as products.
const highestWhole = 4

func (c *composer) power(base, exponent composed) composed {
	b := c.plain(base)
	if exponent.log != nil || len(exponent.affine.terms) > 0 {
		log := c.unit(model.Log, b)
		z := c.law.add(model.Product, []affine{c.plain(exponent), log})
		return composed{log: &z}
	}
	p := exponent.affine.bias
	if n := math.Abs(p); n == math.Trunc(n) && n <= highestWhole {
		value := constant(1)
		for range int(n) {
			value = c.law.add(model.Product, []affine{value, b})
		}
		if p < 0 {
			value = c.unit(model.Reciprocal, value)
		}
		return composed{affine: value}
	}
	z := constant(0).plus(c.unit(model.Log, b), p)
	return composed{log: &z}
}

// unitOf are the units that compute a function.
var unitOf = map[formula.Func]model.Unit{
	formula.Sin: model.Sin, formula.Cos: model.Cos, formula.Log: model.Log, formula.Sigmoid: model.Sigmoid,
}

func (c *composer) call(f formula.Func, x composed) composed {
	z := c.plain(x)
	if unit, ok := unitOf[f]; ok {
		return composed{affine: c.unit(unit, z)}
	}
	switch f {
	case formula.Tanh:
		if slices.Contains(c.units, model.Tanh) {
			return composed{affine: c.unit(model.Tanh, z)}
		}
		return composed{affine: constant(-1).plus(c.unit(model.Sigmoid, constant(0).plus(z, 2)), 2)}
	case formula.Exp:
		return composed{log: &z}
	case formula.Sqrt:
		return c.power(composed{affine: z}, composed{affine: constant(0.5)})
	case formula.Tan:
		secant := c.unit(model.Reciprocal, c.unit(model.Cos, z))
		return composed{affine: c.law.add(model.Product, []affine{c.unit(model.Sin, z), secant})}
	}
	c.err = fmt.Errorf("no unit of a network computes %s", formula.Call(f, formula.Var("x")))
	return composed{}
}
