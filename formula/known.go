package formula

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Known is what is known of a law: its form, with constants that have names and perhaps functions that are not known.
type Known struct {
	Text   string // as it was written
	Target string
	Expr   Expr
	Inputs []string // columns that the form and its unknown functions read
	// Constants are in the order of the text, and so are the unknown functions, for which variables stand in Expr.
	Constants []Parameter
	Unknown   []Unknown
}

// Formula returns the form with values put in for its constants.
func (k Known) Formula(values []float64) Expr {
	put := map[string]Expr{}
	for i, c := range k.Constants {
		put[c.Name] = Const(values[i])
	}
	return Substitute(k.Expr, put)
}

// ParseKnown reads a form such as y = a*exp(-b*t) + c or y = x1*f(x2, x3) + g(x4) for a table with the given columns.
// Names that are not columns are constants, and before a parenthesis unknown functions. The error says when there is
// neither, when the left side is not a column, and when a constant has the name of a column but for capitals.
func ParseKnown(text string, columns []string) (Known, error) {
	left, right, ok := cutEquation(text)
	if !ok {
		return Known{}, fmt.Errorf("%q has no = (write COLUMN = FORMULA, such as y = a*exp(-b*t) + c)", text)
	}
	name, err := Parse(left)
	if err != nil {
		return Known{}, fmt.Errorf("the left side: %w", err)
	}
	target := Vars(name)
	if len(target) != 1 || !Equal(name, Var(target[0])) {
		return Known{}, fmt.Errorf("the left side is %s, want the name of a column alone", strings.TrimSpace(left))
	}
	k := Known{Text: strings.TrimSpace(text), Target: target[0]}
	if !slices.Contains(columns, k.Target) {
		return Known{}, fmt.Errorf("there is no column %q for the left side (there are: %s)",
			k.Target, strings.Join(columns, ", "))
	}
	if k.Expr, k.Unknown, err = ParseUnknown(right); err != nil {
		if syntax := new(SyntaxError); errors.As(err, &syntax) { // places are counted in the whole form
			before := text[:len(text)-len(right)]
			syntax.Input, syntax.Offset = text, syntax.Offset+len(before)
			syntax.Column += utf8.RuneCountInString(before)
			err = syntax
		}
		return Known{}, err
	}
	return k, k.sortNames(columns)
}

// HasUnknown reports whether a form that a person wrote has unknown functions, whatever the columns are.
func HasUnknown(text string) bool {
	_, right, _ := cutEquation(text)
	_, unknown, err := ParseUnknown(right)
	return err == nil && len(unknown) > 0
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

// sortNames sorts the names of the form into inputs, constants and unknown functions.
func (k *Known) sortNames(columns []string) error {
	for _, name := range namesIn(k.Expr) {
		if i := slices.IndexFunc(k.Unknown, func(u Unknown) bool { return u.Var() == name }); i >= 0 {
			if err := k.addFunction(k.Unknown[i], columns); err != nil {
				return err
			}
			continue
		}
		switch {
		case name == k.Target:
			return fmt.Errorf("column %q stands on both sides of the form", name)
		case slices.Contains(columns, name):
			k.addInput(name)
		case Var(name).String() != name: // it is between backticks
			return fmt.Errorf("there is no column %q (there are: %s)", name, strings.Join(columns, ", "))
		default:
			k.Constants = append(k.Constants, Parameter{
				Name: name, Start: math.NaN(), Low: math.Inf(-1), High: math.Inf(1),
			})
		}
	}
	for _, c := range k.Constants {
		meant := func(column string) bool {
			return strings.EqualFold(column, c.Name) && !slices.Contains(k.Inputs, column)
		}
		if i := slices.IndexFunc(columns, meant); i >= 0 && columns[i] != k.Target {
			return fmt.Errorf("%s would be a constant, and there is a column %q (write %s, or give the constant another name)",
				c.Name, columns[i], Var(columns[i]))
		}
	}
	if len(k.Constants)+len(k.Unknown) == 0 {
		return errors.New("the form has no constant to fit: all its names are columns (write the constants as names)")
	}
	return nil
}

func (k *Known) addInput(name string) {
	if !slices.Contains(k.Inputs, name) {
		k.Inputs = append(k.Inputs, name)
	}
}

func (k *Known) addFunction(u Unknown, columns []string) error {
	if slices.Contains(columns, u.Name) {
		return fmt.Errorf("%s is a column and stands before a parenthesis, as a function does (write * for a product, "+
			"or give the function another name)", u.Name)
	}
	for _, name := range u.Inputs {
		switch {
		case name == k.Target:
			return fmt.Errorf("%s depends on the left side of the form (name what it is computed from)", u)
		case !slices.Contains(columns, name):
			return fmt.Errorf("%s depends on %q, and there is no such column (there are: %s)",
				u, name, strings.Join(columns, ", "))
		}
		k.addInput(name)
	}
	return nil
}

// namesIn returns the variables of an expression in the order of the text.
func namesIn(e Expr) []string {
	var names []string
	nothing := func(...struct{}) struct{} { return struct{}{} }
	Fold(e, Algebra[struct{}]{
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
		Call:    func(_ Func, args []struct{}) struct{} { return nothing(args...) },
	})
	return names
}

// Constant returns the constant of a name, to set its start and bounds; nil when the form has no such constant.
func (k *Known) Constant(name string) *Parameter {
	for i := range k.Constants {
		if k.Constants[i].Name == name {
			return &k.Constants[i]
		}
	}
	return nil
}
