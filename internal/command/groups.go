package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/sweep"
)

const (
	rowsOfGroup = 4    // on average, from which on groups are looked for that nobody asked for
	mattering   = 1e-4 // the probability, by chance alone, that some column of texts is taken for groups
)

// mayBeGroups reports whether a column holds a few different texts and nothing else.
func (s columnsOf) mayBeGroups(name string) bool {
	different := s.DifferentTexts(name)
	return s.Texts(name) == s.Rows() && different > 1 && different <= datasets.MaxLevels &&
		rowsOfGroup*different <= s.Rows()
}

// groupsThatMatter returns the column of texts between whose groups the targets differ most, beside a curve of the
// other inputs, "" where they do by chance alone. It says so, and which columns are left out.
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
			tell(notes, "note: column %q holds %d different texts and is left out (--by %s fits constants for each of them)",
				name, s.DifferentTexts(name), shellWord(name))
			continue
		}
		tell(notes, "note: the target differs between the %[2]d groups of column %[1]q (p = %.1[3]g), so constants may "+
			"differ between them (--ignore %[4]s leaves the column out)",
			name, s.DifferentTexts(name), least, shellWord(name))
	}
	return best
}

// noteSpellings says which groups of a column differ by capitals or spaces alone, as one that is misspelt does.
func noteSpellings(sheet *datasets.Sheet, column string, notes io.Writer) {
	cells, err := sheet.Cells(column)
	if err != nil {
		return // as addGroups says
	}
	spelt := map[string]string{}
	var told []string
	for _, cell := range cells {
		plain := strings.ToLower(strings.Join(strings.Fields(cell), ""))
		switch other, ok := spelt[plain]; {
		case !ok:
			spelt[plain] = cell
		case other != cell && !slices.Contains(told, cell):
			told = append(told, cell)
			tell(notes, "note: column %q: %q and %q are two groups (if they are one, spell them alike)", column, other, cell)
		}
	}
}

// groupsByChance returns the least probability, over the targets, that groups differ as much as these do by chance.
func groupsByChance(t *datasets.Table, inputs int, level, kept []int) float64 {
	of := make([]int, len(kept))
	for k, row := range kept {
		of[k] = level[row]
	}
	least := 1.0
	for _, y := range t.Cols[inputs:] {
		least = min(least, distill.GroupsByChance(fit.Data{X: t.Cols[:inputs], Y: y}, of))
	}
	return least
}

// printGroups writes a table of the constants with their 95 % intervals, a row for each group.
func printGroups(w io.Writer, g sweep.Groups, digits int) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "  %s", formula.Print(formula.Var(g.Column), formula.Text, 0))
	for _, name := range g.Names {
		fmt.Fprintf(tw, "\t%s", name)
	}
	fmt.Fprintln(tw)
	for i, level := range g.Levels {
		fmt.Fprintf(tw, "  %s", level)
		for k, v := range g.Values[i] {
			fmt.Fprintf(tw, "\t%s", formula.Print(formula.Const(v), formula.Text, digits))
			switch {
			case g.Half == nil || g.Half[i][k] == 0:
			case finite(g.Half[i][k]) == nil:
				fmt.Fprint(tw, " (left open)")
			default:
				fmt.Fprintf(tw, " ± %s", oneDigit(g.Half[i][k]))
			}
		}
		fmt.Fprintln(tw)
	}
	return tw.Flush()
}
