package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBatchWithoutLocks works through shards where the system has no locks for files, as on some network file systems,
// and keeps a run of each table. strace makes the calls fail.
func TestBatchWithoutLocks(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of work")
	}
	dir := t.TempDir()
	eql := func(args ...string) (string, error) {
		c := exec.Command("strace",
			append(strings.Fields("-f -qq -o trace -e trace=flock -e inject=flock:error=ENOLCK eql"), args...)...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := eql("--version"); err != nil {
		t.Skipf("no strace here, or it may not trace: %v\n%s", err, out)
	}
	table := "x,y\n1,1\n2,4\n3,9\n4,16\n5,25\n6,36\n7,49\n8,64\n9,81\n10,100\n"
	for _, name := range []string{"a.csv", "b.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(table), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	plan := strings.Fields("batch a.csv b.csv --preset paper --layers 2 --width 1 --lambda 0.001 --restarts 1 --epochs " +
		"20 --keep --out")
	for _, args := range [][]string{
		append(plan, "run", "--shards", "2"),
		{"batch", "run", "--shard", "0"}, {"batch", "run", "--shard", "0"}, {"batch", "run", "--shard", "1"},
		{"batch", "run"},
		{"show", "run/tables/a"}, {"show", "run/tables/b"},
	} {
		if out, err := eql(args...); err != nil {
			t.Errorf("eql %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	if out, err := eql(append(plan, "whole")...); err == nil || !strings.Contains(out, "cannot lock files") {
		t.Errorf("a batch that is not in shards was begun: %v\n%s", err, out)
	}
	trace, err := os.ReadFile(filepath.Join(dir, "trace"))
	if err != nil || !strings.Contains(string(trace), "INJECTED") {
		t.Errorf("no lock was asked for: %v\n%s", err, trace)
	}
}
