package datasets

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestNewRefuses(t *testing.T) {
	for _, tt := range []struct {
		name  string
		names []string
		cols  [][]float64
		want  string
	}{
		{"names and columns", []string{"a"}, nil, "table has 1 names and 0 columns, want as many"},
		{"lengths", []string{"a", "b"}, [][]float64{{1}, {1, 2}}, `column "b" has 2 rows, the first column has 1`},
		{"no name", []string{" "}, [][]float64{{1}}, "column 1 of the table has no name"},
		{"same name", []string{"a", "b", "a"}, [][]float64{{1}, {1}, {1}}, `columns 1 and 3 of the table are both named "a"`},
		{"nan", []string{"a"}, [][]float64{{1, math.NaN()}}, `column "a", row 2: NaN is not finite`},
		{"all at once", []string{"", "b"}, [][]float64{{1}, {math.Inf(-1)}},
			"column 1 of the table has no name\ncolumn \"b\", row 1: -Inf is not finite"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := New(tt.names, tt.cols); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestTable(t *testing.T) {
	table, err := New([]string{"a", "b"}, [][]float64{{1, 2, 3}, {4, 5, 6}})
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Rows(); got != 3 {
		t.Errorf("Rows: got %d, want 3", got)
	}
	if col, ok := table.Col("b"); !ok || &col[0] != &table.Cols[1][0] {
		t.Errorf("Col: got %v, %v, want column b itself", col, ok)
	}
	if col, ok := table.Col("c"); ok || col != nil {
		t.Errorf("Col: got %v, %v for no column", col, ok)
	}
	swapped, err := table.Select("b", "a")
	if err != nil || !slices.Equal(swapped.Names, []string{"b", "a"}) || &swapped.Cols[1][0] != &table.Cols[0][0] {
		t.Errorf("Select: got %v, error %v, want the columns themselves, swapped", swapped, err)
	}
	if _, err := table.Select("b", "c"); err == nil || err.Error() != `there is no column "c" (there are: a, b)` {
		t.Errorf("Select: got %v", err)
	}
	taken := table.Take([]int{2, 0, 2})
	if want := (&Table{[]string{"a", "b"}, [][]float64{{3, 1, 3}, {6, 4, 6}}}); !equal(taken, want) {
		t.Errorf("Take: got %v, want %v", taken, want)
	}
	if none := table.Take(nil); none.Rows() != 0 || len(none.Cols) != 2 {
		t.Errorf("Take: got %v, want two empty columns", none)
	}
}

func TestWriteCSV(t *testing.T) {
	names := []string{"x", "1.5", "a,b", "a;b", `say "x"`, "#n", "NaN", "two\nlines", "θ °C", "-", "\ufeffx"}
	cols := make([][]float64, len(names))
	for j := range cols {
		cols[j] = []float64{0.1, -1e-300}
	}
	var b bytes.Buffer
	if err := (&Table{names, cols}).WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	header := `x,"1.5","a,b","a;b","say ""x""","#n","NaN","two` + "\n" + `lines",θ °C,"-","` + "\ufeff" + `x"` + "\n"
	want := header + strings.Repeat("0.1,", 10) + "0.1\n" + strings.Repeat("-1e-300,", 10) + "-1e-300\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestWriteCSVReportsErrors(t *testing.T) {
	cause := errors.New("disk full")
	_, suite := generate(t, "pendulum", GenerateOptions{})
	if err := suite.Data.WriteCSV(full{cause}); !errors.Is(err, cause) {
		t.Errorf("got %v, want %v", err, cause)
	}
}

type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }

// TestRoundTrip writes and reads every built-in problem.
func TestRoundTrip(t *testing.T) {
	for _, p := range Problems() {
		_, suite := generate(t, p.Name, GenerateOptions{Seed: 2, Rows: 80})
		roundTrip(t, suite.Data)
	}
}

// roundTrip fails t unless table, written and read, is the same.
func roundTrip(t testing.TB, table *Table) {
	t.Helper()
	var b bytes.Buffer
	if err := table.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	written := b.String()
	sheet, err := Read(&b, "again.csv", Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, written)
	}
	if !slices.Equal(sheet.Columns(), table.Names) {
		t.Fatalf("names %q come back as %q", table.Names, sheet.Columns())
	}
	again, kept, err := sheet.Table(sheet.Columns())
	if err != nil || len(kept) != sheet.Rows() || !equal(again, table) {
		t.Fatalf("%v comes back as %v, rows %d, error %v\n%s", table, again, kept, err, written)
	}
}
