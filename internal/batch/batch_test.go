package batch

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/eqlearner/eql/run"
)

func planOf(shards int, names ...string) Plan {
	p := Plan{Flags: []string{}, Shards: shards, Class: "here"}
	for i, name := range names {
		p.Tables = append(p.Tables, Table{Name: name, Path: name, SHA256: "0", Size: int64(i % 3)})
	}
	return p
}

func create(t *testing.T, p Plan) *Folder {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run[1]*")
	if _, err := Create(dir, p); err != nil {
		t.Fatal(err)
	}
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// keep appends lines to the journal of a shard and returns what it had to do.
func keep(t *testing.T, f *Folder, shard int, lines ...Line) (todo []string) {
	t.Helper()
	w, tables, err := f.Begin(shard)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, l := range lines {
		if err := w.Append(l); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range tables {
		todo = append(todo, table.Name+table.SHA256)
	}
	return todo
}

func found(table, formula string, seconds float64) Line {
	return Line{Table: table, Seconds: seconds,
		Rows: []Row{{Table: table, Formula: formula, Form: "c1*x", Seconds: seconds}}}
}

// Each table is in one shard, the largest first, and shards know which of them lack tables.
func TestShards(t *testing.T) {
	p := planOf(3, "a", "b", "c", "d", "e", "f", "g") // of sizes 0, 1, 2, 0, 1, 2, 0
	for shard, want := range []string{"ceg", "fa", "bd"} {
		got := ""
		for _, i := range p.shardOf(shard) {
			got += p.Tables[i].Name
		}
		if got != want {
			t.Errorf("shard %d has the tables %s, want %s", shard, got, want)
		}
	}
	if got, want := p.ShardsOf([]string{"c", "a"}), []int{0, 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("c and a are in the shards %v, want %v", got, want)
	}
}

// Of several processes that make a folder at the same time one succeeds, and the others look for another.
func TestCreateOnce(t *testing.T) {
	for range 20 {
		dir := filepath.Join(t.TempDir(), "runs", "batch-1")
		errs := make([]error, 4)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { _, errs[i] = Create(dir, planOf(0, "a")) })
		}
		all.Wait()
		made := 0
		for _, err := range errs {
			var taken *run.FolderError
			if err == nil {
				made++
			} else if !errors.As(err, &taken) || taken.Err != nil {
				t.Errorf("the error is %v", err)
			}
		}
		if made != 1 {
			t.Errorf("%d of %d made the folder", made, len(errs))
		}
	}
}

// What is joined does not depend on who did what. A result counts more than a failure, and two that differ are told.
func TestJoin(t *testing.T) {
	f := create(t, planOf(2, "a", "b", "c", "d"))
	if got := keep(t, f, 0); len(got) != 2 {
		t.Errorf("shard 0 has to do %q", got)
	}
	keep(t, f, 1, found("a", "2*x", 1), Line{Table: "b", Error: "it was bad"}, found("c", "3*x", 1))
	got := keep(t, f, All, found("b", "x", 2), found("c", "3*x", 7), found("a", "2.5*x", 1))
	if want := []string{"b", "d0"}; !reflect.DeepEqual(got, want) {
		t.Errorf("left to do are %q, want %q: what failed may have changed", got, want)
	}
	s, err := f.Join()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Rows) != 3 || s.Rows[1].Formula != "x" || s.Failed != 0 {
		t.Errorf("the rows are %+v", s.Rows)
	}
	if want := []string{"d"}; !reflect.DeepEqual(s.Missing, want) {
		t.Errorf("missing are %q, want %q", s.Missing, want)
	}
	if want := []string{"a"}; !reflect.DeepEqual(s.Dispute, want) {
		t.Errorf("disputed are %q, want %q: seconds may differ, formulas may not", s.Dispute, want)
	}
	if want := []FormCount{{"c1*x", 3}}; !reflect.DeepEqual(s.Forms, want) {
		t.Errorf("the forms are %v, want %v", s.Forms, want)
	}
}

// A folder that no program left so is refused, with what to do; nothing outside of it can be named.
func TestOpenDamaged(t *testing.T) {
	for name, tt := range map[string]struct{ from, to, want string }{
		"no JSON":            {"{", "", "this is not the folder of a batch"},
		"another format":     {"eql batch", "eql run", "this is not the folder of a batch"},
		"a later version":    {`"version": 1`, `"version": 2`, "use a matching version of eql"},
		"a table twice":      {`"name": "b"`, `"name": "a"`, `table "a" is there twice`},
		"the folder above":   {`"size": 1`, `"size": 1, "folder": ".."`, "its folder is none"},
		"a folder elsewhere": {`"size": 1`, `"size": 1, "folder": "../x"`, "its folder is none"},
		"fewer than none":    {`"flags"`, `"shards": -1, "flags"`, "-1 shards"},
	} {
		f := create(t, planOf(0, "a", "b"))
		path := filepath.Join(f.Dir, planFile)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(data), tt.from, tt.to, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(f.Dir); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
	f := create(t, planOf(0, "a"))
	if err := os.WriteFile(filepath.Join(f.Dir, "part-9.jsonl"), []byte("{\"table\":\"z\"}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Join(); err == nil || !strings.Contains(err.Error(), "part-9.jsonl:1: the line is damaged") {
		t.Errorf("a line of no table: got %v", err)
	}
}

// A second result that differs is kept beside the first, which counts, and told.
func TestDispute(t *testing.T) {
	f := create(t, planOf(0, "a", "b"))
	keep(t, f, All, found("a", "2*x", 1), found("b", "x", 1))
	if err := f.Dispute(found("a", "3*x", 1)); err != nil {
		t.Fatal(err)
	}
	s, err := f.Join()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a"}; !reflect.DeepEqual(s.Dispute, want) || s.Rows[0].Formula != "2*x" {
		t.Errorf("disputed are %q, and a has the formula %s; want %q and 2*x", s.Dispute, s.Rows[0].Formula, want)
	}
	data, err := os.ReadFile(filepath.Join(f.Dir, disputesFile))
	if err != nil || strings.Count(string(data), "\n") != 2 {
		t.Errorf("the file of disputes is %q, error %v; want both results", data, err)
	}
}
