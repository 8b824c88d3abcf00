package forms

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func dot(a, b []float64) float64 { return floats.Dot(a, b) }

func subtract(y, b []float64, c float64) { floats.AddScaled(y, -c, b) }

// orthonormal returns the first powers of x on the rows, from the zeroth on, made orthogonal to each other.
func orthonormal(x []float64, powers int) (basis [][]float64) {
	const dependent = 1e-9
	low, high := span(x)
	for power := range powers {
		b := make([]float64, len(x))
		for i, v := range x {
			b[i] = math.Pow((2*v-low-high)/(high-low), float64(power))
		}
		for range 2 { // twice, for what rounding leaves
			for _, q := range basis {
				subtract(b, q, dot(b, q))
			}
		}
		if size := floats.Norm(b, 2); size > dependent {
			floats.Scale(1/size, b)
			basis = append(basis, b)
		}
	}
	return basis
}

// solve returns the least squares solution of Σ c_k·columns[k] = y with weighted rows; ok is false where the rows do
// not determine it.
func solve(columns [][]float64, y, weights []float64) (c []float64, ok bool) {
	a, b := mat.NewDense(len(y), len(columns), nil), mat.NewVecDense(len(y), nil)
	scale := make([]float64, len(columns))
	for k, col := range columns {
		weighted := floats.MulTo(make([]float64, len(y)), col, weights)
		if scale[k] = floats.Norm(weighted, 2); !(scale[k] > 0) || math.IsInf(scale[k], 0) {
			return nil, false
		}
		floats.Scale(1/scale[k], weighted)
		a.SetCol(k, weighted)
	}
	for i, v := range y {
		b.SetVec(i, v*weights[i])
	}
	var w mat.VecDense
	if len(y) < len(columns) || w.SolveVec(a, b) != nil {
		return nil, false
	}
	c = w.RawVector().Data
	floats.Div(c, scale)
	return c, true
}

// ofLogarithm returns the coefficients of ln|y| = c_0 + Σ c_k·columns[k] but for the first, from the rows that have the
// sign of the largest |y|. An error of y is one of y·ln y, so rows weigh as much as their y.
func ofLogarithm(y []float64, columns ...[]float64) (c []float64, ok bool) {
	sign := math.Copysign(1, slices.MaxFunc(y, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) }))
	weights, logs := make([]float64, len(y)), make([]float64, len(y))
	for i, v := range y {
		if v *= sign; v > 0 {
			weights[i], logs[i] = v, math.Log(v)
		}
	}
	columns = append([][]float64{ones(len(y))}, columns...)
	if c, ok = solve(columns, logs, weights); ok {
		c = c[1:]
	}
	return c, ok
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// denominator is a rule for the coefficients of a quotient of polynomials, of the given powers of x in the denominator,
// in which that of one further power is 1. y·Q = P is linear in them when one coefficient of Q is 1, whichever; the
// solution is repeated with the rows weighted by 1/Q, for what the product with Q did to their errors (Sanathanan and
// Koerner 1963). Each solution is a place.
func denominator(above, beneath []int, one int) Rule {
	powers := append([]int{one}, beneath...)
	return func(x [][]float64, y []float64) (places [][]float64) {
		for held := range powers {
			for _, q := range quotients(x[0], y, above, powers, held) {
				place := make([]float64, len(beneath))
				for k := range beneath {
					place[k] = q[k+1] / q[0]
				}
				places = append(places, place)
			}
		}
		return places
	}
}

// quotients returns the coefficients of Q, of the given powers, of which the one that is held is 1, for each weighting.
func quotients(x, y []float64, above, powers []int, held int) (list [][]float64) {
	const rounds = 4
	weights := ones(len(y))
	var columns [][]float64
	for _, p := range above {
		columns = append(columns, power(x, p))
	}
	for k, p := range powers {
		if k != held {
			columns = append(columns, floats.ScaleTo(make([]float64, len(y)), -1, times(power(x, p), y)))
		}
	}
	for range rounds {
		c, ok := solve(columns, times(power(x, powers[held]), y), weights)
		if !ok {
			break
		}
		q := slices.Insert(slices.Clone(c[len(above):]), held, 1)
		list = append(list, q)
		values := make([]float64, len(y))
		for k, p := range powers {
			floats.AddScaled(values, q[k], power(x, p))
		}
		least := 1e-6 * floats.Norm(values, math.Inf(1))
		for i, v := range values {
			weights[i] = 1 / math.Max(math.Abs(v), least)
		}
	}
	return list
}

func power(x []float64, p int) []float64 {
	col := make([]float64, len(x))
	for i, v := range x {
		col[i] = math.Pow(v, float64(p))
	}
	return col
}

func times(a, b []float64) []float64 { return floats.MulTo(make([]float64, len(a)), a, b) }
