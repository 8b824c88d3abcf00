package bench

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/eqlearner/eql/run"
)

var (
	goldenAll    = flag.Bool("golden", false, "compare all tables of TestGolden, not the few that take seconds")
	goldenUpdate = flag.Bool("update", false, "rewrite the files in testdata/golden")
)

// goldenCase is a table, and what eql fit printed for it in testdata/golden.
type goldenCase struct {
	name  string
	quick bool // compared in every go test
	flags []string
	table func(t *testing.T) (file []byte, rows int)
}

// oneGrid is a grid and nothing more; without it the rounds go on until the law holds.
var oneGrid = []string{"--restarts", "2"}

// goldenFiles are tables in testdata/golden/tables, whose README has the right answers, and in examples.
var goldenFiles = []struct {
	file  string
	quick bool
	flags []string
}{
	{"../examples/kepler.csv", false, oneGrid},
	{"../examples/langmuir_sun.csv", true, oneGrid},
	{"../examples/nist_thurber.csv", false, oneGrid},
	{"arrhenius2.csv", false, oneGrid},
	{"battery.csv", true, oneGrid},
	{"cepheids.csv", false, oneGrid},
	{"cobb-douglas.csv", false, oneGrid},
	{"dates.csv", true, oneGrid},
	{"days-year.csv", false, oneGrid},
	{"digits-nan.csv", false, oneGrid},
	{"diurnal.csv", true, oneGrid},
	{"dose-hill.csv", false, oneGrid},
	{"exp3-8.csv", false, oneGrid},
	{"groups.csv", false, append([]string{"--by", "sample"}, oneGrid...)},
	{"heat-exchanger.csv", false, oneGrid},
	{"langmuir6.csv", false, nil},
	{"langmuir_1918.csv", true, oneGrid},
	{"nan-on-training.csv", false, oneGrid},
	{"nist_hahn1.csv", false, oneGrid},
	{"nist_roszman1.csv", false, oneGrid},
	{"outliers-pole.csv", false, oneGrid},
	{"plusone.csv", true, nil},
	{"questionmark.csv", true, append([]string{"--missing", "drop"}, oneGrid...)},
	{"ratio.csv", true, oneGrid},
	{"rlc-current.csv", false, oneGrid},
	{"tide.csv", true, oneGrid},
}

// goldenRows bounds the tables of laws: a search among many rows takes minutes with the portable kernel.
const goldenRows = 300

// goldenLaws are cases of TestLaws, one of each group, and x-ray.
var goldenLaws = []struct {
	name, targets string
	quick         bool
}{
	{"DIV", "y", false},
	{"F-1", "y", false},
	{"F-1/units=giga-out", "y", false},
	{"F-2/noise=0", "y", false},
	{"F-3/noise=0.1", "y", false},
	{"F-4", "y", false},
	{"double-pendulum", "y1,y2,y3,y4", false},
	{"feynman-curve/I.10.7", "y", false},
	{"feynman-quotient/I.16.6", "y", false},
	{"feynman/I.12.11", "y", false},
	{"other/1", "y", false},
	{"outside/abs", "y", false},
	{"outside/cart-pendulum-y3", "y3", false},
	{"outside/noise", "y", false},
	{"outside/step", "y", false},
	{"pendulum", "y1,y2", false},
	{"pendulum/units=shifted", "y1,y2", false},
	{"sum/1", "y", false},
	{"x-ray", "y", false},
}

func goldenCases() []goldenCase {
	var cases []goldenCase
	for _, f := range goldenFiles {
		path := f.file
		if !strings.HasPrefix(path, "../") {
			path = filepath.Join("testdata/golden/tables", path)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".csv")
		cases = append(cases, goldenCase{name, f.quick, f.flags, func(t *testing.T) ([]byte, int) {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			return file, bytes.Count(file, []byte("\n")) - 1
		}})
	}
	for _, g := range goldenLaws {
		flags := append([]string{"--target", g.targets}, oneGrid...)
		name := strings.ReplaceAll(g.name, "/", "-")
		cases = append(cases, goldenCase{name, g.quick, flags, func(t *testing.T) ([]byte, int) {
			return lawTable(t, g.name)
		}})
	}
	return cases
}

// lawTable returns the first rows of a case of TestLaws.
func lawTable(t *testing.T, name string) (file []byte, rows int) {
	laws := append(lawCases(), builtIn("x-ray", 0, nil))
	i := slices.IndexFunc(laws, func(c lawCase) bool { return c.name == name })
	if i < 0 {
		t.Fatalf("TestLaws has no case %q", name)
	}
	d := laws[i].make(t, 0)
	first := make([]int, min(goldenRows, d.data.Rows()))
	for i := range first {
		first[i] = i
	}
	var b bytes.Buffer
	if err := selected(t, d.data.Take(first), slices.Concat(d.inputs, d.targets)).WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), len(first)
}

// TestGolden holds what eql fit prints to the files in testdata/golden: the front, the evidence, the verdict and the
// formula. It is the net under a change that means to keep results, and shows what a change does that does not.
//
//	go test ./bench -run TestGolden -golden          # all tables; without -golden those that take seconds
//	go test ./bench -run TestGolden -golden -update  # rewrites the files; read their diff like code
//
// Nothing in a run depends on the clock or the machine: no time limit, a ninth of the epochs of the quick preset, and
// one grid where no rounds are stated. The portable kernel and the mathematics of Go without optional instructions
// give the same bits on every amd64 processor.
func TestGolden(t *testing.T) {
	switch {
	case runtime.GOARCH != "amd64":
		t.Skip("other processors round a product and a sum once, and training makes another network of that")
	case fused():
		t.Skip("a build for GOAMD64=v3 rounds a product and a sum once, and training makes another network of that")
	case testing.Short() && !*goldenAll:
		t.Skip("takes up to 20 seconds")
	}
	binary := buildCommand(t)
	cases := goldenCases()
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if !slices.ContainsFunc(cases, func(c goldenCase) bool { return c.name == name }) {
			t.Errorf("%s belongs to no case; remove it", file)
		}
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if !c.quick && !*goldenAll {
				t.Skip("long: needs -golden")
			}
			t.Parallel()
			c.compare(t, c.fit(t, binary))
		})
	}
}

// fused reports whether the compiler makes one instruction of a product and a sum: 3 · (1/3) − 1 is 0 when the product
// is rounded.
func fused() bool { return productAndSum(1.0/3, 3, -1) != 0 }

//go:noinline
func productAndSum(x, y, z float64) float64 { return x*y + z }

// buildCommand builds eql for a test.
func buildCommand(t *testing.T) string {
	sources, err := filepath.Glob("../internal/command/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range sources { // go test runs again when a file changes that a test has read
		if _, err := os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(t.TempDir(), "eql")
	if out, err := exec.Command("go", "build", "-o", binary, "../cmd/eql").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// fit returns the command and what it prints: its notes, and then the result.
func (c goldenCase) fit(t *testing.T, binary string) string {
	dir := t.TempDir()
	file := c.name + ".csv"
	data, rows := c.table(t)
	if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
		t.Fatal(err)
	}
	epochs := max(1, run.Quick(rows, 1).Train.Epochs/9)
	args := append([]string{"fit", file, "--time-limit", "0", "--epochs", fmt.Sprint(epochs)}, c.flags...)
	cmd := exec.Command(binary, append(args, "--out", "run")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "EQL_KERNEL=portable", "GODEBUG=cpu.all=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run() // an error is a result too
	var b strings.Builder
	fmt.Fprintf(&b, "$ EQL_KERNEL=portable eql %s\n", strings.Join(args, " "))
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "goroutine ") {
			t.Fatalf("%v\n%.3000s", err, stderr.String())
		}
		if kind, _, ok := strings.Cut(line, ":"); ok && slices.Contains([]string{"eql", "note", "warning"}, kind) {
			b.WriteString(line)
		}
	}
	if err != nil {
		fmt.Fprintln(&b, err)
	}
	for line := range strings.Lines(stdout.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	if used := cmd.ProcessState; used != nil {
		t.Logf("%.1f s of processor time", used.UserTime().Seconds())
	}
	return b.String()
}

func (c goldenCase) compare(t *testing.T, got string) {
	path := filepath.Join("testdata", "golden", c.name+".txt")
	if *goldenUpdate {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := firstDifference(string(want), got); diff != "" {
		t.Errorf("%s says otherwise:\n%s\nIf the change means that, run\n"+
			"\tgo test ./bench -run 'TestGolden/^%s$' -golden -update\n"+
			"and then the whole of it with -golden -update, and commit the files with the reason.", path, diff, c.name)
	}
}

// firstDifference returns the first lines in which two texts differ, "" when they do not.
func firstDifference(want, got string) string {
	const most = 5
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var b strings.Builder
	shown := 0
	for i := 0; i < max(len(w), len(g)) && shown < most; i++ {
		lw, lg := "(no line)", "(no line)"
		if i < len(w) {
			lw = w[i]
		}
		if i < len(g) {
			lg = g[i]
		}
		if lw != lg {
			fmt.Fprintf(&b, "line %d\n\t- %s\n\t+ %s\n", i+1, lw, lg)
			shown++
		}
	}
	return b.String()
}
