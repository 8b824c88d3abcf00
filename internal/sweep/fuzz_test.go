package sweep

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
	"github.com/eqlearner/eql/trainer"
)

// fuzzed is the folder of a small run, whose files a fuzz test replaces one at a time.
type fuzzed struct {
	dir   string
	task  Task
	s     Settings
	files map[string][]byte // the folder as it is written before each try
}

// newFuzzed interrupts a run, so that there are finished networks and checkpoints of starts and of a group.
func newFuzzed(f *testing.F) *fuzzed {
	f.Helper()
	cols := make([][]float64, 3)
	for i := range 40 {
		x, y := float64(i%7)-3, float64(i%5)-2
		for j, v := range []float64{x, y, x * y} {
			cols[j] = append(cols[j], v)
		}
	}
	t, err := datasets.New([]string{"a", "b", "p"}, cols)
	if err != nil {
		f.Fatal(err)
	}
	s := run.Quick(40, 2)
	s.Layers, s.Width, s.Products, s.Lambda, s.Restarts = []int{2}, []int{1, 2}, []int{1}, []float64{1e-3}, 1
	s.Halving = Halving{Starts: 2, Part: 0.5}
	s.Train.Epochs, s.Extend, s.Refine, s.Split = 3, 0, false, 0.2
	z := &fuzzed{dir: filepath.Join(f.TempDir(), "run"), task: task(t, "p"), s: s, files: map[string][]byte{}}
	store, err := Create(z.dir,
		RunConfig{Settings: s, Inputs: z.task.Inputs, Targets: z.task.Targets, Data: DataFile{Name: "d", Table: t}})
	if err != nil {
		f.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err = Run(ctx, z.task, s, Options{Workers: 1, Store: store, Observe: func(e Event) {
		if e.Done > 0 && e.Phase == "free" {
			cancel()
		}
	}})
	if err == nil {
		f.Fatal("the run was not interrupted")
	}
	store.Close()
	entries, err := os.ReadDir(z.dir)
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(z.dir, e.Name()))
		if err != nil {
			f.Fatal(err)
		}
		z.files[e.Name()] = data
	}
	return z
}

// with writes the folder, one file of it changed.
func (z *fuzzed) with(t *testing.T, name string, data []byte) {
	t.Helper()
	entries, err := os.ReadDir(z.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(z.dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	for file, content := range z.files {
		if file != name {
			z.put(t, file, content)
		}
	}
	z.put(t, name, data)
}

func (z *fuzzed) put(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(z.dir, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// goOn resumes the run, if it can be opened. It may refuse; what it accepts it finishes.
func (z *fuzzed) goOn(t *testing.T) {
	t.Helper()
	store, err := Open(z.dir)
	if err != nil {
		return
	}
	for _, m := range store.Finished() {
		m.Network.Sparsity()
	}
	if err := store.Resume(); err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	r, err := Run(context.Background(), z.task, z.s, Options{Workers: 1, Store: store})
	if err != nil {
		return
	}
	if !r.Ended.Complete() || len(r.Chosen) != 1 || r.Chosen[0].Formula == nil {
		t.Errorf("the run ended with %s and %d choices", r.Ended, len(r.Chosen))
	}
}

func FuzzConfig(f *testing.F) {
	z := newFuzzed(f)
	for _, change := range []func(*RunConfig){
		func(*RunConfig) {},
		func(c *RunConfig) { c.Settings.Units = []model.Unit{model.Exp} },
		func(c *RunConfig) { c.Settings.Units = []model.Unit{model.Product}; c.Settings.Products = []int{0} },
		func(c *RunConfig) { c.Settings.Width, c.Settings.Layers = []int{1000}, []int{10} },
		func(c *RunConfig) { c.Inputs = nil },
		func(c *RunConfig) { c.Targets = nil },
		func(c *RunConfig) { c.Inputs = []string{"a", "a"} },
		func(c *RunConfig) { c.Targets = []string{"a"} },
		func(c *RunConfig) { c.Validation = &c.Data; c.Tests = []DataFile{c.Data} },
		func(c *RunConfig) { c.Settings.Halving.Part = 1e300 },
	} {
		var c RunConfig
		if err := json.Unmarshal(z.files["config.json"], &c); err != nil {
			f.Fatal(err)
		}
		change(&c)
		data, err := json.Marshal(c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		z.with(t, "config.json", data)
		store, err := Open(z.dir)
		if err != nil {
			return // refusing is fine
		}
		c := store.Config()
		if c.Settings.Combinations()*c.Settings.Restarts > 1000 {
			return // it takes long, and is nothing new
		}
		var validation *datasets.Table
		if c.Validation != nil {
			validation = c.Validation.Table
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		task := Task{Inputs: c.Inputs, Targets: c.Targets, Data: c.Data.Table, Validation: validation}
		r, err := Run(ctx, task, c.Settings, Options{})
		if r != nil && len(r.Chosen) != len(c.Targets) {
			t.Errorf("%d choices for %q: %v", len(r.Chosen), c.Targets, err)
		}
	})
}

func FuzzJobs(f *testing.F) {
	z := newFuzzed(f)
	f.Add(z.files["jobs.jsonl"])
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		z.with(t, "jobs.jsonl", data)
		z.goOn(t)
	})
}

func FuzzCheckpoint(f *testing.F) {
	z := newFuzzed(f)
	lanes := trainer.Lanes(z.s.Train.DType, trainer.CPU, model.Arch{})
	groups, starts := checkpointName(make([]Job, lanes)), startsName(make([]start, lanes))
	seeds := 0
	for name, data := range z.files {
		if ok, _ := filepath.Match("checkpoint-*.json", name); ok {
			f.Add(data, false)
			f.Add(data, true)
			seeds++
		}
	}
	if seeds == 0 {
		f.Fatal("the interrupted run left no checkpoint")
	}
	delete(z.files, "jobs.jsonl") // so that the first groups are trained
	f.Fuzz(func(t *testing.T, data []byte, ofStarts bool) {
		name := groups
		if ofStarts {
			name = starts
		}
		z.with(t, "checkpoint-"+name+".json", data)
		z.goOn(t)
	})
}
