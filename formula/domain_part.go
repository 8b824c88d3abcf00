package formula

import "math"

// condition is what a critical part must keep for another part to have a value.
type condition struct {
	kind           EdgeKind
	part, critical Expr
	must           must
}

// must is what the values of a critical part have to be.
type must uint8

const (
	notZero must = iota
	notNegative
	positive
)

// conditions returns the conditions of all parts of e, those of a part behind those of its own parts. Of one critical
// part the strictest stays: for 1/sqrt(x), that x is positive.
func conditions(e Expr, inputs []string, outer []Interval) []condition {
	var list []condition
	seen := map[uint64][]int{} // indices in list, by hash
	note := func(c condition) {
		h := c.critical.hash()
		for _, i := range seen[h] {
			switch o := &list[i]; {
			case !Equal(o.critical, c.critical):
			case c.must == positive && o.must != positive:
				*o = c
				return
			case c.must == o.must || o.must == positive:
				return
			}
		}
		seen[h] = append(seen[h], len(list))
		list = append(list, c)
	}
	var visit func(e Expr)
	visit = func(e Expr) {
		for _, x := range children(e) {
			visit(x)
		}
		if c, ok := conditionOf(e, inputs, outer); ok {
			c.part = e
			c.reduce(note)
		}
	}
	visit(e)
	return list
}

// conditionOf returns the condition under which e has a value where its parts have one, if there is any.
func conditionOf(e Expr, inputs []string, outer []Interval) (condition, bool) {
	switch e := e.(type) {
	case *call:
		if edge := e.f.info().edge; edge != nil {
			return edge(e.args[0]), true
		}
	case *power:
		least, isWhole := 0.0, false
		if c, ok := constantValue(e.exp); ok {
			least, isWhole = c, c == math.Trunc(c)
		} else {
			least = newEncloser(e.exp, inputs).enclose(outer).lo
		}
		switch {
		case least < 0 && isWhole:
			return condition{kind: PoleEdge, critical: e.base, must: notZero}, true
		case least < 0:
			return condition{kind: PoleEdge, critical: e.base, must: positive}, true
		case !isWhole:
			return condition{kind: RootEdge, critical: e.base, must: notNegative}, true
		}
	}
	return condition{}, false
}

// reduce calls note with the conditions on smaller parts that are the same as c where these parts have values: sqrt(x)
// is not zero where x is positive, nor x*y where neither factor is.
func (c condition) reduce(note func(condition)) {
	switch e := c.critical.(type) {
	case *call:
		switch {
		case e.f.info().positive, e.f == Abs && c.must == notNegative:
			return
		case e.f == Abs:
			c.critical, c.must = e.args[0], notZero
			c.reduce(note)
			return
		case e.f == Sqrt:
			if c.must != notNegative {
				c.critical, c.must = e.args[0], positive
				c.reduce(note)
			}
			return
		}
	case *power:
		if exp, ok := constantValue(e.exp); ok && !math.IsNaN(exp) && !math.IsInf(exp, 0) && exp != 0 {
			c.reducePower(e.base, exp, note)
			return
		}
	case *product:
		if first, ok := e.factors[0].(number); ok && first > 0 && c.must != notZero {
			c.critical = Mul(e.factors[1:]...)
			c.reduce(note)
			return
		}
		if c.must == notZero {
			for _, f := range e.factors {
				c.critical = f
				c.reduce(note)
			}
			return
		}
	}
	note(c)
}

// reducePower reduces a condition on base^exp.
func (c condition) reducePower(base Expr, exp float64, note func(condition)) {
	isWhole, even := exp == math.Trunc(exp), math.Mod(exp, 2) == 0
	switch {
	case exp < 0 && (c.must == notZero || even || !isWhole), (even || !isWhole) && c.must == notNegative:
		return // the base is not zero, and the rest follows
	case even:
		c.must = notZero
	case !isWhole:
		c.must = positive
	}
	c.critical = base
	c.reduce(note)
}
