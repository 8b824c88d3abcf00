package formula

import (
	"math"
	"sync"
)

// Gradient is an expression compiled for its values and its derivatives with respect to any of its
// variables, at once: by reverse accumulation, for a few times the work of the values alone, however many
// variables there are. For the derivatives with respect to constants, see [Parametrize]. It never
// allocates after its first use on a processor, and may be used by several goroutines at once.
type Gradient struct {
	vars   int
	code   []instruction // instruction i writes register i
	result int
	pool   sync.Pool // of *workspace
}

// workspace holds a block of values and of adjoints (the derivatives of the result) for each register, and
// whether a wanted derivative goes through it: 1 or 0.
type workspace struct {
	values, adjoints, active []float64
}

// CompileGradient prepares e; x[i] will be the value of vars[i]. It is an error when e has a variable that
// is not among vars; more vars than e has are fine.
func CompileGradient(e Expr, vars []string) (*Gradient, error) {
	code, result, err := compile(e, vars)
	if err != nil {
		return nil, err
	}
	for i := range code {
		code[i].dst = i
	}
	g := &Gradient{vars: len(vars), code: code, result: result}
	g.pool.New = func() any {
		n := len(code)
		mem := make([]float64, (2*block+1)*n)
		return &workspace{mem[:n*block], mem[n*block : 2*n*block], mem[2*n*block:]}
	}
	return g, nil
}

// EvalColumns computes dst[i] from cols[v][i] for each row i of dst, and in grad[v][i] the derivative with
// respect to variable v there. There is one column and one gradient a variable, in the order given to
// [CompileGradient], each at least as long as dst; it panics otherwise. A derivative that is not wanted may be nil.
func (g *Gradient) EvalColumns(dst []float64, grad, cols [][]float64) {
	for v := range g.vars {
		if len(dst) > 0 {
			_ = cols[v][len(dst)-1]
		}
		if grad[v] != nil {
			clear(grad[v][:len(dst)])
		}
	}
	w := g.pool.Get().(*workspace)
	for i, in := range g.code {
		w.active[i] = 0
		if in.op == opVar && grad[in.a] != nil {
			w.active[i] = 1
		}
		for _, r := range in.operands() {
			w.active[i] = max(w.active[i], w.active[r])
		}
	}
	for from := 0; from < len(dst); from += block {
		n := min(block, len(dst)-from)
		for i := range g.code {
			in := &g.code[i]
			if in.op == opVar {
				copy(w.row(w.values, i, n), cols[in.a][from:])
				continue
			}
			in.run(w.values, n)
		}
		copy(dst[from:from+n], w.row(w.values, g.result, n))
		g.back(w, n)
		for i, in := range g.code {
			if w.active[i] == 1 && in.op == opVar {
				copy(grad[in.a][from:from+n], w.row(w.adjoints, i, n))
			}
		}
	}
	g.pool.Put(w)
}

func (w *workspace) row(mem []float64, i, n int) []float64 { return mem[i*block:][:n] }

// back computes the adjoints from the result to the variables: when y = f(a), that of a is that of y
// times f′(a), summed over all that read a.
func (g *Gradient) back(w *workspace, n int) {
	clear(w.adjoints)
	for i := range n {
		w.adjoints[g.result*block+i] = 1
	}
	for i := g.result; i >= 0; i-- {
		in := &g.code[i]
		operands := in.operands()
		if len(operands) == 0 || w.active[i] == 0 {
			continue
		}
		y, bar := w.row(w.values, i, n), w.row(w.adjoints, i, n)
		a := w.row(w.values, in.a, n)
		if w.active[in.a] == 1 {
			in.backFirst(w.row(w.adjoints, in.a, n), bar, y, a, w.row(w.values, in.b, n))
		}
		if len(operands) == 2 && w.active[in.b] == 1 {
			in.backSecond(w.row(w.adjoints, in.b, n), bar, y, a, w.row(w.values, in.b, n))
		}
	}
}

// backFirst adds to the adjoint of operand a. bar is the adjoint of the value y; b is the other operand.
func (in *instruction) backFirst(to, bar, y, a, b []float64) {
	v := in.value
	switch {
	case in.op == opAdd, in.op == opSub:
		for i, d := range bar {
			to[i] += d
		}
	case in.op == opMul && in.number:
		for i, d := range bar {
			to[i] += d * v
		}
	case in.op == opMul:
		for i, d := range bar {
			to[i] += d * b[i]
		}
	case in.op == opDiv:
		for i, d := range bar {
			to[i] += d / b[i]
		}
	case in.op == opInv:
		for i, d := range bar {
			to[i] -= d * y[i] * y[i]
		}
	case in.op == opPow && in.number:
		for i, d := range bar {
			to[i] += d * v * pow(a[i], v-1)
		}
	case in.op == opPow:
		for i, d := range bar {
			to[i] += d * b[i] * pow(a[i], b[i]-1)
		}
	case in.op == opCall:
		slope := in.f.slope
		for i, d := range bar {
			to[i] += d * slope(a[i], y[i])
		}
	case in.op == opPick:
		for i, d := range bar {
			to[i] += d * share(in.f.pick, a[i], b[i])
		}
	}
}

// backSecond adds to the adjoint of operand b.
func (in *instruction) backSecond(to, bar, y, a, b []float64) {
	switch in.op {
	case opAdd:
		for i, d := range bar {
			to[i] += d
		}
	case opSub:
		for i, d := range bar {
			to[i] -= d
		}
	case opMul:
		for i, d := range bar {
			to[i] += d * a[i]
		}
	case opDiv:
		for i, d := range bar {
			to[i] -= d * y[i] / b[i]
		}
	case opPow:
		for i, d := range bar {
			if y[i] != 0 { // 0^w stays 0 whatever w > 0
				to[i] += d * y[i] * math.Log(a[i])
			}
		}
	case opPick:
		for i, d := range bar {
			to[i] += d * share(in.f.pick, b[i], a[i])
		}
	}
}
