package sweep

import (
	"math"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
)

// TestGreedyModelCompetes trains almost nothing, so that only growing can find the law: it must be
// among the models, be chosen by the criterion, and stand in the evidence.
func TestGreedyModelCompetes(t *testing.T) {
	slow(t)
	data := table(t, 400, 0.01, map[string]string{"p": "b*sin(3*a) + a/2"})
	r := mustRun(t, task(data, "p"), short(), Options{})
	greedy := r.Greedy
	if greedy == nil || !greedy.Greedy || greedy.Network != nil || !r.Baseline.Baseline {
		t.Fatal("the result has no greedy model or no baseline")
	}
	c := r.Chosen[0]
	at := map[string]float64{"a": 2, "b": -2}
	got, err := formula.Eval(c.Formula, at)
	if truth := -2*math.Sin(6) + 1; err != nil || !(math.Abs(got-truth) < 0.05) {
		t.Errorf("p = %s, %g at a = 2, b = -2; want %g", c.Formula, got, truth)
	}
	if e := c.Evidence; e.Support.Networks != 16 || !(e.Greedy.Validation < 0.02) || !(e.Line > 0.2) || !e.Greedy.Agrees ||
		e.Greedy.Complexity != greedy.Targets[0].Complexity {
		t.Errorf("evidence: %d networks, greedy %g of %d nodes, line %g",
			e.Support.Networks, e.Greedy.Validation, e.Greedy.Complexity, e.Line)
	}
	for _, m := range candidates(r.Models) {
		if m.Greedy {
			t.Error("the greedy model is ranked among the networks")
		}
	}
}

// TestFinishImprovesLaws gives a model a law of the wrong form, found by no search; finishing must
// make the right one of it, keep the old one for the evidence, and do so once.
func TestFinishImprovesLaws(t *testing.T) {
	data := table(t, 400, 0.01, map[string]string{"p": "b*cos(6*a)"})
	s := short()
	p, err := newProblem(task(data, "p"), s)
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(p, s, Options{})
	j := rounds(s, 2, 1)[0][0]
	j.Epochs = 10_000 // on paper; it is what the work of improving is measured by
	m := &Model{Job: j, Targets: make([]TargetModel, 1)}
	p.setLaw(&m.Targets[0], distill.Linear(p.target(0)), 0)
	line := m.Targets[0].Criterion
	r.finish([]*Model{m})
	if m.Targets[0].Criterion >= line || len(r.replaced[0]) != 1 || len(formula.Constants(m.Targets[0].Formula)) > 3 {
		t.Errorf("improved to %s, criterion %g after %g, %d laws replaced",
			m.Targets[0].Formula, m.Targets[0].Criterion, line, len(r.replaced[0]))
	}
	law := m.Targets[0].law
	if r.finish([]*Model{m}); m.Targets[0].law != law {
		t.Error("a finished law was worked on again")
	}
}

// Constants that any number is near do not settle a law.
func TestOddConstants(t *testing.T) {
	for text, want := range map[string]int{
		"2*a*b": 0, "a/(b + 1)^0.5": 0, "1.01*a^12 - a^6": 0, "9.81*a": 1, "14.3*a + 0.2": 2, "3.03*a": 0, "5.1*a": 1,
	} {
		if got := odd(formula.MustParse(text)); got != want {
			t.Errorf("%s: %d odd constants, want %d", text, got, want)
		}
	}
	for text, want := range map[string]float64{"4*e*(s^12/r^12 - s^6/r^6)": 12, "a/cosh(0.048*b)^440": 440, "440*a": 0} {
		if got := highestPower(formula.MustParse(text)); got != want {
			t.Errorf("%s: the highest power is %g, want %g", text, got, want)
		}
	}
}

// Where the law that a brief search found settles, the laws of networks are not grown on, and neither is that law.
func TestNothingGrowsBesideALawThatSettles(t *testing.T) {
	s := short()
	s.Extend = 1
	r := mustRun(t, task(table(t, 200, 0.01, map[string]string{"p": "2*a*b"}), "p"), s, Options{})
	if c := r.Chosen[0]; c.Evidence.Level != Holds || c.Formula.String() != "2*a*b" {
		t.Errorf("%s, %s", c.Formula, c.Evidence.Sentence())
	}
	for _, m := range r.Models {
		if m.Targets[0].improved || m.Targets[0].revised {
			t.Errorf("%s was grown on", m.Targets[0].Formula)
		}
	}
}
