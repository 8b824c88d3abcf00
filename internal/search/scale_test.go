package search

import (
	"context"
	"math"
	"testing"
)

// TestScales finds the changes of scale that laws follow: as many as leave so many columns, and each a scale of the law
// itself.
func TestScales(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	for _, c := range []struct {
		law     law
		columns int
	}{
		{law{text: "(t - u*x/c^2)/sqrt(1 - u^2/c^2)", spans: map[string]box{"u": {1, 2}, "c": {3, 10}}}, 2},
		{law{text: "w*sqrt(1 - v^2/c^2)/(1 + v/c*cos(a))",
			spans: map[string]box{"v": {1, 3}, "c": {5, 20}, "a": {0, 6}}}, 2},
		{law{text: "x1*x2 + sin(x3)"}, 2},
		{law{text: "x1*x2 - x3^2"}, 1},
		{law{text: "x1 + x2^2 + log(x3)"}, 0},
		{law{text: "x1*(x2 + log(x3))"}, 0}, // x1 alone
		{law{text: "exp(x1)/(x2 + x3^2)"}, 2},
	} {
		tb := c.law.draw(t, 1000, 1, 0.01)
		s := newSearcher(context.Background(), tb.near, Options{Names: tb.names})
		s.prepare()
		q := s.newScaling()
		if q == nil {
			t.Errorf("%s: no inputs that are positive", c.law.text)
			continue
		}
		found := q.scales()
		columns := 0
		if list := q.reductions(found, 1); len(list) > 0 {
			columns = len(list[0].columns)
		}
		if columns != c.columns {
			t.Errorf("%s: %v leave %d columns, want %d", c.law.text, found, columns, c.columns)
		}
		f := c.law.function(t, tb.names)
		for _, sc := range found {
			checkScale(t, c.law.text, f, sc, tb.near)
		}
	}
}

// checkScale tests with a law itself that it follows a scale.
func checkScale(t *testing.T, name string, f func([]float64) float64, c scale, d Data) {
	t.Helper()
	const by = 1.07
	at := make([]float64, len(d.X))
	for j := range at {
		at[j] = d.X[j][0]
	}
	before := f(at)
	for i, p := range c.inputs {
		at[i] *= math.Pow(by, p)
	}
	if want, got := before*math.Pow(by, c.target), f(at); math.Abs(got-want) > 1e-9*math.Abs(want) {
		t.Errorf("%s does not follow %v: %g, want %g", name, c, got, want)
	}
}

// TestEachPrimitive counts the directions of whole numbers in small boxes.
func TestEachPrimitive(t *testing.T) {
	for _, c := range []struct{ parts, most, want int }{{2, 1, 4}, {2, 2, 8}, {3, 1, 13}} {
		a, count := make([]float64, c.parts), 0
		eachPrimitive(a, c.most, func() { count++ })
		if count != c.want {
			t.Errorf("%d numbers up to %d: %d directions, want %d", c.parts, c.most, count, c.want)
		}
	}
}

// TestFewerProducts finds a law whose inputs are products of others, and for which there is none of its kind in all
// inputs: one of two functions that hide each other.
func TestFewerProducts(t *testing.T) {
	if !*long {
		t.Skip("takes seconds: -long")
	}
	l := law{name: "time", text: "(t - u*x/c^2)/sqrt(1 - u^2/c^2)", spans: map[string]box{"u": {1, 2}, "c": {3, 10}}}
	tb := l.draw(t, 1000, 500, 0.01)
	found := find(context.Background(), tb.near, Options{Names: tb.names})
	if e := farError(tb, found); !(e <= 1e-9) {
		t.Errorf("%s: %v is off by %g", l.name, found[0].formula, e)
	}
}

// TestProductPairs finds products of two functions of which neither shows alone. In the second a few rows have the
// other sign; in the third the logarithm of c + v is nearly one of those of the inputs.
func TestProductPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	for _, l := range []law{
		{text: "(1 + a*b)/sqrt(1 - a^2)", spans: map[string]box{"a": {0.05, 0.67}, "b": {0.01, 1.6}}},
		{text: "(1 - a*b)/sqrt(1 - a^2)", spans: map[string]box{"a": {0.05, 0.67}, "b": {0.01, 1.55}}},
		{text: "w*sqrt((c + v)/(c - v))", spans: map[string]box{"c": {3, 10}, "v": {1, 2}}},
	} {
		tb := l.draw(t, 1000, 500, 0.01)
		s := newSearcher(context.Background(), tb.near, Options{Names: tb.names})
		s.prepare()
		s.productPairs(8)
		if e := farError(tb, s.results(tb.near)); !(e <= 1e-9) {
			t.Errorf("%s: %v is off by %g", l.text, s.best().e.formula(s.names), e)
		}
	}
}

// TestOnesComeFirst: of functions that fit alike, those whose constants are 1 are tried, also where 1 is near a pole.
// Of sixty tables these four were missed when the grid had no 1, of both signs of a constant one was kept, and rounded
// exponents were ranked on a part of the rows below free ones.
func TestOnesComeFirst(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	l := law{text: "m*c^2/sqrt(1 - v^2/c^2)", spans: map[string]box{"c": {3, 10}, "v": {1, 2}}}
	defer func(old uint64) { *seed = old }(*seed)
	tables := []uint64{17, 30, 33, 36}
	if !*long {
		tables = tables[:2]
	}
	for _, *seed = range tables {
		tb := l.draw(t, 1000, 500, 0.01)
		s := newSearcher(context.Background(), tb.near, Options{Names: tb.names})
		s.prepare()
		s.products(link{}, s.inactive(), 1, 8, 10)
		if e := farError(tb, s.results(tb.near)); !(e <= 1e-9) {
			t.Errorf("table %d: %v is off by %g", *seed, s.best().e.formula(s.names), e)
		}
	}
}

// TestNearOnes: a formula whose constants are near 1, and must not be 1, is none that ends the search.
func TestNearOnes(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{{"x1/(x2 + 1) + x2", true}, {"0.988*x1/(x2 + 1.012) + 0.985*x2", false}} {
		tb := law{text: c.text}.draw(t, 1000, 1, 1e-4)
		s := newSearcher(context.Background(), tb.near, Options{Names: tb.names})
		s.prepare()
		var e expr
		x1, x2 := e.variable(0), e.variable(1)
		quotient := e.mul(e.mul(e.par(0.99), x1), e.pow(e.add(x2, e.par(1.01)), -1, true))
		e = e.compact(e.add(quotient, e.mul(e.par(0.99), x2)))
		k := candidate{e: e, sse: s.fit(e, polishSteps)}
		if !s.short(k.e, doneConstants) {
			t.Fatalf("%s: the constants are near 1, so the formula is short", c.text)
		}
		if got := s.onesOf(&k, doneConstants); got != c.want {
			t.Errorf("%s: short is %v with constants near 1, want %v", c.text, got, c.want)
		}
	}
}

// TestPlain: laws without constants and products with one end the search at once, and sums with one do not, which may
// be the first terms of a series.
func TestPlain(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(e *expr) int
		want bool
	}{
		{"x1*x2 + x3", func(e *expr) int { return e.add(e.mul(e.variable(0), e.variable(1)), e.variable(2)) }, true},
		{"0.08*x1/x2^2", func(e *expr) int {
			return e.mul(e.mul(e.par(0.08), e.variable(0)), e.pow(e.variable(1), -2, true))
		}, true},
		{"x1 + 0.5*x2^2", func(e *expr) int {
			return e.add(e.variable(0), e.mul(e.par(0.5), e.pow(e.variable(1), 2, true)))
		}, false},
		{"x1*x2^0.73", func(e *expr) int { return e.mul(e.variable(0), e.pow(e.variable(1), 0.73, true)) }, false},
	} {
		var e expr
		root := c.make(&e)
		s := &searcher{pool: []candidate{{e: e.compact(root)}}}
		if got := s.plain(); got != c.want {
			t.Errorf("%s: plain is %v, want %v", c.name, got, c.want)
		}
	}
}
