package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// bigTable writes rows that say in each cell which they are: a number, a date, and a word in every tenth.
func bigTable(rows int) []byte {
	var b bytes.Buffer
	b.WriteString(",n,day,word\ns,m,,\n")
	for i := range rows {
		word := ""
		if i%10 == 0 {
			word = fmt.Sprintf("w%d", i)
		}
		fmt.Fprintf(&b, "%d,%d,2024-01-01T%02d:%02d:00Z,%s\n", i, i, i/60%24, i%60, word)
	}
	return b.Bytes()
}

// A sheet of some of the rows has them in order, each cell in its row and line, and whatever the file has of other
// kinds of cells is an error still.
func TestReadMost(t *testing.T) {
	const rows, most = 5000, 300
	text := bytes.Replace(bigTable(rows), []byte("s,m,,\n"), nil, 1)
	sheet, err := Read(bytes.NewReader(text), "t.csv", Options{Most: most})
	if err != nil {
		t.Fatal(err)
	}
	if sheet.Rows() != most || sheet.Total() != rows {
		t.Fatalf("the sheet has %d of %d rows", sheet.Rows(), sheet.Total())
	}
	codings := sheet.Codings()
	if err := sheet.Encode(map[string]Coding{"day": codings["day"]}); err != nil {
		t.Fatal(err)
	}
	table, kept, err := sheet.Table([]string{"n", "day"})
	if err != nil {
		t.Fatal(err)
	}
	words, err := sheet.Cells("word")
	if err != nil {
		t.Fatal(err)
	}
	n := table.Cols[0]
	if !slices.IsSorted(n) || slices.Compact(slices.Clone(n))[len(n)-1] != n[len(n)-1] {
		t.Error("the rows are not in order, or one is there twice")
	}
	for i, v := range n {
		row := int(v)
		minute := table.Cols[1][i] - table.Cols[1][0]
		if got, want := sheet.Lines(kept).Of(i), row+2; got != want {
			t.Errorf("row %d is said to be in line %d", row, got)
		}
		if want := float64(row%1440 - int(n[0])%1440); math.Abs(minute*60-want) > 1e-6 && math.Abs(minute*1440-want) > 1e-6 &&
			math.Abs(minute/60-want) > 1e-6 {
			t.Errorf("row %d has the date of another: %g after %g", row, minute, want)
		}
		if want := fmt.Sprintf("w%d", row); row%10 == 0 && words[i] != want || row%10 > 0 && words[i] != "" {
			t.Errorf("row %d has the word %q", row, words[i])
		}
	}
	again, err := Read(bytes.NewReader(text), "t.csv", Options{Most: most})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(sheet.Lines(kept), again.Lines(kept)) {
		t.Error("the same file gives other rows")
	}
	for name, cell := range map[string]string{"a word": "x", "a missing cell": "", "infinite": "inf"} {
		bad := bytes.Replace(text, []byte("\n4321,4321,"), []byte("\n4321,"+cell+","), 1)
		sheet, err := Read(bytes.NewReader(bad), "t.csv", Options{Most: most})
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(again.Lines(kept)[0][:], 4323) {
			t.Fatal("the row is one of the sample")
		}
		_, _, err = sheet.Table([]string{"n"})
		if located := (*Error)(nil); !errors.As(err, &located) || located.Line != 4323 {
			t.Errorf("%s beside the sample: got %v, want an error in line 4323", name, err)
		}
	}
}

// Every row is as likely as any other: of many files cut from one another, the tenths of the file are hit alike.
func TestReadMostIsEven(t *testing.T) {
	const most, parts = 2000, 10
	for _, rows := range []int{most, most + 1, 3 * most, 20 * most} {
		var b strings.Builder
		b.WriteString("a\n")
		for i := range rows {
			fmt.Fprintln(&b, i)
		}
		sheet, err := Read(strings.NewReader(b.String()), "t.csv", Options{Most: most})
		if err != nil {
			t.Fatal(err)
		}
		var hits [parts]int
		for _, v := range sheet.columns[0].values {
			hits[int(v)*parts/rows]++
		}
		chi := 0.0
		for _, n := range hits {
			d := float64(n) - most/parts
			chi += d * d / (most / parts)
		}
		if chi > 27.9 { // 9 degrees of freedom, 0.1 %
			t.Errorf("of %d rows the tenths are hit %v times", rows, hits)
		}
	}
}

// A file that has no more rows than the sheet may hold is read as without a limit.
func TestReadMostOfFew(t *testing.T) {
	text := bigTable(50)
	want, err := Read(bytes.NewReader(text), "t.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(bytes.NewReader(text), "t.csv", Options{Most: 50})
	if err != nil {
		t.Fatal(err)
	}
	// NaN differs from itself
	if a, b := fmt.Sprint(got.columns, got.lines, got.notes), fmt.Sprint(want.columns, want.lines, want.notes); a != b {
		t.Errorf("got %s, want %s", a, b)
	}
}

// The parts of a file, put together, are the file, whatever their size.
func TestReadParts(t *testing.T) {
	const rows = 100
	text := bigTable(rows)
	whole, err := Read(bytes.NewReader(text), "t.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	codings := map[string]Coding{"day": whole.Codings()["day"]}
	read := func(s *Sheet) *Table {
		if err := s.Encode(codings); err != nil {
			t.Fatal(err)
		}
		table, _, err := s.Table([]string{"n", "day"})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	want := read(whole)
	for _, size := range []int{1, 7, 50, 99, 100, 1000} {
		got := &Table{Names: want.Names, Cols: make([][]float64, 2)}
		for part, err := range ReadParts(bytes.NewReader(text), "t.csv", Options{}, size) {
			if err != nil {
				t.Fatal(err)
			}
			if part.Rows() > size || part.Unit("n") != "m" {
				t.Errorf("a part of %d rows, its unit %q", part.Rows(), part.Unit("n"))
			}
			for j, col := range read(part).Cols {
				got.Cols[j] = append(got.Cols[j], col...)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("parts of %d rows are another table", size)
		}
	}
	for _, err := range ReadParts(bytes.NewReader(text), "t.csv", Options{}, 10) {
		if err != nil {
			t.Fatal(err)
		}
		break // which is no error
	}
	var last error
	for _, err := range ReadParts(strings.NewReader("a,b\n1,2\n3,4\n5\n"), "t.csv", Options{}, 1) {
		last = err
	}
	if want := "t.csv:4: this row has 1 cell"; last == nil || !strings.HasPrefix(last.Error(), want) {
		t.Errorf("got %v, want %s", last, want)
	}
}
