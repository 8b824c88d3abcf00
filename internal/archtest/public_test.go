package archtest

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestPublic holds the packages that others can import to types that others can name.
func TestPublic(t *testing.T) {
	var public []string
	for _, p := range Module.Packages {
		if top, _, _ := strings.Cut(p.Folder, "/"); !slices.Contains([]string{"internal", "cmd", "bench"}, top) {
			public = append(public, strings.TrimSuffix(Module.Path+"/"+p.Folder, "/."))
		}
	}
	compiled := importer.ForCompiler(token.NewFileSet(), "gc", exports(t, public))
	for _, path := range public {
		p, err := compiled.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range Internal(p) {
			t.Errorf("%s: nobody outside the module can write that type down", found)
		}
	}
}

// exports returns what opens the compiler's description of a package. The files of the module that it is made from are
// those that [TestModule] reads, so a test result from the cache is of the same files.
func exports(t *testing.T, packages []string) importer.Lookup {
	t.Helper()
	list := exec.Command("go",
		append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, packages...)...)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("%v: %v", list, err)
	}
	files := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		path, file, _ := strings.Cut(lines.Text(), " ")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("package %s was not compiled", path)
		}
		return os.Open(files[path])
	}
}

func TestInternal(t *testing.T) {
	const hidden = `package hidden
		type T struct{}
		type N int
		type Number interface{ ~float64 }
		type Gen[P any] struct{}
		func New() T { return T{} }`
	for _, c := range []struct{ name, source, want string }{
		{"a parameter", "func F(hidden.T) {}", "F names m/internal/hidden.T"},
		{"a result behind types", "func F() map[string][]*hidden.T { return nil }", "F names"},
		{"a parameter of a parameter", "func F(func(hidden.T)) {}", "F names"},
		{"a field", "type S struct{ A hidden.T }", "S.A names"},
		{"an embedded type", "type S struct{ hidden.T }", "S.T names"},
		{"an embedded type that is not exported", "type s struct{ hidden.T }; type S struct{ s }", "S.s.T names"},
		{"a type that is not exported on the way", "type s struct{ A hidden.T }; func F() s { return s{} }", "F.A names"},
		{"a method", "type S int; func (S) M(hidden.T) {}", "S.M names"},
		{"a method of an interface", "type S interface{ M(hidden.T) }", "S.M names"},
		{"an embedded interface", "type S interface{ hidden.Number }", "S names"},
		{"a constraint", "func F[P hidden.Number](P) {}", "F names"},
		{"a constraint of a type", "type S[P hidden.Number] struct{}", "S names"},
		{"an argument of a type", "type g[P any] struct{}; type S struct{ A g[hidden.T] }", "S.A names"},
		{"an alias", "type S = hidden.T", "S names"},
		{"an alias of an alias", "type s = hidden.T; type S = s", "S names"},
		{"an inferred variable", "var V = hidden.New()", "V names"},
		{"a constant", "const C = hidden.N(1)", "C names"},
		{"a defined type", "type S hidden.N", ""}, // its name stands for it; the fields of a struct would count
		{"a field that is not exported", "type S struct{ a hidden.T }", ""},
		{"a function that is not exported", "func f(hidden.T) {}", ""},
		{"a method that is not exported", "type S int; func (S) m(hidden.T) {}", ""},
		{"inside a function", "func F() { _ = hidden.New() }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := token.NewFileSet()
			check := func(path, source string, from types.Importer) *types.Package {
				file, err := parser.ParseFile(set, path, source, 0)
				if err != nil {
					t.Fatal(err)
				}
				p, err := (&types.Config{Importer: from}).Check(path, set, []*ast.File{file}, nil)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			one := only{check("m/internal/hidden", hidden, nil)}
			found := Internal(check("m/open", `package open; import "m/internal/hidden"; var _ hidden.T; `+c.source, one))
			if got := strings.Join(found, "; "); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// only imports one package.
type only struct{ p *types.Package }

func (o only) Import(string) (*types.Package, error) { return o.p, nil }
