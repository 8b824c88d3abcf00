package formula

import (
	"slices"
	"sync"
)

// Program is a compiled expression: a list of instructions over registers, equal parts
// computed once. It gives the values of [Eval] up to rounding in the last digits, never
// allocates after its first use on a processor, and may be used by several goroutines at
// once.
type Program struct {
	vars   int
	code   []instruction
	result int
	regs   int       // registers needed
	pool   sync.Pool // of *[]float64, regs blocks
}

// instruction computes register dst from the registers a and b, or from value.
type instruction struct {
	op     opcode
	dst    int
	a, b   int // registers; for opVar, a is the variable
	f      *funcInfo
	value  float64
	number bool // b is value
}

type opcode uint8

const (
	opConst opcode = iota // dst = value
	opVar                 // dst = variable a
	opAdd                 // dst = a + b
	opSub                 // dst = a - b
	opMul                 // dst = a * b
	opDiv                 // dst = a / b
	opInv                 // dst = 1 / a
	opPow                 // dst = a ^ b
	opCall                // dst = f(a)
	opPick                // dst = f(a, b)
)

// block is how many rows are computed together: few enough to stay in the cache.
const block = 128

// Compile prepares e for fast evaluation; x[i] will be the value of vars[i]. It is an error
// when e has a variable that is not among vars; more vars than e has are fine.
func Compile(e Expr, vars []string) (*Program, error) {
	code, result, err := compile(e, vars)
	if err != nil {
		return nil, err
	}
	p := &Program{vars: len(vars), code: code, result: result}
	p.allocate()
	size := p.regs * block
	p.pool.New = func() any {
		mem := make([]float64, size)
		return &mem
	}
	return p, nil
}

// Eval returns the value at x, one number a variable in the order given to [Compile]; it
// panics when x is too short.
func (p *Program) Eval(x []float64) float64 {
	mem := p.pool.Get().(*[]float64)
	for i := range p.code {
		in := &p.code[i]
		r := (*mem)[in.dst*block:]
		switch in.op {
		case opVar:
			r[0] = x[in.a]
		default:
			in.run(*mem, 1)
		}
	}
	y := (*mem)[p.result*block]
	p.pool.Put(mem)
	return y
}

// EvalColumns computes dst[i] from cols[v][i] for each row i of dst. There is one column a
// variable, in the order given to [Compile], each at least as long as dst; it panics
// otherwise.
func (p *Program) EvalColumns(dst []float64, cols [][]float64) {
	for v := range p.vars {
		if len(dst) > 0 {
			_ = cols[v][len(dst)-1]
		}
	}
	mem := p.pool.Get().(*[]float64)
	for from := 0; from < len(dst); from += block {
		n := min(block, len(dst)-from)
		for i := range p.code {
			in := &p.code[i]
			if in.op == opVar {
				copy((*mem)[in.dst*block:][:n], cols[in.a][from:from+n])
				continue
			}
			in.run(*mem, n)
		}
		copy(dst[from:from+n], (*mem)[p.result*block:])
	}
	p.pool.Put(mem)
}

// run computes n rows.
func (in *instruction) run(mem []float64, n int) {
	dst := mem[in.dst*block:][:n]
	if in.op == opConst {
		for i := range dst {
			dst[i] = in.value
		}
		return
	}
	a := mem[in.a*block:][:n]
	if in.number {
		in.runNumber(dst, a)
		return
	}
	b := mem[in.b*block:][:n]
	switch in.op {
	case opAdd:
		for i := range dst {
			dst[i] = a[i] + b[i]
		}
	case opSub:
		for i := range dst {
			dst[i] = a[i] - b[i]
		}
	case opMul:
		for i := range dst {
			dst[i] = a[i] * b[i]
		}
	case opDiv:
		for i := range dst {
			dst[i] = a[i] / b[i]
		}
	case opInv:
		for i := range dst {
			dst[i] = 1 / a[i]
		}
	case opPow:
		for i := range dst {
			dst[i] = pow(a[i], b[i])
		}
	case opCall:
		value := in.f.value
		for i := range dst {
			dst[i] = value(a[i])
		}
	case opPick:
		for i := range dst {
			dst[i] = picked(in.f.pick, a[i], b[i])
		}
	}
}

// runNumber computes rows whose second operand is a number.
func (in *instruction) runNumber(dst, a []float64) {
	v := in.value
	switch in.op {
	case opAdd:
		for i := range dst {
			dst[i] = a[i] + v
		}
	case opMul:
		for i := range dst {
			dst[i] = a[i] * v
		}
	case opPow:
		for i := range dst {
			dst[i] = pow(a[i], v)
		}
	}
}

// allocate maps the virtual registers of the code, one per instruction, to as few target ones
// as it can: a register is free after its last use.
func (p *Program) allocate() {
	last := make([]int, len(p.code))
	for i, in := range p.code {
		for _, r := range in.operands() {
			last[r] = i
		}
	}
	last[p.result] = len(p.code)
	target := make([]int, len(p.code))
	var free []int
	for i := range p.code {
		in := &p.code[i]
		ops := in.operands()
		for k, r := range ops {
			if last[r] == i && !slices.Contains(ops[:k], r) {
				free = append(free, target[r])
			}
		}
		if n := len(free); n > 0 {
			target[i], free = free[n-1], free[:n-1]
		} else {
			target[i] = p.regs
			p.regs++
		}
		if in.op != opVar {
			in.a, in.b = target[in.a], target[in.b]
		}
		in.dst = target[i]
	}
	p.result = target[p.result]
}

// operands returns the registers that the instruction reads.
func (in *instruction) operands() []int {
	switch {
	case in.op == opConst || in.op == opVar:
		return nil
	case in.number || in.op == opInv || in.op == opCall:
		return []int{in.a}
	}
	return []int{in.a, in.b}
}
