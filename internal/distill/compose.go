package distill

import (
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/model"
)

// Compose returns an expression of the inputs as a law, whose units are those of networks: whole powers are products
// and reciprocals, other powers exponentials of logarithms. names are those of the inputs, in order, and units those
// that the law may have besides products. The error names what the expression has and the law may not.
func Compose(e formula.Expr, names []string, units []model.Unit) (*Law, error) {
	return compose(e, &composer{law: &Law{inputs: len(names)}, names: names, units: units})
}

// ComposeBoth returns an expression as the laws that it can be: as [Compose] does, and with the powers of sums as those
// of logarithms, which have the constants of the sum once, if it has one sign. zeros are the values of the inputs at
// which the columns of the table are 0.
func ComposeBoth(e formula.Expr, names []string, units []model.Unit, zeros []float64) (laws []*Law) {
	for _, logs := range []bool{false, true} {
		c := &composer{law: &Law{inputs: len(names), zeros: zeros}, names: names, units: units, logs: logs}
		if law, err := compose(e, c); err == nil && (!logs || c.logged) {
			laws = append(laws, law)
		}
	}
	return laws
}

func compose(e formula.Expr, c *composer) (*Law, error) {
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
	logs  bool // whole powers of sums are exponentials of logarithms
	// logged says that there were some.
	logged bool
	err    error
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
const highestWhole = 12

func (c *composer) power(base, exponent composed) composed {
	b := c.plain(base)
	if exponent.log != nil || len(exponent.affine.terms) > 0 {
		log := c.unit(model.Log, b)
		z := c.law.add(model.Product, []affine{c.plain(exponent), log})
		return composed{log: &z}
	}
	p := exponent.affine.bias
	sum := len(b.terms) > 1 || b.bias != 0 && !c.law.fromZero(&b)
	if n := math.Abs(p); c.logs && sum && n > 1 {
		c.logged = true
	} else if n == math.Trunc(n) && n <= highestWhole {
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

func (c *composer) call(f formula.Func, args []composed) composed {
	z := make([]affine, len(args))
	for i, x := range args {
		z[i] = c.plain(x)
	}
	switch f {
	case formula.Exp:
		return composed{log: &z[0]}
	case formula.Sqrt:
		return c.power(composed{affine: z[0]}, composed{affine: constant(0.5)})
	case formula.Tanh: // 2·sigmoid(2z) − 1, without these constants
		if slices.Contains(c.units, model.Sigmoid) {
			return composed{affine: c.law.add(model.Tanh, z)}
		}
	case formula.Acos: // π/2 − asin(z)
		return composed{affine: constant(math.Pi/2).plus(c.unit(model.Asin, z[0]), -1)}
	case formula.Max: // b + max(a − b, 0)
		return composed{affine: z[1].plus(c.unit(model.Max, z[0].plus(z[1], -1)), 1)}
	case formula.Min: // b − max(b − a, 0)
		return composed{affine: z[1].plus(c.unit(model.Max, z[1].plus(z[0], -1)), -1)}
	}
	if unit, ok := model.UnitOf(f); ok {
		return composed{affine: c.unit(unit, z[0])}
	}
	c.err = fmt.Errorf("no unit computes %s", f)
	return composed{}
}
