//go:build linux

package command

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
)

var batchOverhead = flag.Int("batch-overhead", 0,
	"TestBatchOverhead learns from so many tables; 100 take minutes of each core")

// TestBatchOverhead compares what a batch of tables of 60 rows with a law costs with the fits alone: at most 5 % more
// of CPU time, and at most 200 MB of memory.
//
//	go test ./internal/command -run TestBatchOverhead -v -batch-overhead 1000 -timeout 5h
func TestBatchOverhead(t *testing.T) {
	if *batchOverhead == 0 {
		t.Skip("it takes minutes")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "tables"), 0o777); err != nil {
		t.Fatal(err)
	}
	for k := range *batchOverhead {
		rng := rand.New(rand.NewPCG(uint64(k), 0))
		var b bytes.Buffer
		b.WriteString("x,z,y\n")
		for range 60 {
			x, z := 4*rng.Float64()-2, 4*rng.Float64()-2
			fmt.Fprintf(&b, "%g,%g,%g\n", x, z, (1+float64(k%9)/5)*x*z+0.02*rng.NormFloat64())
		}
		if err := os.WriteFile(filepath.Join(dir, "tables", fmt.Sprintf("t%04d.csv", k)), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("eql", "batch", "tables", "--quiet", "--workers", "2", "--out", "run")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	batch := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	memory := float64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
	alone := time.Duration(0)
	paths, err := filepath.Glob(filepath.Join(dir, "tables", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		table, codings, err := datasets.Load(path, datasets.Options{})
		if err != nil {
			t.Fatal(err)
		}
		before := cpuTime()
		if _, err := eql.Fit(context.Background(), table, eql.Columns(codings), eql.Workers(1)); err != nil {
			t.Fatal(err)
		}
		alone += cpuTime() - before
	}
	t.Logf("%d tables: the batch took %.1f s of CPU time and %.0f MB, the fits alone %.1f s; ratio %.3f",
		len(paths), batch.Seconds(), memory, alone.Seconds(), batch.Seconds()/alone.Seconds())
	if batch.Seconds() > 1.05*alone.Seconds() {
		t.Errorf("the batch took %.1f %% more CPU time than the fits, want at most 5 %%",
			100*(batch.Seconds()/alone.Seconds()-1))
	}
	if memory > 200 {
		t.Errorf("the batch took %.0f MB, want at most 200", memory)
	}
}
