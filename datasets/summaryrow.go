package datasets

import (
	"bytes"
	"slices"
	"strings"
)

// summaryWords are what stands in the rows below a table that sum it up. Rows with the words in more count as such only
// beside one of these: min and max may be the names of samples.
var (
	summaryWords = []string{"total", "totals", "grand total", "sum", "subtotal", "mean", "average", "avg", "avg.",
		"summe", "gesamt", "mittelwert", "mittel", "durchschnitt", "totale", "somme", "moyenne", "suma", "media", "promedio"}
	moreSummaryWords = []string{"std", "std.", "sd", "stdev", "std dev", "standard deviation", "median",
		"min", "max", "minimum",
		"maximum", "count", "n", "variance", "cv", "rsd", "standardabweichung"}
)

// mostSummaries is how many rows may sum up a table.
const mostSummaries = 10

// summaries are the last rows so far if they seem to sum up those above. They are held back until the next row, or the
// end, says whether they do.
type summaries struct {
	rows  [][]cell
	words []string // one of each row
	off   bool     // such a word names rows of this table
}

// sumsUp returns the word by which a row says that it sums up others: it has one, and a number.
func (s *Sheet) sumsUp(cells []cell) (word string) {
	i := slices.IndexFunc(cells, func(c cell) bool { return isSummaryWord(c.text) })
	amount := func(c cell) bool { return s.isValue(c) || numberStart.Match(c.text) } // such as 46 %
	if i < 0 || !slices.ContainsFunc(cells, amount) {
		return ""
	}
	return string(cells[i].text)
}

func isSummaryWord(b []byte) bool {
	if len(b) == 0 || b[0]|0x20 < 'a' || b[0]|0x20 > 'z' { // as most cells, which are numbers
		return false
	}
	return isAmong(summaryWords, b) || isAmong(moreSummaryWords, b)
}

// isAmong reports whether a word, perhaps with a colon behind it, is one of some.
func isAmong(words []string, b []byte) bool {
	b = bytes.TrimRight(b, ": ")
	return slices.ContainsFunc(words, func(w string) bool { return len(w) == len(b) && strings.EqualFold(w, string(b)) })
}

// hold holds back a row that seems to sum up others, and reports whether it did. Rows that were held back are added to
// the sheet when another follows, or when a word is met twice: it is then a name of rows.
func (s *Sheet) hold(cells []cell) (held bool, err error) {
	h := &s.summaries
	if h.off {
		return false, nil
	}
	word := s.sumsUp(cells)
	if word == "" && h.rows == nil {
		return false, nil
	}
	if word != "" && s.drawn.total > 0 && len(h.rows) < mostSummaries && !slices.Contains(h.words, word) {
		h.rows, h.words = append(h.rows, cloneCells(cells)), append(h.words, word)
		return true, nil
	}
	return false, s.release()
}

// release adds the rows that were held back to the sheet, as rows like all others.
func (s *Sheet) release() error {
	h := s.summaries
	s.summaries = summaries{off: true}
	for _, row := range h.rows {
		if err := s.fill(row); err != nil {
			return err
		}
	}
	return nil
}

// leaveOutSummaries ends the sheet before the rows that sum it up, and says so.
func (s *Sheet) leaveOutSummaries() error {
	h := s.summaries
	if !slices.ContainsFunc(h.words, func(w string) bool { return isAmong(summaryWords, []byte(w)) }) {
		return s.release()
	}
	s.summaries.rows = nil
	for i, row := range h.rows {
		s.note("line %d, %s, sums up the rows above and is left out (write another word there if it does not)",
			row[0].line, quote(h.words[i]))
	}
	return nil
}
