package datasets

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// sheetOf is a file of one column v, a cell in quotes a line.
func sheetOf(t testing.TB, opt Options, name string, cells ...string) *Sheet {
	t.Helper()
	return readString(t, `"`+name+"\"\n\""+strings.Join(cells, "\"\n\"")+"\"\n", opt)
}

func TestCodings(t *testing.T) {
	comma, known := Options{Decimal: Comma, DecimalKnown: true}, Options{DecimalKnown: true}
	nan := math.NaN()
	for _, tt := range []struct {
		name, column string
		opt          Options
		cells        []string
		note         string // empty: the column is left as it is
		want         []float64
	}{
		{"dates", "v", Options{}, []string{"2024-03-01", "2024-01-02"},
			"dates (YYYY-MM-DD), read as days since 2024-01-01", []float64{60, 1}},
		{"dates with a gap", "v", Options{}, []string{"2024-01-01", "NA", "2024-01-03"},
			"dates (YYYY-MM-DD), read as days since 2024-01-01", []float64{0, nan, 2}},
		{"one digit", "v", Options{}, []string{"2024-3-1"},
			"dates (YYYY-MM-DD), read as days since 2024-01-01", []float64{60}},
		{"moments in UTC", "v", Options{}, []string{"2024-03-01T12:30:00Z", "2024-03-01T14:45:30+02:00"},
			"dates (YYYY-MM-DD), read as seconds since 2024-03-01T12:00:00 UTC", []float64{1800, 2730}},
		{"moments of a day", "v", Options{}, []string{"2024-03-01 06:00", "2024-03-01 18:30:00"},
			"dates (YYYY-MM-DD), read as hours since 2024-03-01", []float64{6, 18.5}},
		{"with and without a time", "v", Options{}, []string{"2024-03-01", "2024-03-31 12:00"},
			"dates (YYYY-MM-DD), read as days since 2024-01-01", []float64{60, 90.5}},
		{"years", "v", Options{}, []string{"1958-01-01", "2024-07-02"},
			"dates (YYYY-MM-DD), read as years of the calendar with their fraction", []float64{1958, 2024.5}},
		{"points", "v", Options{}, []string{"01.03.2024", "31.12.2023"},
			"dates (DD.MM.YYYY), read as days since 2023-01-01", []float64{425, 364}},
		{"day first", "v", Options{}, []string{"3/1/2024", "31/1/2024"},
			"dates (DD/MM/YYYY), read as days since 2024-01-01", []float64{2, 30}},
		{"month first", "v", Options{}, []string{"3/1/2024", "1/31/2024"},
			"dates (MM/DD/YYYY), read as days since 2024-01-01", []float64{60, 30}},
		{"day or month first", "v", Options{}, []string{"3/1/2024", "4/1/2024"}, "", nil},
		{"month first, as their order tells", "v", Options{},
			[]string{"1/4/2024", "1/9/2024", "2/3/2024", "2/8/2024", "3/5/2024", "3/7/2024", "4/1/2024", "4/6/2024"},
			"dates (MM/DD/YYYY), read as days since 2024-01-01", []float64{3, 8, 33, 38, 64, 66, 91, 96}},
		{"too few to tell by their order", "v", Options{},
			[]string{"1/4/2024", "1/9/2024", "2/3/2024", "2/8/2024", "3/5/2024", "3/7/2024", "4/1/2024"}, "", nil},
		{"day first, and backwards", "v", Options{},
			[]string{"6/4/2024", "1/4/2024", "9/3/2024", "5/3/2024", "8/2/2024", "3/2/2024", "9/1/2024", "4/1/2024"},
			"dates (DD/MM/YYYY), read as days since 2024-01-01", []float64{96, 91, 68, 64, 38, 33, 8, 3}},
		{"in order both ways", "v", Options{},
			[]string{"1/1/2024", "2/1/2024", "3/1/2024", "4/1/2024", "5/1/2024", "6/1/2024", "7/1/2024", "8/1/2024"},
			"", nil},
		{"months", "v", Options{}, []string{"2024-03", "2024-01"},
			"dates (YYYY-MM), read as days since 2024-01-01", []float64{60, 0}},
		{"part numbers", "v", Options{}, []string{"1001-1", "1001-2", "1002-1"}, "", nil},
		{"names of months", "v", Options{}, []string{"1 Mar 2024", "02 May 2024"},
			"dates (D Mon YYYY), read as days since 2024-01-01", []float64{60, 122}},
		{"May alone", "v", Options{}, []string{"May 1, 2024", "May 2, 2024"},
			"dates (Mon D, YYYY), read as days since 2024-01-01", []float64{121, 122}},
		{"times of day", "v", Options{}, []string{"12:30:15", "12:31"},
			"times of day, read as seconds since midnight", []float64{45015, 45060}},
		{"times of a whole day", "v", Options{}, []string{"0:30", "23:45"},
			"times of day, read as hours since midnight", []float64{0.5, 23.75}},
		{"durations", "v", Options{}, []string{"0:30:00", "30:15:00"}, "durations, read as hours", []float64{0.5, 30.25}},
		{"minutes and fractions of seconds", "v", Options{}, []string{"0:07.5", "81:30.25"}, "durations, read as seconds",
			[]float64{7.5, 4890.25}},
		{"minutes or hours", "v", Options{}, []string{"3:30", "81:30"}, "", nil},
		{"years of two digits", "v", Options{}, []string{"30.01.24", "01.02.24"},
			"dates (DD.MM.YY), read as days since 2024-01-01", []float64{29, 31}},
		{"years of two digits, month first", "v", Options{}, []string{"1/30/24", "2/1/24"},
			"dates (MM/DD/YY), read as days since 2024-01-01", []float64{29, 31}},
		{"months of years of two digits", "v", Options{}, []string{"Jan-24", "Feb-24"},
			"dates (Mon-YY), read as days since 2024-01-01", []float64{0, 31}},
		{"quarters", "v", Options{}, []string{"2024-Q1", "2024Q2"}, "dates (YYYY-Qn), read as days since 2024-01-01",
			[]float64{0, 91}},
		{"quarters before years", "v", Options{}, []string{"Q1 2024", "Q2 2024"},
			"dates (YYYY-Qn), read as days since 2024-01-01", []float64{0, 91}},
		{"YYYYMM", "v", Options{}, []string{"202310", "202311", "202312", "202401", "202402"},
			"dates (YYYYMM), read as days since 2023-01-01", []float64{273, 304, 334, 365, 396}},
		{"numbers of parts", "v", Options{}, []string{"200001", "200002", "200003", "200004", "200005"}, "", nil},
		{"YYYYMMDDhhmmss", "v", Options{},
			[]string{"20240101000000", "20240101060000", "20240101120000", "20240101180000", "20240102000000"},
			"dates (YYYYMMDDhhmmss), read as hours since 2024-01-01", []float64{0, 6, 12, 18, 24}},
		{"twelve hours", "v", Options{}, []string{"1:30 am", "11:45 PM"},
			"times of day, read as hours since midnight", []float64{1.5, 23.75}},
		{"YYYYMMDD", "v", Options{}, []string{"20240101", "20240102", "20240131", "20240201", "20240301"},
			"dates (YYYYMMDD), read as days since 2024-01-01", []float64{0, 1, 30, 31, 60}},
		{"integers that are no dates", "v", Options{}, []string{"20240101", "20240102", "20240131", "20240201", "20240230"},
			"", nil},
		{"integers of other years", "v", Options{}, []string{"18990101", "18990102", "18990131", "18990201", "18990301"},
			"", nil},
		{"dates with a point", "v", Options{}, []string{"20240101.0", "20240102", "20240131", "20240201", "20240301"},
			"", nil},
		{"few integers", "v", Options{}, []string{"20240101", "20240102", "20240131", "20240201"}, "", nil},
		{"seconds", "timestamp", Options{}, []string{"1700000000", "1700000001", "1700000002", "1700000003", "1700000004"},
			"Unix seconds, read as seconds since 2023-11-14T22:00:00", []float64{800, 801, 802, 803, 804}},
		{"milliseconds", "Time", Options{},
			[]string{"1700000000000", "1700000001000", "1700000002500", "1700000003000", "1700000004000"},
			"Unix milliseconds, read as seconds since 2023-11-14T22:00:00", []float64{800, 801, 802.5, 803, 804}},
		{"people", "population", Options{}, []string{"1367000000", "1376000000", "1383000000", "1392000000", "1403000000"},
			"", nil},
		{"seconds that decrease", "time", Options{},
			[]string{"1700000000", "1700000001", "1700000002", "1700000001", "1700000004"},
			"", nil},
		{"one cell of ten is no date", "v", Options{},
			[]string{"2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05", "2024-01-06",
				"2024-01-07", "2024-01-08", "2024-01-09", "2024-13-01"}, "", nil}, // refused by Encode, see below

		{"thousands and decimals", "v", Options{}, []string{"1,234.5", "987.25", "12"},
			"numbers with commas between thousands", []float64{1234.5, 987.25, 12}},
		{"millions", "v", Options{}, []string{"1,234,567", "+2,345,678", "-1"},
			"numbers with commas between thousands", []float64{1234567, 2345678, -1}},
		{"commas and three digits", "v", Options{}, []string{"1,234", "987"}, "", nil},
		{"commas and three digits, point known", "v", known, []string{"1,234", "987"},
			"numbers with commas between thousands", []float64{1234, 987}},
		{"a decimal comma among them", "v", Options{}, []string{"1,234", "0,987"}, "", nil},
		{"decimal commas, point known", "v", known, []string{"1,5", "2,5"}, "", nil},
		{"points and a decimal comma", "v", Options{}, []string{"1.234,5", "987"},
			"numbers with points between thousands and a decimal comma", []float64{1234.5, 987}},
		{"points of two meanings", "v", Options{}, []string{"1.234,5", "1.234"},
			"numbers with points between thousands and a decimal comma", []float64{1234.5, 1234}},
		{"points and commas of two meanings", "v", Options{}, []string{"1.234,5", "0.234"}, "", nil},
		{"points and a decimal comma known", "v", comma, []string{"1.234,5", "1.234", "0,5"},
			"numbers with points between thousands and a decimal comma",
			[]float64{1234.5, 1234, 0.5}},
		{"spaces", "v", Options{}, []string{"1 234", "12\u202f345", "1\u00a0234\u2009567"},
			"numbers with spaces between thousands", []float64{1234, 12345, 1234567}},
		{"spaces and a decimal comma", "v", Options{}, []string{"1 234,5", "7,25"},
			"numbers with spaces between thousands and a decimal comma", []float64{1234.5, 7.25}},
		{"apostrophes", "v", Options{}, []string{"1'234.5", "1’000"},
			"numbers with apostrophes between thousands", []float64{1234.5, 1000}},
		{"groups of other lengths", "v", Options{}, []string{"1,23,456", "1,2345"}, "", nil},
		{"a typeset minus", "v", Options{}, []string{"−5.5", "3"},
			"numbers with a typeset sign", []float64{-5.5, 3}},

		{"percent", "v", Options{}, []string{"12.5 %", "3%", "0.125%"},
			`numbers with "%" in every cell, read as numbers in %`, []float64{12.5, 3, 0.125}},
		{"percent with three digits", "v", Options{}, []string{"12.500 %", "3.125 %"},
			`numbers with "%" in every cell, read as numbers in %`, []float64{12.5, 3.125}},
		{"units", "v", Options{}, []string{"3.2 kg", "1e3kg", "-1 kg"},
			`numbers with "kg" in every cell, read as numbers in kg`, []float64{3.2, 1000, -1}},
		{"units with digits", "v", Options{}, []string{"3.2 m2", "4 m2", "5 m2"},
			`numbers with "m2" in every cell, read as numbers in m2`, []float64{3.2, 4, 5}},
		{"two units", "v", Options{}, []string{"3 kg", "200 g", "1 kg"}, "", nil},
		{"a unit in some cells", "v", Options{}, []string{"3 kg", "2", "1 kg"}, "", nil},
		{"dollars", "v", Options{}, []string{"$1,234.50", "$2", "-$3"},
			`numbers with commas between thousands and "$" in every cell, read as numbers in $`,
			[]float64{1234.5, 2, -3}},
		{"euros", "v", Options{}, []string{"1.234,50 €", "12,5 €"},
			`numbers with points between thousands and a decimal comma and "€" in every cell, read as numbers in €`,
			[]float64{1234.5, 12.5}},
		{"labels", "v", Options{}, []string{"S1", "S2", "S3"}, "", nil},

		{"two words", "v", Options{}, []string{"yes", "no", "yes"},
			`words, read as 0 for "no", 1 for "yes"`, []float64{1, 0, 1}},
		{"two words and a gap", "v", Options{}, []string{"yes", "", "no"},
			`words, read as 0 for "no", 1 for "yes"`, []float64{1, nan, 0}},
		{"three words", "v", Options{}, []string{"yes", "no", "maybe"}, "", nil},
		{"one word", "v", Options{}, []string{"yes", "yes"}, "", nil},
		{"a word among numbers", "v", Options{}, []string{"1", "no", "yes"}, "", nil},
		{"numbers", "v", Options{}, []string{"1", "2.5", "-3e5"}, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sheet := sheetOf(t, tt.opt, tt.column, tt.cells...)
			codings := sheet.Codings()
			if tt.name == "one cell of ten is no date" {
				return // TestEncodeRefuses
			}
			if got := codings[tt.column].Note(); got != tt.note {
				t.Fatalf("got %q, want %q", got, tt.note)
			}
			if tt.note == "" {
				return
			}
			if err := sheet.Encode(codings); err != nil {
				t.Fatal(err)
			}
			if got := sheet.columns[0].values; !sameBits(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if !sheet.Numeric(tt.column) {
				t.Error("the column is not numeric afterwards")
			}
			roundTripCoding(t, codings[tt.column])
		})
	}
}

// roundTripCoding saves a coding and reads it again.
func roundTripCoding(t *testing.T, c Coding) {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var back Coding
	if err := json.Unmarshal(text, &back); err != nil || back.Validate() != nil || back.Note() != c.Note() {
		t.Errorf("%s comes back as %q, want %q: %v", text, back.Note(), c.Note(), errors.Join(err, back.Validate()))
	}
}

func TestDateLayouts(t *testing.T) {
	for _, l := range dateLayouts {
		if l.name == "" {
			t.Errorf("a layout has no name: %+v", l)
		}
		if _, _, ok := l.parse(l.example); !ok {
			t.Errorf("%s does not read its example %q", l.name, l.example)
		}
		if _, kind := parseCell([]byte(l.example), Point); (kind == number) != l.integer {
			t.Errorf("%s: the example %q is a number: %v, want %v", l.name, l.example, kind == number, l.integer)
		}
	}
	for _, u := range timeUnits {
		if (u.origin == nil) != (u.seconds == 0) {
			t.Errorf("%s: an origin belongs to units of a fixed length", u.name)
		}
	}
}

func TestPastMidnight(t *testing.T) {
	clock := Coding{Time: &TimeCoding{Layout: clockLayout, Unit: "hours"}}
	for _, tt := range []struct {
		values []float64
		want   int
	}{
		{[]float64{22, 23.5, 0.5, 2}, 2},
		{[]float64{22, 23.5, 0.5, 2, 20, 1}, 2},
		{[]float64{0.5, 2, 22, 23.5}, 0},
		{[]float64{22, 0.5, 7, 3}, 0}, // in no order
	} {
		if got := clock.PastMidnight(tt.values); got != tt.want {
			t.Errorf("%v: row %d, want %d", tt.values, got, tt.want)
		}
	}
	days := Coding{Time: &TimeCoding{Layout: "YYYY-MM-DD", Unit: "days", Origin: "2024-01-01T00:00:00"}}
	if got := days.PastMidnight([]float64{22, 1}); got != 0 {
		t.Errorf("dates fall in row %d", got)
	}
}

func TestEncodeRefuses(t *testing.T) {
	ten := slices.Repeat([]string{"2024-01-01"}, 9)
	words := map[string]Coding{"v": {Words: Words{"no", "yes"}}}
	days := map[string]Coding{"v": {Time: &TimeCoding{Layout: "YYYY-MM-DD", Unit: "days", Origin: "2024-01-01T00:00:00"}}}
	compact := map[string]Coding{"v": {Time: &TimeCoding{Layout: "YYYYMMDD", Unit: "days", Origin: "2024-01-01T00:00:00"}}}
	thousands := map[string]Coding{"v": {Number: &NumberCoding{Group: ","}}}
	kilos := map[string]Coding{"v": {Number: &NumberCoding{Suffix: "kg"}}}
	for _, tt := range []struct {
		name    string
		codings map[string]Coding // nil: the sheet's own
		opt     Options
		cells   []string
		want    string
	}{
		{"no date among dates", nil, Options{}, append(ten, "2024-13-01"),
			`speed.csv:11: column "v": "2024-13-01" is not a date such as 2024-03-31 (clean the cell, or leave the column out)`},
		{"no date among few", nil, Options{}, []string{"2024-01-01", "2024-01-02", "oops", "2024-01-03"},
			`speed.csv:4: column "v": "oops" is not a date such as 2024-03-31 (clean the cell, or leave the column out)`},
		{"no amount among some", nil, Options{}, []string{"1 kg", "2 kg", "3 kg", "4 g"},
			`speed.csv:5: column "v": "4 g" is not a number such as 1.5 kg (clean the cell, or leave the column out)`},
		{"another layout", days, Options{AllNeeded: true}, []string{"2024-01-01", "01.01.2024"},
			`speed.csv:3: column "v": "01.01.2024" is not a date such as 2024-03-31 (clean the cell)`},
		{"a zone", days, Options{AllNeeded: true}, []string{"2024-01-01T12:00Z"},
			`speed.csv:2: column "v": "2024-01-01T12:00Z" is not a date such as 2024-03-31 (clean the cell)`},
		{"a number", days, Options{AllNeeded: true}, []string{"2024-01-01", "45"},
			`speed.csv:3: column "v": "45" is not a date such as 2024-03-31 (clean the cell)`},
		{"no such day", compact, Options{AllNeeded: true}, []string{"20240228", "20240230"},
			`speed.csv:3: column "v": "20240230" is not a date such as 20240331 (clean the cell)`},
		{"an unknown word", words, Options{AllNeeded: true}, []string{"yes", "maybe"},
			`speed.csv:3: column "v": "maybe" is not "no" or "yes", the words of this column (clean the cell)`},
		{"a number among words", words, Options{AllNeeded: true}, []string{"1"},
			`speed.csv:2: column "v": "1" is not "no" or "yes", the words of this column (clean the cell)`},
		{"another unit", kilos, Options{AllNeeded: true}, []string{"3 kg", "200 g"},
			`speed.csv:3: column "v": "200 g" is not a number such as 1.5 kg (clean the cell)`},
		{"another decimal mark", thousands, Options{Decimal: Comma, DecimalKnown: true}, []string{"1,234", "987"},
			`speed.csv: column "v": there are numbers with a decimal comma, and the column is to be a number such as 1,234.5 (read the file with a decimal point)`},
		{"a coding that is none", map[string]Coding{"v": {}}, Options{}, []string{"1"},
			`speed.csv: column "v": a coding has 0 parts of number, time, words and level, want one`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sheet := sheetOf(t, tt.opt, "v", tt.cells...)
			if tt.codings == nil {
				tt.codings = sheet.Codings()
			}
			if err := sheet.Encode(tt.codings); err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestCodingValidate(t *testing.T) {
	at := func(layout, unit, origin string) Coding {
		return Coding{Time: &TimeCoding{Layout: layout, Unit: unit, Origin: origin}}
	}
	const origin = "2024-01-01T00:00:00"
	for _, tt := range []struct {
		name   string
		coding Coding
		want   string
	}{
		{"days", at("YYYY-MM-DD", "days", origin), ""},
		{"years", at("YYYY-MM-DD", "years", ""), ""},
		{"no layout", at("YY", "days", origin), `there is no layout of dates "YY"`},
		{"no unit", at("YYYY-MM-DD", "weeks", origin), `there is no unit of time "weeks"`},
		{"origin of no date", at("YYYY-MM-DD", "days", "May"),
			`the origin of a time is "May", want one such as 2006-01-02T15:04:05`},
		{"days without an origin", at("YYYY-MM-DD", "days", ""),
			"an origin belongs to dates in seconds, hours or days, and to no others"},
		{"times of day in years", at(clockLayout, "years", ""), "a time of day is not counted in years"},
		{"three words", Coding{Words: Words{"a", "b", "c"}}, "a coding of words has 3 of them, want 2 different ones"},
		{"one word twice", Coding{Words: Words{"a", "a"}}, "a coding of words has 2 of them, want 2 different ones"},
		{"no word", Coding{Words: Words{"a", ""}}, "a word of a coding is empty or too long"},
		{"two parts", Coding{Words: Words{"a", "b"}, Number: &NumberCoding{}},
			"a coding has 2 parts of number, time, words and level, want one"},
		{"marks of two meanings", Coding{Number: &NumberCoding{Group: "."}}, `the marks between thousands are "."`},
		{"prefix", Coding{Number: &NumberCoding{Prefix: "x"}}, `the prefix is "x", want a currency`},
		{"suffix", Coding{Number: &NumberCoding{Suffix: "/s"}}, `the suffix is "/s", want a unit`},
	} {
		got := ""
		if err := tt.coding.Validate(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, tt := range []struct {
		name, in, note string
		rows           int
	}{
		{"units", "t,v\n[s],m/s\n0,1.5\n", "line 2 holds units: t in [s], v in m/s", 1},
		{"units, gaps", "t,v,n\n-,°C,\n0,1.5,steel\n", "line 2 holds units: v in °C", 1},
		{"units of dates", "d,v\nUTC,K\n2024-01-01,1.5\n", "line 2 holds units: d in UTC, v in K", 1},
		{"names of rows", "name,v\nsteel,NA\nbrass,1\n", "", 2},
		{"units of amounts", "h,v\n%,K\n12.5%,1.5\n", "line 2 holds units: h in %, v in K", 1},
		{"a bad row", "t,v\noff,?\noff,2\n", "", 2},
		{"amounts", "v\n$5\n7\n", "", 2},
		{"no row below", "t,v\ns,m\n", "", 1},
		{"text alone", "t,v\na,b\nc,d\n", "", 2},
	} {
		sheet := readString(t, tt.in, Options{})
		if got := strings.Join(sheet.Notes(), "; "); got != tt.note || sheet.Rows() != tt.rows {
			t.Errorf("%s: %q, %d rows, want %q, %d", tt.name, got, sheet.Rows(), tt.note, tt.rows)
		}
	}
	if got := readString(t, "t,v\n[s],m/s\n0,1.5\n", Options{}).Unit("t"); got != "[s]" {
		t.Errorf("the unit of t is %q", got)
	}
}

func TestMissingWords(t *testing.T) {
	for _, word := range append([]string{"", ".", "nan", "NaN"}, missingWords...) {
		sheet := sheetOf(t, Options{Missing: MissingDrop}, "v", "1", word, "3")
		if table, kept, err := sheet.Table([]string{"v"}); err != nil || table.Rows() != 2 ||
			!slices.Equal(kept, []int{0, 2}) {
			t.Errorf("%q: %v, rows %v", word, err, kept)
		}
	}
	for _, cell := range []string{"?1", "1?", "-.", "none", "missing", "n.d.", "1.#2", "na", "- 1"} {
		if _, kind := parseCell([]byte(cell), Point); kind != text {
			t.Errorf("%q is no text", cell)
		}
	}
}

func TestHeaderOfDates(t *testing.T) {
	if sheet := readString(t, "2024-01-01,1\n2024-01-02,2\n", Options{}); sheet.Rows() != 2 {
		t.Errorf("a first row with a date is taken for names: %q", sheet.Columns())
	}
	sheet := readString(t, "2024-01,2024-02\n1,2\n", Options{})
	if !slices.Equal(sheet.Columns(), []string{"2024-01", "2024-02"}) {
		t.Errorf("names that are dates are not: %q", sheet.Columns())
	}
}
