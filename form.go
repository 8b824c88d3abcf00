package eql

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/eqlearner/eql/datasets"
	"github.com/eqlearner/eql/evidence"
	"github.com/eqlearner/eql/formula"
	"github.com/eqlearner/eql/internal/distill"
)

// KnownForm is a law of which only the constants are unknown.
type KnownForm struct {
	Target    string
	Expr      formula.Expr
	Inputs    []string            // columns that the form reads
	Constants []formula.Parameter // in the order of the text
}

// Formula returns the form with values put in for its constants.
func (f KnownForm) Formula(values []float64) formula.Expr { return f.named().Formula(values) }

func (f KnownForm) named() distill.Named {
	return distill.Named{Expr: f.Expr, Inputs: f.Inputs, Constants: f.Constants}
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
}

// FormConstant is a fitted constant with its 95 % interval, which is infinite where the data leave it open. One that is held
// has no interval.
type FormConstant struct {
	Name    string
	Fixed   bool // it is held at the value that was given
	Integer bool // it is a whole number, and held where the fit is best
	Bound   bool // it is held by its bound
	evidence.Constant
}

// ParseForm reads a form such as y = a*exp(-b*t) + c for a table with the given columns. Names that are no columns
// are constants; the error says when there are none, and when the left side is no column.
func ParseForm(text string, columns []string) (KnownForm, error) {
	left, right, ok := cutEquation(text)
	if !ok {
		return KnownForm{}, fmt.Errorf("%q has no = (write COLUMN = FORMULA, such as y = a*exp(-b*t) + c)", text)
	}
	name, err := formula.Parse(left)
	if err != nil {
		return KnownForm{}, fmt.Errorf("the left side: %w", err)
	}
	target := formula.Vars(name)
	if len(target) != 1 || !formula.Equal(name, formula.Var(target[0])) {
		return KnownForm{}, fmt.Errorf("the left side is %s, want the name of a column alone", strings.TrimSpace(left))
	}
	f := KnownForm{Target: target[0]}
	if !slices.Contains(columns, f.Target) {
		return KnownForm{}, fmt.Errorf("there is no column %q for the left side (there are: %s)",
			f.Target, strings.Join(columns, ", "))
	}
	if f.Expr, err = formula.Parse(right); err != nil {
		if syntax := new(formula.SyntaxError); errors.As(err, &syntax) { // places are counted in the whole form
			before := text[:len(text)-len(right)]
			syntax.Input, syntax.Offset = text, syntax.Offset+len(before)
			syntax.Column += utf8.RuneCountInString(before)
			err = syntax
		}
		return KnownForm{}, err
	}
	return f, f.nameConstants(columns)
}

// cutEquation cuts an equation at its first =, but for those in names between backticks.
func cutEquation(text string) (left, right string, ok bool) {
	quoted := false
	for i, r := range text {
		switch {
		case r == '`':
			quoted = !quoted
		case r == '=' && !quoted:
			return text[:i], text[i+1:], true
		}
	}
	return "", "", false
}

// nameConstants sorts the names of the form into inputs and constants.
func (f *KnownForm) nameConstants(columns []string) error {
	for _, name := range namesIn(f.Expr) {
		switch {
		case name == f.Target:
			return fmt.Errorf("column %q stands on both sides of the form", name)
		case slices.Contains(columns, name):
			f.Inputs = append(f.Inputs, name)
		case formula.Var(name).String() != name: // it is between backticks
			return fmt.Errorf("there is no column %q (there are: %s)", name, strings.Join(columns, ", "))
		default:
			f.Constants = append(f.Constants, formula.Parameter{
				Name: name, Start: math.NaN(), Low: math.Inf(-1), High: math.Inf(1),
			})
		}
	}
	if len(f.Constants) == 0 {
		return errors.New("the form has no constant to fit: all its names are columns (write the constants as names)")
	}
	return nil
}

// namesIn returns the variables of an expression in the order of the text.
func namesIn(e formula.Expr) []string {
	var names []string
	nothing := func(...struct{}) struct{} { return struct{}{} }
	formula.Fold(e, formula.Algebra[struct{}]{
		Number: func(float64) struct{} { return nothing() },
		Variable: func(name string) struct{} {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			return nothing()
		},
		Sum:     func(terms []struct{}) struct{} { return nothing(terms...) },
		Product: func(factors []struct{}) struct{} { return nothing(factors...) },
		Power:   func(_, _ struct{}) struct{} { return nothing() },
		Call:    func(_ formula.Func, args []struct{}) struct{} { return nothing(args...) },
	})
	return names
}

// Constant returns the constant of a name, to set its start and bounds; nil when the form has no such constant.
func (f *KnownForm) Constant(name string) *formula.Parameter {
	for i := range f.Constants {
		if f.Constants[i].Name == name {
			return &f.Constants[i]
		}
	}
	return nil
}

const (
	oneLeftOut = 30 // rows, up to which cross-validation leaves one out each time
	formFolds  = 5
	foldStream = 0x666f6c64 // of the random numbers that choose folds
)

// FitForm fits the constants of a form to the rows of a table by least squares. It searches
// for nothing: whether the form is right is for its residuals and the validation to say.
func FitForm(f KnownForm, t *datasets.Table) (*FormFit, error) {
	d, err := dataOf(t, f.Inputs, f.Target)
	if err != nil {
		return nil, err
	}
	fit, err := f.named().Fit(d)
	if err != nil {
		return nil, fmt.Errorf("fitting %q: %w", f.Target, err)
	}
	r := &FormFit{Form: f, Formula: f.Formula(fit.Values), Rows: d.Rows()}
	intervals, _ := fit.Constants(intervalLevel)
	for i, c := range intervals {
		k := f.Constants[i]
		bound := fit.Held[i] && !k.Fixed() && !k.Integer
		r.Constants = append(r.Constants, FormConstant{k.Name, k.Fixed(), k.Integer, bound, c})
	}
	predicted, _ := fit.At(d.X, d.Rows())
	r.RMS = rmsBetween(predicted, d.Y)
	r.Residuals = distill.Residuals(d.X, d.Y, predicted, d.W)
	r.validate(fit.Values, d)
	return r, nil
}

// validate cross-validates the form. Where constants cannot be fitted without some rows the error is infinite.
func (r *FormFit) validate(values []float64, d distill.Data) {
	r.Folds = formFolds
	if d.Rows() <= oneLeftOut {
		r.Folds = d.Rows()
	}
	folds := datasets.Folds(d.Rows(), r.Folds, rand.New(rand.NewPCG(0, foldStream)))
	predicted := make([]float64, d.Rows())
	for k, held := range folds {
		var rest []int
		for l, fold := range folds {
			if l != k {
				rest = append(rest, fold...)
			}
		}
		slices.Sort(rest)
		fit, err := r.Form.named().FitFrom(values, d.Take(rest))
		if err != nil {
			r.Validation = math.Inf(1)
			return
		}
		y, _ := fit.At(d.Take(held).X, len(held))
		for i, row := range held {
			predicted[row] = y[i]
		}
	}
	r.Validation = rmsBetween(predicted, d.Y)
}

// Score returns the RMS of the fitted form on another table.
func (r *FormFit) Score(t *datasets.Table) (float64, error) {
	d, err := dataOf(t, r.Form.Inputs, r.Form.Target)
	if err != nil {
		return 0, err
	}
	return rmsOf(r.Formula, r.Form.Inputs, d)
}
