package command

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/eqlearner/eql/internal/batch"
	"github.com/eqlearner/eql/internal/kernel"
)

var batchLong = flag.Bool("batch-long", false,
	"TestBatchAgrees takes more tables, and compares one shard and AVX2, too")

var batchKills = flag.Int("batch-kills", 4, "how often TestBatchKills ends eql batch by kill -9")

// writeTables writes tables of 20 rows and more, each with another line, and returns the folder.
func writeTables(t testing.TB, dir string, n int) string {
	t.Helper()
	folder := filepath.Join(dir, "tables")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for k := range n {
		rng := rand.New(rand.NewPCG(uint64(k), 0))
		var b bytes.Buffer
		b.WriteString("x,y\n")
		for range 20 + k%7 {
			x := rng.Float64()
			fmt.Fprintf(&b, "%g,%g\n", x, float64(k+1)*x+rng.NormFloat64()/100)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("t%03d.csv", k)), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// summaryOf returns the files of the summary of a batch without times.
func summaryOf(t testing.TB, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "summary.csv"))
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := slices.Index(records[0], "seconds")
	for _, r := range records {
		r[column] = ""
	}
	summary, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "batch.html"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := withoutTimes(summary)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(dir)
	return fmt.Sprintf("%q\n%s\n%s", records, text, strings.ReplaceAll(string(page), name, "NAME"))
}

// TestBatchAgrees holds the rows of a batch to eql fit of each table, and the summary to itself whatever the number of
// workers and shards.
func TestBatchAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs fifteen fits")
	}
	dir := t.TempDir()
	tables := 2
	if *batchLong {
		tables = 5
	}
	writeTables(t, dir, tables)
	learning := []string{"--seed", "3", "--layers", "2", "--width", "1", "--lambda", "0.001",
		"--restarts", "1", "--epochs", "20"}
	run := func(out string, more ...string) string {
		command(t, dir, slices.Concat([]string{"batch", "tables", "--out", out, "--quiet"}, learning, more)...)
		return filepath.Join(dir, out)
	}
	want := summaryOf(t, run("out-one", "--workers", "1"))
	for name, out := range map[string]string{"16 workers": run("out-sixteen", "--workers", "16"),
		"run folders": run("out-kept", "--keep")} {
		if got := summaryOf(t, out); got != want {
			t.Errorf("%s: the summary is another one:\n%s", name, firstDifference(want, got))
		}
	}
	numbers := []int{7}
	if *batchLong {
		numbers = []int{1, 7}
	}
	for _, shards := range numbers {
		out := fmt.Sprintf("out-shards-%d", shards)
		sharded := run(out, "--shards", fmt.Sprint(shards))
		for _, k := range rand.New(rand.NewPCG(1, 0)).Perm(shards) {
			command(t, dir, "batch", out, "--shard", fmt.Sprint(k), "--quiet")
		}
		command(t, dir, "batch", out, "--quiet")
		if got := summaryOf(t, sharded); got != want {
			t.Errorf("%d shards: the summary is another one:\n%s", shards, firstDifference(want, got))
		}
	}
	if *batchLong && kernel.Name() == "avx512" {
		t.Setenv(kernel.Environment, "avx2")
		if got := summaryOf(t, run("out-avx2")); got != want {
			t.Errorf("AVX2: the summary is another one:\n%s", firstDifference(want, got))
		}
	}
	var s batch.Summary
	data, err := os.ReadFile(filepath.Join(dir, "out-one", "summary.json"))
	if err != nil || json.Unmarshal(data, &s) != nil || len(s.Rows) != tables {
		t.Fatalf("%v, %d rows", err, len(s.Rows))
	}
	for _, row := range s.Rows {
		args := slices.Concat([]string{"fit", row.Table, "--json", "--quiet", "--time-limit", "0"}, learning)
		var alone struct {
			Formula    map[string]string `json:"formula"`
			Complexity int               `json:"complexity"`
			RMS        struct{ Validation float64 }
			Evidence   map[string]struct{ Sentence string }
			Ended      string
		}
		if err := json.Unmarshal(command(t, dir, args...), &alone); err != nil {
			t.Fatal(err)
		}
		if alone.Formula["y"] != row.Formula || alone.Complexity != row.Complexity ||
			alone.RMS.Validation != *row.Validation ||
			alone.Evidence["y"].Sentence != row.Sentence || alone.Ended != string(row.Ended) {
			t.Errorf("%s: alone it comes to %+v, in the batch to %+v", row.Table, alone, row)
		}
	}
}

// TestBatchKills ends batches by kill -9 at random moments, whole ones and shards, and goes on: no finished table is
// lost or done again, and the summary is that of a batch that was left alone.
//
//	go test ./internal/command -run TestBatchKills -v -batch-kills 100
func TestBatchKills(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of work")
	}
	if runtime.GOOS == "windows" {
		t.Skip("there a process cannot be killed between two writes, but at the end of one")
	}
	const shards = 3
	dir := t.TempDir()
	writeTables(t, dir, 60)
	begin := slices.Concat([]string{"batch", "tables", "--quiet", "--workers", "2"}, quickly)
	k := killer{t: t, dir: dir, rng: rand.New(rand.NewPCG(*killSeed, 0))}
	first := time.Now()
	k.run(slices.Concat(begin, []string{"--out", "whole"}), 0)
	k.longest = time.Since(first)
	want := summaryOf(t, filepath.Join(dir, "whole"))
	for left, n := *batchKills, 0; left > 0; n++ {
		out := fmt.Sprintf("run-%d", n)
		steps := [][]string{{"batch", "--resume", out, "--quiet", "--workers", "2"}}
		if n%2 == 1 {
			k.run(slices.Concat(begin, []string{"--out", out, "--shards", fmt.Sprint(shards)}), 0)
			steps = nil
			for s := range shards {
				steps = append(steps, []string{"batch", out, "--shard", fmt.Sprint(s), "--quiet"})
			}
			steps = append(steps, []string{"batch", out, "--quiet"})
		}
		before := map[string]string{}
		for _, step := range steps {
			for killed := true; killed; {
				args, wait := step, time.Duration(0)
				if _, err := batch.Open(filepath.Join(dir, out)); errors.Is(err, batch.ErrNotABatch) {
					args = slices.Concat(begin, []string{"--out", out})
				}
				if left > 0 {
					wait = time.Millisecond + time.Duration(k.rng.Float64()*float64(k.longest))
				}
				if killed = k.run(args, wait); killed {
					left--
				}
				before = keptSince(t, filepath.Join(dir, out), before)
			}
		}
		if got := summaryOf(t, filepath.Join(dir, out)); got != want {
			t.Fatalf("the summary is another one:\n%s", firstDifference(want, got))
		}
		if len(before) != 60 {
			t.Errorf("the journals have %d tables, want 60", len(before))
		}
	}
	t.Logf("%d kills", *batchKills)
}

// keptSince returns the lines of the journals of a batch by table. Those before are there still, and none is there
// twice.
func keptSince(t *testing.T, dir string, before map[string]string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "part*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for text := range strings.Lines(string(data)) {
			var l batch.Line
			if !strings.HasSuffix(text, "\n") || json.Unmarshal([]byte(text), &l) != nil {
				continue // cut off
			}
			if lines[l.Table] != "" {
				t.Fatalf("%s is learned from twice", l.Table)
			}
			lines[l.Table] = text
		}
	}
	for table, text := range before {
		if lines[table] != text {
			t.Fatalf("the result of %s is lost", table)
		}
	}
	return lines
}

// TestBatchHostile gives a batch files that cannot be read and names that mean something to others.
func TestBatchHostile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("such names are no names there")
	}
	dir := t.TempDir()
	good := string(randomTable(30, 1))
	names := map[string]string{
		"tables/<script>alert(1).csv":                   good,
		"tables/a\nb.csv":                               good,
		"tables/a\"b',;=.csv":                           good,
		"tables/\x1b[31mred.csv":                        good,
		"tables/latin\xe9.csv":                          good,
		"tables/=cmd.csv":                               "<b>x</b>,y\n" + strings.Repeat("1,2\n2,4\n3,6\n", 5),
		"tables/nul.csv":                                "x,y\n1,\x00\n",
		"tables/cut.csv.gz":                             "\x1f\x8b\x08",
		"tables/unreadable.csv":                         good,
		"tables/" + strings.Repeat("long", 50) + ".csv": good,
	}
	for name, text := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Skipf("the file system has no file %q: %v", name, err)
		}
	}
	dangling := filepath.Join(dir, "tables", "dangling.csv")
	if err := os.Symlink("nowhere", dangling); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "tables", "unreadable.csv"), 0); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	c := exec.Command("eql", slices.Concat([]string{"batch", "tables", "--out", "run", "--keep"}, quickly)...)
	c.Dir, c.Stdout, c.Stderr = dir, &stdout, &stderr
	var exit *exec.ExitError
	if err := c.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
		t.Fatalf("got %v, want exit code %d\n%s", err, exitFailed, &stderr)
	}
	failed := 4 // nul, cut, latin, dangling
	if os.Getuid() != 0 {
		failed++ // root reads everything
	}
	data, err := os.ReadFile(filepath.Join(dir, "run", "summary.csv"))
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(records) != 1+len(names)+1 {
		t.Errorf("%v: summary.csv has %d rows, want one a file and a header", err, len(records))
	}
	if want := fmt.Sprintf("; %d tables failed; ", failed); !strings.Contains(stdout.String(), want) {
		t.Errorf("got %s, want %q", &stdout, want)
	}
	if said := stdout.String() + stderr.String(); strings.Contains(said, "\x1b") || !utf8.ValidString(said) {
		t.Error("a name reached the terminal as it is")
	}
	page, err := os.ReadFile(filepath.Join(dir, "run", "batch.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<b>x", "\x1b"} {
		if bytes.Contains(page, []byte(bad)) {
			t.Errorf("the page has %q in it", bad)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "run", "tables")); err != nil || len(entries) != len(names)+1-failed {
		t.Errorf("%v: there are %d run folders", err, len(entries))
	}
}
