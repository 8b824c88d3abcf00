package fit

import (
	"cmp"
	"math"
	"slices"

	"github.com/eqlearner/eql/formula"
)

// The search for starts.
const (
	startsOfOne  = 1024 // places for each constant that is looked for
	mostPlaces   = 4096
	followed     = 24  // of the best places, by SSE
	followedMore = 8   // of all places, wherever they are
	placeRows    = 500 // on which places are compared
	mostDecades  = 3   // magnitudes are from 10^-3 to 10^3
)

// starts returns the constants at the best places and some others.
func (f Named) starts(d Data) ([][]float64, error) {
	d = d.AtMost(placeRows)
	pr, err := newProjection(f, d)
	if err != nil {
		return nil, err
	}
	x, err := newParametric(f.Expr, f.names(), f.Inputs, d)
	if err != nil {
		return nil, err
	}
	type start struct {
		p   []float64
		sse float64
	}
	var all []start
	for _, p := range f.places(pr.linear, scalesOf(d)) {
		p = f.clamped(pr.solve(p))
		if sse := x.SSE(p); !math.IsInf(sse, 0) {
			all = append(all, start{p, sse})
		}
	}
	var list [][]float64
	for _, s := range all[:min(followedMore, len(all))] {
		list = append(list, s.p)
	}
	slices.SortStableFunc(all, func(a, b start) int { return cmp.Compare(a.sse, b.sse) })
	for _, s := range all[:min(followed, len(all))] {
		list = append(list, s.p)
	}
	return list, nil
}

// places returns values of the constants that are not solved for, at the places of Roberts's R-sequence. The others
// are 1.
func (f Named) places(linear []bool, scales []float64) [][]float64 {
	var sought []int
	at := make([]float64, len(f.Constants))
	for i, c := range f.Constants {
		at[i] = 1
		if !math.IsNaN(c.Start) {
			at[i] = c.Start
		} else if !linear[i] {
			sought = append(sought, i)
		}
	}
	if len(sought) == 0 {
		return [][]float64{at}
	}
	root := 2. // g^(m+1) = g + 1
	for range 64 {
		root = math.Pow(1+root, 1/float64(len(sought)+1))
	}
	var places [][]float64
	for n := range min(mostPlaces, startsOfOne*len(sought)) {
		p := slices.Clone(at)
		for k, i := range sought {
			_, u := math.Modf(0.5 + float64(n)*math.Pow(root, -float64(k+1)))
			p[i] = placeOf(f.Constants[i], u, scales[(n+k*n/len(scales))%len(scales)])
		}
		places = append(places, p)
	}
	return places
}

// placeOf returns the value of a constant that u in [0, 1) stands for.
func placeOf(c formula.Parameter, u, scale float64) float64 {
	size := func(u float64) float64 { return scale * math.Pow(10, mostDecades*(2*u-1)) }
	switch low, high := !math.IsInf(c.Low, 0), !math.IsInf(c.High, 0); {
	case low && high:
		return c.Low + u*(c.High-c.Low)
	case low:
		return c.Low + size(u)
	case high:
		return c.High - size(u)
	case u < 0.5:
		return -size(2 * u)
	}
	return size(2*u - 1)
}

// scalesOf returns what magnitudes are counted in: 1, and the sizes of inputs that are far from it with their inverses.
func scalesOf(d Data) []float64 {
	const far = 10
	scales := []float64{1}
	for _, col := range d.X {
		if size := RMS(col); size > far || size < 1./far && size > 0 {
			scales = append(scales, 1/size, size)
		}
	}
	return scales
}
