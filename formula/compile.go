package formula

// compiler translates expressions into instructions, one virtual register each.
type compiler struct {
	vars  map[string]int
	code  []instruction
	known map[uint64][]compiled // by hash
}

type compiled struct {
	e   Expr
	reg int
}

// compile returns the instructions that compute e, each into a register of its own, and the register of the
// result.
func compile(e Expr, vars []string) (code []instruction, result int, err error) {
	c := &compiler{vars: map[string]int{}, known: map[uint64][]compiled{}}
	for i, name := range vars {
		c.vars[name] = i
	}
	for _, name := range Vars(e) {
		if _, ok := c.vars[name]; !ok {
			return nil, 0, unknownVariable(name)
		}
	}
	result = c.expr(e)
	return c.code, result, nil
}

// expr returns the register of e, and computes it if it is new.
func (c *compiler) expr(e Expr) int {
	h := e.hash()
	for _, k := range c.known[h] {
		if Equal(k.e, e) {
			return k.reg
		}
	}
	reg := c.compute(e)
	c.known[h] = append(c.known[h], compiled{e, reg})
	return reg
}

func (c *compiler) compute(e Expr) int {
	switch e := e.(type) {
	case number:
		return c.emit(instruction{op: opConst, value: float64(e)})
	case variable:
		return c.emit(instruction{op: opVar, a: c.vars[string(e)]})
	case *sum:
		return c.sum(e.terms)
	case *product:
		num, den := fraction(e)
		if len(den) == 0 {
			return c.product(num)
		}
		if len(num) == 0 {
			return c.emit(instruction{op: opInv, a: c.product(den)})
		}
		return c.emit(instruction{op: opDiv, a: c.product(num), b: c.product(den)})
	case *power:
		if inDenominator(e) {
			return c.emit(instruction{op: opInv, a: c.expr(inverse(e))})
		}
		return c.binary(opPow, c.expr(e.base), e.exp)
	case *call:
		in := instruction{op: opCall, f: e.f.info(), a: c.expr(e.args[0])}
		if in.f.pick != 0 {
			in.op, in.b = opPick, c.expr(e.args[1])
		}
		return c.emit(in)
	}
	panic("formula: unknown kind of expression")
}

func (c *compiler) sum(terms []Expr) int {
	reg := c.expr(terms[0])
	for _, t := range terms[1:] {
		if p, ok := t.(*product); ok && signOnly(p.factors) {
			reg = c.emit(instruction{op: opSub, a: reg, b: c.expr(Neg(t))})
			continue
		}
		reg = c.binary(opAdd, reg, t)
	}
	return reg
}

func (c *compiler) product(fs []Expr) int {
	first, isNumber := fs[0].(number)
	if !isNumber || len(fs) == 1 {
		reg := c.expr(fs[0])
		for _, f := range fs[1:] {
			reg = c.binary(opMul, reg, f)
		}
		return reg
	}
	reg := c.binary(opMul, c.expr(fs[1]), first)
	for _, f := range fs[2:] {
		reg = c.binary(opMul, reg, f)
	}
	return reg
}

// binary applies op to a register and an expression; numbers need no register.
func (c *compiler) binary(op opcode, a int, b Expr) int {
	if v, ok := b.(number); ok {
		return c.emit(instruction{op: op, a: a, value: float64(v), number: true})
	}
	return c.emit(instruction{op: op, a: a, b: c.expr(b)})
}

func (c *compiler) emit(in instruction) int {
	c.code = append(c.code, in)
	return len(c.code) - 1
}
