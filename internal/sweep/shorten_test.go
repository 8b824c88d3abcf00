package sweep

import (
	"testing"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/run"
)

// TestInFront expects a shorter formula with smaller errors in front, unless the criterion is clearly against it, or at
// all where another function would take the place of a standard form.
func TestInFront(t *testing.T) {
	model := func(complexity int, validation, criterion float64, form bool) *Model {
		t := TargetModel{Formula: formula.Var("x"), Complexity: complexity, Validation: validation, Criterion: criterion}
		if form {
			t.form = &formFit{}
		}
		return &Model{Targets: []TargetModel{t}}
	}
	withErrors := func(m *Model, constants int, errors ...float64) *Model {
		text := []string{"1.5*x", "1.5*x + 2.5"}[constants-1]
		law, err := distill.Compose(formula.MustParse(text), []string{"x"}, run.Quick(9, 1).Units)
		if err != nil {
			t.Fatal(err)
		}
		m.Targets[0].law, m.Targets[0].errors = law, errors
		return m
	}
	for _, c := range []struct {
		name         string
		chosen, next *Model
		same, moves  bool
	}{
		{"a constant more, and hardly better", withErrors(model(7, 1.02, 5, true), 1, 1, -1.1, 1, -1),
			withErrors(model(7, 1.0, 8, true), 2, 1, -1, 1.1, -0.9), false, false},
		{"a constant more, and far better", withErrors(model(7, 3, 5, true), 1, 3, -3, 3.1, -2.9),
			withErrors(model(7, 1.0, 8, true), 2, 1, -1, 1.1, -0.9), false, true},
		{"shorter and better", model(9, 1.1, 5, false), model(8, 1.0, 8, false), false, true},
		{"longer", model(9, 1.1, 5, false), model(10, 1.0, 8, false), false, false},
		{"worse", model(9, 1.1, 5, false), model(8, 1.2, 8, false), false, false},
		{"the criterion is clearly against it", model(9, 1.1, 5, false), model(8, 1.0, 15, false), false, false},
		{"the criterion prefers the standard form", model(9, 1.1, 5, true), model(8, 1.0, 8, false), false, false},
		{"a special case of the standard form", model(9, 1.1, 5, true), model(8, 1.0, 8, false), true, true},
		{"the criterion does not prefer the standard form", model(9, 1.1, 5, true), model(8, 1.0, 4, false), false, true},
		{"another standard form", model(9, 1.1, 5, true), model(8, 1.0, 8, true), false, true},
	} {
		models := []*Model{c.chosen, c.next}
		same := func(TargetModel) bool { return c.same }
		got := inFront(models, 0, c.chosen.Targets[0], map[*Model]bool{c.chosen: true}, same)
		if (got != nil) != c.moves {
			t.Errorf("%s: moves is %v, want %v", c.name, got != nil, c.moves)
		}
	}
}

// TestPredictsBetter expects a long formula to stay where it predicts the outer rows and the short one in its place
// does not, and only there.
func TestPredictsBetter(t *testing.T) {
	passes := evidence.Extrapolation{Ratio: 1.02, Limit: 1.07, Defined: true}
	fails := evidence.Extrapolation{Ratio: 1.54, Limit: 1.09, Defined: true}
	loose := evidence.Extrapolation{Ratio: 1.2, Limit: 8, Defined: true}
	for _, c := range []struct {
		name        string
		long, short evidence.Extrapolation
		want        bool
	}{
		{"the short one misses the outer rows", passes, fails, true},
		{"both predict them", passes, passes, false},
		{"both miss them", fails, fails, false},
		{"nothing is known of the long one", loose, fails, false},
		{"nothing is known of the short one", passes, evidence.Extrapolation{}, false},
	} {
		if got := predictsBetter(&Evidence{Extrapolation: c.long}, &Evidence{Extrapolation: c.short}); got != c.want {
			t.Errorf("%s: predictsBetter = %v, want %v", c.name, got, c.want)
		}
	}
	if predictsBetter(&Evidence{Extrapolation: passes}, nil) {
		t.Error("a short formula without evidence is not better in a test that it did not have")
	}
}
