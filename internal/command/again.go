package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// fitCommandOf returns the command that makes the run in a folder again, from the tables in it.
// complete is false when the run, made by the library, has settings that no flag can say.
func fitCommandOf(dir string, c sweep.RunConfig) (command string, complete bool) {
	words, complete := fitWords(dir, c)
	for i, w := range words {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " "), complete
}

func fitWords(dir string, c sweep.RunConfig) (words []string, complete bool) {
	words = []string{"eql", "fit", filepath.Join(dir, c.Data.File)}
	if t := c.Trajectory; t != nil {
		words[2] = filepath.Join(dir, t.File)
		words = append(words, "--derivative", t.Time)
		words = append(words, nameFlags("target", t.States)...)
		words = append(words, nameFlags("inputs", c.Inputs)...)
	} else {
		words = append(words, nameFlags("target", c.Targets)...)
		words = append(words, errorWords(c)...)
	}
	if c.Validation != nil {
		words = append(words, "--validation", filepath.Join(dir, c.Validation.File))
	}
	for _, t := range c.Tests {
		words = append(words, "--test", filepath.Join(dir, t.File))
	}
	flags, complete := flagsOf(c)
	words = append(words, flags...)
	if c.Settings.Preset != run.Paper().Preset {
		words = append(words, "--time-limit", "0")
	}
	return words, complete
}

// errorWords returns the flags about columns that tell errors, or look as if they did.
func errorWords(c sweep.RunConfig) (words []string) {
	sigma, weights := make([]string, len(c.Targets)), make([]string, len(c.Targets))
	spoken := uncertainties(c.Data.Table.Names, c.Targets, func(string, string) bool { return true })
	for i, target := range c.Targets {
		switch e := c.Errors[target]; {
		case e.Weights:
			weights[i], spoken[e.Column] = e.Column, target
		case e.Column != "":
			sigma[i], spoken[e.Column] = e.Column, target
		}
	}
	if slices.ContainsFunc(c.Inputs, func(name string) bool { return spoken[name] != "" }) {
		words = append(words, nameFlags("inputs", c.Inputs)...)
	}
	for _, list := range []struct {
		flag    string
		columns []string
	}{{"sigma", sigma}, {"weights", weights}} {
		if slices.ContainsFunc(list.columns, func(name string) bool { return name != "" }) {
			words = append(words, nameFlags(list.flag, list.columns)...)
		}
	}
	return words
}

// nameFlags returns a flag with a list of names, once, or for each name when one holds a comma.
func nameFlags(flag string, names []string) []string {
	if !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, ",") || strings.TrimSpace(n) != n }) {
		return []string{"--" + flag, strings.Join(names, ",")}
	}
	var words []string
	for _, n := range names {
		words = append(words, "--"+flag, n)
	}
	return words
}

// flagsOf returns the flags by which the settings differ from their preset.
func flagsOf(c sweep.RunConfig) (words []string, complete bool) {
	s := c.Settings
	base := run.Quick(c.Data.Table.Rows(), len(c.Inputs))
	if s.Preset == run.Paper().Preset {
		base = run.Paper()
		words = append(words, "--preset", s.Preset)
	}
	grid := false
	say := func(flag, want, have string, isGrid bool) {
		if want != have {
			words = append(words, "--"+flag, want)
			grid = grid || isGrid
		}
	}
	say("layers", commas(s.Layers), commas(base.Layers), true)
	say("width", commas(s.Width), commas(base.Width), true)
	if len(s.Products) > 0 { // that none are given no flag can say
		say("products", commas(s.Products), commas(base.Products), true)
	}
	say("units", commas(s.Units), commas(base.Units), false)
	say("lambda", commas(s.Lambda), commas(base.Lambda), true)
	say("restarts", fmt.Sprint(s.Restarts), fmt.Sprint(base.Restarts), true)
	if s.Extend == 0 && base.Extend > 0 && !grid {
		say("restarts", fmt.Sprint(s.Restarts), "", true) // which leaves the further rounds out
	}
	say("epochs", fmt.Sprint(s.Train.Epochs), fmt.Sprint(base.Train.Epochs), false)
	say("batch", fmt.Sprint(s.Train.Batch), fmt.Sprint(base.Train.Batch), false)
	say("lr", fmt.Sprint(s.Train.LearnRate), fmt.Sprint(base.Train.LearnRate), false)
	say("init", string(s.Init), string(base.Init), false)
	say("select", string(s.Select), string(base.Select), false)
	say("errors", string(s.Errors), string(base.Errors), false)
	say("outliers", string(s.Outliers), string(base.Outliers), false)
	say("snap", string(s.Snap), string(base.Snap), false)
	say("refine", switchOf(s.Refine), switchOf(base.Refine), false)
	say("dtype", s.Train.DType.String(), base.Train.DType.String(), false)
	say("scale", string(s.Scale), string(base.Scale), false)
	if c.Validation == nil {
		say("split", fmt.Sprint(s.Split), fmt.Sprint(base.Split), false)
	}
	for _, name := range slices.Sorted(maps.Keys(s.UnitsOf)) {
		words = append(words, "--units-of", name+"="+s.UnitsOf[name])
	}
	say("dimensions", string(s.Dimensions), string(base.Dimensions), false)
	say("seed", fmt.Sprint(s.Seed), fmt.Sprint(base.Seed), false)

	// What flags can say is taken from s; all else must be the preset's.
	said := base
	said.Layers, said.Width, said.Units, said.Lambda, said.Restarts = s.Layers, s.Width, s.Units, s.Lambda, s.Restarts
	said.Init, said.Select, said.Snap = s.Init, s.Select, s.Snap
	said.Refine, said.Scale, said.Seed = s.Refine, s.Scale, s.Seed
	said.Errors, said.Outliers = s.Errors, s.Outliers
	said.UnitsOf, said.Dimensions = s.UnitsOf, s.Dimensions
	t := &said.Train
	t.Epochs, t.Batch, t.LearnRate, t.DType = s.Train.Epochs, s.Train.Batch, s.Train.LearnRate, s.Train.DType
	if c.Validation == nil {
		said.Split = s.Split
	}
	if len(s.Products) > 0 {
		said.Products = s.Products
	}
	if grid {
		said.Extend = 0
	}
	return words, sameSettings(said, s)
}

func sameSettings(a, b sweep.Settings) bool {
	ta, aerr := json.Marshal(a)
	tb, berr := json.Marshal(b)
	return aerr == nil && berr == nil && string(ta) == string(tb)
}

func commas[T any](values []T) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = fmt.Sprint(v)
	}
	return strings.Join(parts, ",")
}

func switchOf(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
