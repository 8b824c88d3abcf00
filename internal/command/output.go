package command

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
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

	evidence *evidence.Evidence // nil where there is none
}

// writtenFor returns the formulas of targets as people read them; t is what they were learned from.
func writtenFor(formulas map[string]formula.Expr, t *datasets.Table, inputs, targets []string) []written {
	list := make([]written, len(targets))
	for i, target := range targets {
		list[i] = written{target, formulas[target], sweep.Digits(formulas[target], t, inputs, target), nil}
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
func printResult(out io.Writer, r *eql.Result) error {
	w := &strings.Builder{}
	for _, target := range r.Targets {
		if err := printFront(w, r, target); err != nil {
			return err
		}
		if err := printForms(w, r, target); err != nil {
			return err
		}
	}
	withOutliers := map[bool]string{true: " (outliers included)"}[leavesOut(r)]
	train, validation := showNumber(r.RMS.Train), showNumber(r.RMS.Validation)
	if r.RMS.CrossValidated {
		fmt.Fprintf(w, "RMS: training %s%s, validation %s", train, withOutliers, validation)
	} else {
		fmt.Fprintf(w, "RMS: training %s, validation %s%s", train, validation, withOutliers)
	}
	for _, name := range slices.Sorted(maps.Keys(r.RMS.Test)) {
		fmt.Fprintf(w, ", %s %s", name, showNumber(r.RMS.Test[name]))
	}
	if !math.IsNaN(r.RMS.Whole) {
		fmt.Fprintf(w, ", all rows of the file %s", showNumber(r.RMS.Whole))
	}
	fmt.Fprint(w, "\n\n")
	formulas := make([]written, len(r.Targets))
	for i, target := range r.Targets {
		printEvidence(w, target, r.Evidence(target))
		formulas[i] = written{target, r.Formulas[target], r.Digits(target, r.Formulas[target]), r.Evidence(target)}
	}
	printTrajectory(w, r.Trajectory())
	printShared(w, formulas)
	printColumns(w, slices.Concat(r.Inputs, r.Targets), r.Columns)
	if err := write(out, w.String()); err != nil {
		return err
	}
	return printFormulas(out, formulas, r.Columns) // in whole lines, to be copied
}

// printFront writes the Pareto table of a target, which one that does not vary has none of.
func printFront(w io.Writer, r *eql.Result, target string) error {
	front := r.Front(target)
	if front == nil {
		return nil
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "complexity\tvalidation RMS\tmodel\t%s\n", target)
	for _, m := range front {
		mark := ""
		if m.Chosen {
			mark = " *"
		}
		text := shorten(written{target, m.Formula, r.Digits(target, m.Formula), nil}.in(formula.Text))
		if m.Chosen {
			text = bold.in(text)
		}
		fmt.Fprintf(tw, "%d\t%.4g\t%d%s\t%s\n", m.Complexity, m.Validation, m.ID, mark, text)
	}
	fmt.Fprintln(tw)
	return tw.Flush()
}

// printForms writes the standard forms that fit a target best, by name.
func printForms(w io.Writer, r *eql.Result, target string) error {
	const most = 5
	list := r.StandardForms(target)
	if len(list) == 0 {
		return nil
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "standard form\tvalidation RMS\tmodel\t%s\n", target)
	for _, m := range list[:min(most, len(list))] {
		text := written{target, m.Formula, r.Digits(target, m.Formula), nil}.in(formula.Text)
		fmt.Fprintf(tw, "%s\t%.4g\t%d\t%s\n", m.Form, m.Validation, m.ID, shorten(text))
	}
	fmt.Fprintln(tw)
	return tw.Flush()
}

// printColumns says what the numbers of the columns mean that stand for something else.
func printColumns(w io.Writer, names []string, codings map[string]datasets.Coding) {
	for _, name := range names {
		if c, ok := codings[name]; ok && c.HasMeaning() && c.Level == nil {
			fmt.Fprintf(w, "column %s: %s\n", formula.Print(formula.Var(name), formula.Text, 0), c.Meaning())
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
		fmt.Fprintf(w, "  %s = %s\n", formula.Print(formula.Var(d.Name), formula.Text, 0),
			formula.Print(d.Expr, formula.Text, slices.Max(digits)))
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

// printEvidence writes what is known of a formula: its constants with their errors, how it was tested, and the verdict
// on a line of its own; nothing where nothing was judged.
func printEvidence(w io.Writer, target string, e *evidence.Evidence) {
	if e == nil {
		return
	}
	fmt.Fprintf(w, "%s: %s\n", formula.Print(formula.Var(target), formula.Text, 0), foundBy(e))
	if tests := testsOf(e); len(tests) > 0 {
		fmt.Fprintf(w, "  %s\n", strings.Join(tests, ", "))
	}
	printErrors(w, &e.Errors)
	special := slices.ContainsFunc(e.Constants, func(k evidence.Constant) bool { return k.Snapped != k.Value })
	switch {
	case special:
		fmt.Fprintln(w, "  constants as fitted (95 % intervals) -> special values:")
	case len(e.Constants) > 0:
		fmt.Fprintln(w, "  constants (95 % intervals):")
	}
	for _, k := range e.Constants {
		fmt.Fprintf(w, "  %s", showNumber(k.Value))
		switch {
		case finite(k.Low) == nil || finite(k.High) == nil:
		case k.Low == k.High:
			fmt.Fprint(w, ", known")
		default:
			fmt.Fprintf(w, " ± %s", oneDigit((k.High-k.Low)/2))
		}
		if k.Unit != "" {
			fmt.Fprintf(w, " %s", k.Unit)
		}
		if k.Snapped != k.Value {
			fmt.Fprintf(w, " -> %s", formula.Print(formula.Const(k.Snapped), formula.Text, printDigits))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "  validation RMS of linear regression %s", showNumber(e.Line))
	if e.Power.Formula != nil {
		fmt.Fprintf(w, ", of a power law %s", showNumber(e.Power.Validation))
	}
	if g := e.Greedy; g.Formula != nil {
		fmt.Fprintf(w, ", of the search without networks %s (complexity %d)", showNumber(g.Validation), g.Complexity)
	}
	fmt.Fprintf(w, "\n  %s\n\n", styleOf(e.Level).in("verdict: "+e.Sentence()))
}

func styleOf(l evidence.Level) style {
	switch l {
	case evidence.Holds:
		return green
	case evidence.Fails:
		return red
	}
	return yellow
}

// oneDigit writes a number with one digit, without an exponent where it has few zeros.
func oneDigit(x float64) string {
	text := fmt.Sprintf("%.1g", x)
	if rounded, err := strconv.ParseFloat(text, 64); err == nil && rounded >= 1e-4 && rounded < 1e6 {
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	return text
}

// leavesOut reports whether rows are left out for any target.
func leavesOut(r *eql.Result) bool {
	return slices.ContainsFunc(r.Targets, func(target string) bool {
		e := r.Evidence(target)
		return e != nil && len(e.Errors.Outliers) > 0
	})
}

// printErrors says what the errors of rows are taken to be, and which rows are left out.
func printErrors(w io.Writer, e *evidence.Errors) {
	const most = 10 // rows
	if e.Plain() {
		return
	}
	if words := e.Sentence(); words != "" {
		fmt.Fprintf(w, "  errors: %s; validation RMS is weighted by them\n", words)
	}
	if words := e.OfTails(); words != "" {
		fmt.Fprintf(w, "  tails of errors: %s\n", words)
	}
	if head, rows := e.LeftOut(most); head != "" {
		fmt.Fprintf(w, "  outliers, left out of the fit: %s\n    %s\n", head, strings.Join(rows, "\n    "))
	}
}

// foundBy says which ways led to a formula.
func foundBy(e *evidence.Evidence) string {
	var ways []string
	s := e.Support
	if s.Agree > 0 {
		way := fmt.Sprintf("%d of %d networks", s.Agree, s.Networks)
		if s.Trained > 0 {
			way += fmt.Sprintf(" (%d as trained)", s.Trained)
		}
		ways = append(ways, way)
	}
	switch {
	case e.Greedy.Agrees:
		ways = append(ways, "the search without networks")
	case s.Grown > 0:
		start := "the search, started from the formula of a network"
		if s.Grown > 1 {
			start = fmt.Sprintf("the search, started from each of the formulas of %d networks", s.Grown)
		}
		ways = append(ways, start)
	}
	if s.Form != "" {
		ways = append(ways, fmt.Sprintf("the fit of the standard form %q", s.Form))
	}
	if s.Halves == evidence.Yes {
		ways = append(ways, "the search in each half of the rows")
	}
	if len(ways) == 0 {
		return "derived from other formulas"
	}
	last := len(ways) - 1
	if last == 0 {
		return "found by " + ways[0]
	}
	return "found by " + strings.Join(ways[:last], ", ") + " and " + ways[last]
}

// testsOf says what the tests of a formula gave.
func testsOf(e *evidence.Evidence) []string {
	var tests []string
	if x := e.Extrapolation; x.Defined {
		held := ""
		if x.Held {
			held = ", special values held"
		}
		tests = append(tests, fmt.Sprintf("error ratio on outer rows %s (up to %s expected%s)",
			show("%.3f", x.Ratio), show("%.3f", x.Limit), held))
	}
	if s := e.Structure; s.Defined {
		tests = append(tests, fmt.Sprintf("structure in residuals z = %s (up to %s by chance)",
			show("%.1f", s.Z), show("%.1f", s.Limit)))
	}
	if finite(e.Gap) != nil {
		text := fmt.Sprintf("BIC2 gap %.0f", math.Round(e.Gap)+0) // + 0 makes -0 a 0
		if e.Gap < 0 {
			text += " (another formula is better)"
		}
		tests = append(tests, text)
	}
	return tests
}

// printFormulas writes the formulas of the targets, and below each the constants that differ between groups.
func printFormulas(w io.Writer, formulas []written, codings map[string]datasets.Coding) error {
	for _, f := range formulas {
		name := formula.Print(formula.Var(f.target), formula.Text, 0)
		groups, inGroups := sweep.GroupsOf(f.expr, f.evidence, codings)
		text := f.in(formula.Text)
		if inGroups {
			text = formula.Print(groups.Form, formula.Text, f.digits)
		}
		if _, err := fmt.Fprintf(w, "%s = %s\n", name, text); err != nil {
			return err
		}
		if inGroups {
			if err := printGroups(w, groups, f.digits); err != nil {
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

func showNumber(x float64) string { return show("%.6g", x) }

// show writes a number, or that it is not finite.
func show(format string, x float64) string {
	if finite(x) == nil {
		return "not finite"
	}
	return fmt.Sprintf(format, x)
}

// printJSON writes a result as one JSON object. Resuming gives the same again but for the seconds.
func printJSON(w io.Writer, r *eql.Result) error { return encodeJSON(w, r, "  ") }

// encodeJSON writes a value with its characters as they are, on one line without an indent.
func encodeJSON(w io.Writer, v any, indent string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}
