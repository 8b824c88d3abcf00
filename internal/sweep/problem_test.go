package sweep

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/run"
)

// TestDates: a column that is counted from far off, here in seconds since 1970, has the law that it has
// when it is counted from the beginning, with the same evidence, and everything of the result speaks of
// the table's column.
func TestDates(t *testing.T) {
	slow(t)
	const rows, origin = 200, 1.7e9
	rng := rand.New(rand.NewPCG(1, 3))
	cols := make([][]float64, 2)
	for i := range rows {
		cols[0] = append(cols[0], origin+float64(i))
		cols[1] = append(cols[1], math.Sin(0.3*float64(i))+0.05*rng.NormFloat64())
	}
	data, err := datasets.New([]string{"a", "p"}, cols)
	if err != nil {
		t.Fatal(err)
	}
	r := mustRun(t, Task{Inputs: []string{"a"}, Targets: []string{"p"}, Data: data}, run.Quick(rows, 1), Options{})
	c := r.Chosen[0]
	if got, want := c.Formula.String(), "sin(0.3*(a - 1.7e9))"; got != want ||
		c.Complexity != formula.Complexity(c.Formula) {
		t.Errorf("got %s with %d nodes, want %s", got, c.Complexity, want)
	}
	e := c.Evidence
	if e.Level != Holds || len(e.Constants) != 3 || e.Constants[1].High-e.Constants[1].Low > 0.002 {
		t.Errorf("verdict %s (%s), constants %+v", e.Level, e.Reason, e.Constants)
	}
	for name, f := range map[string]formula.Expr{"as fitted": e.Fitted, "grown": e.Greedy.Formula,
		"of the line": r.Baseline.Targets[0].Formula} {
		p, err := formula.Compile(f, []string{"a"})
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i, a := range cols[0] {
			worst = math.Max(worst, math.Abs(p.Eval([]float64{a})-cols[1][i]))
		}
		if limit := map[bool]float64{true: 1.5, false: 0.3}[name == "of the line"]; worst > limit {
			t.Errorf("the formula %s, %s, is off by %g", name, f, worst)
		}
	}
}

// TestScalesFoldBack learns a law in awkward units; the formula must be in them.
func TestScalesFoldBack(t *testing.T) {
	slower(t)
	data := table(t, 500, 0.003, map[string]string{"p": "a*b/2 + a"})
	for i := range data.Cols[0] {
		data.Cols[0][i] = data.Cols[0][i]*1e6 + 3e7
		data.Cols[2][i] *= 1e-9
	}
	r := mustRun(t, task(data, "p"), run.Quick(500, 2), Options{})
	want := formula.MustParse("1e-9*((a - 3e7)/1e6)*(1 + b/2)")
	for _, at := range []map[string]float64{{"a": 3.05e7, "b": 0.5}, {"a": 2.8e7, "b": 2}} {
		got, err := formula.Eval(r.Chosen[0].Formula, at)
		truth, terr := formula.Eval(want, at)
		if err != nil || terr != nil || !(math.Abs(got-truth) < 0.01*math.Abs(truth)) {
			t.Errorf("at %v the formula is %g, %v, want %g", at, got, err, truth)
		}
	}
	if v := r.Chosen[0]; !(math.Abs(v.Validation-0.003e-9) < 0.001e-9) {
		t.Errorf("validation RMS %g in the user's units, want about 3e-12", v.Validation)
	}
}
