package datasets

import (
	"fmt"
	"slices"
	"strings"
)

// mostUnits is how many units a note lists.
const mostUnits = 12

// anyNumber reports whether a cell is a number or a date.
func (s *Sheet) anyNumber(cells []cell) bool {
	return slices.ContainsFunc(cells, func(c cell) bool { return s.isValue(c) })
}

func (s *Sheet) isValue(c cell) bool {
	_, kind := parseCell(c.text, s.opt.Decimal)
	return kind == number || kind == infinite || kind == text && isDate(string(c.text))
}

// holdsUnits reports whether the row above, in which nothing is a number, holds units: words of the length of units,
// and below each a number, an amount with a unit, a date, or nothing.
func (s *Sheet) holdsUnits(above, below []cell) bool {
	words := 0
	for j, c := range above {
		_, kind := parseCell(c.text, s.opt.Decimal)
		if kind != text {
			continue
		}
		unit := bare(c)
		_, next := parseCell(below[j].text, s.opt.Decimal)
		if noUnit(unit) {
			words++
			continue
		}
		if !isUnit(strings.TrimPrefix(unit, "1/")) || numberStart.MatchString(strings.TrimPrefix(unit, "1/")) ||
			checkBytes(c.text) != nil {
			return false
		}
		if next != missing && !s.isValue(below[j]) && !numberStart.Match(below[j].text) { // 12.5% is one in the end
			return false
		}
		words++
	}
	return words > 0 && s.anyNumber(below)
}

// bare is a cell without brackets around it.
func bare(c cell) string { return strings.Trim(string(c.text), "[](){}") }

// noUnit reports whether a cell without its brackets says that a column is one of pure numbers.
func noUnit(bare string) bool {
	_, kind := parseCell([]byte(bare), Point)
	return kind == missing || bare == "1"
}

// keepUnits keeps the words of a line of units.
func (s *Sheet) keepUnits(cells []cell) {
	var list []string
	for j, c := range cells {
		_, kind := parseCell(c.text, s.opt.Decimal)
		if kind != text || noUnit(bare(c)) {
			continue
		}
		s.columns[j].unit = string(c.text)
		switch {
		case len(list) < mostUnits:
			list = append(list, fmt.Sprintf("%s in %s", clip(s.columns[j].name), clip(s.columns[j].unit)))
		case len(list) == mostUnits:
			list = append(list, "…")
		}
	}
	s.note("line %d holds units: %s", s.units, strings.Join(list, ", "))
}

// UnitLine returns the line of the file that holds units, see [Sheet.Unit]; it means nothing when no column has a unit.
func (s *Sheet) UnitLine() int { return s.units }

// Unit returns the unit of a column from the line of units below the header, as it is written there; without one
// it is empty.
func (s *Sheet) Unit(column string) string {
	if j, ok := s.byName[column]; ok {
		return s.columns[j].unit
	}
	return ""
}
