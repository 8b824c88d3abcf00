package datasets

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// LevelCoding makes a column that is 1 in the rows of one group and 0 in the others. The groups are the different
// cells of another column, words or numbers, so formulas can have constants of their own for each group.
type LevelCoding struct {
	Column string   `json:"column"` // whose cells name the groups
	Levels []string `json:"levels"` // the names of all groups
	Level  int      `json:"level"`  // the group that is 1, an index of Levels
}

// MaxLevels is the largest number of groups in a table. More of them are better learned as tables of their own.
const MaxLevels = 50

// rowsOfLevel is how many rows a group has at least, on average: a constant for each row would explain anything.
const rowsOfLevel = 2

// Levels proposes a column for each group of rows that have the same cell in the column named. It returns their names,
// such as "sample=steel", and their codings. Groups are in the order of the alphabet, or of numbers.
func (s *Sheet) Levels(column string) (names []string, codings map[string]Coding, err error) {
	j, ok := s.byName[column]
	if !ok {
		return nil, nil, &Error{File: s.name, Err: unknownName("column", column, s.Columns())}
	}
	levels := s.columns[j].levels()
	codings = map[string]Coding{}
	for i, level := range levels {
		name := column + "=" + level
		if _, taken := s.byName[name]; taken {
			err = fmt.Errorf("a group of it would be called %s, as another column is (rename that column)", quote(name))
		}
		names = append(names, name)
		codings[name] = Coding{Level: &LevelCoding{column, levels, i}}
	}
	switch {
	case err != nil:
	case len(levels) < 2:
		err = fmt.Errorf("it has %s, want at least 2", plural(len(levels), "group"))
	case len(levels) > MaxLevels:
		err = fmt.Errorf("it has %d groups, want at most %d (learn a formula for each group on its own)",
			len(levels), MaxLevels)
	case rowsOfLevel*len(levels) > s.Rows():
		err = fmt.Errorf("it has %d groups in %s, want %d rows or more in each on average",
			len(levels), plural(s.Rows(), "row"), rowsOfLevel)
	default:
		err = codings[names[0]].Validate()
	}
	if err != nil {
		return nil, nil, &Error{File: s.name, Column: column, Err: err}
	}
	return names, codings, nil
}

// levels returns the different cells of a column, in the order of numbers and then of the alphabet.
func (c *column) levels() []string {
	numbers, words := map[float64]bool{}, map[string]bool{}
	for _, v := range c.values {
		if !notFinite(v) {
			numbers[v] = true
		}
	}
	for _, cell := range c.texts {
		words[cell.text] = true
	}
	var levels []string
	for _, v := range slices.Sorted(maps.Keys(numbers)) {
		levels = append(levels, numberLevel(v))
	}
	return append(levels, slices.Sorted(maps.Keys(words))...)
}

// LevelOf returns for each row the number of its group among those of [Sheet.Levels], -1 where the cell of the column
// is missing.
func (s *Sheet) LevelOf(column string) []int {
	of := slices.Repeat([]int{-1}, s.Rows())
	j, ok := s.byName[column]
	if !ok {
		return of
	}
	c := &s.columns[j]
	levels := c.levels()
	for i, v := range c.values {
		if !notFinite(v) {
			of[i] = slices.Index(levels, numberLevel(v))
		}
	}
	for _, cell := range c.texts {
		of[cell.row] = slices.Index(levels, cell.text)
	}
	return of
}

// numberLevel is the name of a group that is a number.
func numberLevel(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func (l *LevelCoding) validate() error {
	switch {
	case l.Column == "":
		return errors.New("a coding of groups has no column")
	case len(l.Levels) < 2 || len(l.Levels) > MaxLevels || l.Level < 0 || l.Level >= len(l.Levels):
		return fmt.Errorf("a coding of groups has %d of them and is for number %d", len(l.Levels), l.Level)
	}
	for i, level := range l.Levels {
		if level == "" || len(level) > longestWord || slices.Contains(l.Levels[:i], level) {
			return fmt.Errorf("the name of a group is empty, longer than %d bytes, or given twice: %s",
				longestWord, quote(level))
		}
	}
	return nil
}

func (l *LevelCoding) decode(cell string) (float64, bool) {
	switch i := slices.Index(l.Levels, cell); i {
	case -1:
		return 0, false
	case l.Level:
		return 1, true
	}
	return 0, true
}

func (l *LevelCoding) plain(v float64) (float64, bool) { return l.decode(numberLevel(v)) }

func (l *LevelCoding) agrees(Decimal, bool) bool { return true }

func (l *LevelCoding) wants() string {
	return listed(Words(l.Levels).quoted()) + ", the groups of this column"
}

func (l *LevelCoding) reading() string { return "groups of column " + quote(l.Column) }

func (l *LevelCoding) meaning() string {
	return fmt.Sprintf("1 where %s is %s, 0 elsewhere", l.Column, strconv.Quote(clip(l.Levels[l.Level])))
}

// derive adds the columns that codings make of others and that the sheet does not have.
func (s *Sheet) derive(codings map[string]Coding) error {
	for _, name := range slices.Sorted(maps.Keys(codings)) {
		l := codings[name].Level
		if _, there := s.byName[name]; l == nil || there {
			continue
		}
		j, ok := s.byName[l.Column]
		if !ok {
			return &Error{File: s.name, Err: unknownName("column", l.Column, s.Columns())}
		}
		c := s.columns[j]
		if err := l.validate(); err != nil {
			return &Error{File: s.name, Column: name, Err: err}
		}
		err := s.encode(&c, l)
		if err == nil {
			err = s.check(&c) // under the name that the file has
		}
		if err != nil {
			return err
		}
		c.name, c.unit = name, ""
		s.byName[name] = len(s.columns)
		s.columns = append(s.columns, c)
	}
	return nil
}
