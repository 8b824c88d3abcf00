package formula

import "slices"

// encloser encloses the values and the slopes of an expression over boxes of its variables. It holds what it computed
// last, so only one goroutine may use it at a time.
type encloser struct {
	code   []instruction // instruction i writes register i
	result int
	parts  []Expr // what each register is, nil for what is between parts
	values []span
	slopes []span // of the result, by each register
	reach  []bool
}

// newEncloser prepares e. There will be one interval for each of vars; e has no other variables.
func newEncloser(e Expr, vars []string) *encloser {
	c := &compiler{vars: map[string]int{}, known: map[uint64][]compiled{}}
	for i, name := range vars {
		c.vars[name] = i
	}
	result := c.expr(e)
	n := len(c.code)
	x := &encloser{
		code: c.code, result: result, parts: make([]Expr, n),
		values: make([]span, n), slopes: make([]span, n), reach: make([]bool, n),
	}
	for _, list := range c.known {
		for _, k := range list {
			x.parts[k.reg] = k.e
		}
	}
	for i := range x.code {
		x.code[i].dst = i
		if in := &x.code[i]; in.op == opPow && !in.number { // an exponent like 2/3 is a number too
			if exp, ok := constantValue(x.parts[in.b]); ok {
				in.number, in.value = true, exp
			}
		}
	}
	return x
}

// constantValue returns the value of an expression without variables.
func constantValue(e Expr) (float64, bool) {
	if v, ok := e.(number); ok {
		return float64(v), true
	}
	if !isConstant(e) {
		return 0, false
	}
	return eval(e, nil), true
}

// enclose returns the span of the expression over a box.
func (x *encloser) enclose(box []Interval) span {
	for i := range x.code {
		in := &x.code[i]
		if in.op == opVar {
			x.values[i] = span{lo: box[in.a].Lo, hi: box[in.a].Hi}
			continue
		}
		x.values[i] = x.run(in)
	}
	return x.values[x.result]
}

func (x *encloser) run(in *instruction) span {
	if in.op == opConst {
		return exactly(in.value)
	}
	a := x.values[in.a]
	b := exactly(in.value)
	if !in.number {
		b = x.values[in.b]
	}
	switch in.op {
	case opAdd:
		return a.add(b)
	case opSub:
		return a.sub(b)
	case opMul:
		if !in.number && in.a == in.b {
			return a.square()
		}
		return a.mul(b)
	case opDiv:
		return a.div(b)
	case opInv:
		return exactly(1).div(a)
	case opPow:
		return a.pow(b)
	}
	if in.op == opPick {
		return a.picked(in.f.pick, b)
	}
	return in.f.values(a)
}

// slopesBy encloses the derivatives over the box that was enclosed last, by each variable, in order: by reverse
// accumulation, as [Gradient] does.
func (x *encloser) slopesBy(dst []span) {
	clear(x.slopes)
	clear(dst)
	x.slopes[x.result] = exactly(1)
	for i := x.result; i >= 0; i-- {
		bar := x.slopes[i]
		in := &x.code[i]
		if in.op == opVar {
			dst[in.a] = bar
		}
		if bar == (span{}) || in.op == opVar || in.op == opConst {
			continue
		}
		byFirst, bySecond := x.partial(in, x.values[i])
		x.slopes[in.a] = x.slopes[in.a].add(bar.mul(byFirst))
		if !in.number && in.op != opInv && in.op != opCall {
			x.slopes[in.b] = x.slopes[in.b].add(bar.mul(bySecond))
		}
	}
}

// partial returns the derivatives of an instruction's value y by its operands.
func (x *encloser) partial(in *instruction, y span) (byFirst, bySecond span) {
	a := x.values[in.a]
	b := exactly(in.value)
	if !in.number && in.op != opInv && in.op != opCall {
		b = x.values[in.b]
	}
	switch in.op {
	case opAdd:
		return exactly(1), exactly(1)
	case opSub:
		return exactly(1), exactly(-1)
	case opMul:
		return b, a
	case opDiv:
		return exactly(1).div(b), y.div(b).negative()
	case opInv:
		return y.square().negative(), span{}
	case opPow:
		if in.number {
			return b.mul(a.powNumber(in.value - 1)), span{}
		}
		return b.mul(a.pow(b.sub(exactly(1)))), y.mul(logarithm(a))
	case opPick:
		return a.shareIn(in.f.pick, b), b.shareIn(in.f.pick, a)
	}
	return in.f.slopes(a, y), span{}
}

// overflow returns a register whose values may become infinite, or NaN, over the box that was enclosed last although
// its operands are finite, if that reaches the result: 1/(1 + exp(-x)) is 0 where exp(-x) overflows. A register that
// does so since it leaves its domain, as 1/x near 0, is a pole, and returned when nothing else is found.
func (x *encloser) overflow() (reg int, found, poles bool) {
	clear(x.reach)
	x.reach[x.result] = true
	for i := x.result; i >= 0; i-- {
		if !x.reach[i] || x.values[i].finite() {
			continue
		}
		in := &x.code[i]
		own := true
		for _, r := range in.operands() {
			if !x.values[r].finite() {
				x.reach[r], own = true, false
			}
		}
		switch {
		case own && x.leaves(in):
			poles = true
			if !found {
				reg = i
			}
		case own:
			reg, found = i, true
		}
	}
	return reg, found, poles
}

// leaves reports whether an instruction leaves its own domain, whatever its operands did.
func (x *encloser) leaves(in *instruction) bool {
	operands := in.operands()
	var marks [2]mark
	for k, r := range operands {
		marks[k], x.values[r].mark = x.values[r].mark, 0
	}
	left := x.run(in).mark&cut != 0
	for k, r := range slices.Backward(operands) { // an operand may be there twice
		x.values[r].mark = marks[k]
	}
	return left
}

// part returns the part of the expression that a register belongs to: its own, or that of the first reader with one.
func (x *encloser) part(reg int) Expr {
	for i := reg; i < len(x.code); i++ {
		for _, r := range x.code[i].operands() {
			if r == reg {
				reg = i
			}
		}
		if i == reg && x.parts[i] != nil {
			return x.parts[i]
		}
	}
	return x.parts[x.result]
}
