package kernel

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What is committed must be what the generator writes.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the generator: not with -short")
	}
	list := exec.Command("go", "list", "-mod=readonly", "-deps", ".")
	list.Dir = "gen"
	list.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=")
	if out, err := list.CombinedOutput(); err != nil {
		t.Skipf("the modules of the generator are not on this machine (go -C internal/kernel/gen mod download): %v\n%s",
			err, out)
	}
	folder := t.TempDir()
	run := exec.Command("go", "run", ".", folder)
	run.Dir = "gen"
	run.Env = list.Env
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the generator wrote %d files: %v", len(files), err)
	}
	for _, f := range files {
		want, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Base(f))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: run go generate", filepath.Base(f))
		}
	}
}
