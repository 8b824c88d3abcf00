package forms

import (
	"cmp"
	"math"
	"slices"
)

// The periodogram.
const (
	spectrumRows = 300
	// perPeriod is how many frequencies are between two whole numbers of periods in the data. With 5 one of two peaks that
	// rows at nearly equal distances make of one is overlooked.
	perPeriod   = 10
	mostPeriods = 1000
	peaks       = 6
)

// frequencies are the highest peaks of the periodogram of what a parabola leaves of y.
func frequencies(x, y []float64) []float64 {
	periods := math.Min(mostPeriods, float64(len(y))/2)
	x, rest := sample(x, y)
	for _, b := range orthonormal(x, 3) {
		subtract(rest, b, dot(rest, b))
	}
	low, high := span(x)
	step := 2 * math.Pi / (high - low) / perPeriod
	power := make([]float64, int(periods*perPeriod)+2)
	for k := 2; k < len(power)-1; k++ { // half a period is the least
		power[k] = powerAt(step*float64(k), x, rest)
	}
	var list []int
	for k := 1; k < len(power)-1; k++ {
		if power[k] > 0 && power[k] >= power[k-1] && power[k] >= power[k+1] {
			list = append(list, k)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(power[b], power[a]) })
	var found []float64
	for _, k := range list[:min(peaks, len(list))] {
		found = append(found, step*float64(k))
	}
	return found
}

// sample returns some of the rows, one from each of equal stretches at places that do not repeat.
func sample(x, y []float64) (sx, sy []float64) {
	n := min(len(x), spectrumRows)
	for i := range n {
		_, place := math.Modf(float64(i) * math.Phi)
		from, to := i*len(x)/n, (i+1)*len(x)/n
		r := from + int(place*float64(to-from))
		sx, sy = append(sx, x[r]), append(sy, y[r])
	}
	return sx, sy
}

// powerAt returns how much of y a wave of a frequency explains (Lomb 1976).
func powerAt(omega float64, x, y []float64) float64 {
	var ys, yc, ss, cc, sc float64
	for i, v := range x {
		s, c := math.Sincos(omega * v)
		ys, yc = ys+y[i]*s, yc+y[i]*c
		ss, cc, sc = ss+s*s, cc+c*c, sc+s*c
	}
	if det := ss*cc - sc*sc; det > 1e-6*ss*cc {
		return (ys*ys*cc - 2*ys*yc*sc + yc*yc*ss) / det
	}
	return 0
}
