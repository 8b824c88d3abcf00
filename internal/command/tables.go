package command

import (
	"io"

	"github.com/eqlearner/eql/datasets"
)

// readSheet reads a file, or standard input for "-", and notes what a person should know of how.
func readSheet(path string, stdin io.Reader, opt datasets.Options, notes io.Writer) (sheet *datasets.Sheet, err error) {
	opt.Words = inFlags
	if path == "-" {
		sheet, err = datasets.Read(stdin, "standard input", opt)
	} else {
		sheet, err = datasets.ReadFile(path, opt)
	}
	if err == nil {
		for _, note := range sheet.Notes() {
			tell(notes, "note: %s: %s", sheet.Name(), note)
		}
	}
	return sheet, err
}

// useColumns takes the named columns of a sheet, read by codings, and notes how many rows were dropped. It returns
// the rows that are left, too.
func useColumns(
	sheet *datasets.Sheet, columns []string, codings map[string]datasets.Coding, notes io.Writer,
) (*datasets.Table, []int, error) {
	t, kept, err := codedTable(sheet, columns, codings)
	if dropped := sheet.Rows() - len(kept); err == nil && dropped > 0 {
		tell(notes, "note: %s: %d of %d rows have a missing cell and are dropped", sheet.Name(), dropped, sheet.Rows())
	}
	return t, kept, err
}

// codedTable is sheet.Table after the columns named were turned into numbers by the codings that there are for them.
func codedTable(
	sheet *datasets.Sheet, columns []string, codings map[string]datasets.Coding,
) (*datasets.Table, []int, error) {
	if err := sheet.Encode(codingsOf(columns, codings)); err != nil {
		return nil, nil, err
	}
	return sheet.Table(columns)
}

// inFlags says by which flag a way out of an error in a table is taken.
func inFlags(way datasets.Way, column string) string {
	switch way {
	case datasets.LeaveOut:
		return "leave the column out with --ignore " + shellWord(column)
	case datasets.LeaveSparse:
		return "use fewer columns: leave the sparse ones out with --ignore"
	case datasets.DropRows:
		return "drop such rows with --missing drop"
	case datasets.UsePoint:
		return "use --decimal point"
	case datasets.UseComma:
		return "use --decimal comma"
	}
	return way.String()
}
