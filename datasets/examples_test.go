package datasets

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the files in ../examples")

// TestExampleFiles holds the pendulum in ../examples to the generator.
func TestExampleFiles(t *testing.T) {
	_, suite := generate(t, "pendulum", GenerateOptions{})
	for file, table := range map[string]*Table{
		"pendulum.csv":     suite.Data,
		"pendulum_far.csv": test(t, suite, "far").Noisy,
	} {
		t.Run(file, func(t *testing.T) {
			path := filepath.Join("..", "examples", file)
			var want bytes.Buffer
			if err := table.WriteCSV(&want); err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(path, want.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(got, want.Bytes()) {
				return
			}
			if runtime.GOARCH == "amd64" {
				t.Fatal("the file is not what the generator writes; run this test with -update")
			}
			// Elsewhere the sine may differ in its last bit.
			compare(t, readTable(t, path), table, 1e-12)
		})
	}
}

// TestRealExamples reads the other example files as a user would.
func TestRealExamples(t *testing.T) {
	for _, tt := range []struct {
		file  string
		names []string
		rows  int
	}{
		{"kepler.csv", []string{"period_days", "m1_solar", "m2_solar", "semi_major_axis_au"}, 24},
		{"nist_thurber.csv", []string{"x", "y"}, 37},
		{"langmuir_sun.csv", []string{"pressure", "loading"}, 17},
	} {
		t.Run(tt.file, func(t *testing.T) {
			table := readTable(t, filepath.Join("..", "examples", tt.file))
			if !slices.Equal(table.Names, tt.names) || table.Rows() != tt.rows {
				t.Errorf("%d rows of %q, want %d of %q", table.Rows(), table.Names, tt.rows, tt.names)
			}
		})
	}
}

// readTable reads the numeric columns of a file.
func readTable(t testing.TB, path string) *Table {
	t.Helper()
	sheet, err := ReadFile(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, _, err := sheet.Table(slices.DeleteFunc(sheet.Columns(), func(c string) bool { return !sheet.Numeric(c) }))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func compare(t testing.TB, got, want *Table, tol float64) {
	t.Helper()
	if !slices.Equal(got.Names, want.Names) || got.Rows() != want.Rows() {
		t.Fatalf("got %d rows of %q, want %d of %q", got.Rows(), got.Names, want.Rows(), want.Names)
	}
	for j, col := range want.Cols {
		for i, v := range col {
			if d := math.Abs(got.Cols[j][i] - v); !(d <= tol) {
				t.Fatalf("%s, row %d: got %g, want %g", want.Names[j], i+1, got.Cols[j][i], v)
			}
		}
	}
}
