package formula

import (
	"fmt"
	"slices"
	"strings"
)

// Unknown is a function of which a formula says what it depends on, and nothing else: f in x1*f(x2, x3).
type Unknown struct {
	Name   string
	Inputs []string
}

// Var returns the name of the variable that stands for the call of the function. No name that is read is the same.
func (u Unknown) Var() string { return Placeholder(u.Name) }

// String returns the call as it is written: f(x2, x3).
func (u Unknown) String() string {
	var names []string
	for _, name := range u.Inputs {
		names = append(names, quoteName(name))
	}
	return fmt.Sprintf("%s(%s)", u.Name, strings.Join(names, ", "))
}

// ParseUnknown is [Parse] for formulas with unknown functions of variables. A variable stands for the call of each, see
// [Unknown.Var]. The functions are returned in the order of the text. A function may be called more than once, with the
// same variables, and its name is that of no variable.
func ParseUnknown(s string) (Expr, []Unknown, error) {
	p := &parser{lexer: lexer{s: s}, unknown: &unknowns{}}
	e, err := parse(p)
	if err != nil {
		return nil, nil, err
	}
	for _, u := range p.unknown.list {
		if slices.Contains(Vars(e), u.Name) {
			at := p.unknown.at[u.Name]
			p.fail(at, "%s is a function here and a variable elsewhere (give one of them another name)", u.Name)
			return nil, nil, p.err
		}
	}
	return e, p.unknown.list, nil
}

// unknowns are the unknown functions of a formula, and where each is called first.
type unknowns struct {
	list []Unknown
	at   map[string]int
}

// unknownCall reads the inputs of an unknown function.
func (p *parser) unknownCall(name token) Expr {
	u := Unknown{Name: name.text}
	p.next()
	if p.tok.kind == ')' {
		p.fail(p.tok.start, "%s depends on nothing (name the columns that it depends on, as in %s(x), or write %s for a "+
			"constant)",
			u.Name, u.Name, u.Name)
	}
	for p.err == nil {
		input := p.tok
		if p.next(); input.kind != tokName && input.kind != tokQuoted || p.tok.kind != ',' && p.tok.kind != ')' {
			p.fail(input.start, "%s is not a known function, and an unknown one takes names of columns, separated by commas "+
				"(a product needs a *; the functions are %s)", u.Name, funcNames())
		}
		if slices.Contains(u.Inputs, input.text) {
			p.fail(input.start, "%s takes %s twice (once is enough)", u.Name, quoteName(input.text))
		}
		u.Inputs = append(u.Inputs, input.text)
		if p.tok.kind == ')' {
			break
		}
		p.next()
	}
	p.next()
	p.enterUnknown(u, name.start)
	return Var(u.Var())
}

// enterUnknown notes an unknown function, which has the same inputs wherever it is called.
func (p *parser) enterUnknown(u Unknown, at int) {
	i := slices.IndexFunc(p.unknown.list, func(k Unknown) bool { return k.Name == u.Name })
	switch {
	case p.err != nil:
	case i < 0:
		if p.unknown.at == nil {
			p.unknown.at = map[string]int{}
		}
		p.unknown.list, p.unknown.at[u.Name] = append(p.unknown.list, u), at
	case !slices.Equal(p.unknown.list[i].Inputs, u.Inputs):
		p.fail(at, "%s is %s elsewhere (a function has the same inputs everywhere; give one of them another name)",
			u, p.unknown.list[i])
	}
}
