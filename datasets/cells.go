package datasets

import "strconv"

// Cells returns the cells of a column as text, one a row: numbers in their shortest form, missing cells as empty ones.
// The rows of a table that have the same cell in a column are a group.
func (s *Sheet) Cells(column string) ([]string, error) {
	j, ok := s.byName[column]
	if !ok {
		return nil, &Error{File: s.name, Err: unknownName("column", column, s.Columns())}
	}
	c := &s.columns[j]
	cells := make([]string, len(c.values))
	for i, v := range c.values {
		if !notFinite(v) {
			cells[i] = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	for _, t := range c.texts {
		cells[t.row] = t.text
	}
	return cells, nil
}
