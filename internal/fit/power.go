package fit

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/formula"
)

// A PowerLaw is y = C·Π x_j^b_j. No unit of a network expresses it, other than near by, so it is
// a baseline: where it beats the formula, the law is probably one. Laws that grow may be power laws too,
// but are fitted to y, where this is fitted to ln |y| if that makes the data more likely.
type PowerLaw struct {
	LogC      float64 // ln |C|
	sign      float64 // of C
	Inputs    []int
	Exponents []float64
	relative  bool    // errors are in proportion to y
	criterion float64 // [Criterion], of ln |y| in units of y when relative
}

// powerRows is how many rows a power law is fitted to at most.
const powerRows = 20_000

// Power fits a power law to at most 20,000 rows: by least squares of y, or of ln |y| where that makes the data
// more likely, as errors in proportion to y do. Inputs that are not positive throughout are left out, constant
// ones, those that are a power law of others, and those that the criterion does not support. ok is false when y
// has no sign of its own, no input is left, or there are too few rows.
func Power(d Data) (law *PowerLaw, ok bool) {
	d = d.AtMost(powerRows)
	sign := SignOf(d.Y)
	if sign == 0 {
		return nil, false
	}
	inputs := IndependentLogs(d)
	law = fitPower(d, inputs, sign)
	// The inputs of the least effect go while the criterion falls, half of them at first.
	for bulk := len(inputs) / 2; law != nil && bulk > 0; {
		bulk = min(bulk, len(law.Inputs)-1)
		shorter := fitPower(d, slices.Sorted(slices.Values(law.byEffect(d)[bulk:])), sign)
		if shorter != nil && shorter.criterion < law.criterion {
			law = shorter
		} else {
			bulk /= 2
		}
	}
	return law, law != nil
}

// Relative reports whether the errors of y are in proportion to it.
func (p *PowerLaw) Relative() bool { return p.relative }

// SignOf returns the sign of y, 0 if it has none. Values of the other sign are noise about zero where none is
// larger than a tenth of the largest of its own.
func SignOf(y []float64) float64 {
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

// IndependentLogs returns the inputs that are positive throughout and whose logarithm is not a linear function of
// those of the inputs before.
func IndependentLogs(d Data) (inputs []int) {
	const dependent = 1e-6
	var span [][]float64 // of the logarithms, orthonormal
	for j, col := range d.X {
		if slices.ContainsFunc(col, func(x float64) bool { return !(x > 0) }) {
			continue
		}
		logs := Logarithms(col)
		size := floats.Norm(logs, 2)
		floats.AddConst(-Mean(logs), logs)
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

// byEffect returns the inputs, those that change ln |y| least over the data first.
func (p *PowerLaw) byEffect(d Data) []int {
	effect := make(map[int]float64, len(p.Inputs))
	for k, j := range p.Inputs {
		effect[j] = math.Abs(p.Exponents[k]) * StandardDeviation(Logarithms(d.X[j]))
	}
	return slices.SortedStableFunc(slices.Values(p.Inputs),
		func(a, b int) int { return cmp.Compare(effect[a], effect[b]) })
}

// fitPower returns the power law of the given inputs, nil when the rows do not determine it.
func fitPower(d Data, inputs []int, sign float64) *PowerLaw {
	rows, params := d.Rows(), len(inputs)+1
	if len(inputs) == 0 || rows <= params {
		return nil
	}
	f := powerFit{data: d, sign: sign, logs: mat.NewDense(rows, params, nil)}
	f.logs.SetCol(0, slices.Repeat([]float64{1}, rows))
	for k, j := range inputs {
		f.logs.SetCol(k+1, Logarithms(d.X[j]))
	}
	law := func(p []float64, relative bool, criterion float64) *PowerLaw {
		return &PowerLaw{LogC: p[0], sign: sign, Inputs: inputs, Exponents: p[1:], relative: relative, criterion: criterion}
	}
	var best *PowerLaw
	// An error of y is one of y·ln y, so rows weigh as much as their y, and those of the other sign nothing.
	if start, ok := f.logarithmic(d.Weighed(Magnitudes(d.Y))); ok {
		p, eq := Levenberg(f, start, 50, 1e-12)
		if !math.IsInf(eq.SSE, 0) {
			best = law(p, false, NewCriterion(d).Value(eq.SSE/float64(rows), params))
		}
	}
	if d.W != nil || slices.ContainsFunc(d.Y, func(y float64) bool { return !(sign*y > 0) }) {
		return best // root weights say what errors are like
	}
	p, ok := f.logarithmic(d.RootWeights())
	if !ok {
		return best
	}
	// Box and Cox 1964: an error of ln y is as likely as one of y over the geometric mean of y.
	middle, mse := math.Exp(Mean(Logarithms(Magnitudes(d.Y)))), 0.0
	for i, predicted := range f.predict(p) {
		e := math.Log(predicted / d.Y[i])
		mse += e * e / float64(rows)
	}
	criterion := Criterion{N: rows, Floor: relativeFloor * middle}.Value(mse*middle*middle, params)
	if !math.IsNaN(criterion) && (best == nil || criterion < best.criterion) {
		best = law(p, true, criterion)
	}
	return best
}

// powerFit fits ln |C| and the exponents to y.
type powerFit struct {
	data Data
	sign float64
	logs *mat.Dense // rows of 1 and the logarithms of the inputs
}

// logarithmic returns the solution of the least squares of ln |y| with rows weighted, those of the other sign by 0. It
// is not ok when an input is constant, or a power of the others.
func (f powerFit) logarithmic(weight []float64) (p []float64, ok bool) {
	rows, cols := f.logs.Dims()
	left, right := mat.NewDense(rows, cols, nil), mat.NewVecDense(rows, nil)
	for i, y := range f.data.Y {
		if y *= f.sign; y > 0 {
			floats.AddScaled(left.RawRowView(i), weight[i], f.logs.RawRowView(i))
			right.SetVec(i, weight[i]*math.Log(y))
		}
	}
	var solution mat.VecDense
	if solution.SolveVec(left, right) != nil {
		return nil, false
	}
	return solution.RawVector().Data, true
}

func (f powerFit) predict(p []float64) []float64 {
	y := make([]float64, f.data.Rows())
	for i := range y {
		y[i] = f.sign * math.Exp(floats.Dot(f.logs.RawRowView(i), p))
	}
	return y
}

func (f powerFit) Ended() bool { return f.data.Ended() }

func (f powerFit) SSE(p []float64) float64 {
	d := floats.Distance(f.data.Weighed(f.predict(p)), f.data.Weighed(f.data.Y), 2)
	if math.IsNaN(d) {
		return math.Inf(1)
	}
	return d * d
}

// Normal returns the normal equations: y = s·exp(l·p) has the Jacobian y·l, with l a row of logs, before root weights.
func (f powerFit) Normal(p []float64) Normal {
	n := len(p)
	eq := newNormal(n)
	eq.SSE = f.SSE(p)
	slopes, errors := f.predict(p), f.predict(p)
	floats.Sub(errors, f.data.Y)
	f.data.Weigh(slopes, 0)
	f.data.Weigh(errors, 0)
	for i, y := range slopes {
		l := blas64.Vector{N: n, Inc: 1, Data: f.logs.RawRowView(i)}
		blas64.Syr(y*y, l, eq.JTJ)
		floats.AddScaled(eq.JTR, y*errors[i], l.Data)
	}
	return eq
}

// Predict evaluates the law on columns of inputs. Where an input is not positive it is NaN, 0
// or infinite.
func (p *PowerLaw) Predict(x [][]float64, rows int) []float64 {
	y := make([]float64, rows)
	for i := range y {
		l := p.LogC
		for k, j := range p.Inputs {
			l += p.Exponents[k] * math.Log(x[j][i])
		}
		y[i] = p.sign * math.Exp(l)
	}
	return y
}

// Expr writes the law as an expression.
func (p *PowerLaw) Expr(names []string) formula.Expr {
	factors := []formula.Expr{formula.Const(p.sign * math.Exp(p.LogC))}
	for k, j := range p.Inputs {
		factors = append(factors, formula.Pow(formula.Var(names[j]), formula.Const(p.Exponents[k])))
	}
	return formula.Mul(factors...)
}

// Snap writes the law with its exponents, and C, replaced by special values where the data supports them, as
// [Snap] does: from the errors of ln |y| where those of y are in proportion to it.
func (p *PowerLaw) Snap(names []string, d Data) formula.Expr {
	if !p.relative {
		_, snapped, _ := Snap(p.Expr(names), names, d, Plain)
		return snapped
	}
	centred := func(col []float64) (logs []float64, middle float64) {
		logs = Logarithms(col)
		middle = Mean(logs)
		floats.AddConst(-middle, logs)
		return logs, middle
	}
	var sum []formula.Expr
	var vars []string
	var logs Data
	var middles []float64
	for k, j := range p.Inputs {
		sum = append(sum, formula.Mul(formula.Const(p.Exponents[k]), formula.Var(names[j])))
		vars = append(vars, names[j])
		col, middle := centred(d.X[j])
		logs.X, middles = append(logs.X, col), append(middles, middle)
	}
	q := *p
	logs.Y, q.LogC = centred(Magnitudes(d.Y))
	_, _, constants := Snap(formula.Add(sum...), vars, logs, Plain)
	if len(constants) != len(p.Exponents) {
		return p.Expr(names) // an exponent is 1 to the last bit
	}
	q.Exponents = nil
	for k, c := range constants {
		q.Exponents = append(q.Exponents, c.Snapped)
		q.LogC -= c.Snapped * middles[k]
	}
	errors := 0.0
	for i, predicted := range q.Predict(d.X, d.Rows()) {
		e := math.Log(predicted / d.Y[i])
		errors += e * e
	}
	c := math.Exp(q.LogC)
	if v, odds, ok := special(c, c*math.Sqrt(errors)/float64(d.Rows()), formula.Coefficient); ok && odds < snapOdds {
		q.LogC = math.Log(v)
	}
	return formula.Simplify(q.Expr(names))
}

// CrossValidate returns the error of each row as predicted by a power law fitted to the rows of
// the other folds; NaN where those do not determine one.
func (p *PowerLaw) CrossValidate(d Data, folds [][]int) []float64 {
	return CrossValidate(d, folds, func(rest, held Data) []float64 {
		refit := fitPower(rest, p.Inputs, p.sign)
		if refit == nil {
			return slices.Repeat([]float64{math.NaN()}, held.Rows())
		}
		return refit.Predict(held.X, held.Rows())
	})
}
