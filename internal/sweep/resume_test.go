package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/run"
)

// seconds returns a clock that moves on by a second at every look.
func seconds() func() time.Duration {
	looks := 0
	return func() time.Duration { looks++; return time.Duration(looks) * time.Second }
}

// withoutForms counts the models that are no standard forms.
func withoutForms(models []*Model) int {
	n := 0
	for _, m := range models {
		if m.Form == "" {
			n++
		}
	}
	return n
}

// TestTimeLimitSparesWhatIsStored goes on with a run, without a law to search for and with one, under a limit that
// is over at once: every round that is stored is kept, wherever it stands in the grid, and no other is trained.
func TestTimeLimitSparesWhatIsStored(t *testing.T) {
	slow(t)
	data := table(t, 200, 0.01, map[string]string{"p": "a*b"})
	for _, test := range []struct {
		name   string
		refine bool
		forget string // the start of lines of jobs.jsonl to take out, as if the run had not come to them
		models int    // that are left, with the greedy model and the baseline, and without standard forms
	}{
		{"search/first two rounds", true, `{"id":32,`, 32 + 2},
		{"no search/all", false, "", 48 + 1},
		{"no search/all but the first", false, `{"id":0,`, 32 + 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			tk, s := task(data, "p"), short()
			s.Width, s.Refine, s.Split = []int{1, 2, 3}, test.refine, 0.1
			dir := filepath.Join(t.TempDir(), "run")
			store := create(t, dir, tk, s)
			mustRun(t, tk, s, Options{Store: store})
			store.Close()
			forgetJobs(t, dir, test.forget)
			r := mustRun(t, tk, s, Options{Store: reopen(t, dir), TimeLimit: time.Nanosecond, Elapsed: seconds()})
			if n := withoutForms(r.Models); n != test.models {
				t.Errorf("%d models, want %d; ended: %s", n, test.models, r.Ended)
			}
			ids := map[int]bool{}
			for _, m := range r.Models {
				if ids[m.ID] {
					t.Errorf("two models have the id %d", m.ID)
				}
				ids[m.ID] = true
			}
			if complete := test.forget == ""; r.Ended.Complete() != complete {
				t.Errorf("ended: %s, which is complete: %t, want %t", r.Ended, r.Ended.Complete(), complete)
			}
		})
	}
}

// forgetJobs takes the lines that begin with a text out of jobs.jsonl, if there is one.
func forgetJobs(t *testing.T, dir, start string) {
	t.Helper()
	if start == "" {
		return
	}
	path := filepath.Join(dir, "jobs.jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, start) {
			kept.WriteString(line)
		}
	}
	if kept.Len() == len(text) {
		t.Fatalf("no line of jobs.jsonl begins with %s", start)
	}
	if err := os.WriteFile(path, []byte(kept.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestInterruptedBeforeALaw interrupts runs as they begin. Their constants are within their errors of 0, of 1 and of
// 3, which without a law means nothing.
func TestInterruptedBeforeALaw(t *testing.T) {
	for _, law := range []string{"3", "1 + a", "0.02*a + 3 + sin(9*a)*cos(8*b)"} {
		data := table(t, 200, 0.3, map[string]string{"p": law})
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r, err := Run(ctx, task(data, "p"), run.Quick(200, 2), Options{})
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		c := r.Chosen[0]
		line := r.Baseline.Targets[0].Formula
		if !sameLaw(c.Formula, line) || len(formula.Vars(c.Formula)) == 0 {
			t.Errorf("%s: %s, want the line %s as it was fitted", law, c.Formula, line)
		}
		if e := c.Evidence; e.Level != Uncertain || !strings.Contains(e.Reason, "interrupted") {
			t.Errorf("%s: verdict %q: %q, want that the run was interrupted", law, e.Level, e.Reason)
		}
		for _, k := range c.Evidence.Constants {
			if k.Snapped != k.Value {
				t.Errorf("%s: %g becomes %g", law, k.Value, k.Snapped)
			}
		}
	}
}

// TestFullDisk has a store that cannot be written to from the second round on: what was found in the first is
// returned with the error.
func TestFullDisk(t *testing.T) {
	data := table(t, 200, 0.01, map[string]string{"p": "a*b"})
	tk, s := task(data, "p"), short()
	s.Layers = []int{2, 3}
	store := create(t, filepath.Join(t.TempDir(), "run"), tk, s)
	r, err := Run(context.Background(), tk, s, Options{Workers: 1, Store: store, Observe: func(e Event) {
		if e.Done == 16 && e.Phase == "searching" {
			store.jobs.Close()
		}
	}})
	if err == nil || !strings.Contains(err.Error(), "saving networks") {
		t.Fatalf("got %v, want that networks could not be saved", err)
	}
	if r == nil || r.Ended != EndedInterrupted || r.Chosen[0].Formula == nil ||
		len(slices.DeleteFunc(slices.Clone(r.Models), func(m *Model) bool { return !m.trained() })) != 16 {
		t.Errorf("got %+v, want the first round", r)
	}
}

// TestCheckpointOfWhatIsFinished has checkpoints that a crash left after it had saved the networks of their groups, and
// one of a group that is not finished.
func TestCheckpointOfWhatIsFinished(t *testing.T) {
	tk, s := task(table(t, 50, 0, map[string]string{"p": "a"}), "p"), short()
	s.Refine, s.Split = false, 0.2
	dir := filepath.Join(t.TempDir(), "run")
	store := create(t, dir, tk, s)
	mustRun(t, tk, s, Options{Store: store})
	store.Close()
	for _, name := range []string{"checkpoint-0-16.json", "checkpoint-0-8.json", "checkpoint-8-16.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	reopen(t, dir)
	left, err := filepath.Glob(filepath.Join(dir, "checkpoint-*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != "checkpoint-8-16.json" {
		t.Errorf("left are %v, %v, want that of the group that is not finished", left, err)
	}
}

// TestCreateAfterACrash makes a folder that a crash of Create left, at each of its steps, and refuses it where there is
// anything else in it.
func TestCreateAfterACrash(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("without locks nobody knows whether the other process is at work still")
	}
	tk, s := task(table(t, 50, 0, map[string]string{"p": "a"}), "p"), short()
	config := RunConfig{Settings: s, Inputs: tk.Inputs, Targets: tk.Targets, Data: DataFile{Name: "d", Table: tk.Data}}
	for _, test := range []struct {
		files  string // name=content, …
		refuse string
	}{
		{"jobs.jsonl=", ""},
		{"jobs.jsonl= .data.csv.tmp0=a,b", ""},
		{"jobs.jsonl= data.csv=a,b .config.json.tmp0={", ""},
		{"jobs.jsonl= data.csv=a,b config.json={", "holds a run already"},
		{"jobs.jsonl={ data.csv=a,b", "is not empty"},
		{"data.csv=1", "is not empty"},
		{"jobs.jsonl= notes=1", "is not empty"},
	} {
		dir := t.TempDir()
		for file := range strings.FieldsSeq(test.files) {
			name, content, _ := strings.Cut(file, "=")
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		store, err := Create(dir, config)
		if got := fmt.Sprint(err); test.refuse == "" && err != nil || !strings.Contains(got, test.refuse) {
			t.Errorf("%s: got %v, want %q", test.files, err, test.refuse)
		}
		if err != nil {
			continue
		}
		if _, err := Create(dir, config); err == nil {
			t.Errorf("%s: two have made the folder", test.files)
		}
		store.Close()
		if _, err := Open(dir); err != nil {
			t.Errorf("%s: %v", test.files, err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp*")); len(left) > 0 {
			t.Errorf("%s: left are %v", test.files, left)
		}
	}
}
