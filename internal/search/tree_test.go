package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/formula"
)

// Laws of one input without noise are found to the last digits, whatever their form; without -long two of them are
// tried.
func TestTreesOfOneInput(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for i, law := range []string{
		"log(x + cosh(x))", "exp(-x^2)*sin(x)", "atan(sqrt(x) + x^2)", "2.5*x*tanh(x)*log(1 + x)", "sin(exp(x))/(1 + x)",
		"sqrt(x) + 0.3*cos(x^2)", "min(x^2, sin(x))", "acos(tanh(x)/x)", "cosh(sin(x) - x)",
		"sin(x^3)*cos(x^2) - 1",
	} {
		if !*long && i%8 != 0 {
			continue
		}
		rows := 24 + 28*(i%3)
		p, err := formula.Compile(formula.MustParse(law), []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		d := Data{X: make([][]float64, 1)}
		rng := rand.New(rand.NewPCG(uint64(rows), 4))
		for range rows {
			x := 0.5 + 2*rng.Float64()
			d.X[0], d.Y = append(d.X[0], x), append(d.Y, p.Eval([]float64{x}))
		}
		found := find(context.Background(), d, Options{Names: []string{"x"}})
		got, err := formula.Eval(found[0].formula, map[string]float64{"x": 2.9})
		if want := p.Eval([]float64{2.9}); err != nil || !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
			t.Errorf("%s, %d rows: at 2.9: %v, want %v: %v (%s)", law, rows, got, want, found[0].formula, found[0].how)
		}
	}
}

// Laws of several inputs with noise are found where they are functions of functions; without -long one of them is
// tried.
func TestTreesUnderLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for i, l := range []law{
		{name: "an arc of a root", text: "atan(sqrt(x1) + x2^2)", spans: map[string]box{"x2": {0, 2}}},
		{name: "a logarithm in a tangent", text: "tanh(log(0.8*x1/x2 + x3))",
			spans: map[string]box{"x1": {1, 2}, "x3": {1, 3}}},
		{name: "a wave of many turns", text: "cos(0.7*x1^2*x2)"},
		{name: "the larger of two functions", text: "x3*max(exp(x1), x2^3)",
			spans: map[string]box{"x1": {0, 3}, "x2": {0, 3}}},
	} {
		if !*long && i > 0 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			tb := l.draw(t, 1000, 2000, 0.01)
			found := find(context.Background(), tb.near, Options{Names: tb.names})
			checkFar(t, tb, found)
		})
	}
}

// Where there is only noise, millions of trees must not make a law of it.
func TestTreesOfNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	seeds, sizes := uint64(1), []int{20, 40}
	if *long {
		seeds, sizes = 3, []int{20, 40, 100}
	}
	for seed := range seeds {
		for _, rows := range sizes {
			for inputs := 1; inputs <= 2; inputs++ {
				rng := rand.New(rand.NewPCG(seed, uint64(rows)))
				d := Data{X: make([][]float64, inputs)}
				for range rows {
					for j := range d.X {
						d.X[j] = append(d.X[j], 1+4*rng.Float64())
					}
					d.Y = append(d.Y, 3+rng.NormFloat64())
				}
				s := newSearcher(context.Background(), d, Options{})
				s.prepare()
				s.trees()
				constant := s.criterion(s.sd*s.sd*float64(s.n), expr{{op: opPar, c: 3}})
				if c := s.best(); c != nil && c.crit < constant-1e-6 {
					t.Errorf("seed %d, %d rows, %d inputs: %v, criterion %.1f, that of a constant %.1f", seed, rows, inputs,
						c.e.formula([]string{"x1", "x2"}), c.crit, constant)
				}
			}
		}
	}
}

func TestTreesAreSpread(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches")
	}
	l := law{name: "quotient", text: "x1*cosh(x2)/(x1 + x2)"}
	tb := l.draw(t, 60, 0, 0.01)
	sameWhenSpread(t, tb.near, Options{Names: tb.names}, (*searcher).trees)
}

// sameWhenSpread runs a stage with and without other goroutines, and compares what it finds and the work it takes.
func sameWhenSpread(t *testing.T, d Data, o Options, stage func(s *searcher)) {
	t.Helper()
	var want string
	for k, spread := range []func(n int, f func(i int)){nil, parallel} {
		o.Spread = spread
		s := newSearcher(context.Background(), d, o)
		s.prepare()
		stage(s)
		got := fmt.Sprintln(s.meter.used.Load())
		for _, c := range s.pool {
			got += fmt.Sprintln(c.e.formula(s.names), c.crit)
		}
		if k == 0 {
			want = got
		} else if got != want {
			t.Errorf("in parallel:\n%s\nwant:\n%s", got, want)
		}
	}
}

// A tree has the values of the expression that is built from it, and a loosened expression those of the expression.
func TestTreesAreBuiltAsValued(t *testing.T) {
	x := [][]float64{{0.3, 0.6, 0.9, 1.4}, {2, 1.5, 0.7, 0.2}}
	s := newSearcher(context.Background(), Data{X: x, Y: []float64{1, 2, 3, 5}}, Options{})
	f := s.newForest([]int{0, 1}, x)
	ev := &evaluator{}
	for i, tr := range f.trees[:min(len(f.trees), 3000)] {
		var e expr
		root := f.build(&e, tr)
		e = e.compact(root)
		for _, e := range []expr{e, loose(e)} {
			if !ev.forward(e, x, 4) {
				t.Fatalf("tree %d, %v, has no value", i, e.formula([]string{"x1", "x2"}))
			}
			for r, want := range f.at(int32(i)) {
				if got := ev.value(e)[r]; math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
					t.Fatalf("%v is %v, its tree %v", e.formula([]string{"x1", "x2"}), got, want)
				}
			}
		}
	}
}
