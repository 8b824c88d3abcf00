package command

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/graph"
	"github.com/eqlearner/eql/internal/kernel"
)

var long = flag.Bool("long", false, "run the scripts that take ten seconds, too; .ci/run asks for them")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"eql": func() { os.Exit(Execute(os.Args, os.Stderr)) }})
}

// TestScripts runs testdata/script: eql as a user runs it, and what it prints.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("EQL_TEST_DRIVER", os.Getenv("EQL_TEST_DRIVER"))
			examples, err := filepath.Abs("../../examples")
			e.Setenv("EXAMPLES", examples)
			return err
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "short":
				return testing.Short(), nil
			case "long":
				return *long, nil
			case "fma": // the processor has kernels beside the portable ones
				return kernel.Name() != "portable", nil
			case "gpu": // a build with the tag
				_, err := graph.CUDACard()
				return !errors.Is(err, graph.ErrNoCUDA), nil
			case "driver": // that of the tests, which a build with the tag can load
				return os.Getenv("EQL_TEST_DRIVER") != "", nil
			}
			return false, fmt.Errorf("there is no condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"fit":       cmdFit,
			"fails":     cmdFails,
			"keys":      cmdKeys,
			"json":      cmdJSON,
			"table":     cmdTable,
			"cell":      cmdCell,
			"bytes":     cmdBytes,
			"same":      cmdSame,
			"rms":       cmdRMS,
			"gocmd":     cmdGo,
			"gzipped":   cmdGzipped,
			"lines":     cmdLines,
			"appended":  cmdAppended,
			"samevalue": cmdSameValue,
		},
	})
}

// quickly are flags for runs whose outcome does not matter.
var quickly = []string{"--preset", "paper", "--layers", "2", "--width", "1", "--lambda", "0.001", "--restarts", "1",
	"--epochs", "2", "--units", "id"}

// fit ARGS… is exec eql fit with settings that take milliseconds.
func cmdFit(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec("eql", slices.Concat([]string{"fit"}, args, quickly)...)
	if (err != nil) != neg {
		ts.Fatalf("eql fit: %v", err)
	}
}

// fails CODE COMMAND ARGS… checks that a command ends with an exit code, prints nothing on
// standard output, and says why in lines of its own.
func cmdFails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails CODE COMMAND ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	stderr := ts.ReadFile("stderr")
	switch {
	case code != want:
		ts.Fatalf("got exit code %d, want %d", code, want)
	case ts.ReadFile("stdout") != "":
		ts.Fatalf("there is something on standard output")
	case strings.Contains(stderr, "goroutine ") || strings.Contains(stderr, "%!"):
		ts.Fatalf("standard error has a panic or a bad format in it")
	case !regexp.MustCompile(`(?m)^eql: .{10}`).MatchString(stderr):
		ts.Fatalf("standard error has no line that begins with eql:")
	}
}

// keys FILE PATH KEY… checks that the object at PATH has exactly these keys.
func cmdKeys(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: keys FILE PATH KEY…")
	}
	object, ok := lookup(ts, args[0], args[1]).(map[string]any)
	if !ok {
		ts.Fatalf("%s is no object", args[1])
	}
	want := slices.Sorted(slices.Values(args[2:]))
	if got := slices.Sorted(maps.Keys(object)); !slices.Equal(got, want) {
		ts.Fatalf("%s has the keys %q, want %q", args[1], got, want)
	}
}

// json FILE PATH REGEXP checks the value at PATH, as JSON in one line.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH REGEXP")
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	ts.Check(enc.Encode(lookup(ts, args[0], args[1])))
	got := strings.TrimSpace(b.String())
	if regexp.MustCompile(args[2]).MatchString(got) == neg {
		ts.Fatalf("%s is %s, which was checked for %q", args[1], got, args[2])
	}
}

// lines FILE N checks the number of lines of a file.
func cmdLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	if n := strings.Count(ts.ReadFile(args[0]), "\n"); strconv.Itoa(n) != args[1] {
		ts.Fatalf("%s has %d lines, want %s", args[0], n, args[1])
	}
}

// appended FILE TEXT appends a text with the escapes of a Go string.
func cmdAppended(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: appended FILE TEXT")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(ts.ReadFile(args[0])+text), 0o666))
}

// samevalue FILE PATH FILE PATH checks that two values are equal.
func cmdSameValue(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: samevalue FILE PATH FILE PATH")
	}
	if a, b := lookup(ts, args[0], args[1]), lookup(ts, args[2], args[3]); !reflect.DeepEqual(a, b) {
		ts.Fatalf("%s is %v, and %s is %v", args[1], a, args[3], b)
	}
}

// lookup returns what is at a path such as models/0/formula in a file of one JSON value; "." is
// all of it.
func lookup(ts *testscript.TestScript, file, path string) any {
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile(file)))
	dec.UseNumber()
	var v any
	ts.Check(dec.Decode(&v))
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		ts.Fatalf("%s has more than one JSON value", file)
	}
	if path == "." {
		return v
	}
	for step := range strings.SplitSeq(path, "/") {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[step]
			if !ok {
				ts.Fatalf("there is no %q in %s", step, path)
			}
			v = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(at) {
				ts.Fatalf("there is no %q in %s", step, path)
			}
			v = at[i]
		default:
			ts.Fatalf("%s ends before %q", path, step)
		}
	}
	return v
}

// table FILE ROWS INPUTS writes x1, x2, … and y = x1 + 2 at random places.
func cmdTable(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: table FILE ROWS INPUTS")
	}
	rows, err := strconv.Atoi(args[1])
	ts.Check(err)
	inputs, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), randomTable(rows, inputs), 0o666))
}

func randomTable(rows, inputs int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for j := range inputs {
		fmt.Fprintf(&b, "x%d,", j+1)
	}
	b.WriteString("y\n")
	for range rows {
		y := 2.0
		for j := range inputs {
			x := 2*rng.Float64() - 1
			if j == 0 {
				y += x
			}
			fmt.Fprintf(&b, "%g,", x)
		}
		fmt.Fprintf(&b, "%g\n", y)
	}
	return b.Bytes()
}

// cell FILE CHARACTERS writes a table with one very long cell.
func cmdCell(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cell FILE CHARACTERS")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := "x,y\n1,2\n" + strings.Repeat("7", n) + ",3\n"
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// bytes FILE TEXT writes a text with the escapes of a Go string.
func cmdBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes FILE TEXT")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// gzipped [--cut] FROM TO compresses a file; --cut leaves out its end.
func cmdGzipped(ts *testscript.TestScript, neg bool, args []string) {
	cut := len(args) > 0 && args[0] == "--cut"
	if cut {
		args = args[1:]
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: gzipped [--cut] FROM TO")
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(ts.ReadFile(args[0])))
	ts.Check(errors.Join(err, z.Close()))
	if cut {
		b.Truncate(b.Len() / 2)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o666))
}

// same FILE FILE checks that two results of fit --json differ in nothing but the seconds.
func cmdSame(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same FILE FILE")
	}
	ts.Check(sameResult([]byte(ts.ReadFile(args[0])), []byte(ts.ReadFile(args[1]))))
}

var seconds = regexp.MustCompile(`"seconds": [^,\n]*`)

// sameResult returns an error with the first line in which two results of fit --json differ,
// apart from the seconds.
func sameResult(a, b []byte) error {
	la := strings.Split(string(seconds.ReplaceAll(a, nil)), "\n")
	lb := strings.Split(string(seconds.ReplaceAll(b, nil)), "\n")
	for i := range max(len(la), len(lb)) {
		switch {
		case i >= len(la) || i >= len(lb):
			return fmt.Errorf("one result has %d lines, the other %d", len(la), len(lb))
		case la[i] != lb[i]:
			return fmt.Errorf("line %d: %q and %q", i+1, la[i], lb[i])
		}
	}
	return nil
}

// rms PREDICTIONS DATA COLUMN SCORES checks that the RMS in the JSON that score printed is that
// of the column between the two tables.
func cmdRMS(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: rms PREDICTIONS DATA COLUMN SCORES")
	}
	var cols [2][]float64
	for i, file := range args[:2] {
		sheet, err := datasets.ReadFile(ts.MkAbs(file), datasets.Options{})
		ts.Check(err)
		t, _, err := sheet.Table([]string{args[2]})
		ts.Check(err)
		cols[i] = t.Cols[0]
	}
	sum := 0.0
	for i := range cols[0] {
		d := cols[0][i] - cols[1][i]
		sum += d * d
	}
	want := math.Sqrt(sum / float64(len(cols[0])))
	got, err := lookup(ts, args[3], "0/rms").(json.Number).Float64()
	ts.Check(err)
	if !(math.Abs(got-want) <= 1e-12*want) { // rounding of a short sum
		ts.Fatalf("score says %g, the predictions %g", got, want)
	}
}

// gocmd ARGS… runs the go command with the caches of the test.
func cmdGo(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOROOT"} {
		out, err := exec.Command("go", "env", name).Output()
		ts.Check(err)
		ts.Setenv(name, strings.TrimSpace(string(out)))
	}
	if err := ts.Exec("go", args...); (err != nil) != neg {
		ts.Fatalf("go: %v", err)
	}
}
