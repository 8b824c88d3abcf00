package archtest

import (
	"go/ast"
	"go/build/constraint"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// needsTag tells whether the file is in no build without the tag.
func needsTag(file *ast.File, tag string) bool {
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, line := range group.List {
			if !constraint.IsGoBuild(line.Text) {
				continue
			}
			expr, err := constraint.Parse(line.Text)
			return err == nil && !satisfiable(expr, tag)
		}
	}
	return false
}

// satisfiable tells whether some choice of the other tags builds the file while the tag is off.
func satisfiable(expr constraint.Expr, off string) bool {
	var tags []string
	expr.Eval(func(tag string) bool { tags = append(tags, tag); return true })
	expr.Eval(func(tag string) bool { tags = append(tags, tag); return false })
	slices.Sort(tags)
	tags = slices.Compact(tags)
	for on := range 1 << len(tags) {
		if expr.Eval(func(tag string) bool { return tag != off && on>>slices.Index(tags, tag)&1 == 1 }) {
			return true
		}
	}
	return false
}

// gpu keeps the CUDA library, whose init ends the process where there is no GPU, out of ordinary builds;
// cgo too, so that they need no C compiler.
func (c *checker) gpu(set *token.FileSet, name string, file *ast.File) {
	for _, spec := range file.Imports {
		p := importPath(spec)
		if (under(p, cuda) || p == "C") && !needsTag(file, gpuTag) {
			c.fail(name, set.Position(spec.Pos()).Line, "imports %s without //go:build %s", p, gpuTag)
		}
	}
}

// imports holds a file to the row of its folder. A generator (//go:build ignore) is part of no package.
func (c *checker) imports(set *token.FileSet, name string, file *ast.File) {
	folder := path.Dir(name)
	row, ok := c.packages[folder]
	generator := needsTag(file, "ignore")
	if !ok && !generator {
		c.fail(name, set.Position(file.Package).Line,
			"folder %s is not in the import table: add it to internal/archtest/table.go, ARCHITECTURE.md and .golangci.yml",
			folder)
		return
	}
	for _, spec := range file.Imports {
		p, line := importPath(spec), set.Position(spec.Pos()).Line
		switch {
		case p == "math/rand":
			c.fail(name, line, "imports math/rand: use math/rand/v2 with an explicit source")
		case generator || p == "C": // cgo is in gpu
		case under(p, c.rules.Path):
			if mine := c.folderOf(p); mine != folder && !slices.Contains(row.Ours, mine) {
				c.fail(name, line, "%s may not import %s (import table of ARCHITECTURE.md)", folder, mine)
			}
		case !standard(p) && !slices.ContainsFunc(row.Outside, func(o string) bool { return under(p, o) }):
			c.fail(name, line, "%s may not import %s (import table of ARCHITECTURE.md)", folder, p)
		}
	}
}

// folderOf is the folder of one of our import paths.
func (c *checker) folderOf(p string) string {
	if p == c.rules.Path {
		return "."
	}
	return strings.TrimPrefix(p, c.rules.Path+"/")
}

// exits reports calls of panic, log.Fatal, log.Panic and os.Exit.
func (c *checker) exits(set *token.FileSet, name string, file *ast.File) {
	names := map[string]string{} // local name → import path, of log and os
	for _, spec := range file.Imports {
		p := importPath(spec)
		if spec.Name != nil {
			names[spec.Name.Name] = p
		} else if p == "log" || p == "os" {
			names[p] = p
		}
	}
	for _, decl := range file.Decls {
		key := path.Dir(name) + "." + declName(decl)
		if _, ok := c.rules.Exits[key]; ok {
			continue
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && ends(call.Fun, names) {
				c.fail(name, set.Position(call.Pos()).Line,
					"%s panics or exits: return an error (or list it in internal/archtest/table.go with the reason)", key)
			}
			return true
		})
	}
}

// ends tells whether a called function ends the process.
func ends(fun ast.Expr, names map[string]string) bool {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name == "panic"
	case *ast.SelectorExpr:
		pkg, ok := fun.X.(*ast.Ident)
		if !ok {
			return false
		}
		switch names[pkg.Name] {
		case "os":
			return fun.Sel.Name == "Exit"
		case "log":
			return strings.HasPrefix(fun.Sel.Name, "Fatal") || strings.HasPrefix(fun.Sel.Name, "Panic")
		}
	}
	return false
}

// declName is Func, Type.Method, or the first name of a declaration of variables.
func declName(decl ast.Decl) string {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv != nil && len(decl.Recv.List) == 1 {
			return receiver(decl.Recv.List[0].Type) + "." + decl.Name.Name
		}
		return decl.Name.Name
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				return v.Names[0].Name
			}
		}
	}
	return "?"
}

// receiver is the name of a receiver's type, without star and type parameters.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return p
}

// standard tells whether an import path is of the standard library: its first element has no dot.
func standard(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".")
}

// under tells whether p is root or lies below it.
func under(p, root string) bool { return p == root || strings.HasPrefix(p, root+"/") }
