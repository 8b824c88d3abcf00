package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
)

// mostModels is how many models the table lists.
const mostModels = 50

// modelsView is the table of all models, best first.
type modelsView struct {
	Caption string
	Rows    []modelRow
}

type modelRow struct {
	ID                     string
	Validation             string
	Complexity, Units      string
	Lambda                 string
	Layers, Width, Restart string
	Alike                  string // how many models have these formulas
	Note                   string
	Formulas               []string
	whole                  []string // formulas that are not cut
	Chosen                 bool
}

// longestFormula is where formulas are cut in the table, in characters.
const longestFormula = 160

func (p Page) models() modelsView {
	models := slices.Clone(p.Result.Models)
	slices.SortStableFunc(models, func(a, b *sweep.Model) int {
		return cmp.Or(cmp.Compare(a.Validation(), b.Validation()), cmp.Compare(a.Complexity(), b.Complexity()))
	})
	v := modelsView{Rows: p.distinct(models)}
	v.Caption = fmt.Sprintf("All %s, with constants as fitted; one row for equal formulas, lowest validation RMS over "+
		"the targets first", count(len(models), "model"))
	if len(v.Rows) > mostModels {
		v.Caption = fmt.Sprintf("The %d of %s different formulas with the lowest validation RMS over the targets, with "+
			"constants as fitted", mostModels, thousands(len(v.Rows)))
		v.Rows = v.Rows[:mostModels]
	}
	return v
}

// distinct returns a row for all models with the same formulas, by their form, four digits of each constant and four of
// the validation error. The row is that of the chosen model among them, or of the first.
func (p Page) distinct(models []*sweep.Model) []modelRow {
	var rows []modelRow
	place, alike := map[string]int{}, map[string]int{}
	for _, m := range models {
		r := p.modelRow(m)
		written := r.Validation + "\n" + strings.Join(r.whole, "\n")
		if i, seen := place[written]; seen && r.whole != nil {
			alike[written]++
			if r.Chosen && !rows[i].Chosen {
				rows[i] = r
			}
			rows[i].Alike = thousands(alike[written])
			continue
		}
		place[written], alike[written] = len(rows), 1
		r.Alike = "1"
		rows = append(rows, r)
	}
	return rows
}

func (p Page) modelRow(m *sweep.Model) modelRow {
	r := modelRow{
		ID: fmt.Sprint(m.ID), Validation: number(m.Validation(), 4), Complexity: fmt.Sprint(m.Complexity()),
		Lambda: short(m.Lambda), Layers: fmt.Sprint(m.Layers), Width: fmt.Sprint(m.Width), Restart: fmt.Sprint(m.Restart),
		Units:  "–",
		Chosen: slices.ContainsFunc(p.Result.Chosen, func(c sweep.Choice) bool { return c.Model == m }),
	}
	if math.IsInf(m.Validation(), 0) {
		r.Complexity = "–"
	}
	switch {
	case m.Baseline:
		r.Note = "linear regression"
		r.Lambda, r.Layers, r.Width, r.Restart = "–", "–", "–", "–"
	case m.Greedy:
		r.Note = "grown term by term, without a network"
		r.Lambda, r.Layers, r.Width, r.Restart = "–", "–", "–", "–"
	case m.Short:
		r.Note = "shortened"
		r.Lambda, r.Layers, r.Width, r.Restart = "–", "–", "–", "–"
	case m.Form != "":
		r.Note = "standard form: " + m.Form
		r.Lambda, r.Layers, r.Width, r.Restart = "–", "–", "–", "–"
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
		text := formula.Print(formula.Var(p.Result.Targets[o]), formula.Text, 0) + " = " +
			formula.Print(t.Formula, formula.Text, 4)
		r.whole = append(r.whole, text)
		if letters := []rune(text); len(letters) > longestFormula {
			text = string(letters[:longestFormula-1]) + "…"
		}
		r.Formulas = append(r.Formulas, text)
	}
	return r
}

// settingItems lists the settings as config.json has them, whatever they are; parts of a setting
// have its name before their own.
func settingItems(s sweep.Settings) ([]item, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	return fields(d, "")
}

// fields reads the rest of an object.
func fields(d *json.Decoder, before string) (items []item, err error) {
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		name := before + strings.ReplaceAll(fmt.Sprint(key), "_", " ")
		value, parts, err := setting(d, name)
		if err != nil {
			return nil, err
		}
		if parts == nil {
			parts = []item{{name, value}}
		}
		items = append(items, parts...)
	}
	_, err = d.Token()
	return items, err
}

// setting reads a value: text, or the items of an object. Those of objects in a list are text.
func setting(d *json.Decoder, name string) (value string, parts []item, err error) {
	token, err := d.Token()
	switch token {
	case json.Delim('{'):
		parts, err = fields(d, name+": ")
		return "", parts, err
	case json.Delim('['):
		var list []string
		for d.More() {
			value, parts, err := setting(d, "")
			if err != nil {
				return "", nil, err
			}
			for i, p := range parts {
				value += strings.Repeat(", ", min(i, 1)) + strings.TrimPrefix(p.Name, ": ") + " " + p.Value
			}
			list = append(list, value)
		}
		_, err = d.Token()
		between := ", "
		if strings.Contains(strings.Join(list, ""), ", ") {
			between = "; "
		}
		return strings.Join(list, between), nil, err
	}
	return fmt.Sprint(token), nil, err
}
