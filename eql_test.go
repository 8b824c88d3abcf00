package eql

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

func small(t testing.TB) *datasets.Table {
	t.Helper()
	p, err := datasets.Lookup("pendulum")
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Generate(datasets.GenerateOptions{Rows: 120})
	if err != nil {
		t.Fatal(err)
	}
	return s.Data
}

// fast trains almost nothing.
func fast() Option {
	return Adjust(func(s *run.Settings) {
		s.Layers, s.Width, s.Products, s.Restarts, s.Lambda = []int{2}, []int{1}, []int{1}, 1, []float64{1e-3}
		s.Train.Epochs, s.Extend, s.Refine, s.Split = 2, 0, false, 0.2
	})
}

func TestDefaults(t *testing.T) {
	r, err := Fit(context.Background(), small(t), fast())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Formulas["y2"]; !ok || len(r.Formulas) != 1 {
		t.Errorf("formulas for %v, want y2, the last column", r.Formulas)
	}
	if want := []string{"x1", "x2", "y1"}; strings.Join(r.Inputs, " ") != strings.Join(want, " ") {
		t.Errorf("inputs %v, want %v", r.Inputs, want)
	}
	if r.Settings.Preset != "quick" {
		t.Errorf("preset %q, want quick", r.Settings.Preset)
	}
}

func TestFitRefuses(t *testing.T) {
	data := small(t)
	for _, c := range []struct {
		name    string
		data    *datasets.Table
		options []Option
		want    string
	}{
		{"four rows", data.Take([]int{0, 1, 2, 3}), nil, "at least 5"},
		{"an unknown target", data, []Option{Targets("y3")}, "y3"},
		{"an unknown input", data, []Option{Inputs("z")}, "z"},
		{"a target among the inputs", data, []Option{Targets("y1"), Inputs("x1", "y1")}, "a target and an input"},
		{"a target named twice", data, []Option{Targets("y1", "y1")}, "twice"},
		{"no inputs", data, []Option{Targets("x1", "x2", "y1", "y2")}, "no input columns"},
		{"bad settings", data, []Option{Adjust(func(s *run.Settings) { s.Lambda = []float64{-1} })}, "lambda is -1"},
		{"a test without the columns", data,
			[]Option{WithTest("far.csv", &datasets.Table{Names: []string{"q"}, Cols: [][]float64{{1}}})}, "far.csv"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		_, err := Fit(context.Background(), c.data, append(c.options, Folder(dir))...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
		if _, err := sweep.Open(dir); !errors.Is(err, run.ErrNotARun) {
			t.Errorf("%s: something was written", c.name)
		}
	}
}

// TestFitNearTheLargestNumber learns from numbers whose least squares line exceeds float64. There is a formula, and
// its values are finite.
func TestFitNearTheLargestNumber(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	var x, y []float64
	for i := range 20 {
		v := 0.5 + 0.37*float64(i)
		x, y = append(x, v*1e307), append(y, (3*v*v+1)*1e306)
	}
	data, err := datasets.New([]string{"x", "y"}, [][]float64{x, y})
	if err != nil {
		t.Fatal(err)
	}
	quick := Adjust(func(s *run.Settings) {
		s.Train.Epochs, s.Width, s.Restarts, s.Layers, s.Extend = 40, []int{2}, 1, []int{2}, 0
	})
	r, err := Fit(context.Background(), data, quick)
	if err != nil {
		t.Fatal(err)
	}
	values, err := r.Predict(data)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(values["y"], func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		t.Errorf("%s has the values %v", r.Equation("y"), values["y"])
	}
}

// TestResume interrupts a run that is kept in a folder; resuming it ends with the report of a run
// that was left alone.
func TestResume(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the whole preset")
	}
	data := small(t)
	options := []Option{Targets("y1", "y2"), WithTest("again", data), Adjust(func(s *run.Settings) {
		s.Train.Epochs, s.Width, s.Restarts, s.Layers, s.Extend = 40, []int{2}, 1, []int{2}, 0
	})}
	whole, err := Fit(context.Background(), data, options...)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancel(context.Background())
	events := 0
	stop := Observe(func(run.Event) {
		if events++; events == 50 {
			cancel()
		}
	})
	if _, err := Fit(ctx, data, append(options, Folder(dir), stop)...); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want an interrupted run", err)
	}
	if _, err := Resume(context.Background(), dir, Seed(1)); err == nil {
		t.Error("a run resumes with another seed")
	}
	resumed, err := Resume(context.Background(), dir, Workers(1))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := reportText(t, resumed), reportText(t, whole); got != want {
		t.Errorf("resumed:\n%s\nleft alone:\n%s", got, want)
	}
}

func reportText(t *testing.T, r *Result) string {
	t.Helper()
	rep := *r.report
	rep.Seconds, rep.Training, rep.Searching = 0, 0, 0
	data, err := json.Marshal(rep)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
