package datasets

import "sort"

// Lines says in which lines of a file the rows of a table begin: pairs of a row and its line, by rows, after which one
// row follows the other line by line.
type Lines [][2]int

// Of returns the line of a row, 0 where it is not known.
func (l Lines) Of(row int) int {
	i := sort.Search(len(l), func(i int) bool { return l[i][0] > row }) - 1
	if i < 0 {
		return 0
	}
	return l[i][1] + row - l[i][0]
}
