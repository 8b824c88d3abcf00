package archtest

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Violation is one broken rule.
type Violation struct {
	File string // slash-separated, from the root of the tree
	Line int
	Text string // what is wrong and what to do
}

func (v Violation) String() string { return fmt.Sprintf("%s:%d: %s", v.File, v.Line, v.Text) }

// Report is what [Check] found.
type Report struct {
	Violations []Violation    // in the order of the files
	Files      map[string]int // Go files checked, by folder
}

// Check reads the tree and reports what breaks the rules. Its error is a file that cannot be read.
func Check(tree fs.FS, rules Rules) (Report, error) {
	c := checker{rules: rules, packages: map[string]Package{}, Report: Report{Files: map[string]int{}}}
	for _, p := range rules.Packages {
		c.packages[p.Folder] = p
	}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return c.enter(tree, name)
		}
		if !d.Type().IsRegular() || slices.Contains(rules.Skip, name) { // .git is a file in a linked working tree
			return nil
		}
		src, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		c.text(name, src)
		if path.Ext(name) == ".go" && !outsideBuild(name) {
			c.goFile(name, src)
		}
		return nil
	})
	return c.Report, err
}

type checker struct {
	Report
	rules    Rules
	packages map[string]Package
}

func (c *checker) fail(name string, line int, format string, args ...any) {
	c.Violations = append(c.Violations, Violation{name, line, fmt.Sprintf(format, args...)})
}

// enter skips what is not ours: the folders of the skip list and modules of their own.
func (c *checker) enter(tree fs.FS, name string) error {
	if slices.Contains(c.rules.Skip, name) {
		return fs.SkipDir
	}
	if name == "." {
		return nil
	}
	switch _, err := fs.Stat(tree, path.Join(name, "go.mod")); {
	case err == nil:
		return fs.SkipDir
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return err
	}
}

// outsideBuild tells whether the go command never looks at the file.
func outsideBuild(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "testdata" || part == "vendor" || strings.HasPrefix(part, "_") || strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

// machinePath finds an absolute path of a build machine; a path that continues another one is not absolute.
var machinePath = regexp.MustCompile(`(?m)(?:^|[^\w.~})-])(/(?:work|root)/)`)

func (c *checker) text(name string, src []byte) {
	if bytes.IndexByte(src[:min(len(src), 8000)], 0) >= 0 {
		return // binary
	}
	for _, at := range machinePath.FindAllSubmatchIndex(src, -1) {
		c.fail(name, 1+bytes.Count(src[:at[2]], []byte("\n")), "absolute path %s…: name files relative to the repository",
			src[at[2]:at[3]])
	}
}

func (c *checker) goFile(name string, src []byte) {
	folder := path.Dir(name)
	c.Files[folder]++
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		c.fail(name, 1, "does not parse: %v", err)
		return
	}
	if lines := bytes.Count(src, []byte("\n")); lines > c.rules.MaxLines && !ast.IsGenerated(file) {
		c.fail(name, c.rules.MaxLines+1, "%d lines, at most %d: split it by subject", lines, c.rules.MaxLines)
	}
	c.columns(set, name, src, file)
	c.gpu(set, name, file)
	if strings.HasSuffix(name, "_test.go") {
		return
	}
	c.imports(set, name, file)
	if !mainFile(name) && !needsTag(file, "ignore") {
		c.exits(set, name, file)
	}
}

// columns holds lines to their length, a tab counted as one. What is there to the letter may be longer: text between
// back quotes, with struct tags, and what an example prints. So may generated files, which nobody reads.
func (c *checker) columns(set *token.FileSet, name string, src []byte, file *ast.File) {
	if ast.IsGenerated(file) {
		return
	}
	letter := literally(set, file)
	for i, line := range bytes.Split(src, []byte("\n")) {
		n := 0
		for at := range string(line) {
			if n++; n > c.rules.MaxColumns {
				if !letter(i+1, at+1) {
					c.fail(name, i+1, "%d columns, at most %d: break it where its meaning breaks",
						utf8.RuneCount(line), c.rules.MaxColumns)
				}
				break
			}
		}
	}
}

// literally returns a function that tells whether the byte at a line and a column, both from 1, is between back quotes
// or is printed by an example.
func literally(set *token.FileSet, file *ast.File) func(line, column int) bool {
	type span struct{ from, to token.Position }
	var spans []span
	add := func(from, to token.Pos) { spans = append(spans, span{set.Position(from), set.Position(to)}) }
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && strings.HasPrefix(l.Value, "`") {
			add(l.Pos(), l.End())
		}
		return true
	})
	for _, group := range file.Comments {
		for i, line := range group.List {
			if exampleOutput.MatchString(line.Text) {
				add(group.List[i].Pos(), group.End())
				break
			}
		}
	}
	return func(line, column int) bool {
		return slices.ContainsFunc(spans, func(s span) bool {
			after := line > s.from.Line || line == s.from.Line && column >= s.from.Column
			return after && (line < s.to.Line || line == s.to.Line && column < s.to.Column)
		})
	}
}

var exampleOutput = regexp.MustCompile(`^// (Unordered output|Output):`)

func mainFile(name string) bool {
	ok, err := path.Match("cmd/*/main.go", name)
	return ok && err == nil
}
