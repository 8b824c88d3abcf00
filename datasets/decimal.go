package datasets

import "strings"

// tellDecimal returns the decimal mark of a table: that with which all cells of a sample can be read that only one mark
// explains. 5,50 tells a comma and 1,234.5 a point, 1.234 may be either. Where none is told, or both are, it is the
// point.
func tellDecimal(sample []byte, whole bool, delim byte) (d Decimal, told bool) {
	const most = 1000
	var by [2]int
	for _, record := range sampleRecords(sample, whole, delim, most) {
		for _, cell := range record {
			if !strings.ContainsAny(cell, ".,") {
				continue
			}
			switch point, comma := mayHave(Point, cell), mayHave(Comma, cell); {
			case point && !comma:
				by[Point]++
			case comma && !point:
				by[Comma]++
			}
		}
	}
	if by[Comma] == 0 {
		return Point, by[Point] > 0
	}
	if by[Point] == 0 {
		return Comma, true
	}
	return Point, false
}

// mayHave reports whether a cell is a number with a decimal mark, perhaps one with marks between thousands, a currency
// or a unit.
func mayHave(d Decimal, cell string) bool {
	if isKind(cell, d, number) {
		return true
	}
	a, ok := amountOf(cell)
	if !ok {
		return false
	}
	for _, g := range groupMarks {
		if strings.Contains(g.marks, d.mark()) {
			continue
		}
		if _, ok := (&NumberCoding{Decimal: d, Group: g.marks}).value(a.digits); ok {
			return true
		}
	}
	return false
}
