package fit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/formula"
)

// projection solves for the constants that enter linearly when the others are given.
type projection struct {
	linear []bool // of the constants of the form
	basis  []*formula.Program
	offset *formula.Program // the form without them
	d      Data
	cols   [][]float64
}

func newProjection(f Named, d Data) (*projection, error) {
	pr := &projection{linear: f.Linear(), d: d}
	vars := append(slices.Clone(f.Inputs), f.names()...)
	zero := map[string]formula.Expr{}
	for i, c := range f.Constants {
		if !pr.linear[i] {
			continue
		}
		zero[c.Name] = formula.Const(0)
		b, err := formula.Compile(formula.Diff(f.Expr, c.Name), vars)
		if err != nil {
			return nil, err
		}
		pr.basis = append(pr.basis, b)
	}
	offset, err := formula.Compile(formula.Substitute(f.Expr, zero), vars)
	if err != nil {
		return nil, err
	}
	pr.offset, pr.cols = offset, slices.Clone(d.X)
	for range f.Constants {
		pr.cols = append(pr.cols, make([]float64, d.Rows()))
	}
	return pr, nil
}

// Linear marks constants without a start whose derivative, and those of the others marked, no constant marked is in.
func (f Named) Linear() []bool {
	marked := make([]bool, len(f.Constants))
	var readers [][]string // variables of the derivatives of those marked
	for i, c := range f.Constants {
		if !math.IsNaN(c.Start) {
			continue
		}
		vars := formula.Vars(formula.Simplify(formula.Diff(f.Expr, c.Name)))
		free := !slices.Contains(vars, c.Name)
		for k, other := range f.Constants {
			free = free && (!marked[k] || !slices.Contains(vars, other.Name))
		}
		for _, r := range readers {
			free = free && !slices.Contains(r, c.Name)
		}
		if marked[i] = free; free {
			readers = append(readers, vars)
		}
	}
	return marked
}

// solve returns the constants with the linear ones that fit best; as they are, where there are no such.
func (pr *projection) solve(p []float64) []float64 {
	n := len(pr.basis)
	if n == 0 || pr.d.Rows() < n {
		return p
	}
	for i, v := range p {
		for r := range pr.cols[len(pr.d.X)+i] {
			pr.cols[len(pr.d.X)+i][r] = v
		}
	}
	a, y := mat.NewDense(pr.d.Rows(), n, nil), make([]float64, pr.d.Rows())
	scale := make([]float64, n)
	for k, b := range pr.basis {
		b.EvalColumns(y, pr.cols)
		pr.d.Weigh(y, 0)
		scale[k] = floats.Norm(y, 2)
		if !(scale[k] > 0) || math.IsInf(scale[k], 0) {
			return p
		}
		floats.Scale(1/scale[k], y)
		a.SetCol(k, y)
	}
	pr.offset.EvalColumns(y, pr.cols)
	floats.SubTo(y, pr.d.Y, y)
	pr.d.Weigh(y, 0)
	var qr mat.QR
	qr.Factorize(a)
	var w mat.VecDense
	if err := qr.SolveVecTo(&w, false, mat.NewVecDense(len(y), y)); Fails(err) {
		return p
	}
	p = slices.Clone(p)
	k := 0
	for i, linear := range pr.linear {
		if linear {
			p[i] = w.AtVec(k) / scale[k]
			k++
		}
	}
	return p
}
