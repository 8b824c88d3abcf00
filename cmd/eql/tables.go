package main

import (
	"fmt"
	"io"

	"github.com/eqlearner/eql/datasets"
)

// readSheet reads a file, or standard input for "-".
func readSheet(path string, stdin io.Reader, opt datasets.Options) (*datasets.Sheet, error) {
	if path == "-" {
		return datasets.Read(stdin, "standard input", opt)
	}
	return datasets.ReadFile(path, opt)
}

// useColumns takes the named columns of a sheet and notes how many rows were dropped.
func useColumns(sheet *datasets.Sheet, columns []string, notes io.Writer) (*datasets.Table, error) {
	t, dropped, err := sheet.Table(columns)
	if err == nil && dropped > 0 {
		fmt.Fprintf(notes, "note: %s: %d of %d rows have an empty cell and are dropped\n", sheet.Name(), dropped, sheet.Rows())
	}
	return t, err
}
