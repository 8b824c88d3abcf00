package eql_test

import (
	"os"
	"strings"
	"testing"
)

// TestReadmeProgram holds the program in README to the example that is run.
func TestReadmeProgram(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_library_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "\n```go\n")
	program, _, found := strings.Cut(rest, "\n```\n")
	_, rest, _ = strings.Cut(string(source), "func Example() {\n")
	body, _, _ := strings.Cut(rest, "\t// Output:")
	var want []string
	for line := range strings.Lines(body) {
		want = append(want, strings.TrimSuffix(strings.TrimPrefix(line, "\t"), "\n"))
	}
	if !found || program != strings.Join(want, "\n") {
		t.Errorf("the program in README is\n%s\nwant the body of Example in example_library_test.go:\n%s",
			program, strings.Join(want, "\n"))
	}
	if most := 15; len(want) > most {
		t.Errorf("the program has %d lines, want at most %d", len(want), most)
	}
}
