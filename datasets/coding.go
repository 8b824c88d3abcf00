package datasets

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Coding says how the cells of a column become numbers where they are not plain numbers. Exactly one part of it is
// set. It is kept beside what was learned from the column, so that other tables are read in the same way.
type Coding struct {
	Number *NumberCoding `json:"number,omitempty"`
	Time   *TimeCoding   `json:"time,omitempty"`
	Words  Words         `json:"words,omitempty"`
	Level  *LevelCoding  `json:"level,omitempty"`
}

// longestValue is the longest cell that is read as a date or an amount, in bytes.
const longestValue = 80

// decoder turns cells into numbers.
type decoder interface {
	validate() error
	decode(cell string) (float64, bool)      // of a cell that is no plain number
	plain(v float64) (float64, bool)         // of a cell that is a plain number
	wants() string                           // says what a cell is: "a date such as 2024-03-31"
	meaning() string                         // says what the numbers are: "days since 2024-01-01"
	reading() string                         // says what the cells are, of all: "dates (YYYY-MM-DD)"
	agrees(d Decimal, marked bool) (ok bool) // whether plain numbers with the mark d were read as it wants them
}

// decoder returns the part that is set.
func (c Coding) decoder() (decoder, error) {
	var parts []decoder
	if c.Number != nil {
		parts = append(parts, c.Number)
	}
	if c.Time != nil {
		parts = append(parts, c.Time)
	}
	if c.Words != nil {
		parts = append(parts, c.Words)
	}
	if c.Level != nil {
		parts = append(parts, c.Level)
	}
	if len(parts) != 1 {
		return nil, fmt.Errorf("a coding has %d parts of number, time, words and level, want one", len(parts))
	}
	return parts[0], parts[0].validate()
}

// Validate reports whether exactly one part is set, and valid.
func (c Coding) Validate() error {
	_, err := c.decoder()
	return err
}

// InputOnly reports whether the column is an input unless somebody says otherwise: times and words are what other
// columns depend on.
func (c Coding) InputOnly() bool { return c.Number == nil }

// Meaning says what the numbers of the column are, such as "days since 2024-01-01". It is empty for a coding that is
// not valid.
func (c Coding) Meaning() string {
	d, err := c.decoder()
	if err != nil {
		return ""
	}
	return d.meaning()
}

// Note says how the cells of the column are read, in a clause.
func (c Coding) Note() string {
	d, err := c.decoder()
	if err != nil {
		return ""
	}
	if !c.HasMeaning() {
		return d.reading()
	}
	return d.reading() + ", read as " + d.meaning()
}

// Codings proposes codings for the columns that are not plain numbers and can be read as numbers in one way only.
// The sheet stays as it is, see [Sheet.Encode].
func (s *Sheet) Codings() map[string]Coding {
	codings := map[string]Coding{}
	for j := range s.columns {
		c := &s.columns[j]
		for _, find := range []func(*column) (Coding, bool){s.timeCoding, s.numberCoding, s.wordCoding} {
			if coding, ok := find(c); ok {
				codings[c.name] = coding
				break
			}
		}
	}
	return codings
}

// Encode turns the columns named in codings into numbers. A cell that its coding cannot read is an *Error with its
// line; missing cells stay missing. Columns of groups are added to the sheet unless it has them. Other columns that the
// sheet lacks are left to [Sheet.Table].
func (s *Sheet) Encode(codings map[string]Coding) error {
	for _, name := range s.Columns() {
		coding, ok := codings[name]
		if !ok || coding.Level != nil {
			continue
		}
		d, err := coding.decoder()
		if err == nil {
			err = s.encode(&s.columns[s.byName[name]], d)
		}
		if located := (*Error)(nil); errors.As(err, &located) {
			return err
		} else if err != nil {
			return &Error{File: s.name, Column: name, Err: err}
		}
	}
	return s.derive(codings)
}

// encode replaces the values of a column.
func (s *Sheet) encode(c *column, d decoder) error {
	refuse := func(line int, cell string) error {
		return &Error{File: s.name, Line: line, Column: c.name, Err: fmt.Errorf("%s is not %s%s", quote(cell), d.wants(),
			s.advice("clean the cell", s.opt.say(LeaveOut, c.name)))}
	}
	if !d.agrees(s.opt.Decimal, c.marked) {
		return &Error{File: s.name, Column: c.name, Err: fmt.Errorf(
			"there are numbers with a decimal %s, and the column is to be %s (%s)",
			s.opt.Decimal, d.wants(), s.opt.say(UseComma-Way(s.opt.Decimal), ""))}
	}
	values := make([]float64, len(c.values))
	texts := c.texts
	for i, v := range c.values {
		if len(texts) > 0 && texts[0].row == i {
			decoded, ok := d.decode(texts[0].text)
			if !ok {
				return refuse(texts[0].line, texts[0].text)
			}
			values[i], texts = decoded, texts[1:]
			continue
		}
		values[i] = v
		if notFinite(v) {
			continue // missing, or refused by Table
		}
		decoded, ok := d.plain(v)
		if !ok {
			return refuse(s.lines[i], strconv.FormatFloat(v, 'f', -1, 64))
		}
		values[i] = decoded
	}
	c.count[number] += c.count[text]
	c.values, c.texts, c.count[text], c.first[text] = values, nil, 0, firstCell{}
	return nil
}

// candidate is a way to read a column.
type candidate struct {
	coding Coding
	values []float64 // of the cells of text, NaN where it cannot read one
	misses int       // how many these are
}

// tolerated returns how many of n cells a coding may be unable to read when it is proposed: a tenth, or one of at least
// four. They are errors then, as text among numbers is.
func tolerated(n int) int { return max(n/10, min(n/4, 1)) }

// try reads cells of text by a coding. It gives up where it fails too often.
func try(cells []textCell, coding Coding, d decoder) (candidate, bool) {
	c := candidate{coding: coding, values: make([]float64, len(cells))}
	most := tolerated(len(cells))
	for i, cell := range cells {
		v, ok := d.decode(cell.text)
		if !ok {
			v = math.NaN()
			if c.misses++; c.misses > most {
				return c, false
			}
		}
		c.values[i] = v
	}
	return c, true
}

// only returns the candidate that reads the most cells. Where several do and give different numbers the column is
// ambiguous.
func only(candidates []candidate) (best candidate, ambiguous bool) {
	if len(candidates) == 0 {
		return candidate{}, false
	}
	best = candidates[0]
	for _, c := range candidates[1:] {
		switch {
		case c.misses < best.misses:
			best, ambiguous = c, false
		case c.misses == best.misses && !sameBits(c.values, best.values):
			ambiguous = true
		}
	}
	return best, ambiguous
}

// sameBits reports whether two columns are the same, NaN being NaN.
func sameBits(a, b []float64) bool {
	for i, v := range a {
		if v != b[i] && (!math.IsNaN(v) || !math.IsNaN(b[i])) {
			return false
		}
	}
	return true
}

// listed joins words by commas, the last by or.
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
