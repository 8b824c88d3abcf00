package command

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// longRun are flags of a run that takes a second or two, and saves checkpoints, in twelve groups of networks.
var longRun = []string{"fit", "data.csv", "--preset", "paper", "--layers", "2", "--width", "2", "--restarts",
	"4", "--epochs", "450"}

// TestResume ends runs in the middle, gently and not, and finishes them: with the result of a run
// that was left alone.
func TestResume(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns")
	}
	if runtime.GOOS == "windows" {
		t.Skip("there is no interrupt to send to a process")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "data.csv"), randomTable(200, 2), 0o666); err != nil {
		t.Fatal(err)
	}
	want := command(t, dir, append(longRun, "--out", "whole", "--json")...)
	for _, test := range []struct {
		name    string
		workers string
		signal  os.Signal
	}{
		{"interrupt/workers=1", "1", os.Interrupt},
		{"interrupt/workers=2", "2", os.Interrupt},
		{"kill/workers=1", "1", os.Kill},
		{"kill/workers=2", "2", os.Kill},
	} {
		t.Run(test.name, func(t *testing.T) {
			if testing.Short() && (test.workers == "1") != (test.signal == os.Kill) {
				t.Skip("half a second of training")
			}
			run := strings.ReplaceAll(test.name, "/", "-")
			stdout, stderr := endInTheMiddle(t, dir, run, test.workers, test.signal)
			if test.signal == os.Interrupt {
				if !formulaSoFar.MatchString(stdout) {
					t.Errorf("got %q on standard output, want the table and the formula so far", stdout)
				}
				if want := "eql fit --resume " + run + " continues the run"; !strings.Contains(stderr, want) {
					t.Errorf("got %q on standard error, want %q", stderr, want)
				}
			}
			_, err := os.Stat(filepath.Join(dir, run, "result.json"))
			if partial := err == nil; partial != (test.signal == os.Interrupt) {
				t.Errorf("a result.json is there: %t, want one of an interrupted run alone", partial)
			}
			if test.signal == os.Interrupt {
				for _, args := range [][]string{{"show", run}, {"report", run}, {"predict", run, "data.csv"}} {
					want := "note: " + run + " was interrupted: these are partial results; eql fit --resume " + run +
						" continues the run"
					if _, stderr := outputs(t, dir, args...); !strings.Contains(stderr, want) {
						t.Errorf("eql %v says %q, want that the run was interrupted", args, stderr)
					}
				}
				if err := os.Remove(filepath.Join(dir, run, "report.html")); err != nil {
					t.Error(err)
				}
			}
			got := command(t, dir, "fit", "--resume", run, "--workers", test.workers, "--json")
			if err := sameResult(want, got); err != nil {
				t.Error(err)
			}
			if got, want := files(t, filepath.Join(dir, run)), files(t, filepath.Join(dir, "whole")); !slices.Equal(got, want) {
				t.Errorf("the folder holds %q, want %q", got, want)
			}
		})
	}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// command runs eql in dir and returns its standard output.
func command(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	out, _ := outputs(t, dir, args...)
	return out
}

// outputs runs the command and returns what it writes on standard output and standard error.
func outputs(t *testing.T, dir string, args ...string) (stdout []byte, stderr string) {
	t.Helper()
	var notes bytes.Buffer
	c := exec.Command("eql", args...)
	c.Dir, c.Stderr = dir, &notes
	out, err := c.Output()
	if err != nil {
		t.Fatalf("eql %v: %v\n%s", args, err, &notes)
	}
	return out, notes.String()
}

// endInTheMiddle starts the long run and sends it a signal when it has finished its first
// networks. It returns what the run printed. On a busy machine a run may end before the signal; then it starts another.
func endInTheMiddle(t *testing.T, dir, run, workers string, signal os.Signal) (stdout, stderr string) {
	t.Helper()
	const attempts = 10
	for range attempts {
		if stdout, stderr, ok := endRun(t, dir, run, workers, signal); ok {
			return stdout, stderr
		}
		if err := os.RemoveAll(filepath.Join(dir, run)); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatalf("%d runs ended before the signal", attempts)
	return "", ""
}

// endRun reports false when the run ended by itself.
func endRun(t *testing.T, dir, run, workers string, signal os.Signal) (stdout, stderr string, ok bool) {
	t.Helper()
	r := begin(t, dir, "eql", append(longRun, "--out", run, "--workers", workers)...)
	r.waitForNetworks(t, filepath.Join(dir, run))
	if err := r.cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	err := r.cmd.Wait()
	if err == nil {
		return "", "", false
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if signal != os.Kill && exit.ExitCode() != exitInterrupted {
		t.Errorf("got exit code %d, want %d\n%s", exit.ExitCode(), exitInterrupted, &r.stderr)
	}
	return r.stdout.String(), r.stderr.String(), true
}
