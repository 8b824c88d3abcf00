package paper

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/eqlearner/eql/model"
)

// FuzzPlan reads any experiment.json.
func FuzzPlan(f *testing.F) {
	plan, err := Request{Experiment: "xray", Preset: Short, Repetitions: 1, Methods: []Method{EQL}}.Plan()
	if err != nil {
		f.Fatal(err)
	}
	seed, err := json.Marshal(savedRun{Format: runFormat, Version: runVersion, Plan: plan})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, planFile), data, 0o666); err != nil {
			t.Fatal(err)
		}
		_, berr := Begun(dir)
		folder, err := Open(dir, plan)
		if err == nil && (berr != nil || !folder.Plan().equal(plan)) {
			t.Errorf("opened with another plan: %+v, %v", folder.Plan(), berr)
		}
	})
}

// FuzzJournal makes tables and figures of any journal and clock that hold what is needed. Refusing them is fine.
func FuzzJournal(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "run")
	plan, err := Request{Experiment: "xray", Preset: Short, Repetitions: 1, Methods: []Method{EQL}}.Plan()
	if err != nil {
		f.Fatal(err)
	}
	folder, err := Create(dir, plan)
	if err != nil {
		f.Fatal(err)
	}
	r := &runner{folder: folder, plan: plan}
	if err := r.prepare(); err != nil {
		f.Fatal(err)
	}
	p := r.parts[0]
	o := Outcome{Set: p.set.plan.Name, Method: EQL, Choice: "one", Errors: p.set.notFinite(0),
		Slice: [][]*float64{make([]*float64, len(p.set.slice[0]))}}
	o.Network = model.New(model.Uniform(1, 1, 2, 1, 1, model.Units()))
	one, s := 1.0, 3
	o.Sparsity, o.Validation = &s, &one
	o.Formulas = []Formula{{Target: "y", Text: "y = 2*x"}}
	o.Instances = []Scored{{Validation: &one, Sparsity: 3, Lambda: 1e-3, Errors: o.Errors, Chosen: true}, {Sparsity: 3}}
	for _, change := range []func(*Outcome){
		func(*Outcome) {},
		func(o *Outcome) { o.Slice = nil },
		func(o *Outcome) { o.Slice = [][]*float64{{&one}} },
		func(o *Outcome) { o.Slice = append(o.Slice, o.Slice[0]) },
		func(o *Outcome) { o.Network = model.New(model.Uniform(2, 3, 2, 1, 1, model.Units())) },
		func(o *Outcome) { o.Network, o.Sparsity, o.Validation, o.Instances, o.Errors = nil, nil, nil, nil, nil },
		func(o *Outcome) { o.Repetition = -7 },
		func(o *Outcome) { o.Set, o.Method = "", "" },
	} {
		changed := o
		change(&changed)
		value, err := json.Marshal(changed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(fmt.Sprintf("{\"key\":%q,\"value\":%s}\n", p.key(0), value)),
			[]byte(`{"wall":1,"cpu":2,"work":{"x-ray":null}}`))
	}
	f.Fuzz(func(t *testing.T, journal, times []byte) {
		path := filepath.Join(dir, "journal.jsonl")
		if err := os.WriteFile(path, journal, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, clockFile), times, 0o666); err != nil {
			t.Fatal(err)
		}
		done, err := openFinished(dir, all)
		if err != nil {
			return
		}
		defer func() {
			if err := done.close(); err != nil {
				t.Error(err)
			}
		}()
		r.finished = done
		if r.clock, err = openClock(folder, Options{}, all); err != nil {
			return
		}
		if err := r.clock.add(p.set.plan.Name, EQL, 1); err != nil {
			t.Fatal(err)
		}
		r.result() //nolint:errcheck // what the journal lacks it says
	})
}
