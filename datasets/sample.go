package datasets

import (
	"errors"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
)

// sampleSeed seeds the choice of rows, so that a file always gives the same.
const sampleSeed = 0x5eed

// reservoir is what a sheet knows that holds some of the rows of a file: each with the same probability (Vitter 1985,
// "Random sampling with a reservoir", algorithm R).
type reservoir struct {
	first int   // the row of the file that the sheet begins with, counted from 0; others were handed on
	total int   // rows so far
	of    []int // which row of the file each row of the sheet is, where some may be left out
	rng   *rand.Rand
}

// Total returns the number of rows of the file, of which a sheet that was read with [Options.Most] may hold some.
func (s *Sheet) Total() int { return s.drawn.total }

// place returns the row of the sheet that the next row of the file becomes, one that is there already or the one after,
// and −1 when the sheet does not keep it.
func (s *Sheet) place() int {
	n, most := s.drawn.total, s.opt.Most
	s.drawn.total++
	switch {
	case most <= 0:
		return n - s.drawn.first
	case n < most:
		s.drawn.of = append(s.drawn.of, n)
		return n
	case s.drawn.rng == nil:
		s.drawn.rng = rand.New(rand.NewPCG(sampleSeed, 0))
	}
	at := s.drawn.rng.IntN(n + 1)
	if at >= most {
		return -1
	}
	s.drawn.of[at] = n
	return at
}

// arrange puts the rows of a sheet that holds some of a file in the order of the file, and counts their cells. A kind
// of cell that only other rows have counts as one, with its line, so that it is seen.
func (s *Sheet) arrange() {
	order := make([]int, len(s.drawn.of))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return s.drawn.of[a] - s.drawn.of[b] })
	s.lines, s.drawn.of = taken(s.lines, order), taken(s.drawn.of, order)
	row := make(map[int]int, len(order)) // of the sheet, by that of the file
	for i, of := range s.drawn.of {
		row[of] = i
	}
	for j := range s.columns {
		c := &s.columns[j]
		c.values = taken(c.values, order)
		c.texts = slices.DeleteFunc(c.texts, func(t textCell) bool { _, kept := row[t.row]; return !kept })
		for i := range c.texts {
			c.texts[i].row = row[c.texts[i].row]
		}
		c.recount()
	}
}

func taken[T any](list []T, at []int) []T {
	some := make([]T, len(at))
	for i, k := range at {
		some[i] = list[k]
	}
	return some
}

// recount counts the cells of each kind that the column holds, at least one of each that the file does.
func (c *column) recount() {
	seen := c.count
	c.count = [text + 1]int{text: len(c.texts)}
	for _, v := range c.values {
		switch {
		case math.IsInf(v, 0):
			c.count[infinite]++
		case math.IsNaN(v):
			c.count[missing]++
		default:
			c.count[number]++
		}
	}
	c.count[missing] -= len(c.texts) // which are NaN too
	for kind, n := range seen {
		c.count[kind] = max(c.count[kind], min(n, 1))
	}
}

// ReadParts reads a table as [Read] does and yields it in sheets of so many rows, the last of fewer, so that it need
// not fit into memory. After an error there is nothing more.
func ReadParts(r io.Reader, name string, opt Options, rows int) iter.Seq2[*Sheet, error] {
	return func(yield func(*Sheet, error) bool) {
		enough := errors.New("no more parts are wanted")
		opt.Most, opt.parts = 0, &parts{rows, func(s *Sheet) error {
			s.name = name
			if !yield(s, nil) {
				return enough
			}
			return nil
		}}
		s, err := Read(r, name, opt)
		switch {
		case errors.Is(err, enough):
		case err != nil:
			yield(nil, err)
		case s.Rows() > 0:
			yield(s, nil)
		}
	}
}

// fileRow returns which row of the file a row of the sheet is, counted from 0.
func (s *Sheet) fileRow(row int) int {
	if s.drawn.of != nil {
		return s.drawn.of[row]
	}
	return s.drawn.first + row
}

// parts says that a sheet is handed on whenever it has so many rows.
type parts struct {
	rows   int
	handOn func(*Sheet) error
}

// handOn hands on the rows so far and forgets them.
func (s *Sheet) handOn() error {
	part := *s
	part.columns = slices.Clone(s.columns)
	err := part.finish()
	if err == nil {
		err = s.opt.parts.handOn(&part)
	}
	s.lines, s.drawn.first = nil, s.drawn.total
	for j := range s.columns {
		c := &s.columns[j]
		c.values, c.texts, c.count, c.first = nil, nil, [text + 1]int{}, [text + 1]firstCell{}
	}
	return err
}
