package sweep

import (
	"slices"
	"testing"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/run"
)

// Answers, rows of the table and all models that have a formula are within the limits, and as good as they can be
// there.
func TestLimits(t *testing.T) {
	slow(t)
	tab := table(t, 200, 0.01, map[string]string{"p": "0.7*sin(2.3*a) + 0.4*b^2"})
	for i, c := range []struct {
		name   string
		limits run.Limits
		most   float64 // validation RMS
	}{
		{"room enough", run.Limits{MaxComplexity: 40, MaxConstants: 9}, 0.02},
		{"both inputs", run.Limits{MaxComplexity: 12, Require: []string{"b", "a"}}, 0.3},
		{"a number", run.Limits{MaxComplexity: 1}, 1},
		{"an input that says less", run.Limits{MaxComplexity: 5, Require: []string{"b"}}, 1},
		{"no limits", run.Limits{}, 0.02},
		{"one term", run.Limits{MaxComplexity: 8}, 0.2},
		{"one constant", run.Limits{MaxConstants: 1}, 0.3},
	} {
		if i >= 4 && !*long {
			break
		}
		s := short()
		s.Limits = c.limits
		r := mustRun(t, task(tab, "p"), s, Options{})
		formulas := []formula.Expr{r.Chosen[0].Formula}
		for _, m := range r.Models {
			if f := m.Targets[0].Formula; f != nil {
				formulas = append(formulas, f)
			}
		}
		for _, f := range formulas {
			if n := formula.Complexity(f); c.limits.MaxComplexity > 0 && n > c.limits.MaxComplexity {
				t.Errorf("%s: %s has %d nodes", c.name, f, n)
			}
			if n := len(formula.Constants(f)); c.limits.MaxConstants > 0 && n > c.limits.MaxConstants {
				t.Errorf("%s: %s has %d constants", c.name, f, n)
			}
			for _, name := range c.limits.Require {
				if !slices.Contains(formula.Vars(f), name) {
					t.Errorf("%s: %s is without %s", c.name, f, name)
				}
			}
		}
		if got := r.Chosen[0].Validation; !(got < c.most) {
			t.Errorf("%s: %s has a validation RMS of %g, want below %g", c.name, r.Chosen[0].Formula, got, c.most)
		}
		for i, m := range r.Models {
			if i > 0 && !m.Padding && m.ID <= r.Models[i-1].ID {
				t.Errorf("%s: model %d follows model %d", c.name, m.ID, r.Models[i-1].ID)
			}
		}
	}
}

// A formula that is within the limits once special values are put in is found.
func TestLimitsWithSpecialValues(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns")
	}
	s := short()
	s.Limits.MaxComplexity = 5
	c := mustRun(t, task(table(t, 200, 0.01, map[string]string{"p": "sin(a)"}), "p"), s, Options{}).Chosen[0]
	if !formula.Equal(c.Formula, formula.MustParse("sin(a)")) {
		t.Errorf("got %s", c.Formula)
	}
}

func TestLimitsErrors(t *testing.T) {
	tab := table(t, 50, 0.01, map[string]string{"p": "a"})
	for i := range tab.Cols[1] {
		tab.Cols[1][i] = 3
	}
	for want, name := range map[string]string{
		`formulas must contain "c", which is not an input`:          "c",
		`formulas must contain "b", which is the same in every row`: "b",
	} {
		s := short()
		s.Limits.Require = []string{name}
		if _, err := Run(t.Context(), task(tab, "p"), s, Options{}); err == nil || err.Error() != want {
			t.Errorf("got the error %v, want %s", err, want)
		}
	}
}
