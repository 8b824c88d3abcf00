package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// table computes columns a, b and the targets from formulas, with noise on the targets.
func table(t testing.TB, rows int, noise float64, targets map[string]string) *datasets.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	names, cols := []string{"a", "b"}, [][]float64{make([]float64, rows), make([]float64, rows)}
	for i := range rows {
		cols[0][i], cols[1][i] = 2*rng.Float64()-1, 2*rng.Float64()-1
	}
	for _, name := range []string{"p", "q", "r"} {
		truth, ok := targets[name]
		if !ok {
			continue
		}
		p, err := formula.Compile(formula.MustParse(truth), []string{"a", "b"})
		if err != nil {
			t.Fatal(err)
		}
		y := make([]float64, rows)
		p.EvalColumns(y, cols[:2])
		for i := range y {
			y[i] += noise * rng.NormFloat64()
		}
		names, cols = append(names, name), append(cols, y)
	}
	tab, err := datasets.New(names, cols)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// short are settings that train almost nothing, for tests of everything but the outcome.
func short() Settings {
	s := run.Quick(200, 2)
	s.Layers, s.Width, s.Products, s.Lambda, s.Restarts = []int{2}, []int{1}, []int{1}, []float64{1e-4, 1e-3}, 3
	s.Train.Epochs, s.Extend = 5, 0
	return s
}

func task(t *datasets.Table, targets ...string) Task {
	return Task{Inputs: []string{"a", "b"}, Targets: targets, Data: t}
}

func mustRun(t *testing.T, tk Task, s Settings, opt Options) *Result {
	t.Helper()
	r, err := Run(context.Background(), tk, s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestQuickFindsPlantedLaws runs the whole preset on two targets at once.
func TestQuickFindsPlantedLaws(t *testing.T) {
	slower(t)
	data := table(t, 1000, 0.01, map[string]string{"p": "a*b/2", "q": "-sin(2*a) + b/3"})
	r := mustRun(t, task(data, "p", "q"), run.Quick(1000, 2), Options{})
	for o, want := range []string{"0.5*a*b", "0.3*b - sin(2*a)"} {
		if got := formula.Round(r.Chosen[o].Formula, 1).String(); got != want {
			t.Errorf("%s = %s, want about %s", r.Chosen[o].Target, r.Chosen[o].Formula, want)
		}
	}
}

func TestRoundsArePadded(t *testing.T) {
	s := short()
	s.Layers, s.Width = []int{2, 3}, []int{1, 2}
	rounds := rounds(s, 2, 1)
	if len(rounds) != 4 {
		t.Fatalf("%d rounds, want one for each of 4 architectures", len(rounds))
	}
	id := 0
	for _, round := range rounds {
		if len(round) != 16 {
			t.Errorf("a round of %d networks, want 6 padded to 16", len(round))
		}
		padding := 0
		for i, j := range round {
			if j.ID != id || j.Arch.String() != round[0].Arch.String() {
				t.Errorf("job %d has id %d and architecture %s", id, j.ID, j.Arch)
			}
			if j.Lambda != s.Lambda[i%2] || j.Restart != i/2 {
				t.Errorf("job %d has λ=%g, restart %d", id, j.Lambda, j.Restart)
			}
			if j.Padding {
				padding++
			}
			id++
		}
		if padding != 10 {
			t.Errorf("%d networks are padding, want 10", padding)
		}
	}
}

// fingerprint returns everything that a run found, as text.
func fingerprint(r *Result) string {
	var b strings.Builder
	for _, c := range r.Chosen {
		fmt.Fprintf(&b, "%s=%s %v %v\n", c.Target, c.Formula, c.Validation, c.Criterion)
	}
	for _, m := range r.Models {
		data, err := json.Marshal(m.Network)
		fmt.Fprintf(&b, "%d %v %s %v %v\n", m.ID, m.Job, data, m.Loss, err)
		for _, t := range m.Targets {
			fmt.Fprintf(&b, "  %s %v %v\n", t.Formula, t.Validation, t.Criterion)
		}
	}
	return b.String()
}

func TestWorkersDoNotChangeTheResult(t *testing.T) {
	slow(t)
	data := table(t, 200, 0.01, map[string]string{"p": "a*b", "q": "sin(2*a)"})
	one := fingerprint(mustRun(t, task(data, "p", "q"), short(), Options{Workers: 1}))
	for _, workers := range []int{2, 5} {
		if got := fingerprint(mustRun(t, task(data, "p", "q"), short(), Options{Workers: workers})); got != one {
			t.Errorf("%d workers give another result than one", workers)
		}
	}
	s := short()
	s.Seed = 1
	if fingerprint(mustRun(t, task(data, "p", "q"), s, Options{})) == one {
		t.Error("another seed gives the same result")
	}
}

func create(t *testing.T, dir string, tk Task, s Settings) *Store {
	t.Helper()
	store, err := Create(dir,
		RunConfig{Settings: s, Inputs: tk.Inputs, Targets: tk.Targets, Data: DataFile{Name: "d", Table: tk.Data}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func reopen(t *testing.T, dir string) *Store {
	t.Helper()
	store, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Resume(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// TestInterruptedRunEndsTheSame cancels a run again and again, at a network further on each
// time, and crashes once in the middle of writing a line.
func TestInterruptedRunEndsTheSame(t *testing.T) {
	slow(t)
	data := table(t, 200, 0.01, map[string]string{"p": "a*b"})
	tk, s := task(data, "p"), short()
	s.Layers, s.Train.Epochs = []int{2, 3}, 60
	step, done := 0.0, 0.0 // of the work that this process does: the largest from one event to the next
	steps := func(e Event) {
		if e.Phase != "" {
			step = max(step, e.Fraction-done)
		}
		done = e.Fraction
	}
	want := fingerprint(mustRun(t, tk, s, Options{Observe: steps}))
	most := step

	dir := filepath.Join(t.TempDir(), "run")
	store := create(t, dir, tk, s)
	interrupted := 0
	for {
		ctx, cancel := context.WithCancel(context.Background())
		events := 0
		step, done = 0, 0
		r, err := Run(ctx, tk, s, Options{Workers: 2, Store: store, Observe: func(e Event) {
			steps(e)
			if events++; events == 100 {
				cancel()
			}
		}})
		cancel()
		if step > 1.01*most {
			t.Errorf("%.3f of the work took one step after an interruption, %.3f without", step, most)
		}
		if err == nil {
			if got := fingerprint(r); got != want {
				t.Error("the resumed run ends with another result")
			}
			break
		}
		if !errors.Is(err, context.Canceled) || len(r.Chosen) != 1 {
			t.Fatalf("interrupted: %v with %d choices, want one of what was there", err, len(r.Chosen))
		}
		interrupted++
		store.Close()
		if interrupted == 2 { // a crash leaves half a line
			f, err := os.OpenFile(filepath.Join(dir, "jobs.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(f, `{"id":31,"netw`)
			f.Close()
		}
		store = reopen(t, dir)
	}
	if interrupted < 2 { // wide vectors train as many networks in fewer groups
		t.Errorf("the run was interrupted %d times, want at least 2", interrupted)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "checkpoint*")); len(left) > 0 {
		t.Errorf("checkpoints are left: %v", left)
	}
}

func TestTimeLimitCutsBetweenRounds(t *testing.T) {
	slow(t)
	data := table(t, 200, 0.01, map[string]string{"p": "a*b"})
	s := short()
	s.Layers = []int{2, 3, 4}
	looks := 0
	elapsed := func() time.Duration { looks++; return time.Duration(looks) * time.Second }
	r := mustRun(t, task(data, "p"), s, Options{TimeLimit: 5 * time.Second, Elapsed: elapsed})
	if r.Ended != EndedByTime || withoutForms(r.Models) != 16+2 {
		t.Errorf("ended: %s, %d models, want the first round, the greedy model and the baseline", r.Ended, len(r.Models))
	}
	if !*long {
		return
	}
	if r = mustRun(t, task(data, "p"), s, Options{Elapsed: elapsed}); r.Ended != EndedGrid ||
		withoutForms(r.Models) != 48+2 {
		t.Errorf("without a limit: ended: %s, %d models", r.Ended, len(r.Models))
	}
}

func TestConstants(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns")
	}
	data := table(t, 50, 0, map[string]string{"p": "a", "q": "7"})
	for i := range data.Cols[1] {
		data.Cols[1][i] = 3
	}
	r := mustRun(t, task(data, "p", "q"), short(), Options{})
	if got := r.Chosen[1].Formula.String(); r.Chosen[1].Target != "q" || got != "7" {
		t.Errorf("%s = %s, want q = 7", r.Chosen[1].Target, got)
	}
	if len(r.Inputs) != 1 || r.Inputs[0] != "a" || len(r.Warnings) != 2 {
		t.Errorf("inputs %v, warnings %v, want the constant input left out and two warnings", r.Inputs, r.Warnings)
	}
	r = mustRun(t, Task{Inputs: []string{"b"}, Targets: []string{"p"}, Data: data}, short(), Options{})
	if len(formula.Vars(r.Chosen[0].Formula)) != 0 {
		t.Errorf("without an input that varies the formula is %s", r.Chosen[0].Formula)
	}
}

func TestFewRowsAreCrossValidated(t *testing.T) {
	data := table(t, 40, 0.1, map[string]string{"p": "a"})
	s := short()
	s.Split = 0
	r := mustRun(t, task(data, "p"), s, Options{})
	if r.Validation != nil || r.Train.Rows() != 40 {
		t.Errorf("%d training rows, validation %v, want all 40 and none", r.Train.Rows(), r.Validation)
	}
	if v := r.Chosen[0].Validation; !(v > 0.05 && v < 0.2) {
		t.Errorf("cross-validated RMS %g, want about the noise, 0.1", v)
	}
}

// fake returns a model with one target, as selection sees it.
func fake(id int, validation, criterion float64, active int) *Model {
	n := model.New(model.Arch{Inputs: 1, Outputs: 1, Hidden: []model.Layer{{Unary: make([]model.Unit, 9)}}})
	for k := range active {
		n.Weights[0].Row(k)[0], n.Weights[1].Row(0)[k] = 1, 1
	}
	return &Model{
		Job: Job{ID: id}, Network: n,
		Targets: []TargetModel{{
			Formula: formula.Const(float64(id)), Complexity: active, Validation: validation, Scaled: validation,
			Criterion: criterion, errors: []float64{validation, -validation, validation},
		}},
	}
}

func TestSettingsValidate(t *testing.T) {
	for _, s := range []Settings{run.Paper(), run.Quick(1, 1), run.Quick(1_000_000, 50)} {
		if err := s.Validate(); err != nil {
			t.Errorf("preset %s: %v", s.Preset, err)
		}
	}
	s := run.Paper()
	s.Layers, s.Width, s.Lambda, s.Restarts, s.Split = []int{1}, []int{0}, []float64{-1}, 0, math.NaN()
	s.Train.Epochs, s.Select, s.Snap = 0, "", "on"
	err := s.Validate()
	for _, want := range []string{`rule of selection ""`, `"on"`, "layers is 1", "width is 0", "lambda is -1",
		"restarts is 0", "split is NaN", "epochs is 0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not mention %q", err, want)
		}
	}
}

func TestRunRefusesNetworks(t *testing.T) {
	none, large := short(), short()
	none.Units, large.Layers, large.Width = []model.Unit{model.Exp}, []int{10}, []int{1000}
	for want, s := range map[string]Settings{"has no units": none, "make it smaller": large} {
		tk := task(table(t, 50, 0, map[string]string{"p": "a"}), "p")
		if _, err := Run(context.Background(), tk, s, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestSettingsSurviveJSON(t *testing.T) {
	for _, s := range []Settings{run.Paper(), run.Quick(1000, 3)} {
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back Settings
		if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, s) {
			t.Errorf("%v: got %+v, want %+v", err, back, s)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns")
	}
	data := table(t, 50, 0, map[string]string{"p": "a"})
	whole := filepath.Join(t.TempDir(), "run")
	tk, s := task(data, "p"), short()
	mustRun(t, tk, s, Options{Store: create(t, whole, tk, s)})
	for _, c := range []struct {
		name, file string
		change     func([]byte) []byte
		want       string
	}{
		{"another program's JSON", "config.json", func([]byte) []byte { return []byte(`{"format":"x"}`) },
			"not of an eql run"},
		{"cut off", "config.json", func(b []byte) []byte { return b[:len(b)/2] }, "damaged"},
		{"newer", "config.json", func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"version": 1`), []byte(`"version": 99`), 1)
		}, "matching version"},
		{"impossible settings", "config.json", func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"restarts": 3`), []byte(`"restarts": -3`), 1)
		}, "restarts is -3"},
		{"a path out of the folder", "config.json", func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"data.csv"`), []byte(`"../data.csv"`), 1)
		}, "not a file of the run"},
		{"a column that is not there", "config.json", func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"a"`), []byte(`"z"`), 1)
		}, "do not fit"},
		{"a coding that is none", "config.json", withColumns(`{"a": {"words": ["no"]}}`, 2),
			`column "a": a coding of words has 1 of them`},
		{"a coding of no column", "config.json", withColumns(`{"z": {"words": ["no", "yes"]}}`, 2),
			`there is a coding for "z"`},
		{"a coding before there were any", "config.json", withColumns(`{"a": {"words": ["no", "yes"]}}`, 1),
			"version 1 has no codings"},
		{"changed data", "data.csv", func(b []byte) []byte { return append(b, "1,2,3\n"...) }, "SHA-256"},
		{"a damaged line", "jobs.jsonl", func(b []byte) []byte { return append([]byte("{}{\n"), b...) }, "jobs.jsonl:1:"},
		{"a line without a network", "jobs.jsonl", func(b []byte) []byte { return append([]byte("{}\n"), b...) },
			"jobs.jsonl:1:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, c.file)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			after := c.change(bytes.Clone(before))
			if bytes.Equal(before, after) {
				t.Fatal("the case changes nothing")
			}
			if err := os.WriteFile(path, after, 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, run.ErrNotARun) {
		t.Errorf("an empty folder: %v, want run.ErrNotARun", err)
	}
}

// withColumns puts codings of columns and a version into config.json.
func withColumns(codings string, version int) func([]byte) []byte {
	return func(b []byte) []byte {
		return bytes.Replace(b, []byte(`"version": 1,`),
			fmt.Appendf(nil, `"version": %d, "columns": %s,`, version, codings), 1)
	}
}

// TestColumnsAreKept expects codings back, in the version of the format that has them, and runs without any in the one
// before.
func TestColumnsAreKept(t *testing.T) {
	coding := datasets.TimeCoding{Layout: "YYYY-MM-DD", Unit: "days", Origin: "2024-01-01T00:00:00"}
	codings := map[string]datasets.Coding{"a": {Time: &coding}}
	for version, columns := range map[int]map[string]datasets.Coding{1: nil, 2: codings} {
		dir := filepath.Join(t.TempDir(), "run")
		data := table(t, 20, 0, map[string]string{"p": "a"})
		store, err := Create(dir, RunConfig{Settings: short(), Inputs: []string{"a"}, Targets: []string{"p"},
			Columns: columns, Data: DataFile{Table: data}})
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		back, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if c := back.Config(); c.Version != version || !reflect.DeepEqual(c.Columns, columns) {
			t.Errorf("version %d with %v, want %d with %v", c.Version, c.Columns, version, columns)
		}
	}
}

func TestCreateRefusesFullFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	data := table(t, 50, 0, map[string]string{"p": "a"})
	_, err := Create(dir, RunConfig{Settings: short(), Data: DataFile{Table: data}})
	if !errors.As(err, new(*run.FolderError)) {
		t.Errorf("got %v, want an error that says the folder is in use", err)
	}
}

func TestDivergedNetworksAreReported(t *testing.T) {
	data := table(t, 200, 0, map[string]string{"p": "a"})
	s := short()
	s.Train.LearnRate, s.Train.DType, s.Layers = 1e12, trainer.Float32, []int{4}
	s.Units = []model.Unit{model.Product}
	r := mustRun(t, task(data, "p"), s, Options{})
	diverged := 0
	for _, m := range r.Models {
		if m.Diverged != nil {
			diverged++
			if !math.IsInf(m.Validation(), 1) {
				t.Errorf("model %d diverged and validates with %g", m.ID, m.Validation())
			}
		}
	}
	if diverged == 0 {
		t.Error("no network diverged at a learning rate of 1e12")
	}
	if r.Chosen[0].Formula == nil {
		t.Error("nothing was chosen, though the baseline is there")
	}
}
