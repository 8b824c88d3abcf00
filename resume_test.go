package eql

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/saved"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// tiny trains three rounds of networks that learn next to nothing.
func tiny() Option {
	return Adjust(func(s *run.Settings) {
		s.Layers, s.Width, s.Products, s.Restarts, s.Lambda = []int{2}, []int{1, 2, 3}, []int{1}, 1, []float64{1e-3}
		s.Train.Epochs, s.Extend, s.Refine, s.Split = 30, 0, false, 0.2
	})
}

// reportIn returns the result in the folder of a run.
func reportIn(t *testing.T, dir string) saved.Report {
	t.Helper()
	store, err := sweep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var r saved.Report
	if err := store.ReadResult(&r); err != nil {
		t.Fatal(err)
	}
	return r
}

// rerun is Resume of a run that may be complete.
func rerun(ctx context.Context, dir string, options ...Option) (*Result, error) {
	store, err := sweep.Open(dir)
	if err != nil {
		return nil, err
	}
	c, err := resumed(dir, store.Config(), options)
	if err != nil {
		return nil, err
	}
	return c.goOn(ctx, store)
}

// TestResumeLosesNothing resumes a run that is complete, with a limit that is over at once and with a context that is
// done at once or later: the folder has the same result afterwards.
func TestResumeLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of work")
	}
	dir := filepath.Join(t.TempDir(), "run")
	whole, err := Fit(context.Background(), small(t), tiny(), Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	want := reportText(t, whole)
	check := func(what string) {
		t.Helper()
		r := reportIn(t, dir)
		r.Seconds, r.Training, r.Searching = 0, 0, 0
		if got, err := json.Marshal(r); err != nil || string(got) != want {
			t.Errorf("%s: the folder has another result, %v, of %d models", what, err, len(r.Models))
		}
	}
	check("at first")
	if r, err := Resume(context.Background(), dir); err != nil || !r.Kept || reportText(t, r) != want {
		t.Errorf("a complete run resumed: %+v, %v, want the result that it has", r, err)
	}
	r, err := rerun(context.Background(), dir, TimeLimit(time.Nanosecond))
	if err != nil || len(r.found.Models) != len(whole.found.Models) || !r.Ended.Complete() {
		t.Errorf("with a time limit: %v, %+v", err, r)
	}
	for _, after := range []int{0, 1, 2} {
		ctx, cancel := context.WithCancel(context.Background())
		events := 0
		stop := Observe(func(run.Event) {
			if events++; events > after {
				cancel()
			}
		})
		if after == 0 {
			cancel()
		}
		if r, err := rerun(ctx, dir, stop); r != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted: %+v, %v, want no result and that it was interrupted", r, err)
		}
		cancel()
		check("interrupted")
	}
}

// TestCompleteStays has the result of a complete run that has fewer networks than an interruption would show, as a run
// may on another processor, where other rounds settle it.
func TestCompleteStays(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of work")
	}
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := Fit(context.Background(), small(t), tiny(), Folder(dir)); err != nil {
		t.Fatal(err)
	}
	r := reportIn(t, dir)
	r.Models = nil
	want, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "result.json")
	if err := os.WriteFile(path, want, 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := rerun(ctx, dir); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %+v, %v", r, err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != string(want) {
		t.Errorf("the result is another one, %v", err)
	}
}

// TestResumeKeepsMore has a result of more networks than the time limit leaves, since the line of one was lost: the
// result stays.
func TestResumeKeepsMore(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of work")
	}
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := Fit(context.Background(), small(t), tiny(), Folder(dir)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "jobs.jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	if err := os.WriteFile(path, []byte(strings.Join(lines[1:], "")), 0o666); err != nil {
		t.Fatal(err)
	}
	before := reportIn(t, dir)
	if r, err := rerun(context.Background(), dir, TimeLimit(time.Nanosecond)); r != nil || !errors.Is(err, errKept) {
		t.Errorf("got %+v, %v, want that the result is kept", r, err)
	}
	if after := reportIn(t, dir); len(after.Models) != len(before.Models) {
		t.Errorf("%d models are left of %d", len(after.Models), len(before.Models))
	}
	if r, err := rerun(context.Background(), dir); err != nil || len(r.found.Models) != len(before.Models) {
		t.Errorf("without a limit: %v", err)
	}
}

// TestResumeComparesContent resumes a run with each option that Fit had, and with others.
func TestResumeComparesContent(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the whole preset")
	}
	data := small(t)
	half := data.Take([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	other := half.Take([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	other.Cols[0][3]++
	shorter := half.Take([]int{0, 1, 2, 3})
	copied, err := half.Select("y2", "y1", "x2", "x1") // the same rows in other columns
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	began := []Option{Targets("y1", "y2"), tiny(), Seed(3), Validation(half), WithTest("far", half),
		WithTest("near", data)}
	if _, err := Fit(context.Background(), data, append(began, Folder(dir))...); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "plain")
	if _, err := Fit(context.Background(), data, tiny(), Folder(plain)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		dir     string
		options []Option
		refuse  string
	}{
		{"none", dir, nil, ""},
		{"all", dir, began, ""},
		{"the same rows", dir, []Option{Validation(copied), WithTest("far", copied)}, ""},
		{"the folder", dir, []Option{Folder(dir + "/")}, ""},
		{"one number is another", dir, []Option{Validation(other)}, "validation rows"},
		{"fewer rows", dir, []Option{Validation(shorter)}, "validation rows"},
		{"columns are missing", dir, []Option{Validation(&datasets.Table{Names: []string{"q"}, Cols: [][]float64{{1}}})},
			"validation rows"},
		{"none were given", plain, []Option{Validation(half)}, "validation rows"},
		{"test rows", dir, []Option{WithTest("far", other)}, "test rows"},
		{"a further test", dir, []Option{WithTest("farther", half)}, "test rows"},
		{"seed", dir, []Option{Seed(4)}, "settings"},
		{"preset", dir, []Option{PaperPreset()}, "settings"},
		{"a list changed in place", dir, []Option{Adjust(func(s *run.Settings) { s.Lambda[0] *= 2 })}, "settings"},
		{"targets", dir, []Option{Targets("y2")}, "targets"},
		{"inputs", dir, []Option{Inputs("x1")}, "inputs"},
		{"codings", dir, []Option{Columns(map[string]datasets.Coding{"x1": {Words: datasets.Words{"a", "b"}}})},
			"codings of columns"},
		{"another folder", dir, []Option{Folder(plain)}, "folder"},
		{"several", dir, []Option{Seed(4), Targets("y2"), Validation(other)}, "targets, settings, validation rows"},
	} {
		r, err := Resume(context.Background(), test.dir, test.options...)
		switch {
		case test.refuse == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.refuse != "" &&
			(err == nil || r != nil || !strings.Contains(err.Error(), "the run has other "+test.refuse+";")):
			t.Errorf("%s: got %v, want an error with %q", test.name, err, test.refuse)
		}
	}
}

// TestResultThatCannotBeKept has a folder in the place of result.json, which no file replaces.
func TestResultThatCannotBeKept(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of work")
	}
	dir := filepath.Join(t.TempDir(), "run")
	blocked := filepath.Join(dir, "result.json")
	r, err := Fit(context.Background(), small(t), tiny(), Folder(dir), Observe(func(run.Event) {
		if err := os.MkdirAll(blocked, 0o777); err != nil {
			t.Error(err)
		}
	}))
	if err == nil || !strings.Contains(err.Error(), "writing result.json") {
		t.Errorf("got %v, want that result.json could not be written", err)
	}
	if r == nil || r.Formulas["y2"] == nil || !r.Ended.Complete() {
		t.Fatalf("got %+v, want the whole result", r)
	}
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	again, err := rerun(context.Background(), dir)
	if err != nil || reportText(t, again) != reportText(t, r) {
		t.Errorf("resumed: %v, want the same result", err)
	}
}
