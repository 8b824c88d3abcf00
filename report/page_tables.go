package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/sweep"
)

// mostModels is how many models the table lists.
const mostModels = 50

// modelsView is the table of all models, best first.
type modelsView struct {
	Caption string
	Rows    []modelRow
}

type modelRow struct {
	ID                   string
	Validation           string
	Complexity, Units    string
	Lambda               string
	Layers, Width, Start string
	Note                 string
	Formulas             []string
	Chosen               bool
}

// longestFormula is where formulas are cut in the table, in characters.
const longestFormula = 160

func (p Page) models() modelsView {
	models := slices.Clone(p.Result.Models)
	slices.SortStableFunc(models, func(a, b *sweep.Model) int {
		return cmp.Or(cmp.Compare(a.Validation(), b.Validation()), cmp.Compare(a.Complexity(), b.Complexity()))
	})
	v := modelsView{Caption: fmt.Sprintf("All %s, lowest validation RMS over the targets first", count(len(models), "model"))}
	if len(models) > mostModels {
		v.Caption = fmt.Sprintf("The %d of %s models with the lowest validation RMS over the targets", mostModels, thousands(len(models)))
		models = models[:mostModels]
	}
	for _, m := range models {
		v.Rows = append(v.Rows, p.modelRow(m))
	}
	return v
}

func (p Page) modelRow(m *sweep.Model) modelRow {
	r := modelRow{
		ID: fmt.Sprint(m.ID), Validation: number(m.Validation(), 4), Complexity: fmt.Sprint(m.Complexity()),
		Lambda: short(m.Lambda), Layers: fmt.Sprint(m.Layers), Width: fmt.Sprint(m.Width), Start: fmt.Sprint(m.Restart), Units: "–",
		Chosen: slices.ContainsFunc(p.Result.Chosen, func(c sweep.Choice) bool { return c.Model == m }),
	}
	if math.IsInf(m.Validation(), 0) {
		r.Complexity = "–"
	}
	switch {
	case m.Baseline:
		r.Note = "least squares line"
		r.Lambda, r.Layers, r.Width, r.Start = "–", "–", "–", "–"
	case m.Network != nil:
		r.Units = fmt.Sprint(m.Network.Sparsity())
	}
	if m.Diverged != nil {
		r.Validation = "diverged"
	}
	for o, t := range m.Targets {
		if t.Formula == nil {
			continue
		}
		text := formula.Print(formula.Var(p.Result.Targets[o]), formula.Text, 0) + " = " + formula.Print(t.Formula, formula.Text, 4)
		if letters := []rune(text); len(letters) > longestFormula {
			text = string(letters[:longestFormula-1]) + "…"
		}
		r.Formulas = append(r.Formulas, text)
	}
	return r
}

// settingItems lists the settings by the names of their flags.
func settingItems(s sweep.Settings) []item {
	units := make([]string, len(s.Units))
	for i, u := range s.Units {
		units[i] = u.String()
	}
	products := "as many as the width"
	if len(s.Products) > 0 {
		products = list(s.Products)
	}
	split := fmt.Sprintf("%g of the rows held out for validation", s.Split)
	if s.Split == 0 {
		split = "0: cross-validation in 5 folds"
	}
	t := s.Train
	return []item{
		{"preset", s.Preset}, {"seed", fmt.Sprint(s.Seed)},
		{"layers", list(s.Layers)}, {"width", list(s.Width)}, {"products", products}, {"units", strings.Join(units, ", ")},
		{"lambda", list(s.Lambda)}, {"restarts", fmt.Sprint(s.Restarts)}, {"further rounds, at most", fmt.Sprint(s.Extend)},
		{"epochs", thousands(t.Epochs)}, {"batch", fmt.Sprint(t.Batch)}, {"learning rate", fmt.Sprint(t.LearnRate)},
		{"Adam", fmt.Sprintf("β₁ = %g, β₂ = %g, ε = %g", t.Beta1, t.Beta2, t.Epsilon)},
		{"phases", phases(s)}, {"masked below", fmt.Sprint(t.Mask)}, {"dtype", t.DType.String()},
		{"init", string(s.Init)}, {"select", string(s.Select)}, {"refine", onOff(s.Refine)}, {"snap", string(s.Snap)},
		{"scale", string(s.Scale)}, {"split", split},
	}
}

func list[T any](values []T) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = fmt.Sprint(v)
	}
	return strings.Join(parts, ", ")
}

func phases(s sweep.Settings) string {
	var parts []string
	for _, p := range s.Train.Schedule {
		parts = append(parts, fmt.Sprintf("%s up to %g %%", p.Name, 100*p.End))
	}
	return strings.Join(parts, ", ")
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
