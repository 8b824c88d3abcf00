package saved

import (
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
)

// Groups is a formula with constants of its own for each group, with the names of the groups.
type Groups struct {
	formula.GroupForm
	Column string
	Levels []string
}

// GroupsOf returns a formula as one form with constants for each group, where the columns have groups and it is one.
func GroupsOf(e formula.Expr, codings map[string]datasets.Coding) (g Groups, ok bool) {
	var indicators []string
	for name, c := range codings {
		if l := c.Level; l != nil {
			g.Column, g.Levels = l.Column, l.Levels
			indicators = append(indicators, name)
		}
	}
	place := func(name string) int { return codings[name].Level.Level }
	slices.SortFunc(indicators, func(a, b string) int { return place(a) - place(b) })
	if g.GroupForm, ok = formula.ByGroup(e, indicators); ok {
		g.Form = formula.Simplify(g.Form)
	}
	return g, ok
}

// PrintedGroups is a formula with constants of its own for each group in JSON.
type PrintedGroups struct {
	Column    string                        `json:"column"`
	Form      string                        `json:"form"`
	Constants map[string]map[string]float64 `json:"constants"` // by group and name
}

func printedGroupsOf(formulas map[string]formula.Expr, codings map[string]datasets.Coding) map[string]PrintedGroups {
	all := map[string]PrintedGroups{}
	for target, e := range formulas {
		g, ok := GroupsOf(e, codings)
		if !ok {
			continue
		}
		p := PrintedGroups{g.Column, g.Form.String(), map[string]map[string]float64{}}
		for i, level := range g.Levels {
			p.Constants[level] = map[string]float64{}
			for k, name := range g.Names {
				p.Constants[level][name] = g.Values[i][k]
			}
		}
		all[target] = p
	}
	return all
}
