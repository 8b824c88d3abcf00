package baseline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// The defaults of [SVR], for fields that are zero.
const (
	DefaultTolerance  = 1e-3       // libsvm's
	DefaultCacheBytes = 1 << 30    // the whole matrix of kernels up to 11,585 rows
	minIterations     = 10_000_000 // the limit of iterations, but at least
	iterationsPerRow  = 100        // as many for each row; both are libsvm's
)

// SVR is a setting of ε-support vector regression. It fits
//
//	f(x) = Σ β_i·K(x_i, x) + b,  K(x, x′) = exp(−γ‖x − x′‖²)
//
// to rows (x_i, y_i) by minimising ½‖f‖² + C·Σ max(0, |y_i − f(x_i)| − ε), where ‖f‖² = βᵀKβ is the
// norm that belongs to the kernel. The numbers mean what they do in libsvm (-s 3 -t 2 -c -g -p -e).
type SVR struct {
	C       float64 `json:"c"`       // price of an error beyond ε, and bound of |β|; > 0
	Gamma   float64 `json:"gamma"`   // γ > 0
	Epsilon float64 `json:"epsilon"` // errors up to ε ≥ 0 are free

	// Tolerance is how far a fit may stay from the conditions of an optimum, in units of y: every
	// row meets them within it. 0 means DefaultTolerance, which is for targets of size about 1.
	Tolerance float64 `json:"tolerance,omitempty"`
	// MaxIterations stops a fit that takes too long, counted in pairs of coefficients changed. 0
	// means libsvm's limit, the larger of ten million and a hundred a row.
	MaxIterations int `json:"max_iterations,omitempty"`

	// CacheBytes bounds the memory for columns of the kernel matrix, which take 8 bytes a row;
	// there are always two. Up to 32 MiB for faces come on top. 0 means DefaultCacheBytes. It does
	// not change the result.
	CacheBytes int `json:"cache_bytes,omitempty"`
	// NoShrinking keeps rows in every step that are settled for now. The result is the same to
	// the tolerance, and takes longer.
	NoShrinking bool `json:"no_shrinking,omitempty"`
}

// Validate reports every invalid field, joined into one error.
func (s SVR) Validate() error {
	var errs []error
	for _, f := range []struct {
		name  string
		value float64
		zero  bool // is zero allowed
	}{
		{"C", s.C, false}, {"gamma", s.Gamma, false}, {"epsilon", s.Epsilon, true}, {"tolerance", s.Tolerance, true},
	} {
		switch {
		case f.value > 0 && !math.IsInf(f.value, 0) || f.value == 0 && f.zero:
		case f.zero:
			errs = append(errs, fmt.Errorf("%s is %g, want a number of at least 0", f.name, f.value))
		default:
			errs = append(errs, fmt.Errorf("%s is %g, want a positive number", f.name, f.value))
		}
	}
	if s.MaxIterations < 0 {
		errs = append(errs, fmt.Errorf("the limit of iterations is %d, want at least 1, or 0 for libsvm's", s.MaxIterations))
	}
	if s.CacheBytes < 0 {
		errs = append(errs, fmt.Errorf("the cache has %d bytes, want at least 1, or 0 for %d",
			s.CacheBytes, DefaultCacheBytes))
	}
	return errors.Join(errs...)
}

func (s SVR) cacheBytes() int {
	if s.CacheBytes == 0 {
		return DefaultCacheBytes
	}
	return s.CacheBytes
}

// Fit fits the setting to the columns x with targets y. It returns an error when the setting or
// the columns are invalid, and ctx's error when ctx is done.
func (s SVR) Fit(ctx context.Context, x [][]float64, y []float64) (*SVRModel, error) {
	if err := errors.Join(s.Validate(), checkColumns("", x, [][]float64{y})); err != nil {
		return nil, err
	}
	p := newPoints(x)
	return s.fit(ctx, p, newCache(p, s.Gamma, s.cacheBytes()).column, y)
}

// fit solves the dual problem; column gives the columns of the kernel matrix of p.
func (s SVR) fit(ctx context.Context, p points, column func(int) []float64, y []float64) (*SVRModel, error) {
	o := newSMO(s, column, y)
	if err := o.solve(ctx); err != nil {
		return nil, err
	}
	m := &SVRModel{gamma: s.Gamma, bias: o.bias(), objective: o.objective(), iterations: o.iterations,
		converged: o.converged}
	m.points.dim = p.dim
	for i, b := range o.coefficients() {
		if b != 0 {
			m.rows = append(m.rows, i)
			m.beta = append(m.beta, b)
			m.points.v = append(m.points.v, p.row(i)...)
		}
	}
	m.points.n = len(m.rows)
	return m, nil
}

// SVRModel is a fitted [SVR]. It keeps its support vectors, not the data.
type SVRModel struct {
	gamma      float64
	points     points    // the support vectors
	rows       []int     // the row of each in the data, ascending
	beta       []float64 // β of each, not 0
	bias       float64   // b, libsvm's −ρ
	objective  float64   // of the dual problem, see smo
	iterations int
	converged  bool
}

// Support returns the number of support vectors: rows with β ≠ 0.
func (m *SVRModel) Support() int { return len(m.beta) }

// Iterations returns how many pairs of coefficients were changed.
func (m *SVRModel) Iterations() int { return m.iterations }

// Converged tells whether the tolerance was reached before the limit of iterations.
func (m *SVRModel) Converged() bool { return m.converged }

// Predict returns f for each row of the columns x, which must be those of the fit, in their order
// and of one length. Like indexing a slice, it panics when there are too few.
func (m *SVRModel) Predict(x [][]float64) []float64 {
	y := make([]float64, len(x[0]))
	at := make([]float64, m.points.dim)
	for i := range y {
		for j := range at {
			at[j] = x[j][i]
		}
		y[i] = m.at(at)
	}
	return y
}

func (m *SVRModel) at(x []float64) float64 {
	sum := m.bias
	for k, b := range m.beta {
		sum += b * rbf(m.gamma, m.points.row(k), x)
	}
	return sum
}

// checkColumns reports what is wrong with inputs and targets, with what they are in each message.
func checkColumns(what string, x, y [][]float64) error {
	if len(x) == 0 || len(y) == 0 {
		return fmt.Errorf("%sthere are %d input and %d target columns, want at least one of each", what, len(x), len(y))
	}
	rows := len(y[0])
	if rows == 0 {
		return fmt.Errorf("%sthere are no rows", what)
	}
	var errs []error
	for _, kind := range []struct {
		name string
		cols [][]float64
	}{{"input", x}, {"target", y}} {
		for j, col := range kind.cols {
			if len(col) != rows {
				errs = append(errs, fmt.Errorf("%s%s column %d has %d rows, the first target column has %d",
					what, kind.name, j+1, len(col), rows))
			}
			if i := slices.IndexFunc(col, notFinite); i >= 0 {
				errs = append(errs, fmt.Errorf("%s%s column %d, row %d: %g is not finite; remove the row",
					what, kind.name, j+1, i+1, col[i]))
			}
		}
	}
	return errors.Join(errs...)
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
