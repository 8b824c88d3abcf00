package emulator

import (
	"fmt"
	"strings"
)

// token is a word, a string in quotes or a character.
type token struct {
	text string
	line int // from 1
}

const punctuation = ",;:{}[]()+-=@!<>|"

// lex splits a text into tokens and drops its comments.
func lex(text string) ([]token, error) {
	var tokens []token
	line := 1
	for text != "" {
		n := 1
		switch c := text[0]; {
		case c == '\n':
			line++
		case c == ' ' || c == '\t' || c == '\r':
		case strings.HasPrefix(text, "//"):
			n = end(text, "\n", 0)
		case strings.HasPrefix(text, "/*"):
			n = end(text, "*/", 2)
			line += strings.Count(text[:n], "\n")
		case c == '"':
			n = 1 + end(text[1:], `"`, 1)
			tokens = append(tokens, token{text[:n], line})
		case strings.IndexByte(punctuation, c) >= 0:
			tokens = append(tokens, token{text[:1], line})
		default:
			n = strings.IndexFunc(text, func(r rune) bool { return !inWord(r) })
			if n < 0 {
				n = len(text)
			}
			if n == 0 {
				return nil, fmt.Errorf("emulator: line %d: character %q", line, text[0])
			}
			tokens = append(tokens, token{text[:n], line})
		}
		text = text[n:]
	}
	return tokens, nil
}

// end returns where a piece of text ends: past so many bytes of stop, or at the end of all.
func end(text, stop string, past int) int {
	if i := strings.Index(text, stop); i >= 0 {
		return i + past
	}
	return len(text)
}

func inWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_$%.", r)
}
