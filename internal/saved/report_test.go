package saved

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// full is evidence in which every field that is kept has a value.
func full() *evidence.Evidence {
	return &evidence.Evidence{
		Verdict: evidence.Verdict{Level: evidence.Uncertain, Code: "pole", Kind: evidence.Nowhere, Reason: "it has a pole"},
		Fitted:  formula.MustParse("0.99/(a - 2.01)"),
		Constants: []evidence.Constant{{Value: 0.99, Low: 0.9, High: 1.1, Snapped: 1, Unit: "m/s"},
			{Value: 2.01, Low: math.Inf(-1), High: math.Inf(1), Snapped: 2.01}},
		Groups: [][]float64{{0.1, 0}, {math.Inf(1), 0.2}},
		Gap:    12.5,
		Support: evidence.Support{Networks: 32, Trained: 1, Agree: 2, Grown: 3, Form: "hyperbola", Tables: 4,
			Ways: 3, Halves: evidence.Yes},
		Explained: 0.98, Line: 1.5, Noise: 0.01, Exact: true, Mismatch: "the term x has the unit m",
		Power:  evidence.Power{Formula: formula.MustParse("a^1.5"), Validation: 0.7},
		Greedy: evidence.Greedy{Formula: formula.MustParse("a + 1"), Complexity: 3, Validation: 0.4, Agrees: true},
		Extrapolation: evidence.Extrapolation{
			Ratio: 1.1, Inflation: 1.2, Doubt: 0.1, Limit: 1.3, Inner: 0.5, Held: true, Defined: true},
		Structure: evidence.Structure{Z: 1.2, Limit: 3.6, Order: evidence.AlongPrediction, Defined: true},
		Errors: evidence.Errors{
			Kind: evidence.ErrorsGiven, Column: "s", Size: 1.1, Floor: 0.1, Known: true, Tails: 2, Rows: 9, Used: 8,
			Outliers: []evidence.Outlier{{Row: 3, Line: 5, Validation: true, Value: 1, Predicted: 2, Size: 9}},
		},
		Edges: []evidence.Edge{{
			Kind: formula.RootEdge, Critical: formula.MustParse("a - b"), Among: true, Inside: true,
			Inputs: []string{"a", "b"}, Place: []float64{1, 2}, Beyond: []float64{0, -0.5},
		}},
	}
}

// TestRoundTrip writes a result as JSON and reads it back: all that the file has is the same.
func TestRoundTrip(t *testing.T) {
	open := &evidence.Evidence{
		Verdict: evidence.Verdict{Level: evidence.Holds, Code: "holds"}, Fitted: formula.MustParse("2"),
		Gap: math.Inf(1), Explained: math.NaN(), Line: math.NaN(), Noise: math.NaN(),
	}
	table, err := datasets.New([]string{"a", "b", "y", "z"}, [][]float64{{1, 2, 3}, {4, 5, 7}, {1, 0.5, 0.3}, {2, 2, 2.1}})
	if err != nil {
		t.Fatal(err)
	}
	model := func(id int, y, z string) *sweep.Model {
		m := &sweep.Model{Job: sweep.Job{ID: id, Layers: 2, Width: 3, Lambda: 1e-3, Restart: 1}}
		for _, text := range []string{y, z} {
			e := formula.MustParse(text)
			m.Targets = append(m.Targets, sweep.TargetModel{
				Formula: e, Complexity: formula.Complexity(e), Validation: 0.25, Criterion: math.Inf(1),
			})
		}
		return m
	}
	models := []*sweep.Model{model(0, "1/a", "2"), model(1, "a*b", "a"),
		model(2, "0.5*a + 0.1", "2.1"), model(3, "a", "b")}
	models[1].Short, models[2].Greedy, models[3].Baseline = true, true, true
	models[0].Form, models[0].Targets[0].Criterion = "hyperbola", -12
	models[0].Targets[1].Formula, models[0].Targets[1].Validation = nil, math.Inf(1)
	models[1].Targets[0].Judged = &sweep.Judged{Formula: formula.MustParse("a*b/2"), Complexity: 5, Evidence: full()}
	want := &sweep.Result{
		Inputs: []string{"a", "b"}, Targets: []string{"y", "z"}, Models: models, Baseline: models[3], Greedy: models[2],
		Chosen: []sweep.Choice{
			{Target: "y", TargetModel: models[0].Targets[0], Model: models[0], Evidence: full()},
			{Target: "z", TargetModel: models[2].Targets[1], Model: models[2], Evidence: open},
		},
		Train: table, Warnings: []string{"few rows"}, Rounds: []run.Round{{Layers: 2, Networks: 16}}, Ended: run.EndedRounds,
	}
	want.Chosen[0].Formula = formula.MustParse("1/(a - 2)") // with special values
	want.Chosen[0].Complexity = formula.Complexity(want.Chosen[0].Formula)
	written, err := Outcome{Found: want, Settings: run.Quick(3, 2), Seconds: 1.5}.Report()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	var read Report
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	got, err := read.Result(nil)
	if err != nil {
		t.Fatal(err)
	}
	want.Train = nil // is not in the file
	for i := range got.Chosen {
		same(t, "evidence of "+got.Chosen[i].Target, got.Chosen[i].Evidence, want.Chosen[i].Evidence)
		got.Chosen[i].Evidence, want.Chosen[i].Evidence = nil, nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
	again, err := Outcome{Found: withTable(got, table), Settings: read.Settings, Seconds: read.Seconds}.Report()
	if err != nil {
		t.Fatal(err)
	}
	again.Evidence = read.Evidence
	if twice, err := json.Marshal(again); err != nil || string(twice) != string(text) {
		t.Errorf("written again, %v:\n%s, want\n%s", err, twice, text)
	}
}

func withTable(r *sweep.Result, t *datasets.Table) *sweep.Result {
	r.Train = t
	return r
}

// same compares two structs by field, NaN being NaN.
func same(t *testing.T, what string, got, want *evidence.Evidence) {
	t.Helper()
	g, w := reflect.ValueOf(*got), reflect.ValueOf(*want)
	for i := range g.NumField() {
		if a, aok := g.Field(i).Interface().(float64); aok && math.IsNaN(a) && math.IsNaN(w.Field(i).Float()) {
			continue
		}
		if !reflect.DeepEqual(g.Field(i).Interface(), w.Field(i).Interface()) {
			t.Errorf("%s: %s is %+v, want %+v", what, g.Type().Field(i).Name, g.Field(i), w.Field(i))
		}
	}
}

// TestRoundTripIsWhole names the fields of evidence that the test above leaves empty.
func TestRoundTripIsWhole(t *testing.T) {
	notKept := map[string]bool{"Power.Better": true, "Structure.Noise": true} // the verdict was drawn from them
	var walk func(name string, v reflect.Value)
	walk = func(name string, v reflect.Value) {
		if v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[formula.Expr]() {
			for i := range v.NumField() {
				field := v.Type().Field(i).Name
				if name != "" {
					field = name + "." + field
				}
				walk(field, v.Field(i))
			}
			return
		}
		if v.IsZero() != notKept[name] {
			t.Errorf("%s: empty %v", name, v.IsZero())
		}
	}
	walk("", reflect.ValueOf(*full()))
}
