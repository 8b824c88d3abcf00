package datasets

import (
	"slices"
	"strings"
	"testing"
)

func TestLevels(t *testing.T) {
	for _, tt := range []struct {
		name, cells string
		names       []string
		second      []float64 // the column of the second group
		err         string    // a part of the error
	}{
		{"words", "b a b c b b", []string{"g=a", "g=b", "g=c"}, []float64{1, 0, 1, 0, 1, 1}, ""},
		{"numbers", "10 9 9 10.0", []string{"g=9", "g=10"}, []float64{1, 0, 0, 1}, ""},
		{"numbers and words", "x 2 1 x 1 2", []string{"g=1", "g=2", "g=x"}, []float64{0, 1, 0, 0, 0, 1}, ""},
		{"a group for each row", "a b c", nil, nil, "it has 3 groups in 3 rows, want 2 rows or more"},
		{"one group", "a a a", nil, nil, "it has 1 group, want at least 2"},
		{"a name that is taken", "1 v 1 v", nil, nil, `would be called "g=v"`},
		{"a long name", strings.Repeat("a", 41) + " b b b", nil, nil, "longer than 40 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := "g,g=v\n"
			for i, cell := range strings.Fields(tt.cells) {
				text += cell + "," + string(rune('0'+i)) + "\n"
			}
			s := readString(t, text, Options{})
			names, codings, err := s.Levels("g")
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want one with %q", err, tt.err)
				}
				return
			}
			if err != nil || !slices.Equal(names, tt.names) {
				t.Fatalf("got %v, %v, want %v", names, err, tt.names)
			}
			if err := s.Encode(codings); err != nil {
				t.Fatal(err)
			}
			table, _, err := s.Table(names)
			if err != nil || !slices.Equal(table.Cols[1], tt.second) {
				t.Errorf("got %v, %v, want %v", table, err, tt.second)
			}
			for i, level := range s.LevelOf("g") {
				if table.Cols[level][i] != 1 {
					t.Errorf("row %d is of group %d, whose column has %g there", i, level, table.Cols[level][i])
				}
			}
		})
	}
}

// Another table is read by the groups of the first: it may lack some of them, and has no others.
func TestLevelsOfAnotherTable(t *testing.T) {
	_, codings, err := readString(t, "g,x\na,1\nb,2\na,3\nb,4\n", Options{}).Levels("g")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, text, err string }{
		{"some of them", "x,g\n1,b\n", ""},
		{"numbers of the run's own table", "x,g=a,g=b\n1,0,1\n", ""},
		{"another", "g,x\na,1\nc,1\n", `:3: column "g": "c" is not "a" or "b", the groups of this column`},
		{"no such column", "x\n1\n2\n", `there is no column "g"`},
		{"a missing cell", "g,x\na,1\n,1\n", `:3: column "g": the cell is empty`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := readString(t, tt.text, Options{})
			err := s.Encode(codings)
			if err == nil {
				_, _, err = s.Table([]string{"g=a", "g=b"})
			}
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}

func TestTooManyLevels(t *testing.T) {
	text := "g,x\n"
	for i := range MaxLevels + 1 {
		text += "a" + string(rune('A'+i)) + ",1\n"
	}
	if _, _, err := readString(t, text, Options{}).Levels("g"); err == nil ||
		!strings.Contains(err.Error(), "for each group on its own") {
		t.Errorf("error %v, want advice to use eql batch", err)
	}
}
