package fit

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/formula"
)

// tailsTried are the degrees of freedom of Student's t that errors may have.
var tailsTried = []float64{2, 3, 5}

const (
	fewestForTails = 20 // rows; of fewer, the few that are far off tell little
	tailRounds     = 60 // of the scale of Student's t
)

// ForTails returns the rows with the root weights of Student's t where the errors of a fit to them, without root
// weights, have heavy tails beyond doubt: where Student's t, with the likeliest of a few degrees of freedom, is by the
// same factor more likely than the normal distribution that relative errors must be likelier by than equal ones. Least
// squares with these weights is the likeliest fit near by. Rows whose standard deviations are known, and errors that
// are hardly above those of the arithmetic, stay as they are.
func (d Data) ForTails(errors []float64) Data {
	errors = d.Weighed(errors)
	if d.Sigma > 0 || !(RMS(errors) > 10*NewCriterion(d).Floor) {
		return d
	}
	counted := d.withWeight(errors)
	if len(counted) < fewestForTails {
		return d
	}
	n := float64(len(counted))
	normal := -n / 2 * (1 + math.Log(2*math.Pi*floats.Dot(counted, counted)/n))
	best := normal + math.Log(float64(len(tailsTried))/falseAlarm)
	to := d
	for _, nu := range tailsTried {
		sigma, likelihood := studentScale(counted, nu)
		if likelihood > best {
			best = likelihood
			w := TailWeights(errors, sigma, nu)
			floats.Scale(math.Exp(-Mean(Logarithms(w))), w)
			to.W, to.Tails = d.Weighed(w), nu
		}
	}
	return to
}

// tailFits is how often a formula is fitted for the weights of Student's t. Weights by the errors of least squares hold
// the constants near those: of 200 tables with errors of two degrees of freedom, two constants that are special values
// are seen as such in 152 with weights by the errors of least squares, in 174 after four fits, and in 176 with normal
// errors.
const tailFits = 4

// ForTailsOf is [Data.ForTails] for the errors of a formula of the named inputs that is fitted with the weights that it
// leads to. A formula that has no value on a row, or other variables, leaves the rows as they are.
func (d Data) ForTailsOf(e formula.Expr, inputs []string, simplify Simplify) Data {
	to := d
	for k := range tailFits {
		if k > 0 {
			if to.Tails == 0 || d.Ended() {
				break
			}
			e, _ = Intervals(e, inputs, to, simplify)
		}
		program, err := formula.Compile(e, inputs)
		if err != nil {
			return d
		}
		errors := make([]float64, d.Rows())
		program.EvalColumns(errors, d.X)
		floats.Sub(errors, d.Y)
		to = d.ForTails(errors)
	}
	return to
}

// withWeight returns the errors of rows whose root weight is no less than a hundredth of the largest: others say
// nothing of how errors are distributed.
func (d Data) withWeight(errors []float64) []float64 {
	if d.W == nil {
		return errors
	}
	least := 0.01 * floats.Max(d.W)
	var some []float64
	for i, e := range errors {
		if d.W[i] >= least {
			some = append(some, e)
		}
	}
	return some
}

// studentScale returns the likeliest scale σ of errors of Student's t about zero, and the logarithm of the likelihood.
func studentScale(errors []float64, nu float64) (sigma, likelihood float64) {
	n := float64(len(errors))
	if sigma = RobustSpread(errors, 0); !(sigma > 0) {
		return 0, math.Inf(-1)
	}
	for range tailRounds {
		sum := 0.0
		for i, w := range TailWeights(errors, sigma, nu) {
			e := w * errors[i]
			sum += e * e
		}
		sigma = math.Sqrt(sum / n)
	}
	a, _ := math.Lgamma((nu + 1) / 2)
	b, _ := math.Lgamma(nu / 2)
	likelihood = n * (a - b - math.Log(nu*math.Pi)/2 - math.Log(sigma))
	for _, e := range errors {
		likelihood -= (nu + 1) / 2 * math.Log1p(e*e/(nu*sigma*sigma))
	}
	return sigma, likelihood
}
