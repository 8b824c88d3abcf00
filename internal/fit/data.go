package fit

import (
	"math"
	"slices"
)

// Data is the rows of one target: X[j][i] is input j of row i.
type Data struct {
	X [][]float64
	Y []float64
	W []float64 // root weights of the rows, see [RootWeights]; nil: all are 1

	Sigma float64 // standard deviation of the error of a row of weight 1, where it is known; 0: the residuals tell
	Tails float64 // degrees of freedom of the Student's t that W is also the weights of, see [Data.ForTails]; 0: of none

	// Done ends fits to the rows, once it is closed, where they are, as the steps used up would: what comes out is worse
	// than it could be. nil: nothing does.
	Done <-chan struct{}
}

// Ended reports whether fits to the rows are to end where they are.
func (d Data) Ended() bool {
	select {
	case <-d.Done:
		return true
	default:
		return false
	}
}

// Rows returns the number of rows.
func (d Data) Rows() int { return len(d.Y) }

// Take returns the given rows.
func (d Data) Take(rows []int) Data {
	take := func(col []float64) []float64 {
		c := make([]float64, len(rows))
		for i, r := range rows {
			c[i] = col[r]
		}
		return c
	}
	t := Data{Y: take(d.Y), Sigma: d.Sigma, Tails: d.Tails, Done: d.Done}
	if d.W != nil {
		t.W = take(d.W)
	}
	for _, col := range d.X {
		t.X = append(t.X, take(col))
	}
	return t
}

// BlockRows is how many rows are evaluated at a time: few enough for the values of a law to stay
// in the cache, enough to make the loops long.
const BlockRows = 256

// SearchRows is how many rows structure is searched on; the last fit uses all.
const SearchRows = 2000

// Spread returns count of n rows, one from each of as many equal stretches, at places that do not repeat:
// rows at equal distances could be at the same hour of each day.
func Spread(n, count int) []int {
	rows := make([]int, count)
	for i := range rows {
		_, place := math.Modf(float64(i) * math.Phi)
		from, to := i*n/count, (i+1)*n/count
		rows[i] = from + int(place*float64(to-from))
	}
	return rows
}

// AtMost returns all rows, or so many of them by [Spread] if there are more.
func (d Data) AtMost(rows int) Data {
	if d.Rows() <= rows {
		return d
	}
	return d.Take(Spread(d.Rows(), rows))
}

// MedianSize returns the median of the sizes of numbers, the upper one of an even number.
func MedianSize(y []float64) float64 {
	sizes := make([]float64, len(y))
	for i, v := range y {
		sizes[i] = math.Abs(v)
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// Errors returns how much larger predictions are than the targets, times root weights.
func (d Data) Errors(by interface {
	Predict(x [][]float64, rows int) []float64
}) []float64 {
	errors := by.Predict(d.X, d.Rows())
	for i, y := range d.Y {
		errors[i] -= y
	}
	d.Weigh(errors, 0)
	return errors
}

// CrossValidate returns the error of each row when predict learns from the rows of the other folds.
func CrossValidate(d Data, folds [][]int, predict func(rest, held Data) []float64) []float64 {
	errors := make([]float64, d.Rows())
	for i, held := range folds {
		var rest []int
		for k, fold := range folds {
			if k != i {
				rest = append(rest, fold...)
			}
		}
		slices.Sort(rest)
		out := d.Take(held)
		for k, y := range predict(d.Take(rest), out) {
			errors[held[k]] = y - out.Y[k]
			if out.W != nil {
				errors[held[k]] *= out.W[k]
			}
		}
	}
	return errors
}

// RMS returns the root of the mean square of a list of errors.
func RMS(errors []float64) float64 {
	const smallest, largest = 1e-140, 1e140 // errors whose squares are lost, or infinite, are not squared
	sum, size := 0.0, 0.0
	for _, e := range errors {
		sum += e * e
		size = math.Max(size, math.Abs(e))
	}
	if size == 0 || size > smallest && size < largest || !(size <= math.MaxFloat64) {
		return math.Sqrt(sum / float64(len(errors)))
	}
	scaled := make([]float64, len(errors))
	for i, e := range errors {
		scaled[i] = e / size
	}
	return size * RMS(scaled)
}

// Mean returns the mean of a column.
func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// StandardDeviation returns that of a column about its mean.
func StandardDeviation(y []float64) float64 {
	m, sq := Mean(y), 0.0
	for _, v := range y {
		sq += (v - m) * (v - m) / float64(len(y))
	}
	return math.Sqrt(sq)
}

// Magnitudes returns |y|.
func Magnitudes(y []float64) []float64 {
	m := make([]float64, len(y))
	for i, v := range y {
		m[i] = math.Abs(v)
	}
	return m
}

// Logarithms returns ln x.
func Logarithms(col []float64) []float64 {
	logs := make([]float64, len(col))
	for i, x := range col {
		logs[i] = math.Log(x)
	}
	return logs
}
