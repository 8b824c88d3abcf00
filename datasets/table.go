package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Table is a table of finite numbers with named columns, column-major: Cols[j][i] is row
// i of the column Names[j].
type Table struct {
	Names []string
	Cols  [][]float64
}

// New returns a table of the columns given, which it shares. Columns must be of one
// length and finite, names unique and not blank; all that is wrong is reported at once.
func New(names []string, cols [][]float64) (*Table, error) {
	if len(names) != len(cols) {
		return nil, fmt.Errorf("table has %d names and %d columns, want as many", len(names), len(cols))
	}
	var errs []error
	seen := make(map[string]int, len(names))
	for j, name := range names {
		if strings.TrimSpace(name) == "" {
			errs = append(errs, fmt.Errorf("column %d of the table has no name", j+1))
		} else if first, ok := seen[name]; ok {
			errs = append(errs, fmt.Errorf("columns %d and %d of the table are both named %s", first+1, j+1, quote(name)))
		} else {
			seen[name] = j
		}
		if len(cols[j]) != len(cols[0]) {
			errs = append(errs, fmt.Errorf("column %s has %d rows, the first column has %d",
				quote(name), len(cols[j]), len(cols[0])))
		}
		if i := slices.IndexFunc(cols[j], notFinite); i >= 0 {
			errs = append(errs, fmt.Errorf("column %s, row %d: %g is not finite", quote(name), i+1, cols[j][i]))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return &Table{Names: names, Cols: cols}, nil
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// Rows returns the number of rows.
func (t *Table) Rows() int {
	if len(t.Cols) == 0 {
		return 0
	}
	return len(t.Cols[0])
}

// Col returns the column of that name, shared, and whether there is one.
func (t *Table) Col(name string) ([]float64, bool) {
	if j := slices.Index(t.Names, name); j >= 0 {
		return t.Cols[j], true
	}
	return nil, false
}

// Select returns the table of the columns named, in that order, sharing them.
func (t *Table) Select(names ...string) (*Table, error) {
	cols := make([][]float64, len(names))
	for j, name := range names {
		col, ok := t.Col(name)
		if !ok {
			return nil, unknownName("column", name, t.Names)
		}
		cols[j] = col
	}
	return New(slices.Clone(names), cols)
}

// Take returns a table of the rows with these indices, in that order, as a copy. Like
// indexing a slice, it panics when an index is out of range.
func (t *Table) Take(rows []int) *Table {
	cols := make([][]float64, len(t.Cols))
	for j, col := range t.Cols {
		cols[j] = make([]float64, len(rows))
		for i, row := range rows {
			cols[j][i] = col[row]
		}
	}
	return &Table{Names: slices.Clone(t.Names), Cols: cols}
}

// WriteCSV writes t with a header line, commas, and the shortest numbers that read back
// as the same float64. [Read] gives the same table again, provided that it has a row and
// that no name has spaces around it.
func (t *Table) WriteCSV(w io.Writer) error {
	buf := bufio.NewWriter(w)
	for j, name := range t.Names {
		if j > 0 {
			buf.WriteByte(',')
		}
		buf.WriteString(quoteName(name))
	}
	buf.WriteByte('\n')
	var cell []byte
	for i := range t.Rows() {
		for j, col := range t.Cols {
			if j > 0 {
				buf.WriteByte(',')
			}
			cell = strconv.AppendFloat(cell[:0], col[i], 'g', -1, 64)
			buf.Write(cell)
		}
		buf.WriteByte('\n')
	}
	return buf.Flush() // a bufio.Writer keeps its first error
}

// quoteName quotes a column name that Read would otherwise split, skip, trim or take for
// a number.
func quoteName(name string) string {
	_, kind := parseCell([]byte(name), Point)
	if kind == text && !strings.ContainsAny(name, delimiters+"\"\n\r") &&
		!strings.HasPrefix(name, "#") && !strings.HasPrefix(name, bom) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
