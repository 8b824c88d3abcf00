package distill

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// denominators calls f with the values of each denominator, of one block of rows after the other.
func (l *Law) denominators(x [][]float64, rows int, f func(unit, from int, z []float64)) {
	l.arguments(x, rows, func(kind model.Unit) bool { return kind == model.Reciprocal }, f)
}

// arguments calls f with the values of the argument of each unit of some kinds, of one block of rows after the other.
func (l *Law) arguments(x [][]float64, rows int, of func(kind model.Unit) bool, f func(unit, from int, z []float64)) {
	if !slices.ContainsFunc(l.units, func(u unit) bool { return of(u.kind) }) {
		return
	}
	e := newEvaluator(l)
	for from := 0; from < rows; from += fit.BlockRows {
		to := min(from+fit.BlockRows, rows)
		e.forward(x, from, to)
		for i, u := range l.units {
			if of(u.kind) {
				f(i, from, e.args[i][0][:to-from])
			}
		}
	}
}

// ranges returns the least and the largest room of each unit that has an end.
func (l *Law) ranges(d fit.Data) (low, high []float64) {
	low, high = slices.Repeat([]float64{math.Inf(1)}, len(l.units)), slices.Repeat([]float64{math.Inf(-1)}, len(l.units))
	l.rooms(d.X, d.Rows(), func(i, _ int, v float64) {
		low[i], high[i] = math.Min(low[i], v), math.Max(high[i], v)
	})
	return low, high
}

// rooms calls f with how far the argument of each unit is from its end, in each row.
func (l *Law) rooms(x [][]float64, rows int, f func(unit, row int, room float64)) {
	ended := func(kind model.Unit) bool { return ends[kind] != nil }
	l.arguments(x, rows, ended, func(i, from int, z []float64) {
		room := ends[l.units[i].kind]
		for r, v := range z {
			f(i, from+r, room(v))
		}
	})
}

// hasPole reports whether a unit has no value, or an infinite one, where its argument is zero.
func hasPole(kind model.Unit) bool { return kind == model.Reciprocal || kind == model.Log }

// BeforePoles returns the rows of d with other inputs x, but those that have left the data through a pole, or
// are near one: where a denominator, the argument of a logarithm, or what keeps an inverse sine in its range, has
// another sign than on the data, or less than half of its least size there.
func (l *Law) BeforePoles(d fit.Data, x [][]float64) fit.Data {
	low, high := l.ranges(d)
	keep := slices.Repeat([]bool{true}, d.Rows())
	l.rooms(x, d.Rows(), func(i, r int, v float64) {
		if low[i] > 0 && v < low[i]/2 || high[i] < 0 && v > high[i]/2 {
			keep[r] = false
		}
	})
	var rows []int
	for r, k := range keep {
		if k {
			rows = append(rows, r)
		}
	}
	return fit.Data{X: x, Y: d.Y, W: d.W}.Take(rows)
}

// VaguePole reports whether the data leaves open where a pole, or the end of a logarithm, is: at the row that is
// nearest to it the 95 % interval of the denominator, or of the argument, is wider than its value.
func (l *Law) VaguePole(d fit.Data) bool {
	all, eq := l.fit(d, 0, 0)
	low, high := all.ranges(d)
	chol, ok := eq.Factorize(1e-12)
	if !ok {
		return slices.ContainsFunc(l.units, func(u unit) bool { return hasPole(u.kind) })
	}
	sigma := math.Hypot(math.Sqrt(eq.SSE/float64(max(1, d.Rows()-l.Params()))), fit.NewCriterion(d).Floor)
	for i, u := range all.units {
		if !hasPole(u.kind) {
			continue
		}
		nearest := math.Min(math.Abs(low[i]), math.Abs(high[i]))
		if low[i] <= 0 && high[i] >= 0 {
			nearest = 0
		}
		slope := mat.NewVecDense(all.Params(), all.slopesOfNearest(i, d))
		var solved mat.VecDense
		if fit.Fails(chol.SolveVecTo(&solved, slope)) {
			return true
		}
		width := 2 * 1.96 * sigma * math.Sqrt(math.Max(0, mat.Dot(slope, &solved)))
		if !(width == 0 || width < nearest) { // of an input alone the end is where the input is zero
			return true
		}
	}
	return false
}

// slopesOfNearest returns the derivatives of the argument of a unit by the constants of the law, at the row where it is
// nearest to zero.
func (l *Law) slopesOfNearest(unit int, d fit.Data) []float64 {
	kind := l.units[unit].kind
	row, least := 0, math.Inf(1)
	l.arguments(d.X, d.Rows(), func(k model.Unit) bool { return k == kind }, func(i, from int, z []float64) {
		for r, v := range z {
			if i == unit && math.Abs(v) < least {
				row, least = from+r, math.Abs(v)
			}
		}
	})
	at := d.Take([]int{row})
	c := l.clone()
	ps := c.params()
	slopes := make([]float64, len(ps))
	value := func() (v float64) {
		c.arguments(at.X, 1, func(k model.Unit) bool { return k == kind }, func(i, _ int, z []float64) {
			if i == unit {
				v = z[0]
			}
		})
		return v
	}
	for k, p := range ps {
		was := *p
		h := 1e-6 * math.Max(math.Abs(was), 1e-6)
		*p = was + h
		up := value()
		*p = was - h
		slopes[k] = (up - value()) / (2 * h)
		*p = was
	}
	return slopes
}
