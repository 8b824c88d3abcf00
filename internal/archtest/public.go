package archtest

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
)

// Internal returns what the exported declarations of a package name of packages under an internal folder: in
// signatures, in exported and embedded fields, in constraints, and as types of variables and constants, written or
// inferred. Types of the package that are reached on the way count even where their own name is not exported.
func Internal(p *types.Package) []string {
	n := naming{pkg: p, seen: map[types.Type]bool{}}
	for _, name := range p.Scope().Names() {
		if obj := p.Scope().Lookup(name); obj.Exported() {
			n.at = name
			n.visit(obj.Type())
		}
	}
	return n.found
}

type naming struct {
	pkg   *types.Package
	at    string // the declaration that is looked at
	seen  map[types.Type]bool
	found []string
}

// named looks at a type that has a name and reports whether to go on into what it is made of.
func (n *naming) named(obj *types.TypeName, args *types.TypeList) bool {
	for t := range args.Types() {
		n.visit(t)
	}
	p := obj.Pkg()
	if p != nil && isInternal(p.Path()) {
		n.found = append(n.found, fmt.Sprintf("%s.%s names %s.%s", n.pkg.Path(), n.at, p.Path(), obj.Name()))
	}
	return p == n.pkg
}

func isInternal(path string) bool { return strings.Contains("/"+path+"/", "/internal/") }

func (n *naming) visit(t types.Type) {
	if t == nil || n.seen[t] {
		return
	}
	n.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		if n.named(t.Obj(), t.TypeArgs()) {
			n.params(t.TypeParams())
			n.visit(t.Rhs())
		}
	case *types.Named:
		if n.named(t.Obj(), t.TypeArgs()) {
			n.declared(t)
		}
	case *types.Signature:
		n.params(t.TypeParams())
		n.visit(t.Params())
		n.visit(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			n.visit(v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				n.inside(f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if token.IsExported(m.Name()) {
				n.inside(m.Name(), m.Type())
			}
		}
		for e := range t.EmbeddedTypes() {
			n.visit(e)
		}
	case *types.Union:
		for term := range t.Terms() {
			n.visit(term.Type())
		}
	case *types.Map:
		n.visit(t.Key())
		n.visit(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		n.visit(t.Elem())
	}
}

// declared looks at a type that the package declares.
func (n *naming) declared(t *types.Named) {
	n.params(t.TypeParams())
	n.visit(t.Underlying())
	for m := range t.Methods() {
		if m.Exported() {
			n.inside(m.Name(), m.Type())
		}
	}
}

func (n *naming) params(list *types.TypeParamList) {
	for p := range list.TypeParams() {
		n.visit(p.Constraint())
	}
}

// inside looks at a field or a method, by whose name what is found there is told.
func (n *naming) inside(name string, t types.Type) {
	at := n.at
	n.at += "." + name
	n.visit(t)
	n.at = at
}
