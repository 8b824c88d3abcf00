package formula

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds how deeply an expression that is read may nest, so that no input can
// exhaust the stack. Long sums and products do not nest.
const maxDepth = 1000

// SyntaxError says where a formula stopped making sense and what to do.
type SyntaxError struct {
	Input  string
	Offset int    // in bytes, from 0
	Column int    // in characters, from 1
	Msg    string // what is wrong, with advice
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("formula %q: column %d: %s", abbreviate(e.Input), e.Column, e.Msg)
}

// Parse reads the text form: numbers (2, 0.5, 1.5e-7, pi), variables, + - * / with the usual
// precedence, powers ^ (also **; right-associative, above the unary minus: -x^2 is -(x^2)),
// parentheses, and the functions by name. Names that are not identifiers, or that mean
// something else, stand between backticks; a backtick inside is written twice. Every
// multiplication sign is written. The error is a [*SyntaxError].
func Parse(s string) (Expr, error) { return parse(&parser{lexer: lexer{s: s}}) }

func parse(p *parser) (Expr, error) {
	p.next()
	e := p.sum()
	if p.err == nil && p.tok.kind != tokEnd {
		p.fail(p.tok.start, "%s", p.unexpected("an operator"))
	}
	if p.err != nil {
		return nil, p.err
	}
	return e, nil
}

// MustParse is [Parse] for formulas that are known to be right: literals and tests. It
// panics on the others.
func MustParse(s string) Expr {
	e, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return e
}

// parser is a recursive descent over
//
//	sum     = product { ("+" | "-") product }
//	product = unary { ("*" | "/") unary }
//	unary   = { "-" | "+" } power
//	power   = primary [ ("^" | "**") unary ]
//	primary = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
//
// After the first error every method returns at once; the results no longer matter.
type parser struct {
	lexer
	tok     token
	depth   int
	unknown *unknowns // nil where a function that is not known is an error
	err     *SyntaxError
}

func (p *parser) sum() Expr {
	terms := []Expr{p.product()}
	for p.err == nil && (p.tok.kind == '+' || p.tok.kind == '-') {
		minus := p.tok.kind == '-'
		p.next()
		t := p.product()
		if minus {
			t = Neg(t)
		}
		terms = append(terms, t)
	}
	return Add(terms...)
}

func (p *parser) product() Expr {
	factors := []Expr{p.unary()}
	for p.err == nil && (p.tok.kind == '*' || p.tok.kind == '/') {
		divide := p.tok.kind == '/'
		p.next()
		f := p.unary()
		if divide {
			f = inverse(f)
		}
		factors = append(factors, f)
	}
	return Mul(factors...)
}

func (p *parser) unary() Expr {
	minus := false
	for p.err == nil && (p.tok.kind == '-' || p.tok.kind == '+') {
		minus = minus != (p.tok.kind == '-')
		p.next()
	}
	e := p.power()
	if minus {
		return Neg(e)
	}
	return e
}

func (p *parser) power() Expr {
	base := p.primary()
	if p.err != nil || p.tok.kind != '^' {
		return base
	}
	p.enter()
	defer p.leave()
	p.next()
	return Pow(base, p.unary())
}

func (p *parser) primary() Expr {
	if p.err != nil {
		return number(0)
	}
	tok := p.tok
	switch tok.kind {
	case tokNumber:
		p.next()
		return number(tok.value)
	case tokQuoted:
		p.next()
		return Var(tok.text)
	case tokName:
		p.next()
		return p.name(tok)
	case '(':
		return p.parenthesised()
	}
	p.fail(tok.start, "%s", p.unexpected("a number, a name or a parenthesis"))
	return number(0)
}

// name reads what begins with an identifier: a function, pi or a variable.
func (p *parser) name(tok token) Expr {
	f, isFunc := funcByName(tok.text)
	switch {
	case isFunc && p.tok.kind == '(':
		return p.call(f)
	case isFunc && f < Asin: // the names of later functions are in older files as names of columns
		p.fail(tok.start, "%s is a function (write %s(x), or `%s` for a column of that name)", tok.text, tok.text, tok.text)
	case p.tok.kind == '(' && p.unknown != nil:
		return p.unknownCall(tok)
	case p.tok.kind == '(':
		p.fail(tok.start, "unknown function %q (the functions are %s; a product needs a *)", tok.text, funcNames())
	case tok.text == "pi":
		return number(math.Pi)
	}
	return Var(tok.text)
}

func (p *parser) parenthesised() Expr {
	open := p.tok.start
	p.enter()
	defer p.leave()
	p.next()
	e := p.sum()
	if p.err == nil && p.tok.kind != ')' {
		p.fail(p.tok.start, "%s; the parenthesis of column %d is still open",
			p.unexpected("an operator or )"), p.column(open))
	}
	p.next()
	return e
}

// call reads the arguments of a function. The larger or smaller of more than two is that of the first ones and the
// last.
func (p *parser) call(f Func) Expr {
	open := p.tok.start
	p.enter()
	defer p.leave()
	var args []Expr
	for more := true; more; more = p.err == nil && p.tok.kind == ',' {
		p.next()
		args = append(args, p.sum())
	}
	n := f.Arity()
	switch {
	case p.err != nil:
	case p.tok.kind != ')':
		p.fail(p.tok.start, "%s; the parenthesis of column %d is still open",
			p.unexpected("an operator or )"), p.column(open))
	case len(args) < n, n == 1 && len(args) > 1:
		p.fail(open, "%s takes %s, not %d", f, []string{"one argument", "two or more arguments"}[n-1], len(args))
	}
	if p.err != nil {
		return number(0)
	}
	p.next()
	e := Call(f, args[:n]...)
	for _, x := range args[n:] {
		e = Call(f, e, x)
	}
	return e
}

func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.tok.start, "nested more than %d levels deep (simplify the formula)", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) next() {
	if p.err != nil {
		return
	}
	tok, msg := p.lexer.next()
	if msg != "" {
		p.fail(tok.start, "%s", msg)
		return
	}
	p.tok = tok
}

// fail notes the first error.
func (p *parser) fail(offset int, format string, args ...any) {
	if p.err == nil {
		p.err = &SyntaxError{Input: p.s, Offset: offset, Column: p.column(offset), Msg: fmt.Sprintf(format, args...)}
	}
}

func (p *parser) column(offset int) int { return utf8.RuneCountInString(p.s[:offset]) + 1 }

// unexpected describes the current token where something else was wanted.
func (p *parser) unexpected(want string) string {
	switch p.tok.kind {
	case tokEnd:
		return "the formula ends here, want " + want
	case tokName, tokQuoted, tokNumber, '(':
		if strings.HasPrefix(want, "an operator") {
			return fmt.Sprintf("%q follows without an operator (write * for a product)", p.source())
		}
	}
	return fmt.Sprintf("unexpected %q, want %s", p.source(), want)
}

// source is the current token as it was typed.
func (p *parser) source() string { return abbreviate(p.s[p.tok.start:p.pos]) }

func funcNames() string {
	names := make([]string, len(funcs))
	for i, f := range Funcs() {
		names[i] = f.String()
	}
	return strings.Join(names, ", ")
}

// abbreviate cuts s to what fits into a message.
func abbreviate(s string) string {
	const limit = 60
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit]) + "…"
}
