package command

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/sweep"
)

// someSeeds is of how many seeds one is tried when nothing is fuzzed, without -long of three times as many: all take
// half a minute.
const someSeeds = 50

// FuzzResult shows the result of a run in every way there is, whatever stands in result.json. Refusing it is fine.
func FuzzResult(f *testing.F) {
	if testing.Short() {
		f.Skip("it learns")
	}
	dir := filepath.Join(f.TempDir(), "run")
	sheet, err := datasets.Read(bytes.NewReader(randomTable(40, 3)), "d.csv", datasets.Options{})
	if err != nil {
		f.Fatal(err)
	}
	table, _, err := sheet.Table(sheet.Columns())
	if err != nil {
		f.Fatal(err)
	}
	small := eql.Adjust(func(s *sweep.Settings) {
		s.Layers, s.Width, s.Products, s.Lambda, s.Restarts, s.Extend, s.Train.Epochs = []int{2}, []int{1}, []int{1},
			[]float64{1e-3}, 1, 0, 2
	})
	if _, err := eql.Fit(context.Background(), table, small, eql.Folder(dir), eql.Targets("x3", "y"),
		eql.WithTest("far", table)); err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(dir, "result.json")
	result, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	every := 3 * someSeeds
	if *long {
		every = someSeeds
	} else if testing.Short() {
		every *= 2
	}
	for i, seed := range seedsOf(f, result) {
		if i%every == 0 || flag.Lookup("test.fuzz").Value.String() != "" {
			f.Add(seed)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := openRun(dir, chosen, io.Discard)
		if err != nil {
			return
		}
		used := r.used()
		inputs, err := table.Select(used...)
		if err != nil {
			return // it says so
		}
		if _, err := r.predict(used, inputs.Cols, inputs.Rows()); err != nil {
			t.Error(err)
		}
		for _, target := range r.Report.Targets {
			if p, err := r.predictor(target); err == nil {
				p.Predict(table, 0.95, eql.OfMean) //nolint:errcheck // it may refuse
			}
			r.refit(target, table, true, nil, io.Discard) //nolint:errcheck // it may refuse
			choose := chooseOptions{run: dir, model: 1, targets: []string{target}}
			if runChoose(choose, io.Discard, io.Discard) == nil {
				runShow(showOptions{run: dir, model: chosen}, io.Discard, io.Discard) //nolint:errcheck // it may refuse
			}
			if err := runChoose(chooseOptions{run: dir, reset: true}, io.Discard, io.Discard); err != nil {
				t.Error(err)
			}
		}
		for _, form := range append(showFormats(), "") {
			show := showOptions{run: dir, format: form, model: chosen}
			runShow(show, io.Discard, io.Discard) //nolint:errcheck // it may refuse
		}
		if p, err := r.page(dir); err == nil {
			p.Write(io.Discard) //nolint:errcheck // it may refuse
		}
		there, err := eql.Load(dir)
		if err != nil {
			t.Error(err)
			return
		}
		outcome{dir, there}.note(io.Discard, nil)
		printResult(io.Discard, there) //nolint:errcheck // nothing is written
		if err := printJSON(io.Discard, there); err != nil {
			t.Error(err)
		}
	})
}

// seedsOf returns a JSON object, and the same with each of its values, at any depth, left out or of another kind; of
// the elements of a list the first alone.
func seedsOf(f *testing.F, data []byte) [][]byte {
	f.Helper()
	seeds := [][]byte{data}
	var root any
	if err := json.Unmarshal(data, &root); err != nil {
		f.Fatal(err)
	}
	add := func() {
		text, err := json.Marshal(root)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, text)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				was := v[key]
				delete(v, key)
				add()
				for _, other := range []any{nil, -1, 1e300, "", "y", []any{}, map[string]any{}} {
					v[key] = other
					add()
				}
				v[key] = was
				walk(was)
			}
		case []any:
			if len(v) > 0 {
				was := v[0]
				v[0] = nil
				add()
				v[0] = was
				walk(was)
			}
		}
	}
	walk(root)
	return seeds
}
