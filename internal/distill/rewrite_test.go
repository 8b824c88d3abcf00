package distill

import (
	"strings"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/model"
)

// TestPolynomialsBecomeWaves begins with the first two terms of a wave's series, times another wave.
func TestPolynomialsBecomeWaves(t *testing.T) {
	for _, c := range []struct {
		truth  string
		series func(wave int) sum
	}{
		{"sin(2*x1)*cos(1.2*x2)", func(wave int) sum { return termOf(0.99, wave).plus(termOf(-0.66, 1, 1, wave), 1) }},
		{"sin(2*x1)*sin(2*x2)", func(wave int) sum { return termOf(1.96, 1, wave).plus(termOf(-1.1, 1, 1, 1, wave), 1) }},
	} {
		d := sample(2, 3000, x4[:2], c.truth, 0.01)
		f := &form{inputs: 2}
		f.out = c.series(f.function(model.Sin, termOf(2, 0)))
		gr := growth.on(d, true)
		before := gr.fit(lawOf(t, f))
		after := gr.rewrite(before)
		if e := farError(after.law, d, x4[:2], c.truth); !(e < 0.01) {
			t.Errorf("error %.3g far out, %.3g before: %s",
				e, farError(before.law, d, x4[:2], c.truth), after.law.Expr(x4[:2], nil, model.Scale{}, formula.Simplify))
		}
	}
}

// TestWaveTakesASquareIn begins with a cosine of too high a frequency that a square makes good.
func TestWaveTakesASquareIn(t *testing.T) {
	const truth = "sin(pi*x1 + 2*cos(x2))/2"
	d := sample(2, 3000, x4[:2], truth, 0.01)
	f := &form{inputs: 2}
	inner := f.function(model.Cos, termOf(1.495, 1))
	f.out = termOf(0.5, f.function(model.Cos, termOf(3.14, 0).plus(termOf(-0.52, 1, 1), 1).plus(termOf(0.43, inner), 1)))
	gr := growth.on(d, true)
	after := gr.rewrite(gr.fit(lawOf(t, f)))
	if text := after.law.Expr(x4[:2], nil, model.Scale{}, formula.Simplify).String(); strings.Contains(text, "x2^2") ||
		!strings.Contains(text, "cos(") {
		t.Errorf("the square is still there: %s", text)
	}
	if e := farError(after.law, d, x4[:2], truth); !(e < 0.02) {
		t.Errorf("error %.3g far out", e)
	}
}

// TestWaveTimesInput begins with x·cos ωx in the place of a sine, and the other way round.
func TestWaveTimesInput(t *testing.T) {
	for _, c := range []struct {
		truth string
		begin func(f *form) sum
	}{
		{"sin(3*x1)*sin(2*x2)", func(f *form) sum {
			return termOf(2, 1, f.function(model.Sin, termOf(3, 0)), f.function(model.Cos, termOf(1.15, 1)))
		}},
		{"x2*sin(3*x1)*cos(1.5*x2)", func(f *form) sum {
			return termOf(0.38, f.function(model.Sin, termOf(3, 0)), f.function(model.Sin, termOf(2.6, 1)))
		}},
	} {
		d := sample(2, 3000, x4[:2], c.truth, 0.01)
		f := &form{inputs: 2}
		f.out = c.begin(f)
		gr := growth.on(d, true)
		before := gr.fit(lawOf(t, f))
		after := gr.otherWaves(before)
		if e := farError(after.law, d, x4[:2], c.truth); !(e < 0.01) {
			t.Errorf("error %.3g far out, %.3g before: %s",
				e, farError(before.law, d, x4[:2], c.truth), after.law.Expr(x4[:2], nil, model.Scale{}, formula.Simplify))
		}
	}
}
