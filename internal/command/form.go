package command

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/eqlearner/eql"
	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/saved"
	"github.com/eqlearner/eql/internal/sweep"
	"github.com/eqlearner/eql/run"
)

// formOptions is what the flags of fit say when a form is given.
type formOptions struct {
	data           string
	reading        datasets.Options
	form           string
	starts, bounds []string // a=1 and b>0
	fixed          []string // c=0
	positive       []string // names
	integers       []string
	tests          []string
	sigma, weights []string // at most one column together
	errors         run.Errors
	measured       measured
	json, quiet    bool
}

func formFlags() []cli.Flag {
	const known = "Known forms (if a form has no unknown function, its constants are fitted, and no folder is written)"
	return []cli.Flag{
		&cli.StringFlag{Name: "form", Category: known, Usage: "fit the constants of `EQUATION`, such as " +
			"'y = a*exp(-b*t) + c', or search for its unknown functions, as in 'y = x1*f(x2, x3) + g(x4)'; " +
			"names that are neither columns nor functions are constants"},
		namesFlag("start", known, "`VALUES` from which the fit of a form starts, such as a=1,b=0.1 "+
			"(default: several starts are tried)"),
		namesFlag("bound", known, "`BOUNDS` of constants of a form, such as 'b>0'; repeatable (default: none)"),
		namesFlag("fix", known, "`VALUES` of constants of a form that are not fitted, such as c=0 (default: none)"),
		namesFlag("positive", known, "`NAMES` of constants of a form that must be above 0 (default: none)"),
		namesFlag("integer", known, "`NAMES` of constants of a form that must be whole numbers (default: none)"),
	}
}

// constantFlags are those about the constants of a form.
var constantFlags = []string{"start", "bound", "fix", "positive", "integer"}

// formBeside are the flags that mean something beside --form.
var formBeside = append([]string{"form", "test", "sigma", "weights", "errors", "decimal", "missing",
	"units-of", "dimensions",
	"json", "quiet"}, constantFlags...)

// parseForm reads the flags of a fit with a form. It reports all mistakes at once.
func parseForm(c *cli.Context) (o formOptions, err error) {
	o = *newFormOptions(c)
	o.tests, o.json, o.quiet = list(c, "test"), c.Bool("json"), c.Bool("quiet")
	o.sigma, o.weights = list(c, "sigma"), list(c, "weights")
	var errs []error
	if o.errors = run.ErrorsAbsolute; c.IsSet("errors") {
		if err := o.errors.UnmarshalText([]byte(c.String("errors"))); err != nil {
			errs = append(errs, flagError("errors", err))
		}
		if len(o.sigma)+len(o.weights) > 0 {
			errs = append(errs, usagef("--errors cannot be combined with --sigma or --weights, which say it for each row "+
				"(leave one of them out)"))
		}
	}
	if o.measured, err = parseMeasured(c); err != nil {
		errs = append(errs, err)
	}
	for _, f := range c.LocalFlagNames() {
		if !slices.Contains(formBeside, f) {
			why := "which only fits constants (leave one of them out)"
			if f == "out" {
				why = "which keeps no run where it only fits constants (its output says all: redirect it, or take --json)"
			}
			errs = append(errs, usagef("--%s cannot be combined with --form, %s", f, why))
		}
	}
	if err := o.reading.Decimal.UnmarshalText([]byte(c.String("decimal"))); err != nil {
		errs = append(errs, flagError("decimal", err))
	}
	o.reading.DecimalKnown = c.IsSet("decimal")
	if err := o.reading.Missing.UnmarshalText([]byte(c.String("missing"))); err != nil {
		errs = append(errs, flagError("missing", err))
	}
	args := c.Args().Slice()
	switch {
	case len(args) != 1:
		errs = append(errs, usagef("fit takes one DATA.csv (or - for standard input), and %s given; "+
			"eql fit --help says more", given(len(args))))
	case args[0] == "" || slices.Contains(o.tests, ""):
		errs = append(errs, usagef("a file name is empty"))
	default:
		o.data = args[0]
	}
	return o, errors.Join(errs...)
}

// newFormOptions reads the flags about a form.
func newFormOptions(c *cli.Context) *formOptions {
	values := func(flag string) []string { return split(list(c, flag), noName) }
	return &formOptions{
		form: c.String("form"), starts: values("start"), bounds: values("bound"),
		fixed: values("fix"), positive: values("positive"), integers: values("integer"),
	}
}

func noName(string) bool { return false }

// formAction fits the constants of a known form.
func formAction(c *cli.Context) error {
	o, err := parseForm(c)
	if err != nil {
		return err
	}
	return runForm(o, os.Stdin, os.Stdout, os.Stderr)
}

func runForm(o formOptions, stdin io.Reader, stdout, stderr io.Writer) error {
	if o.quiet {
		stderr = io.Discard
	}
	sheet, err := readSheet(o.data, stdin, o.reading, stderr)
	if err != nil {
		return err
	}
	f, err := o.parse(sheet)
	if err != nil {
		return err
	}
	roles := columnRoles{inputs: f.Inputs, targets: []string{f.Target}}
	told, err := errorsTold(sheet, roles.targets, o.sigma, o.weights)
	if err != nil {
		return err
	}
	var errors []run.ErrorColumn
	if e, ok := told[f.Target]; ok {
		errors, roles.sigma = append(errors, e), []string{e.Column}
	}
	roles.codings = codingsOf(roles.used(), sheet.Codings())
	t, kept, err := useColumns(sheet, roles.used(), roles.codings, stderr)
	if err == nil {
		err = checkErrorCells(sheet, t, kept, errors)
	}
	if err != nil {
		return err
	}
	roles.note(t, sheet.Lines(kept), stderr)
	unitsOf, err := o.measured.of(sheet, roles.used(), stderr)
	if err != nil {
		return err
	}
	var fit *eql.FormFit
	if len(errors) > 0 {
		fit, err = eql.FitForm(f, t, errors...)
	} else {
		fit, err = eql.FitFormErrors(f, t, o.errors)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", sheet.Name(), err)
	}
	if err := fit.Measure(unitsOf); err != nil {
		return fmt.Errorf("%s: --form: %w (correct the form or the units; --dimensions off ignores units)", sheet.Name(), err)
	}
	roles.sigma = nil // tests need no such column
	tests := map[string]float64{}
	for _, path := range split(o.tests, isFile) {
		other, err := fitOptions{reading: o.reading}.other(path, roles, stderr)
		if err != nil {
			return err
		}
		if tests[path], err = fit.Score(other); err != nil {
			return err
		}
	}
	if o.json {
		return printFormJSON(stdout, fit, tests)
	}
	return printForm(stdout, fit, t, tests)
}

// errorsTold returns for each target the column that tells the errors of its rows, if flags name one.
func errorsTold(sheet *datasets.Sheet, targets, sigma, weights []string) (map[string]run.ErrorColumn, error) {
	told := map[string]run.ErrorColumn{}
	s := columnsOf{sheet, sheet.Columns(), sheet.Codings()}
	sigma, weights, err := fitOptions{sigma: sigma, weights: weights}.errorFlags(s, targets)
	for _, list := range []struct {
		flag    string
		columns []string
	}{{"sigma", sigma}, {"weights", weights}} {
		if n := len(list.columns); err == nil && n > 0 && n != len(targets) {
			err = usagef("--%s names %d columns and there are %d targets; give one for each", list.flag, n, len(targets))
		}
		if err != nil {
			return nil, err
		}
		for i, name := range list.columns {
			if other, twice := told[targets[i]]; twice {
				return nil, usagef("columns %q and %q both tell the errors of %q; leave one out", other.Column, name, targets[i])
			}
			if name != "" {
				told[targets[i]] = run.ErrorColumn{Column: name, Weights: list.flag == "weights"}
			}
		}
	}
	return told, nil
}

// validatedBy says how a form was validated.
func validatedBy(fit *eql.FormFit) string {
	if fit.Folds == fit.Rows {
		return "leave-one-out"
	}
	return fmt.Sprintf("%d-fold", fit.Folds)
}

// printForm writes the fit of a form as fit prints what it learned: table, errors, evidence, and last the formula.
func printForm(w io.Writer, fit *eql.FormFit, t *datasets.Table, tests map[string]float64) error {
	target := formula.Print(formula.Var(fit.Form.Target), formula.Text, 0)
	digits := sweep.Digits(fit.Formula, t, fit.Form.Inputs, fit.Form.Target)
	text := formula.Print(fit.Formula, formula.Text, digits)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "complexity\tvalidation RMS\t%s\n", fit.Form.Target)
	validation := "not finite"
	if v := finite(fit.Validation); v != nil {
		validation = fmt.Sprintf("%.4g", *v)
	}
	fmt.Fprintf(tw, "%d\t%s\t%s\n\n", formula.Complexity(fit.Formula), validation, shorten(text))
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "RMS: training %s, validation %s (%s)",
		showNumber(fit.RMS), showNumber(fit.Validation), validatedBy(fit))
	for _, name := range slices.Sorted(maps.Keys(tests)) {
		fmt.Fprintf(w, ", %s %s", name, showNumber(tests[name]))
	}
	fmt.Fprintf(w, "\n\n%s: the form %s, fitted to %d rows\n", target, fit.Form.Expr, fit.Rows)
	if fit.Relative {
		fmt.Fprintln(w, "  errors: in proportion to the prediction; validation RMS counts rows by that")
	}
	if s := fit.Residuals; s.Defined {
		verdict := ""
		if s.Fails() {
			verdict = ": the form is wrong, most visibly along " + s.Along(fit.Form.Inputs)
		}
		fmt.Fprintf(w, "  structure in residuals z = %.1f (up to %.1f by chance)%s\n", s.Z, s.Limit, verdict)
	}
	fmt.Fprintln(w, "  constants (95 % intervals):")
	for _, c := range fit.Constants {
		unit := ""
		if c.Unit != "" {
			unit = " " + c.Unit
		}
		fmt.Fprintf(w, "  %s = %s%s\n", c.Name, constantText(c), unit)
	}
	_, err := fmt.Fprintf(w, "\n%s = %s\n", target, text)
	return err
}

func constantText(c eql.FormConstant) string {
	half := (c.High - c.Low) / 2
	switch {
	case c.Fixed:
		return fmt.Sprintf("%.6g, as given", c.Value)
	case c.Integer:
		return fmt.Sprintf("%.6g, the whole number that fits best", c.Value)
	case c.Bound:
		return fmt.Sprintf("%.6g, held by its bound", c.Value)
	case math.IsInf(half, 0):
		return fmt.Sprintf("%.6g, not determined by the data", c.Value)
	}
	return fmt.Sprintf("%.6g ± %s", c.Value, oneDigit(half))
}

// printedForm is the object that fit --form --json prints. Keys that fit --json has too mean the same.
type printedForm struct {
	Format     int               `json:"format"`
	Form       string            `json:"form"` // with the names of constants
	Formula    map[string]string `json:"formula"`
	Complexity int               `json:"complexity"`
	RMS        saved.RMS         `json:"rms"`
	Folds      int               `json:"folds"` // of the cross-validation; as many as rows leave one out
	Rows       int               `json:"rows"`
	Relative   bool              `json:"relative_errors,omitempty"` // they are in proportion to the prediction
	Constants  []printedConstant `json:"constants"`
	Residuals  *saved.Residuals  `json:"residuals,omitempty"` // missing where there are too few rows, or no errors
	Inputs     []string          `json:"inputs"`
	Targets    []string          `json:"targets"`
}

type printedConstant struct {
	Name string `json:"name"`
	intervalJSON
	Fixed   bool   `json:"fixed,omitempty"`   // it is held, and has no interval
	Integer bool   `json:"integer,omitempty"` // the same
	Bound   bool   `json:"at_bound"`          // the same
	Unit    string `json:"unit,omitempty"`    // where columns have units, and it has one
}

func printFormJSON(w io.Writer, fit *eql.FormFit, tests map[string]float64) error {
	p := printedForm{
		Format: saved.Format, Form: fit.Form.Expr.String(),
		Formula: map[string]string{fit.Form.Target: fit.Formula.String()}, Complexity: formula.Complexity(fit.Formula),
		RMS:   saved.RMS{Train: finite(fit.RMS), Validation: finite(fit.Validation), Test: map[string]*float64{}},
		Folds: fit.Folds, Rows: fit.Rows, Relative: fit.Relative, Inputs: append([]string{}, fit.Form.Inputs...),
		Targets: []string{fit.Form.Target},
	}
	for name, rms := range tests {
		p.RMS.Test[name] = finite(rms)
	}
	for _, c := range fit.Constants {
		k := printedConstant{c.Name, intervalOf(c.Constant), c.Fixed, c.Integer, c.Bound, c.Unit}
		if c.Fixed || c.Integer || c.Bound {
			k.Low, k.High = nil, nil
		}
		p.Constants = append(p.Constants, k)
	}
	if s := fit.Residuals; s.Defined {
		p.Residuals = &saved.Residuals{Z: finite(s.Z), Limit: finite(s.Limit), Order: s.Along(fit.Form.Inputs)}
	}
	return encodeJSON(w, p, "  ")
}
