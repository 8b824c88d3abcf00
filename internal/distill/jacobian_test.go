package distill

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// TestSquare compares JᵀJ with the one of gonum, for numbers of constants around the size of a tile.
func TestSquare(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, p := range []int{1, 2, 15, 16, 17, 33, 70} {
		jac := make([]float64, p*fit.BlockRows)
		for i := range jac {
			jac[i] = rng.NormFloat64()
		}
		got, want := make([]float64, p*p), make([]float64, p*p)
		for range 2 { // it adds
			new(evaluator).square(blas64.Symmetric{N: p, Stride: p, Uplo: blas.Upper, Data: got}, jac)
			blas64.Syrk(blas.NoTrans, 1, blas64.General{Rows: p, Cols: fit.BlockRows, Stride: fit.BlockRows, Data: jac}, 1,
				blas64.Symmetric{N: p, Stride: p, Uplo: blas.Upper, Data: want})
		}
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 1e-11) {
				t.Fatalf("%d constants: product %d is %v, want %v", p, i, got[i], want[i])
			}
		}
	}
}

// A constant that becomes 0 while a law is fitted, or the weight 1 that is held to begin with, must not change
// which constants the derivatives are of.
func TestConstantsStayTheSameOnes(t *testing.T) {
	d := sample(1, 50, x4[:2], "x1*x2", 0)
	factor := func(w1, w2 float64) affine { return affine{terms: []term{{0, w1}, {1, w2}}, bias: 0.5} }
	l := &Law{inputs: 2, units: []unit{{model.Product, []affine{factor(0.9, 1), factor(1, 0.3)}}},
		out: affine{terms: []term{{2, 1}}, bias: 0.2}}
	e := newEvaluator(l)
	ps := l.params()
	before := e.normal(d)
	l.units[0].args[0].terms[0].w, l.out.bias = 1, 0
	eq := e.normal(d)
	if eq.JTJ.N != len(ps) || before.JTJ.N != len(ps) {
		t.Fatalf("%d and %d derivatives of %d constants", before.JTJ.N, eq.JTJ.N, len(ps))
	}
	const h = 1e-6
	for i, p := range ps {
		at := *p
		*p = at + h
		up := e.sse(d)
		*p = at - h
		down := e.sse(d)
		*p = at
		if got, want := 2*eq.JTR[i], (up-down)/(2*h); math.Abs(got-want) > 1e-4*(1+math.Abs(want)) {
			t.Errorf("the derivative of the SSE by constant %d is %g, want %g", i, got, want)
		}
	}
}

func TestNoWeightIsZero(t *testing.T) {
	a := affine{terms: []term{{0, 1}}, bias: 1}
	if got := a.plus(affine{terms: []term{{1, 2}}, bias: 3}, 0); len(got.terms) != 1 || got.bias != 1 {
		t.Errorf("a + 0·b is %v, want a", got)
	}
}

// TestSpentOnConstants: a constant that one row alone tells costs the logarithm of its weight.
func TestSpentOnConstants(t *testing.T) {
	const n = 30
	d := fit.Data{X: make([][]float64, 2), W: make([]float64, n)}
	for i := range n {
		first := 0.0
		if i == 0 {
			first = 1
		}
		d.X[0], d.X[1] = append(d.X[0], first), append(d.X[1], float64(i%5))
		d.Y, d.W[i] = append(d.Y, first+float64(i%5)), 1
	}
	law, err := Compose(formula.MustParse("2*x1 + 3*x2"), []string{"x1", "x2"}, units)
	if err != nil {
		t.Fatal(err)
	}
	if got := law.SpentOnConstants(d); got != 0 {
		t.Errorf("with equal weights: %g, want 0", got)
	}
	d.W[0] = 20
	if got, want := law.SpentOnConstants(d), 2*math.Log(20); math.Abs(got-want) > 1e-9 {
		t.Errorf("with one row of weight 20: %g, want %g", got, want)
	}
	d.X[1] = d.X[0]
	if got := law.SpentOnConstants(d); got != 0 {
		t.Errorf("where constants are open: %g, want 0", got)
	}
}
