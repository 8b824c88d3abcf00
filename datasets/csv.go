package datasets

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sampleSize is how much of a file is looked at to find its delimiter, in bytes.
const sampleSize = 1 << 16

// ReadFile reads the table in the file at path, see [Read].
func ReadFile(path string, opt Options) (*Sheet, error) {
	fail := func(err error) (*Sheet, error) { return nil, &Error{File: path, Err: err} }
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fail(fmt.Errorf("%w (check the path)", fs.ErrNotExist))
	} else if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
		return fail(pathErr.Err)
	} else if err != nil {
		return fail(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return fail(errors.New("this is a directory (name a file in it)"))
	}
	return Read(f, path, opt)
}

// Read reads a table of cells separated by commas, semicolons, tabs, bars or spaces; name stands for
// it in errors. What is compressed by gzip is read as what it holds.
//
// The delimiter is found from the first lines, and so is the decimal mark where it was not said: 5,50 tells a comma.
// The first row is a header, unless every cell of it is a number; the columns then have the names in the comment above
// it, if it has as many, or else are x1, x2, …. Cells may be quoted, and lose the space around them. Lines that are
// blank, hold nothing but delimiters or start with # are skipped, but not those that start with an error of a
// spreadsheet, such as #N/A; a byte order mark and any kind of line end are understood. A column without a name and
// without contents, as trailing delimiters make it, is left out, and so is a first column without a name that counts or
// names the rows; its name may be missing from the header altogether. [Sheet.Notes] says what was done.
//
// Cells that are not numbers are errors only when their column is used, see [Sheet.Table].
// All errors are of type *Error.
func Read(r io.Reader, name string, opt Options) (*Sheet, error) {
	hash := sha256.New()
	src, err := unpacked(bufio.NewReaderSize(io.TeeReader(r, hash), sampleSize))
	var sheet *Sheet
	if err == nil {
		sheet, err = read(fromUTF16(src), opt)
	}
	if err == nil {
		sheet.name, sheet.sha256 = name, hex.EncodeToString(hash.Sum(nil)) // it was read to its end
		return sheet, nil
	}
	located := &Error{Err: err}
	if e, ok := err.(*Error); ok { //nolint:errorlint // ours, just made
		located = e
	}
	located.File = name
	return nil, located
}

// read returns a sheet without a name, and errors without a file.
func read(src *bufio.Reader, opt Options) (*Sheet, error) {
	sample, err := src.Peek(sampleSize)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if err := checkText(sample, err == io.EOF); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(sample, []byte(bom)) {
		src.Discard(len(bom)) //nolint:errcheck // the sample has it
		sample = sample[len(bom):]
	}
	delim, size := declared(sample)
	if size == 0 {
		delim = delimiter(sample, err == io.EOF, opt.Decimal)
	}
	scan := newScanner(src, delim)
	if size > 0 {
		src.Discard(size) //nolint:errcheck // the sample has it
		sample = sample[size:]
		scan.line++
	} else {
		scan.numbered = lacksName(sampleRecords(sample, err == io.EOF, delim, firstRecords))
	}
	if opt.DecimalKnown || opt.Decimal != Point {
		return readRows(scan, opt)
	}
	opt.Decimal, opt.DecimalKnown = tellDecimal(sample, err == io.EOF, delim)
	sheet, err := readRows(scan, opt)
	if err == nil && opt.Decimal == Comma {
		sheet.note("the decimal mark is the comma")
	}
	return sheet, err
}

// declared returns the delimiter that spreadsheets declare in a first line sep=; and the size of that line, 0
// without one.
func declared(sample []byte) (delim byte, size int) {
	const what, delims = "sep=", ",;|\t"
	if len(sample) <= len(what) || !bytes.EqualFold(sample[:len(what)], []byte(what)) ||
		strings.IndexByte(delims, sample[len(what)]) < 0 {
		return 0, 0
	}
	for _, end := range []string{"\r\n", "\n", "\r"} {
		if bytes.HasPrefix(sample[len(what)+1:], []byte(end)) {
			return sample[len(what)], len(what) + 1 + len(end)
		}
	}
	return 0, 0
}

// otherFiles are files that hold no delimited text, by what they begin with.
var otherFiles = []struct{ begins, is string }{
	{"PK\x03\x04", "a spreadsheet or an archive (export the table as CSV)"},
	{"\xd0\xcf\x11\xe0", "a spreadsheet or another document of Office (export the table as CSV)"},
	{"PAR1", "a Parquet file (export the table as CSV, with DuckDB: COPY 'FILE.parquet' TO 'FILE.csv')"},
	{"SQLite format 3", "a database of SQLite (export a table as CSV, with sqlite3 -header -csv)"},
	{"\x89HDF", "an HDF5 file (export the table as CSV)"},
	{`{"`, isJSON}, {"[{", isJSON}, {"[\n", isJSON},
	{"<!DOCTYPE", isPage}, {"<html", isPage},
}

const (
	isJSON = "JSON (export the table as CSV, with DuckDB: COPY 'FILE.json' TO 'FILE.csv')"
	isPage = "a web page (download the table itself, as CSV)"
)

// checkText refuses what is not UTF-8 text, judging by the start of it. Further on, every
// cell that is not a number is checked.
func checkText(sample []byte, whole bool) error {
	begins := bytes.TrimLeft(sample, " \t\r\n")
	for _, o := range otherFiles {
		if bytes.HasPrefix(begins, []byte(o.begins)) {
			return errors.New("this is " + o.is)
		}
	}
	if i := bytes.IndexByte(sample, 0); i >= 0 {
		return &Error{Line: 1 + bytes.Count(sample[:i], []byte{'\n'}), Err: errBinary}
	}
	for i := 0; i < len(sample); {
		if !whole && !utf8.FullRune(sample[i:]) {
			break
		}
		r, size := utf8.DecodeRune(sample[i:])
		if r == utf8.RuneError && size == 1 {
			return &Error{Line: 1 + bytes.Count(sample[:i], []byte{'\n'}), Err: errEncoding}
		}
		i += size
	}
	return nil
}

var (
	errBinary   = errors.New("there is a zero byte: this is a binary file (export the table as CSV)")
	errEncoding = errors.New("this is not UTF-8 text (save the file as CSV in UTF-8)")
)

// checkBytes refuses a cell that is not UTF-8 text.
func checkBytes(b []byte) error {
	if bytes.IndexByte(b, 0) >= 0 {
		return errBinary
	}
	if !utf8.Valid(b) {
		return errEncoding
	}
	return nil
}

// readRows reads the header, if there is one, and all rows.
func readRows(scan *scanner, opt Options) (*Sheet, error) {
	cells, err := scan.next()
	if err == io.EOF {
		return nil, errors.New("the file is empty (want a header line and rows of numbers)")
	} else if err != nil {
		return nil, err
	}
	first := cloneCells(cells)
	second, err := scan.next()
	if err != nil && err != io.EOF {
		return nil, err
	}
	if scan.numbered && isHeader(first, second, opt.Decimal) {
		first = append([]cell{{line: first[0].line}}, first...)
	}
	sheet := &Sheet{opt: opt}
	names, header := first, isHeader(first, second, opt.Decimal)
	if !header {
		names = scan.namesAbove(len(first), opt.Decimal)
	}
	if err := sheet.setNames(first, names); err != nil {
		return nil, err
	}
	switch {
	case !header:
		if err := sheet.addRow(first); err != nil {
			return nil, err
		}
		if names != nil {
			sheet.note("the names of the columns are those in the comment above the first row")
		} else {
			sheet.note("there is no header; the columns are x1 to x%d", len(first))
		}
	case err == io.EOF && scan.comments > 0:
		return nil, &Error{Line: first[0].line, Err: errors.New("there is a header and below it only comments, " +
			"lines that start with # (put the first cell of rows in quotes)")}
	case err == io.EOF:
		return nil, &Error{Line: first[0].line,
			Err: errors.New("there is a header and no row below it (add rows of numbers)")}
	}
	for ; err == nil; second, err = scan.next() {
		if err := sheet.addRow(second); err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	if err := sheet.leaveOutSummaries(); err != nil {
		return nil, err
	}
	switch n := scan.comments; {
	case n == 1:
		sheet.note("line %d starts with #, as comments do, and is left out", scan.first)
	case n > 1:
		sheet.note("%d lines below the first row start with #, as comments do, and are left out; the first is line %d",
			n, scan.first)
	}
	switch n := scan.empty; {
	case n == 1:
		sheet.note("line %d has empty cells alone, and is left out", scan.firstEmpty)
	case n > 1:
		sheet.note("%d lines have empty cells alone, and are left out; the first is line %d", n, scan.firstEmpty)
	}
	if opt.parts != nil && sheet.Rows() == 0 { // all were handed on
		return sheet, nil
	}
	return sheet, sheet.finish()
}

// cloneCells copies cells, which the scanner uses again.
func cloneCells(cells []cell) []cell {
	clones := make([]cell, len(cells))
	for j, c := range cells {
		clones[j] = cell{slices.Clone(c.text), c.line, c.quoted}
	}
	return clones
}

// namesAbove returns the names in the last comment before the first record, as programs write them that have no
// header: as many as there are columns, all different. It returns nil where the comment is something else.
func (s *scanner) namesAbove(columns int, d Decimal) []cell {
	names, err := newScanner(bufio.NewReader(bytes.NewReader(bytes.TrimLeft(s.comment, "# \t"))), s.delim).next()
	if err != nil || len(names) != columns || !isHeader(names, nil, d) {
		return nil
	}
	for j, c := range names {
		same := func(o cell) bool { return bytes.Equal(o.text, c.text) }
		printable := checkBytes(c.text) == nil && !bytes.ContainsFunc(c.text, unicode.IsControl)
		if len(c.text) == 0 || !printable || slices.ContainsFunc(names[:j], same) {
			return nil
		}
	}
	return names
}

// isHeader decides whether the first row holds names. It does unless its cells are
// numbers; empty, NaN and Inf go with numbers when there is one, and so does a date above a date. A quoted number is a
// name when the second row has no quotes.
func isHeader(first, second []cell, d Decimal) bool {
	quotes := slices.ContainsFunc(second, func(c cell) bool { return c.quoted })
	numbers := 0
	for j, c := range first {
		_, kind := parseCell(c.text, d)
		if kind == text && len(second) == len(first) && isDate(string(c.text)) && isDate(string(second[j].text)) {
			numbers++
			continue
		}
		if kind == text || c.quoted && !quotes {
			return true
		}
		if kind == number {
			numbers++
		}
	}
	return numbers == 0
}
