package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// formulaSoFar is what a run that was interrupted prints.
var formulaSoFar = regexp.MustCompile(`(?s)^complexity .*\ny = [^\n]*\n$`)

// TestSignals ends runs by each signal that asks a process to end. They print what there is and can be resumed.
func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such signals to send to a process")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "data.csv"), randomTable(200, 2), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, sent := range map[string]os.Signal{"hangup": syscall.SIGHUP, "terminate": syscall.SIGTERM} {
		if signal.Ignored(sent) {
			continue // these tests were begun by nohup, and so are the runs that they begin
		}
		stdout, stderr := endInTheMiddle(t, dir, name, "1", sent)
		if want := "eql fit --resume " + name + " continues the run"; !formulaSoFar.MatchString(stdout) ||
			!strings.Contains(stderr, want) {
			t.Errorf("%s: got %q and %q, want the formula so far, and %q", name, stdout, stderr, want)
		}
	}
}

// TestHangupIgnored hangs up on a run that was begun by nohup: it goes on.
func TestHangupIgnored(t *testing.T) {
	if _, err := exec.LookPath("nohup"); err != nil {
		t.Skip("there is no nohup")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "data.csv"), randomTable(200, 2), 0o666); err != nil {
		t.Fatal(err)
	}
	r := begin(t, dir, "nohup", append([]string{"eql"}, append(longRun, "--out", "run")...)...)
	r.waitForNetworks(t, filepath.Join(dir, "run"))
	if err := r.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Wait(); err != nil {
		t.Errorf("the run ended with %v\n%s", err, &r.stderr)
	}
}

// TestResultThatCannotBeKept has a folder in the place of result.json, which no file replaces: as on a full disk, the
// formulas are printed before the command fails.
func TestResultThatCannotBeKept(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	for _, form := range []struct {
		flag   string
		stdout *regexp.Regexp
	}{
		{"--quiet=false", formulaSoFar},
		{"--json", regexp.MustCompile(`(?s)^\{\n  "format": \d+,\n  "formula": \{\n    "y": ".*\n\}\n$`)},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "data.csv"), randomTable(200, 2), 0o666); err != nil {
			t.Fatal(err)
		}
		r := begin(t, dir, "eql", append(longRun, "--out", "run", form.flag)...)
		r.waitForNetworks(t, filepath.Join(dir, "run"))
		blocked := filepath.Join(dir, "run", "result.json")
		if err := os.Mkdir(blocked, 0o777); err != nil {
			t.Fatal(err)
		}
		err := r.cmd.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
			t.Errorf("%s: the run ended with %v, want exit code %d", form.flag, err, exitFailed)
		}
		if !form.stdout.MatchString(r.stdout.String()) {
			t.Errorf("%s: got %q, want the formula", form.flag, &r.stdout)
		}
		for _, want := range []string{"eql: writing result.json: ",
			"note: the results could not be saved; eql fit --resume run computes them again"} {
			if !strings.Contains(r.stderr.String(), want) {
				t.Errorf("%s: got %q, want %q", form.flag, &r.stderr, want)
			}
		}
		if err := os.Remove(blocked); err != nil {
			t.Fatal(err)
		}
		again := command(t, dir, "fit", "--resume", "run", form.flag)
		if err := sameResult(r.stdout.Bytes(), again); err != nil {
			t.Errorf("%s: resumed: %v", form.flag, err)
		}
	}
}

// TestInterruptedAgain interrupts a run as it goes on from a result that the time limit cut: that is shown, and kept.
func TestInterruptedAgain(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "data.csv"), randomTable(200, 2), 0o666); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(dir, "run")
	want := command(t, dir, "fit", "data.csv", "--preset", "paper", "--layers", "2", "--width", "1,2",
		"--restarts", "1", "--epochs", "20",
		"--time-limit", "1ns", "--out", run, "--json")
	before, err := os.ReadFile(filepath.Join(run, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	if err := runFit(ctx, fitOptions{resume: run, json: true}, nil, &stdout, &stderr); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was interrupted", err)
	}
	if err := sameResult(want, stdout.Bytes()); err != nil {
		t.Error(err)
	}
	const said = "interrupted: these are the earlier results of the run; eql fit --resume "
	if !strings.Contains(stderr.String(), said) {
		t.Errorf("got %q, want %q", &stderr, said)
	}
	if after, err := os.ReadFile(filepath.Join(run, "result.json")); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the result in the folder is another one, %v", err)
	}
}

// running is a command that was started.
type running struct {
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
}

func begin(t *testing.T, dir, name string, args ...string) *running {
	t.Helper()
	r := &running{cmd: exec.Command(name, args...)}
	r.cmd.Dir, r.cmd.Stdout, r.cmd.Stderr = dir, &r.stdout, &r.stderr
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// waitForNetworks waits until the run in a folder has finished its first networks.
func (r *running) waitForNetworks(t *testing.T, run string) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		if info, err := os.Stat(filepath.Join(run, "jobs.jsonl")); err == nil && info.Size() > 0 {
			return
		}
		if time.Since(began) > time.Minute {
			r.cmd.Process.Kill() //nolint:errcheck // the test fails anyhow
			t.Fatal("no network is finished after a minute")
		}
	}
}
