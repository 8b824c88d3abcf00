package formula

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kinds of tokens; an operator or parenthesis is its own character, ** is ^.
const (
	tokEnd    rune = -1 - iota
	tokNumber      // value
	tokName        // text: an identifier
	tokQuoted      // text: what stood between backticks
)

type token struct {
	kind  rune
	start int // offset in bytes
	text  string
	value float64
}

type lexer struct {
	s   string
	pos int // behind the last token
}

// next returns the next token, or what is wrong with it.
func (l *lexer) next() (token, string) {
	for l.pos < len(l.s) {
		r, n := utf8.DecodeRuneInString(l.s[l.pos:])
		if !unicode.IsSpace(r) {
			break
		}
		l.pos += n
	}
	tok := token{kind: tokEnd, start: l.pos}
	if l.pos == len(l.s) {
		return tok, ""
	}
	switch c := l.s[l.pos]; {
	case '0' <= c && c <= '9', c == '.':
		return l.number(tok)
	case c == '`':
		return l.quoted(tok)
	case strings.HasPrefix(l.s[l.pos:], "**"):
		l.pos += 2
		tok.kind = '^'
		return tok, ""
	case strings.IndexByte("+-*/^(),", c) >= 0:
		l.pos++
		tok.kind = rune(c)
		return tok, ""
	}
	if n := identifierLen(l.s[l.pos:]); n > 0 {
		tok.kind, tok.text = tokName, l.s[l.pos:l.pos+n]
		l.pos += n
		return tok, ""
	}
	r, _ := utf8.DecodeRuneInString(l.s[l.pos:])
	return tok, fmt.Sprintf("unexpected character %q (names with such characters go between backticks)", r)
}

func (l *lexer) number(tok token) (token, string) {
	end := l.pos + digitRun(l.s[l.pos:])
	if end < len(l.s) && l.s[end] == '.' {
		end++
		end += digitRun(l.s[end:])
	}
	end += exponentLen(l.s[end:])
	text := l.s[l.pos:end]
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case math.IsInf(v, 0):
		return tok, fmt.Sprintf("%s is too large for a number (the largest is 1.8e308)", abbreviate(text))
	case err != nil:
		return tok, fmt.Sprintf("%q is not a number", abbreviate(text))
	}
	l.pos = end
	tok.kind, tok.value = tokNumber, v
	return tok, ""
}

// exponentLen returns the length of the exponent at the beginning of s: e5, E+5, e-5.
func exponentLen(s string) int {
	if s == "" || s[0]|0x20 != 'e' {
		return 0
	}
	n := 1
	if n < len(s) && (s[n] == '+' || s[n] == '-') {
		n++
	}
	if d := digitRun(s[n:]); d > 0 {
		return n + d
	}
	return 0
}

func (l *lexer) quoted(tok token) (token, string) {
	var name strings.Builder
	for i := l.pos + 1; i < len(l.s); i++ {
		if l.s[i] == '`' {
			i++
			if i == len(l.s) || l.s[i] != '`' {
				l.pos = i
				tok.kind, tok.text = tokQuoted, name.String()
				return tok, ""
			}
		}
		name.WriteByte(l.s[i])
	}
	return tok, "this backtick is never closed"
}

// identifierLen returns the length of the identifier at the beginning of s: a letter or _,
// then letters, digits and _.
func identifierLen(s string) int {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) || r == utf8.RuneError {
			return i
		}
	}
	return len(s)
}

// quoteName returns name as the text form writes it.
func quoteName(name string) string {
	_, isFunc := funcByName(name)
	if name != "" && identifierLen(name) == len(name) && !isFunc && name != "pi" {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}
