package archtest

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// small is a module of three packages, for the sources below.
var small = Rules{
	Path: "example.org/m",
	Packages: []Package{
		{Folder: "leaf"},
		{Folder: "top", Ours: []string{"leaf"}, Outside: []string{"gonum.org/v1/gonum", "gorgonia.org/cu"}},
		{Folder: "cmd/m", Ours: []string{"leaf", "top"}},
	},
	Exits:    map[string]string{"leaf.Must": "literals only", "leaf.T.Must": "literals only"},
	MaxLines: 500, MaxColumns: 120,
	Skip: []string{".git", "runs"},
}

func TestCheck(t *testing.T) {
	long := strings.Repeat("\n", 501)
	wide := strings.Repeat("wide ", 30)
	abs := "/" + "work/" // in two pieces, for the check of this file
	home := "/" + "root/"
	cases := []struct {
		name, file, src string
		want            string // part of the only violation, "" for none
	}{
		{"standard library", "leaf/a.go", `package leaf; import _ "go/ast"`, ""},
		{"our package, allowed", "top/a.go", `package top; import _ "example.org/m/leaf"`, ""},
		{"our package, not allowed", "leaf/a.go", `package leaf; import _ "example.org/m/top"`,
			"leaf/a.go:1: leaf may not import top"},
		{"root, not allowed", "leaf/a.go", `package leaf; import _ "example.org/m"`, "leaf may not import ."},
		{"a path that only begins like ours", "leaf/a.go", `package leaf; import _ "example.org/mine"`,
			"may not import example.org/mine"},
		{"below an allowed library", "top/a.go", `package top; import _ "gonum.org/v1/gonum/mat"`, ""},
		{"beside an allowed library", "top/a.go", `package top; import _ "gonum.org/v1/gonumx"`,
			"may not import gonum.org/v1/gonumx"},
		{"library, not allowed", "leaf/a.go", "package leaf\n\nimport _ \"gonum.org/v1/gonum/mat\"",
			"leaf/a.go:3: leaf may not import gonum"},
		{"file whose tag is off", "leaf/a.go", "//go:build plan9\n\npackage leaf\n\nimport _ \"example.org/m/top\"",
			"leaf/a.go:5"},
		{"file of another system", "leaf/a_plan9.go", `package leaf; import _ "example.org/m/top"`, "may not import top"},
		{"test file", "leaf/a_test.go",
			`package leaf; import ("math/rand"; _ "example.org/m/top"); func f() { panic(rand.Int()) }`, ""},
		{"generator", "leaf/gen.go",
			"//go:build ignore\n\npackage main\n\nimport _ \"github.com/mmcloughlin/avo/build\"\n\nfunc main() { panic(1) }",
			""},
		{"folder without a row", "other/a.go", `package other`, "add it to internal/archtest/table.go, ARCHITECTURE.md"},
		{"folder below a row", "leaf/sub/a.go", `package sub`, "folder leaf/sub is not in the import table"},
		{"testdata", "leaf/testdata/a.go", `package nonsense; import _ "example.org/m/top"`, ""},
		{"does not parse", "leaf/a.go", `pakcage leaf`, "does not parse"},

		{"old random numbers", "leaf/a.go", `package leaf; import _ "math/rand"`, "use math/rand/v2"},
		{"new random numbers", "leaf/a.go", `package leaf; import _ "math/rand/v2"`, ""},

		{"GPU, tagged", "top/a.go", "//go:build gpu\n\npackage top\n\nimport _ \"gorgonia.org/cu\"", ""},
		{"GPU, tagged with a system", "top/a.go",
			"// Licence.\n\n//go:build linux && gpu\n\npackage top\n\nimport _ \"gorgonia.org/cu\"", ""},
		{"GPU, no tag", "top/a.go", `package top; import _ "gorgonia.org/cu"`, "without //go:build gpu"},
		{"GPU, another tag", "top/a.go", "//go:build linux\n\npackage top\n\nimport _ \"gorgonia.org/cu/x\"",
			"without //go:build gpu"},
		{"GPU, tag negated", "top/a.go", "//go:build !gpu\n\npackage top\n\nimport _ \"gorgonia.org/cu\"",
			"without //go:build gpu"},
		{"GPU, tag or another", "top/a.go", "//go:build gpu || !linux\n\npackage top\n\nimport _ \"gorgonia.org/cu\"",
			"without //go:build gpu"},
		{"GPU, tag below the package clause", "top/a.go", "package top\n\n//go:build gpu\nimport _ \"gorgonia.org/cu\"",
			"without //go:build gpu"},
		{"GPU, test without a tag", "top/a_test.go", `package top; import _ "gorgonia.org/cu"`, "without //go:build gpu"},
		{"GPU, tagged, folder not allowed", "leaf/a.go", "//go:build gpu\n\npackage leaf\n\nimport _ \"gorgonia.org/cu\"",
			"leaf may not import gorgonia.org/cu"},
		{"cgo", "leaf/a.go", `package leaf; import "C"`, "imports C without"},

		{"panic", "leaf/a.go", "package leaf\n\nfunc f() { panic(1) }", "leaf/a.go:3: leaf.f panics"},
		{"panic in a method", "leaf/a.go", `package leaf; func (t *T[A]) Do() { panic(1) }`, "leaf.T.Do panics"},
		{"panic in a variable", "leaf/a.go", `package leaf; var v = func() int { panic(1) }()`, "leaf.v panics"},
		{"panic in main.go", "cmd/m/main.go", `package main; func main() { panic(1) }`, ""},
		{"panic beside main.go", "cmd/m/fit.go", `package main; func f() { panic(1) }`, "cmd/m.f panics"},
		{"panic with a reason", "leaf/a.go", `package leaf; func Must() { panic(1) }; func (T) Must() { panic(1) }`, ""},
		{"a method called panic", "leaf/a.go", `package leaf; func f(t T) { t.panic(1) }`, ""},
		{"exit", "leaf/a.go", `package leaf; import "os"; func f() { os.Exit(1) }`, "leaf.f panics or exits"},
		{"exit by another name", "leaf/a.go", `package leaf; import sys "os"; func f() { sys.Exit(1) }`,
			"leaf.f panics or exits"},
		{"fatal", "leaf/a.go", `package leaf; import "log"; func f() { log.Fatalf("") }`, "leaf.f panics or exits"},
		{"another function of os", "leaf/a.go", `package leaf; import "os"; func f() { os.Getpid() }`, ""},
		{"another thing called log", "leaf/a.go", `package leaf; func f(log T) { log.Fatal() }`, ""},

		{"as long as allowed", "leaf/a.go", "package leaf" + long[1:], ""},
		{"too long", "leaf/a.go", "package leaf" + long, "501 lines, at most 500"},
		{"too long test", "leaf/a_test.go", "package leaf" + long, "501 lines, at most 500"},
		{"a line as wide as allowed", "leaf/a.go", "package leaf\n\n//" + strings.Repeat("\té", 59), ""},
		{"a line too wide", "leaf/a.go", "package leaf\n\n//" + strings.Repeat("\té", 59) + ".",
			"leaf/a.go:3: 121 columns, at most 120"},
		{"a string too wide", "leaf/a.go", "package leaf\n\nvar v = \"" + wide + "\"", "columns, at most 120"},
		{"a raw string", "leaf/a.go", "package leaf\n\nvar v = `" + wide + "` // read", ""},
		{"a raw string of two lines", "leaf/a.go", "package leaf\n\nvar v = `\n" + wide + "`", ""},
		{"a line too wide behind a raw string", "leaf/a.go", "package leaf\n\nvar v = `` // " + wide, "columns, at most"},
		{"what an example prints", "leaf/a_test.go",
			"package leaf\n\nfunc Example() {\n\tf()\n\t// Output:\n\t// " + wide + "\n}", ""},
		{"what is said before it", "leaf/a_test.go",
			"package leaf\n\nfunc Example() {\n\t// " + wide + "\n\tf()\n\t// Output:\n\t// 1\n}", "leaf/a_test.go:4: "},
		{"wide and generated", "leaf/a.go", "// Code generated by gen. DO NOT EDIT.\n\npackage leaf\n\n// " + wide, ""},
		{"long and generated", "leaf/a.go", "// Code generated by gen. DO NOT EDIT.\n\npackage leaf" + long, ""},

		{"absolute path in a script", ".ci/run", "set -e\ncd " + abs + "main\n", ".ci/run:2: absolute path " + abs},
		{"absolute path in a comment", "leaf/a.go", "package leaf\n\n// See " + home + "notes.\n",
			"leaf/a.go:3: absolute path " + home},
		{"absolute path at the start", "README.md", home + "x", "README.md:1"},
		{"relative path", "README.md", "see ." + abs + "x, a" + abs + "x, ~" + abs + "x and $(pwd)" + abs + "x", ""},
		{"absolute path in a binary", "leaf/a.bin", "\x00 " + abs, ""},
		{"absolute path in a skipped folder", "runs/1/log", abs, ""},
		{"module below, skipped", "nested/a.go", `package nested`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report, err := Check(fstest.MapFS{
				c.file:          {Data: []byte(c.src)},
				"nested/go.mod": {Data: []byte("module nested")},
			}, small)
			if err != nil {
				t.Fatal(err)
			}
			switch got := report.Violations; {
			case c.want == "" && len(got) > 0:
				t.Errorf("got %v, want none", got)
			case c.want != "" && len(got) != 1:
				t.Errorf("got %v, want one with %q", got, c.want)
			case c.want != "" && !strings.Contains(got[0].String(), c.want):
				t.Errorf("got %v, want one with %q", got[0], c.want)
			}
		})
	}
}

func TestCheckCountsFiles(t *testing.T) {
	empty := &fstest.MapFile{Data: []byte("package p")}
	report, err := Check(fstest.MapFS{
		"leaf/a.go": empty, "leaf/a_test.go": empty, "top/a.go": empty, "top/testdata/b.go": empty, "top/_c.go": empty,
	}, small)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Files) != 2 || report.Files["leaf"] != 2 || report.Files["top"] != 1 {
		t.Errorf("got %v, want leaf 2 and top 1", report.Files)
	}
}

func TestCheckReportsAll(t *testing.T) {
	report, err := Check(fstest.MapFS{
		"leaf/a.go": {Data: []byte("package leaf\nimport _ \"math/rand\"\nimport _ \"example.org/m/top\"\n" +
			"func f() { panic(1) }")},
		"top/a.go": {Data: []byte("package top\nimport _ \"example.org/x\"")},
	}, small)
	if err != nil {
		t.Fatal(err)
	}
	var at []string
	for _, v := range report.Violations {
		where, _, _ := strings.Cut(v.String(), ": ")
		at = append(at, where)
	}
	if want := []string{"leaf/a.go:2", "leaf/a.go:3", "leaf/a.go:4", "top/a.go:2"}; !slices.Equal(at, want) {
		t.Errorf("got %v, want %v", at, want)
	}
}
