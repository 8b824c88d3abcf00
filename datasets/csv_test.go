package datasets

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestRead(t *testing.T) {
	comma := Options{Decimal: Comma}
	ab := []string{"a", "b"}
	x12 := []string{"x1", "x2"}
	rows1234 := [][]float64{{1, 3}, {2, 4}} // columns
	decimals := [][]float64{{1.5, 3.5}, {2.5, 4.5}}
	for _, tt := range []struct {
		name  string
		in    string
		opt   Options
		names []string
		cols  [][]float64
	}{
		{"plain", "a,b\n1,2\n3,4\n", Options{}, ab, rows1234},
		{"no header", "1,2\n3,4\n", Options{}, x12, rows1234},
		{"no last newline", "a,b\n1,2\n3,4", Options{}, ab, rows1234},
		{"crlf", "a,b\r\n1,2\r\n3,4\r\n", Options{}, ab, rows1234},
		{"cr", "a,b\r1,2\r3,4\r", Options{}, ab, rows1234},
		{"byte order mark", "\ufeffa,b\n1,2\n3,4\n", Options{}, ab, rows1234},
		{"byte order mark and quotes", "\ufeff\"a\",b\n1,2\n3,4\n", Options{}, ab, rows1234},
		{"byte order mark, no header", "\ufeff1,2\n3,4\n", Options{}, x12, rows1234},
		{"semicolons", "a;b\n1;2\n3;4\n", Options{}, ab, rows1234},
		{"tabs", "a\tb\n1\t2\n3\t4\n", Options{}, ab, rows1234},
		{"commas and padding tabs", "a,\tb\n1,\t2\n3,\t4\n", Options{}, ab, rows1234},
		{"spaces around cells", " a , b \n 1 , 2 \n 3 , 4 \n", Options{}, ab, rows1234},
		{"spaces around quotes", " \"a\" , \"b\" \n\"1\" , 2 \n3,4\n", Options{}, ab, rows1234},
		{"spaces inside quotes", "\" a\",\"b \"\n\" 1\",2\n3,4\n", Options{}, ab, rows1234},
		{"separated by spaces", "a b\n1 2\n3 4\n", Options{}, ab, rows1234},
		{"separated by spaces, aligned", "  a   b  \n\n  1   2 \n  3 \t4\r\n   \n", Options{}, ab, rows1234},
		{"separated by spaces, no header, no last newline", " 1 2\n 3 4 ", Options{}, x12, rows1234},
		{"separated by spaces, quoted", "\"a\" b\n \"1\" 2\n3 \"4\"\n", Options{}, ab, rows1234},
		{"separated by spaces, commented", "# made in May\n1.0e+00 2.0e+00\n3.0e+00 4.0e+00\n", Options{}, x12, rows1234},
		{"names in a comment", "# by hand\n# a b\n1.0e+00 2.0e+00\n3.0e+00 4.0e+00\n", Options{}, ab, rows1234},
		{"names in a comment, commas", "#a, b\n1,2\n#5,6\n3,4\n", Options{}, ab, rows1234},
		{"the same name twice in a comment", "# a a\n1 2\n3 4\n", Options{}, x12, rows1234},
		{"numbers in a comment", "# 5 6\n1 2\n3 4\n", Options{}, x12, rows1234},
		{"a first column that counts", ",a,b\n0,1,2\n1,3,4\n", Options{}, ab, rows1234},
		{"separated by spaces, commas in the comment", "# a, b\na b\n1 2\n3 4\n", Options{}, ab, rows1234},
		{"decimal comma, spaces", "a b\n1,5 2,5\n3,5 4,5\n", comma, ab, decimals},
		{"decimal comma, spaces, no header", "1,5 2,5\n3,5 4,5\n", comma, x12, decimals},
		{"spaces in a name", "a b\n1\n3\n", Options{}, []string{"a b"}, rows1234[:1]},
		{"spaces in names", "a m,b in s\n1,2\n3,4\n", Options{}, []string{"a m", "b in s"}, rows1234},
		{"declared delimiter", "sep=;\r\na;b\r\n1;2\r\n3;4\r\n", Options{}, ab, rows1234},
		{"declared delimiter that would be found otherwise", "\ufeffSEP=,\na;x,b\n1,2\n3,4\n",
			Options{}, []string{"a;x", "b"}, rows1234},
		{"exponents of Fortran", "a b\n1.0D+00 0.2d1\n30D-1 4\n", Options{}, ab, rows1234},
		{"blank lines", "\n\na,b\n\n1,2\n  \n\t\n3,4\n\n", Options{}, ab, rows1234},
		{"lines of delimiters", "a,b\n1,2\n,\n3,4\n , \n,\n", Options{}, ab, rows1234},
		{"blank lines between semicolons", "a;b\n\n1;2\n \n3;4\n", Options{}, ab, rows1234},
		{"comments", "# x, y; z\na,b\n1,2\n  # \"\n#\n3,4\n# end", Options{}, ab, rows1234},
		{"comment with odd delimiters", "#;;;;;;\na,b\n1,2\n3,4\n", Options{}, ab, rows1234},
		{"quoted delimiters in names", "\"a;x\",\"b,\ty\"\n1,2\n3,4\n", Options{}, []string{"a;x", "b, y"}, rows1234},
		{"quoted quotes", "\"a \"\"x\"\"\",b\n1,2\n3,4\n", Options{}, []string{`a "x"`, "b"}, rows1234},
		{"quoted line ends", "\"a\nx\",\"b\r\ny\"\n1,2\n3,4\n", Options{}, []string{"a x", "b y"}, rows1234},
		{"quoted numbers", "\"a\",\"b\"\n\"1\",\"2\"\n\"3\",\"4\"\n", Options{}, ab, rows1234},
		{"quoted names that are numbers", "\"1\",\"2\"\n1,2\n3,4\n", Options{}, []string{"1", "2"}, rows1234},
		{"quoted numbers, no header", "\"1\",\"2\"\n\"3\",\"4\"\n", Options{}, x12, rows1234},
		{"quote inside a name", "a 5\",b\n1,2\n3,4\n", Options{}, []string{`a 5"`, "b"}, rows1234},
		{"name that starts with a mark, quoted", "\"#a\",b\n1,2\n3,4\n", Options{}, []string{"#a", "b"}, rows1234},
		{"names in all scripts", "θ,速度\n1,2\n3,4\n", Options{}, []string{"θ", "速度"}, rows1234},
		{"scientific notation", "a,b\n1e0,+2E+00\n.3e1,400e-2\n", Options{}, ab, rows1234},
		{"trailing delimiters", "a,b,\n1,2,\n3,4,\n", Options{}, ab, rows1234},
		{"one column", "a\n1\n2\n", Options{}, []string{"a"}, [][]float64{{1, 2}}},
		{"one column, no header", "1\n2\n", Options{}, []string{"x1"}, [][]float64{{1, 2}}},
		{"one row", "a,b\n1,2\n", Options{}, ab, [][]float64{{1}, {2}}},
		{"one number", "7", Options{}, []string{"x1"}, [][]float64{{7}}},
		{"extremes", "a\n1.7976931348623157e308\n5e-324\n-0\n1e-999\n", Options{}, []string{"a"},
			[][]float64{{math.MaxFloat64, 5e-324, math.Copysign(0, -1), 0}}},
		{"decimal comma, semicolons", "a;b\n1,5;2,5\n3,5;4,5\n", comma, ab, decimals},
		{"decimal comma, tabs", "a\tb\n1,5\t2,5\n3,5\t4,5\n", comma, ab, decimals},
		{"decimal comma, quoted between commas", "a,b\n\"1,5\",\"2,5\"\n\"3,5\",\"4,5\"\n", comma, ab, decimals},
		{"decimal comma, no header", "1,5;2,5\n3,5;4,5\n", comma, x12, decimals},
		{"decimal comma, one column", "a\n1,5\n3,5\n", comma, []string{"a"}, decimals[:1]},
		{"decimal comma, one column, no header", "1,5\n3,5\n", comma, []string{"x1"}, decimals[:1]},
		{"decimal comma, exponent", "a;b\n15e-1;2,5\n3,5E0;,45e1\n", comma, ab, decimals},
		{"decimal comma, names with commas", "a, m;b, s\n1,5;2,5\n3,5;4,5\n", comma, []string{"a, m", "b, s"}, decimals},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range []struct {
				name string
				read func() (*Sheet, error)
			}{
				{"whole", func() (*Sheet, error) { return Read(strings.NewReader(tt.in), "t.csv", tt.opt) }},
				{"byte by byte", func() (*Sheet, error) {
					return Read(iotest.OneByteReader(strings.NewReader(tt.in)), "t.csv", tt.opt)
				}},
			} {
				sheet, err := r.read()
				if err != nil {
					t.Fatalf("%s: %v", r.name, err)
				}
				table, kept, err := sheet.Table(sheet.Columns())
				if err != nil || len(kept) != sheet.Rows() {
					t.Fatalf("%s: kept rows %d, error %v", r.name, kept, err)
				}
				if want := (&Table{tt.names, tt.cols}); !equal(table, want) {
					t.Errorf("%s: got %v, want %v", r.name, table, want)
				}
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	long := strings.Repeat("x", 10_000_000)
	for _, tt := range []struct {
		name string
		in   string
		want string
	}{
		{"empty", "", `t.csv: the file is empty (want a header line and rows of numbers)`},
		{"blank", "\n \n", `t.csv: the file is empty (want a header line and rows of numbers)`},
		{"byte order mark alone", "\ufeff", `t.csv: the file is empty (want a header line and rows of numbers)`},
		{"comments alone", "# a\n", `t.csv: the file is empty (want a header line and rows of numbers)`},
		{"header alone", "# by hand\na,b\n", `t.csv:2: there is a header and no row below it (add rows of numbers)`},
		{"a first column without a name that does not count",
			",a,b\n0,1,2\n7,3,4\n",
			`t.csv:1: column 1 has no name (write one into the header; ` +
				"if this line is a note above the header, put # before it)"},
		{"rows that look like comments", "id,a\n#1,2\n#2,3\n",
			`t.csv:1: there is a header and below it only comments, lines that start with # (put the first cell of rows in quotes)`},
		{"row too short below a declared delimiter", "sep=,\na,b\n1,2\n3\n",
			`t.csv:4: this row has 1 cell, the header has 2 (add or remove cells, or quote a cell with a delimiter in it)`},
		{"row too short", "a,b\n1,2\n\n3\n",
			`t.csv:4: this row has 1 cell, the header has 2 (add or remove cells, or quote a cell with a delimiter in it)`},
		{"notes above the header", "Instrument X\nMay 3\na,b\n1,2\n",
			`t.csv:3: this row has 2 cells, the header has 1 (if lines 1 to 2 are not the table, delete them or put # before each)`},
		{"row too long", "a,b\n1,2,3\n4,5\n",
			`t.csv:2: this row has 3 cells, the header has 2 (add or remove cells, or quote a cell with a delimiter in it)`},
		{"row too long, no header", "1,2\n1,2\n1,2,3\n",
			`t.csv:3: this row has 3 cells, the first row has 2 (add or remove cells, or quote a cell with a delimiter in it)`},
		{"row too long after a cell of two lines",
			"a,b\n\"x\ny\",2\n1,2,3\n",
			`t.csv:4: this row has 3 cells, the header has 2 (add or remove cells, or quote a cell with a delimiter in it)`},
		{"same name twice", "a,b,a\n1,2,3\n", `t.csv:1: column "a": columns 1 and 3 both have this name (rename one)`},
		{"same name but for space", "a, a\n1,2\n", `t.csv:1: column "a": columns 1 and 2 both have this name (rename one)`},
		{"no name", "a,,c\n1,2,3\n",
			`t.csv:1: column 2 has no name (write one into the header; ` +
				"if this line is a note above the header, put # before it)"},
		{"no name at all", "\"\"\n\n\"\"\n", `t.csv:1: no column has a name (write names into the header)`},
		{"names of columns are numbers but one",
			",0,1\n0,1,2\n",
			`t.csv:1: column 1 is empty where other columns have numbers: is this a row or a header? (put a header with all names above it)`},
		{"row too short, separated by spaces",
			"a b c\n1 2 3\n1 2\n1 2 3\n",
			`t.csv:3: this row has 2 cells, the header has 3 (add or remove cells, or quote a cell with a delimiter in it)`},
		{"text after a quote, separated by spaces",
			"a b\n\"1\"x 2\n3 4\n", `t.csv:2: there is text after the closing quote (write a quote inside quotes as "")`},
		{"open quote", "a,b\n1,\"2\n3,4\n",
			`t.csv:2: the quote that opens here is never closed (add the closing ", or remove this one)`},
		{"text after a quote", "a,b\n1,\"2\"3\n",
			`t.csv:2: there is text after the closing quote (write a quote inside quotes as "")`},
		{"long cell", "a,b\n1," + long + "\n",
			`t.csv:2: this cell is longer than 1 MiB (is it a table of numbers, and is a quote missing?)`},
		{"long quoted cell", "a,b\n1,\"" + long + "\"\n",
			`t.csv:2: this cell is longer than 1 MiB (is it a table of numbers, and is a quote missing?)`},
		{"long name", long + ",b\n1,2\n",
			`t.csv:1: this cell is longer than 1 MiB (is it a table of numbers, and is a quote missing?)`},
		{"binary", "a,b\n1,2\n\x7fELF\x00\x01\n",
			`t.csv:3: there is a zero byte: this is a binary file (export the table as CSV)`},
		{"binary, far down", "a,b\n" + strings.Repeat("1,2\n", 50_000) + "\x00,2\n",
			`t.csv:50002: column "a": there is a zero byte: this is a binary file (export the table as CSV)`},
		{"Parquet", "PAR1\x15\x04\x15",
			`t.csv: this is a Parquet file (export the table as CSV, with DuckDB: COPY 'FILE.parquet' TO 'FILE.csv')`},
		{"JSON", " [{\"a\":1}]",
			`t.csv: this is JSON (export the table as CSV, with DuckDB: COPY 'FILE.json' TO 'FILE.csv')`},
		{"web page", "<!DOCTYPE html>\n<p>a,b</p>\n", `t.csv: this is a web page (download the table itself, as CSV)`},
		{"spreadsheet", "PK\x03\x04\x14\x00\x06", `t.csv: this is a spreadsheet or an archive (export the table as CSV)`},
		{"utf-16", "\xff\xfea\x00,\x00b\x00", `t.csv:1: there is a header and no row below it (add rows of numbers)`},
		{"latin-1", "a,b\n1,2\nM\xfcller,4\n", `t.csv:3: this is not UTF-8 text (save the file as CSV in UTF-8)`},
		{"latin-1, far down", "a,b\n" + strings.Repeat("1,2\n", 50_000) + "1,M\xfcller\n",
			`t.csv:50002: column "b": this is not UTF-8 text (save the file as CSV in UTF-8)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(tt.in), "t.csv", Options{})
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			if located := (*Error)(nil); !errors.As(err, &located) {
				t.Errorf("got a %T, want an *Error", err)
			}
		})
	}
}

func TestReadFileRefuses(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "none.csv")
	_, err := ReadFile(missing, Options{})
	if want := missing + ": file does not exist (check the path)"; err == nil || err.Error() != want {
		t.Errorf("missing file: got %v, want %s", err, want)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v is not fs.ErrNotExist", err)
	}
	_, err = ReadFile(dir, Options{})
	if want := dir + ": this is a directory (name a file in it)"; err == nil || err.Error() != want {
		t.Errorf("directory: got %v, want %s", err, want)
	}
}

func TestReadPassesReadErrorsOn(t *testing.T) {
	cause := errors.New("the disk is gone")
	for _, before := range []string{"", "a,b\n1,2\n", "a,b\n1,\"2", strings.Repeat("1,2\n", 50_000)} {
		_, err := Read(&failing{strings.NewReader(before), cause}, "t.csv", Options{})
		if !errors.Is(err, cause) {
			t.Errorf("after %d bytes: got %v, want %v", len(before), err, cause)
		}
	}
}

// failing reads what r has and then fails.
type failing struct {
	r   *strings.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	if f.r.Len() == 0 {
		return 0, f.err
	}
	return f.r.Read(p)
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.tsv")
	if err := os.WriteFile(path, []byte("a\tb\n1\t2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sheet, err := ReadFile(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if sheet.Name() != path || sheet.Rows() != 1 || !slices.Equal(sheet.Columns(), []string{"a", "b"}) {
		t.Errorf("got %s, %d rows of %q", sheet.Name(), sheet.Rows(), sheet.Columns())
	}
}

// TestLinesAcrossBuffers reads a file much larger than the buffer, with quoted cells that
// span lines, and expects the line of its one bad cell.
func TestLinesAcrossBuffers(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("note,v\n")
	line := 2
	for range 20_000 {
		b.WriteString("\"two\nlines\",1.25\r\n")
		line += 2
	}
	b.WriteString("end,oops\n")
	sheet, err := Read(&b, "t.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = sheet.Table([]string{"v"})
	located := (*Error)(nil)
	if !errors.As(err, &located) || located.Line != line {
		t.Errorf("got %v, want line %d", err, line)
	}
}

// TestRunesAcrossSample reads characters of three bytes that the end of the sample cuts
// in every way.
func TestRunesAcrossSample(t *testing.T) {
	for pad := range 3 {
		in := "#" + strings.Repeat(" ", pad) + strings.Repeat("速", sampleSize/2) + "\na\n1\n"
		if sheet, err := Read(strings.NewReader(in), "t.csv", Options{}); err != nil || sheet.Rows() != 1 {
			t.Errorf("padding %d: %v", pad, err)
		}
	}
}

func TestChoices(t *testing.T) {
	var d Decimal
	var m Missing
	for _, tt := range []struct {
		text string
		into interface {
			UnmarshalText([]byte) error
			MarshalText() ([]byte, error)
		}
		want string // the error
	}{
		{"point", &d, ""},
		{"comma", &d, ""},
		{"dot", &d, `decimal is "dot", want point or comma`},
		{"error", &m, ""},
		{"drop", &m, ""},
		{"", &m, `missing is "", want error or drop`},
	} {
		err := tt.into.UnmarshalText([]byte(tt.text))
		if tt.want != "" {
			if err == nil || err.Error() != tt.want {
				t.Errorf("%q: got %v, want %s", tt.text, err, tt.want)
			}
			continue
		}
		if back, _ := tt.into.MarshalText(); err != nil || string(back) != tt.text {
			t.Errorf("%q: came back as %q, error %v", tt.text, back, err)
		}
	}
}
