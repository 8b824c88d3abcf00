package eql

import (
	"fmt"
	"math"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/sweep"
)

// Predictor predicts a target with a formula, and gives intervals. Make one with [Result.Predictor] or, for a formula
// from elsewhere, with [NewPredictor]. One Predictor must not be used by several goroutines at once.
type Predictor struct {
	Formula formula.Expr
	Inputs  []string // that the formula reads, in the order of the columns of [Predictor.At]
	Rows    int      // that the constants were fitted to
	Free    int      // constants that were fitted
	Open    int      // directions in the space of these along which no prediction on the rows changes
	Noise   float64  // residual spread over the degrees of freedom, in the units of the target

	confidence *fit.Confidence

	box   []formula.Interval // of these inputs, on the rows of the fit
	poles []pole

	// size is of relative errors: the noise over the prediction, and the least noise. 0: the noise is the same everywhere.
	size [2]float64
}

// Predictions are the predictions of a number of rows, with a number or a list for each row.
type Predictions struct {
	// Value is NaN where the formula has no value, and where a pole lies between the row and the data.
	Value []float64
	// Low and High are the ends of the intervals. They are NaN where there is no value, and infinite where the value
	// depends on constants that the data do not determine.
	Low, High []float64
	// Sigma is the standard error that the interval is made from.
	Sigma []float64
	// Outside names the inputs that are outside their range on the rows of the fit.
	Outside [][]string
}

// IntervalOf is what an interval is for.
type IntervalOf int

// What intervals are for.
const (
	OfPrediction IntervalOf = iota // a new measurement: the curve and the noise
	OfMean                         // the curve alone
)

// NewPredictor returns a predictor for a formula whose constants were fitted to the rows of a table. A constant counts
// as known, not fitted, if it is one of the given special values, is exactly another special value, or is the number
// that an input is counted from, as in (t - 2000). Errors are assumed to have one size; see [NewPredictorWith] for
// others.
func NewPredictor(e formula.Expr, target string, fitted *datasets.Table, special []float64) (*Predictor, error) {
	return NewPredictorWith(e, target, fitted, special, evidence.Errors{})
}

// NewPredictorWith is NewPredictor with knowledge of the errors of the rows: relative errors grow with the prediction,
// and outliers are left out. If a column gives the errors, the table must have it; the error of a new measurement is
// then taken to be the geometric mean of the column.
func NewPredictorWith(
	e formula.Expr, target string, fitted *datasets.Table, special []float64, errors evidence.Errors,
) (*Predictor, error) {
	p := &Predictor{Formula: e, Inputs: formula.Vars(e)}
	d, err := dataOf(fitted, p.Inputs, target)
	if err != nil {
		return nil, err
	}
	d, common, err := sweep.WithErrors(e, p.Inputs, d, fitted, errors)
	if err != nil {
		return nil, err
	}
	if errors.Kind == evidence.ErrorsRelative {
		p.size = [2]float64{1 / common, errors.Floor / common}
	}
	c, err := fit.NewConfidence(e, p.Inputs, d, sweep.Held(e, fitted, special))
	if err != nil {
		return nil, fmt.Errorf("intervals of %q: %w", target, err)
	}
	for i := range p.size {
		p.size[i] *= c.Noise
	}
	p.confidence, p.Rows, p.Free, p.Open, p.Noise = c, c.Rows, c.Free, c.Open, c.Noise
	for _, col := range d.X {
		p.box = append(p.box, formula.Interval{Lo: slices.Min(col), Hi: slices.Max(col)})
	}
	p.poles, err = polesOf(e, p.Inputs, d.X, d.Rows())
	return p, err
}

// DegreesOfFreedom are the rows less the constants that these determine.
func (p *Predictor) DegreesOfFreedom() int { return p.confidence.DegreesOfFreedom() }

// Constants returns each constant of the formula with its interval for a probability, and whether it was held; the
// interval of a held constant is its value. If the data do not determine a constant, its interval is infinite.
func (p *Predictor) Constants(probability float64) (constants []evidence.Constant, held []bool) {
	return p.confidence.Constants(probability)
}

// dataOf returns the columns of a table that a formula for a target is fitted to.
func dataOf(t *datasets.Table, inputs []string, target string) (fit.Data, error) {
	used, err := t.Select(append(slices.Clone(inputs), target)...)
	if err != nil {
		return fit.Data{}, err
	}
	n := len(inputs)
	return fit.Data{X: used.Cols[:n], Y: used.Cols[n]}, nil
}

// At predicts rows of columns in the order of Inputs. The intervals contain the true value with the given probability.
func (p *Predictor) At(cols [][]float64, rows int, probability float64, of IntervalOf) Predictions {
	value, se := p.confidence.At(cols, rows)
	r := Predictions{Value: value, Sigma: se, Outside: make([][]string, rows)}
	half := p.confidence.Quantile(probability)
	x := make([]float64, len(cols))
	for i := range rows {
		for j, col := range cols {
			x[j] = col[i]
			if !p.box[j].Contains(col[i]) {
				r.Outside[i] = append(r.Outside[i], p.Inputs[j])
			}
		}
		if len(r.Outside[i]) > 0 && p.beyondPole(x) || math.IsInf(r.Value[i], 0) {
			r.Value[i], r.Sigma[i] = math.NaN(), math.NaN()
		}
		if of == OfPrediction {
			r.Sigma[i] = math.Hypot(r.Sigma[i], p.noiseAt(r.Value[i]))
		}
		margin := half * r.Sigma[i]
		if r.Sigma[i] == 0 { // and not 0·∞ of a quantile
			margin = 0
		}
		r.Low, r.High = append(r.Low, r.Value[i]-margin), append(r.High, r.Value[i]+margin)
	}
	return r
}

// Predict is [Predictor.At] for the columns of a table.
func (p *Predictor) Predict(t *datasets.Table, probability float64, of IntervalOf) (Predictions, error) {
	used, err := t.Select(p.Inputs...)
	if err != nil {
		return Predictions{}, err
	}
	return p.At(used.Cols, t.Rows(), probability, of), nil
}

// pole is a denominator that has one sign on all rows of the fit.
type pole struct {
	denominator *formula.Program
	sign        float64
}

// polesOf returns the denominators of a formula that do not change their sign on the rows.
func polesOf(e formula.Expr, inputs []string, cols [][]float64, rows int) ([]pole, error) {
	var poles []pole
	for _, d := range denominators(e) {
		program, err := formula.Compile(d, inputs)
		if err != nil {
			return nil, err
		}
		values := make([]float64, rows)
		program.EvalColumns(values, cols)
		switch {
		case slices.Min(values) > 0:
			poles = append(poles, pole{program, 1})
		case slices.Max(values) < 0:
			poles = append(poles, pole{program, -1})
		}
	}
	return poles, nil
}

// denominators returns the parts of a formula whose zeros are poles: bases of negative powers, the arguments of
// logarithms, and the cosine under a tangent.
func denominators(e formula.Expr) []formula.Expr {
	var list []formula.Expr
	add := func(x formula.Expr) {
		if len(formula.Vars(x)) > 0 {
			list = append(list, x)
		}
	}
	formula.Fold(e, formula.Algebra[formula.Expr]{
		Number:   formula.Const,
		Variable: formula.Var,
		Sum:      func(terms []formula.Expr) formula.Expr { return formula.Add(terms...) },
		Product:  func(factors []formula.Expr) formula.Expr { return formula.Mul(factors...) },
		Power: func(base, exponent formula.Expr) formula.Expr {
			if v, err := formula.Eval(exponent, nil); err == nil && v < 0 {
				add(base)
			}
			return formula.Pow(base, exponent)
		},
		Call: func(f formula.Func, args []formula.Expr) formula.Expr {
			switch f {
			case formula.Tan:
				add(formula.Call(formula.Cos, args[0]))
			case formula.Log:
				add(args[0])
			}
			return formula.Call(f, args...)
		},
	})
	return list
}

// polesSeen is how many places between a row and the data are looked at for a pole.
const polesSeen = 64

// beyondPole reports whether a denominator is zero, or of another sign than on the data, at x or on the way there
// from the nearest place in the box of the data.
func (p *Predictor) beyondPole(x []float64) bool {
	if len(p.poles) == 0 {
		return false
	}
	at := make([]float64, len(x))
	for k := 1; k <= polesSeen; k++ {
		part := float64(k) / polesSeen
		for j, v := range x {
			near := min(max(v, p.box[j].Lo), p.box[j].Hi)
			at[j] = near + part*(v-near)
		}
		for _, pole := range p.poles {
			if !(pole.sign*pole.denominator.Eval(at) > 0) {
				return true
			}
		}
	}
	return false
}

// noiseAt returns the standard deviation of a measurement of a value.
func (p *Predictor) noiseAt(value float64) float64 {
	if p.size[0] == 0 {
		return p.Noise
	}
	return math.Max(math.Abs(value)*p.size[0], p.size[1])
}
