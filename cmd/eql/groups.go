package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
)

const (
	rowsOfGroup = 4    // on average, from which on groups are looked for that nobody asked for
	mattering   = 1e-4 // the probability, by chance alone, that some column of texts is taken for groups
)

// mayBeGroups reports whether a column holds a few different texts and nothing else.
func (s columnsOf) mayBeGroups(name string) bool {
	different := s.DifferentTexts(name)
	return s.Texts(name) == s.Rows() && different > 1 && different <= datasets.MaxLevels && rowsOfGroup*different <= s.Rows()
}

// groupsThatMatter returns the column of texts between whose groups the residuals of the targets' least squares lines
// differ most, "" where none do by more than chance. It says so, and which columns are left out.
func (s columnsOf) groupsThatMatter(r columnRoles, texts []string, notes io.Writer) string {
	best, least := "", mattering/float64(max(1, len(texts)*len(r.targets)))
	plain := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, coded := s.codings[name]; return coded })
	}
	inputs, targets := plain(r.inputs), plain(r.targets)
	if t, kept, err := s.Table(slices.Concat(inputs, targets)); err == nil {
		for _, name := range texts {
			if p := groupsByChance(t, len(inputs), s.LevelOf(name), kept); p < least {
				best, least = name, p
			}
		}
	}
	for _, name := range texts {
		if name != best {
			fmt.Fprintf(notes, "note: column %q holds %d different texts and is left out (--by %s gives each of them constants of its own)\n",
				name, s.DifferentTexts(name), shellWord(name))
			continue
		}
		fmt.Fprintf(notes, "note: column %q holds %d groups of rows that differ (p = %.1g), so constants may differ between them (--ignore %s leaves it out)\n",
			name, s.DifferentTexts(name), least, shellWord(name))
	}
	return best
}

// groupsByChance returns the least probability, over the targets, that groups differ as much as these do by chance.
func groupsByChance(t *datasets.Table, inputs int, level, kept []int) float64 {
	of := make([]int, len(kept))
	for k, row := range kept {
		of[k] = level[row]
	}
	least := 1.0
	for _, y := range t.Cols[inputs:] {
		least = min(least, distill.GroupsByChance(distill.Data{X: t.Cols[:inputs], Y: y}, of))
	}
	return least
}

// inGroups is a formula with constants of its own for each group, with the names of the groups.
type inGroups struct {
	formula.GroupForm
	column string
	levels []string
}

// formInGroups returns a formula as one form with constants for each group, where the columns have groups and it is one.
func formInGroups(e formula.Expr, columns map[string]eql.ReportColumn) (g inGroups, ok bool) {
	var indicators []string
	for name, c := range columns {
		if l := c.Coding.Level; l != nil {
			g.column, g.levels = l.Column, l.Levels
			indicators = append(indicators, name)
		}
	}
	place := func(name string) int { return columns[name].Coding.Level.Level }
	slices.SortFunc(indicators, func(a, b string) int { return place(a) - place(b) })
	if g.GroupForm, ok = formula.ByGroup(e, indicators); ok {
		g.Form = formula.Simplify(g.Form)
	}
	return g, ok
}

// print writes a table of the constants, a row for each group.
func (g inGroups) print(w io.Writer, digits int) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "  %s", formula.Print(formula.Var(g.column), formula.Text, 0))
	for _, name := range g.Names {
		fmt.Fprintf(tw, "\t%s", name)
	}
	fmt.Fprintln(tw)
	for i, level := range g.levels {
		fmt.Fprintf(tw, "  %s", level)
		for _, v := range g.Values[i] {
			fmt.Fprintf(tw, "\t%s", formula.Print(formula.Const(v), formula.Text, digits))
		}
		fmt.Fprintln(tw)
	}
	return tw.Flush()
}

// printedGroups is a formula with constants of its own for each group in JSON.
type printedGroups struct {
	Column    string                        `json:"column"`
	Form      string                        `json:"form"`
	Constants map[string]map[string]float64 `json:"constants"` // by group and name
}

func printedGroupsOf(formulas map[string]formula.Expr, columns map[string]eql.ReportColumn) map[string]printedGroups {
	all := map[string]printedGroups{}
	for target, e := range formulas {
		g, ok := formInGroups(e, columns)
		if !ok {
			continue
		}
		p := printedGroups{g.column, g.Form.String(), map[string]map[string]float64{}}
		for i, level := range g.levels {
			p.Constants[level] = map[string]float64{}
			for k, name := range g.Names {
				p.Constants[level][name] = g.Values[i][k]
			}
		}
		all[target] = p
	}
	return all
}
