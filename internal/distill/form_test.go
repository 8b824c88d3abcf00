package distill

import (
	"math"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/model"
)

// TestExpandKeepsTheFunction writes laws of random networks out and back.
func TestExpandKeepsTheFunction(t *testing.T) {
	written := 0
	for _, a := range []model.Arch{
		model.Uniform(3, 1, 2, 2, 2, units),
		model.Uniform(2, 1, 3, 1, 1, units),
		model.Uniform(2, 1, 4, 1, 1, []model.Unit{model.Sin, model.Sigmoid}),
	} {
		for seed := range uint64(20) {
			l := Read(randomNetwork(seed, a), 0).canonical()
			d := sample(seed, 50, x4[:a.Inputs], "0", 0)
			f, ok := l.expand()
			if !ok {
				continue
			}
			written++
			back, _ := f.law()
			// Up to 150 terms of size up to 1e3 are added up in another order.
			if diff := maxDifference(back.Predict(d.X, 50), l.Predict(d.X, 50)); !(diff < 1e-9) {
				t.Errorf("%s, seed %d: differs by %g", a, seed, diff)
			}
			if again, ok := back.expand(); !ok || len(again.out) != len(f.out) || back.Params() < len(f.out) {
				t.Errorf("%s, seed %d: %d terms became %d", a, seed, len(f.out), len(again.out))
			}
		}
	}
	if written < 30 {
		t.Errorf("only %d of 60 laws could be written out", written)
	}
}

func lawOf(t *testing.T, f *form) *Law {
	t.Helper()
	l, _ := f.law()
	return l
}

// wavesForm returns 0.3 + 0.7·x1·sin(2·x1 + 0.4) + w·x1·cos(3·x2 + x1 − 0.2) + sin·cos/2.
func wavesForm(w float64) *form {
	f := &form{inputs: 2}
	a := f.function(model.Sin, termOf(2, 0).plus(number(0.4), 1))
	b := f.function(model.Cos, termOf(1, 0).plus(termOf(3, 1), 1).plus(number(-0.2), 1))
	f.out = number(0.3).plus(termOf(0.7, 0, a), 1).plus(termOf(w, 0, b), 1).plus(termOf(0.5, a, b), 1)
	return f
}

// TestSinesAreRewrittenExactly checks the identities: the function must stay what it is.
func TestSinesAreRewrittenExactly(t *testing.T) {
	d := sample(1, 40, x4[:2], "0", 0)
	for _, w := range []float64{0.7, -0.7, 0.2} {
		f := wavesForm(w)
		want := lawOf(t, f).Predict(d.X, 40)
		products, sums := f.productsAsSums(), f.sumsAsProducts()
		if len(products) != 1 {
			t.Errorf("%d products of sines were rewritten, want 1", len(products))
		}
		if equal := math.Abs(w) == 0.7; len(sums) != 1 && equal || len(sums) != 0 && !equal {
			t.Errorf("weights 0.7 and %g: %d sums of sines were rewritten", w, len(sums))
		}
		for _, g := range append(products, sums...) {
			if diff := maxDifference(lawOf(t, g).Predict(d.X, 40), want); !(diff < 1e-13) {
				t.Errorf("weight %g: differs by %g", w, diff)
			}
		}
	}
}

// TestMergedSines merges sines of one argument with different phases, which is exact, and leaves
// those with different factors alone.
func TestMergedSines(t *testing.T) {
	d := sample(1, 40, x4[:2], "0", 0)
	f := &form{inputs: 2}
	a := f.function(model.Sin, termOf(2, 0).plus(number(0.4), 1))
	b := f.function(model.Cos, termOf(2, 0).plus(number(0.9), 1))
	f.out = termOf(0.7, 1, a).plus(termOf(-0.5, 1, b), 1).plus(termOf(0.3, b), 1)
	g, ok := f.merged(0, 1)
	if !ok || len(g.out) != 2 {
		t.Fatalf("merged: %t, %d terms, want 2", ok, len(g.out))
	}
	if diff := maxDifference(lawOf(t, g).Predict(d.X, 40), lawOf(t, f).Predict(d.X, 40)); !(diff < 1e-13) {
		t.Errorf("differs by %g", diff)
	}
	f.functions[1].arg = termOf(3, 0)
	if _, ok := f.merged(0, 1); ok {
		t.Error("sines of 2·x1 and 3·x1 were merged")
	}
}

// TestPolynomials writes a short piece of a sine as polynomials: the error must fall with the
// degree, to that of the best cubic, which for sin(u) on |u| ≤ 0.5 is below 1e-4 (the next term of
// the series is 0.5⁵/120).
func TestPolynomials(t *testing.T) {
	d := sample(1, 500, x4[:3], "0", 0)
	f := &form{inputs: 3}
	a := f.function(model.Sin, termOf(0.5, 0).plus(number(0.3), 1))
	f.out = termOf(1, 1, a)
	want := lawOf(t, f).Predict(d.X, 500)
	gr := Growth{Units: model.Units()}.on(d, false)
	list := gr.polynomials(f, 0)
	if len(list) != 4 {
		t.Fatalf("%d polynomials, want those of degree 0 to 3: x2·x1^4 has too high a degree", len(list))
	}
	before := math.Inf(1)
	for degree, g := range list {
		got := lawOf(t, g)
		diff := maxDifference(got.Predict(d.X, 500), want)
		if !(diff < before) || degree == 3 && !(diff < 1e-3) {
			t.Errorf("degree %d: error %g, after %g: %s",
				degree, diff, before, got.Expr(x4[:3], nil, model.Scale{}, formula.Simplify))
		}
		before = diff
	}
}

// TestAdopt brings nested functions into another form.
func TestAdopt(t *testing.T) {
	d := sample(1, 40, x4[:2], "0", 0)
	from := wavesForm(0.7)
	nested := from.function(model.Sigmoid, termOf(2, 2).plus(termOf(1, 1), 1))
	to := &form{inputs: 2}
	to.function(model.Sin, termOf(9, 0))
	to.out = to.adopt(from, termOf(1, nested, 0))
	from.out = termOf(1, nested, 0)
	if diff := maxDifference(lawOf(t, to).Predict(d.X, 40), lawOf(t, from).Predict(d.X, 40)); diff != 0 {
		t.Errorf("differs by %g", diff)
	}
}
