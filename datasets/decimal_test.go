package datasets

import (
	"slices"
	"strings"
	"testing"
)

// A table has one decimal mark, told by the cells that only one mark explains.
func TestTellDecimal(t *testing.T) {
	for _, tt := range []struct {
		name, in, column string
		want             []float64 // nil: it is refused
	}{
		{"commas", "t;v\n0;1,5\n1;2,5\n", "v", []float64{1.5, 2.5}},
		{"thousands in another column", "p;v\n5,50;1.594\n7,5;20\n", "v", []float64{1594, 20}},
		{"thousands under a comma with a currency", "p;v\n€5,50;1.594\n€7,5;20\n", "v", []float64{1594, 20}},
		{"thousands beside points", "p;v\n5.50;1,594\n7.5;20\n", "v", []float64{1594, 20}},
		{"thousands beside points with a unit", "p;v\n5.50 kg;1,594\n7.5 kg;20\n", "v", []float64{1594, 20}},
		{"declared delimiter", "sep=;\np;v\n5,50;1.594\n7,5;20\n", "v", []float64{1594, 20}},
		{"nothing tells", "p;v\n5;1,594\n7;20\n", "v", nil},
		{"both", "p;v\n5.5;1,59\n7;20\n", "v", nil},
		{"points, three digits", "p;v\n5;1.594\n7;20\n", "v", []float64{1.594, 20}},
		{"dates tell nothing", "p;v\n01.02.2024;1,59\n02.02.2024;20,5\n", "v", []float64{1.59, 20.5}},
	} {
		sheet := readString(t, tt.in, Options{})
		if err := sheet.Encode(sheet.Codings()); err != nil {
			t.Fatal(err)
		}
		table, _, err := sheet.Table([]string{tt.column})
		switch {
		case tt.want == nil && err == nil:
			t.Errorf("%s: got %v, want an error", tt.name, table.Cols[0])
		case tt.want != nil && (err != nil || !slices.Equal(table.Cols[0], tt.want)):
			t.Errorf("%s: got %v, error %v, want %v", tt.name, table, err, tt.want)
		}
	}
}

// A number that the end of a sample cuts tells nothing.
func TestTellDecimalOfCutRecord(t *testing.T) {
	sample := []byte("p;v\n" + strings.Repeat("5;1,594\n", 3) + "5;1,59")
	if d, told := tellDecimal(sample, false, ';'); told {
		t.Errorf("1,59 of 1,594 tells the %s", d)
	}
	if d, told := tellDecimal(sample, true, ';'); !told || d != Comma {
		t.Errorf("1,59 tells the %s: %t", d, told)
	}
}
