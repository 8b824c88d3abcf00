package paper

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/eqlearner/eql/internal/sweep"
)

// A run in shards, in any order and one of them twice, ends with the tables of one process, and joining trains nothing.
func TestRunInShards(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the whole preset")
	}
	ctx, plan := context.Background(), tiny(t)
	whole, parts := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "parts")
	f, err := Create(whole, plan)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Run(ctx, Options{}); err != nil {
		t.Fatal(err)
	}
	const shards = 3
	if _, err := CreateInShards(parts, plan, shards, "here"); err != nil {
		t.Fatal(err)
	}
	units, err := plan.Units()
	if err != nil || units < shards {
		t.Fatalf("%d pieces, %v", units, err)
	}
	last := 0.0
	for _, k := range []int{1, 2, 1, 0} {
		f, err := Open(parts, plan)
		if err != nil {
			t.Fatal(err)
		}
		if s := f.Shards(); s == nil || s.Count != shards || s.Class != "here" {
			t.Fatalf("shards %v", s)
		}
		if err := f.RunShard(ctx, Options{Workers: 2, Observe: func(e sweep.Event) { last = e.Fraction }}, k); err != nil {
			t.Fatal(err)
		}
		if last < 0.99 {
			t.Errorf("shard %d ends at %.3f of its work", k, last)
		}
	}
	before := sizes(t, parts)
	if f, err = Open(parts, plan); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Run(ctx, Options{}); err != nil {
		t.Fatal(err)
	}
	for path, size := range sizes(t, parts) {
		if size != before[path] {
			t.Errorf("joining added to %s: %d bytes, before %d", path, size, before[path])
		}
	}
	for _, name := range []string{"table.csv", "formulas.txt", "instances.csv"} {
		want, err := os.ReadFile(filepath.Join(whole, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(parts, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs (%v): got\n%s\nwant\n%s", name, err, got, want)
		}
	}
	if got, want := withoutFacts(t, parts), withoutFacts(t, whole); got != want {
		t.Errorf("table.md differs: got\n%s\nwant\n%s", got, want)
	}
}

// sizes returns how large the journals of networks are.
func sizes(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*", "jobs*.jsonl"))
	if err != nil || len(paths) < 4 {
		t.Fatalf("%d journals, %v", len(paths), err)
	}
	of := map[string]int64{}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		of[path] = info.Size()
	}
	return of
}
