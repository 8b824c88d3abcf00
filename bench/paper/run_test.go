package paper

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eqlearner/eql/internal/sweep"
)

// The test starts itself as a process that runs the tiny plan in a folder, so that it can be killed.
const (
	folderVariable = "EQL_PAPER_TEST_FOLDER"
	planVariable   = "EQL_PAPER_TEST_PLAN"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(folderVariable); dir != "" {
		os.Exit(helper(dir))
	}
	os.Exit(m.Run())
}

// helper begins or resumes a run in a folder and returns an exit code.
func helper(dir string) int {
	var p Plan
	if err := json.Unmarshal([]byte(os.Getenv(planVariable)), &p); err != nil {
		return 2
	}
	f, err := Open(dir, p)
	if err != nil {
		if f, err = Create(dir, p); err != nil {
			os.Stderr.WriteString(err.Error()) //nolint:errcheck // the exit code says it too
			return 1
		}
	}
	if _, err := f.Run(context.Background(), Options{Workers: 2}); err != nil {
		os.Stderr.WriteString(err.Error()) //nolint:errcheck // the exit code says it too
		return 1
	}
	return 0
}

// TestKillAndResume kills a run again and again, at later moments each time, until it ends by itself,
// and compares what it wrote with a run that was left alone, with another number of workers.
func TestKillAndResume(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	plan := tiny(t)
	whole := filepath.Join(t.TempDir(), "whole")
	f, err := Create(whole, plan)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Run(context.Background(), Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "killed")
	kills := 0
	for wait := 20 * time.Millisecond; ; wait += wait / 2 {
		var stderr bytes.Buffer
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), folderVariable+"="+dir, planVariable+"="+string(data))
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(wait, func() { c.Process.Kill() }) //nolint:errcheck // it may have ended
		err := c.Wait()
		timer.Stop()
		if err == nil {
			break
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() > 0 {
			t.Fatalf("after %d kills: %v: %s", kills, err, &stderr)
		}
		kills++
	}
	if kills < 2 {
		t.Errorf("the run was killed %d times, want at least 2", kills)
	}
	t.Logf("killed %d times", kills)
	for _, name := range []string{"table.csv", "formulas.txt", "instances.csv"} {
		want, err := os.ReadFile(filepath.Join(whole, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs: got\n%s\nwant\n%s", name, got, want)
		}
	}
	if got, want := withoutFacts(t, dir), withoutFacts(t, whole); got != want {
		t.Errorf("table.md differs: got\n%s\nwant\n%s", got, want)
	}
}

// withoutFacts returns the Markdown without its last section, which has the times.
func withoutFacts(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "table.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, _, ok := strings.Cut(string(data), "## Made by")
	if !ok {
		t.Fatal("table.md has no section on what it was made by")
	}
	return text
}

// TestRun looks at what a run says: every repetition is there, in every row, and progress ends at 1.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the whole preset")
	}
	plan := tiny(t)
	plan.Methods = append(plan.Methods, Quick)
	plan.Sets[0].Quick = &QuickPlan{Repetitions: 2}
	plan.Repetitions = 2
	plan.Sets[0].EQL.Restarts, plan.Sets[0].MLP.Restarts = 2, 2
	dir := filepath.Join(t.TempDir(), "run")
	f, err := Create(dir, plan)
	if err != nil {
		t.Fatal(err)
	}
	var last sweep.Event
	clock := time.Duration(0)
	res, err := f.Run(context.Background(), Options{
		Observe: func(e sweep.Event) {
			if e.Fraction < last.Fraction-1e-12 {
				t.Errorf("progress went back from %g to %g", last.Fraction, e.Fraction)
			}
			last = e
		},
		Elapsed: func() time.Duration { return clock },
		Build:   "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	if last.Fraction < 1-1e-12 || last.Done != last.Networks || last.Networks != 2*16+16 {
		t.Errorf("the last event is %+v, want all of 48 networks", last)
	}
	checkFigures(t, dir, "pendulum-slice-y1", "pendulum-slice-y2", "pendulum-network")
	wantN := map[Method]int{EQL: 2, MLP: 2, SVR: 1, Quick: 2}
	rows := map[Method]int{}
	for _, r := range res.Rows {
		rows[r.Method]++
		if r.N != wantN[r.Method] || r.Mean == nil {
			t.Errorf("%s on %s: %+v, want %d repetitions", r.Method, r.Test, r.Stats, wantN[r.Method])
		}
		if r.Against == AgainstNoisy && r.Method != Quick {
			if r.Published == nil || r.Ratio == nil || *r.Ratio != *r.Mean/r.Published.Mean {
				t.Errorf("%s on %s: published %v, ratio %s", r.Method, r.Test, r.Published, show(r.Ratio))
			}
		}
		if r.Method == Quick && (r.Published != nil || *r.Mean > 0.02) {
			t.Errorf("quick on %s: error %g, published %v", r.Test, *r.Mean, r.Published)
		}
	}
	for m := range wantN {
		if rows[m] != 6 {
			t.Errorf("%s has %d rows, want 3 test sets × with noise and without", m, rows[m])
		}
	}
	for _, s := range res.Methods {
		if s.Method == Quick && s.Succeeded != 2 {
			t.Errorf("quick succeeded in %d of %d, want both: its laws hold outside", s.Succeeded, s.Repetitions)
		}
	}
	if !strings.Contains(string(res.formulaText()), "y2 = -sin(x1)") {
		t.Errorf("quick did not learn y2 = -sin(x1):\n%s", res.formulaText())
	}
}

func TestFolderRefuses(t *testing.T) {
	plan := tiny(t)
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := Create(dir, plan); err != nil {
		t.Fatal(err)
	}
	// before the plan in the list of files
	if err := os.WriteFile(filepath.Join(dir, "clock.json"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	other := plan
	other.Seed, other.Repetitions = 1, 4
	changed := plan
	changed.Title = "another"
	for _, tt := range []struct {
		name string
		do   func() error
		want string
	}{
		{"made twice", func() error { _, err := Create(dir, plan); return err },
			"holds a run already; go on with it by --resume"},
		{"other settings", func() error { _, err := Open(dir, other); return err },
			"with --repetitions 3, not 4\nit was begun with --seed 0, not 1"},
		{"other version", func() error { _, err := Open(dir, changed); return err },
			"was begun by a version of eql in which pendulum is another experiment"},
		{"nothing there", func() error { _, err := Open(filepath.Join(dir, "no"), plan); return err },
			"there is no run to resume in"},
		{"something else there", func() error {
			d := t.TempDir()
			if err := os.WriteFile(filepath.Join(d, "file"), nil, 0o666); err != nil {
				return err
			}
			_, err := Create(d, plan)
			return err
		}, "exists already and is not empty"},
		{"damaged", func() error {
			d := t.TempDir()
			if err := os.WriteFile(filepath.Join(d, planFile), []byte("{"), 0o666); err != nil {
				return err
			}
			_, err := Begun(d)
			return err
		}, "is damaged, or not of eql reproduce"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.do(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
	if r, err := Begun(dir); err != nil || r.Repetitions != 3 {
		t.Errorf("got %+v, %v, want what it was begun with", r, err)
	}
}
