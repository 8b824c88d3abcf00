package distill

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
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

// Power fits a power law to at most 20,000 rows: by least squares of the logarithms, and from there of y
// itself by Gauss and Newton. Inputs that are not positive throughout are left out, constant ones, those that
// are a power law of others, and those that the criterion does not support. ok is false when y has no sign of
// its own, no input is left, or there are too few rows.
func Power(d Data) (law *PowerLaw, ok bool) {
	if d.Rows() > growRows {
		d = d.Take(Spread(d.Rows(), growRows))
	}
	sign := signOf(d.Y)
	if sign == 0 {
		return nil, false
	}
	inputs := independentLogs(d)
	criterion := NewCriterion(d)
	value := func(p *PowerLaw) float64 {
		return criterion.Value(p.sse(d)/float64(d.Rows()), len(p.inputs)+1)
	}
	law = fitPower(d, inputs, sign)
	// The inputs of the least effect go while the criterion falls, half of them at first.
	for bulk := len(inputs) / 2; law != nil && bulk > 0; {
		bulk = min(bulk, len(law.inputs)-1)
		shorter := fitPower(d, slices.Sorted(slices.Values(law.byEffect(d)[bulk:])), sign)
		if shorter != nil && value(shorter) < value(law) {
			law = shorter
		} else {
			bulk /= 2
		}
	}
	return law, law != nil
}

// signOf returns the sign of y, 0 if it has none. Values of the other sign are noise about zero where none is
// larger than a tenth of the largest of its own.
func signOf(y []float64) float64 {
	low, high := 0.0, 0.0
	for _, v := range y {
		low, high = math.Min(low, v), math.Max(high, v)
	}
	switch {
	case high > -10*low:
		return 1
	case -low > 10*high:
		return -1
	}
	return 0
}

// independentLogs returns the inputs that are positive throughout and whose logarithm is no linear function of
// those of the inputs before.
func independentLogs(d Data) (inputs []int) {
	const dependent = 1e-6
	var span [][]float64 // of the logarithms, orthonormal
	for j, col := range d.X {
		if slices.ContainsFunc(col, func(x float64) bool { return !(x > 0) }) {
			continue
		}
		logs := logarithms(col)
		size := floats.Norm(logs, 2)
		floats.AddConst(-mean(logs), logs)
		for _, direction := range slices.Concat(span, span) { // twice, for what rounding leaves
			floats.AddScaled(logs, -floats.Dot(direction, logs), direction)
		}
		if left := floats.Norm(logs, 2); left > dependent*size {
			floats.Scale(1/left, logs)
			inputs, span = append(inputs, j), append(span, logs)
		}
	}
	return inputs
}

func logarithms(col []float64) []float64 {
	logs := make([]float64, len(col))
	for i, x := range col {
		logs[i] = math.Log(x)
	}
	return logs
}

// byEffect returns the inputs, those that change ln |y| least over the data first.
func (p *PowerLaw) byEffect(d Data) []int {
	effect := make(map[int]float64, len(p.inputs))
	for k, j := range p.inputs {
		effect[j] = math.Abs(p.exponents[k]) * standardDeviation(logarithms(d.X[j]))
	}
	return slices.SortedStableFunc(slices.Values(p.inputs), func(a, b int) int { return cmp.Compare(effect[a], effect[b]) })
}

// fitPower returns the power law of the given inputs, nil when the rows do not determine it.
func fitPower(d Data, inputs []int, sign float64) *PowerLaw {
	rows, cols := d.Rows(), len(inputs)+1
	if len(inputs) == 0 || rows <= cols {
		return nil
	}
	logs := mat.NewDense(rows, cols, nil)
	for i := range rows {
		logs.Set(i, 0, 1)
		for k, j := range inputs {
			logs.Set(i, k+1, math.Log(d.X[j][i]))
		}
	}
	// An error of y is one of y·ln y: each row weighs as much as its y, one of the other sign nothing.
	var weighted mat.Dense
	weighted.Apply(func(i, _ int, v float64) float64 { return math.Max(sign*d.Y[i], 0) * v }, logs)
	y := mat.NewVecDense(rows, nil)
	for i, v := range d.Y {
		if sign*v > 0 {
			y.SetVec(i, sign*v*math.Log(sign*v))
		}
	}
	var solution mat.VecDense
	if solution.SolveVec(&weighted, y) != nil {
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
			p := set(&next)
			if after := p.sse(d); after < sse {
				improved = sse-after > tol*sse
				law, sse = p, after
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

// Predict evaluates the law on columns of inputs. Where an input is not positive it is NaN, 0
// or infinite.
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
