package distill

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eqlearner/eql/model"
)

var rewritten = flag.Int("rewritten", 10_000, "rewritings of random forms that TestRewritingsKeepFormsSound checks")

// TestRewritingsKeepFormsSound drives random forms through all rewritings and candidates, one after the other without a
// fit between them, so that functions meet their equals. With -rewritten 1000000 it takes minutes.
func TestRewritingsKeepFormsSound(t *testing.T) {
	const generations = 4 // of a form and what it becomes
	growers := map[int]*grower{}
	for inputs := 1; inputs <= 3; inputs++ {
		d := positive(20, x4[:inputs], 0.1, 2, "x1", 0)
		growers[inputs] = Growth{Units: model.LawUnits()}.on(d, false)
	}
	for start, checked := 0, 0; checked < inShort(*rewritten, 1000); start++ {
		rng := rand.New(rand.NewPCG(uint64(start), 1))
		f := randomForm(rng, growers)
		for range generations {
			g := growers[f.inputs]
			next := append(g.rewritings(f), f.with(randomCandidate(rng, f)))
			for k, h := range next {
				if err := h.sound(); err != nil {
					t.Fatalf("start %d: rewriting %d of %d: %v\nof   %v\nmade %v", start, k, len(next), err, *f, *h)
				}
				l, sources := h.law()
				if y := l.Predict(g.data.X, g.data.Rows()); len(y) != g.data.Rows() || len(sources) != h.inputs+len(h.functions) {
					t.Fatalf("start %d: %d values and %d sources of %v", start, len(y), len(sources), *h)
				}
			}
			f = next[rng.IntN(len(next))]
			checked += len(next)
		}
	}
}

// sound returns what is wrong with a form: a function that depends on itself, a factor that is not there, or a sum
// that is not one as [sum] says.
func (f *form) sound() error {
	state := make([]int, len(f.functions)) // 1: on the way, 2: done
	var visit func(s sum) error
	visit = func(s sum) error {
		for i, t := range s {
			if i > 0 && slices.Compare(s[i-1].factors, t.factors) >= 0 || t.w == 0 || !slices.IsSorted(t.factors) {
				return fmt.Errorf("%v is no sum", s)
			}
			for _, factor := range t.factors {
				j := factor - f.inputs
				if factor < 0 || j >= len(f.functions) {
					return fmt.Errorf("there is no factor %d", factor)
				}
				if j < 0 || state[j] == 2 {
					continue
				}
				if state[j] == 1 {
					return fmt.Errorf("function %d depends on itself", j)
				}
				state[j] = 1
				if err := visit(f.functions[j].arg); err != nil {
					return err
				}
				state[j] = 2
			}
		}
		return nil
	}
	for _, s := range f.sums() {
		if len(s) > 2*maxTerms { // a sum and one product of sums
			return fmt.Errorf("a sum of %d terms", len(s))
		}
		if err := visit(s); err != nil {
			return err
		}
	}
	return nil
}

// The weights of random forms. There are few, so that arguments are often equal or nearly so.
func randomWeight(rng *rand.Rand, x []float64) float64 {
	list := []float64{1, 1, -1, 0.5, 2, 2.05, 1.02, -0.3, bend / gridStep * frequency(x)}
	return list[rng.IntN(len(list))]
}

// randomForm returns a form of one to three inputs and up to five functions of these and each other.
func randomForm(rng *rand.Rand, growers map[int]*grower) *form {
	f := &form{inputs: 1 + rng.IntN(3)}
	var kinds []model.Unit
	for _, u := range model.LawUnits() {
		if u.Arity() == 1 && u != model.Identity {
			kinds = append(kinds, u)
		}
	}
	for range 1 + rng.IntN(5) {
		f.function(kinds[rng.IntN(len(kinds))], randomSum(rng, f, growers[f.inputs].data.X[0]))
	}
	f.out = randomSum(rng, f, growers[f.inputs].data.X[0]).plus(termOf(1, f.inputs+len(f.functions)-1), 1)
	return f
}

func randomSum(rng *rand.Rand, f *form, x []float64) (s sum) {
	factors := f.inputs + len(f.functions)
	for len(s.rest()) == 0 {
		for range 1 + rng.IntN(3) {
			var product []int
			for range rng.IntN(3) {
				product = append(product, rng.IntN(factors))
			}
			s = s.plus(termOf(randomWeight(rng, x), product...), 1)
		}
	}
	return s
}

// randomCandidate returns a term for any place of a form, often with a function that the form has already.
func randomCandidate(rng *rand.Rand, f *form) candidate {
	c := candidate{place: rng.IntN(len(f.functions)+1) - 1, weights: [2]float64{1, 0}}
	if g := f.functions[rng.IntN(len(f.functions))]; rng.IntN(2) == 0 {
		c.kind, c.arg = g.kind, g.arg
	} else {
		c.factors = []int{rng.IntN(f.inputs + len(f.functions))}
	}
	return c
}

// TestSetKeepsWhatIsRead puts a function into its own argument, and into that of a function it reads: what was meant is
// the function as it was.
func TestSetKeepsWhatIsRead(t *testing.T) {
	d := sample(1, 40, x4[:1], "0", 0)
	f := &form{inputs: 1}
	inner := f.function(model.Sin, termOf(2, 0))
	outer := f.function(model.Cos, termOf(3, inner))
	f.out = termOf(1, outer)
	f.set(1, termOf(0.5, inner).plus(termOf(0.25, outer), 1)) // sin(0.5·sin 2x + 0.25·cos(3·sin 2x))
	if err := f.sound(); err != nil {
		t.Fatal(err)
	}
	got := lawOf(t, f).Predict(d.X, 40)
	for r, x := range d.X[0] {
		s := math.Sin(2 * x)
		if want := math.Cos(3 * math.Sin(0.5*s+0.25*math.Cos(3*s))); math.Abs(got[r]-want) > 1e-14 {
			t.Fatalf("at %g: %g, want %g", x, got[r], want)
		}
	}
	g, ok := f.substituted(0, termOf(2, f.inputs)) // twice itself
	if !ok || g.sound() != nil {
		t.Fatalf("a function was replaced by twice itself: %t, %v", ok, g.sound())
	}
	got = lawOf(t, g).Predict(d.X, 40)
	for r, x := range d.X[0] {
		s := math.Sin(2 * x)
		if want := math.Cos(6 * math.Sin(0.5*s+0.25*math.Cos(3*s))); math.Abs(got[r]-want) > 1e-14 {
			t.Fatalf("at %g: %g, want %g", x, got[r], want)
		}
	}
}

// A line in the argument of the wave that it would become, as the search met it in a table of the entropy −a·ln a.
func TestLinesAsWavesOfThemselves(t *testing.T) {
	d := sample(1, 40, x4[:1], "0", 0)
	g := Growth{Units: model.LawUnits()}.on(d, false)
	omega := bend / gridStep * frequency(d.X[0])
	f := &form{inputs: 1}
	f.out = termOf(1, f.function(model.Sin, termOf(omega, 0)))
	list := g.linesAsWaves(f)
	if len(list) != 1 {
		t.Fatalf("%d forms, want one", len(list))
	}
	if err := list[0].sound(); err != nil {
		t.Fatal(err)
	}
	got := lawOf(t, list[0]).Predict(d.X, 40)
	for r, x := range d.X[0] {
		if want := math.Sin(math.Sin(omega * x)); math.Abs(got[r]-want) > 1e-14 {
			t.Fatalf("at %g: %g, want %g", x, got[r], want)
		}
	}
}
