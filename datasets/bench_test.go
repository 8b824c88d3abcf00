package datasets

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
)

// csvOf writes a table of rows × cols uniform numbers.
func csvOf(b testing.TB, rows, cols int) []byte {
	b.Helper()
	columns := make([][]float64, cols)
	r := rng()
	for j := range columns {
		columns[j] = make([]float64, rows)
		for i := range columns[j] {
			columns[j][i] = 2*r.Float64() - 1
		}
	}
	var buf bytes.Buffer
	if err := (&Table{numbered("x", cols), columns}).WriteCSV(&buf); err != nil {
		b.Fatal(err)
	}
	return buf.Bytes()
}

func BenchmarkRead(b *testing.B) {
	for _, size := range []struct{ rows, cols int }{{1000, 4}, {1_000_000, 4}, {1000, 1000}} {
		b.Run(fmt.Sprintf("rows=%d/cols=%d", size.rows, size.cols), func(b *testing.B) {
			data := csvOf(b, size.rows, size.cols)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(bytes.NewReader(data), "b.csv", Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWriteCSV(b *testing.B) {
	_, suite := generate(b, "F-1", GenerateOptions{})
	for b.Loop() {
		if err := suite.Data.WriteCSV(&bytes.Buffer{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestReadMemory bounds what a million rows of ten columns allocate, all in all, growth
// of the columns included, to half a gibibyte; 80 MB of it are the numbers.
func TestReadMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes and reads 60 MB")
	}
	const rows = 300_000
	data := csvOf(t, rows, 10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	sheet, err := Read(bytes.NewReader(data), "b.csv", Options{})
	runtime.ReadMemStats(&after)
	if err != nil || sheet.Rows() != rows {
		t.Fatal(err)
	}
	if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 512*rows/1_000_000 {
		t.Errorf("reading allocated %d MiB, want at most %d", got, 512*rows/1_000_000)
	}
}
