package datasets

import (
	"embed"
	"math/rand/v2"
)

// dataFiles holds the measured data; data/README.md says where they come from.
//
//go:embed data/*.csv
var dataFiles embed.FS

// readData reads columns of an embedded file.
func readData(file string, columns ...string) (*Table, error) {
	f, err := dataFiles.Open("data/" + file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sheet, err := Read(f, file, Options{})
	if err != nil {
		return nil, err
	}
	t, _, err := sheet.Table(columns)
	return t, err
}

// measured returns the set of the rows of t. Its first columns are the inputs; the
// targets follow from f or, without f, are the columns after them.
func measured(name string, t *Table, f law) set {
	return set{name: name, rows: t.Rows(), fixed: true, sample: func(row int, _ *rand.Rand, x, y []float64) {
		for j := range x {
			x[j] = t.Cols[j][row]
		}
		if f != nil {
			f(x, y)
			return
		}
		for j := range y {
			y[j] = t.Cols[len(x)+j][row]
		}
	}}
}
