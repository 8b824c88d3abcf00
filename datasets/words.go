package datasets

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Words codes a column of two words: the word Words[i] is the number i. Capitals and small letters are the same, unless
// the words differ by them alone.
type Words []string

const (
	twoWords    = 2  // a column of more would need a number of its own for each
	longestWord = 40 // in bytes; longer cells are remarks
	// mostSpellings is how many spellings two words have at most: three of each, in small letters, in capitals, with one.
	mostSpellings = 3 * twoWords
)

// wordCoding proposes 0 and 1 for a column of two words, in the order of the alphabet. What begins as numbers do is no
// word.
func (s *Sheet) wordCoding(c *column) (Coding, bool) {
	if c.count[number]+c.count[infinite] > 0 {
		return Coding{}, false
	}
	words := spelled(c.words(mostSpellings + 1))
	if slices.ContainsFunc(words, func(w string) bool { return numberStart.MatchString(w) || isDate(w) }) {
		return Coding{}, false // meant as something else
	}
	w := Words(slices.Sorted(slices.Values(words)))
	return Coding{Words: w}, w.validate() == nil
}

// spelled returns two words for two that are spelled in several ways, as True, TRUE and false are: the first spelling
// of each. Other lists stay.
func spelled(words []string) []string {
	if len(words) <= twoWords || len(words) > mostSpellings {
		return words
	}
	var different []string
	for _, w := range words {
		if !slices.ContainsFunc(different, func(d string) bool { return strings.EqualFold(d, w) }) {
			different = append(different, w)
		}
	}
	if len(different) != twoWords {
		return words
	}
	return different
}

// words returns the different texts of a column in the order of the file, at most most of them.
func (c *column) words(most int) []string {
	var words []string
	seen := map[string]bool{}
	for _, cell := range c.texts {
		if len(words) == most {
			break
		}
		if !seen[cell.text] {
			seen[cell.text] = true
			words = append(words, cell.text)
		}
	}
	return words
}

func (w Words) validate() error {
	if len(w) != twoWords || w[0] == w[1] {
		return fmt.Errorf("a coding of words has %d of them, want %d different ones", len(w), twoWords)
	}
	if slices.ContainsFunc(w, func(s string) bool { return s == "" || len(s) > longestWord }) {
		return errors.New("a word of a coding is empty or too long")
	}
	return nil
}

func (w Words) decode(cell string) (float64, bool) {
	i := slices.Index(w, cell)
	if i < 0 && !strings.EqualFold(w[0], w[1]) { // no word has two meanings then
		i = slices.IndexFunc(w, func(word string) bool { return strings.EqualFold(word, cell) })
	}
	return float64(i), i >= 0
}

func (w Words) plain(float64) (float64, bool) { return 0, false }

func (w Words) agrees(Decimal, bool) bool { return true }

func (w Words) wants() string { return listed(w.quoted()) + ", the words of this column" }

func (w Words) reading() string { return "words" }

func (w Words) meaning() string {
	q := w.quoted()
	return fmt.Sprintf("0 for %s, 1 for %s", q[0], q[1])
}

func (w Words) quoted() []string {
	q := make([]string, len(w))
	for i, word := range w {
		q[i] = strconv.Quote(clip(word))
	}
	return q
}
