package report

import (
	_ "embed" // for the template
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/batch"
	"github.com/eqlearner/eql/run"
)

// Batch is what the page of a batch is made from.
type Batch struct {
	Name    string // of the batch
	Summary *batch.Summary
}

//go:embed batch.html
var batchText string

var batchTemplate = template.Must(template.New("batch").Parse(headText + batchText))

// mostTables is how many rows the page shows; summary.csv has all.
const mostTables = 2000

type batchView struct {
	head
	Summary string
	Laws    []lawView
	Groups  []groupView
}

// groupView are the rows that have one form, or that failed.
type groupView struct {
	ID, Name, Count string
	Failed          bool
	Rows            []batchEntry
}

// batchEntry is a row of the summary. The page makes the view of one when it writes it: all of them at once would be
// most of the memory that a coordinator takes.
type batchEntry struct {
	row    batch.Row
	sketch batch.Sketch
}

type batchRow struct {
	Table, Rows, Validation, R2 string
	Verdict                     verdictView
	Reason                      string
	Math                        template.HTML
	Text                        string // in place of the mathematics
	Sketch                      template.HTML
}

// Write writes the page, a row for each formula, those of one form together, the most frequent form first.
func (p Batch) Write(w io.Writer) error {
	if err := batchTemplate.Execute(w, p.view()); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

func (p Batch) view() batchView {
	s := p.Summary
	v := batchView{
		head: headOf(p.Name),
		Summary: fmt.Sprintf("A batch of eql: %s, %s of %s.",
			count(s.Tables, "table"), count(len(s.Rows)-s.Failed, "formula"), count(len(s.Forms), "form")),
	}
	if n := len(s.Missing); n > 0 {
		v.Warnings = append(v.Warnings, fmt.Sprintf("%d tables have no result yet.", n))
	}
	if n := len(s.Classes); n > 1 {
		v.Warnings = append(v.Warnings, fmt.Sprintf("Machines of %d kinds worked on it, and their bits may differ: %s.",
			n, strings.Join(s.Classes, "; ")))
	}
	if n := len(s.Dispute); n > 0 {
		v.Warnings = append(v.Warnings, fmt.Sprintf("%d tables have two results that differ; the first is shown.", n))
	}
	if len(s.Rows) > mostTables {
		v.Warnings = append(v.Warnings, fmt.Sprintf("%s of %s rows are shown; summary.csv has all.",
			thousands(mostTables), thousands(len(s.Rows))))
	}
	v.Laws, v.Groups = lawsOf(s), groupsOf(s)
	return v
}

// groupsOf returns the rows that are shown by their forms, and last those that failed.
func groupsOf(s *batch.Summary) (groups []groupView) {
	place := map[string]int{"": len(s.Forms)}
	for i, f := range s.Forms {
		place[f.Form] = i
	}
	groups = make([]groupView, len(s.Forms)+1)
	for i, r := range s.Rows[:min(len(s.Rows), mostTables)] {
		g := &groups[place[r.Form]]
		g.Name, g.Failed = r.Form, r.Ended == batch.Failed
		g.Rows = append(g.Rows, batchEntry{r, s.Sketches[i]})
	}
	groups = slices.DeleteFunc(groups, func(g groupView) bool { return len(g.Rows) == 0 })
	for i := range groups {
		groups[i].ID, groups[i].Count = fmt.Sprintf("f%d", i+1), count(len(groups[i].Rows), "row")
	}
	return groups
}

// View returns what the page shows of a row.
func (e batchEntry) View() batchRow {
	r := e.row
	v := batchRow{Table: visible(r.Table), Rows: thousands(r.Rows)}
	if r.Ended == batch.Failed {
		v.Text = visible(r.Error)
		return v
	}
	v.Validation, v.R2 = numberOf(r.Validation), numberOf(r.R2)
	v.Verdict, v.Reason = verdictOfLevel(r.Verdict), sentence(r.Sentence)
	if r.Ended == run.EndedByTime {
		v.Reason += " The time limit ended the search."
	}
	if e, err := formula.Parse(r.Text); err == nil {
		v.Math = mathOf(r.Target, e, 0)
	} else {
		v.Text = r.Text
	}
	v.Sketch = sketchSVG(r, e.sketch)
	return v
}

func numberOf(x *float64) string {
	if x == nil {
		return "–"
	}
	return number(*x, 4)
}

// verdictOfLevel is the verdict in a word, with a mark and a class for its colour.
func verdictOfLevel(l evidence.Level) verdictView {
	switch l {
	case evidence.Holds:
		return verdictView{"yes", "✓", "holds"}
	case evidence.Uncertain:
		return verdictView{"maybe", "?", "uncertain"}
	case evidence.Fails:
		return verdictView{"no", "✗", "fails"}
	}
	return verdictView{"open", "•", "not judged"}
}

// sketchSVG draws a sketch: points as dots, and the formula as a line.
func sketchSVG(r batch.Row, s batch.Sketch) template.HTML {
	const margin = 4
	var dots, line strings.Builder
	for i := 0; i+1 < len(s.Points); i += 2 {
		fmt.Fprintf(&dots, "M%d %dh0", s.Points[i], s.Points[i+1])
	}
	gap := true
	for i := 0; i+1 < len(s.Curve); i += 2 {
		x, y := s.Curve[i], s.Curve[i+1]
		switch {
		case x < 0:
		case gap:
			fmt.Fprintf(&line, "M%d %d", x, y)
		default:
			fmt.Fprintf(&line, "L%d %d", x, y)
		}
		gap = x < 0
	}
	across := s.X
	if across == "" {
		across = "the value of the formula"
	}
	words := fmt.Sprintf("%s of %s against %s, %d points, and the formula as a line",
		clean(r.Target), clean(r.Table), clean(across), len(s.Points)/2)
	return template.HTML(fmt.Sprintf( //nolint:gosec // names are escaped, the rest is whole numbers
		`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="-%[3]d -%[3]d %[1]d %[2]d" role="img" aria-label="%[4]s">`+
			`<path d="%[5]s" fill="none" stroke="var(--points)" stroke-width="3" stroke-linecap="round"/>`+
			`<path d="%[6]s" fill="none" stroke="var(--c1)" stroke-width="1.5"/></svg>`,
		batch.SketchWidth+2*margin, batch.SketchHeight+2*margin, margin, template.HTMLEscapeString(words), &dots, &line))
}
