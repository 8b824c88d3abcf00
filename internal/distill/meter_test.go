package distill

import (
	"math"
	"testing"

	"github.com/eqlearner/eql/model"
)

// TestWorkIsKept measures what calls spend, with work that is not enough for them. Beyond the limits goes what each
// part has begun, which on 300 rows is little.
func TestWorkIsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("spends work for seconds")
	}
	const work, begun = 2e8, 0.1
	g := Growth{Units: withExp.Units, Work: work}
	sums := sample(1, 300, x4, "(sin(pi*x1) + sin(2*x2*x3) + sigmoid(4*x4) - x3*x4*cos(3*x1))/3", 0.01)
	rough := Linear(sums)
	for _, c := range []struct {
		name  string
		share float64 // of Work
		call  func(whole *meter)
	}{
		{"Greedy", greedyShare, func(m *meter) { g.greedy(sums, m) }},
		{"Improve", improveShare, func(m *meter) { g.improve(rough, sums, m) }},
		{"Short", sumsShare, func(m *meter) { g.short(sums, 30, m) }},
	} {
		whole := &meter{limit: c.share * work}
		c.call(whole)
		if spent := whole.spent / whole.limit; !(spent < 1+begun && spent > 0.5) {
			t.Errorf("%s spent %.2f of the work that is stated, want all of it and no more", c.name, spent)
		}
	}
}

// TestPruningIsCharged holds what a pruning charges to the fits that it cannot do without: the first, and one after a
// removal.
func TestPruningIsCharged(t *testing.T) {
	d := sample(1, 300, x4, "x1", 0.01)
	g := growth.on(d, false)
	l := Linear(d)
	for _, j := range []int{0, 2} {
		l.out = l.out.plus(l.add(model.Product, []affine{source(j), source(j + 1)}), 0.01)
	}
	fit := g.work(l, g.steps)
	at := g.pruned(l)
	removed := l.Params() - at.law.Params()
	if removed < 4 {
		t.Fatalf("%d constants were removed, want at least 4", removed)
	}
	if least := fit + g.work(at.law, firstSteps); g.budget.spent < least {
		t.Errorf("%.3g multiplications are charged, want at least %.3g: a fit and one after a removal", g.budget.spent, least)
	}
	m := &meter{limit: math.Inf(1)}
	polish(l, d, m)
	if least := g.work(l, 20) + g.work(at.law, firstSteps); m.spent < least {
		t.Errorf("%.3g multiplications are charged for polishing, want at least %.3g", m.spent, least)
	}
}
