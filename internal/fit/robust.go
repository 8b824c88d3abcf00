package fit

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

const (
	// robustTails is the degrees of freedom of the Student's t that a robust fit takes errors for. With 2 a row that is
	// ten standard deviations off counts a thirtieth of one that is not off.
	robustTails = 2
	// robustRounds is how often a robust fit weighs rows, and robustSteps how many steps it takes between.
	robustRounds = 12
	robustSteps  = 4
	placeRounds  = 3 // of a place where it may begin
)

// normalSize is the standard deviation of normal errors over their median size.
const normalSize = 1.4826

// RobustSpread returns the standard deviation of errors about zero, which a half of them may not be of: 1.4826 times
// the median size, and more for the constants that were fitted.
func RobustSpread(errors []float64, constants int) float64 {
	n := float64(len(errors))
	return normalSize * MedianSize(errors) * math.Sqrt(n/math.Max(1, n-float64(constants)))
}

// TailWeights returns the root weights that errors of a standard deviation have if they are of Student's t,
//
//	w² = (ν + 1)/(ν + (e/σ)²)
//
// with which least squares, repeated, becomes the likeliest fit.
func TailWeights(errors []float64, sigma, nu float64) []float64 {
	w := make([]float64, len(errors))
	for i, e := range errors {
		z := e / sigma
		w[i] = math.Sqrt((nu + 1) / (nu + z*z))
	}
	return w
}

// Robust fits the constants of a form from the best of some places, as [Named.Begin], so that a few rows that are far
// off hardly change them: by least squares whose rows are weighed anew after some steps, as errors of Student's t with
// 2 degrees of freedom are. Places are compared by [RobustSpread]. It returns the constants and that of the errors,
// times the root weights that rows had.
func (f Named) Robust(places []map[string]float64, d Data) (p []float64, spread float64, err error) {
	given := d.RootWeights()
	d.W = slices.Clone(given) // shared with what fits
	v, err := f.projected(d)
	if err != nil {
		return nil, 0, err
	}
	type start struct {
		p      []float64
		spread float64
	}
	var all []start
	for _, place := range places {
		copy(d.W, given)
		p, spread := v.reweighed(v.at(place), given, placeRounds, 0)
		if !math.IsInf(spread, 0) {
			all = append(all, start{p, spread})
		}
	}
	slices.SortStableFunc(all, func(a, b start) int { return cmp.Compare(a.spread, b.spread) })
	spread = math.Inf(1)
	for _, s := range all[:min(len(all), placesFollowed)] {
		copy(d.W, given)
		if q, size := v.reweighed(s.p, given, robustRounds, robustSteps); p == nil || size < spread {
			p, spread = q, size
		}
	}
	if p == nil {
		return nil, 0, errNoValue
	}
	return p, spread, nil
}

// reweighed fits constants in rounds of so many steps, and weighs the rows by their errors after each. It returns the
// robust spread of these, infinite where the form has no value.
func (v *projected) reweighed(p []float64, given []float64, rounds, steps int) ([]float64, float64) {
	spread := math.Inf(1)
	for range rounds {
		if p, _ = v.follow(p, steps, followedTol); math.IsInf(v.x.SSE(p), 0) {
			return p, math.Inf(1)
		}
		errors := floats.MulTo(make([]float64, len(given)), v.x.residuals(p), given)
		if spread = RobustSpread(errors, len(p)); !(spread > 0) {
			return p, spread
		}
		floats.MulTo(v.x.data.W, given, TailWeights(errors, spread, robustTails))
	}
	return p, spread
}
