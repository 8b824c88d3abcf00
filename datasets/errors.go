package datasets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error says what is wrong with a table, where, and what to do. Parts that are not known
// or do not apply are zero.
type Error struct {
	File   string // as given to Read or ReadFile
	Line   int    // counted from 1; of a cell that spans lines, its first
	Column string // name of the column
	Err    error
}

// Error has the form `speed.csv:3: column "v": "off" is not a number (…)`.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	if e.Column != "" {
		fmt.Fprintf(&b, "column %s: ", quote(e.Column))
	}
	fmt.Fprint(&b, e.Err)
	return b.String()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// quoteLimit is how many characters of a cell or a name are printed.
const quoteLimit = 40

// quote is strconv.Quote of s, cut after quoteLimit characters.
func quote(s string) string {
	return strconv.Quote(clip(s))
}

// clip cuts s after quoteLimit characters.
func clip(s string) string {
	n := 0
	for i := range s {
		if n == quoteLimit {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// listLimit is how many column names an error lists.
const listLimit = 20

// unknownName says that there is no such thing as name among have, proposes the closest
// and lists what there is.
func unknownName(what, name string, have []string) error {
	hint := ""
	if near := closest(name, have); near != "" {
		hint = fmt.Sprintf("did you mean %s? ", quote(near))
	}
	list := make([]string, 0, listLimit+1)
	for i, h := range have {
		if i == listLimit {
			list = append(list, fmt.Sprintf("… (%d in all)", len(have)))
			break
		}
		list = append(list, clip(h))
	}
	return fmt.Errorf("there is no %s %s (%sthere are: %s)", what, quote(name), hint, strings.Join(list, ", "))
}

// closest is the name in have with the fewest edits from name, case aside, or "" when all
// need more than a third of its characters, and more than one. Ties go to the first.
func closest(name string, have []string) string {
	if len(name) > 4*quoteLimit {
		return ""
	}
	n := utf8.RuneCountInString(name)
	best, fewest := "", min(n, max(1, n/3)+1)
	for _, h := range have {
		if len(h) > 4*quoteLimit {
			continue
		}
		if d := distance(strings.ToLower(name), strings.ToLower(h)); d < fewest {
			best, fewest = h, d
		}
	}
	return best
}

// distance is the Levenshtein distance of a and b in characters.
func distance(a, b string) int {
	ra, rb := []rune(a), []rune(b)
	row := make([]int, len(rb)+1)
	for j := range row {
		row[j] = j
	}
	for i, ca := range ra {
		above := slices.Clone(row)
		row[0] = i + 1
		for j, cb := range rb {
			swap := above[j]
			if ca != cb {
				swap++
			}
			row[j+1] = min(swap, above[j+1]+1, row[j]+1)
		}
	}
	return row[len(rb)]
}
