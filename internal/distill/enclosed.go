package distill

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// An enclosing is a function that a law may stand in, of values y > 0.
type enclosing struct {
	value   func(z float64) float64
	inverse func(y float64) float64
	weight  func(y float64) float64 // of a row whose error of y is 1, in a fit of the inverse: 1 over its derivative
	least   float64                 // values of y below, relative to their RMS, are too uncertain to be inverted
	logs    bool                    // the law may have logarithms
	unit    func(l *Law, z affine) affine
}

var exponential = enclosing{
	value: math.Exp, inverse: math.Log, weight: func(y float64) float64 { return y }, least: 0.1, logs: true,
	unit: func(l *Law, z affine) affine { return l.add(model.Exp, []affine{z}) },
}

var root = enclosing{
	value: math.Sqrt, inverse: func(y float64) float64 { return y * y }, weight: func(y float64) float64 { return 1 / y },
	unit: func(l *Law, z affine) affine {
		return l.add(model.Exp, []affine{constant(0).plus(l.add(model.Log, []affine{z}), half)})
	},
}

// enclosed is the search for a law that stands in a function.
type enclosed struct {
	enclosing
	sign      float64       // of y
	g         *grower       // fits y
	outer     fit.Data      // the rows of the score, with y
	criterion fit.Criterion // of these
}

// around returns a law in its function.
func (e *enclosed) around(l *Law) *Law {
	l = l.clone()
	l.out = constant(0).plus(e.unit(l, l.out), e.sign)
	return l
}

// weights returns the root weights, for a fit of the inverse, of the rows of the score with the given y.
func (e *enclosed) weights(y []float64) []float64 {
	w := make([]float64, len(y))
	for i, v := range y {
		if v *= e.sign; v > 0 {
			w[i] = e.weight(v)
		}
	}
	e.outer.Weigh(w, 0)
	return w
}

// inside returns what y is of, the least of it where y has the other sign.
func (e *enclosed) inside(y []float64) []float64 {
	least := math.Inf(1)
	for _, v := range y {
		if v *= e.sign; v > 0 {
			least = math.Min(least, v)
		}
	}
	z := make([]float64, len(y))
	for i, v := range y {
		z[i] = e.inverse(math.Max(e.sign*v, least))
	}
	return z
}

// inner returns the data of the law that stands in the function, all of whose rows can be inverted. Root weights of y
// become those of the inverse; without any the inverse has none.
func (e *enclosed) inner(outer fit.Data) fit.Data {
	d := fit.Data{X: outer.X, Y: e.inside(outer.Y), Done: outer.Done}
	if outer.W != nil {
		sigma := make([]float64, outer.Rows())
		for i, y := range outer.Y {
			sigma[i] = 1 / (outer.W[i] * e.weight(e.sign*y))
		}
		d.W, _ = fit.RootWeights(sigma)
	}
	return d
}

// enclosed returns the best law that stands in a function.
func (g *grower) enclosed(function enclosing) (best state, ok bool) {
	e := &enclosed{enclosing: function, sign: fit.SignOf(g.data.Y), g: g}
	outer, ok := e.rows(g.data)
	if !ok {
		return best, false
	}
	sub := *g
	sub.data, sub.all = e.inner(outer), fit.Data{}
	sub.criterion, sub.seen, sub.divides = fit.NewCriterion(sub.data), nil, false
	sub.score, e.outer = sub.data, outer
	if rows := outer.Rows(); rows > scoreRows {
		outer = outer.Take(fit.Spread(rows, scoreRows))
		sub.score, e.outer = e.inner(outer), outer
	}
	e.criterion = fit.NewCriterion(outer)
	sub.dictionary = newDictionary(sub.score, sub.criterion, g.units, false, g.dictionary.each)
	logs := &form{inputs: len(outer.X), out: number(1)}
	if e.logs {
		for _, j := range fit.IndependentLogs(sub.data) {
			logs.out = logs.out.plus(termOf(1, logs.function(model.Log, termOf(1, j))), 1)
		}
		sub.dictionary.offer(logs)
	}
	ok = false
	take := func(at state) {
		if !ok || better(at.law, at.value, best.law, best.value) {
			best, ok = at, true
		}
	}
	var power state
	if len(logs.functions) > 0 {
		l, _ := logs.law()
		power = sub.pruned(l)
		take(g.settle(g.fit(e.around(power.law))))
	}
	if quotient, _, found := sub.quotientOrSum(&form{inputs: logs.inputs, functions: logs.functions}, true, e); found {
		take(quotient)
		if inner, ok := e.within(quotient.law); ok { // what it is made of may be the logarithms of something
			take(g.settle(g.fit(e.around(sub.tidy(sub.revisit(sub.fit(inner))).law))))
		}
	}
	if power.law != nil && !g.over() {
		take(g.settle(g.fit(e.around(sub.grow(power).law))))
	}
	if ok {
		best = g.grow(best)
	}
	return best, ok
}

// within returns the law that stands in an exponential.
func (e *enclosed) within(l *Law) (*Law, bool) {
	if !e.logs || len(l.out.terms) != 1 || l.out.bias != 0 || !(l.out.terms[0].w*e.sign > 0) {
		return nil, false
	}
	i := l.out.terms[0].from - l.inputs
	if i < 0 || l.units[i].kind != model.Exp {
		return nil, false
	}
	c := l.clone()
	c.out = c.units[i].args[0].plus(constant(math.Log(l.out.terms[0].w*e.sign)), 1)
	return c.withoutUnread(), true
}

// rows returns the rows whose y can be inverted; not ok when they are few.
func (e *enclosed) rows(d fit.Data) (some fit.Data, ok bool) {
	least := e.least * math.Sqrt(floats.Dot(d.Y, d.Y)/float64(d.Rows()))
	var rows []int
	for i, y := range d.Y {
		if e.sign*y > least {
			rows = append(rows, i)
		}
	}
	if len(rows) < 2*rowsOfGrowth || len(rows) < d.Rows()/10 {
		return fit.Data{}, false
	}
	some = d.Take(rows)
	return some, fit.StandardDeviation(some.Y) > 0
}
