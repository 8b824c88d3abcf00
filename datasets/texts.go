package datasets

import (
	"math"
	"regexp"
	"slices"
)

// DifferentTexts returns how many different texts the cells of a column hold that are neither numbers nor missing.
func (s *Sheet) DifferentTexts(column string) int {
	j, ok := s.byName[column]
	if !ok {
		return 0
	}
	return len(s.columns[j].words(len(s.columns[j].texts)))
}

// Texts returns how many cells of a column are neither numbers nor missing.
func (s *Sheet) Texts(column string) int {
	j, ok := s.byName[column]
	if !ok {
		return 0
	}
	return s.columns[j].count[text]
}

// HasMissing reports whether a cell of the column is missing.
func (s *Sheet) HasMissing(column string) bool {
	j, ok := s.byName[column]
	return ok && s.columns[j].count[missing] > 0
}

// HasNegative reports whether a column has a number below zero.
func (s *Sheet) HasNegative(column string) bool {
	j, ok := s.byName[column]
	return ok && slices.ContainsFunc(s.columns[j].values, func(v float64) bool { return v < 0 })
}

// Range returns the smallest and the largest number of a column, ok false where it has none.
func (s *Sheet) Range(column string) (low, high float64, ok bool) {
	j, ok := s.byName[column]
	if !ok || s.columns[j].count[number] == 0 {
		return 0, 0, false
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range s.columns[j].values {
		if !notFinite(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high, low <= high
}

// numberStart is how text begins that was meant as a number.
var numberStart = regexp.MustCompile(`^[<>~≈±+\-−(='’]*\s*` + currency + `?\s*[+\-−]?[.,]?\d`)

// LooksNumeric reports whether a column was meant to hold numbers: at least half of its cells of text begin as numbers
// do and are no dates, or some of its cells are numbers.
func (s *Sheet) LooksNumeric(column string) bool {
	j, ok := s.byName[column]
	if !ok {
		return false
	}
	n := 0
	for _, cell := range s.columns[j].texts {
		if numberStart.MatchString(cell.text) && !isDate(cell.text) {
			n++
		}
	}
	return s.Numeric(column) || n > 0 && 2*n >= len(s.columns[j].texts)
}
