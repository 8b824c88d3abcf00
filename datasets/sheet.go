package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Sheet is a file as it was read: rows of cells of which some are numbers. Its columns
// are checked only when they are used, by [Sheet.Table].
type Sheet struct {
	name    string
	sha256  string // of what was read, in hexadecimal digits
	opt     Options
	line    int  // of the first row, names or numbers
	header  bool // whether that row holds names
	columns []column
	byName  map[string]int
	notes   []string
	lines   []int  // of the rows
	units   int    // the line of the first row below a header when no cell of it is a number, 0 otherwise
	pending []cell // that row, until the next says whether it holds units
	drawn   reservoir

	summaries summaries
}

// column holds the numbers of a column and what is needed to say what else is in it.
type column struct {
	name      string
	unit      string              // from a line of units, or empty
	values    []float64           // ±Inf where infinite, NaN where missing or text
	count     [text + 1]int       // cells of each kind
	first     [text + 1]firstCell // the first cell of each kind but number
	texts     []textCell          // all cells of text
	marked    bool                // a number has the decimal mark
	fractions bool                // a number is written with more than digits
	written   written             // in what other way numbers are
}

// textCell is a cell that is neither a number nor missing.
type textCell struct {
	row, line int
	text      string
}

// firstCell is the first cell of its kind in a column; line is 0 when there is none.
type firstCell struct {
	line int
	text string // clipped
}

// Name returns the name given to [Read].
func (s *Sheet) Name() string { return s.name }

// SHA256 returns the hash of the bytes that were read, compressed ones as they are, in hexadecimal digits.
func (s *Sheet) SHA256() string { return s.sha256 }

// Notes returns what a person should know of how the file was read, a sentence each without its period.
func (s *Sheet) Notes() []string { return s.notes }

func (s *Sheet) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// Rows returns the number of rows, the header not counted.
func (s *Sheet) Rows() int { return len(s.columns[0].values) }

// Lines returns the lines of the file that some rows begin in.
func (s *Sheet) Lines(rows []int) Lines {
	var l Lines
	for i, r := range rows {
		if n := len(l); n == 0 || s.lines[r] != l[n-1][1]+i-l[n-1][0] {
			l = append(l, [2]int{i, s.lines[r]})
		}
	}
	return l
}

// Columns returns the names of all columns, in the order of the file.
func (s *Sheet) Columns() []string {
	names := make([]string, len(s.columns))
	for j := range s.columns {
		names[j] = s.columns[j].name
	}
	return names
}

// Numeric reports whether any cell of the column is a number. A column in which none is
// holds names or notes, or nothing, and is best left aside; one in which some are is
// meant to be numeric, and [Sheet.Table] refuses what else is in it.
func (s *Sheet) Numeric(column string) bool {
	j, ok := s.byName[column]
	return ok && s.columns[j].count[number]+s.columns[j].count[infinite] > 0
}

// FirstText returns the first cell of a column that is neither a number nor missing, with its line. The line is 0 if
// there is none. If one of the cells can be read in several ways, such as a number with the other decimal mark, way
// advises what to do.
func (s *Sheet) FirstText(column string) (line int, cell, way string) {
	j, ok := s.byName[column]
	if !ok || s.columns[j].count[text] == 0 {
		return 0, "", ""
	}
	first := s.columns[j].first[text]
	for _, cell := range s.columns[j].texts {
		if way = s.way(cell.text); way != "" {
			break
		}
	}
	return first.line, first.text, way
}

// Table checks the columns named and returns them, in that order, with the indices of the rows
// that it keeps: all but those in which a cell of these columns is missing, see [Options].
//
// Text, Inf and numbers beyond float64 are errors, and missing cells are unless they are
// to be dropped. The table shares its columns with the sheet when no row was left out.
func (s *Sheet) Table(columns []string) (t *Table, kept []int, err error) {
	cols := make([][]float64, len(columns))
	for k, name := range columns {
		j, ok := s.byName[name]
		if !ok {
			return nil, nil, &Error{File: s.name, Err: unknownName("column", name, s.Columns())}
		}
		if err := s.check(&s.columns[j]); err != nil {
			return nil, nil, err
		}
		cols[k] = slices.Clip(s.columns[j].values)
	}
	if kept = complete(cols, s.Rows()); len(kept) < s.Rows() {
		if len(kept) == 0 && s.opt.parts == nil {
			advice := s.advice(s.opt.say(LeaveSparse, ""))
			return nil, nil, &Error{File: s.name, Err: errors.New("every row misses a cell in the columns used" + advice)}
		}
		cols = (&Table{Names: columns, Cols: cols}).Take(kept).Cols
	}
	if t, err = New(slices.Clone(columns), cols); err != nil {
		return nil, nil, &Error{File: s.name, Err: err}
	}
	return t, kept, nil
}

// complete returns the indices of the rows without NaN.
func complete(cols [][]float64, rows int) []int {
	keep := make([]int, 0, rows)
	for i := range rows {
		if !slices.ContainsFunc(cols, func(col []float64) bool { return math.IsNaN(col[i]) }) {
			keep = append(keep, i)
		}
	}
	return keep
}

// check returns an error for the first cell that a column in use must not have.
func (s *Sheet) check(c *column) error {
	worst := number
	for kind := infinite; kind <= text; kind++ {
		if c.count[kind] == 0 || kind == missing && s.opt.Missing == MissingDrop {
			continue
		}
		if worst == number || c.first[kind].line < c.first[worst].line {
			worst = kind
		}
	}
	if worst == number {
		return nil
	}
	cell := c.first[worst]
	if worst == text && cell.line == s.units && c.count[number] > 0 {
		return &Error{File: s.name, Line: cell.line, Column: c.name, Err: fmt.Errorf(
			"%q is not a number, nor is anything in this line: is it one of units? (remove it, or let it start with #)",
			cell.text)}
	}
	return &Error{File: s.name, Line: cell.line, Column: c.name, Err: s.complaint(c, worst, cell.text)}
}

// complaint says what is wrong with a cell of column c and what to do.
func (s *Sheet) complaint(c *column, kind cellKind, cell string) error {
	ignore := s.opt.say(LeaveOut, c.name)
	switch {
	case kind == infinite && strings.ContainsAny(cell, "0123456789"):
		return fmt.Errorf("%q is too large for a float64%s", cell, s.advice("change the unit", ignore))
	case kind == infinite:
		return fmt.Errorf("%q is not a finite number%s", cell, s.advice("clean the cell", ignore))
	case kind == missing && cell == "":
		return fmt.Errorf("the cell is empty%s", s.advice("fill it", s.opt.say(DropRows, ""), ignore))
	case kind == missing:
		return fmt.Errorf("%q is not a finite number%s", cell, s.advice("fill the cell", s.opt.say(DropRows, ""), ignore))
	}
	if way := s.way(cell); way != "" {
		return fmt.Errorf("%q is not a number (%s)", cell, way)
	}
	return fmt.Errorf("%q is not a number%s", cell, s.advice("clean the cell", ignore))
}

// way is the way out for a cell that is a number or a date if it is read in one of several ways, or empty.
func (s *Sheet) way(cell string) string {
	if way := s.decimalWay(cell); way != "" {
		return way
	}
	if minutesOrHours.MatchString(cell) {
		return "hours and minutes, or minutes and seconds? write durations as 1:21:30"
	}
	return eitherDayOrMonth(cell)
}

var minutesOrHours = regexp.MustCompile(`^\d+:[0-5]\d$`)

// decimalWay is the way out for a cell that is a number with the other decimal mark.
func (s *Sheet) decimalWay(cell string) string {
	switch other := Comma - s.opt.Decimal; {
	case !isKind(cell, other, number):
		return ""
	case other == Point:
		return "if the point is the decimal mark, " + s.opt.say(UsePoint, "") + ", the default"
	}
	return "if the comma is the decimal mark, " + s.opt.say(UseComma, "") + s.orThousands(cell)
}

// orThousands is what else a comma may be.
func (s *Sheet) orThousands(cell string) string {
	whole, part, _ := strings.Cut(strings.TrimLeft(cell, "+-"), ",")
	if len(part) == 3 && len(whole) >= 1 && len(whole) <= 3 && !strings.ContainsAny(cell, "eE") {
		return "; if it parts thousands, " + s.opt.say(UsePoint, "")
	}
	return ""
}

// advice lists ways out in parentheses. The last, which does without a column, is left out when all
// are needed.
func (s *Sheet) advice(ways ...string) string {
	if s.opt.AllNeeded {
		ways = ways[:len(ways)-1]
	}
	switch n := len(ways); n {
	case 0:
		return ""
	case 1:
		return " (" + ways[0] + ")"
	default:
		return " (" + strings.Join(ways[:n-1], ", ") + ", or " + ways[n-1] + ")"
	}
}

func isKind(cell string, d Decimal, want cellKind) bool {
	_, kind := parseCell([]byte(cell), d)
	return kind == want
}

// setNames makes the columns of the first row with their names, without any x1, x2, …. A line break or a tab in a
// name becomes a space.
func (s *Sheet) setNames(first, names []cell) error {
	s.line, s.header = first[0].line, names != nil
	s.columns = make([]column, len(first))
	seen := make(map[string]int, len(first))
	for j := range first {
		if names == nil {
			s.columns[j].name = "x" + strconv.Itoa(j+1)
			continue
		}
		c := names[j]
		if err := checkBytes(c.text); err != nil {
			return &Error{Line: c.line, Err: err}
		}
		name := string(c.text)
		if strings.ContainsFunc(name, unicode.IsControl) {
			if name = strings.Join(strings.Fields(name), " "); strings.ContainsFunc(name, unicode.IsControl) {
				return &Error{Line: c.line,
					Err: fmt.Errorf("the name of column %d has a control character in it, %q (rename it)", j+1, name)}
			}
		}
		if k, ok := seen[name]; ok && name != "" {
			return &Error{Line: c.line, Column: name,
				Err: fmt.Errorf("columns %d and %d both have this name (rename one)", k+1, j+1)}
		}
		seen[name] = j
		s.columns[j].name = name
	}
	return nil
}

// addRow adds a row of cells, one for each column.
func (s *Sheet) addRow(cells []cell) error {
	if len(cells) != len(s.columns) {
		what := "first row"
		if s.header {
			what = "header"
		}
		advice := "add or remove cells, or quote a cell with a delimiter in it"
		if s.header && len(s.columns) == 1 && len(cells) > 1 { // a line of notes was taken for the header
			advice = fmt.Sprintf("if lines %d to %d are not the table, delete them or put # before each",
				s.line, cells[0].line-1)
		}
		return &Error{Line: cells[0].line, Err: fmt.Errorf("this row has %s, the %s has %d (%s)",
			plural(len(cells), "cell"), what, len(s.columns), advice)}
	}
	if s.pending != nil {
		above := s.pending
		s.pending = nil
		if s.holdsUnits(above, cells) {
			s.keepUnits(above)
		} else if err := s.fill(above); err != nil {
			return err
		}
	} else if s.header && s.drawn.total == 0 && s.units == 0 && !s.anyNumber(cells) {
		s.units, s.pending = cells[0].line, cloneCells(cells)
		return nil
	}
	if held, err := s.hold(cells); held || err != nil {
		return err
	}
	return s.fill(cells)
}

// fill adds a row of cells to the columns.
func (s *Sheet) fill(cells []cell) error {
	row := s.place()
	s.lines = put(s.lines, row, cells[0].line)
	for j, cell := range cells {
		c := &s.columns[j]
		v, kind := parseCell(cell.text, s.opt.Decimal)
		c.values = put(c.values, row, v)
		c.count[kind]++
		switch kind {
		case number:
			c.look(cell.text, s.opt.Decimal)
			continue
		case text:
			if err := checkBytes(cell.text); err != nil {
				return &Error{Line: cell.line, Column: c.name, Err: err}
			}
			if row >= 0 {
				c.texts = append(c.texts, textCell{s.drawn.total - 1 - s.drawn.first, cell.line, string(cell.text)})
			}
		}
		if c.first[kind].line == 0 {
			c.first[kind] = firstCell{cell.line, clip(string(cell.text))}
		}
	}
	if p := s.opt.parts; p != nil && len(s.lines) == p.rows {
		return s.handOn()
	}
	return nil
}

// put sets an element of a list, or appends it; a negative place is none.
func put[T any](list []T, at int, v T) []T {
	switch {
	case at == len(list):
		return append(list, v)
	case at >= 0:
		list[at] = v
	}
	return list
}

// look notes how a number is written, which its value does not tell.
func (c *column) look(b []byte, d Decimal) {
	if !c.marked {
		c.marked = bytes.IndexByte(b, d.mark()[0]) >= 0
	}
	c.written.look(b, d)
	if !c.fractions {
		c.fractions = bytes.ContainsFunc(b, func(r rune) bool { return r < '0' || r > '9' })
	}
}

// finish leaves out the columns that have neither name nor contents, and refuses those
// with contents that have no name. Without a header it does the same with columns that
// are empty in the first row, which may be a header of numbers.
func (s *Sheet) finish() error {
	if s.pending != nil {
		if err := s.fill(s.pending); err != nil {
			return err
		}
		s.pending = nil
	}
	if s.opt.Most > 0 && s.drawn.total > s.opt.Most {
		s.arrange()
	}
	s.splitUncertainties()
	empty := func(c column) bool { return c.count[missing] == len(c.values) && c.unit == "" }
	if len(s.columns) > 1 && (s.columns[0].name == "" || s.columns[0].name == pandasIndex) {
		switch c := &s.columns[0]; {
		case s.countsRows(c.values):
			s.note("the first column has no name and counts the rows, and is left out")
			s.columns = s.columns[1:]
		case c.name == "" && c.namesRows():
			s.note("the first column has no name and holds names of rows, and is left out")
			s.columns = s.columns[1:]
		}
	}
	for j, c := range s.columns {
		if c.name == "" && !empty(c) {
			return &Error{Line: s.line, Err: fmt.Errorf("column %d has no name (write one into the header; "+
				"if this line is a note above the header, put # before it)", j+1)}
		}
		if !s.header && c.first[missing].line == s.line && !empty(c) && c.first[missing].text == "" {
			return &Error{Line: s.line, Err: fmt.Errorf("column %d is empty where other columns have numbers: "+
				"is this a row or a header? (put a header with all names above it)", j+1)}
		}
	}
	s.columns = slices.DeleteFunc(s.columns, func(c column) bool { return c.name == "" })
	if len(s.columns) == 0 {
		return &Error{Line: s.line, Err: errors.New("no column has a name (write names into the header)")}
	}
	if s.opt.parts == nil {
		s.doubt()
	}
	s.byName = make(map[string]int, len(s.columns))
	for j := range s.columns {
		s.byName[s.columns[j].name] = j
	}
	return nil
}

// pandasIndex is the name that pandas gives to a column without one, and writes with the table.
const pandasIndex = "Unnamed: 0"

// namesRows reports whether a column holds a different text in each row, and none is a number or a date.
func (c *column) namesRows() bool {
	n := len(c.texts)
	return n > 0 && n == len(c.values) && len(c.words(n)) == n &&
		!slices.ContainsFunc(c.texts, func(t textCell) bool { return numberStart.MatchString(t.text) || isDate(t.text) })
}

// countsRows reports whether a column is 0, 1, 2, … or 1, 2, 3, …, as programs number rows.
func (s *Sheet) countsRows(col []float64) bool {
	if len(col) == 0 {
		return false
	}
	first := col[0] - float64(s.fileRow(0))
	for i, v := range col {
		if v != first+float64(s.fileRow(i)) {
			return false
		}
	}
	return first == 0 || first == 1
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
