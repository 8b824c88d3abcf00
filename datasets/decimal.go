package datasets

import (
	"bufio"
	"bytes"
	"strings"
)

// toldCells is how many cells that tell the decimal mark are looked at.
const toldCells = 1000

// tellDecimal returns the decimal mark of a table: that with which all cells of a sample can be read that only one mark
// explains. 5,50 tells a comma and 1,234.5 a point, 1.234 may be either. Where none is told, or both are, it is the
// point.
func tellDecimal(sample []byte, delim byte) (d Decimal, told bool) {
	scan := newScanner(bufio.NewReader(bytes.NewReader(sample)), delim)
	var by [2]int
	for by[Point]+by[Comma] < toldCells {
		cells, err := scan.next()
		if err != nil { // the last record of a sample may be cut: it is in none of them
			break
		}
		for _, c := range cells {
			if bytes.ContainsAny(c.text, ".,") {
				switch point, comma := mayHave(Point, c.text), mayHave(Comma, c.text); {
				case point && !comma:
					by[Point]++
				case comma && !point:
					by[Comma]++
				}
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
func mayHave(d Decimal, cell []byte) bool {
	if _, kind := parseCell(cell, d); kind == number {
		return true
	}
	a, ok := amountOf(string(cell))
	if !ok {
		return false
	}
	for _, g := range groupMarks {
		n := NumberCoding{Decimal: d, Group: g.marks}
		if digits, ok := n.ungrouped(a.digits); ok && !strings.Contains(g.marks, d.mark()) {
			if _, kind := parseCell([]byte(digits), d); kind == number {
				return true
			}
		}
	}
	return false
}
