package eql

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/fit"
	"github.com/eqlearner/eql/run"
)

// KnownForm is a form of a law, with named constants and perhaps unknown functions. Its method Constant returns a
// constant, for the caller to set a start or bounds, to fix it, or to make it a whole number.
type KnownForm = formula.Known

func named(f KnownForm) fit.Named {
	return fit.Named{Expr: f.Expr, Inputs: f.Inputs, Constants: f.Constants}
}

// FormFit is a known form with its constants fitted.
type FormFit struct {
	Form      KnownForm
	Formula   formula.Expr
	Constants []FormConstant // in the order in which the form has them
	Rows      int
	RMS       float64
	// Validation is the RMS of rows that the constants were not fitted to, by cross-validation in so many Folds; as
	// many folds as rows leave one out each time.
	Validation float64
	Folds      int
	// Residuals is the test of the residuals for structure.
	Residuals evidence.Structure
	// Relative is whether the errors of rows are taken to be in proportion to the prediction; then Validation is weighted.
	Relative bool

	squares float64 // the weighted sum of the squares of the residuals
}

// FormConstant is a fitted constant with its 95 % interval. The interval is infinite if the data do not determine the
// constant. A constant that is held has none.
type FormConstant struct {
	Name    string
	Fixed   bool // it is held at the value that was given
	Integer bool // it is a whole number, and held where the fit is best
	Bound   bool // it is held by its bound
	evidence.Constant
}

// ParseForm reads a form such as y = a*exp(-b*t) + c for a table with the given columns; see [formula.ParseKnown].
func ParseForm(text string, columns []string) (KnownForm, error) {
	return formula.ParseKnown(text, columns)
}

// HasUnknown reports whether a form has unknown functions, whatever the columns are. [Fit] searches for them.
func HasUnknown(text string) bool { return formula.HasUnknown(text) }

const (
	oneLeftOut = 30 // rows, up to which cross-validation leaves one out each time
	formFolds  = 5
	foldStream = 0x666f6c64 // of the random numbers that choose folds
)

// FitForm fits the constants of a form to the rows of a table by least squares. It does not search for a form: the
// residuals and the validation error tell whether this one is right.
//
// errors, at most one, names the column of the table with the standard deviation of each row's error, or with weights
// in proportion to one over its square; then squares are weighted. Intervals use the standard deviations as given,
// unless the residuals are larger than these allow. RMS is unweighted, Validation is weighted.
func FitForm(f KnownForm, t *datasets.Table, errors ...run.ErrorColumn) (*FormFit, error) {
	if len(f.Unknown) > 0 {
		return nil, fmt.Errorf("%s is not known, and FitForm fits constants only (give the form to Fit by PartlyKnown)",
			f.Unknown[0])
	}
	d, err := dataOf(t, f.Inputs, f.Target)
	if err != nil {
		return nil, err
	}
	if err := weigh(&d, t, errors); err != nil {
		return nil, err
	}
	fitted, err := named(f).Fit(d)
	if err != nil {
		return nil, fmt.Errorf("fitting %q: %w", f.Target, err)
	}
	return newFormFit(f, fitted, d), nil
}

// newFormFit judges constants that were fitted to rows.
func newFormFit(f KnownForm, fitted *fit.NamedFit, d fit.Data) *FormFit {
	r := &FormFit{Form: f, Formula: f.Formula(fitted.Values), Rows: d.Rows()}
	intervals, _ := fitted.Constants(intervalLevel)
	for i, c := range intervals {
		k := f.Constants[i]
		bound := fitted.Held[i] && !k.Fixed() && !k.Integer
		r.Constants = append(r.Constants, FormConstant{k.Name, k.Fixed(), k.Integer, bound, c})
	}
	predicted, _ := fitted.At(d.X, d.Rows())
	r.RMS = rmsBetween(predicted, d.Y)
	r.Residuals = fit.Residuals(fit.NewLayout(d.X), d.Y, predicted, d.W)
	r.squares = float64(d.Rows()) * math.Pow(rmsBetween(d.Weighed(predicted), d.Weighed(d.Y)), 2)
	r.validate(fitted.Values, d)
	return r
}

// validate cross-validates the form. Where constants cannot be fitted without some rows the error is infinite.
func (r *FormFit) validate(values []float64, d fit.Data) {
	r.Folds = formFolds
	if d.Rows() <= oneLeftOut {
		r.Folds = d.Rows()
	}
	folds := datasets.Folds(d.Rows(), r.Folds, rand.New(rand.NewPCG(0, foldStream)))
	errors := fit.CrossValidate(d, folds, func(rest, held fit.Data) []float64 {
		fitted, err := named(r.Form).FitFrom(values, rest)
		if err != nil {
			return slices.Repeat([]float64{math.Inf(1)}, held.Rows())
		}
		predicted, _ := fitted.At(held.X, held.Rows())
		return predicted
	})
	r.Validation = fit.RMS(errors)
}

// Score returns the RMS of the fitted form on another table.
func (r *FormFit) Score(t *datasets.Table) (float64, error) {
	d, err := dataOf(t, r.Form.Inputs, r.Form.Target)
	if err != nil {
		return 0, err
	}
	return rmsOf(r.Formula, r.Form.Inputs, d)
}
