package command

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

type refitOptions struct {
	application
	targets []string
	sigma   []string
	weights []string
	all     bool
	json    bool
	out     string
}

func refitCommand() *cli.Command {
	return &cli.Command{
		Name:      "refit",
		Usage:     "fit the constants of a run's formulas to other rows, and report which changed",
		ArgsUsage: "RUN NEW.csv (- reads standard input)",
		Description: `Fits the constants of the chosen formulas, or of those of --model ID, to the
rows of a table with the same columns. The form of a formula stays, and so
do its special values, unless --all is given. Each constant is shown before
and after with its 95 % interval. It has changed if the difference is more
than both intervals allow together; this holds only for rows that are not
those of the run. Errors of the new rows are as in the run, equal or in
proportion to the prediction, unless --sigma or --weights gives them; no row
is left out as an outlier. Nothing in the folder of the run changes.

  eql refit eql-runs/spring-1 other_spring.csv
  eql refit eql-runs/spring-1 other_spring.csv --json
  eql refit eql-runs/spring-1 other_spring.csv --out spring.txt`,
		Flags: append(applicationFlags(),
			namesFlag("target", "", "`COLUMNS` whose formulas are fitted (default: all targets of the run)"),
			namesFlag("sigma", "", "`COLUMN` with the standard deviation of the target in each row, in the target's unit; "+
				"auto: the column that looks like one; for several targets, one column each (default: none)"),
			namesFlag("weights", "", "`COLUMN` with weights in proportion to 1/σ² of each row; for several targets, "+
				"one column each (default: none)"),
			&cli.BoolFlag{Name: "all", Usage: "fit special values too", DisableDefaultText: true},
			&cli.StringFlag{Name: "out", Usage: "write the formulas with all digits to `FILE`: as JSON, like eql show " +
				"--format json, if its name ends in .json, otherwise as text (default: none)"},
			&cli.BoolFlag{Name: "json", Usage: "print a JSON list", DisableDefaultText: true},
		),
		Action: func(c *cli.Context) error {
			a, err := parseApplication(c)
			if err != nil {
				return err
			}
			o := refitOptions{
				application: a, targets: list(c, "target"), sigma: list(c, "sigma"), weights: list(c, "weights"),
				all: c.Bool("all"), json: c.Bool("json"), out: c.String("out"),
			}
			if c.IsSet("out") && o.out == "" {
				return usagef("--out is empty")
			}
			return runRefit(o, os.Stdin, os.Stdout, os.Stderr)
		},
	}
}

// refitted is a formula that was fitted to other rows, for one target.
type refitted struct {
	target string
	form   formula.Expr
	names  []string // of the constants, "" for those held
	*eql.Refitted
}

func runRefit(o refitOptions, stdin io.Reader, stdout, stderr io.Writer) error {
	if err := notOver(o.out, o.data); err != nil {
		return err
	}
	r, sheet, err := o.open(stdin, stderr)
	if err != nil {
		return err
	}
	targets, err := r.targetsNamed(o.targets, o.run)
	if err != nil {
		return err
	}
	r.keepOnly(targets)
	told, err := errorsTold(sheet, targets, o.sigma, o.weights)
	if err != nil {
		return err
	}
	t, told, err := r.rowsWithTargets(sheet, targets, told, stderr)
	if err != nil {
		return err
	}
	var found []refitted
	for _, target := range targets {
		var errors []run.ErrorColumn
		if e, ok := told[target]; ok {
			errors = append(errors, e)
		}
		f, err := r.refit(target, t, o.all, errors, stderr)
		if err != nil {
			return fmt.Errorf("%s: %w", sheet.Name(), err)
		}
		found = append(found, f)
	}
	if !slices.ContainsFunc(found, func(f refitted) bool { return f.fitted() > 0 }) {
		advice := "learn a new formula by eql fit"
		if !o.all {
			advice = "--all fits special values too"
		}
		return fmt.Errorf("%s: there is no constant to fit in %s (%s)", o.run, formulasOf(found), advice)
	}
	if o.out != "" {
		if err := writeFile(o.out, func(w io.Writer) error { return writeRefitted(w, found, o.out) }); err != nil {
			return err
		}
	}
	if o.json {
		return printRefittedJSON(stdout, found)
	}
	return printRefitted(stdout, found, t, sheet.Name())
}

// targetsNamed returns the targets of the run that a flag names, all when it was not given.
func (r *savedRun) targetsNamed(flag []string, run string) ([]string, error) {
	if flag == nil {
		return r.Report.Targets, nil
	}
	isTarget := func(name string) bool { return slices.Contains(r.Report.Targets, name) }
	names := split(flag, isTarget)
	for i, name := range names {
		if !isTarget(name) {
			return nil, fmt.Errorf("%s: --target: the run has no target %q (its targets are: %s)",
				run, name, strings.Join(r.Report.Targets, ", "))
		}
		if slices.Contains(names[:i], name) {
			return nil, usagef("column %q is named twice by --target", name)
		}
	}
	return names, nil
}

// keepOnly leaves out the formulas of other targets, whose inputs are then not asked for.
func (r *savedRun) keepOnly(targets []string) {
	for _, target := range r.Report.Targets {
		if !slices.Contains(targets, target) {
			delete(r.formulas, target)
		}
	}
}

// refit fits the formula of a target to a table.
func (r *savedRun) refit(
	target string, t *datasets.Table, all bool, errors []run.ErrorColumn, notes io.Writer,
) (refitted, error) {
	e, first := r.formulas[target], r.Found.Train
	held := sweep.Held(e, first, r.special(target))
	if all {
		e = r.withoutSpecial(target)
		held = sweep.Origins(e, first)
	}
	columns, err := first.Select(append(formula.Vars(e), target)...)
	if err != nil {
		return refitted{}, fmt.Errorf("the data of the run: %w", err)
	}
	n := len(columns.Cols) - 1
	var before []evidence.Constant
	rows := fit.Data{X: columns.Cols[:n], Y: columns.Cols[n]}
	found := r.errorsOf(target)
	var confidence *fit.Confidence
	if rows, _, err = sweep.WithErrors(e, columns.Names[:n], rows, first, found); err == nil {
		confidence, err = fit.NewConfidence(e, columns.Names[:n], rows, held)
	}
	if err != nil {
		tell(notes, "note: the constants of %q have no intervals before the fit: %v", target, err)
	} else {
		before, _ = confidence.Constants(0.95)
	}
	f := refitted{target: target}
	f.form, f.names = withNames(e, held, "c")
	if len(errors) == 0 && found.Kind == evidence.ErrorsRelative {
		f.Refitted, err = eql.RefitRelative(e, target, t, held, before, found.Floor)
	} else {
		f.Refitted, err = eql.Refit(e, target, t, held, before, errors...)
	}
	return f, err
}

// withoutSpecial returns the formula of a target as it was before special values were put in, whose 1 may have vanished
// from print. Where terms went with a special value of zero, it is the formula itself.
func (r *savedRun) withoutSpecial(target string) formula.Expr {
	found := r.evidence(target)
	isZero := func(c evidence.Constant) bool { return c.Snapped == 0 && c.Value != 0 }
	if found == nil || r.model >= 0 || slices.ContainsFunc(found.Constants, isZero) {
		return r.formulas[target]
	}
	return found.Fitted
}

// fitted returns how many constants were fitted.
func (f refitted) fitted() int {
	n := 0
	for _, c := range f.Constants {
		if !c.Held {
			n++
		}
	}
	return n
}

// equation writes a formula for its target.
func (f refitted) equation(e formula.Expr, digits int) string {
	return formula.Print(formula.Var(f.target), formula.Text, 0) + " = " + formula.Print(e, formula.Text, digits)
}

func formulasOf(found []refitted) string {
	var list []string
	for _, f := range found {
		list = append(list, f.equation(f.Before, printDigits))
	}
	return strings.Join(list, ", ")
}

// printRefitted writes for each target the constants before and after, the errors, and last the formulas.
func printRefitted(w io.Writer, found []refitted, t *datasets.Table, data string) error {
	for _, f := range found {
		fmt.Fprintln(w, f.equation(f.form, printDigits))
		if len(f.Constants) > 0 {
			tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			fmt.Fprintln(tw, "  constant\tbefore\tafter\t(95 % intervals)")
			for i, c := range f.Constants {
				fmt.Fprintln(tw, "  "+f.row(i, c))
			}
			if err := tw.Flush(); err != nil {
				return err
			}
		}
		fmt.Fprintf(w, "  RMS on %s (%d rows): before %.6g, after %.6g\n\n", data, f.Rows, f.RMSBefore, f.RMS)
	}
	for _, f := range found {
		digits := sweep.Digits(f.Formula, t, formula.Vars(f.Formula), f.target)
		if _, err := fmt.Fprintln(w, f.equation(f.Formula, digits)); err != nil {
			return err
		}
	}
	return nil
}

// row writes what became of a constant.
func (f refitted) row(i int, c eql.RefittedConstant) string {
	if c.Held {
		v := formula.Print(formula.Const(c.Before.Value), formula.Text, 0)
		return v + "\t" + v + "\t" + v + "\tkept"
	}
	verdict := "undetermined"
	if changed, known := c.Changed(); changed {
		verdict = "changed"
	} else if known {
		verdict = "no change"
	}
	return strings.Join([]string{f.names[i], withError(c.Before), withError(c.After), verdict}, "\t")
}

// withError writes a constant with half the width of its interval.
func withError(c evidence.Constant) string {
	half := (c.High - c.Low) / 2
	switch {
	case math.IsNaN(half):
		return fmt.Sprintf("%.6g", c.Value)
	case math.IsInf(half, 0):
		return fmt.Sprintf("%.6g (undetermined)", c.Value)
	}
	return fmt.Sprintf("%.6g ± %s", c.Value, oneDigit(half))
}

// refittedJSON is what refit --json prints of a target. Programs rely on its keys.
type refittedJSON struct {
	Target        string              `json:"target"`
	Form          string              `json:"form"` // with the names of constants
	FormulaBefore string              `json:"formula_before"`
	Formula       string              `json:"formula"`
	Rows          int                 `json:"rows"`
	RMSBefore     *float64            `json:"rms_before"`
	RMS           *float64            `json:"rms"`
	Constants     []refitConstantJSON `json:"constants"`
}

type refitConstantJSON struct {
	Name    string       `json:"name,omitempty"` // missing for one that was kept
	Before  intervalJSON `json:"before"`
	After   intervalJSON `json:"after"`
	Kept    bool         `json:"kept"`
	Changed *bool        `json:"changed"` // null when it cannot be told
}

// intervalJSON is a constant with its 95 % interval, whose ends are null where they are unknown or infinite.
type intervalJSON struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

func intervalOf(c evidence.Constant) intervalJSON {
	return intervalJSON{finite(c.Value), finite(c.Low), finite(c.High)}
}

func printRefittedJSON(w io.Writer, found []refitted) error {
	var printed []refittedJSON
	for _, f := range found {
		p := refittedJSON{
			Target: f.target, Form: f.form.String(), FormulaBefore: f.Before.String(), Formula: f.Formula.String(),
			Rows: f.Rows, RMSBefore: finite(f.RMSBefore), RMS: finite(f.RMS), Constants: []refitConstantJSON{},
		}
		for i, c := range f.Constants {
			k := refitConstantJSON{Name: f.names[i], Before: intervalOf(c.Before), After: intervalOf(c.After), Kept: c.Held}
			if changed, known := c.Changed(); known {
				k.Changed = &changed
			}
			p.Constants = append(p.Constants, k)
		}
		printed = append(printed, p)
	}
	return encodeJSON(w, printed, "")
}

// writeRefitted writes the formulas in the form that the name of the file asks for.
func writeRefitted(w io.Writer, found []refitted, file string) error {
	var targets []string
	formulas := map[string]formula.Expr{}
	var b bytes.Buffer
	for _, f := range found {
		targets, formulas[f.target] = append(targets, f.target), f.Formula
		fmt.Fprintln(&b, f.equation(f.Formula, 0))
	}
	if strings.HasSuffix(file, ".json") {
		return printTrees(w, targets, formulas)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// withNames returns a formula with the constants that are not held written as names, and the name of each, "" for one
// that is held: prefix and a number, with further letters of the prefix where a variable has such a name.
func withNames(e formula.Expr, held []bool, prefix string) (form formula.Expr, names []string) {
	taken := map[string]bool{}
	for _, name := range formula.Vars(e) {
		taken[name] = true
	}
	values := map[string]formula.Expr{}
	var open []string
	for i, v := range formula.Constants(e) {
		if i < len(held) && held[i] {
			hidden := formula.Placeholder(strconv.Itoa(i))
			values[hidden] = formula.Const(v)
			open, names = append(open, hidden), append(names, "")
			continue
		}
		name := fmt.Sprintf("%s%d", prefix, len(open)-len(values)+1)
		for taken[name] {
			name = prefix + name
		}
		open, names = append(open, name), append(names, name)
	}
	return formula.Substitute(formula.Parametrize(e, open), values), names
}
