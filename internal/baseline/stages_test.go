package baseline

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// wideProblem has noise far beyond ε, a wide kernel and a large C: most rows end at ±C, and the stages
// and faces matter.
func wideProblem(rows int) problem {
	d := pendulumData(3, rows)
	return problem{x: d.X, y: d.Y[1], s: SVR{C: 1000, Gamma: 0.1, Epsilon: 0.002}}
}

func (p problem) solver() *smo {
	pts := newPoints(p.x)
	return newSMO(p.s, newCache(pts, p.s.Gamma, DefaultCacheBytes).column, p.y)
}

// checkResidual holds r to its definition y − Kβ, to the rounding of a sum of n terms of size C.
func checkResidual(t *testing.T, p problem, o *smo) {
	t.Helper()
	pts := newPoints(p.x)
	for k, row := range o.order {
		want := p.y[row]
		for l, b := range o.beta {
			want -= b * rbf(p.s.Gamma, pts.row(row), pts.row(o.order[l]))
		}
		if math.Abs(o.r[k]-want) > 1e-11*p.s.C*float64(len(p.y)) {
			t.Fatalf("r of row %d is %g, want %g", row, o.r[k], want)
		}
	}
}

// TestStagesEndAtTheSameOptimum compares with pairs alone: faces are never begun when they have spent
// everything, and one stage is the last. D may differ by n·C·tolerance (see TestOptimality).
func TestStagesEndAtTheSameOptimum(t *testing.T) {
	p := wideProblem(150)
	pairs := p.solver()
	pairs.faceWork = math.Inf(1)
	if err := pairs.converge(context.Background()); err != nil {
		t.Fatal(err)
	}
	o := p.solver()
	if err := o.solve(context.Background()); err != nil {
		t.Fatal(err)
	}
	if o.faceWork == 0 || o.c != p.s.C || !o.converged || !pairs.converged {
		t.Fatalf("work on faces %g, C %g, converged %v and %v", o.faceWork, o.c, o.converged, pairs.converged)
	}
	checkResidual(t, p, o)
	if d, want := o.objective(), pairs.objective(); math.Abs(d-want) > p.s.C*DefaultTolerance*float64(len(p.y)) {
		t.Errorf("objective %g, with pairs alone %g", d, want)
	}
	if 3*o.iterations > pairs.iterations {
		t.Errorf("%d iterations, with pairs alone %d: stages and faces should save most", o.iterations, pairs.iterations)
	}
}

// TestScaleIsBestOnTheRay: along s·β, D is ½s²·βᵀKβ − s·(yᵀβ − ε·Σ|β_i|), so it is higher on both
// sides of the best s.
func TestScaleIsBestOnTheRay(t *testing.T) {
	p := wideProblem(60)
	o := p.solver()
	o.start(1)
	if err := o.converge(context.Background()); err != nil {
		t.Fatal(err)
	}
	beta, best := slices.Clone(o.beta), o.scale()
	if best <= 1 {
		t.Errorf("best scale is %g, want more than 1 where errors exceed ε", best)
	}
	pts := newPoints(p.x)
	at := func(s float64) float64 {
		d := 0.0
		for k, b := range beta {
			row := o.order[k]
			d += p.s.Epsilon*s*math.Abs(b) - p.y[row]*s*b
			for l, c := range beta {
				d += s * s * b * c * rbf(p.s.Gamma, pts.row(row), pts.row(o.order[l])) / 2
			}
		}
		return d
	}
	if at(0.99*best) <= at(best) || at(1.01*best) <= at(best) {
		t.Errorf("D is %g, %g, %g around the best scale %g", at(0.99*best), at(best), at(1.01*best), best)
	}
}

// TestRaise: rows at the bound stay at it, the others rise in proportion, and so does Kβ.
func TestRaise(t *testing.T) {
	p := wideProblem(60)
	o := p.solver()
	o.start(0.3)
	if err := o.converge(context.Background()); err != nil {
		t.Fatal(err)
	}
	before := o.coefficients()
	o.faceWork = math.Inf(1) // only the start, no face
	o.raise(0.9)
	bound := 0
	for i, b := range o.coefficients() {
		if math.Abs(before[i]) == 0.3 {
			bound++
			if math.Abs(b) != 0.9 {
				t.Errorf("row %d goes from a bound to β = %g", i, b)
			}
		}
		if !near(b, 3*before[i], 1e-14) {
			t.Errorf("row %d goes from %g to %g, want three times that", i, before[i], b)
		}
	}
	if bound == 0 {
		t.Error("no row was at a bound")
	}
	checkResidual(t, p, o)
}

// TestFaceWithoutBounds minimises ½βᵀKβ − vᵀβ where no bound is near, with Σβ kept: the solution has all
// v equal, by Lagrange, and as many steps as rows are enough in exact arithmetic.
func TestFaceWithoutBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n = 12
	f := randomFace(rng, n, 1e6)
	start := slices.Clone(f.beta)
	if taken := f.minimise(1e-10, 2*n); taken > n+2 {
		t.Errorf("%d steps for %d rows", taken, n)
	}
	if spread := slices.Max(f.v) - slices.Min(f.v); !(spread <= 1e-10) {
		t.Errorf("v spreads over %g, want 1e-10 at most", spread)
	}
	if before, after := sum(start), sum(f.beta); !near(before, after, 1e-12) {
		t.Errorf("the sum goes from %g to %g", before, after)
	}
}

// TestFaceStopsAtBounds has bounds in the way: β stays within, v is what β says, D falls, and rows that are
// not stuck have equal v.
func TestFaceStopsAtBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n = 12
	for range 20 {
		f := randomFace(rng, n, 0.2)
		start, gradient := slices.Clone(f.beta), slices.Clone(f.v)
		f.minimise(1e-10, 10*n)
		change, least, most, stuck := 0.0, math.Inf(1), math.Inf(-1), 0
		for i, b := range f.beta {
			if b < f.low[i] || b > f.top[i] {
				t.Errorf("β = %g is not in [%g, %g]", b, f.low[i], f.top[i])
			}
			v := gradient[i]
			for j := range n {
				v -= f.k[i*n+j] * (f.beta[j] - start[j])
			}
			if !near(v, f.v[i], 1e-11) {
				t.Errorf("v is %g, want %g", f.v[i], v)
			}
			change -= (v + gradient[i]) / 2 * (b - start[i])
			if f.stuck[i] {
				stuck++
			} else {
				least, most = min(least, v), max(most, v)
			}
		}
		if !near(sum(start), sum(f.beta), 1e-12) || change >= 0 || stuck == 0 || most-least > 1e-9 {
			t.Errorf("Σβ changes from %g to %g and D by %g; %d rows are stuck, and v spreads over %g",
				sum(start), sum(f.beta), change, stuck, most-least)
		}
	}
}

// randomFace has a kernel matrix of random points, β around 0.1, and bounds at that distance.
func randomFace(rng *rand.Rand, n int, bound float64) *face {
	p := points{n: n, dim: 2}
	f := &face{stuck: make([]bool, n)}
	for range 2 * n {
		p.v = append(p.v, 3*rng.NormFloat64())
	}
	for i := range n {
		b := 0.05 + 0.1*rng.Float64()
		f.beta, f.v = append(f.beta, b), append(f.v, rng.NormFloat64())
		f.low, f.top = append(f.low, b-bound), append(f.top, b+bound)
		for j := range n {
			f.k = append(f.k, rbf(1, p.row(i), p.row(j)))
		}
	}
	f.g, f.p, f.q = make([]float64, n), make([]float64, n), make([]float64, n)
	return f
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}
