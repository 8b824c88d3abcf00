package datasets

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n3,4\n", "1;2\r\n3;4", "\ufeff\"a\"\t\"b \"\"c\"\"\"\r1\t-2e-3\r", "a;b\n1,5;2,5\n",
		"# c\n\na, b ,\n 1 ,\"2\",\n,NA,\n", "\"1\",\"2\"\n1,2\n", "a\nnan\ninf\n1e999\n", "\"x\ny\",#\n1,2\n",
		",0,1\n0,1,2\n", "a\n\"1", "\x00", " a  b\n 1 \t2 \r\n\"3\" 4", "1,5 2,5\n",
		"d,y\n2024-03-01,1\n2024-03-02T12:30:15+02:00,2\n", "d;t;y\n01.03.2024;12:30;1.234,5\n2.3.2024;23:59:59;987,3\n",
		"d\n20240101\n20240102\n20240103\n20240104\n20240105\n",
		"time\n1700000000\n1700000001\n1700000002\n1700000003\n1700000004\n",
		"a,b\n[s],°C\n?,-\n.,n/a\n1,2\n",
		"w,p\nyes,12.5 %\nno,−3 %\n", "v\n\"$1,234.5\"\n$1\n", "2024-01,1\n2024-02,2\n", "a\nm/s\n\x00\n",
	} {
		for opt := range byte(8) {
			f.Add(seed, opt)
		}
	}
	f.Fuzz(func(t *testing.T, in string, bits byte) {
		opt := Options{Decimal: Decimal(bits & 1), Missing: Missing(bits >> 1 & 1), DecimalKnown: bits&4 != 0}
		sheet, err := Read(strings.NewReader(in), "f.csv", opt)
		slow, slowErr := Read(iotest.HalfReader(strings.NewReader(in)), "f.csv", opt)
		if err != nil {
			if located := (*Error)(nil); !errors.As(err, &located) {
				t.Fatalf("got a %T, want an *Error: %v", err, err)
			}
			if slowErr == nil || slowErr.Error() != err.Error() {
				t.Fatalf("errors differ with the size of the pieces read: %v, %v", err, slowErr)
			}
			return
		}
		if slowErr != nil || !slices.Equal(slow.Columns(), sheet.Columns()) || slow.Rows() != sheet.Rows() {
			t.Fatalf("sheets differ with the size of the pieces read: %v", slowErr)
		}
		codings := sheet.Codings()
		for name, coding := range codings {
			if err := coding.Validate(); err != nil || coding.Note() == "" {
				t.Fatalf("column %q: coding %+v is proposed: %v", name, coding, err)
			}
		}
		if opt.DecimalKnown {
			sheet.Encode(codings) //nolint:errcheck // it may refuse a cell
		}
		var usable []string
		for _, column := range sheet.Columns() {
			if _, _, err := sheet.Table([]string{column}); err == nil {
				usable = append(usable, column)
			} else if len(err.Error()) > 2000 {
				t.Fatalf("an error of %d bytes", len(err.Error()))
			}
		}
		table, kept, err := sheet.Table(usable)
		if err != nil || len(usable) == 0 {
			return // each column may miss other rows
		}
		if table.Rows() != len(kept) {
			t.Fatalf("%d rows of %d kept", table.Rows(), len(kept))
		}
		roundTrip(t, table)
	})
}
