package datasets

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func readString(t testing.TB, in string, opt Options) *Sheet {
	t.Helper()
	sheet, err := Read(strings.NewReader(in), "speed.csv", opt)
	if err != nil {
		t.Fatal(err)
	}
	return sheet
}

func TestSheetTableRefuses(t *testing.T) {
	drop := Options{Missing: MissingDrop}
	comma := Options{Decimal: Comma}
	for _, tt := range []struct {
		name    string
		in      string
		opt     Options
		columns string
		want    string
	}{
		{"text", "t,v\n0,1.5\n1,off\n", Options{}, "v",
			`speed.csv:3: column "v": "off" is not a number (clean the cell, or leave the column out)`},
		{"line of what may be units", "t,v\n[s],meters in every second\n0,1.5\n", Options{}, "v",
			`speed.csv:2: column "v": "meters in every second" is not a number, nor is anything in this line: is it one of units? (remove it, or let it start with #)`},
		{"error of a spreadsheet", "t,v\n0,1.5\n#N/A,2\n", Options{}, "t",
			`speed.csv:3: column "t": "#N/A" is not a finite number (fill the cell, drop such rows, or leave the column out)`},
		{"error of a spreadsheet", "t,v\n#DIV/0!,1.5\n0,2\n", Options{}, "t",
			`speed.csv:2: column "t": "#DIV/0!" is not a finite number ` +
				"(fill the cell, drop such rows, or leave the column out)"},
		{"thousands", "t,v\n0,\"1,000\"\n1,\"2,500\"\n", Options{}, "v",
			`speed.csv:2: column "v": "1,000" is not a number (if the comma is the decimal mark, read the file with a decimal comma; if it parts thousands, read the file with a decimal point)`},
		{"text, dropping", "t,v\n0,1.5\n1,off\n", drop, "v",
			`speed.csv:3: column "v": "off" is not a number (clean the cell, or leave the column out)`},
		{"text in a column whose name has a space", "t,my v\n0,1.5\n1,fast\n", Options{}, "my v",
			`speed.csv:3: column "my v": "fast" is not a number (clean the cell, or leave the column out)`},
		{"nothing but text", "t,v\n0,a\n1,b\n", Options{}, "v",
			`speed.csv:2: column "v": "a" is not a number (clean the cell, or leave the column out)`},
		{"long text", "v\n1\n" + strings.Repeat("ö", 100) + "\n", Options{}, "v",
			`speed.csv:3: column "v": "` + strings.Repeat("ö", 40) +
				`…" is not a number (clean the cell, or leave the column out)`},
		{"empty", "t,v\n0,1.5\n1,\n", Options{}, "v",
			`speed.csv:3: column "v": the cell is empty (fill it, drop such rows, or leave the column out)`},
		{"nan", "t,v\n0,1.5\n1,NaN\n", Options{}, "v",
			`speed.csv:3: column "v": "NaN" is not a finite number (fill the cell, drop such rows, or leave the column out)`},
		{"NA", "t,v\n0,1.5\n1,NA\n", Options{}, "v",
			`speed.csv:3: column "v": "NA" is not a finite number (fill the cell, drop such rows, or leave the column out)`},
		{"infinity", "t,v\n0,1.5\n1,-Inf\n", drop, "v",
			`speed.csv:3: column "v": "-Inf" is not a finite number (clean the cell, or leave the column out)`},
		{"overflow", "t,v\n0,1.5\n1,1e999\n", drop, "v",
			`speed.csv:3: column "v": "1e999" is too large for a float64 (change the unit, or leave the column out)`},
		{"the first of several", "t,v\n0,1\n1,inf\n2,\n3,x\n", Options{}, "v",
			`speed.csv:3: column "v": "inf" is not a finite number (clean the cell, or leave the column out)`},
		{"the first that is not dropped", "t,v\n0,1\n1,\n2,x\n", drop, "v",
			`speed.csv:4: column "v": "x" is not a number (clean the cell, or leave the column out)`},
		{"a comma among points", "t;v\n0.5;1,5\n1;2,5\n", Options{}, "v",
			`speed.csv:2: column "v": "1,5" is not a number (if the comma is the decimal mark, read the file with a decimal comma)`},
		{"decimal point under comma", "t;v\n0;1.5\n1;2.5\n", comma, "v",
			`speed.csv:2: column "v": "1.5" is not a number (if the point is the decimal mark, read the file with a decimal point, the default)`},
		{"thousands", "t;v\n0;1\n1;1.000,5\n", comma, "v",
			`speed.csv:3: column "v": "1.000,5" is not a number (clean the cell, or leave the column out)`},
		{"hexadecimal", "t,v\n0,1\n1,0x1p-2\n", Options{}, "v",
			`speed.csv:3: column "v": "0x1p-2" is not a number (clean the cell, or leave the column out)`},
		{"underscores", "t,v\n0,1\n1,1_000\n", Options{}, "v",
			`speed.csv:3: column "v": "1_000" is not a number (clean the cell, or leave the column out)`},
		{"no row without a gap", "a,b\n1,\n,2\n", drop, "a b",
			`speed.csv: every row misses a cell in the columns used (leave out columns with many missing cells)`},
		{"text, every column needed", "t,v\n0,1.5\n1,off\n", Options{AllNeeded: true}, "v",
			`speed.csv:3: column "v": "off" is not a number (clean the cell)`},
		{"empty, every column needed", "t,v\n0,1.5\n1,\n", Options{AllNeeded: true}, "v",
			`speed.csv:3: column "v": the cell is empty (fill it, or drop such rows)`},
		{"no row without a gap, every column needed", "a,b\n1,\n,2\n", Options{Missing: MissingDrop, AllNeeded: true}, "a b",
			`speed.csv: every row misses a cell in the columns used`},
		{"unknown column", "speed,time\n1,2\n", Options{}, "sped",
			`speed.csv: there is no column "sped" (did you mean "speed"? there are: speed, time)`},
		{"unknown column, other case", "Speed,time\n1,2\n", Options{}, "speed",
			`speed.csv: there is no column "speed" (did you mean "Speed"? there are: Speed, time)`},
		{"unknown column like no other", "speed,time\n1,2\n", Options{}, "z",
			`speed.csv: there is no column "z" (there are: speed, time)`},
		{"the same column twice", "a,b\n1,2\n", Options{}, "a a",
			`speed.csv: columns 1 and 2 of the table are both named "a"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			columns := strings.Fields(tt.columns)
			if tt.columns == "my v" {
				columns = []string{tt.columns}
			}
			_, _, err := readString(t, tt.in, tt.opt).Table(columns)
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			if located := (*Error)(nil); !errors.As(err, &located) || located.File != "speed.csv" {
				t.Errorf("got %#v, want an *Error with the file", err)
			}
		})
	}
}

func TestSheetChecksOnlyWhatIsUsed(t *testing.T) {
	sheet := readString(t, "name,a,b\nx,1,\ny,2,oops\n", Options{})
	table, kept, err := sheet.Table([]string{"a"})
	if err != nil || !slices.Equal(kept, []int{0, 1}) || !slices.Equal(table.Cols[0], []float64{1, 2}) {
		t.Errorf("got %v, rows %d, error %v", table, kept, err)
	}
}

func TestFirstText(t *testing.T) {
	point := readString(t, "a;b;c\n1.5;;1,5\n2;off;x\n", Options{})
	comma := readString(t, "v;w\n1.5;1\n2.5;2\n", Options{Decimal: Comma})
	type place struct {
		line int
		cell string
		way  string
	}
	for _, tt := range []struct {
		sheet  *Sheet
		column string
		want   place
	}{
		{point, "a", place{}},
		{point, "none", place{}},
		{point, "b", place{3, "off", ""}},
		{point, "c", place{2, "1,5", "if the comma is the decimal mark, read the file with a decimal comma"}},
		{comma, "v", place{2, "1.5", "if the point is the decimal mark, read the file with a decimal point, the default"}},
	} {
		line, cell, way := tt.sheet.FirstText(tt.column)
		if got := (place{line, cell, way}); got != tt.want {
			t.Errorf("column %s: got %v, want %v", tt.column, got, tt.want)
		}
	}
}

func TestSheetDrops(t *testing.T) {
	sheet := readString(t, "a,b,c\n1,1,\n2,,1\n3,3,nan\nNA,4,\n5,5,NAN\n", Options{Missing: MissingDrop})
	table, kept, err := sheet.Table([]string{"b", "a"})
	if err != nil || !slices.Equal(kept, []int{0, 2, 4}) {
		t.Fatalf("rows %d, error %v, want 0, 2 and 4", kept, err)
	}
	if want := (&Table{[]string{"b", "a"}, [][]float64{{1, 3, 5}, {1, 3, 5}}}); !equal(table, want) {
		t.Errorf("got %v, want %v", table, want)
	}
	if table, kept, err = sheet.Table([]string{"c"}); err != nil || !slices.Equal(kept, []int{1}) || table.Rows() != 1 {
		t.Errorf("column c: got %v, rows %d, error %v", table, kept, err)
	}
}

func TestNumeric(t *testing.T) {
	sheet := readString(t, "number,text,mixed,empty,na,inf\n1,a,b,,NA,inf\n2,b,3,,nan,inf\n", Options{})
	for column, want := range map[string]bool{
		"number": true, "text": false, "mixed": true, "empty": false, "na": false, "inf": true, "none": false,
	} {
		if got := sheet.Numeric(column); got != want {
			t.Errorf("%s: got %v, want %v", column, got, want)
		}
	}
}

func TestUnknownNameListIsBounded(t *testing.T) {
	_, _, err := readString(t, strings.Join(numbered("c", 1000), ",")+"\n"+strings.Repeat("1,", 999)+"1\n",
		Options{}).Table([]string{"q"})
	if err == nil || len(err.Error()) > 200 || !strings.HasSuffix(err.Error(), "c20, … (1000 in all))") {
		t.Errorf("got %v", err)
	}
}

func TestNotes(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"nothing to say", "# by hand\na,b\n1,2\n", nil},
		{"no header", "1,2\n3,4\n", []string{"there is no header; the columns are x1 to x2"}},
		{"names in a comment", "# a b\n1 2\n",
			[]string{"the names of the columns are those in the comment above the first row"}},
		{"an index", ",a,b\n0,1,2\n1,1,3\n", []string{"the first column has no name and counts the rows, and is left out"}},
		{"a comment below", "a,b\n1,2\n#3,4\n5,6\n", []string{"line 3 starts with #, as comments do, and is left out"}},
		{"comments below", "a,b\n# c\n1,2\n#1,3,4\n5,6\n#N/A,7\n",
			[]string{"2 lines below the first row start with #, as comments do, and are left out; the first is line 2"}},
	} {
		sheet, err := Read(strings.NewReader(tt.in), "t.csv", Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := sheet.Notes(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
