package baseline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// problem is a data set and a setting to fit it with.
type problem struct {
	x [][]float64
	y []float64
	s SVR
}

// randomProblem draws 1 to 4 inputs, 20 to 80 rows of a smooth function with noise, and C, γ and ε
// from the range of the paper's grid. Some targets coincide, as do some rows.
func randomProblem(rng *rand.Rand) problem {
	rows, inputs := 20+rng.IntN(61), 1+rng.IntN(4)
	p := problem{y: make([]float64, rows)}
	for range inputs {
		col := make([]float64, rows)
		for i := range col {
			col[i] = math.Round(20*(4*rng.Float64()-2)) / 20
		}
		p.x = append(p.x, col)
	}
	for i := range p.y {
		p.y[i] = math.Sin(2*p.x[0][i]) + p.x[inputs-1][i]/3 + 0.05*rng.NormFloat64()
	}
	p.s = SVR{
		C:       math.Pow(10, 6.5*rng.Float64()-3),
		Gamma:   math.Pow(10, 1.3*rng.Float64()-1.3),
		Epsilon: math.Pow(10, 3*rng.Float64()-3),
	}
	return p
}

func (p problem) String() string {
	return fmt.Sprintf("%d rows of %d inputs, C=%.3g γ=%.3g ε=%.3g", len(p.y), len(p.x), p.s.C, p.s.Gamma, p.s.Epsilon)
}

func (p problem) fit(t testing.TB, s SVR) *SVRModel {
	t.Helper()
	m, err := s.Fit(context.Background(), p.x, p.y)
	if err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	return m
}

// allBeta returns β of every row.
func (m *SVRModel) allBeta(rows int) []float64 {
	beta := make([]float64, rows)
	for k, i := range m.rows {
		beta[i] = m.beta[k]
	}
	return beta
}

// TestOptimality holds random fits to the conditions of an optimum, written for the error
// e = y − f(x) of each row, and to the duality gap.
//
//	β = 0 → |e| ≤ ε;  0 < β < C → e = ε;  β = C → e ≥ ε;  and alike for β < 0 with −e
//
// each within the tolerance: b is in [M, m], or between m and M, and m − M ≤ tolerance. The primal
// objective ½βᵀKβ + C·Σ max(0, |e| − ε) plus the dual D(β) is the sum over rows of
// ε|β| − βe + C·max(0, |e| − ε), where each term is at least 0 and at most C·tolerance.
func TestOptimality(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		p := randomProblem(rng)
		m := p.fit(t, p.s)
		if !m.Converged() {
			t.Errorf("%v: not converged after %d iterations", p, m.Iterations())
		}
		beta, f := m.allBeta(len(p.y)), m.Predict(p.x)
		// Rounding: each residual is a sum of as many terms as iterations, of size up to C.
		slack := DefaultTolerance + 1e-12*p.s.C*float64(len(p.y))
		sum, gap := 0.0, 0.0
		for i, b := range beta {
			e, c, eps := p.y[i]-f[i], p.s.C, p.s.Epsilon
			sum += b
			gap += eps*math.Abs(b) - b*e + c*max(0, math.Abs(e)-eps)
			if math.Abs(b) > c {
				t.Errorf("%v: row %d has β = %g", p, i, b)
			}
			if b < 0 {
				b, e = -b, -e
			}
			if b == 0 && math.Abs(e) > eps+slack || b > 0 && e < eps-slack || b > 0 && b < c && e > eps+slack {
				t.Errorf("%v: row %d has β = %g and an error of %g", p, i, beta[i], e)
			}
		}
		if size := 1e-13 * p.s.C * float64(m.Iterations()+1); math.Abs(sum) > size {
			t.Errorf("%v: Σβ is %g", p, sum)
		}
		if limit := float64(len(p.y)) * p.s.C * slack; !(gap > -1e-9*p.s.C && gap <= limit) {
			t.Errorf("%v: the duality gap is %g, want 0 to %g", p, gap, limit)
		}
	}
}

// TestTwoRows has targets 1 and −1. With β = (t, −t), D = t²(1 − K) − 2t + 2εt, so t is
// (1 − ε)/(1 − K), or C when that is less, and f = ±t(1 − K) at the rows.
func TestTwoRows(t *testing.T) {
	x := [][]float64{{0, 0.5}, {0, 1}}
	gamma, eps := 0.3, 0.1
	k := math.Exp(-gamma * (0.25 + 1))
	free := (1 - eps) / (1 - k)
	for _, c := range []float64{0.01, 0.9 * free, 1.1 * free, 1000} {
		m := problem{x: x, y: []float64{1, -1}}.fit(t, SVR{C: c, Gamma: gamma, Epsilon: eps, Tolerance: 1e-12})
		want := min(c, free)
		if b := m.beta; len(b) != 2 || !near(b[0], want, 1e-12) || b[1] != -b[0] {
			t.Errorf("C=%g: β is %v, want ±%g", c, b, want)
		}
		if f := m.Predict(x); !near(f[0], want*(1-k), 1e-12) || !near(f[1], -want*(1-k), 1e-12) {
			t.Errorf("C=%g: predictions are %v, want ±%g", c, f, want*(1-k))
		}
		if d := want*want*(1-k) - 2*want*(1-eps); !near(m.objective, d, 1e-12) {
			t.Errorf("C=%g: the objective is %g, want %g", c, m.objective, d)
		}
	}
}

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*max(1, math.Abs(a), math.Abs(b)) }

// TestStepTakesTheBestPair compares each step with a search of all partners of the largest raise: it
// must gain what the best of them would without bounds, b²/2a, or less only where it is cut.
func TestStepTakesTheBestPair(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		p := randomProblem(rng)
		pts := newPoints(p.x)
		kernel := func(i, j int) float64 { return rbf(p.s.Gamma, pts.row(i), pts.row(j)) }
		o := newSMO(p.s, newCache(pts, p.s.Gamma, DefaultCacheBytes).column, p.y)
		for step := 0; step < 200 && !o.optimal(); step++ {
			before := slices.Clone(o.beta)
			most := 0.0
			for j := range before {
				if b := o.m - (o.r[j] + o.fall[j]); b > 0 {
					most = max(most, b*b/2/max(2-2*kernel(o.first, j), flat))
				}
			}
			d := o.objective()
			o.step()
			cut, changed := false, 0
			for k, b := range o.beta {
				if b != before[k] {
					changed++
					cut = cut || b == 0 || math.Abs(b) == p.s.C
				}
			}
			gain := d - o.objective()
			if rounding := 1e-11 * max(1, math.Abs(d)); gain < -rounding || gain > most+rounding ||
				!cut && gain < most-rounding {
				t.Fatalf("%v: step %d gains %g, the best pair %g (cut: %v)", p, step, gain, most, cut)
			}
			if changed > 2 {
				t.Fatalf("%v: step %d changes %d coefficients", p, step, changed)
			}
		}
	}
}

// TestShrinkingAndCacheChangeNothing: columns are the same wherever they are kept, so the cache gives
// the same bits; shrinking takes another path to the same optimum.
func TestShrinkingAndCacheChangeNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	shrunk, worst := 0, 0.0
	for range 30 {
		p := randomProblem(rng)
		p.s.Tolerance = 1e-4
		m := p.fit(t, p.s)

		tiny := p.s
		tiny.CacheBytes = 1
		if got := p.fit(t, tiny); !slices.Equal(got.beta, m.beta) || !slices.Equal(got.rows, m.rows) || got.bias != m.bias {
			t.Errorf("%v: another model with two columns in the cache", p)
		}

		plain := p.s
		plain.NoShrinking = true
		all := p.fit(t, plain)
		if all.Iterations() != m.Iterations() {
			shrunk++
		}
		// Both meet the conditions of TestOptimality within the tolerance, so free rows are
		// predicted within twice that, and others little worse.
		f, want := m.Predict(p.x), all.Predict(p.x)
		for i := range f {
			worst = max(worst, math.Abs(f[i]-want[i]))
			if !near(f[i], want[i], 3e-4) {
				t.Errorf("%v: row %d is predicted %g with shrinking, %g without", p, i, f[i], want[i])
				break
			}
		}
		limit := p.s.C * float64(len(p.y)) * 1e-4
		if math.Abs(m.objective-all.objective) > limit+1e-9*math.Abs(all.objective) {
			t.Errorf("%v: objective %g with shrinking, %g without", p, m.objective, all.objective)
		}
	}
	t.Logf("shrinking took another path in %d fits; predictions differ by %.2g", shrunk, worst)
	if shrunk == 0 {
		t.Error("shrinking never made a difference to the path; is it on?")
	}
}

func TestFlatTargets(t *testing.T) {
	x := [][]float64{{1, 2, 3, 4, 4}}
	for _, c := range []struct {
		name string
		y    []float64
		eps  float64
		want float64
	}{
		{"constant", []float64{7, 7, 7, 7, 7}, 0.1, 7},
		{"constant without a tube", []float64{-7, -7, -7, -7, -7}, 0, -7},
		{"all within the tube", []float64{1, 2, 3, 4, 1}, 1.5, 2.5}, // every constant from 2.5 to 2.5
		{"wide tube", []float64{1, 2, 3, 4, 1}, 10, 2.5},            // the middle of −6 … 11
	} {
		m := problem{x: x, y: c.y}.fit(t, SVR{C: 10, Gamma: 1, Epsilon: c.eps})
		if m.Support() != 0 || !m.Converged() {
			t.Errorf("%s: %d support vectors, converged %v, want none and true", c.name, m.Support(), m.Converged())
		}
		if f := m.Predict([][]float64{{2.5, 100}}); f[0] != c.want || f[1] != c.want {
			t.Errorf("%s: predictions are %v, want %g", c.name, f, c.want)
		}
	}
	one := problem{x: [][]float64{{3}}, y: []float64{5}}.fit(t, SVR{C: 1, Gamma: 1})
	if f := one.Predict([][]float64{{3, -1}}); f[0] != 5 || f[1] != 5 {
		t.Errorf("one row: predictions are %v, want 5", f)
	}
}

// TestEqualRows has two targets at one point, where a pair has no curvature: β = ±C there, since no
// function can serve both.
func TestEqualRows(t *testing.T) {
	m := problem{x: [][]float64{{1, 1}}, y: []float64{0, 1}}.fit(t, SVR{C: 3, Gamma: 1, Epsilon: 0.1})
	if !slices.Equal(m.beta, []float64{-3, 3}) || m.bias != 0.5 {
		t.Errorf("β is %v and b %g, want -3, 3 and 0.5", m.beta, m.bias)
	}
}

func TestLimitOfIterations(t *testing.T) {
	p := randomProblem(rand.New(rand.NewPCG(7, 8)))
	s := SVR{C: 1000, Gamma: 0.05, Epsilon: 0.001, MaxIterations: 70}
	if m := p.fit(t, s); m.Converged() || m.Iterations() != 70 {
		t.Errorf("%d iterations, converged %v, want 70 and false", m.Iterations(), m.Converged())
	}
}

func TestFitIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := randomProblem(rand.New(rand.NewPCG(7, 8)))
	if m, err := p.s.Fit(ctx, p.x, p.y); m != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v, want no model and %v", m, err, context.Canceled)
	}
}

func TestFitRefuses(t *testing.T) {
	good := SVR{C: 1, Gamma: 1, Epsilon: 0.1}
	x, y := [][]float64{{1, 2}, {3, 4}}, []float64{5, 6}
	for _, c := range []struct {
		name string
		s    SVR
		x    [][]float64
		y    []float64
		want string
	}{
		{"C", SVR{C: 0, Gamma: 1}, x, y, "C is 0, want a positive number"},
		{"gamma", SVR{C: 1, Gamma: math.NaN()}, x, y, "gamma is NaN, want a positive number"},
		{"infinite", SVR{C: math.Inf(1), Gamma: 1}, x, y, "C is +Inf, want a positive number"},
		{"epsilon", SVR{C: 1, Gamma: 1, Epsilon: -0.1}, x, y, "epsilon is -0.1, want a number of at least 0"},
		{"tolerance", SVR{C: 1, Gamma: 1, Tolerance: -1}, x, y, "tolerance is -1"},
		{"cache", SVR{C: 1, Gamma: 1, CacheBytes: -1}, x, y, "the cache has -1 bytes"},
		{"iterations", SVR{C: 1, Gamma: 1, MaxIterations: -1}, x, y, "the limit of iterations is -1"},
		{"all at once", SVR{C: -1, Gamma: -2}, x, []float64{5, math.Inf(-1)},
			"C is -1, want a positive number\ngamma is -2, want a positive number\ntarget column 1, row 2: -Inf is not finite"},
		{"no inputs", good, nil, y, "there are 0 input and 1 target columns"},
		{"no rows", good, [][]float64{{}}, nil, "there are no rows"},
		{"lengths", good, [][]float64{{1, 2}, {3}}, y, "input column 2 has 1 rows, the first target column has 2"},
		{"not a number", good, [][]float64{{1, 2}, {math.NaN(), 1}}, y, "input column 2, row 1: NaN is not finite"},
	} {
		if _, err := c.s.Fit(context.Background(), c.x, c.y); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", c.name, err, c.want)
		}
	}
}

// TestHugeTargets overflow while they are fitted; that must end, not panic.
func TestHugeTargets(t *testing.T) {
	p := problem{x: [][]float64{{1, 2, 3}}, y: []float64{math.MaxFloat64, -math.MaxFloat64, 0}}
	p.fit(t, SVR{C: math.MaxFloat64, Gamma: 1, MaxIterations: 1000})
}
