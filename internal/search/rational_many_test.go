package search

import (
	"math"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// worst is the largest error of a formula at the corners and the middle of a box, as a share of the law's largest
// value.
func worst(e formula.Expr, p *formula.Program, names []string, lo, hi float64) float64 {
	most, size := 0.0, 0.0
	for corner := range 1 << len(names) {
		at, values := make([]float64, len(names)), map[string]float64{}
		for j, name := range names {
			at[j] = lo + 0.3*(hi-lo)
			if corner>>j&1 == 1 {
				at[j] = hi
			}
			values[name] = at[j]
		}
		got, err := formula.Eval(e, values)
		if err != nil || math.IsNaN(got) {
			return math.Inf(1)
		}
		want := p.Eval(at)
		most, size = max(most, math.Abs(got-want)), max(size, math.Abs(want))
	}
	return most / size
}

// stageLaw is a law of inputs in a box, and how far a formula of some rows may be off it at the corners.
type stageLaw struct {
	law    string
	names  []string
	lo, hi float64
	rows   int
	noise  float64
	within float64
}

// check looks for the law by one stage of the search.
func (l stageLaw) check(t *testing.T, stage func(s *searcher)) {
	t.Helper()
	d, p := rowsOf(t, l.law, l.names, l.lo, l.hi, l.rows, l.noise)
	e := bestOf(d, l.names, stage)
	if off := worst(e, p, l.names, l.lo, l.hi); !(off <= l.within) {
		t.Errorf("off by %g: %v", off, e)
	}
}

// TestQuotientsOfSeveralInputs finds quotients of polynomials, also where they have poles.
func TestQuotientsOfSeveralInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	for _, tt := range []stageLaw{
		{"x^2*y^2/(x + y)", []string{"x", "y"}, -1, 1, 50, 0, 1e-9},
		{"(x^3 - y^2)/(1 + x^2 + y)", []string{"x", "y"}, 1, 4, 100, 0, 1e-9},
		{"((x - 3)^4 + (y - 3)^3 - (y - 3))/((y - 2)^4 + 10)", []string{"x", "y"}, 0, 6, 50, 0, 1e-7},
		{"(x*y + z^2)/(x + y + z)", []string{"x", "y", "z"}, 1, 4, 200, 0, 1e-9},
		{"(x^2 + y)/(x*y + 2)", []string{"x", "y"}, 1, 4, 200, 0.01, 0.03},
	} {
		t.Run(tt.law, func(t *testing.T) {
			tt.check(t, (*searcher).rationals)
		})
	}
}

// TestQuotientsOfWaves finds what equations of motion give for accelerations.
func TestQuotientsOfWaves(t *testing.T) {
	if testing.Short() {
		t.Skip("a second or two of search")
	}
	for _, tt := range []stageLaw{
		{"(2*sin(1.3*x)*cos(1.3*x) + 0.2*z^2*sin(1.3*x) - 0.4*u)/(1 + 0.8*sin(1.3*x)^2)", []string{"x", "u", "z"},
			-1, 1, 1000, 0.01, 0.03},
		{"(1 + z)/(2 + cos(3*x))", []string{"x", "z"}, -2, 2, 300, 0.01, 0.02},
		{"(z*cos(2*x) - 3*x)/(3 + sin(2*x))", []string{"x", "z"}, 0, 3, 500, 0.02, 0.02},
	} {
		if len(tt.names) > 2 && !*long { // takes seconds
			continue
		}
		t.Run(tt.law, func(t *testing.T) {
			tt.check(t, func(s *searcher) { s.implicitWith(waveBasis, linkNone) })
		})
	}
}

// TestQuotientsOfExponentials finds rates and flows through membranes, and what heat exchangers do.
func TestQuotientsOfExponentials(t *testing.T) {
	if testing.Short() {
		t.Skip("a second or two of search")
	}
	for _, tt := range []stageLaw{
		{"0.1*(x + 4)/(1 - exp(-(x + 4)/1.3))", []string{"x"}, -8, 3, 60, 0, 1e-7},
		{"x*(z - 3*exp(-0.8*x))/(1 - exp(-0.8*x))", []string{"x", "z"}, 0.5, 4, 300, 0, 1e-7},
		{"(1 - exp(-3*z*(1 - x)))/(1 - x*exp(-3*z*(1 - x)))", []string{"x", "z"}, 0.1, 0.9, 300, 0, 1e-7},
	} {
		t.Run(tt.law, func(t *testing.T) {
			tt.check(t, func(s *searcher) { s.implicitWith(exponentialBasis, linkNone) })
		})
	}
}

// TestQuotientOfWavesEndsTheSearch finds a law with a constant in each term that is far better than all before it, and
// looks no further.
func TestQuotientOfWavesEndsTheSearch(t *testing.T) {
	if !*long {
		t.Skip("some seconds of search: -long")
	}
	const law = "(2*sin(1.6*x) + 0.3*z^2*sin(1.6*x)*cos(1.6*x) - 0.4*u*cos(1.6*x) + 0.1*z)/(1 + sin(1.6*x)^2)"
	names := []string{"x", "u", "z"}
	d, p := rowsOf(t, law, names, -1, 1, 1500, 0.01)
	last := ""
	found := Find(t.Context(), d, Options{Names: names, Try: func(stage string) { last = stage }})
	if off := worst(found[0], p, names, -1, 1); !(off <= 0.02) || last != "quotients of waves" {
		t.Errorf("off by %g after %q: %v", off, last, found[0])
	}
}

// TestErrorOfQuotient measures the error of y, which does not depend on what the equation is multiplied by.
func TestErrorOfQuotient(t *testing.T) {
	d, _ := rowsOf(t, "(1 + 2*x)/(1 + x^2)", []string{"x"}, -2, 2, 400, 0.05)
	s := newSearcher(t.Context(), d, Options{})
	q := newSparseQuotient(s, [][]int{{0}, {1}, {2}, {3}}, s.x, s.y, nil)
	for _, tt := range []struct {
		name string
		lead int
		set  []int
	}{
		{"as it is", 4, []int{0, 1, 6}},
		{"times x", 5, []int{1, 2, 7}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q.lead = tt.lead
			e, sum := q.written(tt.set), 0.0
			for r, y := range s.y {
				v, err := formula.Eval(e.formula(s.names), map[string]float64{s.names[0]: s.x[0][r]})
				if err != nil {
					t.Fatal(err)
				}
				sum += (y - v) * (y - v)
			}
			if got, want := q.error(tt.set), sum/float64(len(s.y)); math.Abs(got-want) > 1e-9*want {
				t.Errorf("mean square error %g, want %g", got, want)
			}
		})
	}
}

// TestQuotientsUnderLinks finds arcs and roots of quotients.
func TestQuotientsUnderLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("a second or two of search")
	}
	for _, tt := range []stageLaw{
		{"acos((cos(x) - v/5)/(1 - v/5*cos(x)))", []string{"x", "v"}, 1, 3, 500, 0.01, 0.01},
		{"sqrt((x + z)/(1 + x*z))", []string{"x", "z"}, 1, 4, 300, 0.003, 0.03},
	} {
		t.Run(tt.law, func(t *testing.T) {
			tt.check(t, (*searcher).linkedQuotients)
		})
	}
}
