package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

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

var ignoreAdvice = regexp.MustCompile(`, or leave the column out with --ignore .*\)$`)

// withoutIgnore takes the advice to use --ignore out of an error about a table: the columns that
// a formula needs cannot be ignored.
func withoutIgnore(err error) error {
	var e *datasets.Error
	if !errors.As(err, &e) {
		return err
	}
	text := e.Err.Error()
	text = ignoreAdvice.ReplaceAllString(text, ")")
	text = strings.Replace(text, "fill the cell, drop such rows", "fill the cell, or drop such rows", 1)
	text = strings.Replace(text, "fill it, drop such rows", "fill it, or drop such rows", 1)
	return &datasets.Error{File: e.File, Line: e.Line, Column: e.Column, Err: errors.New(text)}
}
