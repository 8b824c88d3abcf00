package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// cellLimit is the longest cell that is read, in bytes. A longer one is a missing quote
// or not a table.
const cellLimit = 1 << 20

// bom is the byte order mark that some programs put at the start of UTF-8 files.
const bom = "\ufeff"

var (
	errLongCell  = errors.New("this cell is longer than 1 MiB (is it a table of numbers, and is a quote missing?)")
	errOpenQuote = errors.New(`the quote that opens here is never closed (add the closing ", or remove this one)`)
	errAfter     = errors.New(`there is text after the closing quote (write a quote inside quotes as "")`)
)

// cell is one cell of a record: its text without quotes and surrounding space.
type cell struct {
	text   []byte
	line   int // on which it starts
	quoted bool
}

// scanner cuts delimited text into records of cells.
//
// A record ends with the line: \n, \r\n or \r, except inside quotes. Lines that are blank, hold nothing but delimiters
// or start with # are skipped. A cell that starts with " ends with ", with "" for a quote
// inside; a quote elsewhere is an ordinary character. Where a space is the delimiter, a tab
// is one too, and any number of them are as good as one. Memory is bounded by one record, a
// cell by cellLimit.
type scanner struct {
	src   *bufio.Reader
	delim byte
	tab   byte   // the other delimiter: a tab beside spaces, or delim again
	line  int    // of the next byte, from 1
	win   []byte // the unread part of what src has buffered
	taken int    // bytes of src that win began with
	text  []byte // of the record so far
	cells []cell

	numbered bool // the first column numbers or names the rows, and the header has no cell for it

	comment  []byte // the last comment so far, clipped, until the first record
	records  int    // so far
	comments int    // below the first record
	first    int    // the line of the first of them

	empty      int // lines of nothing but delimiters
	firstEmpty int // the first of them
}

func newScanner(src *bufio.Reader, delim byte) *scanner {
	s := &scanner{src: src, delim: delim, tab: delim, line: 1}
	if delim == ' ' {
		s.tab = '\t'
	}
	return s
}

// next returns the cells of the next record, valid until the following call, io.EOF after
// the last, or an *Error without a file.
func (s *scanner) next() ([]cell, error) {
	for {
		c, err := s.skipSpace()
		if err != nil {
			return nil, err
		}
		if c == '#' && !s.atSheetError() {
			if s.records > 0 {
				if s.comments++; s.comments == 1 {
					s.first = s.line
				}
			}
			if err := s.skipLine(); err != nil {
				return nil, err
			}
			continue
		}
		if err := s.record(); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(s.cells, func(c cell) bool { return c.quoted || len(c.text) > 0 }) {
			s.records++
			return s.cells, nil
		}
		if len(s.cells) > 1 { // a line of delimiters, as spreadsheets write empty rows
			if s.empty++; s.empty == 1 {
				s.firstEmpty = s.cells[0].line
			}
		}
	}
}

// atSheetError reports whether the cell that begins here is an error of a spreadsheet, which is no comment.
func (s *scanner) atSheetError() bool {
	for _, e := range sheetErrors {
		if next := s.ahead(len(e) + 1); bytes.HasPrefix(next, []byte(e)) &&
			(len(next) == len(e) || s.endsCell(next[len(e)])) {
			return true
		}
	}
	return false
}

// record reads cells up to the end of the line.
func (s *scanner) record() error {
	s.cells, s.text = s.cells[:0], s.text[:0]
	for {
		c, err := s.skipSpace()
		if err != nil && err != io.EOF {
			return err
		}
		from, line, quoted := len(s.text), s.line, err == nil && c == '"'
		if quoted {
			err = s.quotedCell()
		} else {
			err = s.plainCell()
		}
		if err != nil {
			return &Error{Line: line, Err: err}
		}
		s.cells = append(s.cells, cell{bytes.TrimSpace(s.text[from:]), line, quoted})
		if more, err := s.endCell(); !more || err != nil {
			return err
		}
	}
}

// plainCell reads up to a delimiter or the end of the line, which it leaves.
func (s *scanner) plainCell() error {
	from := len(s.text)
	for {
		if ok, err := s.fill(); !ok {
			return err
		}
		n := 0
		for n < len(s.win) && s.win[n] != s.delim && s.win[n] != s.tab && s.win[n] != '\n' && s.win[n] != '\r' {
			n++
		}
		s.text = append(s.text, s.win[:n]...)
		if len(s.text)-from > cellLimit {
			return errLongCell
		}
		s.win = s.win[n:]
		if len(s.win) > 0 {
			return nil
		}
	}
}

// quotedCell reads from an opening quote past the closing one and the space after it.
func (s *scanner) quotedCell() error {
	from := len(s.text)
	s.win = s.win[1:]
	for {
		c, err := s.readByte()
		switch {
		case err == io.EOF:
			return errOpenQuote
		case err != nil:
			return err
		case len(s.text)-from > cellLimit:
			return errLongCell
		case c == '\n' || c == '\r':
			s.text = append(s.text, c)
			if c == '\r' && s.peekIs('\n') {
				s.win = s.win[1:]
				s.text = append(s.text, '\n')
			}
			s.line++
		case c != '"':
			s.text = append(s.text, c)
		case s.peekIs('"'):
			s.win = s.win[1:]
			s.text = append(s.text, c)
		default:
			if s.delim != ' ' {
				s.skipSpace() //nolint:errcheck // met again below
			}
			if ok, err := s.fill(); ok && err == nil && !s.endsCell(s.win[0]) {
				return errAfter
			}
			return nil
		}
	}
}

// endsCell reports whether c is a delimiter or ends a line.
func (s *scanner) endsCell(c byte) bool {
	return c == s.delim || c == s.tab || c == '\n' || c == '\r'
}

// endCell reads past a delimiter or the end of the line and says whether another cell
// follows in this record.
func (s *scanner) endCell() (more bool, err error) {
	c, err := s.readByte()
	if err == io.EOF {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if s.delim == ' ' && c != '\n' && c != '\r' {
		next, err := s.skipSpace()
		if err == io.EOF {
			return false, nil
		}
		if err != nil || next != '\n' && next != '\r' {
			return err == nil, err
		}
		s.win, c = s.win[1:], next
	}
	if c == s.delim {
		return true, nil
	}
	s.endLine(c)
	return false, nil
}

// endLine counts a line whose end starts with c, which has been read.
func (s *scanner) endLine(c byte) {
	if c == '\r' && s.peekIs('\n') {
		s.win = s.win[1:]
	}
	s.line++
}

// skipLine reads past the end of the line, a comment.
func (s *scanner) skipLine() error {
	const most = 1 << 16
	if s.records == 0 {
		s.comment = s.comment[:0]
	}
	for {
		c, err := s.readByte()
		if err != nil {
			return err
		}
		if c == '\n' || c == '\r' {
			s.endLine(c)
			return nil
		}
		if s.records == 0 && len(s.comment) < most {
			s.comment = append(s.comment, c)
		}
	}
}

// skipSpace reads past spaces and tabs, but for tabs that part cells, and returns the byte
// after them, unread.
func (s *scanner) skipSpace() (byte, error) {
	for {
		if ok, err := s.fill(); err != nil {
			return 0, err
		} else if !ok {
			return 0, io.EOF
		}
		c := s.win[0]
		if c != ' ' && (c != '\t' || s.delim == '\t') {
			return c, nil
		}
		s.win = s.win[1:]
	}
}

func (s *scanner) readByte() (byte, error) {
	if ok, err := s.fill(); err != nil {
		return 0, err
	} else if !ok {
		return 0, io.EOF
	}
	c := s.win[0]
	s.win = s.win[1:]
	return c, nil
}

func (s *scanner) peekIs(c byte) bool {
	ok, err := s.fill()
	return ok && err == nil && s.win[0] == c
}

// ahead returns the next n bytes, unread, or as many as there are.
func (s *scanner) ahead(n int) []byte {
	s.src.Discard(s.taken - len(s.win)) //nolint:errcheck // they are buffered
	next, _ := s.src.Peek(n)            // an error is met again by those who read
	s.win, _ = s.src.Peek(s.src.Buffered())
	s.taken = len(s.win)
	return next
}

// fill makes win non-empty, or returns false at the end of the input.
func (s *scanner) fill() (bool, error) {
	if len(s.win) > 0 {
		return true, nil
	}
	return s.refill()
}

// refill replaces win, used up, by the next part of the input.
func (s *scanner) refill() (bool, error) {
	s.src.Discard(s.taken) //nolint:errcheck // they are buffered
	s.taken = 0
	if _, err := s.src.Peek(1); err == io.EOF {
		return false, nil
	} else if err != nil {
		return false, err
	}
	s.win, _ = s.src.Peek(s.src.Buffered())
	s.taken = len(s.win)
	return true, nil
}
