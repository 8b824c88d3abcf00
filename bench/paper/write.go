package paper

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

// write writes the tables into the folder, each file in one step.
func (res *Result) write(f *Folder) error {
	var markdown bytes.Buffer
	if err := res.WriteMarkdown(&markdown); err != nil {
		return err
	}
	files := []struct {
		name string
		data []byte
	}{
		{"table.md", markdown.Bytes()},
		{"table.csv", res.tableCSV()},
		{"formulas.txt", res.formulaText()},
	}
	if instances := res.instancesCSV(); instances != nil {
		files = append(files, struct {
			name string
			data []byte
		}{"instances.csv", instances})
	}
	for _, file := range files {
		if err := f.write(file.name, file.data); err != nil {
			return err
		}
	}
	return f.writeJSON("result.json", res.withoutFigures())
}

// withoutFigures returns the result without what only figures need.
func (res *Result) withoutFigures() *Result {
	small := *res
	small.Outcomes = make([]Outcome, len(res.Outcomes))
	for i, o := range res.Outcomes {
		o.Slice, o.Network, o.Instances = nil, nil, nil
		small.Outcomes[i] = o
	}
	return &small
}

// tableCSV is the rows of the result with all digits. It holds nothing that another run of the
// same plan would not.
func (res *Result) tableCSV() []byte {
	lines := [][]string{{"set", "method", "test", "against", "n", "mean", "sd", "median", "min", "max", "published_mean",
		"published_sd", "ratio"}}
	for _, r := range res.Rows {
		line := []string{r.Set, string(r.Method), r.Test, r.Against, strconv.Itoa(r.N), cell(r.Mean), cell(r.SD),
			cell(r.Median), cell(r.Min), cell(r.Max), "", "", cell(r.Ratio)}
		if r.Published != nil {
			line[10] = cell(&r.Published.Mean)
			if r.Published.SD >= 0 {
				line[11] = cell(&r.Published.SD)
			}
		}
		lines = append(lines, line)
	}
	return csvOf(lines)
}

// instancesCSV is all networks of the equation learner, nil where it was not run.
func (res *Result) instancesCSV() []byte {
	header := []string{"set", "repetition", "id", "layers", "width", "lambda", "validation", "sparsity", "chosen"}
	for _, t := range Tests() {
		header = append(header, t, t+"_true")
	}
	lines := [][]string{append(header, "formula")}
	for _, o := range res.Outcomes {
		for _, s := range o.Instances {
			line := []string{
				o.Set, strconv.Itoa(o.Repetition + 1), strconv.Itoa(s.ID), strconv.Itoa(s.Layers),
				strconv.Itoa(s.Width), cell(&s.Lambda), cell(s.Validation), strconv.Itoa(s.Sparsity), strconv.FormatBool(s.Chosen),
			}
			scored := Outcome{Errors: s.Errors}
			for _, t := range Tests() {
				for _, clean := range []bool{false, true} {
					text := ""
					if e, ok := scored.errorOn(t, clean); ok {
						text = cell(number(e))
					}
					line = append(line, text)
				}
			}
			lines = append(lines, append(line, joinFormulas(s.Formulas)))
		}
	}
	if len(lines) == 1 {
		return nil
	}
	return csvOf(lines)
}

func joinFormulas(formulas []Formula) string {
	var parts []string
	for _, f := range formulas {
		parts = append(parts, f.Target+" = "+f.Text)
	}
	return strings.Join(parts, "; ")
}

// cell is a number with all its digits; empty for none.
func cell(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}

func csvOf(lines [][]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.WriteAll(lines) //nolint:errcheck // a buffer never fails
	return b.Bytes()
}

// formulaText is what each repetition learned.
func (res *Result) formulaText() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n# constants to %d digits; s is the number of active hidden units\n", res.Command, digits)
	set, method := "", Method("")
	for _, o := range res.Outcomes {
		if o.Set != set || o.Method != method {
			set, method = o.Set, o.Method
			fmt.Fprintf(&b, "\n## %s, %s\n", set, method.Title())
		}
		fmt.Fprintf(&b, "\nrepetition %d, chosen of %d: %s", o.Repetition+1, o.Candidates, o.Choice)
		if o.Sparsity != nil {
			fmt.Fprintf(&b, ", s=%d", *o.Sparsity)
		}
		fmt.Fprintf(&b, ", validation %s", show(o.Validation))
		for _, e := range o.Errors {
			fmt.Fprintf(&b, ", %s %s", e.Test, show(e.Noisy))
		}
		fmt.Fprintln(&b)
		if o.Note != "" {
			fmt.Fprintf(&b, "  (%s)\n", o.Note)
		}
		for _, f := range o.Formulas {
			fmt.Fprintf(&b, "  %s = %s\n", f.Target, f.Text)
		}
	}
	return b.Bytes()
}

// show is a number for a person.
func show(x *float64) string {
	if x == nil {
		return "not finite"
	}
	return strconv.FormatFloat(*x, 'g', 3, 64)
}
