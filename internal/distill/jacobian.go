package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/kernel"
	"github.com/eqlearner/eql/model"
)

// evaluator computes a law and its derivatives, a block of rows at a time.
type evaluator struct {
	l        *Law
	places   []place       // of the constants, which stay the same ones when one becomes 0 or 1 on the way
	values   [][]float64   // of each source
	args     [][][]float64 // of each unit, its arguments z
	slopes   [][]float64   // of each unary unit, f′(z)
	adjoint  [][]float64   // v̄ = ∂out/∂v of each unit's value v
	dargs    [][][]float64 // z̄ = ∂out/∂z of each unit's arguments z
	out      []float64
	ones     []float64 // the adjoint of the output
	sides    []sides   // of each unit, those of its argument since [evaluator.begin]
	jac      []float64 // scratch of [evaluator.normal]
	products []float64 // scratch of [evaluator.square]
	res      []float64
}

func newEvaluator(l *Law) *evaluator {
	e := &evaluator{l: l, places: l.places(), values: make([][]float64, l.inputs), out: make([]float64, fit.BlockRows),
		ones: make([]float64, fit.BlockRows), res: make([]float64, fit.BlockRows), sides: make([]sides, len(l.units))}
	for r := range e.ones {
		e.ones[r] = 1
	}
	for _, u := range l.units {
		e.values = append(e.values, make([]float64, fit.BlockRows))
		e.adjoint = append(e.adjoint, make([]float64, fit.BlockRows))
		e.slopes = append(e.slopes, make([]float64, fit.BlockRows))
		args, dargs := make([][]float64, len(u.args)), make([][]float64, len(u.args))
		for k := range args {
			args[k], dargs[k] = make([]float64, fit.BlockRows), make([]float64, fit.BlockRows)
		}
		e.args, e.dargs = append(e.args, args), append(e.dargs, dargs)
	}
	return e
}

// forward computes rows from ≤ i < to and returns the outputs, which the next call overwrites.
func (e *evaluator) forward(x [][]float64, from, to int) []float64 {
	n := to - from
	for j := range e.l.inputs {
		e.values[j] = x[j][from:to]
	}
	for i, u := range e.l.units {
		for k, a := range u.args {
			e.affine(e.args[i][k][:n], a)
		}
		e.apply(i, n)
	}
	e.affine(e.out[:n], e.l.out)
	return e.out[:n]
}

// logOfZero returns the logarithm of 0 in the unit that is a source, −∞. It is a finite number below all others where
// that makes no difference, so that derivatives are finite: where exponentials alone read it, with positive weights,
// and 0^w = exp(w·log 0) is 0.
func (l *Law) logOfZero(from int) float64 {
	other := func(t term) bool { return t.from == from }
	if slices.ContainsFunc(l.out.terms, other) {
		return math.Inf(-1)
	}
	for _, u := range l.units {
		if u.kind == model.Exp {
			other = func(t term) bool { return t.from == from && !(t.w > 0) }
		} else {
			other = func(t term) bool { return t.from == from }
		}
		for _, a := range u.args {
			if slices.ContainsFunc(a.terms, other) {
				return math.Inf(-1)
			}
		}
	}
	const lowest = -1e300
	return lowest
}

// apply computes the value of unit i and, where it has one argument, its slope.
func (e *evaluator) apply(i, n int) {
	kind, v, slope := e.l.units[i].kind, e.values[e.l.inputs+i][:n], e.slopes[i][:n]
	copy(v, e.args[i][0])
	switch kind {
	case model.Product:
		for r, w := range e.args[i][1][:n] {
			v[r] *= w
		}
	case model.Sin:
		kernel.Sin(v, slope)
	case model.Cos:
		kernel.Cos(v, slope)
	case model.Sigmoid:
		kernel.Sigmoid(v, slope)
	case model.Tanh:
		kernel.Tanh(v, slope)
	case model.Reciprocal:
		e.sides[i].note(v)
		for r, z := range v {
			v[r] = 1 / z
			slope[r] = -v[r] * v[r]
		}
	case model.Exp:
		for r, z := range v {
			v[r] = math.Exp(z)
		}
		copy(slope, v)
	case model.Log:
		for r, z := range v {
			if v[r], slope[r] = math.Log(z), 1/z; z == 0 {
				v[r], slope[r] = e.l.logOfZero(e.l.inputs+i), 0
			}
		}
	default:
		for r, z := range v {
			v[r] = kind.Value(z, 0)
			slope[r], _ = kind.Derivative(z, 0)
		}
		if kind == model.Tan {
			e.sides[i].noteTangents(e.args[i][0][:n])
		}
	}
}

func (e *evaluator) affine(dst []float64, a affine) {
	for r := range dst {
		dst[r] = a.bias
	}
	for _, t := range a.terms {
		axpy(dst, t.w, e.values[t.from])
	}
}

func axpy(dst []float64, w float64, x []float64) { floats.AddScaled(dst, w, x[:len(dst)]) }

// backward writes ∂out/∂p of the n rows of the last forward pass to row p of jac, whose stride
// is blockRows, for every constant p in the order of [Law.params].
//
// It is reverse accumulation. With the adjoint v̄ of a unit's value, an argument z of the unit has
// z̄ = v̄·∂f/∂z; that is the derivative of the argument's bias, z̄ times a source is that of the
// source's weight, and the source's own adjoint grows by w·z̄.
func (e *evaluator) backward(jac []float64, n int) {
	for i := range e.adjoint {
		clear(e.adjoint[i][:n])
	}
	e.spread(e.l.out, e.ones[:n])
	for i := len(e.l.units) - 1; i >= 0; i-- {
		e.differentiate(i, n)
		for k, a := range e.l.units[i].args {
			e.spread(a, e.dargs[i][k][:n])
		}
	}
	for p, at := range e.places {
		a, d := e.l.out, e.ones
		if at.unit != outUnit {
			a, d = e.l.units[at.unit].args[at.arg], e.dargs[at.unit][at.arg]
		}
		dst := jac[p*fit.BlockRows : p*fit.BlockRows+n]
		copy(dst, d)
		if at.term != biasTerm {
			for r, v := range e.values[a.terms[at.term].from][:n] {
				dst[r] *= v
			}
		}
	}
}

// differentiate computes z̄ of the arguments of unit i from its adjoint.
func (e *evaluator) differentiate(i, n int) {
	v, z, d := e.adjoint[i][:n], e.args[i], e.dargs[i]
	if e.l.units[i].kind == model.Product {
		for r := range v {
			d[0][r], d[1][r] = v[r]*z[1][r], v[r]*z[0][r]
		}
		return
	}
	for r, f := range e.slopes[i][:n] {
		d[0][r] = v[r] * f
	}
}

// spread adds what an argument with adjoint d owes to the units among its sources.
func (e *evaluator) spread(a affine, d []float64) {
	for _, t := range a.terms {
		if i := t.from - e.l.inputs; i >= 0 {
			axpy(e.adjoint[i][:len(d)], t.w, d)
		}
	}
}

// Predict returns the law's values for the rows of x.
func (l *Law) Predict(x [][]float64, rows int) []float64 {
	e := newEvaluator(l)
	y := make([]float64, 0, rows)
	for from := 0; from < rows; from += fit.BlockRows {
		y = append(y, e.forward(x, from, min(from+fit.BlockRows, rows))...)
	}
	return y
}

// SSE returns the sum of squared errors, +Inf when the law cannot be used on the rows, see [evaluator.usable]. All that
// fits, searches and chooses laws goes by it, so that such laws are neither offered nor accepted.
func (l *Law) SSE(d fit.Data) float64 { return newEvaluator(l).sse(d) }

func (e *evaluator) sse(d fit.Data) float64 {
	e.begin()
	sum := 0.0
	for from := 0; from < d.Rows(); from += fit.BlockRows {
		to := min(from+fit.BlockRows, d.Rows())
		res := e.res[:to-from]
		for r, v := range e.forward(d.X, from, to) {
			res[r] = v - d.Y[from+r]
		}
		d.Weigh(res, from)
		for _, r := range res {
			sum += r * r
		}
	}
	if !e.usable(d, sum) {
		return math.Inf(1)
	}
	return sum
}

func (l *Law) normal(d fit.Data) fit.Normal { return newEvaluator(l).normal(d) }

// SpentOnConstants returns the logarithm of the determinant of the constants' normal equations over that with equal
// weights, and 0 where a constant is open. By it the likelihood of weights differs from the restricted one (Patterson
// and Thompson 1971): rows of large weight that constants are taken from say little about errors.
func (l *Law) SpentOnConstants(d fit.Data) float64 {
	equal := d
	equal.W = nil
	var logs [2]float64
	for i, rows := range []fit.Data{equal, d} {
		eq := l.normal(rows)
		var c mat.Cholesky
		if eq.JTJ.N == 0 || !c.Factorize(mat.NewSymDense(eq.JTJ.N, eq.JTJ.Data)) {
			return 0
		}
		logs[i] = c.LogDet()
	}
	return logs[1] - logs[0]
}

func (e *evaluator) normal(d fit.Data) fit.Normal {
	p := len(e.places)
	eq := fit.Normal{
		JTJ: blas64.Symmetric{N: p, Stride: max(p, 1), Uplo: blas.Upper, Data: make([]float64, p*p)},
		JTR: make([]float64, p),
	}
	if len(e.jac) != p*fit.BlockRows {
		e.jac = make([]float64, p*fit.BlockRows)
	}
	jac, res := e.jac, e.res
	e.begin()
	for from := 0; from < d.Rows(); from += fit.BlockRows {
		to := min(from+fit.BlockRows, d.Rows())
		n := to - from
		for r, v := range e.forward(d.X, from, to) {
			res[r] = v - d.Y[from+r]
		}
		d.Weigh(res[:n], from)
		for _, r := range res[:n] {
			eq.SSE += r * r
		}
		if p == 0 {
			continue
		}
		e.backward(jac, n)
		for i := range p {
			clear(jac[i*fit.BlockRows+n : (i+1)*fit.BlockRows])
		}
		block := blas64.General{Rows: p, Cols: n, Stride: fit.BlockRows, Data: jac}
		d.WeighRows(block, from)
		e.square(eq.JTJ, jac)
		blas64.Gemv(blas.NoTrans, 1, block, blas64.Vector{N: n, Inc: 1, Data: res}, 1,
			blas64.Vector{N: p, Inc: 1, Data: eq.JTR})
	}
	if !e.usable(d, eq.SSE) {
		eq.SSE = math.Inf(1)
	}
	return eq
}

// square adds J·Jᵀ to the upper triangle of sum, for rows of J of a block's length. Four rows of data
// are taken for the lanes of the kernel that makes gradients of weights: three to six times as
// fast as Syrk of gonum, which is most of what a fit costs.
func (e *evaluator) square(sum blas64.Symmetric, jac []float64) {
	const lanes, tile = kernel.Block, 16
	p := sum.N
	if len(e.products) < tile*(p+1)*lanes {
		e.products = make([]float64, tile*(p+1)*lanes)
	}
	for i := 0; i < p; i += tile {
		s := kernel.Shape{Rows: min(tile, p-i), In: p - i, Batch: fit.BlockRows / lanes, Lanes: lanes}
		kernel.AffineWeights(e.products[:s.Weights()], jac[i*fit.BlockRows:(i+s.Rows)*fit.BlockRows],
			jac[i*fit.BlockRows:p*fit.BlockRows], s)
		for r := range s.Rows {
			to := sum.Data[(i+r)*sum.Stride+i : (i+r)*sum.Stride+p]
			for k := r; k < s.In; k++ {
				w := e.products[(r*(s.In+1)+k)*lanes:]
				to[k] += (w[0] + w[1]) + (w[2] + w[3])
			}
		}
	}
}

// lawProblem fits a law. It changes the law's constants as it goes.
type lawProblem struct {
	eval      *evaluator // of the law
	constants []*float64 // of the law
	data      fit.Data
}

func (f lawProblem) set(p []float64) {
	for i, c := range f.constants {
		*c = p[i]
	}
}

func (f lawProblem) Normal(p []float64) fit.Normal { f.set(p); return f.eval.normal(f.data) }
func (f lawProblem) SSE(p []float64) float64       { f.set(p); return f.eval.sse(f.data) }
func (f lawProblem) Ended() bool                   { return f.data.Ended() }

// fit returns the law in canonical form with its constants fitted, and the normal equations there.
func (l *Law) fit(d fit.Data, steps int, tol float64) (*Law, fit.Normal) {
	l = l.canonical()
	f := lawProblem{newEvaluator(l), l.params(), d}
	var p []float64
	for _, c := range f.constants {
		p = append(p, *c)
	}
	p, eq := fit.Levenberg(f, p, steps, tol)
	f.set(p)
	if !slices.Equal(l.places(), f.eval.places) {
		eq = l.normal(d) // a constant became 0, or the weight that is held, and others are left
	}
	return l, eq
}
