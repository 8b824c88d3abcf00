package command

import (
	"slices"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/model"
	"github.com/eqlearner/eql/run"
)

// TestFitCommandOf reads the command that a run is made again with, and compares the settings.
func TestFitCommandOf(t *testing.T) {
	const rows, inputs = 300, 2
	table := &datasets.Table{Names: []string{"a", "b,c", "y"},
		Cols: [][]float64{make([]float64, rows), make([]float64, rows), make([]float64, rows)}}
	tests := []struct {
		name     string
		settings sweep.Settings
		adjust   func(*sweep.Settings)
		complete bool
	}{
		{"quick", run.Quick(rows, inputs), func(*sweep.Settings) {}, true},
		{"paper", run.Paper(), func(*sweep.Settings) {}, true},
		{"quick, no further rounds", run.Quick(rows, inputs), func(s *sweep.Settings) { s.Extend = 0 }, true},
		{"all flags", run.Quick(rows, inputs), func(s *sweep.Settings) {
			s.Layers, s.Width, s.Products = []int{2, 4}, []int{3}, []int{0, 1}
			s.Lambda, s.Restarts, s.Extend = []float64{1e-7, 0.25}, 7, 0
			s.Units = []model.Unit{model.Sin, model.Product}
			s.Train.Epochs, s.Train.Batch, s.Train.LearnRate, s.Train.DType = 12, 3, 1e-4, 1-s.Train.DType
			s.Init, s.Select, s.Snap, s.Scale, s.Refine, s.Split, s.Seed = sweep.InitPaper, sweep.SelectRank, sweep.SnapOff,
				sweep.ScaleNone, false, 0.3, 1<<63
		}, true},
		{"paper, refined", run.Paper(), func(s *sweep.Settings) { s.Refine, s.Seed = true, 3 }, true},
		{"what no flag says", run.Quick(rows, inputs), func(s *sweep.Settings) { s.Train.Beta1 = 0.5 }, false},
		{"no products given", run.Quick(rows, inputs), func(s *sweep.Settings) { s.Products = nil }, false},
		{"other starts", run.Quick(rows, inputs), func(s *sweep.Settings) { s.Halving.Starts++ }, false},
		{"other rounds", run.Quick(rows, inputs), func(s *sweep.Settings) { s.Extend = 2 }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.adjust(&tt.settings)
			c := sweep.RunConfig{Settings: tt.settings, Inputs: []string{"a"}, Targets: []string{"b,c", "y"}}
			c.Inputs = append(c.Inputs, "d")
			c.Data = sweep.DataFile{File: "data.csv", Table: table}
			c.Tests = []sweep.DataFile{{File: "test-1.csv"}}
			words, complete := fitWords("run", c)
			if complete != tt.complete {
				t.Errorf("%q is complete: %t, want %t", words, complete, tt.complete)
			}
			got := parsed(t, words)
			if want := []string{"b,c", "y"}; !slices.Equal(got.targets, want) || len(got.tests) != 1 {
				t.Errorf("%q has the targets %q and the tests %q, want %q and one test", words, got.targets, got.tests, want)
			}
			s := run.Quick(rows, inputs)
			if got.paper {
				s = run.Paper()
			}
			for _, f := range got.adjust {
				f(&s)
			}
			if sameSettings(s, tt.settings) != tt.complete {
				t.Errorf("%q makes the settings\n%+v, want\n%+v", words, s, tt.settings)
			}
		})
	}
}

// parsed reads a command line of fit.
func parsed(t *testing.T, words []string) fitOptions {
	t.Helper()
	app := newApp()
	var o fitOptions
	for _, c := range app.Commands {
		if c.Name == "fit" {
			c.Action = func(c *cli.Context) (err error) {
				o, err = parseFit(c)
				return err
			}
		}
	}
	if err := app.Run(flagsFirst(app, words)); err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	return o
}
