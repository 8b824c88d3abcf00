package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/formula"
)

// A PowerLaw is y = C·Π x_j^b_j. No unit of a network expresses it, other than near by, so it is
// a baseline: where it beats the formula, the law is probably one.
type PowerLaw struct {
	logC      float64 // ln |C|
	sign      float64 // of C
	inputs    []int
	exponents []float64
}

// Power fits a power law to the data: by least squares of the logarithms, and from there of y
// itself by Gauss and Newton. Inputs that are not positive throughout are left out, and so are
// those whose exponent the criterion does not support. ok is false when y is not of one sign
// throughout, no input is left, or there are too few rows.
func Power(d Data) (law *PowerLaw, ok bool) {
	if d.Rows() == 0 || d.Y[0] == 0 {
		return nil, false
	}
	sign := math.Copysign(1, d.Y[0])
	if slices.ContainsFunc(d.Y, func(y float64) bool { return !(sign*y > 0) }) {
		return nil, false
	}
	var inputs []int
	for j, col := range d.X {
		if !slices.ContainsFunc(col, func(x float64) bool { return !(x > 0) }) {
			inputs = append(inputs, j)
		}
	}
	criterion := NewCriterion(d)
	fit := func(inputs []int) (*PowerLaw, float64) {
		p := fitPower(d, inputs, sign)
		if p == nil {
			return nil, math.Inf(1)
		}
		return p, criterion.Value(p.sse(d)/float64(d.Rows()), len(inputs)+1)
	}
	best, value := fit(inputs)
	for best != nil && len(best.inputs) > 1 {
		shorter, lowest := best, value
		for i := range best.inputs {
			if p, v := fit(slices.Delete(slices.Clone(best.inputs), i, i+1)); v < lowest {
				shorter, lowest = p, v
			}
		}
		if shorter == best {
			break
		}
		best, value = shorter, lowest
	}
	return best, best != nil
}

// fitPower returns the power law of the given inputs, nil when the rows do not determine it.
func fitPower(d Data, inputs []int, sign float64) *PowerLaw {
	rows, cols := d.Rows(), len(inputs)+1
	if len(inputs) == 0 || rows <= cols {
		return nil
	}
	logs := mat.NewDense(rows, cols, nil)
	y := mat.NewVecDense(rows, nil)
	for i := range rows {
		logs.Set(i, 0, 1)
		for k, j := range inputs {
			logs.Set(i, k+1, math.Log(d.X[j][i]))
		}
		y.SetVec(i, math.Log(sign*d.Y[i]))
	}
	var solution mat.VecDense
	if solution.SolveVec(logs, y) != nil {
		return nil // an input is constant, or a power of the others
	}
	set := func(v mat.Vector) *PowerLaw {
		p := &PowerLaw{logC: v.AtVec(0), sign: sign, inputs: inputs}
		for k := range inputs {
			p.exponents = append(p.exponents, v.AtVec(k+1))
		}
		return p
	}
	law := set(&solution)
	sse := law.sse(d)
	// y = s·exp(l·β) has the Jacobian y·l, with l the row of logarithms and a one.
	const steps, tol = 50, 1e-12
	for range steps {
		predicted := law.Predict(d.X, rows)
		var jacobian mat.Dense
		jacobian.Apply(func(i, _ int, v float64) float64 { return predicted[i] * v }, logs)
		residual := mat.NewVecDense(rows, nil)
		for i, p := range predicted {
			residual.SetVec(i, d.Y[i]-p)
		}
		var step mat.VecDense
		if step.SolveVec(&jacobian, residual) != nil {
			break
		}
		improved := false
		for half := 1.0; half > 1e-3; half /= 2 {
			var next mat.VecDense
			next.AddScaledVec(&solution, half, &step)
			if p := set(&next); p.sse(d) < sse {
				improved = sse-p.sse(d) > tol*sse
				law, sse = p, p.sse(d)
				solution.CloneFromVec(&next)
				break
			}
		}
		if !improved {
			break
		}
	}
	if math.IsNaN(sse) || math.IsInf(sse, 0) {
		return nil
	}
	return law
}

// Predict evaluates the law on columns of inputs. Where an input is not positive it is NaN, or
// what math.Pow says.
func (p *PowerLaw) Predict(x [][]float64, rows int) []float64 {
	y := make([]float64, rows)
	for i := range y {
		l := p.logC
		for k, j := range p.inputs {
			l += p.exponents[k] * math.Log(x[j][i])
		}
		y[i] = p.sign * math.Exp(l)
	}
	return y
}

func (p *PowerLaw) sse(d Data) float64 {
	sum := 0.0
	for i, y := range p.Predict(d.X, d.Rows()) {
		sum += (y - d.Y[i]) * (y - d.Y[i])
	}
	return sum
}

// Expr writes the law as an expression.
func (p *PowerLaw) Expr(names []string) formula.Expr {
	factors := []formula.Expr{formula.Const(p.sign * math.Exp(p.logC))}
	for k, j := range p.inputs {
		factors = append(factors, formula.Pow(formula.Var(names[j]), formula.Const(p.exponents[k])))
	}
	return formula.Mul(factors...)
}

// CrossValidate returns the error of each row as predicted by a power law fitted to the rows of
// the other folds; NaN where those do not determine one.
func (p *PowerLaw) CrossValidate(d Data, folds [][]int) []float64 {
	return crossValidate(d, folds, func(rest, held Data) []float64 {
		refit := fitPower(rest, p.inputs, p.sign)
		if refit == nil {
			return slices.Repeat([]float64{math.NaN()}, held.Rows())
		}
		return refit.Predict(held.X, held.Rows())
	})
}
