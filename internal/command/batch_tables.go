package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/batch"
	"github.com/eqlearner/eql/internal/work"
)

// tableEndings are those of the files that a folder stands for, as they are and with .gz.
var tableEndings = []string{".csv", ".tsv", ".txt", ".dat"}

func looksLikeTable(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	return !strings.HasPrefix(name, ".") && slices.Contains(tableEndings, filepath.Ext(name))
}

// tablesOf lists the tables that arguments of the command name, in the order of the arguments and of names in folders.
func tablesOf(args []string, notes io.Writer) (tables []batch.Table, err error) {
	seen := map[string]bool{}
	for _, arg := range args {
		paths, err := filesOf(arg, notes)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			absolute, err := filepath.Abs(path)
			if err != nil {
				return nil, err
			}
			if seen[absolute] {
				tell(notes, "note: %s is named twice and learned from once", printable(path))
				continue
			}
			seen[absolute] = true
			tables = append(tables, tableOf(filepath.Clean(path), absolute))
		}
	}
	return tables, nil
}

// filesOf returns the files that an argument stands for.
func filesOf(arg string, notes io.Writer) ([]string, error) {
	info, err := os.Stat(arg)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w (check the path)", printable(arg), fs.ErrNotExist)
	case err != nil || !info.IsDir():
		return []string{arg}, nil // what is wrong with it is said when it is read
	}
	entries, err := os.ReadDir(arg)
	if err != nil {
		return nil, fmt.Errorf("reading the folder: %w", err)
	}
	var files, others []string
	for _, e := range entries {
		path := filepath.Join(arg, e.Name())
		if info, err := os.Stat(path); looksLikeTable(e.Name()) && (err != nil || !info.IsDir()) {
			files = append(files, path)
		} else {
			others = append(others, printable(e.Name()))
		}
	}
	if len(others) > 0 {
		const most = 3
		text := strings.Join(others[:min(most, len(others))], ", ")
		if n := len(others) - most; n > 0 {
			text += fmt.Sprintf(" and %d more", n)
		}
		tell(notes, "note: %s: leaving out %s; tables are files that end in %s, or these with .gz",
			printable(arg), text, strings.Join(tableEndings, ", "))
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: there is no table in this folder (want files that end in %s, or these with .gz)",
			printable(arg), strings.Join(tableEndings, ", "))
	}
	return files, nil
}

// tableOf returns a table with its hash and size. A file that cannot be read has none, and one whose name is no text,
// which config.json could not keep, has no path; their rows will say so.
func tableOf(name, path string) batch.Table {
	if !utf8.ValidString(path) {
		return batch.Table{Name: strings.Trim(strconv.Quote(name), `"`)}
	}
	hash, size, _ := work.HashFile(path)
	return batch.Table{Name: name, Path: path, SHA256: hash, Size: size}
}

// tableReader reads the tables of a batch when it is their turn.
type tableReader struct {
	fit    fitOptions
	folder *batch.Folder
	tables map[string]*readTable
	parts  func() (*parts, error) // of the file, with --by; it is read once
}

// readTable is a table with what was seen when it was read.
type readTable struct {
	batch.Table
	sha256 string
	notes  strings.Builder
}

// sources yields the tables in order, with what reads each. A fit has so many workers.
func (r *tableReader) sources(tables []batch.Table, workers int) iter.Seq2[string, eql.Source] {
	r.tables = map[string]*readTable{}
	list := make([]*readTable, len(tables))
	for i, t := range tables {
		list[i] = &readTable{Table: t}
		r.tables[t.Name] = list[i]
	}
	r.parts = sync.OnceValues(func() (*parts, error) {
		return r.fit.parts(r.folder.Tables[0].Path, r.folder.By, io.Discard)
	})
	return func(yield func(string, eql.Source) bool) { // in a goroutine of its own
		for _, t := range list {
			if !yield(t.Name, r.source(t, workers)) {
				return
			}
		}
	}
}

func (r *tableReader) source(t *readTable, workers int) eql.Source {
	return func() (*datasets.Table, []eql.Option, error) {
		read := r.read
		if r.folder.By != "" {
			read = r.part
		}
		table, options, err := read(t)
		if err == nil && t.SHA256 != "" && t.sha256 != t.SHA256 {
			err = fmt.Errorf("%s: the file is not what it was when the batch was planned "+
				"(restore it, or --resume to learn from it as it is)", t.Path)
		}
		if err != nil {
			return nil, nil, err
		}
		options = append(options, eql.Workers(workers))
		if t.Folder != "" {
			dir := filepath.Join(r.folder.Dir, "tables", t.Folder)
			if err := os.RemoveAll(dir); err != nil { // of a fit that did not end
				return nil, nil, err
			}
			options = append(options, eql.Folder(dir))
		}
		return table, options, nil
	}
}

// read reads a table from its file.
func (r *tableReader) read(t *readTable) (*datasets.Table, []eql.Option, error) {
	if t.Path == "" {
		return nil, nil, fmt.Errorf("%s: the name of the file is not UTF-8 text (rename it)", t.Name)
	}
	sheet, used, err := r.fit.read(t.Path, nil, &t.notes)
	if sheet != nil {
		t.sha256 = sheet.SHA256()
	}
	if err != nil {
		return nil, nil, err
	}
	return used.table, used.options, nil
}

// part returns a group of rows.
func (r *tableReader) part(t *readTable) (*datasets.Table, []eql.Option, error) {
	p, err := r.parts()
	if err != nil {
		return nil, nil, err
	}
	t.sha256 = p.sheet.SHA256()
	rows := p.groups[t.Name]
	if len(rows) < eql.MinRows {
		return nil, nil, tooFewRows(fmt.Sprintf("%s is %q", r.folder.By, t.Name), len(rows))
	}
	of := make([]int, len(rows))
	for i, row := range rows {
		of[i] = p.rows[row]
	}
	return p.table.Take(rows), append(slices.Clone(p.options), eql.Lines(p.sheet.Lines(of))), nil
}

// line returns what became of a table.
func (r *tableReader) line(name string, f eql.Fitted) batch.Line {
	t := r.tables[name]
	l := batch.Line{Table: name}
	if f.Err == nil {
		l, f.Err = batch.LineOf(name, f.Table, f.Result)
	}
	said := func(text string) string { // where the file is depends on the machine
		if r.folder.By != "" || t.Path == "" {
			return text
		}
		return strings.ReplaceAll(text, t.Path, name)
	}
	if f.Err != nil {
		l.Error = said(f.Err.Error())
	}
	l.SHA256 = t.sha256
	for note := range strings.Lines(t.notes.String()) {
		l.Warnings = append(l.Warnings, strings.TrimSpace(said(note)))
	}
	return l
}

// parts are the groups of rows of a file that have the same cell in a column.
type parts struct {
	sheet *datasets.Sheet
	usedSheet
	groups map[string][]int // of rows of the table
	order  []string         // of the groups, as they come in the file
}

// parts reads a file and groups its rows by a column.
func (o fitOptions) parts(path, by string, notes io.Writer) (*parts, error) {
	sheet, err := readSheet(path, nil, o.reading, notes)
	if err != nil {
		return nil, err
	}
	cells, err := sheet.Cells(by)
	if err != nil {
		return nil, err
	}
	o.ignore = append(slices.Clone(o.ignore), by)
	used, err := o.use(sheet, notes)
	if err != nil {
		return nil, err
	}
	p := &parts{sheet: sheet, usedSheet: used, groups: map[string][]int{}}
	missing := 0
	for i, row := range used.rows {
		name := cells[row]
		if name == "" {
			missing++
			continue
		}
		if p.groups[name] == nil {
			p.order = append(p.order, name)
		}
		p.groups[name] = append(p.groups[name], i)
	}
	if missing > 0 && o.reading.Missing != datasets.MissingDrop {
		return nil, fmt.Errorf("%s: column %q: %d rows have no cell there, and belong to no table "+
			"(fill them, or drop such rows with --missing drop)", path, by, missing)
	}
	return p, nil
}

// groupsOf lists the groups of a file as tables.
func groupsOf(args []string, o batchOptions, notes io.Writer) ([]batch.Table, error) {
	if len(args) != 1 {
		return nil, usagef("batch --by takes one file, and %s given", given(len(args)))
	}
	p, err := o.fit.parts(args[0], o.by, notes)
	if err != nil {
		return nil, err
	}
	path, err := filepath.Abs(args[0])
	if err != nil {
		return nil, err
	}
	var tables []batch.Table
	for _, name := range p.order {
		t := batch.Table{Name: name, Path: path, SHA256: p.sheet.SHA256(), Size: int64(len(p.groups[name]))}
		tables = append(tables, t)
	}
	return tables, nil
}
