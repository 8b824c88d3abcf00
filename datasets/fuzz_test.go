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
		"# c\n\na, b ,\n 1 ,\"2\",\n,NA,\n", "\"1\",\"2\"\n1,2\n", "a\nnan\ninf\n1e999\n", "\"x\ny\",#\n1,2\n", ",0,1\n0,1,2\n", "a\n\"1", "\x00",
		" a  b\n 1 \t2 \r\n\"3\" 4", "1,5 2,5\n",
	} {
		for opt := range byte(4) {
			f.Add(seed, opt)
		}
	}
	f.Fuzz(func(t *testing.T, in string, bits byte) {
		opt := Options{Decimal: Decimal(bits & 1), Missing: Missing(bits >> 1 & 1)}
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
