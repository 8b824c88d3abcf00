package saved

import (
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
)

// PrintedGroups is a formula with constants of its own for each group in JSON.
type PrintedGroups struct {
	Column    string                        `json:"column"`
	Form      string                        `json:"form"`
	Constants map[string]map[string]float64 `json:"constants"` // by group and name
	// Intervals are those of 95 %; null at an end that the data leave open.
	Intervals map[string]map[string][2]*float64 `json:"intervals,omitempty"`
}

func printedGroupsOf(
	formulas map[string]formula.Expr, judged map[string]Evidence, codings map[string]datasets.Coding,
) map[string]PrintedGroups {
	all := map[string]PrintedGroups{}
	for target, f := range formulas {
		g, ok := sweep.GroupsOf(f, &sweep.Evidence{Groups: readWidths(judged[target].Groups)}, codings)
		if !ok {
			continue
		}
		p := PrintedGroups{Column: g.Column, Form: g.Form.String(), Constants: map[string]map[string]float64{}}
		if g.Half != nil {
			p.Intervals = map[string]map[string][2]*float64{}
		}
		for i, level := range g.Levels {
			p.Constants[level] = map[string]float64{}
			for k, name := range g.Names {
				p.Constants[level][name] = g.Values[i][k]
			}
			if g.Half == nil {
				continue
			}
			p.Intervals[level] = map[string][2]*float64{}
			for k, name := range g.Names {
				v, half := g.Values[i][k], g.Half[i][k]
				p.Intervals[level][name] = [2]*float64{number(v - half), number(v + half)}
			}
		}
		all[target] = p
	}
	return all
}
