package datasets_test

import (
	"math"
	"strings"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

// TestFormulas evaluates the laws given as text and compares them with the targets, on
// the data and on every test set. The two may round differently.
func TestFormulas(t *testing.T) {
	for _, p := range datasets.Problems() {
		if p.Name == "x-ray" { // no law in closed form
			if len(p.Formulas) > 0 {
				t.Errorf("x-ray has the formulas %q, want none", p.Formulas)
			}
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			if len(p.Formulas) != len(p.Targets) {
				t.Fatalf("%d formulas for %d targets", len(p.Formulas), len(p.Targets))
			}
			suite, err := p.Generate(datasets.GenerateOptions{Rows: 200})
			if err != nil {
				t.Fatal(err)
			}
			for j, text := range p.Formulas {
				target, right, ok := strings.Cut(text, " = ")
				if !ok || target != p.Targets[j] {
					t.Fatalf("formula %q is not one of %s", text, p.Targets[j])
				}
				expr, err := formula.Parse(right)
				if err != nil {
					t.Fatal(err)
				}
				check(t, p, expr, target, suite.DataClean)
				for _, test := range suite.Tests {
					check(t, p, expr, target, test.Clean)
				}
			}
		})
	}
}

func check(t *testing.T, p datasets.Problem, expr formula.Expr, target string, table *datasets.Table) {
	t.Helper()
	want, _ := table.Col(target)
	at := map[string]float64{}
	for i := range min(200, table.Rows()) {
		for j, name := range p.Inputs {
			at[name] = table.Cols[j][i]
		}
		got, err := formula.Eval(expr, at)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(got-want[i]) <= 1e-13*max(1, math.Abs(want[i]))) {
			t.Fatalf("%s at %v: formula %v, generator %v", target, at, got, want[i])
		}
	}
}
