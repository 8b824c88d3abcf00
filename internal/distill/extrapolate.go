package distill

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

const outerFraction = 0.3

// fitted is what the test on the outer rows asks of a law, or of a formula with some constants held.
type fitted interface {
	Params() int
	SSE(d fit.Data) float64
	refit(d fit.Data, steps int, tol float64) (fitted, fit.Normal)
	normal(d fit.Data) fit.Normal
}

func (l *Law) refit(d fit.Data, steps int, tol float64) (fitted, fit.Normal) {
	again, eq := l.fit(d, steps, tol)
	return again, eq
}

// partial is a formula with some constants held.
type partial struct{ *fit.Partial }

func (p partial) refit(d fit.Data, steps int, tol float64) (fitted, fit.Normal) {
	again, eq := p.Fit(d, steps, tol)
	return partial{again}, eq
}

func (p partial) normal(d fit.Data) fit.Normal { return p.Normal(d) }

// Extrapolate tests a law that is fitted to d.
func Extrapolate(l *Law, d fit.Data) evidence.Extrapolation { return extrapolate(l, l, d) }

// ExtrapolateHeld tests a law as the formula that it is with some constants held, of the inputs and target of the law.
func ExtrapolateHeld(l *Law, p *fit.Partial, d fit.Data) evidence.Extrapolation {
	all, _ := p.Fit(d, 50, 1e-10)
	if all == nil {
		return evidence.Extrapolation{}
	}
	x := extrapolate(l, partial{all}, d)
	x.Held = x.Defined
	return x
}

// extrapolate tests what a law is fitted as.
func extrapolate(l *Law, f fitted, d fit.Data) evidence.Extrapolation {
	order := byDistance(d.X, d.Rows())
	var x evidence.Extrapolation
	for _, innerFraction := range []float64{evidence.FirstInner, 0.5, 1 - outerFraction} {
		if x = outerTest(f, d, order, innerFraction); x.Telling() {
			break
		}
	}
	if x.Defined {
		all, eq := f.refit(d, 0, 0)
		box := l.BeforePoles(d, Stretched(d.X, 2))
		x.Doubt = math.Inf(1)
		if box.Rows() > 0 {
			variance, _ := predictionVariance(all, eq, box)
			noise := math.Hypot(math.Sqrt(eq.SSE/float64(d.Rows())), fit.NewCriterion(d).Floor)
			x.Doubt = noise * math.Sqrt(variance) / d.SpreadOf(d.Y)
		}
	}
	return x
}

// outerTest fits to a fraction of the rows, which are in the order of their distance from the middle.
func outerTest(f fitted, d fit.Data, order []int, innerFraction float64) evidence.Extrapolation {
	count, outside := int(innerFraction*float64(d.Rows())), int(outerFraction*float64(d.Rows()))
	if count < 3*f.Params() || outside < 10 {
		return evidence.Extrapolation{}
	}
	inner, outer := d.Take(order[:count]), d.Take(order[len(order)-outside:])
	// Without noise both errors are those of the arithmetic; the criterion's floor is far above them.
	floor := fit.NewCriterion(d).Floor * math.Sqrt(float64(outside))
	again, eq := f.refit(inner, 50, 1e-10)
	variance, spread := predictionVariance(again, eq, outer)
	outerError := math.Hypot(math.Sqrt(f.SSE(outer)), floor)
	// The errors of the constants are those of the noise on the inner rows, and the ratio is one to that on the outer
	// rows. Few outliers, or noise that depends on the inputs, make the former the larger.
	noise := math.Hypot(math.Sqrt(f.SSE(inner)*float64(outside)/float64(count)), floor) / outerError
	variance, spread = variance*math.Max(1, noise*noise), spread*math.Max(1, math.Pow(noise, 4))
	limit := 1 + largestVariance(variance, spread) + 6*math.Sqrt(variance/float64(outside)) + 3/float64(outside)
	return evidence.Extrapolation{
		Ratio:     math.Hypot(math.Sqrt(again.SSE(outer)), floor) / outerError,
		Inflation: math.Sqrt(1 + variance),
		Limit:     math.Sqrt(limit),
		Inner:     innerFraction,
		Defined:   true,
	}
}

// largestVariance returns the 99.9 % quantile of the mean squared error, in units of the noise's
// variance, that the errors of the constants make. It is a sum Σλ·χ² with mean Σλ = variance
// and Σλ² = spread, taken for a χ² with the same mean and variance (Satterthwaite 1946). Where these are so large that
// their squares overflow it is the variance, which is large enough to say that a test has no power: the quantile of
// degrees of freedom that are not a number would be looked for without end.
func largestVariance(variance, spread float64) float64 {
	if !(variance > 0 && spread > 0) {
		return 0
	}
	freedom := variance * variance / spread // at least 1 but for rounding
	if !(freedom > 0.5 && freedom <= math.MaxInt32) {
		return variance
	}
	return variance * distuv.ChiSquared{K: freedom}.Quantile(0.999) / freedom
}

// TwoValued reports whether a column has at most two different values. Such an input says which of two kinds a row is
// of, and has no outside.
func TwoValued(col []float64) bool {
	if len(col) == 0 {
		return true
	}
	low, high := slices.Min(col), slices.Max(col)
	return !slices.ContainsFunc(col, func(v float64) bool { return v != low && v != high })
}

// Stretched moves each input away from its middle by a factor, but none across zero that is never negative. Inputs of
// two values stay as they are.
func Stretched(x [][]float64, factor float64) [][]float64 {
	s := make([][]float64, len(x))
	for j, col := range x {
		if TwoValued(col) {
			s[j] = col
			continue
		}
		low := slices.Min(col)
		middle := (low + slices.Max(col)) / 2
		down := factor
		if low >= 0 && middle > low {
			down = math.Min(factor, middle/(middle-low)) // takes low to 0
		}
		s[j] = make([]float64, len(col))
		for i, v := range col {
			by := factor
			if v < middle {
				by = down
			}
			s[j][i] = middle + by*(v-middle)
		}
	}
	return s
}

// ends says how far an argument is from where a unit has no value, or an infinite one, with the sign of the side. Units
// that are not there have a value everywhere.
var ends = map[model.Unit]func(z float64) float64{
	model.Reciprocal: func(z float64) float64 { return z },
	model.Log:        func(z float64) float64 { return z },
	model.Tan:        math.Cos,
	model.Asin:       func(z float64) float64 { return 1 - math.Abs(z) },
}

// byDistance returns the rows in the order of their distance from the middle of the data. Inputs of two values have no
// part in it: with one of them no row would be nearer than another.
func byDistance(x [][]float64, rows int) []int {
	distance := make([]float64, rows)
	for _, col := range x {
		if TwoValued(col) {
			continue
		}
		low, high := slices.Min(col), slices.Max(col)
		for i, v := range col {
			distance[i] = math.Max(distance[i], math.Abs(v-(low+high)/2)/math.Max((high-low)/2, math.SmallestNonzeroFloat64))
		}
	}
	order := make([]int, rows)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(distance[a], distance[b]) })
	return order
}

// predictionVariance returns the mean of jᵀ(JᵀJ)⁻¹j over the rows of d, where j is the gradient of a
// row's prediction and JᵀJ belongs to the rows that f was fitted to: the variance of the
// predictions in units of the noise's. That mean is the sum of the eigenvalues of (JᵀJ)⁻¹M with M
// the mean of j·jᵀ; spread is the sum of their squares.
func predictionVariance(f fitted, eq fit.Normal, d fit.Data) (variance, spread float64) {
	p := f.Params()
	chol, ok := eq.Factorize(1e-12)
	if !ok {
		return 0, 0
	}
	rows := f.normal(d)
	m := mat.NewDense(p, p, nil)
	for i := range p {
		for j := range p {
			m.Set(i, j, rows.JTJ.Data[min(i, j)*p+max(i, j)]/float64(d.Rows()))
		}
	}
	var solved mat.Dense
	if fit.Fails(chol.SolveTo(&solved, m)) {
		return 0, 0
	}
	for i := range p {
		variance += solved.At(i, i)
		for j := range p {
			spread += solved.At(i, j) * solved.At(j, i)
		}
	}
	if math.IsNaN(variance) || math.IsNaN(spread) { // numbers that overflow: constants so open say nothing
		return hugeVariance, hugeVariance
	}
	return math.Max(0, variance), math.Max(0, spread)
}

// hugeVariance is that of predictions of which nothing is known, and finite.
const hugeVariance = 1e200

// Open reports whether the data leaves a constant of the law open: its 95 % interval holds zero. In
// the law's own units, unlike in the user's, a phase far from the data is not a constant.
func (l *Law) Open(d fit.Data) bool {
	all, eq := l.fit(d, 0, 0)
	chol, ok := eq.Factorize(1e-12)
	if !ok {
		return true
	}
	var inverse mat.SymDense
	if err := chol.InverseTo(&inverse); err != nil {
		return true
	}
	floor := fit.NewCriterion(d).Floor
	variance := eq.SSE/float64(max(1, d.Rows()-l.Params())) + floor*floor
	for i, p := range all.params() {
		if !(math.Abs(*p) > 1.96*math.Sqrt(variance*inverse.At(i, i))) {
			return true
		}
	}
	return false
}

// Jumps reports whether a sigmoid of the law goes from 0 to 1, or back, within the data and fewer than
// a twentieth of the rows, or eight, see it on its way. Such a switch says that something changes there and hardly
// how: x·(2·sigmoid(200·x) − 1) is as good as |x|, and a sigmoid between two rows as good as a step.
func (l *Law) Jumps(d fit.Data) bool {
	const saturated, fewest, fewer = 5, 8, 20 // at 5 the slope is 3 % of the largest
	least := max(fewest, d.Rows()/fewer)
	e := newEvaluator(l)
	low, between, high := make([]int, len(l.units)), make([]int, len(l.units)), make([]int, len(l.units))
	for from := 0; from < d.Rows(); from += fit.BlockRows {
		to := min(from+fit.BlockRows, d.Rows())
		e.forward(d.X, from, to)
		for i, u := range l.units {
			if u.kind != model.Sigmoid && u.kind != model.Tanh {
				continue
			}
			steepness := 1.0
			if u.kind == model.Tanh {
				steepness = 2 // tanh z = 2·sigmoid(2z) − 1
			}
			for _, z := range e.args[i][0][:to-from] {
				switch z *= steepness; {
				case z < -saturated:
					low[i]++
				case z > saturated:
					high[i]++
				default:
					between[i]++
				}
			}
		}
	}
	for i := range l.units {
		if low[i] > 0 && high[i] > 0 && between[i] < least {
			return true
		}
	}
	return false
}

// Faint returns how many terms of the law, written out, are smaller than the noise: the standard deviation of
// the term is below the law's error on the data. One such term may belong to a law; several rather
// mend a form that is not right, as the last terms of a series do.
func (l *Law) Faint(d fit.Data) int {
	f, ok := l.expand()
	if !ok {
		return 0
	}
	return len(f.faint(d, math.Sqrt(l.SSE(d)/float64(d.Rows()))))
}

// faint returns the terms of a form, but for its constant, whose standard deviation is below the noise.
func (f *form) faint(d fit.Data, noise float64) sum {
	var list sum
	for _, t := range f.out.rest() {
		term := f.clone()
		term.out = sum{t}
		one, _ := term.law()
		if d.SpreadOf(one.Predict(d.X, d.Rows())) < noise {
			list = append(list, t)
		}
	}
	return list
}
