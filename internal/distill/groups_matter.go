package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/eqlearner/eql/internal/fit"
)

const (
	groupRows       = 5000 // that the test of groups looks at
	rowsOfGroupTerm = 3    // for each of its terms, or it has fewer
	tiedColumns     = 1e-9 // an eigenvalue below this, of columns of length 1, says that some are tied to others
)

// GroupsByChance returns the probability that a target differs between groups as much as it does, or more, by chance
// alone: the F test of one curve, a sum of cubics of the inputs, against one with a level and slopes of its own in each
// group. Where rows are few the curve is of a lower degree, and the slopes are the same. level is the group of each
// row, counted from 0.
func GroupsByChance(d fit.Data, level []int) float64 {
	if d.Rows() > groupRows {
		rows := fit.Spread(d.Rows(), groupRows)
		some := make([]int, len(rows))
		for i, r := range rows {
			some[i] = level[r]
		}
		d, level = d.Take(rows), some
	}
	if len(level) == 0 {
		return 1
	}
	n, groups, slopes := d.Rows(), slices.Max(level)+1, len(d.X)
	few := func(degree int) bool {
		return (1+degree*len(d.X)+(groups-1)*(1+slopes))*rowsOfGroupTerm > n
	}
	degree := 3
	for degree > 1 && few(degree) {
		degree--
	}
	if few(degree) {
		slopes = 0
	}
	columns := powersOf(d, degree)
	y := slices.Clone(d.Y)
	floats.AddConst(-fit.Mean(y), y)
	before, rank := leftOf(y, columns)
	for _, of := range columns[:1+slopes] {
		for g := range groups {
			own := make([]float64, n)
			for r, v := range of {
				if level[r] == g {
					own[r] = v
				}
			}
			columns = append(columns, own)
		}
	}
	after, all := leftOf(y, columns)
	more, free := float64(all-rank), float64(n-all)
	if !(more > 0 && free > 0 && before > after) {
		return 1
	}
	return distuv.F{D1: more, D2: free}.Survival((before - after) / more / (math.Max(after, 0) / free))
}

// powersOf returns 1 and the powers of the inputs, in standard deviations from their means, up to a degree, low degrees
// first.
func powersOf(d fit.Data, degree int) [][]float64 {
	columns := [][]float64{slices.Repeat([]float64{1}, d.Rows())}
	for k := range degree {
		for j, x := range d.X {
			mean, sd := fit.Mean(x), math.Max(fit.StandardDeviation(x), math.SmallestNonzeroFloat64)
			power := slices.Repeat([]float64{1}, d.Rows())
			if k > 0 {
				power = slices.Clone(columns[1+(k-1)*len(d.X)+j])
			}
			for r, v := range x {
				power[r] *= (v - mean) / sd
			}
			columns = append(columns, power)
		}
	}
	return columns
}

// leftOf returns the sum of squares that least squares on columns leaves of y, and how many of them are not tied to
// others.
func leftOf(y []float64, columns [][]float64) (left float64, rank int) {
	p := len(columns)
	gram, with := mat.NewSymDense(p, nil), mat.NewVecDense(p, nil)
	size := make([]float64, p)
	for i, a := range columns {
		size[i] = math.Max(math.Sqrt(floats.Dot(a, a)), math.SmallestNonzeroFloat64)
		with.SetVec(i, floats.Dot(a, y)/size[i])
		for k, b := range columns[:i+1] {
			gram.SetSym(i, k, floats.Dot(a, b)/size[i]/size[k])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, true) {
		return math.NaN(), p
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	var along mat.VecDense
	along.MulVec(vectors.T(), with)
	left = floats.Dot(y, y)
	for i, value := range eigen.Values(nil) {
		if value > tiedColumns {
			left -= along.AtVec(i) * along.AtVec(i) / value
			rank++
		}
	}
	return left, rank
}
