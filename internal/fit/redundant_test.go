package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/eqlearner/eql/formula"
)

// TestReduce: formulas with constants that can be traded against others become formulas without, which fit as well and
// in which each constant has the interval that it has in the formula that was meant.
func TestReduce(t *testing.T) {
	for _, c := range []struct {
		name, truth, form string
		want              int // constants
		same              bool
	}{
		{"factors of a quotient", "10/(x1 + 3.2)", "20*3/(6.1*x1 + 19)", 2, true},
		{"factor and summand of an exponent", "2.5*exp(-0.73*x1)", "1.3*exp(-0.71*x1 + 0.6)", 2, true},
		{"quotient of lines", "7.3*(x1 + 0.478)/(x1 + 2.69)", "(2.6 + 5.4*x1)/(2 + 0.74*x1)", 3, true},
		{"summands inside and outside", "2.3*x1 + 1.38", "1.1*(2*x1 + 0.6) + 0.4", 2, true},
		{"factors inside and outside a root", "sqrt(x1^2/(x1^2*(0.174*x1^2 + 0.00943*x2^2 - 0.243) + 0.0858))",
			"0.0004*sqrt(x1^2/(x1^2*(1.6e-9*x2^2 + 2.96e-8*x1^2 - 4.1e-8) + 1.44e-8))", 4, true},
		{"factors inside and outside a power", "2.31*x1^1.43", "1.2*(1.6*x1)^1.4", 2, true},
		{"factor in a logarithm", "log(x1^1.43) + 0.87", "log(1.1*x1^1.4) + 0.7", 2, true},
		{"a term twice", "1.07*x1 + 2.34*x2", "1.01*x1 + 1.1*x2 + 1.2*x2", 2, true},
		{"three factors", "2.34*x1*x2", "1.1*(2*x1)*(1.05*x2)", 1, true},
		{"two directions", "0.81/(1 + exp(-3.3*(x1 - 1.2)))", "1.6/(2 + 2*exp(-3.3*x1 + 3.96))", 3, false},
		{"a wave in two", "1.07*x1 + 1.7*sin(x2 + 0.4)", "1.1*x1 + 1.1*sin(x2 + 1) + 0.9*cos(x2 + 1.3)", 3, true},
		{"what never varies", "1.7*x1 + 0.31", "1.7*x1 + 0.3*sigmoid(1000*(x1 + 3))", 2, true},
		{"none", "1.7*sin(2.2*x1 + 0.4) + 0.3*x2", "1.7*sin(2.2*x1 + 0.4) + 0.3*x2", 4, true},
	} {
		for seed := range uint64(3) {
			d := dataOf(rand.New(rand.NewPCG(seed, 7)), formula.MustParse(c.truth), 400, 0.01)
			fitted, constants := Intervals(formula.MustParse(c.form), x4[:2], d, formula.Simplify)
			if len(constants) != c.want || len(formula.Constants(fitted)) != c.want {
				t.Errorf("%s: %s has %d constants, want %d", c.name, fitted, len(constants), c.want)
				continue
			}
			meant, want := Intervals(formula.MustParse(c.truth), x4[:2], d, formula.Simplify)
			if got, least := sseOf(fitted, d), sseOf(meant, d); got > least*(1+1e-5) {
				t.Errorf("%s: %s has an SSE of %g, want %g", c.name, fitted, got, least)
			}
			for i, k := range constants {
				width := k.High - k.Low
				if !(width > 0 && width < math.Abs(k.Value)) {
					t.Errorf("%s: %v of %s is from %v to %v", c.name, k.Value, fitted, k.Low, k.High)
				}
				if !c.same {
					continue
				}
				wide := want[i].High - want[i].Low
				if max(math.Abs(width-wide), math.Abs(k.Value-want[i].Value)) > 0.01*wide {
					t.Errorf("%s: %s has %v, want %v as in %s", c.name, fitted, k, want[i], meant)
				}
			}
			_, snapped, list := Snap(formula.MustParse(c.form), x4[:2], d, Plain)
			checkListed(t, snapped, list)
			checkCost(t, d, fitted, snapped, list)
		}
	}
}

// TestReduceAnyFactor takes a factor out again that was put before a random law.
func TestReduceAnyFactor(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for range 100 {
		l := plantLaw(rng, 0, 0.01, 200)
		factor := math.Exp(4 * rng.NormFloat64())
		floats.Scale(factor, l.data.Y)
		e := formula.Mul(formula.Const(factor), l.start(rng))
		fitted, constants := Intervals(e, x4[:2], l.data, formula.Simplify)
		if len(constants) != len(l.truth) {
			t.Errorf("%s became %s", e, fitted)
		}
		for _, c := range constants {
			if math.IsInf(c.High, 0) {
				t.Errorf("%s: no interval for %v", fitted, c.Value)
			}
		}
	}
}

// TestOpenConstants: one constant without influence leaves the others their intervals.
func TestOpenConstants(t *testing.T) {
	d := dataOf(rand.New(rand.NewPCG(1, 7)), formula.MustParse("1.7*x1 + 0.31"), 400, 0.01)
	for i := range d.Y[:200] {
		d.X[0][i] -= 10 // and a step between that no row sees
		d.Y[i] = 0.2
	}
	_, constants := Intervals(formula.MustParse("0.2 + (1.7*x1 + 0.11)*sigmoid(1000*(x1 + 3.2))"),
		x4[:2], d, formula.Simplify)
	open := 0
	for _, c := range constants {
		if math.IsInf(c.High, 0) {
			open++
		}
	}
	if open != 1 || len(constants) != 4 { // where the step is may be anywhere between, also at 0
		t.Errorf("%d constants are open in %v, want 1 of 4, the steepness", open, constants)
	}
}

// The rows of a block are added to those before by orthogonal transformations, so R'R is J'J.
func TestTriangle(t *testing.T) {
	d := sample(1, 3*BlockRows+17, x4[:2], "x1 + 0.3*x2", 0.1)
	x, p, err := newExpression(formula.MustParse("1.1*x1 + 0.3*sin(1.7*x2 + 0.2)"), x4[:2], d)
	if err != nil {
		t.Fatal(err)
	}
	eq := x.Normal(p)
	c, ok := x.covariance(p, eq)
	if !ok {
		t.Fatal("no covariance")
	}
	var exact covariance
	exact.of, exact.scale = c.of, c.scale
	if !x.decompose(p, &exact) || len(exact.null) > 0 {
		t.Fatalf("directions %v", exact.null)
	}
	for k := range c.of {
		for l := range c.of {
			if a, b := c.inverse.At(k, l), exact.inverse.At(k, l); math.Abs(a-b) > 1e-9*(1+math.Abs(a)) {
				t.Errorf("(J'J)^-1 at %d, %d is %g from the normal equations and %g from the Jacobian", k, l, a, b)
			}
		}
	}
}
