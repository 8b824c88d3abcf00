package datasets

import "sort"

// Lines says in which lines of a file the rows of a table begin: pairs of a row and its line, by rows, after which one
// row follows the other line by line.
type Lines [][2]int

// Take returns the lines of some of the rows, in rising order.
func (l Lines) Take(rows []int) Lines {
	var taken Lines
	for k, row := range rows {
		line := l.Of(row)
		if line == 0 {
			continue
		}
		if n := len(taken); n > 0 && taken.Of(k) == line {
			continue
		}
		taken = append(taken, [2]int{k, line})
	}
	return taken
}

// Of returns the line of a row, 0 where it is not known.
func (l Lines) Of(row int) int {
	i := sort.Search(len(l), func(i int) bool { return l[i][0] > row }) - 1
	if i < 0 {
		return 0
	}
	return l[i][1] + row - l[i][0]
}
