package distill

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/model"
)

// TestZeroAsInFormulas holds laws to their formulas where the argument of a logarithm is 0.
func TestZeroAsInFormulas(t *testing.T) {
	x := source(0)
	power := func(w, rest float64) func(l *Law) affine {
		return func(l *Law) affine {
			return l.add(model.Exp, []affine{constant(0).plus(l.add(model.Log, []affine{x}), w).plus(x, rest)})
		}
	}
	for _, c := range []struct {
		name   string
		value  func(l *Law) affine
		finite bool
	}{
		{"x^0.3", power(0.3, 0), true},
		{"x^0.001", power(0.001, 0), true},
		{"x^0.5*exp(-x)", power(0.5, -1), true},
		{"x^(-0.3)", power(-0.3, 0), false},
		{"log(x)", func(l *Law) affine { return l.add(model.Log, []affine{x}) }, false},
		{"x*log(x)", func(l *Law) affine { return l.add(model.Product, []affine{x, l.add(model.Log, []affine{x})}) }, false},
		{"log(x) and its root", func(l *Law) affine { return power(0.5, 0)(l).plus(l.add(model.Log, []affine{x}), 1) },
			false},
		{"exp(log(x)*x)", func(l *Law) affine {
			return l.add(model.Exp, []affine{l.add(model.Product, []affine{x, l.add(model.Log, []affine{x})})})
		}, false},
	} {
		l := &Law{inputs: 1}
		l.out = constant(0.5).plus(c.value(l), 2)
		d := fit.Data{X: [][]float64{{0, 1, 2}}, Y: []float64{0, 0, 0}}
		p, err := formula.Compile(l.Expr(x4[:1], nil, model.Scale{}, formula.Simplify), x4[:1])
		if err != nil {
			t.Fatal(err)
		}
		p.EvalColumns(d.Y, d.X)
		if got := finite(d.Y); got != c.finite {
			t.Errorf("%s: the formula is finite: %t, want %t", c.name, got, c.finite)
		}
		if got := !math.IsInf(l.SSE(d), 1); got != c.finite {
			t.Errorf("%s: the law is usable: %t, want %t", c.name, got, c.finite)
		}
		if c.finite && l.SSE(d) > 1e-28 {
			t.Errorf("%s: law %v, formula %v", c.name, l.Predict(d.X, 3), d.Y)
		}
		if eq := l.normal(d); c.finite && (!finite(eq.JTJ.Data) || !finite(eq.JTR)) {
			t.Errorf("%s: derivatives %v", c.name, eq.JTJ.Data)
		}
	}
}

// Between rows on which a denominator has different signs there is a pole.
func TestPolesBetweenRows(t *testing.T) {
	for _, c := range []struct {
		x2     []float64 // the denominator is 1.5 + x2
		usable bool
	}{
		{[]float64{-1, 0, 1}, true},
		{[]float64{-4, -3, -2}, true},
		{[]float64{-2, 0, 1}, false},
		{[]float64{-1.5, 0, 1}, false},
	} {
		l := reciprocalLaw(1, 1.5)
		d := fit.Data{X: [][]float64{{1, 1, 1}, c.x2}, Y: make([]float64, 3)}
		if got := !math.IsInf(l.SSE(d), 1); got != c.usable {
			t.Errorf("on %v: usable %t, want %t", c.x2, got, c.usable)
		}
		if got := !math.IsInf(l.normal(d).SSE, 1); got != c.usable {
			t.Errorf("normal equations on %v: usable %t, want %t", c.x2, got, c.usable)
		}
		// As on rows that the law was not fitted to.
		s := search{data: d.Take([]int{2}), all: d, criterion: fit.NewCriterion(d)}
		if at := s.fit(l); !math.IsInf(at.value, 1) != c.usable {
			t.Errorf("a search that sees one row of %v: criterion %g, usable %t", c.x2, at.value, c.usable)
		}
	}
}

// TestOffersAreUsable searches for laws of tables in which a law that is nearly right has no value in some rows. What
// is offered must have one in all of them: also in those that the search does not see.
func TestOffersAreUsable(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	entropy := func(rows int, zeros ...int) fit.Data { // −a·ln a
		d := positive(rows, x4[:1], 0.02, 2.5, "-x1*log(x1)", 0.02)
		for _, r := range zeros {
			d.Y[r], d.X[0][r] = d.Y[r]-valuesOf("-x1*log(x1)", x4[:1], d)[r], 0
		}
		return d
	}
	outliers := func() fit.Data { // a decay with 2 % of rows far off, to one of which a pole can be fitted
		d := positive(300, x4[:2], 0, 4, "3*exp(-0.7*x1) + x2/2 - 1", 0.005)
		rng := rand.New(rand.NewPCG(3, 3))
		for range 6 {
			d.Y[rng.IntN(300)] += 1.5 * rng.NormFloat64()
		}
		return d
	}
	unseen := 0
	for seen := fit.Spread(4000, fit.SearchRows); slices.Contains(seen, unseen); {
		unseen++
	}
	for _, c := range []struct {
		name string
		d    fit.Data
		slow bool
	}{
		{"zeros", entropy(200, 3, 50, 77), false},
		{"a zero among rows that are not searched on", entropy(4000, unseen), true},
		{"outliers", outliers(), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.slow && !*long {
				t.Skip("takes seconds: -long")
			}
			g := Growth{Units: withExp.Units, Work: 4e8}
			law := g.Greedy(c.d)
			offers := append(g.Short(c.d, 30), law, Polish(law, c.d), g.Improve(law, c.d), g.Improve(Linear(c.d), c.d))
			for _, l := range append(offers, Shorten(law, c.d, 30)...) {
				e := l.Expr(x4, nil, model.Scale{}, formula.Simplify)
				y := valuesOf(e.String(), x4[:len(c.d.X)], c.d)
				crossed := false
				l.denominators(c.d.X, c.d.Rows(), func(unit, _ int, _ []float64) {
					low, high := l.ranges(c.d)
					crossed = crossed || low[unit] <= 0 && high[unit] >= 0
				})
				if !finite(y) || crossed {
					t.Errorf("offered, finite %t, with a pole between the rows %t: %s", finite(y), crossed, e)
				}
			}
		})
	}
}

// The pole of a quotient of inputs is where an input is zero, and may have rows on both sides.
func TestPolesOfInputs(t *testing.T) {
	d := fit.Data{X: [][]float64{{1, 2, 3}, {-2, 0.5, 1}}, Y: make([]float64, 3)}
	for text, usable := range map[string]bool{
		"a/b": true, "sin(a/b)": true, "a/b^3": true, "1/(a*b)": true, "a/(b + 1)": false, "a/sin(b)": false,
		"1/(b*(b + 1))": false,
	} {
		l, err := Compose(formula.MustParse(text), []string{"a", "b"}, model.LawUnits())
		if err != nil {
			t.Fatal(err)
		}
		if got := !math.IsInf(l.SSE(d), 1); got != usable {
			t.Errorf("%s: usable %t, want %t", text, got, usable)
		}
	}
}

// A law that leaves nothing of the rows has its poles where the data have them; one that leaves something of one row,
// or has a pole for one row, may have them anywhere.
func TestPolesOfExactLaws(t *testing.T) {
	d := positive(60, x4[:1], 0, 3, "1/cos(x1^4)", 0)
	l, err := Compose(formula.MustParse("1/cos(x1^4)"), x4[:1], model.LawUnits())
	if err != nil {
		t.Fatal(err)
	}
	usable := func(l *Law, d fit.Data) bool { return !math.IsInf(l.SSE(d), 1) && !math.IsInf(l.normal(d).SSE, 1) }
	if !usable(l, d) {
		t.Error("the law of the rows cannot be used on them")
	}
	if few := d.Take([]int{0, 1, 2, 3, 4, 5}); usable(l, few) {
		t.Error("it can on six rows, with two constants")
	}
	d.Y[7] += 1e-6
	if usable(l, d) {
		t.Error("it can where it leaves something of a row")
	}
	d = positive(60, x4[:1], 0, 3, "x1", 0)
	d.Y[30] = 1e12
	l, err = Compose(formula.MustParse("1e-3/(x1 - a)"), []string{"x1", "a"}, model.LawUnits())
	if err != nil {
		t.Fatal(err)
	}
	d.X = append(d.X, slices.Repeat([]float64{d.X[0][30] - 1e-15}, 60))
	if usable(l, d) {
		t.Error("a pole that is there for one row can be used")
	}
}
