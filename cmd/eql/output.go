package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/sweep"
)

// printDigits is the number of significant digits of printed constants, but of chosen formulas: see [written].
const printDigits = 6

// written is a formula for people, with as many digits as its predictions need.
type written struct {
	target string
	expr   formula.Expr
	digits int
}

// writtenFor returns the formulas of targets as people read them; t is what they were learned from.
func writtenFor(formulas map[string]formula.Expr, t *datasets.Table, inputs, targets []string) []written {
	list := make([]written, len(targets))
	for i, target := range targets {
		list[i] = written{target, formulas[target], sweep.Digits(formulas[target], t, inputs, target)}
	}
	return list
}

func (f written) in(form formula.Form) string { return formula.Print(f.expr, form, f.digits) }

// apart returns formulas and the digits of each.
func apart(formulas []written) (named []formula.Named, digits []int) {
	for _, f := range formulas {
		named, digits = append(named, formula.Named{Name: f.target, Expr: f.expr}), append(digits, f.digits)
	}
	return named, digits
}

// printResult writes the Pareto tables, the errors, and last the chosen formulas.
func printResult(w io.Writer, r *eql.Result, report *eql.Report) error {
	for o, target := range r.Sweep.Targets {
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintf(tw, "complexity\tvalidation RMS\tmodel\t%s\n", target)
		id, chosen := report.Chosen[target]
		for _, m := range r.Sweep.Front(o) {
			t := m.Targets[o]
			mark := ""
			if chosen && id == m.ID {
				mark = " *"
			}
			fmt.Fprintf(tw, "%d\t%.4g\t%d%s\t%s\n", t.Complexity, t.Validation, m.ID, mark, shorten(written{target, t.Formula, sweep.Digits(t.Formula, r.Sweep.Train, report.Inputs, target)}.in(formula.Text)))
		}
		fmt.Fprintln(tw)
		if err := tw.Flush(); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "RMS: training %s, validation %s", showNumber(report.RMS.Train), showNumber(report.RMS.Validation))
	for _, name := range slices.Sorted(maps.Keys(report.RMS.Test)) {
		fmt.Fprintf(w, ", %s %s", name, showNumber(report.RMS.Test[name]))
	}
	fmt.Fprint(w, "\n\n")
	printEvidence(w, report)
	formulas := writtenFor(r.Formulas, r.Sweep.Train, report.Inputs, report.Targets)
	printShared(w, formulas)
	printColumns(w, report)
	return printFormulas(w, formulas, report.Columns)
}

// printColumns says what the numbers of the columns mean that stand for something else.
func printColumns(w io.Writer, r *eql.Report) {
	for _, name := range slices.Concat(r.Inputs, r.Targets) {
		if c, ok := r.Columns[name]; ok && c.Coding.HasMeaning() && c.Coding.Level == nil {
			fmt.Fprintf(w, "column %s: %s\n", formula.Print(formula.Var(name), formula.Text, 0), c.Meaning)
		}
	}
}

// printShared writes several formulas with what they have in common written once, where that is shorter.
func printShared(w io.Writer, formulas []written) {
	named, digits := apart(formulas)
	shared, shorter := formula.Share(named)
	if !shorter {
		return
	}
	fmt.Fprintln(w, "with what they share written once:")
	for _, d := range shared {
		fmt.Fprintf(w, "  %s = %s\n", formula.Print(formula.Var(d.Name), formula.Text, 0), formula.Print(d.Expr, formula.Text, slices.Max(digits)))
	}
	fmt.Fprintln(w)
}

// named returns formulas in the order of the targets.
func named(targets []string, formulas map[string]formula.Expr) []formula.Named {
	list := make([]formula.Named, len(targets))
	for i, target := range targets {
		list[i] = formula.Named{Name: target, Expr: formulas[target]}
	}
	return list
}

// printEvidence writes what is known of each formula: its constants with their errors, how it was
// tested, and the verdict on a line of its own.
func printEvidence(w io.Writer, r *eql.Report) {
	for _, target := range r.Targets {
		e, ok := r.Evidence[target]
		if !ok {
			continue
		}
		fmt.Fprintf(w, "%s: %s\n", formula.Print(formula.Var(target), formula.Text, 0), foundBy(&e))
		if tests := testsOf(&e); len(tests) > 0 {
			fmt.Fprintf(w, "  %s\n", strings.Join(tests, ", "))
		}
		printErrors(w, e.Errors)
		if len(e.Constants) > 0 {
			fmt.Fprintln(w, "  constants as fitted (95 % intervals) -> special values:")
		}
		for _, k := range e.Constants {
			fmt.Fprintf(w, "  %s", showNumber(k.Value))
			if k.Low != nil && k.High != nil {
				fmt.Fprintf(w, " ± %.1g", (*k.High-*k.Low)/2)
			}
			if k.Snapped != nil {
				fmt.Fprintf(w, " -> %s", formula.Print(formula.Const(*k.Snapped), formula.Text, printDigits))
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "  validation RMS of a straight line %s", showNumber(e.Line))
		if e.Power != nil {
			fmt.Fprintf(w, ", of a power law %s", showNumber(e.Power.Validation))
		}
		if g := e.Greedy; g != nil {
			fmt.Fprintf(w, ", of greedy growth %s (complexity %d", showNumber(g.Validation), g.Complexity)
			fmt.Fprint(w, ")")
		}
		fmt.Fprintln(w)
		fmt.Fprintf(w, "  verdict: %s\n\n", verdictOf(&e))
	}
}

// printErrors says what the errors of rows are taken to be, and which rows are left out.
func printErrors(w io.Writer, e *evidence.Errors) {
	const most = 10 // rows
	if e == nil {
		return
	}
	if words := e.Sentence(); words != "" {
		fmt.Fprintf(w, "  errors: %s; validation RMS counts rows by that\n", words)
	}
	if rows := e.List(most); rows != "" {
		fmt.Fprintf(w, "  not explained and left out: %s\n", rows)
	}
}

// verdictOf returns the verdict in words; runs of earlier versions have no sentence.
func verdictOf(e *eql.ReportEvidence) string {
	if e.Sentence != "" {
		return e.Sentence
	}
	return sweep.Verdict{Level: e.Verdict, Reason: e.Reason}.Sentence()
}

// foundBy says which ways led to a formula.
func foundBy(e *eql.ReportEvidence) string {
	var ways []string
	if e.Agree > 0 {
		way := fmt.Sprintf("%d of %d networks", e.Agree, e.Networks)
		if e.Trained > 0 {
			way += fmt.Sprintf(" (%d as trained)", e.Trained)
		}
		ways = append(ways, way)
	}
	switch {
	case e.Greedy != nil && e.Greedy.Agrees:
		ways = append(ways, "the search without networks")
	case e.Grown > 0:
		parts := "the search, from the parts of a network"
		if e.Grown > 1 {
			parts = fmt.Sprintf("the search, from the parts of each of %d networks", e.Grown)
		}
		ways = append(ways, parts)
	}
	if e.Halves == sweep.Yes {
		ways = append(ways, "the search in each half of the rows")
	}
	if len(ways) == 0 {
		return "derived from other formulas"
	}
	return "found by " + strings.Join(ways, " and ")
}

// testsOf says what the tests of a formula gave.
func testsOf(e *eql.ReportEvidence) []string {
	var tests []string
	if x := e.Outer; x != nil {
		tests = append(tests, fmt.Sprintf("error ratio on outer rows %s (up to %s expected)", ratio(x.Ratio), ratio(x.Limit)))
	}
	if s := e.Residuals; s != nil {
		tests = append(tests, fmt.Sprintf("structure in residuals %s (up to %s by chance)", showZ(s.Z), showZ(s.Limit)))
	}
	if e.Gap != nil {
		tests = append(tests, fmt.Sprintf("BIC2 gap %.0f", *e.Gap))
	}
	return tests
}

func showZ(z *float64) string {
	if z == nil {
		return "not finite"
	}
	return fmt.Sprintf("%.1f", *z)
}

func ratio(x *float64) string {
	if x == nil {
		return "not finite"
	}
	return fmt.Sprintf("%.3f", *x)
}

// printFormulas writes the formulas of the targets, and below each the constants that differ between groups.
func printFormulas(w io.Writer, formulas []written, columns map[string]eql.ReportColumn) error {
	for _, f := range formulas {
		name := formula.Print(formula.Var(f.target), formula.Text, 0)
		groups, inGroups := formInGroups(f.expr, columns)
		text := f.in(formula.Text)
		if inGroups {
			text = formula.Print(groups.Form, formula.Text, f.digits)
		}
		if _, err := fmt.Fprintf(w, "%s = %s\n", name, text); err != nil {
			return err
		}
		if inGroups {
			if err := groups.print(w, f.digits); err != nil {
				return err
			}
		}
	}
	return nil
}

// longest is where formulas are cut in tables; eql show prints them whole.
const longest = 100

func shorten(s string) string {
	if r := []rune(s); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return s
}

func showNumber(x *float64) string {
	if x == nil {
		return "not finite"
	}
	return fmt.Sprintf("%.6g", *x)
}

// printed is the object that fit --json prints. Programs rely on its keys. Resuming gives the same again but for
// the seconds.
type printed struct {
	eql.Report
	Shared []printedDefinition `json:"shared,omitempty"` // the formulas with what they have in common written once, where that is shorter
	// Groups has, for each target whose constants differ between groups, the form and these constants.
	Groups map[string]printedGroups `json:"groups,omitempty"`
}

// printedDefinition is a formula, or a part of several, each defined before it is used.
type printedDefinition struct {
	Name    string `json:"name"`
	Formula string `json:"formula"`
}

// printJSON writes a result as one JSON object.
func printJSON(w io.Writer, result *eql.Result, r *eql.Report) error {
	p := printed{Report: *r, Groups: printedGroupsOf(result.Formulas, r.Columns)}
	p.Training, p.Searching = 0, 0 // left out: Seconds is the one key whose value is another each time
	if shared, shorter := formula.Share(named(r.Targets, result.Formulas)); shorter {
		for _, d := range shared {
			p.Shared = append(p.Shared, printedDefinition{d.Name, d.Expr.String()})
		}
	}
	return encodeJSON(w, p, "  ")
}

// encodeJSON writes a value with its characters as they are, on one line without an indent.
func encodeJSON(w io.Writer, v any, indent string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}
