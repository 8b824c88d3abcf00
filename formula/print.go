package formula

import (
	"fmt"
	"slices"
	"strings"
)

// Form is a language that expressions are printed in.
type Form string

// The forms.
const (
	Text   Form = "text"   // plain infix, read back by Parse
	LaTeX  Form = "latex"  // for mathematics mode, with amsmath
	MathML Form = "mathml" // what stands inside a math element of a web page
	Go     Form = "go"     // an expression over float64, with package math
	Python Form = "python" // an expression over float64 or arrays of them, with NumPy as np
	SymPy  Form = "sympy"  // an expression over symbols of the variables' names
	C      Form = "c"      // an expression over double, with math.h
	JSON   Form = "json"   // the tree, read back by ParseJSON

	Julia    Form = "julia"    // an expression over Float64
	MATLAB   Form = "matlab"   // an expression over double arrays, for Octave as well
	R        Form = "r"        // an expression over numeric vectors
	Excel    Form = "excel"    // a formula, without its =, over defined names
	Fortran  Form = "fortran"  // an expression over double precision
	Stan     Form = "stan"     // an expression over real
	Modelica Form = "modelica" // an expression over Real
)

// Forms returns all forms.
func Forms() []Form {
	return []Form{Text, LaTeX, MathML, Go, Python, SymPy, C, Julia, MATLAB, R, Excel, Fortran, Stan, Modelica, JSON}
}

// Programs returns the forms in which [Function] writes complete functions.
func Programs() []Form {
	return slices.DeleteFunc(Forms(), func(f Form) bool { return languages[f] == nil || languages[f].wrap == nil })
}

// Title returns the name of one of the [Programs] as people write it.
func (f Form) Title() string {
	if l := languages[f]; l != nil {
		return l.title
	}
	return ""
}

// Comment returns what begins a line that is a comment in one of the [Programs] or in SymPy, "" for other forms.
func (f Form) Comment() string {
	if l := languages[f]; l != nil {
		return l.comment
	}
	return ""
}

// UnmarshalText sets f to the form called text, and refuses other names.
func (f *Form) UnmarshalText(text []byte) error {
	if !slices.Contains(Forms(), Form(text)) {
		return fmt.Errorf("unknown form %q (want one of %s)", text, formNames(Forms()))
	}
	*f = Form(text)
	return nil
}

// MarshalText returns the name of f.
func (f Form) MarshalText() ([]byte, error) {
	if !slices.Contains(Forms(), f) {
		return nil, fmt.Errorf("unknown form %q (want one of %s)", string(f), formNames(Forms()))
	}
	return []byte(f), nil
}

func formNames(forms []Form) string {
	names := make([]string, 0, len(forms))
	for _, f := range forms {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// Print returns e in a form, its constants rounded to the given number of significant
// digits; 0 keeps all digits, so that the value stays the same to the last bit. With digits, text,
// LaTeX, MathML and SymPy are for reading: constants that are fractions or multiples of π, exactly, are
// written so, as in (x + sin(2*pi*y + pi/8))/3, and exp(n*log(x)) is x^n.
// Names that mean something else in that language, or are not names there, are changed, and differ still. Where
// a formula has no value, as in log(-1), the languages follow rules of their own; what [Function] writes does not.
// Print panics when form is none of the constants.
func Print(e Expr, form Form, digits int) string {
	names := languageNames(form, Vars(e))
	if digits <= 0 || form != Text && form != LaTeX && form != MathML && form != SymPy {
		return printNamed(Round(e, digits), form, names)
	}
	if names == nil {
		names = map[string]string{}
	}
	names[piName] = "pi"
	return printNamed(forReading(e, digits), form, names)
}

// printNamed prints with the given names of the variables; text, LaTeX, MathML and JSON have their own.
func printNamed(e Expr, form Form, names map[string]string) string {
	switch form {
	case LaTeX:
		return printLaTeX(e)
	case MathML:
		return printMathML(e)
	case JSON:
		return printJSON(e)
	}
	l, ok := languages[form]
	if !ok {
		panic(fmt.Sprintf("formula: unknown form %q", string(form)))
	}
	return l.print(e, names, false)
}
