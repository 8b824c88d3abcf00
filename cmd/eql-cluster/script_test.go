package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"eql-cluster": main})
}

// TestScripts runs testdata/script: eql-cluster as a user runs it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			examples, err := filepath.Abs("../../examples")
			e.Setenv("EXAMPLES", examples)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"await": cmdAwait, "same": cmdSame, "fails": cmdFails},
	})
}

// await FILE waits until a file is there.
func cmdAwait(ts *testscript.TestScript, _ bool, args []string) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
	}
	ts.Fatalf("%s is not there", args[0])
}

// same A B checks that two summaries are equal but for the column seconds.
func cmdSame(ts *testscript.TestScript, _ bool, args []string) {
	read := func(file string) string {
		rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(file))).ReadAll()
		ts.Check(err)
		seconds := slices.Index(rows[0], "seconds")
		for i := range rows {
			rows[i] = slices.Delete(rows[i], seconds, seconds+1)
		}
		var b strings.Builder
		ts.Check(csv.NewWriter(&b).WriteAll(rows))
		return b.String()
	}
	if a, b := read(args[0]), read(args[1]); a != b || strings.Count(a, "\n") < 2 {
		ts.Fatalf("%s is\n%s\nand %s is\n%s", args[0], a, args[1], b)
	}
}

// fails WANT COMMAND ARGS… checks that a command fails, prints nothing on standard output, and says WANT.
func cmdFails(ts *testscript.TestScript, _ bool, args []string) {
	if err := ts.Exec(args[1], args[2:]...); err == nil {
		ts.Fatalf("it did not fail")
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("it prints %q", out)
	}
	if said := ts.ReadFile("stderr"); !strings.Contains(said, args[0]) || !strings.Contains(said, "eql-cluster: ") {
		ts.Fatalf("it says %q, want %q", said, args[0])
	}
}
