package forms

import (
	"math"
	"slices"
)

// begin says where one constant begins: at each value that a rule proposes.
func begin(constant string, at func(x, y []float64) []float64) Begin {
	return Begin{[]string{constant}, func(x [][]float64, y []float64) (list [][]float64) {
		for _, v := range at(x[0], y) {
			list = append(list, []float64{v})
		}
		return list
	}}
}

// among is a rule that asks nothing of the data.
func among(values ...float64) func(x, y []float64) []float64 {
	return func(_, _ []float64) []float64 { return values }
}

// span returns the ends of a column.
func span(col []float64) (low, high float64) { return slices.Min(col), slices.Max(col) }

// upwards are the rates at which an exponential changes by a third to e^40 over the range of x.
func upwards(x, _ []float64) (rates []float64) {
	low, high := span(x)
	for _, r := range []float64{0.3, 1, 2, 4, 8, 16, 40} {
		rates = append(rates, r/(high-low))
	}
	return rates
}

// rates are these with both signs.
func rates(x, y []float64) (both []float64) {
	for _, r := range upwards(x, y) {
		both = append(both, r, -r)
	}
	return both
}

// parts are what offsets and sizes are of the range of x.
var parts = []float64{0.03, 0.1, 0.3, 1, 3, 10}

// below are offsets b for which x + b is positive, from near the low end of the data to far below.
func below(x, _ []float64) (offsets []float64) {
	low, high := span(x)
	for _, p := range parts {
		offsets = append(offsets, p*(high-low)-low)
	}
	return offsets
}

// beside are these, and those for which x + b is negative.
func beside(x, y []float64) (offsets []float64) {
	low, high := span(x)
	offsets = below(x, y)
	for _, p := range parts {
		offsets = append(offsets, -high-p*(high-low))
	}
	return offsets
}

// sizes are positive values, from far below the largest x to far beyond.
func sizes(x, _ []float64) (list []float64) {
	_, high := span(x)
	for _, p := range parts {
		list = append(list, p*math.Abs(high))
	}
	return list
}

// inside are values of x at equal parts of the rows, and where y is least and largest.
func inside(x, y []float64) (places []float64) {
	sorted := slices.Sorted(slices.Values(x))
	for _, q := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		places = append(places, sorted[int(q*float64(len(sorted)-1))])
	}
	least, largest := 0, 0
	for i, v := range y {
		if v < y[least] {
			least = i
		}
		if v > y[largest] {
			largest = i
		}
	}
	return append(places, x[least], x[largest])
}

// widths are parts of the range of x.
func widths(x, _ []float64) []float64 {
	low, high := span(x)
	r := high - low
	return []float64{0.02 * r, 0.06 * r, 0.2 * r, 0.5 * r}
}

// phases are a sine and a cosine; the amplitude has any sign.
var phases = among(0, math.Pi/2)

// positive are constants that have no other sign: widths, scales and frequencies, whose sign another constant can
// carry.
func positive(constants ...string) Limits {
	return Limits{constants, func([]float64) (low, high float64) { return 0, math.Inf(1) }}
}

// amongData are places of peaks and turning points.
func amongData(constants ...string) Limits { return Limits{constants, span} }

// aPeriod are frequencies of which the data shows most of a period.
func aPeriod(constants ...string) Limits {
	const least = 0.8
	return Limits{constants, func(x []float64) (low, high float64) {
		from, to := span(x)
		return least * 2 * math.Pi / (to - from), math.Inf(1)
	}}
}
