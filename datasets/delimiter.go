package datasets

import (
	"bufio"
	"bytes"
	"strconv"
	"strings"
)

// delimiters are what may stand between cells beside spaces, in the order in which they are preferred.
const delimiters = "\t;|,"

// delimiter finds the byte between the cells from the start of a file, or all of it.
//
// A candidate must divide the first record. The one wins that cuts the most of the
// first records into as many cells as that one; then, the one with the larger share of
// numbers among the cells below it; then tab before semicolon before bar before comma. A number may
// have either decimal mark, so that 1,5;2,5 is two cells.
//
// Spaces stand in names, dates and large numbers too. They part the cells where nothing else
// divides the first record and most records have as many words as it, or where they cut
// better than all others and leave numbers only.
func delimiter(sample []byte, whole bool, d Decimal) byte {
	candidates := delimiters
	best := byte(',')
	if d == Comma {
		best = ';'
		if allNumbers(sampleRecords(sample, whole, ';', firstRecords)) {
			candidates = "\t;|" // one column: the commas are decimal marks
		}
	}
	var most score
	for _, c := range []byte(candidates) {
		if s := rate(sampleRecords(sample, whole, c, firstRecords)); s.better(most) {
			best, most = c, s
		}
	}
	words := rate(sampleRecords(sample, whole, ' ', firstRecords))
	if most == (score{}) && words.alike > 0.5 || words == (score{1, 1}) && words.better(most) {
		return ' '
	}
	return best
}

// score is how well a delimiter fits.
type score struct {
	alike   float64 // share of records with as many cells as the first
	numbers float64 // share of numbers among the cells of later records
}

func (s score) better(t score) bool {
	return s.alike > t.alike || s.alike == t.alike && s.numbers > t.numbers
}

func rate(records [][]string) score {
	if len(records) == 0 || len(records[0]) < 2 {
		return score{}
	}
	var alike, cells, numbers int
	width := len(records[0])
	if lacksName(records) {
		width++
	}
	for i, record := range records {
		if len(record) == width || i == 0 {
			alike++
		}
		if i == 0 && len(records) > 1 {
			continue
		}
		cells += len(record)
		for _, c := range record {
			if isNumber(c) {
				numbers++
			}
		}
	}
	return score{float64(alike) / float64(len(records)), float64(numbers) / float64(cells)}
}

// lacksName reports whether a header has no name for the first column, which numbers or names the rows: so R writes it.
func lacksName(records [][]string) bool {
	if len(records) < 3 {
		return false
	}
	width, numbers, filled := len(records[0])+1, true, false
	names := map[string]bool{}
	for i, record := range records[1:] {
		if len(record) != width {
			return false
		}
		numbers = numbers && record[0] == strconv.Itoa(i+1)
		filled = filled || record[width-1] != ""
		if !numberStart.MatchString(record[0]) {
			names[record[0]] = true
		}
	}
	return filled && (numbers || len(names) == len(records)-1)
}

// isNumber reports whether s is a number with either decimal mark, or missing. One that
// ends with a comma is rather cut in the wrong place.
func isNumber(s string) bool {
	_, point := parseCell([]byte(s), Point)
	_, comma := parseCell([]byte(s), Comma)
	return point != text || comma != text && !strings.HasSuffix(s, ",")
}

// allNumbers reports whether every record is one number.
func allNumbers(records [][]string) bool {
	for _, record := range records {
		if len(record) != 1 || !isNumber(record[0]) {
			return false
		}
	}
	return true
}

// firstRecords is how many records the delimiter is told by.
const firstRecords = 50

// sampleRecords cuts the first records of sample at delim, leaving out one that the
// sample does not hold to its end.
func sampleRecords(sample []byte, whole bool, delim byte, most int) [][]string {
	scan := newScanner(bufio.NewReader(bytes.NewReader(sample)), delim)
	var records [][]string
	for len(records) < most {
		cells, err := scan.next()
		if err != nil {
			if !whole && len(records) > 1 {
				records = records[:len(records)-1]
			}
			break
		}
		record := make([]string, len(cells))
		for j, c := range cells {
			record[j] = string(c.text)
		}
		records = append(records, record)
	}
	return records
}
