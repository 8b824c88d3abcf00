package forms

import (
	"strconv"
	"strings"

	"github.com/eqlearner/eql/formula"
)

// Form is a standard form of y as a function of x, or of x1, x2, …
type Form struct {
	Name string // for people, with the laws of this form in brackets
	Text string // the expression as a person writes it; what is no input is a constant
	// From is a form with fewer constants whose fit this one begins with, "" for none. Its constants have the same names
	// here.
	From string
	// Begin says where the constants begin that do not enter linearly and that From does not have. All combinations are
	// tried.
	Begin  []Begin
	Domain []Limits
	// Rare is whether one science alone uses the form. Of two that fit as well the common one is meant.
	Rare bool
	// Calendar is whether periods in it are those of the calendar, which others find as constants.
	Calendar bool
	Source   string
}

// Limits are where constants of a form must lie for it to be what its name says: a peak has its top among the data, and
// a wave is there for about a period.
type Limits struct {
	Constants []string
	Of        func(x []float64) (low, high float64)
}

// Bounds returns the bounds of the constants, by the names of [Form.Expr].
func (f Form) Bounds(x [][]float64) map[string][2]float64 {
	bounds := map[string][2]float64{}
	for _, l := range f.Domain {
		low, high := l.Of(x[0])
		for _, name := range l.Constants {
			bounds[hidden(name)] = [2]float64{low, high}
		}
	}
	return bounds
}

// Begin is where some constants begin.
type Begin struct {
	Constants []string
	At        Rule
}

// A Rule proposes values of constants, together, from the columns of the data.
type Rule func(x [][]float64, y []float64) [][]float64

// Expr returns the form as an expression of the inputs with the given names, and its constants, in the order of the
// alphabet, under names that no column has.
func (f Form) Expr(inputs []string) (e formula.Expr, constants []string) {
	e = formula.MustParse(f.Text)
	put := map[string]formula.Expr{}
	for _, name := range formula.Vars(e) {
		if j, ok := input(name); ok {
			put[name] = formula.Var(inputs[j])
			continue
		}
		constants = append(constants, hidden(name))
		put[name] = formula.Var(hidden(name))
	}
	return formula.Substitute(e, put), constants
}

// hidden returns the name of a constant in [Form.Expr].
func hidden(constant string) string { return formula.Placeholder(constant) }

// input returns the index of the input that a name in a form stands for: x is the only one, x1 the first of several.
func input(name string) (j int, ok bool) {
	if name == "x" {
		return 0, true
	}
	n, err := strconv.Atoi(strings.TrimPrefix(name, "x"))
	return n - 1, err == nil && strings.HasPrefix(name, "x")
}

// Places returns where a fit begins: values of the constants, which have the names of [Form.Expr]. Those that enter
// linearly have none. from are the values of the form that this one begins with, nil when there is none.
func (f Form) Places(x [][]float64, y []float64, from map[string]float64) []map[string]float64 {
	places := []map[string]float64{from}
	for _, b := range f.Begin {
		var more []map[string]float64
		values := b.At(x, y)
		for _, place := range places {
			for _, v := range values {
				p := map[string]float64{}
				for name, value := range place {
					p[name] = value
				}
				for k, name := range b.Constants {
					p[hidden(name)] = v[k]
				}
				more = append(more, p)
			}
		}
		places = more
	}
	return places
}
