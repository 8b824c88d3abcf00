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
// alone: the F test of what a curve, a sum of cubics of the inputs, leaves of it against a level and slopes in each
// group. The curve stays as it is, so that what inputs and groups can both explain is put down to the inputs. Where
// rows are few it is of a lower degree, and there are levels alone. level is the group of each row, counted from 0.
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
	curve := powersOf(d, degree)
	y := slices.Clone(d.Y)
	floats.AddConst(-fit.Mean(y), y)
	rest, shared := leftOf(y, curve)
	var own [][]float64
	for _, of := range curve[:1+slopes] {
		for g := range groups {
			column := make([]float64, n)
			for r, v := range of {
				if level[r] == g {
					column[r] = v
				}
			}
			own = append(own, column)
		}
	}
	least, all := leftOf(rest, own)
	more := float64(all - 1 - slopes)
	free := float64(n-shared) - more
	before, after := floats.Dot(rest, rest), floats.Dot(least, least)
	if !(more > 0 && free > 0 && before > after) {
		return 1
	}
	return distuv.F{D1: more, D2: free}.Survival((before - after) / more / (after / free))
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

// leftOf returns what least squares on columns leaves of y, and how many of them are not tied to others.
func leftOf(y []float64, columns [][]float64) (rest []float64, rank int) {
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
	rest = slices.Clone(y)
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, true) {
		return rest, 0
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	var along, weights mat.VecDense
	along.MulVec(vectors.T(), with)
	for i, value := range eigen.Values(nil) {
		if value > tiedColumns {
			along.SetVec(i, along.AtVec(i)/value)
			rank++
		} else {
			along.SetVec(i, 0)
		}
	}
	weights.MulVec(&vectors, &along)
	for i, a := range columns {
		floats.AddScaled(rest, -weights.AtVec(i)/size[i], a)
	}
	return rest, rank
}
