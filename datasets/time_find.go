package datasets

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// timeCoding proposes a coding when all of a column are dates, and in one way only.
func (s *Sheet) timeCoding(c *column) (Coding, bool) {
	moments, layout, zone, ok := s.moments(c)
	if !ok {
		return Coding{}, false
	}
	return Coding{Time: codingOfMoments(moments, layout, zone)}, true
}

// moments returns the moments in a column and how they are written.
func (s *Sheet) moments(c *column) (moments []time.Time, layout dateLayout, zone, ok bool) {
	if c.count[infinite] > 0 || (c.count[text] > 0) == (c.count[number] > 0) {
		return nil, layout, false, false
	}
	if c.count[number] > 0 {
		moments, layout, ok = integerMoments(c)
		return moments, layout, false, ok
	}
	var fits []candidate
	for _, l := range dateLayouts {
		probe := &TimeCoding{Layout: l.name, Unit: "seconds"}
		_, probe.Zone, _ = l.parse(c.texts[0].text)
		if fit, ok := try(c.texts, Coding{Time: probe}, probing{probe}); ok && !l.integer {
			fits = append(fits, fit)
		}
	}
	best, ambiguous := only(fits)
	if ambiguous {
		best, ambiguous = inOrder(fits, best.misses)
	}
	if best.coding.Time == nil || ambiguous {
		return nil, layout, false, false
	}
	layout, _ = dateLayoutOf(best.coding.Time.Layout)
	for _, cell := range c.texts {
		if t, zone, ok := layout.parse(cell.text); ok && zone == best.coding.Time.Zone {
			moments = append(moments, t)
		}
	}
	return moments, layout, best.coding.Time.Zone, true
}

// fewestInOrder is the least number of different dates whose order tells how they are written: by chance one column of
// some 20,000 is in order, one way or the other.
const fewestInOrder = 8

// inOrder returns the candidate in which the dates never go back, or never forward, if those of the others that read
// all but misses cells jump to and fro.
func inOrder(fits []candidate, misses int) (best candidate, ambiguous bool) {
	ambiguous = true
	for _, c := range fits {
		if c.misses != misses {
			continue
		}
		back := make([]float64, len(c.values))
		for i, v := range c.values {
			back[i] = -v
		}
		if !increases(c.values) && !increases(back) || different(c.values, fewestInOrder) < fewestInOrder {
			continue
		}
		if !ambiguous && !sameBits(c.values, best.values) {
			return best, true
		}
		best, ambiguous = c, false
	}
	return best, ambiguous
}

const (
	firstYear = 1900 // dates written as integers are in
	lastYear  = 2100
	// fewestDates is the least number of different integers that are taken for dates. Of integers that begin with such a
	// year one in thirty is a date by chance; that all of five are happens in one table of twenty million.
	fewestDates = 5
)

// integerMoments returns the moments in a column of integers that can be nothing else. YYYYMMDD says so itself. Counts
// of seconds and milliseconds do not: the name of the column must speak of time, and they never decrease.
func integerMoments(c *column) ([]time.Time, dateLayout, bool) {
	if c.fractions || different(c.values, fewestDates) < fewestDates {
		return nil, dateLayout{}, false
	}
	for _, kind := range []struct {
		layout    string
		low, high float64 // of the integers
		evident   bool
	}{
		{monthLayout, firstYear * 1e2, (lastYear + 1) * 1e2, true},
		{"YYYYMMDD", firstYear * 1e4, (lastYear + 1) * 1e4, true},
		{"YYYYMMDDhhmm", firstYear * 1e8, (lastYear + 1) * 1e8, true},
		{"YYYYMMDDhhmmss", firstYear * 1e10, (lastYear + 1) * 1e10, true},
		{secondLayout, 1e9, 4.1e9, false},  // from 2001 to 2099
		{milliLayout, 1e12, 4.1e12, false}, // the same
	} {
		l, _ := dateLayoutOf(kind.layout)
		if !kind.evident && (!soundsLikeTime(c.name) || !increases(c.values)) {
			continue
		}
		moments, ok := l.integers(c.values, kind.low, kind.high)
		if ok && (l.name != monthLayout || severalYears(moments)) {
			return moments, l, true
		}
	}
	return nil, dateLayout{}, false
}

// severalYears reports whether moments are of more than one year: 200001, 200002 and so on may be numbers of parts.
func severalYears(moments []time.Time) bool {
	return slices.ContainsFunc(moments, func(t time.Time) bool { return t.Year() != moments[0].Year() })
}

// integers reads all of values but NaN as moments.
func (l dateLayout) integers(values []float64, low, high float64) ([]time.Time, bool) {
	var moments []time.Time
	for _, v := range values {
		if math.IsNaN(v) {
			continue
		}
		if !(v >= low && v < high) {
			return nil, false
		}
		t, _, ok := l.parse(strconv.FormatInt(int64(v), 10))
		if !ok {
			return nil, false
		}
		moments = append(moments, t)
	}
	return moments, true
}

// timeWords are what names of columns of time have in them.
var timeWords = []string{"time", "date", "epoch", "unix", "stamp"}

func soundsLikeTime(name string) bool {
	name = strings.ToLower(name)
	has := func(word string) bool { return strings.Contains(name, word) }
	return name == "ts" || slices.ContainsFunc(timeWords, has)
}

func increases(values []float64) bool {
	last := math.Inf(-1)
	for _, v := range values {
		if v < last {
			return false
		}
		if !math.IsNaN(v) {
			last = v
		}
	}
	return true
}

// different returns how many different numbers a column has, counted up to most.
func different(values []float64, most int) int {
	seen := make(map[float64]bool, most)
	for _, v := range values {
		if len(seen) == most {
			break
		}
		if !math.IsNaN(v) {
			seen[v] = true
		}
	}
	return len(seen)
}

// codingOfMoments chooses the unit by the span of the moments, and a round origin. Where all are dates without a time
// it is at least days.
func codingOfMoments(moments []time.Time, layout dateLayout, zone bool) *TimeCoding {
	first, last := slices.MinFunc(moments, time.Time.Compare), slices.MaxFunc(moments, time.Time.Compare)
	midnight := func(t time.Time) bool { return t.Equal(t.Truncate(24 * time.Hour)) }
	onlyDates := layout.name != clockLayout &&
		!slices.ContainsFunc(moments, func(t time.Time) bool { return !midnight(t) })
	span := secondsBetween(first, last)
	coding := &TimeCoding{Layout: layout.name, Zone: zone}
	for _, u := range timeUnits {
		long := span > u.span && (u.name != "days" || !layout.ofDay())
		if long || onlyDates && u.seconds > 0 && u.seconds < daySeconds {
			continue
		}
		if coding.Unit = u.name; u.origin != nil && !layout.ofDay() {
			coding.Origin = u.origin(first).Format(originLayout)
		}
		break
	}
	return coding
}

// eitherDayOrMonth is the way out for a cell that is one date when the day comes first and another when the month does,
// and empty for all other cells.
func eitherDayOrMonth(cell string) string {
	var first time.Time
	for _, l := range dateLayouts {
		t, _, ok := l.parse(cell)
		switch {
		case !ok || l.integer:
		case first.IsZero():
			first = t
		case !t.Equal(first):
			return "the day or the month may come first; write dates as 2024-03-31"
		}
	}
	return ""
}

// isDate reports whether a cell is a date that does not look like a number, with or without a time.
func isDate(cell string) bool {
	return slices.ContainsFunc(dateLayouts, func(l dateLayout) bool {
		_, _, ok := l.parse(cell)
		return ok && !l.integer
	})
}
