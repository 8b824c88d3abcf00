package datasets

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// plusMinus cuts a cell into a number and its uncertainty: 1.75 ± 0.1, or 1.75(10), in units of the last digit.
var plusMinus = regexp.MustCompile(
	`^\(?([+\-−]?[\d.,]+(?:[eE][+\-]?\d+)?)(?:` +
		gap + `*(?:±|\+/-|\+-|\\pm)` + gap + `*([\d.,]+(?:[eE][+\-]?\d+)?)\)?|` +
		gap + `?\(([\d.,]+)\))$`)

// withUncertainty reads a cell that holds a number and its uncertainty.
func withUncertainty(cell string, d Decimal) (value, uncertainty float64, ok bool) {
	if len(cell) > longestValue {
		return 0, 0, false
	}
	p := plusMinus.FindStringSubmatch(cell)
	if p == nil {
		return 0, 0, false
	}
	digits := strings.ReplaceAll(p[1], minus, "-")
	value, kind := parseCell([]byte(digits), d)
	uncertainty, of := parseCell([]byte(p[2]+p[3]), d)
	if kind != number || of != number {
		return 0, 0, false
	}
	if p[3] != "" && !strings.Contains(p[3], d.mark()) { // 1.75(10) is 1.75 ± 0.10
		if strings.Contains(cell, " (") { // which may be a count
			return 0, 0, false
		}
		_, fraction, _ := strings.Cut(digits, d.mark())
		uncertainty *= math.Pow10(-len(fraction))
	}
	return value, uncertainty, true
}

// splitUncertainties makes two columns of one whose cells are numbers with their uncertainties: the numbers, and behind
// them the uncertainties, by the name of the column and _err.
func (s *Sheet) splitUncertainties() {
	for j := 0; j < len(s.columns); j++ {
		c := &s.columns[j]
		name := c.name + "_err"
		taken := slices.ContainsFunc(s.columns, func(o column) bool { return o.name == name })
		if len(c.texts) == 0 || c.count[number]+c.count[infinite] > 0 || c.name == "" || taken {
			continue
		}
		values, errors := slices.Clone(c.values), slices.Clone(c.values)
		var others []textCell
		for _, t := range c.texts {
			v, u, ok := withUncertainty(t.text, s.opt.Decimal)
			if values[t.row], errors[t.row] = v, u; !ok {
				values[t.row], errors[t.row] = math.NaN(), math.NaN()
				others = append(others, t)
			}
		}
		if len(others) > tolerated(len(c.texts)) { // of which the first is an error, if the column is used
			continue
		}
		example := c.texts[0].text
		c.count[number], c.count[text] = len(c.texts)-len(others), len(others)
		c.values, c.texts, c.first[text], c.marked, c.fractions = values, others, firstCell{}, true, true
		if len(others) > 0 {
			c.first[text] = firstCell{others[0].line, clip(others[0].text)}
		}
		of := *c
		of.name, of.values, of.texts, of.count[missing], of.count[text] = name, errors, nil, c.count[missing]+len(others), 0
		of.first[text] = firstCell{}
		if of.first[missing].line == 0 {
			of.first[missing] = c.first[text]
		}
		s.note("column %s: cells such as %s are numbers with their uncertainties, which are column %s",
			quote(c.name), quote(example), quote(name))
		s.columns = slices.Insert(s.columns, j+1, of)
		j++
	}
}
