package datasets

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestPlainNumbersStay reads every example, and measured data, by strconv alone and expects the same bits from a
// sheet, without a coding for any column of numbers.
func TestPlainNumbersStay(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../examples/*.csv", "data/double_pendulum_*.csv"} {
		found, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 5 {
		t.Fatalf("there are %d files, want the examples", len(files))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { plainNumbersStay(t, file) })
	}
}

func plainNumbersStay(t *testing.T, file string) {
	sheet, err := ReadFile(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, coding := range sheet.Codings() {
		if sheet.Numeric(name) {
			t.Errorf("column %q of numbers gets a coding: %s", name, coding.Note())
		}
	}
	table := readTable(t, file)
	rows := plainRows(t, file)
	header := rows[0]
	if len(rows)-1 != table.Rows() {
		t.Fatalf("%d rows, want %d", table.Rows(), len(rows)-1)
	}
	for j, name := range header {
		col, ok := table.Col(name)
		if !ok {
			continue // text
		}
		for i, row := range rows[1:] {
			want, err := strconv.ParseFloat(row[j], 64)
			if err != nil || math.Float64bits(col[i]) != math.Float64bits(want) {
				t.Fatalf("column %q, row %d: got %v, want %s", name, i+1, col[i], row[j])
			}
		}
	}
}

// plainRows cuts a file at commas; the examples have no quotes.
func plainRows(t *testing.T, file string) [][]string {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows [][]string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if line := lines.Text(); line != "" && !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(line, ","))
		}
	}
	return rows
}

// TestRandomNumbersStay expects columns of random numbers, written in several ways, back without a coding.
func TestRandomNumbersStay(t *testing.T) {
	r := rng()
	for _, form := range []struct {
		format byte
		digits int
		scale  float64
	}{{'g', -1, 1}, {'f', 0, 1e8}, {'f', 0, 2e9}, {'f', 3, 1e3}, {'e', 8, 1e-20}, {'f', 0, 3000}} {
		cells := make([]string, 200)
		want := make([]float64, len(cells))
		for i := range cells {
			cells[i] = strconv.FormatFloat(form.scale*(1+r.Float64()), form.format, form.digits, 64)
			want[i], _ = strconv.ParseFloat(cells[i], 64)
		}
		sheet := sheetOf(t, Options{}, "v", cells...)
		if codings := sheet.Codings(); len(codings) > 0 {
			t.Errorf("%+v: coding %s", form, codings["v"].Note())
		}
		if !sameBits(sheet.columns[0].values, want) {
			t.Errorf("%+v: other numbers", form)
		}
	}
}
