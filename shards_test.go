package eql_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// gridTable is a table of a wave.
func gridTable() *datasets.Table {
	t := &datasets.Table{Names: []string{"x", "y"}, Cols: make([][]float64, 2)}
	for i := range 40 {
		x := float64(i) / 10
		t.Cols[0], t.Cols[1] = append(t.Cols[0], x), append(t.Cols[1], x*x-3*x)
	}
	return t
}

// aGrid has two architectures of 32 networks.
func aGrid() []eql.Option {
	return []eql.Option{eql.PaperPreset(), eql.Seed(3), eql.Adjust(func(s *run.Settings) {
		s.Layers, s.Width, s.Lambda, s.Restarts, s.Train.Epochs = []int{2, 3}, []int{1}, []float64{1e-3, 1e-4}, 16, 5
	})}
}

// resultOf returns result.json without times.
func resultOf(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	clocks := regexp.MustCompile(`"(seconds|training_seconds|searching_seconds)": [0-9.e-]+`)
	return clocks.ReplaceAllString(string(data), "")
}

// A grid that is trained in shards, in any order and one of them twice, ends with the result of one process.
func TestShards(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	ctx, table := context.Background(), gridTable()
	whole, parts := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "parts")
	if _, err := eql.Fit(ctx, table, append(aGrid(), eql.Folder(whole))...); err != nil {
		t.Fatal(err)
	}
	const shards = 3
	if err := eql.Plan(table, parts, shards, "here", aGrid()...); err != nil {
		t.Fatal(err)
	}
	if n, class, err := eql.ShardsOf(parts); n != shards || class != "here" || err != nil {
		t.Fatalf("%d shards of class %q, %v", n, class, err)
	}
	for _, k := range []int{2, 0, 2, 1} {
		if err := eql.TrainShard(ctx, parts, k); err != nil {
			t.Fatal(err)
		}
	}
	store, err := sweep.Open(parts)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(store.Finished()); n != 64 {
		t.Errorf("the shards trained %d networks, want 64", n)
	}
	for k, want := range []int{32, 16, 16} {
		data, err := os.ReadFile(filepath.Join(parts, fmt.Sprintf("jobs-%d.jsonl", k)))
		if got := len(regexp.MustCompile("\n").FindAllString(string(data), -1)); err != nil || got != want {
			t.Errorf("shard %d has %d networks, want %d (%v)", k, got, want, err)
		}
	}
	if _, err := eql.Resume(ctx, parts); err != nil {
		t.Fatal(err)
	}
	if got, want := resultOf(t, parts), resultOf(t, whole); got != want {
		t.Errorf("the result of shards is another one:\n%s\n%s", got, want)
	}
	if data, err := os.ReadFile(filepath.Join(parts, "jobs.jsonl")); err != nil || len(data) > 0 {
		t.Errorf("joining trained networks: %d bytes (%v)", len(data), err)
	}
}

// What depends on what other networks led to is not planned, and what is missing is trained by whoever joins.
func TestShardsLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of work")
	}
	ctx, table := context.Background(), gridTable()
	dir := filepath.Join(t.TempDir(), "run")
	if err := eql.Plan(table, dir, 3, ""); !errors.Is(err, sweep.ErrNotInShards) {
		t.Errorf("got %v, want %v", err, sweep.ErrNotInShards)
	}
	if err := eql.Plan(table, dir, 0, "", aGrid()...); err == nil {
		t.Error("a run of no shards was planned")
	}
	if err := eql.Plan(table, dir, 2, "", aGrid()...); err != nil {
		t.Fatal(err)
	}
	if err := eql.TrainShard(ctx, dir, 2); err == nil {
		t.Error("a shard that there is not was trained")
	}
	cut, cancel := context.WithCancel(ctx)
	cancel()
	if err := eql.TrainShard(cut, dir, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	r, err := eql.Resume(ctx, dir)
	if err != nil || r.Rounds[0].Networks+r.Rounds[1].Networks != 64 {
		t.Errorf("%v: %v", err, r)
	}
}
