package sweep

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
	// Half is half the 95 % interval of each of the Values, see [evidence.Evidence]; nil where it is not known.
	Half [][]float64
}

// GroupsOf returns a formula as one form with constants for each group, where the columns have groups and it is one. e
// is the evidence for it, nil where there is none.
func GroupsOf(f formula.Expr, e *Evidence, codings map[string]datasets.Coding) (g Groups, ok bool) {
	var indicators []string
	for name, c := range codings {
		if l := c.Level; l != nil {
			g.Column, g.Levels = l.Column, l.Levels
			indicators = append(indicators, name)
		}
	}
	place := func(name string) int { return codings[name].Level.Level }
	slices.SortFunc(indicators, func(a, b string) int { return place(a) - place(b) })
	if g.GroupForm, ok = formula.ByGroup(f, indicators); !ok {
		return g, false
	}
	g.Form = formula.Simplify(g.Form)
	if e != nil && len(e.Groups) == len(g.Values) && len(e.Groups[0]) == len(g.Names) {
		g.Half = e.Groups
	}
	return g, true
}
