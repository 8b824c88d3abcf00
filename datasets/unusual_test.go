package datasets

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestUnusualRows reads tables with rows and columns that are not data.
func TestUnusualRows(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		columns  []string
		first    []float64 // of the first column
		note     string    // that is given; empty: none
	}{
		{"a total", "x,y\n1,2\n3,4\nTotal,6\n", []string{"x", "y"}, []float64{1, 3},
			`line 4, "Total", sums up the rows above`},
		{"a mean with a sign", "x,y\n1,2 %\n3,4 %\nMean,3 %\n", []string{"x", "y"}, []float64{1, 3},
			`line 4, "Mean", sums up the rows above`},
		{"totals beside names", "x,of\n1,a\n3,b\n4,Sum:\n2,mean\n1,SD\n",
			[]string{"x", "of"}, []float64{1, 3}, `line 5, "mean", sums up`},
		{"a total between", "x,of\n1,a\n3,Total\n4,c\n2,Total\n", []string{"x", "of"}, []float64{1, 3, 4, 2}, ""},
		{"names that are such words", "x,of\n1,min\n3,max\n4,min\n2,max\n", []string{"x", "of"}, []float64{1, 3, 4, 2}, ""},
		{"a largest sample", "x,of\n1,low\n3,max\n", []string{"x", "of"}, []float64{1, 3}, ""},
		{"R numbers rows", "x y\n1 5 6\n2 7 8\n", []string{"x", "y"}, []float64{5, 7}, "counts the rows"},
		{"R names rows", "\"x\",\"y\"\n\"a b\",5,6\n\"c\",7,8\n", []string{"x", "y"}, []float64{5, 7}, "names of rows"},
		{"names of rows", ",x\na,5\nb,7\n", []string{"x"}, []float64{5, 7}, "names of rows"},
		{"pandas numbers rows", "Unnamed: 0,x\n0,5\n1,7\n", []string{"x"}, []float64{5, 7}, "counts the rows"},
		{"uncertainties in cells", "y,x\n1.75 ± 0.1,1\n2.5+/-0.2,2\n",
			[]string{"y", "y_err", "x"}, []float64{1.75, 2.5}, `are column "y_err"`},
		{"uncertainties of digits", "y\n1.75(12)\n-2.5(3)\n", []string{"y", "y_err"}, []float64{1.75, -2.5},
			`cells such as "1.75(12)"`},
		{"missing beside uncertainties", "y,x\n1 ± 0.1,1\n,2\n2 ± 1,3\n",
			[]string{"y", "y_err", "x"}, []float64{1, math.NaN(), 2}, "y_err"},
	} {
		s := readString(t, tt.in, Options{})
		if got := s.Columns(); !slices.Equal(got, tt.columns) {
			t.Errorf("%s: columns %q, want %q", tt.name, got, tt.columns)
			continue
		}
		if got := s.columns[0].values; !sameBits(got, tt.first) {
			t.Errorf("%s: the first column is %v, want %v", tt.name, got, tt.first)
		}
		notes := strings.Join(s.Notes(), "\n")
		if tt.note == "" && notes != "" || !strings.Contains(notes, tt.note) {
			t.Errorf("%s: the notes are %q, want %q", tt.name, notes, tt.note)
		}
	}
}

// TestTrailingDelimiters refuses rows with a delimiter too many, of which the first column could be taken for the
// numbers of rows.
func TestTrailingDelimiters(t *testing.T) {
	_, err := Read(strings.NewReader("x,y\n1,5,\n2,7,\n"), "t.csv", Options{})
	if err == nil || !strings.Contains(err.Error(), "this row has 3 cells") {
		t.Errorf("got %v", err)
	}
}

func TestUncertaintyOfDigits(t *testing.T) {
	s := readString(t, "y\n1.75(12)\n-2.5(3)\n140 (1.5)\n12(3)\n", Options{})
	if got, want := s.columns[1].values, []float64{0.12, 0.3, 1.5, 3}; !near(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	s = readString(t, "y\n1.75 ± 0.1\n2 ± 1\nabc\n3 ± 1\n4 ± 1\n", Options{})
	if _, _, err := s.Table([]string{"y"}); err == nil || !strings.Contains(err.Error(), `:4: column "y": "abc" is not`) {
		t.Errorf("got %v", err)
	}
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-12*math.Abs(y) })
}

// TestDoubts reads numbers that may mean something else, and says so.
func TestDoubts(t *testing.T) {
	for _, tt := range []struct{ name, in, note string }{
		{"-999", "y\n1\n2\n3\n4\n-999\n", "-999 is in 1 cell, far from all others"},
		{"99.9 twice", "y\n1\n99.9\n2\n3\n99.9\n4\n", "99.9 is in 2 cells"},
		{"1e30", "y\n1\n2\n3\n4\n1e30\n", "1e+30 is in 1 cell"},
		{"nines among others", "y\n100\n400\n600\n800\n999\n", ""},
		{"an outlier", "y\n1\n2\n3\n4\n1000\n", ""},
		{"points between thousands", "y\n12\n262\n1.012\n2.262\n", "the point in 1.012 is taken for the decimal mark"},
		{"three decimals", "y\n1.012\n2.262\n3.000\n", ""},
		{"decimals of all lengths", "y\n12\n1.012\n2.26\n", ""},
		{"rounded", "y\n9007199254740993\n", "are rounded, to 9007199254740992"},
		{"large", "y\n9007199254740992\n", ""},
	} {
		notes := strings.Join(readString(t, tt.in, Options{}).Notes(), "\n")
		if tt.note == "" && notes != "" || !strings.Contains(notes, tt.note) {
			t.Errorf("%s: the notes are %q, want %q", tt.name, notes, tt.note)
		}
	}
	if notes := readString(t, "y\n12\n1.012\n", Options{DecimalKnown: true}).Notes(); len(notes) > 0 {
		t.Errorf("the decimal mark is known, and the notes are %q", notes)
	}
}

// TestAmounts reads amounts of money in the ways of several countries.
func TestAmounts(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []float64
	}{
		{"USD 1.5\nUSD 2", []float64{1.5, 2}},
		{"US$ 1,234.50\nUS$ 2.00", []float64{1234.5, 2}},
		{"$5.50\n($1,200.25)", []float64{5.5, -1200.25}},
		{"7\n(8.5)", []float64{7, -8.5}},
		{"\"61,72,500\"\n\"1,07,40,150\"\n\"12,500\"", []float64{6172500, 10740150, 12500}},
	} {
		s := readString(t, "y\n"+strings.ReplaceAll(quotedLines(tt.in), "\"\"", "\""), Options{})
		codings := s.Codings()
		if err := s.Encode(codings); err != nil {
			t.Errorf("%q: %v", tt.in, err)
		} else if got := s.columns[0].values; !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %v, want %v", tt.in, got, tt.want)
		}
	}
	for _, in := range []string{"(1.5)\n(2)", "1,23\n2,34,567"} {
		if codings := readString(t, "y\n"+quotedLines(in), Options{}).Codings(); codings["y"].Number != nil {
			t.Errorf("%q is read as %s", in, codings["y"].Note())
		}
	}
	for _, in := range []string{"=1.5\n=2", "'1.5\n'2"} {
		if !readString(t, "y\n"+in, Options{}).LooksNumeric("y") {
			t.Errorf("%q does not look like numbers", in)
		}
	}
}

// quotedLines puts each line in quotes.
func quotedLines(s string) string {
	var lines []string
	for _, line := range strings.Split(s, "\n") {
		lines = append(lines, `"`+strings.Trim(line, `"`)+`"`)
	}
	return strings.Join(lines, "\n")
}

// TestSpellings reads two words that are spelled in several ways.
func TestSpellings(t *testing.T) {
	s := readString(t, "y\nTrue\nTRUE\nfalse\nFalse\ntrue\n", Options{})
	if err := s.Encode(s.Codings()); err != nil {
		t.Fatal(err)
	}
	if got, want := s.columns[0].values, []float64{0, 0, 1, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if w := readString(t, "y\na\nA\nb\nB\nc\n", Options{}).Codings()["y"].Words; w != nil {
		t.Errorf("three words are %q", w)
	}
	if v, ok := (Words{"A", "a"}).decode("a"); v != 1 || !ok {
		t.Error("words that differ by capitals alone are the same")
	}
}

// TestUnitsOfNothing reads lines of units in which some columns have none.
func TestUnitsOfNothing(t *testing.T) {
	for _, tt := range []struct{ in, x, y string }{
		{"x,y\n[-],[V]\n1,2\n", "", "[V]"},
		{"x,y\n1/s,W m-2\n1,2\n", "1/s", "W m-2"},
		{"x,y\n(1),()\n1,2\n", "", ""},
	} {
		s := readString(t, tt.in, Options{})
		if s.Rows() != 1 || s.Unit("x") != tt.x || s.Unit("y") != tt.y {
			t.Errorf("%q: %d rows, units %q and %q", tt.in, s.Rows(), s.Unit("x"), s.Unit("y"))
		}
	}
}

// TestBars reads cells between bars.
func TestBars(t *testing.T) {
	if s := readString(t, "a|b\n1|2\n3|4\n", Options{}); !slices.Equal(s.Columns(), []string{"a", "b"}) {
		t.Errorf("columns %q", s.Columns())
	}
}

// TestOtherDates reads dates by a coding for another layout: those of ISO 8601, and no others.
func TestOtherDates(t *testing.T) {
	days := Coding{Time: &TimeCoding{Layout: "DD.MM.YY", Unit: "days", Origin: "2024-01-01T00:00:00"}}
	s := readString(t, "v\n2024-01-03\n05.01.24\n", Options{})
	if err := s.Encode(map[string]Coding{"v": days}); err != nil || !slices.Equal(s.columns[0].values, []float64{2, 4}) {
		t.Errorf("%v, %v", s.columns[0].values, err)
	}
	for _, cell := range []string{"01/03/2024", "2024-13-01", "12:30"} {
		if v, ok := days.Time.decode(cell); ok {
			t.Errorf("%q is read as %v", cell, v)
		}
	}
	if c := readString(t, "v\n2024-01-03\n05.01.24\n", Options{}).Codings(); len(c) > 0 {
		t.Errorf("dates in two layouts are read as %s", c["v"].Note())
	}
}

// TestUTF16 reads the text that spreadsheets call Unicode.
func TestUTF16(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		encode := func(text string) string {
			var b []byte
			for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
				b = order.AppendUint16(b, u)
			}
			return string(b)
		}
		s := readString(t, encode("größe\t🌡\r\n1\t2\r\n3\t4\r\n"), Options{})
		if !slices.Equal(s.Columns(), []string{"größe", "🌡"}) || s.Rows() != 2 || s.columns[1].values[1] != 4 {
			t.Errorf("columns %q, %d rows", s.Columns(), s.Rows())
		}
		_, err := Read(strings.NewReader(encode("a\n1\n")+"x"), "t.csv", Options{})
		if err == nil || !strings.Contains(err.Error(), "ends within a character") {
			t.Errorf("half a character: %v", err)
		}
	}
}
